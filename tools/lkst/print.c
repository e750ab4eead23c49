// SPDX-License-Identifier: GPL-2.0
/* lkst print: records as lines, in time order over all CPUs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lkst.h"
#include "progress.h"
#include "show.h"

#define FLUSH_AT	65536u
#define LAST_MAX	10000000u

static const char help[] =
	"Usage: lkst print [OPTION...] [SOURCE...]\n"
	"Print the records of a trace directory, an archive of one, or a crash dump; or of\n"
	"the running kernel.\n"
	"\n"
	VIEW_HELP
	"      --from=TIME, --to=TIME\n"
	"                     the same as --since and --until\n"
	"  -n, --last=N       only the last N lines\n"
	"  -f, --follow       go on with what the running kernel records\n"
	"      --format=FORMAT\n"
	"                     text, json (an object a line) or csv\n"
	"      --time=TIME    boot: seconds of the trace's clock; wall: date and time, UTC;\n"
	"                     delta: seconds since the line before\n"
	"  -w, --wall         --time=wall\n"
	"  -a, --addresses    print addresses of functions as numbers\n"
	"  -r, --raw          print all values as numbers only\n"
	"  -s, --summary      print how many records of each event there are instead\n"
	"  -h, --help         show this\n";

enum { OPTION_FORMAT = 256, OPTION_TIME };

static const struct option options[] = {
	VIEW_OPTIONS,
	{ "from", required_argument, NULL, VIEW_OPTION_SINCE },
	{ "to", required_argument, NULL, VIEW_OPTION_UNTIL },
	{ "last", required_argument, NULL, 'n' },
	{ "follow", no_argument, NULL, 'f' },
	{ "format", required_argument, NULL, OPTION_FORMAT },
	{ "time", required_argument, NULL, OPTION_TIME },
	{ "wall", no_argument, NULL, 'w' },
	{ "addresses", no_argument, NULL, 'a' },
	{ "raw", no_argument, NULL, 'r' },
	{ "summary", no_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct print {
	struct view view;
	struct show show;
	bool summary;
	bool format;		/* one was asked for */
	u64 printed;		/* records */
	u64 last;		/* lines to keep, or 0 for all */
	u64 unknown;
	struct text *line;	/* ring of the lines kept */
	u64 lines;
	struct progress progress;
};

static bool write_out(struct text *t)
{
	size_t done = 0;
	ssize_t n;

	while (done < t->len) {
		n = write(STDOUT_FILENO, t->buf + done, t->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			trouble("cannot write to standard output: %s",
				strerror(errno));
			return false;
		}
		done += n;
	}
	t->len = 0;
	return true;
}

/* A line is complete: keep it if only the last are wanted, or write them. */
static bool end_line(struct print *p)
{
	struct text *out = &p->show.out, *keep;

	if (!p->last)
		return out->len < FLUSH_AT || write_out(out);
	keep = &p->line[p->lines++ % p->last];
	keep->len = 0;
	text_need(keep, out->len);
	text_bytes(keep, out->buf, out->len);
	out->len = 0;
	return true;
}

static bool write_kept(struct print *p)
{
	u64 i = p->lines > p->last ? p->lines - p->last : 0;
	struct text *out = &p->show.out;

	for (; p->last && i < p->lines; i++) {
		struct text *line = &p->line[i % p->last];

		text_need(out, line->len);
		text_bytes(out, line->buf, line->len);
		if (out->len >= FLUSH_AT && !write_out(out))
			return false;
	}
	return write_out(out);
}

static bool print_item(struct print *p, const struct merge_item *i, struct event *e)
{
	p->printed += i->kind == ITEM_RECORD;
	if (!p->summary) {
		show_item(&p->show, i, e);
		return end_line(p);
	}
	if (i->kind == ITEM_RECORD)
		*(e ? &e->count : &p->unknown) += 1;
	return true;
}

/* Print what there is now. */
static bool print_items(struct print *p)
{
	const struct merge_item *i;
	struct event *e;
	bool ok = true;

	while (ok && (i = view_next(&p->view, &e))) {
		ok = print_item(p, i, e);
		progress_step(&p->progress, record_words(&i->record) * 8);
	}
	progress_end(&p->progress);
	return ok;
}

/* Of what was there at the beginning only the last lines may be wanted. */
static void follow(struct print *p)
{
	while (print_items(p) && write_kept(p) && view_go_on(&p->view))
		p->last = 0;
}

static void print_summary(struct print *p)
{
	const struct metadata *m = p->view.m;
	u64 total = p->unknown;
	u32 id;

	for (id = 0; id < m->nr_events; id++) {
		struct event *e = m->event[id];

		if (!e || !e->count)
			continue;
		printf("%12llu %s\n", e->count, e->name);
		total += e->count;
	}
	if (p->unknown)
		printf("%12llu unknown\n", p->unknown);
	printf("%12llu records\n", total);
}

/* Of a summary, and of the last lines, nothing is printed before the end. */
static bool has_bar(const struct print *p)
{
	return !p->view.follow && (p->summary || p->last || progress_beside_output());
}

static int print(struct print *p)
{
	u64 kept = p->last, i;

	p->show.v = &p->view;
	show_begin(&p->show);
	if (p->summary)
		p->show.out.len = 0;
	/* The first line of CSV is none of those that are counted. */
	if (p->last)
		write_out(&p->show.out);
	p->line = xcalloc(p->last, sizeof(*p->line));
	p->progress = (struct progress){ .what = "printing", .hidden = !has_bar(p) };
	if (p->view.follow)
		follow(p);
	else if (print_items(p))
		write_kept(p);
	if (p->summary)
		print_summary(p);
	else if (!p->printed && !p->view.follow && view_chooses(&p->view))
		note("no record was selected");
	for (i = 0; i < kept; i++)
		free(p->line[i].buf);
	free(p->line);
	show_end(&p->show);
	return exit_code();
}

static bool choose(const char *arg, const char *const *names, int nr, int *which)
{
	for (*which = 0; *which < nr; ++*which)
		if (!strcmp(arg, names[*which]))
			return true;
	return false;
}

/* Return: what the argument should have been, or NULL when it is that. */
static const char *parse_option(void *data, int c, const char *arg)
{
	static const char *const formats[] = { "text", "json", "csv" };
	static const char *const times[] = { "boot", "wall", "delta" };
	struct print *p = data;
	int which;

	switch (c) {
	case 'n':
		return parse_u64(arg, &p->last) && p->last && p->last <= LAST_MAX ?
			NULL : "a number of lines from 1 to ten million";
	case 'f':
		p->view.follow = true;
		break;
	case 's':
		p->summary = true;
		break;
	case 'a':
		p->show.addresses = true;
		break;
	case 'r':
		p->show.addresses = true;
		p->show.raw = true;
		break;
	case 'w':
		p->show.time = SHOW_WALL;
		break;
	case OPTION_FORMAT:
		if (!choose(arg, formats, ARRAY_SIZE(formats), &which))
			return "text, json or csv";
		p->show.format = which;
		p->format = true;
		break;
	case OPTION_TIME:
		if (!choose(arg, times, ARRAY_SIZE(times), &which))
			return "boot, wall or delta";
		p->show.time = which;
		break;
	}
	return NULL;
}

static bool options_ok(const struct print *p)
{
	if (p->summary && p->format)
		note("-s, --summary: takes no --format");
	else if (p->summary && p->last)
		note("-s, --summary: counts all that is chosen, and takes no -n, --last");
	else
		return true;
	return false;
}

int cmd_print(int argc, char **argv)
{
	static const struct view_command command = {
		"print", help, VIEW_SHORT "afhn:rsw", options, parse_option,
	};
	struct print p = { };
	int c = view_parse(&p.view, &command, &p, argc, argv);

	if (c >= 0)
		return c;
	if (!options_ok(&p) || !view_arguments_ok(&p.view, argc - optind, argv + optind))
		return see_help("print");
	if (p.view.follow)
		view_end_by_signals();
	c = view_open(&p.view, argv[optind]) ? print(&p) : LKST_EXIT_PARTIAL;
	view_close(&p.view);
	return c;
}
