// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condition.h"
#include "metadata.h"

/* The kernel's source brings its own of these. */
#undef ARRAY_SIZE
#undef min

#include <linux/kernel.h>
#include <linux/printk.h>

/* In place of the kernel's lkst.h: events, of which the trace tells. */
#define _LKST_INTERNAL_H
/* The numbers of events that a condition can be on. */
#define LKST_NR_EVENTS	4096u
#include "event_fields.h"

static struct lkst_event *lkst_events;

#include "../../kernel/lkst/match.c"

struct task_struct match_task;

void *match_alloc(size_t size)
{
	return xcalloc(1, size);
}

/* What is wrong is taken from match_compile(). */
void match_log(const char *form, ...)
{
	(void)form;
}

struct condition {
	struct condition *next;
	struct lkst_match *match;
	struct lkst_field *fields;
};

/* What the kernel calls a field, or false where it has no such. */
static bool convert_field(const struct field *f, struct lkst_field *to)
{
	static const struct {
		u8 size;
		bool is_signed;
		enum lkst_type type;
	} types[] = {
		{ 2, false, LKST_TYPE_u16 }, { 4, false, LKST_TYPE_u32 },
		{ 8, false, LKST_TYPE_u64 }, { 4, true, LKST_TYPE_s32 },
		{ 8, true, LKST_TYPE_s64 },
	};
	size_t i;

	*to = (struct lkst_field){ .name = f->name, .count = f->count };
	if (f->is_text) {
		to->type = f->kind == FIELD_SEQUENCE ? LKST_TYPE_TEXT : LKST_TYPE_NAME;
		return to->type == LKST_TYPE_TEXT || f->count == LKST_COMM_SIZE;
	}
	for (i = 0; i < ARRAY_SIZE(types); i++) {
		to->type = types[i].type;
		if (f->size == types[i].size && f->is_signed == types[i].is_signed)
			return f->kind != FIELD_SEQUENCE;
	}
	return false;
}

/*
 * The kernel's fields lie one behind the other, a text with its length last; what
 * does not lie so, or comes after that, a condition cannot be on.
 */
static size_t convert_fields(const struct event *e, struct lkst_field *to)
{
	unsigned int at = 0, i;
	size_t nr = 0;

	for (i = 0; i < e->nr_fields; i++) {
		const struct field *f = &e->fields[i];

		if (at % f->align || (f->hidden && f->size != 4))
			break;
		if (f->hidden)
			continue;
		if (!convert_field(f, &to[nr]))
			break;
		at += lkst_field_size(&to[nr]);
		if (to[nr++].type == LKST_TYPE_TEXT)
			break;
	}
	return nr;
}

static void convert_events(struct condition *c, const struct metadata *m)
{
	unsigned int nr = min(m->nr_events, LKST_NR_EVENTS), id;
	size_t fields = 0;

	for (id = 0; id < nr; id++)
		fields += m->event[id] ? m->event[id]->nr_fields : 0;
	c->fields = xcalloc(fields + 1, sizeof(*c->fields));
	for (id = 0, fields = 0; id < nr; id++) {
		if (!m->event[id])
			continue;
		lkst_events[id].sets = 1;
		lkst_events[id].fields = c->fields + fields;
		lkst_events[id].nr_fields =
			convert_fields(m->event[id], c->fields + fields);
		fields += m->event[id]->nr_fields;
	}
}

/* Compile @text for what lkst_events has; false after saying what is wrong. */
static bool compile_text(const char *text, struct lkst_match **match,
			 void (*say)(const char *fmt, ...))
{
	struct wrong wrong = { };
	int err = match_compile(text, match, &wrong);

	if (err)
		say("-m, --match: character %u: %s", wrong.at, wrong.what);
	else if (strstr(text, "current.uid"))
		say("-m, --match: a trace does not tell the user of a thread");
	else
		return true;
	return false;
}

/* Without events there is no field that it could lack. */
bool condition_ok(const char *text)
{
	struct lkst_match *match = NULL;
	bool ok;

	lkst_events = xcalloc(LKST_NR_EVENTS, sizeof(*lkst_events));
	ok = compile_text(text, &match, note);
	lkst_match_free(match);
	free(lkst_events);
	lkst_events = NULL;
	return ok;
}

bool condition_add(struct condition **others, const char *text, const struct metadata *m)
{
	struct condition *c = xcalloc(1, sizeof(*c));
	bool ok;

	lkst_events = xcalloc(LKST_NR_EVENTS, sizeof(*lkst_events));
	convert_events(c, m);
	ok = compile_text(text, &c->match, trouble);
	free(lkst_events);
	lkst_events = NULL;
	c->next = *others;
	*others = c;
	return ok;
}

void condition_free(struct condition *c)
{
	struct condition *next;

	for (; c; c = next) {
		next = c->next;
		lkst_match_free(c->match);
		free(c->fields);
		free(c);
	}
}

bool condition_fits(const struct condition *c, unsigned int id)
{
	for (; c; c = c->next)
		if (id >= LKST_NR_EVENTS || !c->match || !c->match->program[id])
			return false;
	return true;
}

bool condition_is_true(const struct condition *c, const struct record *r,
		       const struct condition_task *task)
{
	match_task = (struct task_struct){
		.pid = task->tid, .tgid = task->tgid, .cpu = task->cpu,
	};
	memcpy(match_task.comm, task->comm, sizeof(match_task.comm));
	for (; c; c = c->next)
		if (!lkst_match_run(c->match->program[r->id], (const u64 *)r->payload))
			return false;
	return true;
}
