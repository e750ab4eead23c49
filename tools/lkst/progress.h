/* SPDX-License-Identifier: GPL-2.0 */
/* A bar on a terminal for what takes more than a second. */
#ifndef LKST_PROGRESS_H
#define LKST_PROGRESS_H

#include "util.h"

/* Bytes between two looks at the clock: those take less than a thousandth of the time. */
#define PROGRESS_STEP	65536u

/**
 * struct progress - one piece of work
 * @what: what is done, in the form that ends in -ing
 * @total: how many bytes there are to do, 0 if not known
 * @hidden: it has no bar
 * @done: how many are done
 * @looked: @done when the clock was looked at last
 * @start: when that was first, in ns
 * @drawn: when the bar was last drawn, 0 if it is not there
 */
struct progress {
	const char *what;
	u64 total;
	bool hidden;
	u64 done;
	u64 looked;
	u64 start;
	u64 drawn;
};

/* Look at the clock, and draw the bar if it is time. */
void progress_look(struct progress *p);

/* So much more is done. */
static inline void progress_step(struct progress *p, u64 bytes)
{
	p->done += bytes;
	if (!p->start || p->done - p->looked >= PROGRESS_STEP)
		progress_look(p);
}

/* Take the bar away; it comes back if there are more steps. */
void progress_end(struct progress *p);

/* The same, whichever it is, for what is to be said on its line. */
void progress_hide(void);

/*
 * Is there room for a bar while standard output is written to? Not if that is a
 * terminal, or a pipe to what may have the terminal, as a pager.
 */
bool progress_beside_output(void);

#endif /* LKST_PROGRESS_H */
