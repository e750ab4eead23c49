/* SPDX-License-Identifier: GPL-2.0 */
/* Records as lines: text, JSON or CSV. */
#ifndef LKST_SHOW_H
#define LKST_SHOW_H

#include "text.h"
#include "view.h"

enum show_format { SHOW_TEXT, SHOW_JSON, SHOW_CSV };

enum show_time {
	SHOW_BOOT,		/* of the trace's clock */
	SHOW_WALL,		/* UTC */
	SHOW_DELTA,		/* since the line before */
};

/**
 * struct show - how records are shown
 * @v: where they are from
 * @format: as what
 * @time: which time
 * @addresses: of functions as numbers
 * @raw: no value has a name
 * @out: lines that were made
 * @before: time of the line before, in ns
 * @begun: there was one
 * @hz: ticks a second, and of the two below
 * @second: a second that @second_tick is the first tick of
 * @scale: 2^64 ns / @hz, rounded up, or 0 where that does not do
 * @day: the date and time of @day_second
 * @column: names of fields that have columns of their own in CSV
 * @nr_columns: how many
 */
struct show {
	struct view *v;
	enum show_format format;
	enum show_time time;
	bool addresses;
	bool raw;
	struct text out;
	u64 before;
	bool begun;
	u64 hz;
	u64 second;
	u64 second_tick;
	u64 scale;
	s64 day_second;
	char day[32];
	const char **column;
	size_t nr_columns;
	size_t column_room;
};

/* Begin, the view being open and the first members set; CSV has a first line. */
void show_begin(struct show *s);
void show_end(struct show *s);

/* Append a line to s->out. */
void show_item(struct show *s, const struct merge_item *i, struct event *e);

/* What a number of a record means, as a name; false where it has none. */
bool show_name(struct show *s, const struct event *e, const struct record *r,
	       const struct field *f, u64 v);

/* What a mark is called in formats other than text. */
const char *show_mark(const struct merge_item *i);

/*
 * Append ,"args":{...} with the fields of a record, and among them as "names" the names
 * of their values, where some have one.
 */
void show_json_args(struct show *s, struct event *e, const struct record *r);

/* Append bytes as a string of JSON, its quotes included. */
void show_json_string(struct text *out, const void *bytes, size_t n);

#endif /* LKST_SHOW_H */
