// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metadata.h"

#define ALIASES_MAX	256u
#define NAME_MAX_LEN	128u
/*
 * Of all events together, and of one enumeration: far more than a kernel has.
 * Each record is compared with labels, each field with columns.
 */
#define FIELDS_MAX	32768u
#define LABELS_MAX	4096u
#define ALL_LABELS_MAX	65536u

/* What a word of the text is. */
enum token {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_SIGN,
};

enum type_kind {
	TYPE_INTEGER,
	TYPE_OTHER,		/* fit for headers only, which are not decoded */
};

struct type {
	enum type_kind kind;
	u8 size;
	u8 align;
	u8 base;
	bool is_signed;
	bool is_text;
	const struct label *labels;
	u32 nr_labels;
};

struct alias {
	char name[NAME_MAX_LEN];
	struct type type;
};

struct piece {
	struct piece *next;
	char data[];
};

struct parser {
	struct metadata *m;
	const char *name;	/* of the whole, for messages */
	const char *at;
	u32 line;
	bool failed;
	enum token kind;
	char token[NAME_MAX_LEN];
	s64 number;
	struct alias *alias;
	u32 nr_aliases;
	u32 nr_fields;		/* of all events */
	u32 nr_labels;		/* of all enumerations */
};

static void *allocate(struct metadata *m, size_t n)
{
	struct piece *p = xcalloc(1, sizeof(*p) + n);

	p->next = m->memory;
	m->memory = p;
	return p->data;
}

static char *copy_string(struct metadata *m, const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(allocate(m, n), s, n);
}

static void fail(struct parser *p, const char *what)
{
	if (!p->failed)
		trouble("%s: metadata, line %u: %s", p->name, p->line, what);
	p->failed = true;
	p->kind = TOKEN_END;
	p->token[0] = 0;
}

/* Words. */

static void skip_blank(struct parser *p)
{
	for (;;) {
		const char *end;

		while (*p->at && strchr(" \t\r\n", *p->at))
			p->line += *p->at++ == '\n';
		if (p->at[0] == '/' && p->at[1] == '*')
			end = strstr(p->at + 2, "*/");
		else if (p->at[0] == '/' && p->at[1] == '/')
			end = strchr(p->at, '\n');
		else
			return;
		if (!end) {
			fail(p, "a comment without end");
			return;
		}
		end += *end == '*' ? 2 : 0;
		for (; p->at < end; p->at++)
			p->line += *p->at == '\n';
	}
}

static bool is_word(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && ((c >= '0' && c <= '9') || c == '.'));
}

static void take(struct parser *p, size_t n)
{
	if (n >= sizeof(p->token)) {
		fail(p, "a word that is too long");
		return;
	}
	memcpy(p->token, p->at, n);
	p->token[n] = 0;
	p->at += n;
}

static void take_number(struct parser *p)
{
	char *end;
	u64 v;

	errno = 0;
	v = strtoull(p->at, &end, 0);
	if (errno || is_word(*end, true)) {
		fail(p, "a number that is none");
		return;
	}
	p->number = v;
	take(p, end - p->at);
}

static void take_string(struct parser *p)
{
	size_t n = 0;

	for (p->at++; p->at[n] != '"'; n++) {
		if (p->at[n] < ' ' || p->at[n] > '~' || p->at[n] == '\\') {
			fail(p, "a string with a character that is not allowed");
			return;
		}
	}
	take(p, n);
	if (!p->failed)
		p->at++;
}

static void next(struct parser *p)
{
	size_t n = 0;

	skip_blank(p);
	if (p->failed)
		return;
	p->token[0] = 0;
	if (!*p->at) {
		p->kind = TOKEN_END;
	} else if (is_word(*p->at, true)) {
		p->kind = TOKEN_WORD;
		while (is_word(p->at[n], false))
			n++;
		take(p, n);
	} else if (*p->at >= '0' && *p->at <= '9') {
		p->kind = TOKEN_NUMBER;
		take_number(p);
	} else if (*p->at == '"') {
		p->kind = TOKEN_STRING;
		take_string(p);
	} else if (*p->at < ' ' || *p->at > '~') {
		fail(p, "a character that is not allowed");
	} else {
		p->kind = TOKEN_SIGN;
		n = !strncmp(p->at, "...", 3) ? 3 : !strncmp(p->at, ":=", 2) ? 2 : 1;
		take(p, n);
	}
}

static bool is(const struct parser *p, const char *s)
{
	return p->kind != TOKEN_STRING && p->kind != TOKEN_END &&
	       !strcmp(p->token, s);
}

static bool accept(struct parser *p, const char *s)
{
	if (!is(p, s))
		return false;
	next(p);
	return true;
}

static bool expect(struct parser *p, const char *s)
{
	char what[48];

	if (accept(p, s))
		return true;
	snprintf(what, sizeof(what), "'%.8s' is missing", s);
	fail(p, what);
	return false;
}

static s64 take_value(struct parser *p)
{
	bool minus = accept(p, "-");
	s64 v = p->number;

	if (p->kind != TOKEN_NUMBER)
		fail(p, "a number is missing");
	next(p);
	return minus ? (s64)(0 - (u64)v) : v;
}

/* Skip from '{' to its '}'. */
static void skip_block(struct parser *p)
{
	u32 depth = 0;

	do {
		if (p->kind == TOKEN_END) {
			fail(p, "a block without end");
			return;
		}
		depth += is(p, "{");
		depth -= is(p, "}");
		next(p);
	} while (depth);
}

/* Types. */

static struct alias *find_alias(const struct parser *p, const char *name)
{
	u32 i;

	for (i = 0; i < p->nr_aliases; i++)
		if (!strcmp(p->alias[i].name, name))
			return &p->alias[i];
	return NULL;
}

static u8 take_base(struct parser *p)
{
	static const struct {
		const char *word;
		u8 base;
	} bases[] = {
		{ "8", 8 }, { "10", 10 }, { "16", 16 }, { "decimal", 10 },
		{ "hexadecimal", 16 }, { "octal", 8 }, { "hex", 16 },
		{ "x", 16 }, { "d", 10 }, { "o", 8 }, { "u", 10 }, { "i", 10 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bases); i++)
		if (accept(p, bases[i].word))
			return bases[i].base;
	fail(p, "a base that is not known");
	return 10;
}

/* One of the attributes of an integer. */
static void parse_attribute(struct parser *p, struct type *t, u64 *size,
			    u64 *align)
{
	char key[NAME_MAX_LEN];

	memcpy(key, p->token, sizeof(key));
	next(p);
	expect(p, "=");
	if (!strcmp(key, "size")) {
		*size = take_value(p);
	} else if (!strcmp(key, "align")) {
		*align = take_value(p);
	} else if (!strcmp(key, "signed")) {
		t->is_signed = is(p, "true") || is(p, "1");
		next(p);
	} else if (!strcmp(key, "base")) {
		t->base = take_base(p);
	} else if (!strcmp(key, "encoding")) {
		t->is_text = is(p, "UTF8") || is(p, "ASCII");
		next(p);
	} else {
		if (!strcmp(key, "byte_order") && !is(p, "le") && !is(p, "native"))
			fail(p, "only little-endian integers are known");
		next(p);
	}
	expect(p, ";");
}

static void parse_integer(struct parser *p, struct type *t)
{
	u64 size = 0, align = 8;

	t->base = 10;
	expect(p, "{");
	while (!p->failed && !accept(p, "}"))
		parse_attribute(p, t, &size, &align);
	if (p->failed)
		return;
	if (size < 8 || size > 64 || !is_power_of_2(size) || align < 8 ||
	    align > 128 || !is_power_of_2(align))
		fail(p, "an integer of a size or alignment that is not known");
	t->size = size / 8;
	t->align = align / 8;
}

static void parse_type(struct parser *p, struct type *t);

static void parse_labels(struct parser *p, struct type *t)
{
	struct label *labels = NULL, l;
	size_t nr = 0, room = 0;
	s64 value = 0;

	expect(p, "{");
	while (!p->failed && !accept(p, "}")) {
		if (p->kind != TOKEN_WORD && p->kind != TOKEN_STRING)
			fail(p, "a label that is no word");
		if (nr == LABELS_MAX || p->nr_labels++ == ALL_LABELS_MAX)
			fail(p, "more labels than can be");
		l.text = copy_string(p->m, p->token);
		next(p);
		if (accept(p, "="))
			value = take_value(p);
		l.first = value;
		l.last = accept(p, "...") ? take_value(p) : l.first;
		value = (s64)((u64)l.last + 1);
		labels = grow(labels, nr, &room, sizeof(l));
		labels[nr++] = l;
		if (!accept(p, ",") && !is(p, "}"))
			fail(p, "a ',' is missing");
	}
	if (nr) {
		t->labels = memcpy(allocate(p->m, nr * sizeof(l)), labels,
				   nr * sizeof(l));
		t->nr_labels = nr;
	}
	free(labels);
}

static void parse_enum(struct parser *p, struct type *t)
{
	struct alias *a;

	if (p->kind == TOKEN_WORD)
		next(p);
	expect(p, ":");
	if (accept(p, "integer")) {
		parse_integer(p, t);
	} else {
		a = find_alias(p, p->token);
		if (!a || a->type.kind != TYPE_INTEGER) {
			fail(p, "an enumeration of what is no integer");
			return;
		}
		*t = a->type;
		next(p);
	}
	parse_labels(p, t);
}

static void parse_other(struct parser *p, struct type *t)
{
	t->kind = TYPE_OTHER;
	while (!p->failed && !is(p, "{") && p->kind != TOKEN_END)
		next(p);
	skip_block(p);
	if (accept(p, "align")) {
		expect(p, "(");
		take_value(p);
		expect(p, ")");
	}
}

static void parse_type(struct parser *p, struct type *t)
{
	struct alias *a;

	memset(t, 0, sizeof(*t));
	if (accept(p, "integer")) {
		parse_integer(p, t);
	} else if (accept(p, "enum")) {
		parse_enum(p, t);
	} else if (is(p, "struct") || is(p, "variant") ||
		   is(p, "floating_point") || is(p, "string")) {
		parse_other(p, t);
	} else {
		a = p->kind == TOKEN_WORD ? find_alias(p, p->token) : NULL;
		if (!a) {
			fail(p, "a type that is not known");
			return;
		}
		*t = a->type;
		next(p);
	}
}

static void parse_alias(struct parser *p)
{
	struct alias *a;
	struct type t;

	parse_type(p, &t);
	expect(p, ":=");
	if (p->failed)
		return;
	if (p->kind != TOKEN_WORD || p->nr_aliases == ALIASES_MAX) {
		fail(p, "a type without name, or too many");
		return;
	}
	a = &p->alias[p->nr_aliases++];
	memcpy(a->name, p->token, sizeof(a->name));
	a->type = t;
	next(p);
	expect(p, ";");
}

/* Fields. */

static struct field *find_field(struct field *fields, size_t nr, const char *name)
{
	while (nr--)
		if (!strcmp(fields[nr].name, name))
			return &fields[nr];
	return NULL;
}

/* The part of a field behind its name. */
static void parse_count(struct parser *p, struct field *fields, size_t nr)
{
	struct field *f = &fields[nr], *length;

	f->kind = FIELD_INTEGER;
	f->count = 1;
	if (!accept(p, "["))
		return;
	if (p->kind == TOKEN_NUMBER) {
		f->kind = FIELD_ARRAY;
		if (p->number < 1 || p->number > LKST_RECORD_WORDS_MAX * 8)
			fail(p, "an array of impossible size");
		f->count = p->number;
	} else {
		f->kind = FIELD_SEQUENCE;
		length = find_field(fields, nr, p->token);
		if (!length || length != f - 1 || length->kind != FIELD_INTEGER) {
			fail(p, "a sequence whose length is not the field before it");
			return;
		}
		length->hidden = true;
	}
	next(p);
	expect(p, "]");
}

/* "tid" or "NAME_tid", but not that of another pid namespace. */
static bool tells_tid(const struct field *f)
{
	size_t n = strlen(f->name);

	return f->kind == FIELD_INTEGER && n >= 3 &&
	       !strcmp(f->name + n - 3, "tid") && (n == 3 || f->name[n - 4] == '_') &&
	       !strstr(f->name, "ns_tid");
}

static void parse_field(struct parser *p, struct field *fields, size_t nr)
{
	struct field *f = &fields[nr];
	const char *shown;
	struct type t;

	memset(f, 0, sizeof(*f));
	parse_type(p, &t);
	if (p->failed)
		return;
	if (t.kind != TYPE_INTEGER || t.align > 8 || p->kind != TOKEN_WORD ||
	    strlen(p->token) > 64) {
		fail(p, "a field of a type or name that is not known");
		return;
	}
	f->name = copy_string(p->m, p->token);
	shown = f->name + (f->name[0] == '_');
	f->lead = allocate(p->m, strlen(shown) + 3);
	f->lead_len = sprintf(f->lead, " %s=", shown);
	f->size = t.size;
	f->align = t.align;
	f->base = t.base;
	f->is_signed = t.is_signed;
	f->is_text = t.is_text;
	f->labels = t.labels;
	f->nr_labels = t.nr_labels;
	next(p);
	parse_count(p, fields, nr);
	f->is_tid = tells_tid(f);
	f->is_text &= f->size == 1 && f->kind != FIELD_INTEGER;
	expect(p, ";");
}

static u32 align_up(u32 at, u32 align)
{
	return (at + align - 1) & ~(align - 1);
}

/* Find what lies at a fixed place: all before the first sequence. */
static void place_fields(struct event *e)
{
	u32 size = 0, i;

	for (i = 0; i < e->nr_fields; i++)
		e->fields[i].at = FIELD_MOVES;
	for (i = 0; i < e->nr_fields; i++) {
		struct field *f = &e->fields[i];

		if (f->kind == FIELD_SEQUENCE)
			return;
		f->at = align_up(size, f->align);
		size = f->at + f->size * f->count;
		/* No record has so much, and the sum may not either. */
		if (size > LKST_RECORD_WORDS_MAX * 8) {
			f->at = FIELD_MOVES;
			return;
		}
	}
	e->size = align_up(size, 8);
}

static void find_places(struct parser *p, struct event *e)
{
	u32 n = 0, i, k;

	for (i = 0; e->size && i < e->nr_fields && n <= PLACES_MAX; i++)
		n += e->fields[i].count;
	if (!n || n > PLACES_MAX)
		return;
	e->places = allocate(p->m, n * sizeof(*e->places));
	for (i = 0; i < e->nr_fields; i++) {
		const struct field *f = &e->fields[i];

		for (k = 1; k <= f->count; k++) {
			struct place *to = &e->places[e->nr_places++];

			to->sign = f->is_signed ? BIT_ULL(f->size * 8 - 1) : 0;
			to->end = f->at + k * f->size;
			to->unused = 64 - f->size * 8;
		}
	}
}

static void parse_fields(struct parser *p, struct event *e)
{
	struct field *fields = NULL;
	size_t nr = 0, room = 0;

	expect(p, "struct");
	expect(p, "{");
	while (!p->failed && !accept(p, "}")) {
		if (p->nr_fields++ == FIELDS_MAX)
			fail(p, "more fields than can be");
		fields = grow(fields, nr, &room, sizeof(*fields));
		parse_field(p, fields, nr++);
	}
	if (nr && !p->failed) {
		e->fields = memcpy(allocate(p->m, nr * sizeof(*fields)), fields,
				   nr * sizeof(*fields));
		e->nr_fields = nr;
		place_fields(e);
		find_places(p, e);
	}
	free(fields);
}

/* Blocks. */

static void name_event(struct parser *p, struct event *e)
{
	static const struct {
		const char *name;
		enum event_role role;
	} roles[] = {
		{ "sched/switch", ROLE_SWITCH },
		{ "lkst/unfinished", ROLE_UNFINISHED },
		{ "process/fork", ROLE_FORK },
		{ "process/exec", ROLE_EXEC },
		{ "process/rename", ROLE_RENAME },
		{ "lkst/threads_unknown", ROLE_UNKNOWN },
	};
	char *bar;
	size_t i;

	e->name = copy_string(p->m, p->token);
	bar = strchr(e->name, '_');
	if (bar)
		*bar = '/';
	e->name_len = strlen(e->name);
	for (i = 0; i < ARRAY_SIZE(roles); i++)
		if (!strcmp(e->name, roles[i].name))
			e->role = roles[i].role;
}

static void add_event(struct parser *p, struct event *e, u64 id)
{
	struct metadata *m = p->m;

	if (p->failed)
		return;
	if (id >= LKST_ID_EXTENDED || !e->name || metadata_event(m, id)) {
		fail(p, "an event without a name, or with a number that cannot be");
		return;
	}
	e->id = id;
	if (id >= m->nr_events) {
		m->event = xrealloc(m->event, id + 1, sizeof(*m->event));
		memset(m->event + m->nr_events, 0,
		       (id + 1 - m->nr_events) * sizeof(*m->event));
		m->nr_events = id + 1;
	}
	m->event[id] = e;
}

static void parse_event(struct parser *p)
{
	struct event *e = allocate(p->m, sizeof(*e));
	u64 id = LKST_ID_EXTENDED;

	expect(p, "{");
	while (!p->failed && !accept(p, "}")) {
		if (accept(p, "fields")) {
			expect(p, ":=");
			if (e->fields)
				fail(p, "an event that has fields already");
			parse_fields(p, e);
		} else if (accept(p, "id")) {
			expect(p, "=");
			id = take_value(p);
		} else if (accept(p, "name")) {
			expect(p, "=");
			if (p->kind != TOKEN_STRING || !*p->token)
				fail(p, "a name that is no string");
			else if (e->name)
				fail(p, "an event that has a name already");
			else
				name_event(p, e);
			next(p);
		} else {
			next(p);
			expect(p, "=");
			next(p);
		}
		expect(p, ";");
	}
	expect(p, ";");
	add_event(p, e, id);
}

/* A setting of the trace, environment or clock. */
static void parse_setting(struct parser *p, const char *block)
{
	char key[NAME_MAX_LEN];
	bool minus;

	memcpy(key, p->token, sizeof(key));
	next(p);
	expect(p, "=");
	minus = accept(p, "-");
	if (p->failed)
		return;
	if (!strcmp(block, "trace") && !strcmp(key, "uuid") &&
	    !uuid_parse(p->token, p->m->uuid))
		fail(p, "a uuid that is none");
	else if (!strcmp(block, "trace") && !strcmp(key, "byte_order") && !is(p, "le"))
		fail(p, "only little-endian traces are known");
	else if (!strcmp(block, "env") && !strcmp(key, "release"))
		p->m->release = copy_string(p->m, p->token);
	else if (!strcmp(block, "env") && !strcmp(key, "buffer"))
		p->m->buffer = copy_string(p->m, p->token);
	else if (!strcmp(block, "clock") && !strcmp(key, "freq"))
		p->m->hz = p->number;
	else if (!strcmp(block, "clock") && !strcmp(key, "offset_s"))
		p->m->offset_s = minus ? (s64)(0 - (u64)p->number) : p->number;
	else if (!strcmp(block, "clock") && !strcmp(key, "offset"))
		p->m->offset = p->number;
	next(p);
}

static void parse_settings(struct parser *p, const char *block)
{
	struct type t;

	expect(p, "{");
	while (!p->failed && !accept(p, "}")) {
		if (accept(p, "packet.header")) {
			expect(p, ":=");
			parse_type(p, &t);
		} else {
			parse_setting(p, block);
		}
		expect(p, ";");
	}
	expect(p, ";");
}

static void parse_block(struct parser *p)
{
	if (accept(p, "typealias")) {
		parse_alias(p);
	} else if (accept(p, "event")) {
		parse_event(p);
	} else if (accept(p, "trace")) {
		parse_settings(p, "trace");
	} else if (accept(p, "env")) {
		parse_settings(p, "env");
	} else if (accept(p, "clock")) {
		parse_settings(p, "clock");
	} else if (accept(p, "stream")) {
		skip_block(p);
		expect(p, ";");
	} else {
		fail(p, "a block that is not known");
	}
}

struct metadata *metadata_parse(const char *text, const char *name)
{
	struct metadata *m = xcalloc(1, sizeof(*m));
	struct parser p = { .m = m, .name = name, .at = text, .line = 1 };

	p.alias = xcalloc(ALIASES_MAX, sizeof(*p.alias));
	if (strncmp(text, "/* CTF 1.8", 10))
		fail(&p, "it does not begin as CTF 1.8 does");
	else
		next(&p);
	while (p.kind != TOKEN_END && !p.failed)
		parse_block(&p);
	if (!p.failed && !m->hz)
		fail(&p, "the clock has no frequency");
	free(p.alias);
	if (!p.failed)
		return m;
	metadata_free(m);
	return NULL;
}

void metadata_free(struct metadata *m)
{
	struct piece *p, *following;

	if (!m)
		return;
	for (p = m->memory; p; p = following) {
		following = p->next;
		free(p);
	}
	free(m->event);
	free(m);
}

/* Records. */

const struct field *field_next(struct field_walk *w, struct value *v)
{
	const struct field *f;
	u32 at, bytes;

	if (w->index == w->e->nr_fields)
		return NULL;
	f = &w->e->fields[w->index];
	v->count = f->kind == FIELD_SEQUENCE ? w->length : f->count;
	at = align_up(w->at, f->align);
	bytes = w->r->size;
	if (at > bytes || v->count > (bytes - at) / f->size)
		return NULL;
	v->at = w->r->payload + at;
	if (f->hidden)
		w->length = min_t(u64, field_get(f, v->at), LKST_RECORD_WORDS_MAX * 8);
	w->at = at + v->count * f->size;
	w->index++;
	return f;
}

bool record_fits(const struct metadata *m, const struct record *r)
{
	const struct event *e = metadata_event(m, r->id);
	struct field_walk w = { .e = e, .r = r };
	struct value v;

	if (!e || e->size)
		return e && r->size == e->size;
	while (field_next(&w, &v))
		;
	return w.index == e->nr_fields && r->size == align_up(w.at, 8);
}

bool record_number(const struct event *e, const struct record *r,
		   const char *name, u64 *number)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;

	while ((f = field_next(&w, &v))) {
		if (f->kind == FIELD_INTEGER && !strcmp(f->name, name)) {
			*number = field_get(f, v.at);
			return true;
		}
	}
	return false;
}

const u8 *record_text(const struct event *e, const struct record *r,
		      const char *name, size_t *len)
{
	struct field_walk w = { .e = e, .r = r };
	const struct field *f;
	struct value v;

	while ((f = field_next(&w, &v))) {
		if (f->is_text && !strcmp(f->name, name)) {
			*len = v.count;
			while (*len && !v.at[*len - 1])
				--*len;
			return v.at;
		}
	}
	return NULL;
}
