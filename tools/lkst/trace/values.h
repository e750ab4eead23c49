/* SPDX-License-Identifier: GPL-2.0 */
/* What the values of fields are called: the one table of such names. */
#ifndef LKST_VALUES_H
#define LKST_VALUES_H

#include "metadata.h"
#include "text.h"

/* More bytes than values_put() ever adds. */
#define VALUES_TEXT_MAX	512u

/* Find the names of each field's values, for all events. */
void values_attach(struct metadata *m);

/**
 * values_put() - Append what a number is called
 * @f: its field, after values_attach()
 * @e: its event
 * @r: the record that it is in
 * @v: the number
 * @out: has room for %VALUES_TEXT_MAX
 *
 * Return: false, with nothing appended, where it has no name.
 */
bool values_put(const struct field *f, const struct event *e,
		const struct record *r, u64 v, struct text *out);

/* The name of a system call, or NULL; and of an errno. */
const char *values_syscall(u64 nr, bool compat);
const char *values_errno(u64 error);

/* The name of a soft interrupt, or NULL. */
const char *values_softirq(u64 vec);

#endif /* LKST_VALUES_H */
