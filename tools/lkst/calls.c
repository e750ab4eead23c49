// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "values.h"

/* More than there are in either table of system calls. */
#define NUMBERS		1024u
#define ERRNO_MAX	4095
#define BOLD		"\033[1m"
#define PLAIN		"\033[m"

/* Times are in ticks. */
struct call {
	u32 number;		/* nr * 2 + compat */
	u32 tid;		/* of the longest */
	u64 calls;
	u64 errors;
	u64 total;
	u64 longest;
	u64 began;		/* the longest */
};

struct calls {
	struct view *v;
	u32 enter;		/* numbers of the events, or ~0 */
	u32 args;
	u32 exit;
	u64 known;		/* nothing is missing since */
	struct call call[NUMBERS * 2];
};

static u32 event_id(const struct metadata *m, const char *name)
{
	const struct event *e;
	u32 id;

	for (id = 0; id < m->nr_events; id++) {
		e = metadata_event(m, id);
		if (e && !strcmp(e->name, name))
			return id;
	}
	return ~0u;
}

struct calls *calls_new(struct view *v)
{
	struct calls *c = xcalloc(1, sizeof(*c));

	c->v = v;
	c->enter = event_id(v->m, "syscall/enter");
	c->args = event_id(v->m, "syscall/args");
	c->exit = event_id(v->m, "syscall/exit");
	return c;
}

void calls_free(struct calls *c)
{
	free(c);
}

void calls_forget(struct calls *c)
{
	memset(c->call, 0, sizeof(c->call));
}

static void call_ends(struct calls *c, const struct running *running,
		      const struct merge_item *i, s64 result)
{
	u64 took = i->time - running->began;
	struct call *call = &c->call[running->call - 1];

	call->number = running->call - 1;
	call->calls++;
	call->errors += result < 0 && result >= -ERRNO_MAX;
	call->total += took;
	if (call->calls > 1 && took <= call->longest)
		return;
	call->longest = took;
	call->began = running->began;
	call->tid = i->tid;
}

void calls_miss(struct calls *c, u64 time)
{
	c->known = max(c->known, time);
}

void calls_see(struct calls *c, struct running *running, const struct merge_item *i)
{
	const struct record *r = &i->record;
	const struct event *e = metadata_event(c->v->m, r->id);
	u64 nr, compat = 0, result = 0;
	u32 number;

	if (r->id != c->enter && r->id != c->args && r->id != c->exit)
		return;
	if (i->tid == LKST_TID_UNKNOWN || !record_number(e, r, "nr", &nr) || nr >= NUMBERS)
		return;
	record_number(e, r, "compat", &compat);
	number = nr * 2 + (compat & 1) + 1;
	if (r->id != c->exit) {
		/* Both events can tell of the same call. */
		if (running->call != number || running->event == r->id)
			*running = (struct running){ number, r->id, i->time };
		return;
	}
	record_number(e, r, "ret", &result);
	if (running->call == number && running->began >= c->known)
		call_ends(c, running, i, result);
	running->call = 0;
}

/* What took most first. */
static int by_total(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? 1 : -1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void show_call(const struct calls *c, const struct call *call)
{
	const char *name = values_syscall(call->number / 2, call->number & 1), *label;
	double second = c->v->m->hz;
	size_t len, columns;

	printf("%9llu %7llu %12.6f %12.3f %12.3f %14.6f  ", call->calls, call->errors,
	       call->total / second, call->total / second * 1e6 / call->calls,
	       call->longest / second * 1e6, call->began / second);
	label = names_label(c->v->names, call->tid, 0, &len, &columns);
	printf("%.*s%*s ", (int)len, label, columns < 22 ? (int)(22 - columns) : 0, "");
	if (name)
		printf("%s%s\n", name, call->number & 1 ? " (32 bits)" : "");
	else
		printf("%u\n", call->number / 2);
}

void calls_show(struct calls *c, u64 lines, bool bold)
{
	size_t i, nr = 0;

	printf("\n%s%9s %7s %12s %12s %12s %14s  %-22s %s%s\n", bold ? BOLD : "", "calls",
	       "errors", "total s", "mean us", "longest us", "at s", "by", "system call",
	       bold ? PLAIN : "");
	sort(c->call, ARRAY_SIZE(c->call), sizeof(*c->call), by_total);
	while (nr < ARRAY_SIZE(c->call) && c->call[nr].calls)
		nr++;
	for (i = 0; i < nr && i < lines; i++)
		show_call(c, &c->call[i]);
	if (i < nr)
		printf("%*s  and %zu more\n", 94, "", nr - i);
}
