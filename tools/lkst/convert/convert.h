/* SPDX-License-Identifier: GPL-2.0 */
/* Traces in the forms of other tools. */
#ifndef LKST_CONVERT_H
#define LKST_CONVERT_H

#include <stdio.h>

#include "progress.h"
#include "show.h"

/**
 * struct convert - a trace being converted
 * @view: what is converted
 * @show: makes lines and names of values
 * @path: where to, NULL for standard output
 * @file: that, where it is a file
 * @to: the form
 * @state: the converter's own
 */
struct convert {
	struct view view;
	struct show show;
	const char *path;
	FILE *file;
	const struct converter *to;
	void *state;
};

/**
 * struct converter - a form
 * @name: as --to has it
 * @is_dir: it is a directory, which is there and empty
 * @is_binary: nothing for a terminal
 * @begin: called first; false after saying why not
 * @item: called for each record and mark
 * @end: called last
 */
struct converter {
	const char *name;
	bool is_dir;
	bool is_binary;
	bool (*begin)(struct convert *c);
	void (*item)(struct convert *c, const struct merge_item *i, struct event *e);
	void (*end)(struct convert *c);
};

extern const struct converter to_ctf, to_lttng, to_perfetto, to_chrome;

/* Write; what goes wrong is said at the end. */
void convert_write(struct convert *c, const void *bytes, size_t n);

/* Write a file of a directory; false after saying why not. */
bool convert_file(struct convert *c, const char *name, const void *bytes, size_t n);

/* The name of a thread with NULs behind it, "?" if it is not known. */
void convert_comm(struct convert *c, u32 tid, u32 cpu, char *comm);

/* A number in a record, 0 if it has none of that name. */
u64 convert_number(const struct event *e, const struct record *r, const char *name);

/* Append the name of the function at an address, or the address. */
void convert_symbol(struct convert *c, u64 address, struct text *out);

#endif /* LKST_CONVERT_H */
