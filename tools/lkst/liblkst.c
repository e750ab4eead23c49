// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "liblkst.h"
#include "view.h"

/* Fields that are shown. */
struct shown {
	const struct field **field;
	int nr;
};

struct lkst_reader {
	struct view view;
	const struct merge_item *item;
	struct event *event;		/* of @item, or NULL */
	struct shown *by_id;
};

static void find_shown(struct lkst_reader *r)
{
	const struct event *e;
	struct shown *s;
	u32 id, i;

	r->by_id = xcalloc(r->view.m->nr_events, sizeof(*r->by_id));
	for (id = 0; id < r->view.m->nr_events; id++) {
		e = r->view.m->event[id];
		if (!e)
			continue;
		s = &r->by_id[id];
		s->field = xcalloc(e->nr_fields, sizeof(*s->field));
		for (i = 0; i < e->nr_fields; i++)
			if (!e->fields[i].hidden)
				s->field[s->nr++] = &e->fields[i];
	}
}

struct lkst_reader *lkst_open(const char *source, const char *condition)
{
	struct lkst_reader *r = xcalloc(1, sizeof(*r));
	bool known;

	view_init(&r->view);
	if (condition)
		view_option(&r->view, 'm', condition, &known);
	if (!view_open(&r->view, source)) {
		lkst_close(r);
		return NULL;
	}
	find_shown(r);
	return r;
}

void lkst_close(struct lkst_reader *r)
{
	u32 id;

	if (!r)
		return;
	for (id = 0; r->by_id && id < r->view.m->nr_events; id++)
		free(r->by_id[id].field);
	free(r->by_id);
	view_close(&r->view);
	free(r);
}

bool lkst_next(struct lkst_reader *r)
{
	r->item = view_next(&r->view, &r->event);
	return r->item;
}

bool lkst_status(void)
{
	return exit_code() != LKST_EXIT_OK;
}

enum lkst_kind lkst_kind(const struct lkst_reader *r)
{
	static const enum lkst_kind kinds[] = {
		[ITEM_RECORD] = LKST_RECORD,
		[ITEM_LOST] = LKST_LOST,
		[ITEM_GAP] = LKST_OVERWRITTEN,
		[ITEM_GONE] = LKST_GONE,
	};

	return kinds[r->item->kind];
}

uint64_t lkst_count(const struct lkst_reader *r)
{
	return r->item->kind == ITEM_RECORD ? 0 : r->item->count;
}

uint64_t lkst_time(const struct lkst_reader *r)
{
	return view_ns(r->view.m, r->item->time);
}

uint64_t lkst_wall_time(const struct lkst_reader *r)
{
	return view_wall_ns(r->view.m, r->item->time);
}

uint64_t lkst_ticks(const struct lkst_reader *r)
{
	return r->item->time;
}

uint64_t lkst_hz(const struct lkst_reader *r)
{
	return r->view.m->hz;
}

uint32_t lkst_cpu(const struct lkst_reader *r)
{
	return r->item->cpu;
}

uint32_t lkst_tid(const struct lkst_reader *r)
{
	return r->item->tid;
}

const char *lkst_event(const struct lkst_reader *r)
{
	if (r->item->kind != ITEM_RECORD)
		return "";
	return r->event ? r->event->name : "unknown";
}

uint32_t lkst_thread(const struct lkst_reader *r, uint32_t tid, char comm[16])
{
	struct who who;

	names_find(r->view.names, tid, r->item ? r->item->cpu : 0, &who);
	if (comm)
		memcpy(comm, who.comm, sizeof(who.comm));
	return who.tgid;
}

int lkst_fields(const struct lkst_reader *r)
{
	return r->event ? r->by_id[r->event->id].nr : 0;
}

const char *lkst_field(const struct lkst_reader *r, int field)
{
	const char *name;

	if (field < 0 || field >= lkst_fields(r))
		return NULL;
	name = r->by_id[r->event->id].field[field]->name;
	return name + (name[0] == '_');
}

int lkst_find(const struct lkst_reader *r, const char *name)
{
	int i;

	for (i = 0; i < lkst_fields(r); i++)
		if (!strcmp(lkst_field(r, i), name))
			return i;
	return -1;
}

/* Where a field lies; NULL where the record is too short for it. */
static inline const struct field *find_value(const struct lkst_reader *r, int field,
					     struct value *v)
{
	struct field_walk w = { .e = r->event, .r = &r->item->record };
	const struct field *f, *at;

	if (field < 0 || field >= lkst_fields(r))
		return NULL;
	f = r->by_id[r->event->id].field[field];
	if (f->at != FIELD_MOVES && f->kind != FIELD_SEQUENCE) {
		v->at = w.r->payload + f->at;
		v->count = f->count;
		return f->at + f->count * f->size <= w.r->size ? f : NULL;
	}
	while ((at = field_next(&w, v)))
		if (at == f)
			break;
	return at;
}

int lkst_numbers(const struct lkst_reader *r, int field)
{
	struct value v;
	const struct field *f = find_value(r, field, &v);

	return f && !f->is_text ? v.count : 0;
}

int64_t lkst_number(const struct lkst_reader *r, int field, int index)
{
	struct value v;
	const struct field *f = find_value(r, field, &v);

	if (!f || f->is_text || index < 0 || (u32)index >= v.count)
		return 0;
	return field_get(f, v.at + index * f->size);
}

const char *lkst_text(const struct lkst_reader *r, int field, size_t *len)
{
	struct value v;
	const struct field *f = find_value(r, field, &v);

	if (!f || !f->is_text)
		return NULL;
	*len = v.count;
	while (*len && !v.at[*len - 1])
		--*len;
	return (const char *)v.at;
}

/* One by one, where not all places are fixed. */
static noinline int walk_values(const struct lkst_reader *r, int64_t *values, int room)
{
	struct field_walk w = { .e = r->event, .r = &r->item->record };
	const struct field *f;
	struct value v;
	int nr = 0;
	u32 k;

	while ((f = field_next(&w, &v)))
		for (k = 0; !f->hidden && k < v.count; k++, nr++)
			if (nr < room)
				values[nr] = field_get(f, v.at + k * f->size);
	return nr;
}

int lkst_values(const struct lkst_reader *r, int64_t *values, int room)
{
	const struct event *e = r->event;
	const struct merge_item *item = r->item;
	int i;

	if (!e)
		return 0;
	if (!e->nr_places || e->nr_places > room || item->record.size < e->size)
		return walk_values(r, values, room);
	for (i = 0; i < e->nr_places; i++)
		values[i] = place_get(&e->places[i], item->record.payload);
	return i;
}
