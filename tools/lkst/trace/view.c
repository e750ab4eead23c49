// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "values.h"
#include "view.h"

#define TIME_FORM	\
	"a time such as 12.5, 5min, -3 (before the end), 2026-11-29 or 2026-11-29T22:43:37"

static bool range_has(struct ranges *r, u32 n)
{
	bool has = false;
	size_t i;

	for (i = 0; i < r->nr; i++) {
		if (n >= r->range[i].first && n <= r->range[i].last) {
			r->range[i].found = true;
			has = true;
		}
	}
	return has;
}

static bool cpu_wanted(u32 cpu, void *arg)
{
	struct view *v = arg;

	return range_has(&v->cpus, cpu) || !v->cpus.nr;
}

void view_init(struct view *v)
{
	memset(v, 0, sizeof(*v));
	v->to = ~0ull;
	v->opt.wanted = cpu_wanted;
	v->opt.arg = v;
}

/* Options. */

static bool parse_number(const char **s, u32 *number)
{
	const char *from = *s;
	u64 n = 0;

	for (; **s >= '0' && **s <= '9' && n < ~0u; ++*s)
		n = n * 10 + (**s - '0');
	*number = n;
	return *s > from && n < ~0u;
}

/* Add "2" or "0,2-3" to a list. */
static bool parse_ranges(struct ranges *to, const char *s)
{
	struct range r = { };

	do {
		if (!parse_number(&s, &r.first))
			return false;
		r.last = r.first;
		if (*s == '-') {
			s++;
			if (!parse_number(&s, &r.last) || r.last < r.first)
				return false;
		}
		to->range = grow(to->range, to->nr, &to->room, sizeof(r));
		to->range[to->nr++] = r;
	} while (*s++ == ',');
	return !s[-1];
}

static void add_pattern(struct patterns *p, const char *s)
{
	p->text = grow(p->text, p->nr, &p->room, sizeof(*p->text));
	p->text[p->nr++] = s;
}

static bool matches(const struct patterns *p, const char *s)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!fnmatch(p->text[i], s, 0))
			return true;
	return false;
}

/* A fraction of a second, its point included, up to the end, or up to a zone. */
static bool parse_fraction(const char *s, u64 *ns)
{
	u64 unit = NSEC / 10;

	*ns = 0;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, unit /= 10)
			*ns += unit * (*s - '0');
	return !*s || !strcmp(s, "Z");
}

/* A date and time, of which the end can be left out; the time is in UTC. */
static bool parse_date(const char *s, u64 *ns)
{
	static const char *const forms[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d" };
	u64 fraction = 0;
	struct tm tm, same;
	const char *rest;
	size_t i;
	s64 n;

	for (i = 0; i < ARRAY_SIZE(forms); i++) {
		tm = (struct tm){ };
		rest = strptime(s, forms[i], &tm);
		if (!rest || !(i ? !*rest || !strcmp(rest, "Z") : parse_fraction(rest, &fraction)))
			continue;
		same = tm;
		n = timegm(&same);
		*ns = n * NSEC + fraction;
		/* The 31st of February is the 3rd of March to it. */
		return same.tm_mday == tm.tm_mday && same.tm_sec == tm.tm_sec && n >= 0 &&
			(u64)n < ~0ull / NSEC;
	}
	return false;
}

/* A duration, one with a minus, or a date and time. */
static bool parse_moment(const char *s, struct moment *to)
{
	to->kind = *s == '-' ? MOMENT_BEFORE_END : MOMENT_CLOCK;
	if (parse_duration(s + (*s == '-'), &to->ns))
		return true;
	to->kind = MOMENT_WALL;
	return parse_date(s, &to->ns);
}

const char *view_option(struct view *v, int c, const char *arg, bool *known)
{
	*known = true;
	switch (c) {
	case 'b':
		v->opt.buffer = arg;
		return *arg && !strchr(arg, '/') ? NULL : "the name of a buffer";
	case 'c':
		return parse_ranges(&v->cpus, arg) ? NULL : "a list of CPUs such as 0,2-3";
	case 'e':
		add_pattern(&v->globs, arg);
		return NULL;
	case 'm':
		add_pattern(&v->match, arg);
		return NULL;
	case 't':
		return parse_ranges(&v->tids, arg) ? NULL : "the number of a thread";
	case VIEW_OPTION_TGID:
		return parse_ranges(&v->tgids, arg) ? NULL : "the number of a process";
	case VIEW_OPTION_COMM:
		add_pattern(&v->comms, arg);
		return NULL;
	case VIEW_OPTION_SINCE:
		return parse_moment(arg, &v->since) ? NULL : TIME_FORM;
	case VIEW_OPTION_UNTIL:
		return parse_moment(arg, &v->until) ? NULL : TIME_FORM;
	case VIEW_OPTION_SCAN:
		v->opt.dump.scan = true;
		return NULL;
	case VIEW_OPTION_BOOT:
		v->opt.dump.boot = arg;
		return boot_id_ok(arg) ? NULL : BOOT_ID_FORM;
	}
	*known = false;
	return NULL;
}

/* Can it be that the second moment is not before the first? */
static bool in_order(const struct moment *a, const struct moment *b)
{
	if (a->kind != b->kind || a->kind == MOMENT_NONE)
		return true;
	return a->kind == MOMENT_BEFORE_END ? a->ns >= b->ns : a->ns <= b->ns;
}

static bool conditions_ok(const struct view *v)
{
	size_t i;

	for (i = 0; i < v->match.nr; i++)
		if (!condition_ok(v->match.text[i]))
			return false;
	return true;
}

bool view_arguments_ok(struct view *v, int n, char **argv)
{
	struct dump_options *dump = &v->opt.dump;

	if (n > 1) {
		dump->part = (const char *const *)argv + 1;
		dump->parts = n - 1;
	}
	if (n > 1 && !source_is_dump(argv[0]))
		note("%s: is one source too many: only parts of a split dump can be several",
		     argv[1]);
	else if (!in_order(&v->since, &v->until))
		note("--since is later than --until");
	else if ((dump->scan || dump->boot) && !source_is_dump(argv[0]))
		note("--scan and --boot are for a dump, and %s is none",
		     argv[0] ? argv[0] : "the running kernel");
	else if (v->follow && argv[0])
		note("-f, --follow: only the running kernel can be followed");
	else
		return conditions_ok(v);
	return false;
}

/* Times. */

u64 view_ns(const struct metadata *m, u64 ticks)
{
	u64 left = ticks % m->hz, ns;

	ns = left >> 32 ? (u64)((__uint128_t)left * NSEC / m->hz) :
		left * NSEC / m->hz;
	return ticks / m->hz * NSEC + ns;
}

u64 view_wall_ns(const struct metadata *m, u64 ticks)
{
	return m->offset_s * NSEC + view_ns(m, m->offset) + view_ns(m, ticks);
}

/* The first tick that is not before a time in ns. */
static u64 to_ticks(const struct metadata *m, u64 ns)
{
	__uint128_t t = (__uint128_t)ns * m->hz + NSEC - 1;

	t /= NSEC;
	return t > ~0ull ? ~0ull : (u64)t;
}

/* A moment in ns of the trace's clock, which begins at 0. */
static u64 clock_ns(const struct view *v, const struct moment *t, u64 end)
{
	u64 zero = view_wall_ns(v->m, 0), at = view_ns(v->m, end);

	if (t->kind == MOMENT_BEFORE_END)
		return at > t->ns ? at - t->ns : 0;
	if (t->kind == MOMENT_WALL)
		return t->ns > zero ? t->ns - zero : 0;
	return t->ns;
}

/* The time of the last record: the trace is read once for that alone. */
static bool find_end(const struct view *v, const char *path, u64 *end)
{
	const struct merge_item *i;
	struct merge *merge;
	struct trace *t;

	if (v->trace->consumed) {
		trouble("a time before the end: to find that takes away all that is read");
		return false;
	}
	t = v->trace->dump ? v->trace : trace_open(path, &v->opt);
	if (!t)
		return false;
	merge = merge_new(t, ~0ull);
	while ((i = merge_next(merge)))
		*end = i->time;
	merge_free(merge);
	if (t == v->trace)
		trace_rewind(t);
	else
		trace_close(t);
	return true;
}

/* Opening. */

/* A CPU that left no packet may be one that is not there. */
static void check_cpus(const struct view *v)
{
	size_t i;

	for (i = 0; i < v->cpus.nr; i++) {
		const struct range *r = &v->cpus.range[i];

		if (r->found)
			continue;
		if (r->first == r->last)
			trouble("-c, --cpu: the trace has nothing of CPU %u", r->first);
		else
			trouble("-c, --cpu: the trace has nothing of CPUs %u-%u",
				r->first, r->last);
	}
}

static bool chooses_thread(const struct view *v)
{
	return v->tids.nr || v->tgids.nr || v->comms.nr;
}

bool view_chooses(const struct view *v)
{
	return v->since.kind || v->until.kind || v->globs.nr || v->match.nr ||
	       chooses_thread(v);
}

/*
 * Records of which events need not be looked at: all are wanted, whenever they were, and
 * they tell nothing of threads.
 */
void view_choose_at_once(struct view *v)
{
	struct event *e;
	u32 id;

	v->plain = !v->from && !v->globs.nr && !v->condition && !chooses_thread(v);
	for (id = 0; id < v->m->nr_events; id++) {
		e = v->m->event[id];
		if (e)
			e->at_once = v->plain && v->to == ~0ull && e->role < ROLE_FORK;
	}
}

static bool compile_conditions(struct view *v)
{
	size_t i;

	for (i = 0; i < v->match.nr; i++)
		if (!condition_add(&v->condition, v->match.text[i], v->m))
			return false;
	return true;
}

/* A name of a group is no pattern of its events. */
static void say_no_event(const struct view *v, const char *glob)
{
	size_t len = strlen(glob);
	u32 id;

	for (id = 0; id < v->m->nr_events; id++) {
		const struct event *e = v->m->event[id];

		if (!e || strncmp(e->name, glob, len) || e->name[len] != '/')
			continue;
		trouble("-e, --event: no event matches %s; those of the group do '%s/*'",
			glob, glob);
		return;
	}
	trouble("-e, --event: no event matches %s", glob);
}

/* Select what @glob matches, or with a '!' before it everything else. */
static bool select_glob(struct view *v, const char *glob, bool first)
{
	bool not = *glob == '!', any = false;
	struct event *e;
	u32 id;

	for (id = 0; id < v->m->nr_events; id++) {
		e = v->m->event[id];
		if (!e)
			continue;
		if (first && not)
			e->selected = true;
		if (fnmatch(glob + not, e->name, 0))
			continue;
		e->selected = !not;
		any = true;
	}
	if (!any)
		say_no_event(v, glob + not);
	return any;
}

static bool select_events(struct view *v)
{
	bool all = true;
	struct event *e;
	size_t i;
	u32 id;

	for (i = 0; i < v->globs.nr; i++)
		all &= select_glob(v, v->globs.text[i], !i);
	for (id = 0; id < v->m->nr_events; id++) {
		e = v->m->event[id];
		if (e && !v->globs.nr)
			e->selected = true;
		if (e && v->condition && !condition_fits(v->condition, id))
			e->selected = false;
	}
	return all;
}

static void begin_following(struct view *v)
{
	struct trace *t = v->trace;
	size_t i;

	trace_look(t);
	t->since = t->now;
	for (i = 0; v->from_now && i < t->nr; i++)
		t->source[i]->since = t->since;
}

bool view_open(struct view *v, const char *path)
{
	bool by_end = v->since.kind == MOMENT_BEFORE_END ||
		      v->until.kind == MOMENT_BEFORE_END;
	u64 end = 0;

	v->opt.follow = v->follow;
	v->trace = trace_open(path, &v->opt);
	if (!v->trace)
		return false;
	if (v->follow) {
		begin_following(v);
		/* However long it takes to read what there is by now. */
		end = v->trace->now;
	} else if (by_end && !find_end(v, path, &end)) {
		return false;
	}
	v->m = v->trace->metadata;
	v->names = v->trace->names;
	values_attach(v->m);
	check_cpus(v);
	if (!compile_conditions(v) || !select_events(v))
		return false;
	if (v->since.kind)
		v->from = to_ticks(v->m, clock_ns(v, &v->since, end));
	if (v->until.kind)
		v->to = to_ticks(v->m, clock_ns(v, &v->until, end) + 1);
	view_choose_at_once(v);
	v->merge = merge_new(v->trace, v->follow ? v->trace->now : ~0ull);
	return true;
}

void view_close(struct view *v)
{
	if (v->merge)
		merge_free(v->merge);
	if (v->trace)
		trace_close(v->trace);
	condition_free(v->condition);
	free(v->match.text);
	free(v->globs.text);
	free(v->comms.text);
	free(v->cpus.range);
	free(v->tids.range);
	free(v->tgids.range);
}

/* Choosing. */

static bool thread_wanted(struct view *v, u32 tid, u32 cpu)
{
	char comm[LKST_COMM_SIZE + 1];
	struct who who;

	if (range_has(&v->tids, tid))
		return true;
	if (!v->tgids.nr && !v->comms.nr)
		return false;
	if (!names_find(v->names, tid, cpu, &who))
		return range_has(&v->tgids, tid);
	if (range_has(&v->tgids, who.tgid ? who.tgid : tid))
		return true;
	memcpy(comm, who.comm, who.len);
	comm[who.len] = 0;
	return matches(&v->comms, comm);
}

static bool names_thread(struct view *v, const struct merge_item *i,
			 const struct event *e)
{
	struct field_walk w = { .e = e, .r = &i->record };
	const struct field *f;
	struct value value;

	while ((f = field_next(&w, &value)))
		if (f->is_tid &&
		    thread_wanted(v, field_get(f, value.at), i->cpu))
			return true;
	return false;
}

static bool condition_holds(struct view *v, const struct merge_item *i)
{
	struct condition_task task = { .tid = i->tid, .cpu = i->cpu };
	struct who who;

	if (!record_fits(v->m, &i->record))
		return false;
	names_find(v->names, i->tid, i->cpu, &who);
	task.tgid = who.tgid;
	memcpy(task.comm, who.comm, sizeof(task.comm));
	return condition_is_true(v->condition, &i->record, &task);
}

static bool is_wanted(struct view *v, const struct merge_item *i,
		      const struct event *e)
{
	if (i->time < v->from)
		return false;
	if (i->kind != ITEM_RECORD)
		return true;
	if (e ? !e->selected : v->globs.nr || v->condition)
		return false;
	if (chooses_thread(v) &&
	    !thread_wanted(v, i->tid, i->cpu) && !(e && names_thread(v, i, e)))
		return false;
	return !v->condition || condition_holds(v, i);
}

/* Who a record is about, if it tells something of a thread. */
static void learn_name(struct view *v, const struct event *e, const struct merge_item *i)
{
	const struct record *r = &i->record;
	const char *who = e->role == ROLE_FORK ? "child_tid" : "tid";
	const char *group = e->role == ROLE_FORK ? "child_tgid" : "tgid";
	const char *what = e->role == ROLE_EXEC ? "filename" : "comm";
	const u8 *name, *bar;
	u64 tid, tgid = 0;
	size_t len;

	if (!record_number(e, r, who, &tid))
		return;
	/*
	 * What the thread was called later may be in a record that is missing, while the
	 * list of threads has it.
	 */
	if (e->role == ROLE_FORK && i->time < v->merge->complete && names_know(v->names, tid))
		return;
	record_number(e, r, group, &tgid);
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
	names_set(v->names, tid, tgid, name, len);
}

bool view_takes(struct view *v, const struct merge_item *i, const struct event *e)
{
	if (e && e->role == ROLE_UNKNOWN)
		merge_forget_threads(v->merge);
	else if (e && e->role >= ROLE_FORK)
		learn_name(v, e, i);
	return v->plain || is_wanted(v, i, e);
}
