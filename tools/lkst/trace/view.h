/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a subcommand that reads a trace has in common with the others: the options
 * that say which trace and which of its records, and the records that are left.
 */
#ifndef LKST_VIEW_H
#define LKST_VIEW_H

#include <getopt.h>

#include "condition.h"
#include "merge.h"

/* A part of a list of numbers, and whether the trace has one of them. */
struct range {
	u32 first;
	u32 last;
	bool found;
};

struct ranges {
	struct range *range;
	size_t nr;
	size_t room;
};

struct patterns {
	const char **text;
	size_t nr;
	size_t room;
};

enum moment_kind {
	MOMENT_NONE,
	MOMENT_CLOCK,		/* of the trace's clock */
	MOMENT_WALL,		/* since 1970 */
	MOMENT_BEFORE_END,	/* of the trace */
};

/* A time as it is given by an option, in ns. */
struct moment {
	enum moment_kind kind;
	u64 ns;
};

/**
 * struct view - the records that were asked for
 * @opt: which buffer
 * @trace: it, open
 * @m: its metadata
 * @names: its names of threads, those told by the records so far included
 * @merge: where its records come from
 * @globs: events that are wanted, all if none
 * @cpus: CPUs
 * @tids: threads
 * @tgids: processes
 * @comms: names of threads
 * @since: the first time
 * @until: the last
 * @match: texts of conditions
 * @condition: them, compiled
 * @from: first tick
 * @to: tick after the last one, or the greatest there is
 * @plain: all records are wanted
 * @follow: go on with what is recorded meanwhile
 * @from_now: leave out what there is at the begin of that
 * @over: the last time that is wanted has come
 * @ending: rounds since it has by the clock, or since nothing more comes
 * @whole: whole packets that had come by the round before
 */
struct view {
	struct trace_options opt;
	struct trace *trace;
	struct metadata *m;
	struct names *names;
	struct merge *merge;
	struct patterns globs;
	struct ranges cpus;
	struct ranges tids;
	struct ranges tgids;
	struct patterns comms;
	struct moment since;
	struct moment until;
	struct patterns match;
	struct condition *condition;
	u64 from;
	u64 to;
	bool plain;
	bool follow;
	bool from_now;
	bool over;
	u32 ending;
	u64 whole;
};

/* The options: for a table of long ones, of short ones, and for --help. */
enum {
	VIEW_OPTION_SINCE = 512, VIEW_OPTION_UNTIL, VIEW_OPTION_TGID,
	VIEW_OPTION_COMM, VIEW_OPTION_SCAN, VIEW_OPTION_BOOT,
};

#define VIEW_OPTIONS							\
	{ "buffer", required_argument, NULL, 'b' },			\
	{ "event", required_argument, NULL, 'e' },			\
	{ "cpu", required_argument, NULL, 'c' },			\
	{ "tid", required_argument, NULL, 't' },			\
	{ "tgid", required_argument, NULL, VIEW_OPTION_TGID },		\
	{ "comm", required_argument, NULL, VIEW_OPTION_COMM },		\
	{ "match", required_argument, NULL, 'm' },			\
	{ "since", required_argument, NULL, VIEW_OPTION_SINCE },	\
	{ "until", required_argument, NULL, VIEW_OPTION_UNTIL },	\
	{ "scan", no_argument, NULL, VIEW_OPTION_SCAN },		\
	{ "boot", required_argument, NULL, VIEW_OPTION_BOOT }

#define VIEW_SHORT	"b:c:e:m:t:"

#define VIEW_HELP							\
	"  -b, --buffer=NAME  this buffer, not the current one\n"	\
	"  -e, --event=GLOB   only events whose group/name matches, with a ! before it\n" \
	"                     all but those; may be repeated\n" \
	"  -c, --cpu=LIST     only these CPUs: 0,2-3\n"			\
	"  -t, --tid=LIST     only what these threads did, or what names them\n" \
	"      --tgid=LIST    the same of all threads of these processes\n" \
	"      --comm=GLOB    the same of threads with such a name; may be repeated\n" \
	"  -m, --match=CONDITION\n"					\
	"                     only records of which it is true, as triggers have it:\n" \
	"                     'ret < 0 && current.comm == \"sh\"'; may be repeated\n" \
	"      --since=TIME, --until=TIME\n"				\
	"                     only records from one to the other: SECONDS as they are\n" \
	"                     printed, -SECONDS before the trace's end, both also with\n" \
	"                     a unit as in -500ms or 5min; or wall time (UTC) such as\n" \
	"                     2026-11-29T22:43:37.5 or what of it is left out at its end\n" \
	"      --scan         in a dump: look for the trace on every page\n" \
	"      --boot=ID      in a dump: take the boot whose id begins so\n"

void view_init(struct view *v);

/*
 * Take an option. Return: what its argument should have been, or NULL when it is
 * that; *@known is false where it is none of those above.
 */
const char *view_option(struct view *v, int c, const char *arg, bool *known);

/**
 * struct view_command - a subcommand that reads a trace
 * @name: its name
 * @help: what --help prints
 * @letters: its short options, VIEW_SHORT and h included
 * @options: the long ones, VIEW_OPTIONS included
 * @option: takes one that is none of these; returns as view_option()
 */
struct view_command {
	const char *name;
	const char *help;
	const char *letters;
	const struct option *options;
	const char *(*option)(void *data, int c, const char *arg);
};

/*
 * Begin a view by the options on the command line; @data is for command->option().
 * Return: the exit code where all is said, or -1: go on with argv[optind].
 */
int view_parse(struct view *v, const struct view_command *command, void *data, int argc,
	       char **argv);

/* What no option shows by itself; @n sources are at @argv. */
bool view_arguments_ok(struct view *v, int n, char **argv);

/* Do the options leave out records? */
bool view_chooses(const struct view *v);

/* Open a source, all of the above being known; false after saying why not. */
bool view_open(struct view *v, const char *path);

/* Is an item wanted? If it tells something of a thread, that is known from now on. */
bool view_takes(struct view *v, const struct merge_item *i, const struct event *e);

/*
 * The next record that is wanted, or mark of what is missing; NULL at the end. With
 * v->follow that is the end of what there is by now: more may come. *@e is the
 * record's event, NULL for a mark, where the metadata does not have it, and at the end.
 */
static inline const struct merge_item *view_next(struct view *v, struct event **e)
{
	const struct merge_item *i;

	while ((i = merge_next(v->merge))) {
		*e = i->kind == ITEM_RECORD ? metadata_event(v->m, i->record.id) : NULL;
		if (*e && (*e)->at_once)
			return i;
		if (i->time >= v->to) {
			v->over = true;
			break;
		}
		if (view_takes(v, i, *e))
			return i;
	}
	*e = NULL;
	return NULL;
}

/*
 * When following, and view_next() had nothing, at first no more of what there was at
 * the begin: wait for more. Return: false when there will be none, as the time is over,
 * a signal came, or nobody reads what is printed.
 */
bool view_go_on(struct view *v);

/* Signals end the following from now on, with what was recorded until then. */
void view_end_by_signals(void);

/* The view's end has changed. */
void view_choose_at_once(struct view *v);

void view_close(struct view *v);

/* A time of the trace's clock in ns, and since 1970. */
u64 view_ns(const struct metadata *m, u64 ticks);
u64 view_wall_ns(const struct metadata *m, u64 ticks);

#endif /* LKST_VIEW_H */
