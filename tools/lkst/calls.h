/* SPDX-License-Identifier: GPL-2.0 */
/* How long system calls took, and which failed. */
#ifndef LKST_CALLS_H
#define LKST_CALLS_H

#include "view.h"

/**
 * struct running - the system call that a thread is in
 * @call: its number and table, plus one; 0 if none is known
 * @event: that told of its begin
 * @began: when it was entered, in ticks
 */
struct running {
	u32 call;
	u32 event;
	u64 began;
};

struct calls;

/* The counts of a trace. */
struct calls *calls_new(struct view *v);
void calls_free(struct calls *c);
void calls_forget(struct calls *c);

/* A record of the thread whose call is @running. */
void calls_see(struct calls *c, struct running *running, const struct merge_item *i);

/* Records up to a time are missing: the calls that began before are not known. */
void calls_miss(struct calls *c, u64 time);

/* A table of those that took longest in all, of at most so many lines. */
void calls_show(struct calls *c, u64 lines, bool bold);

#endif /* LKST_CALLS_H */
