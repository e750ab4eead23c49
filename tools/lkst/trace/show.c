// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "show.h"
#include "symbols.h"
#include "values.h"

/* Columns: seconds, then the thread, then the event. */
#define SECONDS_WIDTH	5
#define CPU_WIDTH	7
#define THREAD_WIDTH	23
#define EVENT_WIDTH	22

/* More bytes than a line takes before its fields; a field's name; a number. */
#define START_MAX	1024
#define LEAD_MAX	256

/* Times. */

/*
 * The second that a time is in, and ns in it. Most times are in the same second as
 * the one before, and the second multiplication is exact while a tick's number in
 * its second has 32 bits.
 */
static u64 split_time(struct show *s, u64 time, u64 *ns)
{
	u64 left = time - s->second_tick;

	if (left >= s->hz) {
		s->second = time / s->hz;
		s->second_tick = s->second * s->hz;
		left = time - s->second_tick;
	}
	if (s->scale)
		*ns = ((__uint128_t)left * s->scale) >> 64;
	else if (s->hz == NSEC)
		*ns = left;
	else
		*ns = (__uint128_t)left * NSEC / s->hz;
	return s->second;
}

static void set_scale(struct show *s)
{
	s->hz = s->v->m->hz;
	if (s->hz > NSEC && !(s->hz >> 32))
		s->scale = (((__uint128_t)NSEC << 64) + s->hz - 1) / s->hz;
}

/* A date and time, with quotes around it in JSON. */
static void put_wall(struct show *s, u64 wall_ns)
{
	s64 now = wall_ns / NSEC;
	time_t second = now;
	struct tm tm;

	if (now != s->day_second || !s->day[0]) {
		s->day_second = now;
		if (!gmtime_r(&second, &tm) ||
		    !strftime(s->day, sizeof(s->day), "%Y-%m-%dT%H:%M:%S", &tm))
			snprintf(s->day, sizeof(s->day), "?");
	}
	text_string(&s->out, s->day);
	text_char(&s->out, '.');
	text_digits(&s->out, wall_ns % NSEC, 9);
	text_char(&s->out, 'Z');
}

static void put_seconds(struct show *s, u64 seconds, u64 ns)
{
	u64 width = SECONDS_WIDTH, limit;

	if (s->format == SHOW_TEXT) {
		for (limit = 10; limit <= seconds && width > 1; limit *= 10)
			width--;
		while (--width)
			text_char(&s->out, ' ');
	}
	text_u64(&s->out, seconds);
	text_char(&s->out, '.');
	text_digits(&s->out, ns, 9);
}

static void put_time(struct show *s, u64 time)
{
	u64 ns, seconds = split_time(s, time, &ns), now = seconds * NSEC + ns, delta;
	const char *quote = s->format == SHOW_JSON ? "\"" : "";

	if (s->time == SHOW_BOOT) {
		put_seconds(s, seconds, ns);
	} else if (s->time == SHOW_WALL) {
		text_string(&s->out, quote);
		put_wall(s, now + view_wall_ns(s->v->m, 0));
		text_string(&s->out, quote);
	} else {
		delta = s->begun && now > s->before ? now - s->before : 0;
		put_seconds(s, delta / NSEC, delta % NSEC);
	}
	s->before = now;
	s->begun = true;
}

/* Values. */

/* FUNCTION or FUNCTION+OFFSET; false if it is no address in the kernel's code. */
static bool put_symbol(struct show *s, u64 address)
{
	struct symbols *all = trace_symbols(s->v->trace);
	const struct symbol *symbol = symbols_find(all, address);

	if (!symbol)
		return false;
	text_need(&s->out, SYMBOL_NAME_MAX + LEAD_MAX);
	text_bytes(&s->out, symbols_name(all, symbol), symbol->len);
	if (address == symbol->at)
		return true;
	text_char(&s->out, '+');
	text_hex(&s->out, address - symbol->at);
	return true;
}

static const char *find_label(const struct field *f, u64 v)
{
	u32 k;

	for (k = 0; k < f->nr_labels; k++)
		if ((s64)v >= f->labels[k].first && (s64)v <= f->labels[k].last)
			return f->labels[k].text;
	return NULL;
}

static bool is_address(const struct show *s, const struct field *f, u64 v)
{
	return f->base == 16 && f->size == 8 && in_kernel_map(v) && !s->addresses;
}

/* What stands for an unfinished record tells of which event it was. */
static bool put_unfinished(struct show *s, const struct event *e,
			   const struct field *f, u64 v)
{
	struct event *was;

	if (e->role != ROLE_UNFINISHED || f != e->fields)
		return false;
	was = metadata_event(s->v->m, v);
	text_string(&s->out, was ? was->name : "unknown");
	return true;
}

bool show_name(struct show *s, const struct event *e, const struct record *r,
	       const struct field *f, u64 v)
{
	const char *label = s->raw ? NULL : find_label(f, v);

	text_need(&s->out, VALUES_TEXT_MAX);
	if (label)
		text_string(&s->out, label);
	else if (is_address(s, f, v))
		return put_symbol(s, v);
	else
		return put_unfinished(s, e, f, v) ||
		       (!s->raw && f->values && values_put(f, e, r, v, &s->out));
	return true;
}

static void put_number(struct text *out, const struct field *f, u64 v)
{
	if (f->base == 16)
		text_hex(out, f->size < 8 ? v & ((1ull << f->size * 8) - 1) : v);
	else if (f->base == 8)
		text_octal(out, f->size < 8 ? v & ((1ull << f->size * 8) - 1) : v);
	else if (f->is_signed)
		text_s64(out, v);
	else
		text_u64(out, v);
}

/* A function's name or a label in place of its number, others behind theirs. */
static void put_integer(struct show *s, const struct event *e,
			const struct record *r, const struct field *f, u64 v)
{
	size_t at;

	if ((f->nr_labels || is_address(s, f, v)) && show_name(s, e, r, f, v))
		return;
	put_number(&s->out, f, v);
	if (!f->values && e->role != ROLE_UNFINISHED)
		return;
	at = s->out.len;
	text_char(&s->out, '(');
	if (show_name(s, e, r, f, v))
		text_char(&s->out, ')');
	else
		s->out.len = at;
}

static size_t text_length(const struct value *v)
{
	size_t n = v->count;

	while (n && !v->at[n - 1])
		n--;
	return n;
}

static void put_text(struct show *s, const struct value *v)
{
	size_t n = text_length(v);

	text_need(&s->out, n * ESCAPE_MAX + 2);
	text_char(&s->out, '"');
	s->out.len += text_escape(s->out.buf + s->out.len, v->at, n, "\"");
	text_char(&s->out, '"');
}

static void put_value(struct show *s, const struct event *e,
		      const struct record *r, const struct field *f,
		      const struct value *v)
{
	u32 i;

	if (f->is_text) {
		put_text(s, v);
	} else if (f->kind == FIELD_INTEGER) {
		put_integer(s, e, r, f, field_get(f, v->at));
	} else {
		text_char(&s->out, '[');
		for (i = 0; i < v->count; i++) {
			text_need(&s->out, LEAD_MAX);
			if (i)
				text_char(&s->out, ',');
			put_integer(s, e, r, f, field_get(f, v->at + i * f->size));
		}
		text_char(&s->out, ']');
	}
}

static void complain(struct event *e)
{
	if (!e->complained)
		trouble("a record of %s is shorter than its fields", e->name);
	e->complained = true;
}

/* " name=value" for each field. */
static void put_fields(struct show *s, struct event *e, const struct record *r)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;

	while ((f = field_next(&w, &v))) {
		if (f->hidden)
			continue;
		text_need(&s->out, LEAD_MAX);
		text_bytes(&s->out, f->lead, f->lead_len);
		put_value(s, e, r, f, &v);
	}
	if (w.index == e->nr_fields)
		return;
	text_need(&s->out, LEAD_MAX);
	text_string(&s->out, " (too short)");
	complain(e);
}

/* Text. */

static void put_start(struct show *s, const struct merge_item *i)
{
	size_t from;

	put_time(s, i->time);
	text_string(&s->out, " cpu");
	from = s->out.len - 3;
	text_u64(&s->out, i->cpu);
	text_pad(&s->out, from, CPU_WIDTH);
}

static void text_record(struct show *s, const struct merge_item *i, struct event *e)
{
	size_t len, columns, from;
	const char *label;

	put_start(s, i);
	label = names_label(s->v->names, i->tid, i->cpu, &len, &columns);
	text_bytes(&s->out, label, len);
	text_pad(&s->out, s->out.len - columns, THREAD_WIDTH);
	if (!e) {
		text_string(&s->out, "unknown/");
		text_u64(&s->out, i->record.id);
		text_string(&s->out, " bytes=");
		text_u64(&s->out, i->record.size);
		return;
	}
	from = s->out.len;
	text_bytes(&s->out, e->name, e->name_len);
	if (!e->nr_fields)
		return;
	/* What stands before a field's name begins with a blank. */
	while (s->out.len - from < EVENT_WIDTH)
		text_char(&s->out, ' ');
	put_fields(s, e, &i->record);
}

static void text_mark(struct show *s, const struct merge_item *i)
{
	put_start(s, i);
	if (i->kind == ITEM_LOST)
		text_string(&s->out, "lost ");
	text_u64(&s->out, i->count);
	if (i->kind == ITEM_LOST)
		text_string(&s->out, i->count == 1 ? " record" : " records");
	else if (i->kind == ITEM_GONE)
		text_string(&s->out, " earlier packets are not in the trace");
	else
		text_string(&s->out, " packets overwritten");
}

const char *show_mark(const struct merge_item *i)
{
	return i->kind == ITEM_LOST ? "lost" :
	       i->kind == ITEM_GONE ? "gone" : "overwritten";
}

/* JSON. */

/* Bytes of the UTF-8 character at @at, or 0. */
static size_t utf8_bytes(const u8 *at, size_t n)
{
	char as_shown[ESCAPE_MAX * 4];
	size_t len;

	for (len = 2; len <= 4 && len <= n; len++)
		if (text_escape(as_shown, at, len, "") == len)
			return len;
	return 0;
}

/*
 * What is no character of UTF-8 that may be shown becomes \udcHH, a byte each, as
 * Python's "surrogateescape" reads it.
 */
void show_json_string(struct text *out, const void *bytes, size_t n)
{
	const u8 *at = bytes;
	size_t len;

	text_need(out, n * 6 + 2);
	text_char(out, '"');
	for (; n; n -= len, at += len) {
		len = *at < 0x80 ? 1 : utf8_bytes(at, n);
		if (!len || *at < ' ' || *at == 0x7f) {
			len = 1;
			out->len += sprintf(out->buf + out->len, "\\u%s%02x",
					    *at < 0x80 ? "00" : "dc", *at);
			continue;
		}
		if (*at == '"' || *at == '\\')
			text_char(out, '\\');
		text_bytes(out, at, len);
	}
	text_char(out, '"');
}

static void json_key(struct text *out, const char *key)
{
	text_need(out, LEAD_MAX);
	text_char(out, ',');
	text_char(out, '"');
	text_string(out, key);
	text_string(out, "\":");
}

static const char *shown_name(const struct field *f)
{
	return f->name + (f->name[0] == '_');
}

/* Readers of JSON that take numbers for doubles would lose the end of an address. */
static void json_number(struct text *out, const struct field *f, u64 v)
{
	text_need(out, LEAD_MAX);
	if (f->base == 16 && f->size == 8) {
		text_char(out, '"');
		text_hex(out, v);
		text_char(out, '"');
	} else if (f->is_signed) {
		text_s64(out, v);
	} else {
		text_u64(out, v);
	}
}

static void json_value(struct show *s, const struct field *f, const struct value *v)
{
	u32 i;

	if (f->is_text) {
		show_json_string(&s->out, v->at, text_length(v));
	} else if (f->kind == FIELD_INTEGER) {
		json_number(&s->out, f, field_get(f, v->at));
	} else {
		text_char(&s->out, '[');
		for (i = 0; i < v->count; i++) {
			json_number(&s->out, f, field_get(f, v->at + i * f->size));
			text_char(&s->out, i + 1 < v->count ? ',' : ' ');
		}
		text_char(&s->out, ']');
	}
}

/* The name of a value as a string, or nothing. */
static bool json_name(struct show *s, const struct event *e,
		      const struct record *r, const struct field *f, u64 v)
{
	size_t at = s->out.len;

	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, '"');
	if (!show_name(s, e, r, f, v)) {
		s->out.len = at;
		return false;
	}
	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, '"');
	return true;
}

/* Names of an array's values; null where one has none. */
static bool json_names(struct show *s, const struct event *e,
		       const struct record *r, const struct field *f,
		       const struct value *v)
{
	bool any = false, one;
	u32 i;

	if (f->is_text)
		return false;
	if (f->kind == FIELD_INTEGER)
		return json_name(s, e, r, f, field_get(f, v->at));
	text_char(&s->out, '[');
	for (i = 0; i < v->count; i++) {
		one = json_name(s, e, r, f, field_get(f, v->at + i * f->size));
		text_need(&s->out, LEAD_MAX);
		if (!one)
			text_string(&s->out, "null");
		text_char(&s->out, i + 1 < v->count ? ',' : ' ');
		any |= one;
	}
	text_char(&s->out, ']');
	return any;
}

/* ,"key":{...}: the fields or, of those that have such, the names of their values. */
static void json_fields(struct show *s, struct event *e, const struct record *r,
			const char *key, bool names)
{
	struct field_walk w = { .e = e, .r = r };
	size_t start = s->out.len, first, at;
	const struct field *f;
	struct value v;
	bool any = !names;

	json_key(&s->out, key);
	text_char(&s->out, '{');
	first = s->out.len;
	while ((f = field_next(&w, &v))) {
		if (f->hidden)
			continue;
		at = s->out.len;
		json_key(&s->out, shown_name(f));
		if (!names)
			json_value(s, f, &v);
		else if (json_names(s, e, r, f, &v))
			any = true;
		else
			s->out.len = at;
	}
	if (s->out.len > first)
		memmove(s->out.buf + first, s->out.buf + first + 1,
			s->out.len-- - first - 1);
	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, '}');
	if (!any)
		s->out.len = start;
	if (w.index < e->nr_fields)
		complain(e);
}

void show_json_args(struct show *s, struct event *e, const struct record *r)
{
	json_fields(s, e, r, "args", false);
	/* Where one has a name, there are fields before it. */
	s->out.len--;
	json_fields(s, e, r, "names", true);
	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, '}');
}

static void json_thread(struct show *s, const struct merge_item *i)
{
	struct who who;
	bool known = names_find(s->v->names, i->tid, i->cpu, &who);

	json_key(&s->out, "tid");
	text_s64(&s->out, i->tid == LKST_TID_UNKNOWN ? -1 : (s64)i->tid);
	if (who.tgid) {
		json_key(&s->out, "tgid");
		text_u64(&s->out, who.tgid);
	}
	if (known) {
		json_key(&s->out, "comm");
		show_json_string(&s->out, who.comm, who.len);
	}
}

static void json_item(struct show *s, const struct merge_item *i, struct event *e)
{
	text_string(&s->out, "{\"time\":");
	put_time(s, i->time);
	json_key(&s->out, "ns");
	text_u64(&s->out, s->before);
	json_key(&s->out, "cpu");
	text_u64(&s->out, i->cpu);
	if (i->kind == ITEM_RECORD) {
		json_thread(s, i);
		json_key(&s->out, "event");
		if (e) {
			show_json_string(&s->out, e->name, e->name_len);
			json_fields(s, e, &i->record, "fields", false);
			json_fields(s, e, &i->record, "names", true);
		} else {
			text_string(&s->out, "\"unknown/");
			text_u64(&s->out, i->record.id);
			text_char(&s->out, '"');
		}
	} else {
		json_key(&s->out, "mark");
		show_json_string(&s->out, show_mark(i), strlen(show_mark(i)));
		json_key(&s->out, "count");
		text_u64(&s->out, i->count);
	}
	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, '}');
}

/* CSV, as RFC 4180 has it. */

/* What was written since @from is a cell: quote it if need be. */
static void csv_quote(struct show *s, size_t from)
{
	size_t len = s->out.len - from, i;
	char *cell;

	if (!memchr(s->out.buf + from, ',', len) && !memchr(s->out.buf + from, '"', len))
		return;
	cell = xcalloc(len, 1);
	memcpy(cell, s->out.buf + from, len);
	s->out.len = from;
	text_need(&s->out, 2 * len + 2);
	text_char(&s->out, '"');
	for (i = 0; i < len; i++) {
		if (cell[i] == '"')
			text_char(&s->out, '"');
		text_char(&s->out, cell[i]);
	}
	text_char(&s->out, '"');
	free(cell);
}

static void csv_escaped(struct show *s, const void *text, size_t n)
{
	size_t from;

	text_need(&s->out, n * ESCAPE_MAX + LEAD_MAX);
	text_char(&s->out, ',');
	from = s->out.len;
	s->out.len += text_escape(s->out.buf + from, text, n, "");
	csv_quote(s, from);
	text_need(&s->out, LEAD_MAX);
}

/* The cell of a column: a text without the quotes that it has elsewhere. */
static void csv_column(struct show *s, struct event *e, const struct record *r,
		       const char *column)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;
	size_t from;

	while ((f = field_next(&w, &v)))
		if (!f->hidden && !strcmp(shown_name(f), column))
			break;
	if (f && f->is_text) {
		csv_escaped(s, v.at, text_length(&v));
		return;
	}
	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, ',');
	from = s->out.len;
	if (f)
		put_value(s, e, r, f, &v);
	csv_quote(s, from);
}

/* Nothing in the columns of fields. */
static void csv_empty(struct show *s)
{
	size_t n = s->nr_columns ? s->nr_columns : 1;

	text_need(&s->out, n);
	while (n--)
		text_char(&s->out, ',');
}

static void csv_record(struct show *s, const struct merge_item *i, struct event *e)
{
	struct who who;
	size_t from, c;

	names_find(s->v->names, i->tid, i->cpu, &who);
	if (i->tid != LKST_TID_UNKNOWN)
		text_u64(&s->out, i->tid);
	text_char(&s->out, ',');
	if (who.tgid)
		text_u64(&s->out, who.tgid);
	csv_escaped(s, who.comm, who.len);
	text_char(&s->out, ',');
	if (e)
		text_bytes(&s->out, e->name, e->name_len);
	else
		text_string(&s->out, "unknown");
	text_char(&s->out, ',');
	if (e && !s->nr_columns) {
		text_char(&s->out, ',');
		from = s->out.len;
		put_fields(s, e, &i->record);
		/* The blank before the first one. */
		if (s->out.len > from)
			memmove(s->out.buf + from, s->out.buf + from + 1,
				s->out.len-- - from - 1);
		csv_quote(s, from);
	}
	if (!e)
		csv_empty(s);
	for (c = 0; e && c < s->nr_columns; c++)
		csv_column(s, e, &i->record, s->column[c]);
}

static void csv_item(struct show *s, const struct merge_item *i, struct event *e)
{
	put_time(s, i->time);
	text_char(&s->out, ',');
	text_u64(&s->out, i->cpu);
	text_char(&s->out, ',');
	if (i->kind == ITEM_RECORD) {
		csv_record(s, i, e);
		return;
	}
	text_string(&s->out, ",,,");
	text_string(&s->out, show_mark(i));
	text_char(&s->out, ',');
	text_u64(&s->out, i->count);
	csv_empty(s);
}

static void add_column(struct show *s, const struct field *f)
{
	size_t i;

	for (i = 0; i < s->nr_columns; i++)
		if (!strcmp(s->column[i], shown_name(f)))
			return;
	s->column = grow(s->column, s->nr_columns, &s->column_room, sizeof(*s->column));
	s->column[s->nr_columns++] = shown_name(f);
}

/* A field that has the name of what all records have is "field.NAME". */
static void csv_name(struct show *s, const char *column)
{
	static const char *const all[] = {
		"time", "cpu", "tid", "tgid", "comm", "event", "count"
	};
	size_t i;

	text_need(&s->out, LEAD_MAX);
	text_char(&s->out, ',');
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(all[i], column))
			text_string(&s->out, "field.");
	text_string(&s->out, column);
}

/* Fields have columns of their own where events were chosen. */
static void csv_begin(struct show *s)
{
	const struct event *e;
	u32 id, i;

	for (id = 0; s->v->globs.nr && id < s->v->m->nr_events; id++) {
		e = s->v->m->event[id];
		for (i = 0; e && e->selected && i < e->nr_fields; i++)
			if (!e->fields[i].hidden)
				add_column(s, &e->fields[i]);
	}
	text_string(&s->out, "time,cpu,tid,tgid,comm,event,count");
	if (!s->nr_columns)
		text_string(&s->out, ",fields");
	for (i = 0; i < s->nr_columns; i++)
		csv_name(s, s->column[i]);
	text_char(&s->out, '\n');
}

void show_begin(struct show *s)
{
	set_scale(s);
	text_need(&s->out, START_MAX);
	if (s->format == SHOW_CSV)
		csv_begin(s);
}

void show_end(struct show *s)
{
	free(s->column);
	free(s->out.buf);
}

void show_item(struct show *s, const struct merge_item *i, struct event *e)
{
	text_need(&s->out, START_MAX);
	if (s->format == SHOW_JSON)
		json_item(s, i, e);
	else if (s->format == SHOW_CSV)
		csv_item(s, i, e);
	else if (i->kind == ITEM_RECORD)
		text_record(s, i, e);
	else
		text_mark(s, i);
	text_need(&s->out, 1);
	text_char(&s->out, '\n');
}
