/* SPDX-License-Identifier: GPL-2.0 */
/* A bar on a terminal for what takes more than a second. */
#ifndef LKST_PROGRESS_H
#define LKST_PROGRESS_H

#include "util.h"

/**
 * struct progress - one piece of work
 * @what: what is done, in the form that ends in -ing
 * @total: how many bytes there are to do, 0 if not known
 * @done: how many are done
 * @looked: @done when the clock was looked at last
 * @start: when that was first, in ns
 * @drawn: when the bar was last drawn, 0 if it was not
 */
struct progress {
	const char *what;
	u64 total;
	u64 done;
	u64 looked;
	u64 start;
	u64 drawn;
};

/* So much more is done. */
void progress_step(struct progress *p, u64 bytes);

/* Take the bar away. */
void progress_end(struct progress *p);

#endif /* LKST_PROGRESS_H */
