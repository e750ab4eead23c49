/* SPDX-License-Identifier: GPL-2.0 */
/*
 * liblkst: read a trace record by record.
 *
 *	struct lkst_reader *r = lkst_open("trace", NULL);
 *	int nr = -1;
 *
 *	while (r && lkst_next(r)) {
 *		if (strcmp(lkst_event(r), "syscall/exit"))
 *			continue;
 *		printf("%llu %lld\n", (unsigned long long)lkst_time(r),
 *		       (long long)lkst_number(r, lkst_find(r, "ret"), 0));
 *	}
 *	lkst_close(r);
 *
 * What is wrong with a trace is said on stderr, and lkst_status() tells that there was
 * something; what can be read is. Without memory the program ends. No function but
 * those of different readers may be called at the same time, and of those lkst_open()
 * and lkst_close() neither.
 */
#ifndef LIBLKST_H
#define LIBLKST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lkst_reader;

/**
 * enum lkst_kind - what lkst_next() came to
 * @LKST_RECORD: a record
 * @LKST_LOST: records found no room: lkst_count() is how many
 * @LKST_OVERWRITTEN: so many packets are missing here
 * @LKST_GONE: so many packets are missing before the first one
 */
enum lkst_kind {
	LKST_RECORD,
	LKST_LOST,
	LKST_OVERWRITTEN,
	LKST_GONE,
};

/**
 * lkst_open() - Open a trace
 * @source: a directory, an archive of one, or a crash dump; NULL is the running kernel
 * @condition: what has to be true of a record, in the language of the kernel's
 *	triggers; NULL for all records
 *
 * Return: NULL after saying why it cannot be read.
 */
struct lkst_reader *lkst_open(const char *source, const char *condition);
void lkst_close(struct lkst_reader *r);

/**
 * lkst_next() - Go on to the next record, or mark of what is missing
 * @r: the reader
 *
 * They come in the order of time, of all CPUs. The memory that it takes does not depend
 * on the size of the trace.
 *
 * Return: false at the end.
 */
bool lkst_next(struct lkst_reader *r);

/* Was something missing or damaged so far, in any trace? */
bool lkst_status(void);

/* Of what lkst_next() came to: what it is, and for marks the number. */
enum lkst_kind lkst_kind(const struct lkst_reader *r);
uint64_t lkst_count(const struct lkst_reader *r);

/* Its time in ns: of the trace's clock, and since 1970. */
uint64_t lkst_time(const struct lkst_reader *r);
uint64_t lkst_wall_time(const struct lkst_reader *r);

/* Its time in ticks of the trace's clock, and how many of them a second has. */
uint64_t lkst_ticks(const struct lkst_reader *r);
uint64_t lkst_hz(const struct lkst_reader *r);

/* Its CPU, and the thread that ran there: 0xffffffff if that is not known. */
uint32_t lkst_cpu(const struct lkst_reader *r);
uint32_t lkst_tid(const struct lkst_reader *r);

/* The record's event as group/name, "unknown" if there is no such, "" of a mark. */
const char *lkst_event(const struct lkst_reader *r);

/**
 * lkst_thread() - What is known of a thread by now
 * @r: the reader
 * @tid: the thread
 * @comm: set to its name, if it is not NULL; empty if it is not known
 *
 * Return: its process, 0 if that is not known.
 */
uint32_t lkst_thread(const struct lkst_reader *r, uint32_t tid, char comm[16]);

/* How many fields the record has; their numbers are those below that. */
int lkst_fields(const struct lkst_reader *r);

/* The name of a field; and the number of a name, -1 if there is none. */
const char *lkst_field(const struct lkst_reader *r, int field);
int lkst_find(const struct lkst_reader *r, const char *name);

/* How many numbers a field has: 1, or the length of an array; 0 of a text. */
int lkst_numbers(const struct lkst_reader *r, int field);

/* One of them; what is unsigned and beyond int64_t has to be cast. 0 if there is none. */
int64_t lkst_number(const struct lkst_reader *r, int field, int index);

/* A text, which no NUL need follow; NULL if the field is none. */
const char *lkst_text(const struct lkst_reader *r, int field, size_t *len);

/**
 * lkst_values() - Decode all fields of a record at once
 * @r: the reader
 * @values: all numbers of all fields, in order; of texts all bytes
 * @room: how many fit; 2048 always do
 *
 * Return: how many there are, of which no more than @room were stored.
 */
int lkst_values(const struct lkst_reader *r, int64_t *values, int room);

#endif /* LIBLKST_H */
