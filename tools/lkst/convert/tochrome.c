// SPDX-License-Identifier: GPL-2.0
/*
 * JSON of Chrome's trace viewer: a row for each CPU with the threads that run there,
 * as slices of time, and all records in their places.
 */
#include <stdlib.h>
#include <string.h>

#include "convert.h"

#define FLUSH_AT	65536u

/* Since when which thread runs. */
struct chrome_cpu {
	u32 cpu;
	u32 tid;
	u64 since;
};

struct chrome {
	struct chrome_cpu *cpu;
	size_t nr;
	size_t room;
	bool begun;
	u64 last;		/* time of the last record */
};

static void flush(struct convert *c, size_t at)
{
	struct text *out = &c->show.out;

	if (out->len < at)
		return;
	convert_write(c, out->buf, out->len);
	out->len = 0;
}

/* Begin an object of the list. */
static void put_object(struct convert *c, const char *phase, u32 cpu)
{
	struct chrome *s = c->state;
	struct text *out = &c->show.out;

	text_need(out, 256);
	text_string(out, s->begun ? ",\n" : "\n");
	s->begun = true;
	text_string(out, "{\"ph\":\"");
	text_string(out, phase);
	text_string(out, "\",\"pid\":0,\"tid\":");
	text_u64(out, cpu);
}

/* A time in us, exactly. */
static void put_us(struct text *out, const char *key, u64 ns)
{
	text_need(out, 256);
	text_string(out, key);
	text_u64(out, ns / 1000);
	text_char(out, '.');
	text_digits(out, ns % 1000, 3);
}

static void put_cpu(struct convert *c, u32 cpu)
{
	struct text *out = &c->show.out;

	put_object(c, "M", cpu);
	text_string(out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU ");
	text_u64(out, cpu);
	text_string(out, "\"}}");
}

static struct chrome_cpu *find_cpu(struct convert *c, u32 cpu, u64 ns)
{
	struct chrome *s = c->state;
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->cpu[i].cpu == cpu)
			return &s->cpu[i];
	s->cpu = grow(s->cpu, s->nr, &s->room, sizeof(*s->cpu));
	s->cpu[s->nr] = (struct chrome_cpu){ cpu, LKST_TID_UNKNOWN, ns };
	put_cpu(c, cpu);
	return &s->cpu[s->nr++];
}

/* The time that a thread ran. */
static void put_slice(struct convert *c, const struct chrome_cpu *s, u64 ns)
{
	struct text *out = &c->show.out;
	struct who who;

	if (s->tid == LKST_TID_UNKNOWN || !s->tid)
		return;
	put_object(c, "X", s->cpu);
	put_us(out, ",\"ts\":", s->since);
	put_us(out, ",\"dur\":", ns - s->since);
	text_string(out, ",\"name\":");
	if (names_find(c->view.names, s->tid, s->cpu, &who))
		show_json_string(out, who.comm, who.len);
	else
		text_string(out, "\"?\"");
	text_need(out, 256);
	text_string(out, ",\"args\":{\"tid\":");
	text_u64(out, s->tid);
	text_string(out, "}}");
}

static void follow_thread(struct convert *c, const struct merge_item *i,
			  const struct event *e, u64 ns)
{
	struct chrome_cpu *s = find_cpu(c, i->cpu, ns);
	u32 tid = i->tid;

	if (i->kind == ITEM_GAP || i->kind == ITEM_GONE)
		tid = LKST_TID_UNKNOWN;
	if (e && e->role == ROLE_SWITCH)
		tid = convert_number(e, &i->record, "next_tid");
	if (tid == s->tid)
		return;
	put_slice(c, s, ns);
	s->tid = tid;
	s->since = ns;
}

static bool chrome_begin(struct convert *c)
{
	c->state = xcalloc(1, sizeof(struct chrome));
	text_need(&c->show.out, 256);
	text_string(&c->show.out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	return true;
}

static void chrome_item(struct convert *c, const struct merge_item *i, struct event *e)
{
	struct text *out = &c->show.out;
	u64 ns = view_ns(c->view.m, i->time);

	((struct chrome *)c->state)->last = ns;
	follow_thread(c, i, e, ns);
	put_object(c, "i", i->cpu);
	put_us(out, ",\"ts\":", ns);
	text_string(out, i->kind == ITEM_RECORD ? ",\"s\":\"t\",\"name\":\"" :
		    ",\"s\":\"g\",\"name\":\"");
	if (i->kind != ITEM_RECORD) {
		text_string(out, show_mark(i));
		text_string(out, "\",\"args\":{\"count\":");
		text_u64(out, i->count);
		text_string(out, "}}");
	} else {
		text_string(out, e ? e->name : "unknown");
		text_char(out, '"');
		if (e)
			show_json_args(&c->show, e, &i->record);
		text_char(out, '}');
	}
	flush(c, FLUSH_AT);
}

static void chrome_end(struct convert *c)
{
	struct chrome *s = c->state;
	size_t i;

	for (i = 0; i < s->nr; i++)
		put_slice(c, &s->cpu[i], s->last);
	text_need(&c->show.out, 16);
	text_string(&c->show.out, "\n]}\n");
	flush(c, 0);
	free(s->cpu);
	free(s);
}

const struct converter to_chrome = {
	.name = "chrome",
	.begin = chrome_begin,
	.item = chrome_item,
	.end = chrome_end,
};
