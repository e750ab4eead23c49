/* SPDX-License-Identifier: GPL-2.0 */
/* The records of all CPUs in time order, and what is missing among them. */
#ifndef LKST_MERGE_H
#define LKST_MERGE_H

#include "source.h"

enum item_kind {
	ITEM_RECORD,
	ITEM_LOST,		/* @count records found no room */
	ITEM_GAP,		/* @count packets were overwritten */
	ITEM_GONE,		/* @count packets before the first one */
};

/**
 * struct merge_item - what comes next
 * @kind: what it is
 * @cpu: the CPU that it is of
 * @tid: the thread that runs there
 * @time: in ticks
 * @count: by @kind
 * @record: valid until the next call
 */
struct merge_item {
	enum item_kind kind;
	u32 cpu;
	u32 tid;
	u64 time;
	u64 count;
	struct record record;
};

struct merge;

/**
 * merge_new() - Put the packets of all CPUs of a trace in order
 * @t: the trace
 * @follow: it was opened to be followed
 */
struct merge *merge_new(struct trace *t, bool follow);

/**
 * merge_next() - What comes next
 * @m: from merge_new()
 *
 * In the order of time, and of CPUs where that is the same. Of each CPU no more than
 * one packet is in memory.
 *
 * Return: valid until the next call; NULL at the end, or when following, where
 * another CPU may still have something to tell that comes before the rest.
 */
const struct merge_item *merge_next(struct merge *m);

/* When following, look for what is new; then merge_next() goes on. */
void merge_refresh(struct merge *m);

void merge_free(struct merge *m);

#endif /* LKST_MERGE_H */
