// SPDX-License-Identifier: GPL-2.0
/* The trace as it is, but for what was left out. */
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "ctfout.h"
#include "lkst.h"
#include "outdir.h"
#include "symbols.h"

static bool ctf_begin(struct convert *c)
{
	const char *text = c->view.trace->text;

	c->state = ctfout_new(c->path, c->view.m->uuid, true);
	return convert_file(c, METADATA_FILE, text, strlen(text));
}

/* Functions whose names a reader will ask for. */
static void mark_symbols(struct convert *c, const struct event *e,
			 const struct record *r)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;
	u64 address;
	u32 i;

	while ((f = field_next(&w, &v))) {
		if (f->base != 16 || f->size != 8)
			continue;
		for (i = 0; i < v.count; i++) {
			address = field_get(f, v.at + i * f->size);
			if (in_kernel_map(address))
				symbols_mark(trace_symbols(c->view.trace), address);
		}
	}
}

/* A record that is not as the metadata says becomes lkst/unfinished. */
static void ctf_item(struct convert *c, const struct merge_item *i, struct event *e)
{
	struct ctfout_record r = {
		i->cpu, i->tid, i->tid, i->time, i->record.id,
		i->record.payload, i->record.size, record_finished(&i->record),
	};
	u32 strange[2] = { i->record.id };
	u64 next;

	if (i->kind == ITEM_LOST) {
		ctfout_lost(c->state, i->cpu, i->tid, i->time, i->count);
	} else if (i->kind != ITEM_RECORD) {
		ctfout_missing(c->state, i->cpu, i->count);
	} else if (e && (record_fits(c->view.m, &i->record) || !record_finished(&i->record))) {
		mark_symbols(c, e, &i->record);
		if (e->role == ROLE_SWITCH && record_number(e, &i->record, "next_tid", &next))
			r.next = next;
		ctfout_record(c->state, &r);
	} else {
		r.id = LKST_ID_UNFINISHED;
		r.payload = strange;
		r.size = sizeof(strange);
		ctfout_record(c->state, &r);
	}
}

static void ctf_end(struct convert *c)
{
	char *text;
	size_t n;

	write_names(c->path, c->view.names);
	text = symbols_to_text(trace_symbols(c->view.trace), &n);
	if (text)
		convert_file(c, SYMBOLS_FILE, text, n);
	free(text);
	ctfout_end(c->state);
}

const struct converter to_ctf = {
	.name = "ctf",
	.is_dir = true,
	.begin = ctf_begin,
	.item = ctf_item,
	.end = ctf_end,
};
