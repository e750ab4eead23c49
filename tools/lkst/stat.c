// SPDX-License-Identifier: GPL-2.0
/* lkst stat: how many records and bytes there are of each event, CPU and thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "lkst.h"
#include "progress.h"
#include "text.h"
#include "view.h"

/* Rows of a table; what comes after that many is counted together. */
#define ROWS_MAX	1000000u
#define ROW_OTHER	(~0ull)
#define LINES		10u
#define LINES_MAX	1000000u
#define INTERVAL_MIN	(NSEC / 10)
#define INTERVAL_MAX	(86400 * NSEC)
#define BOLD		"\033[1m"
#define PLAIN		"\033[m"
#define CLEAR		"\033[H\033[J"

static const char help[] =
	"Usage: lkst stat [OPTION...] [SOURCE]\n"
	"Count records and bytes of each event, CPU and thread: of a trace directory, an\n"
	"archive of one, a crash dump; or of what the running kernel records from now on,\n"
	"again and again.\n"
	"\n"
	VIEW_HELP
	"  -i, --interval=TIME\n"
	"                     the running kernel: from one table to the next (1s)\n"
	"  -n, --count=N      the running kernel: so many tables, then end\n"
	"  -l, --lines=N      at most N events, CPUs, threads and system calls each (10)\n"
	"  -S, --syscalls     how often system calls were made, and how long they took\n"
	"  -h, --help         show this\n";

static const struct option options[] = {
	VIEW_OPTIONS,
	{ "interval", required_argument, NULL, 'i' },
	{ "count", required_argument, NULL, 'n' },
	{ "lines", required_argument, NULL, 'l' },
	{ "syscalls", no_argument, NULL, 'S' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct row {
	u64 key;
	u64 records;
	u64 bytes;
	struct running running;	/* of a thread */
};

/* Counts by key: the event's number, the CPU, the thread. */
struct tally {
	struct row *row;
	size_t nr;
	size_t room;
	u32 *slot;		/* index into @row, plus one */
	u32 slots;		/* a power of two */
};

struct counts {
	struct view view;
	u64 interval;
	u64 count;
	u64 lines;
	struct tally events;
	struct tally cpus;
	struct tally tasks;
	struct row total;
	u64 lost;
	u64 packets;
	u64 first;		/* time of the first record, and the last one */
	u64 last;
	bool terminal;
	bool syscalls;
	struct calls *calls;	/* with @syscalls */
};

/* Counting. */

static u32 *find_slot(const struct tally *t, u64 key)
{
	u32 at = hash_slot(key, t->slots);

	for (; t->slot[at]; at = (at + 1) & (t->slots - 1))
		if (t->row[t->slot[at] - 1].key == key)
			break;
	return &t->slot[at];
}

static void rehash(struct tally *t)
{
	size_t i;

	free(t->slot);
	t->slots = t->slots ? t->slots * 2 : 256;
	t->slot = xcalloc(t->slots, sizeof(*t->slot));
	for (i = 0; i < t->nr; i++)
		*find_slot(t, t->row[i].key) = i + 1;
}

static struct row *find_row(struct tally *t, u64 key)
{
	u32 *slot;

	if (t->nr * 2 >= t->slots)
		rehash(t);
	slot = find_slot(t, key);
	if (!*slot && t->nr >= ROWS_MAX) {
		key = ROW_OTHER;
		slot = find_slot(t, key);
	}
	if (!*slot) {
		t->row = grow(t->row, t->nr, &t->room, sizeof(*t->row));
		t->row[t->nr] = (struct row){ .key = key };
		*slot = ++t->nr;
	}
	return &t->row[*slot - 1];
}

static void add(struct row *r, u64 bytes)
{
	r->records++;
	r->bytes += bytes;
}

static void count_item(struct counts *s, const struct merge_item *i)
{
	u64 bytes = record_words(&i->record) * 8;
	struct row *task;

	if (i->kind == ITEM_LOST)
		s->lost += i->count;
	else if (i->kind == ITEM_GAP)
		s->packets += i->count;
	if (i->kind != ITEM_RECORD) {
		if (s->calls)
			calls_miss(s->calls, i->time);
		return;
	}
	if (!s->total.records)
		s->first = i->time;
	s->last = i->time;
	add(find_row(&s->events, i->record.id), bytes);
	add(find_row(&s->cpus, i->cpu), bytes);
	task = find_row(&s->tasks, i->tid);
	add(task, bytes);
	add(&s->total, bytes);
	if (s->calls && task->key == i->tid)
		calls_see(s->calls, &task->running, i);
}

static void forget(struct counts *s)
{
	struct tally *all[] = { &s->events, &s->cpus, &s->tasks };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		free(all[i]->row);
		free(all[i]->slot);
		memset(all[i], 0, sizeof(*all[i]));
	}
	if (s->calls)
		calls_forget(s->calls);
	memset(&s->total, 0, sizeof(s->total));
	s->lost = 0;
	s->packets = 0;
}

/* Showing. */

/* The most records first. */
static int by_records(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->records != y->records)
		return x->records < y->records ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static void show_counts(const struct row *r, double seconds)
{
	printf("%12llu %12llu", r->records, r->bytes);
	if (seconds > 0)
		printf(" %12.0f %12.0f", r->records / seconds, r->bytes / seconds);
	else
		printf(" %12s %12s", "-", "-");
}

static void show_head(const struct counts *s, const char *what)
{
	printf("%s%12s %12s %12s %12s  %s%s\n", s->terminal ? BOLD : "", "records",
	       "bytes", "records/s", "bytes/s", what, s->terminal ? PLAIN : "");
}

static void show_event(struct counts *s, u64 key)
{
	const struct event *e = metadata_event(s->view.m, key);

	if (e)
		puts(e->name);
	else
		printf("unknown/%llu\n", key);
}

static void show_cpu(struct counts *s, u64 key)
{
	(void)s;
	printf("cpu%llu\n", key);
}

static void show_task(struct counts *s, u64 key)
{
	size_t len, columns;
	const char *label;

	if (!key) {
		puts("0-swapper");
		return;
	}
	label = names_label(s->view.names, key, 0, &len, &columns);
	printf("%.*s\n", (int)len, label);
}

static void show_tally(struct counts *s, struct tally *t, const char *what,
		       void (*show)(struct counts *s, u64 key), double seconds)
{
	size_t i;

	putchar('\n');
	show_head(s, what);
	sort(t->row, t->nr, sizeof(*t->row), by_records);
	for (i = 0; i < t->nr && i < s->lines; i++) {
		show_counts(&t->row[i], seconds);
		printf("  ");
		if (t->row[i].key == ROW_OTHER)
			puts("others");
		else
			show(s, t->row[i].key);
	}
	if (i < t->nr)
		printf("%*s  and %zu more\n", 51, "", t->nr - i);
}

static void show_all(struct counts *s, double seconds)
{
	show_head(s, "all");
	show_counts(&s->total, seconds);
	printf("  in %.3f s", seconds);
	if (s->lost)
		printf(", %llu lost", s->lost);
	if (s->packets)
		printf(", %llu packets overwritten", s->packets);
	putchar('\n');
	if (s->calls) {
		calls_show(s->calls, s->lines, s->terminal);
	} else {
		show_tally(s, &s->events, "event", show_event, seconds);
		show_tally(s, &s->cpus, "cpu", show_cpu, seconds);
		show_tally(s, &s->tasks, "task", show_task, seconds);
	}
	fflush(stdout);
}

static void count_now(struct counts *s, struct progress *p)
{
	const struct merge_item *i;
	struct event *e;

	while ((i = view_next(&s->view, &e))) {
		count_item(s, i);
		if (p)
			progress_step(p, record_words(&i->record) * 8);
	}
}

static void stat_stored(struct counts *s)
{
	struct progress p = { .what = "counting" };

	count_now(s, &p);
	progress_end(&p);
	show_all(s, (double)(s->last - s->first) / s->view.m->hz);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void stat_live(struct counts *s)
{
	double since, seconds;
	bool more = true;
	u64 n;

	for (n = 0; more && (!s->count || n < s->count); n++) {
		since = now();
		do {
			more = view_go_on(&s->view);
			count_now(s, NULL);
			seconds = now() - since;
		} while (more && seconds * NSEC < s->interval);
		if (s->terminal)
			fputs(CLEAR, stdout);
		else if (n)
			putchar('\n');
		show_all(s, seconds);
		forget(s);
	}
}

static const char *parse_option(void *data, int c, const char *arg)
{
	struct counts *s = data;

	switch (c) {
	case 'i':
		return parse_duration(arg, &s->interval) && s->interval >= INTERVAL_MIN &&
		       s->interval <= INTERVAL_MAX ? NULL :
			"a time from 100ms to 24h such as 1 or 500ms";
	case 'n':
		return parse_u64(arg, &s->count) && s->count ? NULL :
			"a number of tables";
	case 'S':
		s->syscalls = true;
		return NULL;
	case 'l':
		return parse_u64(arg, &s->lines) && s->lines &&
		       s->lines <= LINES_MAX ? NULL : "a number of lines";
	}
	return NULL;
}

static void stat_source(struct counts *s, const char *path)
{
	s->terminal = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	s->view.follow = !path;
	s->view.from_now = !path;
	if (!path)
		view_end_by_signals();
	if (view_open(&s->view, path)) {
		if (s->syscalls)
			s->calls = calls_new(&s->view);
		if (path)
			stat_stored(s);
		else
			stat_live(s);
	}
	forget(s);
	calls_free(s->calls);
	view_close(&s->view);
}

int cmd_stat(int argc, char **argv)
{
	static const struct view_command command = {
		"stat", help, VIEW_SHORT "hi:l:n:S", options, parse_option,
	};
	struct counts s = { .interval = NSEC, .lines = LINES };
	int c = view_parse(&s.view, &command, &s, argc, argv);

	if (c >= 0)
		return c;
	if (!view_arguments_ok(&s.view, argc - optind, argv + optind))
		return see_help("stat");
	stat_source(&s, argv[optind]);
	return exit_code();
}
