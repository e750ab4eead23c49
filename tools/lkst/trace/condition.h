/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions on records, in the language of the kernel's triggers: its compiler is
 * the kernel's own, kernel/lkst/match.c, with the events of the trace's metadata.
 */
#ifndef LKST_CONDITION_H
#define LKST_CONDITION_H

#include <stdbool.h>

struct condition;
struct metadata;
struct event;
struct record;

/**
 * struct condition_task - the thread that runs, as current.* shows it
 * @tid: its number
 * @tgid: its process, 0 if not known
 * @cpu: where it runs
 * @comm: its name, with NULs up to the end
 */
struct condition_task {
	int tid;
	int tgid;
	int cpu;
	char comm[16];
};

/* Is it a condition, as far as can be seen without a trace? If not, it is said. */
bool condition_ok(const char *text);

/* Compile @text, and have all of @others hold too; false after saying what is wrong. */
bool condition_add(struct condition **others, const char *text, const struct metadata *m);

/* Free all. */
void condition_free(struct condition *c);

/* Has the event all that they speak of? */
bool condition_fits(const struct condition *c, unsigned int id);

/* Are all true? The record is one that record_fits(). */
bool condition_is_true(const struct condition *c, const struct record *r,
		       const struct condition_task *task);

#endif /* LKST_CONDITION_H */
