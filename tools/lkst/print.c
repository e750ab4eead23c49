// SPDX-License-Identifier: GPL-2.0
/* lkst print: records as text, in time order over all CPUs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lkst.h"
#include "merge.h"
#include "symbols.h"
#include "text.h"

#define NSEC		1000000000ull
#define FLUSH_AT	65536u
#define LAST_MAX	10000000u

#define SECONDS_FORM	"a time in seconds such as 12.5"

/* Columns: seconds, then the thread, then the event. */
#define SECONDS_WIDTH	5
#define CPU_WIDTH	7
#define THREAD_WIDTH	23
#define EVENT_WIDTH	22

static const char help[] =
	"Usage: lkst print [OPTION...] [SOURCE]\n"
	"Print the records of a trace directory or crash dump, or of the running kernel.\n"
	"\n"
	"  -b, --buffer=NAME  this buffer, not the current one\n"
	"  -e, --event=GLOB   only events whose group/name matches; may be repeated\n"
	"  -c, --cpu=LIST     only these CPUs: 0,2-3\n"
	"  -t, --tid=TID      only what thread TID did, or what names it\n"
	"  -n, --last=N       only the last N lines\n"
	"      --from=SECONDS, --to=SECONDS\n"
	"                     only records with a time from one to the other\n"
	"  -a, --addresses    print addresses of functions as numbers\n"
	"  -w, --wall         print wall time (UTC), not seconds of the trace's clock\n"
	"  -s, --summary      print how many records of each event there are instead\n"
	"      --scan         in a dump: look for the trace on every page\n"
	"      --boot=ID      in a dump: take the boot whose id begins so\n"
	"  -h, --help         show this\n";

enum { OPTION_FROM = 256, OPTION_TO, OPTION_SCAN, OPTION_BOOT };

static const struct option options[] = {
	{ "buffer", required_argument, NULL, 'b' },
	{ "event", required_argument, NULL, 'e' },
	{ "cpu", required_argument, NULL, 'c' },
	{ "tid", required_argument, NULL, 't' },
	{ "last", required_argument, NULL, 'n' },
	{ "from", required_argument, NULL, OPTION_FROM },
	{ "to", required_argument, NULL, OPTION_TO },
	{ "addresses", no_argument, NULL, 'a' },
	{ "wall", no_argument, NULL, 'w' },
	{ "summary", no_argument, NULL, 's' },
	{ "scan", no_argument, NULL, OPTION_SCAN },
	{ "boot", required_argument, NULL, OPTION_BOOT },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* A part of a list of CPUs, and whether the trace has one of them. */
struct cpu_range {
	u32 first;
	u32 last;
	bool found;
};

struct print {
	struct trace_options trace_opt;
	struct trace *trace;
	struct metadata *m;
	struct names *names;
	char **globs;
	size_t nr_globs;
	size_t glob_room;
	struct cpu_range *cpus;
	size_t nr_cpus;
	size_t cpu_room;
	bool by_tid;
	u32 tid;
	u64 from_ns;
	u64 to_ns;
	u64 from;		/* in ticks, inclusive */
	u64 to;			/* in ticks, exclusive */
	bool wall;
	bool addresses;
	bool summary;
	u64 last;		/* lines to keep, or 0 for all */
	u64 unknown;
	struct text out;
	struct text *line;	/* ring of the lines kept */
	u64 lines;
	time_t day_second;	/* the second that @day is of */
	char day[32];
};

static bool cpu_wanted(u32 cpu, void *arg)
{
	struct print *p = arg;
	bool wanted = !p->nr_cpus;
	size_t i;

	for (i = 0; i < p->nr_cpus; i++) {
		if (cpu >= p->cpus[i].first && cpu <= p->cpus[i].last) {
			p->cpus[i].found = true;
			wanted = true;
		}
	}
	return wanted;
}

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
	struct text *keep;

	text_need(&p->out, 1);
	text_char(&p->out, '\n');
	if (!p->last)
		return p->out.len < FLUSH_AT || write_out(&p->out);
	keep = &p->line[p->lines++ % p->last];
	keep->len = 0;
	text_need(keep, p->out.len);
	text_bytes(keep, p->out.buf, p->out.len);
	p->out.len = 0;
	return true;
}

static bool write_kept(struct print *p)
{
	u64 i = p->lines > p->last ? p->lines - p->last : 0;

	for (; p->last && i < p->lines; i++) {
		struct text *line = &p->line[i % p->last];

		text_need(&p->out, line->len);
		text_bytes(&p->out, line->buf, line->len);
		if (p->out.len >= FLUSH_AT && !write_out(&p->out))
			return false;
	}
	return write_out(&p->out);
}

/* Columns. */

static void put_wall(struct print *p, u64 seconds, u64 ns)
{
	const struct metadata *m = p->m;
	time_t now;
	struct tm tm;

	ns += (__uint128_t)(m->offset % m->hz) * NSEC / m->hz;
	now = m->offset_s + m->offset / m->hz + seconds + ns / NSEC;
	if (now != p->day_second || !p->day[0]) {
		p->day_second = now;
		if (!gmtime_r(&now, &tm) ||
		    !strftime(p->day, sizeof(p->day), "%Y-%m-%dT%H:%M:%S", &tm))
			snprintf(p->day, sizeof(p->day), "?");
	}
	text_string(&p->out, p->day);
	text_char(&p->out, '.');
	text_digits(&p->out, ns % NSEC, 9);
	text_char(&p->out, 'Z');
}

static void put_time(struct print *p, u64 time)
{
	u64 seconds = time / p->m->hz, left = time % p->m->hz, ns, width;

	ns = left >> 32 ? (u64)((__uint128_t)left * NSEC / p->m->hz) :
		left * NSEC / p->m->hz;
	if (p->wall) {
		put_wall(p, seconds, ns);
		return;
	}
	for (width = SECONDS_WIDTH, left = 10; left <= seconds && width > 1; left *= 10)
		width--;
	while (--width)
		text_char(&p->out, ' ');
	text_u64(&p->out, seconds);
	text_char(&p->out, '.');
	text_digits(&p->out, ns, 9);
}

static void put_start(struct print *p, const struct merge_item *i)
{
	size_t from;

	text_need(&p->out, 512);
	put_time(p, i->time);
	text_string(&p->out, " cpu");
	from = p->out.len - 3;
	text_u64(&p->out, i->cpu);
	text_pad(&p->out, from, CPU_WIDTH);
}

/* FUNCTION or FUNCTION+OFFSET; false if it is no address in the kernel's code. */
static bool put_symbol(struct print *p, u64 address)
{
	struct symbols *all = trace_symbols(p->trace);
	const struct symbol *s = symbols_find(all, address);

	if (!s)
		return false;
	text_need(&p->out, SYMBOL_NAME_MAX + 256);
	text_bytes(&p->out, symbols_name(all, s), s->len);
	if (address == s->at)
		return true;
	text_char(&p->out, '+');
	text_hex(&p->out, address - s->at);
	return true;
}

static void put_integer(struct print *p, const struct field *f, u64 v)
{
	u32 k;

	for (k = 0; k < f->nr_labels; k++) {
		if ((s64)v >= f->labels[k].first && (s64)v <= f->labels[k].last) {
			text_string(&p->out, f->labels[k].text);
			return;
		}
	}
	if (f->base == 16 && f->size == 8 && in_kernel_map(v) && !p->addresses &&
	    put_symbol(p, v))
		return;
	if (f->base == 16)
		text_hex(&p->out, f->size < 8 ? v & ((1ull << f->size * 8) - 1) : v);
	else if (f->base == 8)
		text_octal(&p->out, f->size < 8 ? v & ((1ull << f->size * 8) - 1) : v);
	else if (f->is_signed)
		text_s64(&p->out, v);
	else
		text_u64(&p->out, v);
}

static void put_text(struct print *p, const u8 *s, size_t n)
{
	while (n && !s[n - 1])
		n--;
	text_need(&p->out, n * ESCAPE_MAX + 2);
	text_char(&p->out, '"');
	p->out.len += text_escape(p->out.buf + p->out.len, s, n, "\"");
	text_char(&p->out, '"');
}

static void put_field(struct print *p, const struct field *f,
		      const struct value *v)
{
	u32 i;

	text_need(&p->out, 256);
	text_bytes(&p->out, f->lead, f->lead_len);
	if (f->is_text) {
		put_text(p, v->at, v->count);
	} else if (f->kind == FIELD_INTEGER) {
		put_integer(p, f, field_get(f, v->at));
	} else {
		for (i = 0; i < v->count; i++) {
			text_need(&p->out, 256);
			text_char(&p->out, i ? ',' : '[');
			put_integer(p, f, field_get(f, v->at + i * f->size));
		}
		if (!i)
			text_char(&p->out, '[');
		text_char(&p->out, ']');
	}
}

static void put_fields(struct print *p, struct event *e, const struct record *r)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct event *was;
	struct value v;

	while ((f = field_next(&w, &v))) {
		if (f->hidden)
			continue;
		put_field(p, f, &v);
		if (e->role != ROLE_UNFINISHED || w.index != 1)
			continue;
		was = metadata_event(p->m, field_get(f, v.at));
		text_need(&p->out, 256);
		text_char(&p->out, '(');
		text_string(&p->out, was ? was->name : "unknown");
		text_char(&p->out, ')');
	}
	if (w.index == e->nr_fields)
		return;
	text_need(&p->out, 32);
	text_string(&p->out, " (too short)");
	if (!e->complained)
		trouble("a record of %s is shorter than its fields", e->name);
	e->complained = true;
}

static void put_record(struct print *p, const struct merge_item *i,
		       struct event *e)
{
	size_t len, columns, from;
	const char *label;

	put_start(p, i);
	label = names_label(p->names, i->tid, i->cpu, &len, &columns);
	text_bytes(&p->out, label, len);
	text_pad(&p->out, p->out.len - columns, THREAD_WIDTH);
	if (!e) {
		text_string(&p->out, "unknown/");
		text_u64(&p->out, i->record.id);
		text_string(&p->out, " bytes=");
		text_u64(&p->out, i->record.size);
		return;
	}
	from = p->out.len;
	text_bytes(&p->out, e->name, e->name_len);
	if (!e->nr_fields)
		return;
	/* What stands before a field's name begins with a blank. */
	while (p->out.len - from < EVENT_WIDTH)
		text_char(&p->out, ' ');
	put_fields(p, e, &i->record);
}

static void put_mark(struct print *p, const struct merge_item *i)
{
	put_start(p, i);
	if (i->kind == ITEM_LOST)
		text_string(&p->out, "lost ");
	text_u64(&p->out, i->count);
	if (i->kind == ITEM_LOST)
		text_string(&p->out, i->count == 1 ? " record" : " records");
	else if (i->kind == ITEM_GONE)
		text_string(&p->out, " earlier packets are not in the trace");
	else
		text_string(&p->out, " packets overwritten");
}

/* Choice. */

static bool names_tid(struct print *p, const struct event *e,
		      const struct record *r)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;
	size_t n;

	while ((f = field_next(&w, &v))) {
		n = strlen(f->name);
		if (f->kind == FIELD_INTEGER && n >= 3 &&
		    !strcmp(f->name + n - 3, "tid") &&
		    (n == 3 || f->name[n - 4] == '_') &&
		    field_get(f, v.at) == p->tid)
			return true;
	}
	return false;
}

static bool is_wanted(struct print *p, const struct merge_item *i,
		      const struct event *e)
{
	if (i->time < p->from)
		return false;
	if (i->kind != ITEM_RECORD)
		return !p->summary;
	if (p->nr_globs && !(e && e->selected))
		return false;
	return !p->by_tid || i->tid == p->tid ||
	       (e && names_tid(p, e, &i->record));
}

/* A record tells the name of a thread. */
static void learn_name(struct print *p, const struct event *e,
		       const struct record *r)
{
	const char *who = e->role == ROLE_FORK ? "child_tid" : "tid";
	const char *what = e->role == ROLE_EXEC ? "filename" : "comm";
	const u8 *name, *bar;
	size_t len;
	u64 tid;

	if (!record_number(e, r, who, &tid))
		return;
	name = record_text(e, r, what, &len);
	if (!name)
		return;
	bar = e->role == ROLE_EXEC ? memrchr(name, '/', len) : NULL;
	if (bar) {
		len -= bar + 1 - name;
		name = bar + 1;
	}
	if (e->role == ROLE_EXEC)
		len = min_t(size_t, len, LKST_COMM_SIZE - 1);
	names_set(p->names, tid, 0, name, len);
}

static bool print_item(struct print *p, const struct merge_item *i)
{
	struct event *e = NULL;

	if (i->kind == ITEM_RECORD) {
		e = metadata_event(p->m, i->record.id);
		if (e && e->role >= ROLE_FORK)
			learn_name(p, e, &i->record);
	}
	if (!is_wanted(p, i, e))
		return true;
	if (p->summary) {
		*(e ? &e->count : &p->unknown) += 1;
		return true;
	}
	if (i->kind == ITEM_RECORD)
		put_record(p, i, e);
	else
		put_mark(p, i);
	return end_line(p);
}

static void print_summary(struct print *p)
{
	u64 total = p->unknown;
	u32 id;

	for (id = 0; id < p->m->nr_events; id++) {
		struct event *e = p->m->event[id];

		if (!e || !e->count)
			continue;
		printf("%12llu %s\n", e->count, e->name);
		total += e->count;
	}
	if (p->unknown)
		printf("%12llu unknown\n", p->unknown);
	printf("%12llu records\n", total);
}

/* A CPU that left no packet may be one that is not there. */
static void check_cpus(const struct print *p)
{
	size_t i;

	for (i = 0; i < p->nr_cpus; i++) {
		const struct cpu_range *r = &p->cpus[i];

		if (r->found)
			continue;
		if (r->first == r->last)
			trouble("-c, --cpu: the trace has nothing of CPU %u", r->first);
		else
			trouble("-c, --cpu: the trace has nothing of CPUs %u-%u",
				r->first, r->last);
	}
}

static bool select_events(struct print *p)
{
	bool all = true, any;
	size_t i;
	u32 id;

	for (i = 0; i < p->nr_globs; i++) {
		any = false;
		for (id = 0; id < p->m->nr_events; id++) {
			struct event *e = p->m->event[id];

			if (e && !fnmatch(p->globs[i], e->name, 0)) {
				e->selected = true;
				any = true;
			}
		}
		if (!any)
			trouble("-e, --event: no event matches %s", p->globs[i]);
		all &= any;
	}
	return all;
}

/* The first tick that is not before a time in ns. */
static u64 to_ticks(const struct metadata *m, u64 ns)
{
	__uint128_t t = (__uint128_t)ns * m->hz + NSEC - 1;

	t /= NSEC;
	return t > ~0ull ? ~0ull : (u64)t;
}

static int print(struct print *p)
{
	struct merge_item item;
	struct merge *merge;

	p->m = p->trace->metadata;
	p->names = p->trace->names;
	check_cpus(p);
	if (!select_events(p))
		return LKST_EXIT_PARTIAL;
	p->from = to_ticks(p->m, p->from_ns);
	p->to = p->to_ns == ~0ull ? ~0ull : to_ticks(p->m, p->to_ns + 1);
	if (p->last)
		p->line = xcalloc(p->last, sizeof(*p->line));
	merge = merge_new(p->trace);
	while (merge_next(merge, &item) && item.time < p->to)
		if (!print_item(p, &item))
			break;
	merge_free(merge);
	write_kept(p);
	if (p->summary)
		print_summary(p);
	return exit_code();
}

static void free_print(struct print *p)
{
	u64 i;

	for (i = 0; p->line && i < p->last; i++)
		free(p->line[i].buf);
	free(p->line);
	free(p->out.buf);
	free(p->globs);
	free(p->cpus);
}

/* SECONDS, or SECONDS.FRACTION, in ns. */
static bool parse_seconds(const char *s, u64 *ns)
{
	u64 seconds = 0, fraction = 0, unit = NSEC / 10;

	if (*s < '0' || *s > '9')
		return false;
	for (; *s >= '0' && *s <= '9' && seconds < NSEC; s++)
		seconds = seconds * 10 + (*s - '0');
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, unit /= 10)
			fraction += unit * (*s - '0');
	*ns = seconds * NSEC + fraction;
	return !*s;
}

static bool parse_cpu(const char **s, u32 *cpu)
{
	const char *from = *s;
	u64 n = 0;

	for (; **s >= '0' && **s <= '9' && n < ~0u; ++*s)
		n = n * 10 + (**s - '0');
	*cpu = n;
	return *s > from && n < ~0u;
}

/* Add "2" or "0,2-3" to the list. */
static bool parse_cpus(struct print *p, const char *s)
{
	struct cpu_range r = { };

	do {
		if (!parse_cpu(&s, &r.first))
			return false;
		r.last = r.first;
		if (*s == '-') {
			s++;
			if (!parse_cpu(&s, &r.last) || r.last < r.first)
				return false;
		}
		p->cpus = grow(p->cpus, p->nr_cpus, &p->cpu_room, sizeof(*p->cpus));
		p->cpus[p->nr_cpus++] = r;
	} while (*s++ == ',');
	return !s[-1];
}

/* Return: what the argument should have been, or NULL when it is that. */
static const char *parse_option(struct print *p, int c, const char *arg)
{
	u64 v = 0;

	switch (c) {
	case 'b':
		p->trace_opt.buffer = arg;
		return *arg && !strchr(arg, '/') ? NULL : "the name of a buffer";
	case 'c':
		return parse_cpus(p, arg) ? NULL : "a list of CPUs such as 0,2-3";
	case 'e':
		p->globs = grow(p->globs, p->nr_globs, &p->glob_room,
				sizeof(*p->globs));
		p->globs[p->nr_globs++] = (char *)arg;
		break;
	case 'n':
		return parse_u64(arg, &p->last) && p->last && p->last <= LAST_MAX ?
			NULL : "a number of lines from 1 to ten million";
	case 's':
		p->summary = true;
		break;
	case 't':
		p->by_tid = parse_u64(arg, &v) && v <= 0x7fffffff;
		p->tid = v;
		return p->by_tid ? NULL : "the number of a thread";
	case 'a':
		p->addresses = true;
		break;
	case 'w':
		p->wall = true;
		break;
	case OPTION_FROM:
		return parse_seconds(arg, &p->from_ns) ? NULL : SECONDS_FORM;
	case OPTION_TO:
		return parse_seconds(arg, &p->to_ns) ? NULL : SECONDS_FORM;
	case OPTION_SCAN:
		p->trace_opt.dump.scan = true;
		break;
	case OPTION_BOOT:
		p->trace_opt.dump.boot = arg;
		return boot_id_ok(arg) ? NULL : BOOT_ID_FORM;
	}
	return NULL;
}

/* What no option shows by itself; @argv holds @n sources. */
static bool arguments_ok(const struct print *p, int n, char **argv)
{
	const struct dump_options *dump = &p->trace_opt.dump;

	if (n > 1)
		note("%s: is one source too many", argv[1]);
	else if (p->from_ns > p->to_ns)
		note("--from is later than --to");
	else if ((dump->scan || dump->boot) && !source_is_dump(argv[0]))
		note("--scan and --boot are for a dump, and %s is none",
		     argv[0] ? argv[0] : "the running kernel");
	else
		return true;
	return false;
}

int cmd_print(int argc, char **argv)
{
	struct print p = { .to_ns = ~0ull };
	const char *wanted;
	int c;

	p.trace_opt.wanted = cpu_wanted;
	p.trace_opt.arg = &p;
	optind = 0;
	while ((c = getopt_long(argc, argv, "ab:c:e:n:st:wh", options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(help, stdout);
			return LKST_EXIT_OK;
		}
		if (c == '?')
			return see_help("print");
		wanted = parse_option(&p, c, optarg);
		if (wanted)
			return bad_argument("print", options, c, wanted);
	}
	if (!arguments_ok(&p, argc - optind, argv + optind))
		return see_help("print");
	p.trace = trace_open(argv[optind], &p.trace_opt);
	if (!p.trace)
		return LKST_EXIT_PARTIAL;
	c = print(&p);
	trace_close(p.trace);
	free_print(&p);
	return c;
}
