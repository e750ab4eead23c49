/* SPDX-License-Identifier: GPL-2.0 */
/* Random conditions, and records and tasks of which they are sometimes true. */
#ifndef _MATCH_GENERATE_H
#define _MATCH_GENERATE_H

#include "oracle.h"

/* Room for a condition, and for one that is too long. */
#define ROOM	4096

void random_seed(u64 seed);
unsigned int random_below(unsigned int n);

void condition_make(char *to);
void condition_mutate(char *text, const char *other);
void *record_make(const struct tree *tree, unsigned int id, size_t *size);
void task_make(const struct tree *tree);

#endif /* _MATCH_GENERATE_H */
