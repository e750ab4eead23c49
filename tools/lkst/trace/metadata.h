/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CTF metadata: the events and the clock, from the text that the kernel makes.
 * What is understood is the part of CTF's language (TSDL) that it uses.
 */
#ifndef LKST_METADATA_H
#define LKST_METADATA_H

#include "packet.h"

/* A label of an enumeration. */
struct label {
	s64 first;
	s64 last;
	const char *text;
};

enum field_kind {
	FIELD_INTEGER,
	FIELD_ARRAY,		/* of @count integers */
	FIELD_SEQUENCE,		/* of as many as the hidden field before it says */
};

#define FIELD_MOVES	(~0u)

/**
 * struct field - a field of an event
 * @name: its name
 * @lead: " name=", which stands before its value
 * @size: bytes of the integer, or of each
 * @align: in bytes
 * @base: 8, 10 or 16
 * @is_signed: has a sign
 * @is_text: characters, not numbers
 * @hidden: is the length of the sequence that comes next
 * @kind: of what it is made
 * @count: integers of an array
 * @at: byte of the payload where it lies, or %FIELD_MOVES behind a sequence
 * @labels: names of its values, if it is an enumeration
 * @nr_labels: how many
 * @values: names of its values that the tool knows, see values.h
 * @is_tid: tells a thread, by the number that the initial namespace has for it
 */
struct field {
	char *name;
	char *lead;
	u8 lead_len;
	u8 size;
	u8 align;
	u8 base;
	bool is_signed;
	bool is_text;
	bool hidden;
	enum field_kind kind;
	u32 count;
	u32 at;
	const struct label *labels;
	u32 nr_labels;
	const struct values *values;
	bool is_tid;
};

/**
 * struct place - a number at a fixed place of a payload
 * @sign: the bit of its sign, or 0 where it has none
 * @end: byte behind it
 * @unused: bits of 8 bytes that it does not have
 */
struct place {
	u64 sign;
	u16 end;
	u16 unused;
};

/* More numbers of an event than this are not worth an array of places. */
#define PLACES_MAX	64u

/* What the tool itself looks for in an event. */
enum event_role {
	ROLE_NONE,
	ROLE_SWITCH,		/* another thread runs */
	ROLE_UNFINISHED,	/* what stands for an unfinished record */
	ROLE_FORK,		/* these give a thread a name */
	ROLE_EXEC,
	ROLE_RENAME,
	ROLE_UNKNOWN,		/* nothing told which threads ran */
};

/**
 * struct event - an event of the trace
 * @id: its number
 * @name: group/name
 * @fields: in the order in which they lie
 * @nr_fields: how many
 * @size: bytes of its records' payload, 0 if that is not always the same
 * @places: all its numbers, if it has a size and few of them
 * @nr_places: how many, else 0
 * @role: what else it tells
 * @selected: for the user of the table
 * @at_once: the same
 * @complained: of a record that is too short
 * @count: for the user of the table
 */
struct event {
	u32 id;
	char *name;
	size_t name_len;
	struct field *fields;
	u32 nr_fields;
	u32 size;
	struct place *places;
	int nr_places;
	enum event_role role;
	bool selected;
	bool at_once;
	bool complained;
	u64 count;
};

struct metadata {
	u8 uuid[LKST_UUID_SIZE];
	u64 hz;
	s64 offset_s;
	u64 offset;		/* in ticks, beside @offset_s */
	char *release;
	char *buffer;
	struct event **event;	/* by number; NULL where there is none */
	u32 nr_events;
	struct piece *memory;	/* all that was allocated for it */
};

/* Parse metadata; NULL if it makes no sense, which is said of @name. */
struct metadata *metadata_parse(const char *text, const char *name);
void metadata_free(struct metadata *m);

static inline struct event *metadata_event(const struct metadata *m, u32 id)
{
	return id < m->nr_events ? m->event[id] : NULL;
}

/**
 * struct value - a field of a record
 * @at: its first byte
 * @count: integers there, 1 if it is no array or sequence
 */
struct value {
	const u8 *at;
	u32 count;
};

/* Get an integer that lies anywhere. */
static inline u64 field_get(const struct field *f, const u8 *at)
{
	u64 v = 0;

	switch (f->size) {
	case 1:
		return f->is_signed ? (u64)(s64)(signed char)*at : *at;
	case 2:
		__builtin_memcpy(&v, at, 2);
		return f->is_signed ? (u64)(s64)(short)v : v;
	case 4:
		__builtin_memcpy(&v, at, 4);
		return f->is_signed ? (u64)(s64)(s32)v : v;
	default:
		__builtin_memcpy(&v, at, 8);
		return v;
	}
}

/*
 * Get a number whose place was found before, in one way for all: 8 bytes are read that
 * end where it does, of which the first may be the record's header.
 */
static inline u64 place_get(const struct place *p, const u8 *payload)
{
	u64 v;

	__builtin_memcpy(&v, payload + p->end - sizeof(v), sizeof(v));
	return (v >> p->unused ^ p->sign) - p->sign;
}

/**
 * struct field_walk - goes through the fields of a record
 * @e: the event
 * @r: the record
 * @at: byte of the payload where the next one may begin
 * @index: of the next one
 * @length: of the sequence that comes next
 */
struct field_walk {
	const struct event *e;
	const struct record *r;
	u32 at;
	u32 index;
	u32 length;
};

/* The next field; NULL at the last, or when the record is too short for it. */
const struct field *field_next(struct field_walk *w, struct value *v);

/* Is a record of an event that there is, and of the size of its fields? */
bool record_fits(const struct metadata *m, const struct record *r);

/* A number in a record, by the name of its field. */
bool record_number(const struct event *e, const struct record *r,
		   const char *name, u64 *number);

/* A text in a record, its NULs at the end left out. */
const u8 *record_text(const struct event *e, const struct record *r,
		      const char *name, size_t *len);

#endif /* LKST_METADATA_H */
