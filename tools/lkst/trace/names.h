/* SPDX-License-Identifier: GPL-2.0 */
/* Names of threads. */
#ifndef LKST_NAMES_H
#define LKST_NAMES_H

#include <stdio.h>

#include "util.h"
#include "linux/lkst.h"

struct names;

struct names *names_new(void);
void names_free(struct names *n);

/* Give a thread a name of at most @len bytes; @tgid is 0 if not known. */
void names_set(struct names *n, u32 tid, u32 tgid, const void *comm, size_t len);

/* The same, from the table in a dump: a live thread takes it from a dead one. */
void names_add_task(struct names *n, const struct lkst_task *t);

/* "TID-NAME", escaped, its bytes and the columns that it takes. */
const char *names_label(struct names *n, u32 tid, u32 cpu, size_t *len,
			size_t *columns);

/**
 * struct who - what is known of a thread
 * @tid: its number
 * @tgid: its process, 0 if not known
 * @len: bytes of @comm
 * @comm: its name, then NULs
 */
struct who {
	u32 tid;
	u32 tgid;
	u32 len;
	char comm[LKST_COMM_SIZE];
};

/* Look a thread up; false if its name is not known. Idle threads are swapper/CPU. */
bool names_find(struct names *n, u32 tid, u32 cpu, struct who *who);

/* Call @each for all threads, in the order of their numbers. */
void names_all(struct names *n, void (*each)(const struct who *who, void *arg),
	       void *arg);

/* Has the thread a name? */
bool names_know(const struct names *n, u32 tid);

/* Write a line "tid tgid name" for each thread. */
void names_write(const struct names *n, FILE *f);
/* The reverse, of a file, if it is there. */
void names_from_file(struct names *n, const char *path);

/* Look for the names of threads that have none in /proc from now on. */
void names_ask_proc(struct names *n);

#endif /* LKST_NAMES_H */
