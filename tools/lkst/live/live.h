/* SPDX-License-Identifier: GPL-2.0 */
/* The running kernel's packets and what belongs to them, to be written as a trace. */
#ifndef LKST_LIVE_H
#define LKST_LIVE_H

#include "control.h"
#include "metadata.h"

/**
 * struct live - a buffer of the running kernel
 * @name: its name
 * @dir: where its files are, in /proc
 * @text: its metadata
 * @metadata: that, understood
 * @cpu: the numbers of its CPUs, in order
 * @nr: how many
 * @past_text: where the kernel's text began, if it is of the boot before; or 0
 */
struct live {
	char *name;
	char *dir;
	char *text;
	struct metadata *metadata;
	u32 *cpu;
	size_t nr;
	size_t room;
	u64 past_text;
};

/* Open a buffer, or the current one; NULL, which is said, if it cannot be read. */
struct live *live_open(const char *buffer);
void live_close(struct live *l);

/* The name of the current buffer; "?" if it cannot be read, which is said. */
char *live_current(void);

/* Open the closed packets of a CPU; -1, which is said, if that cannot be. */
int live_cpu(const struct live *l, u32 cpu);

/* A packet that was read from a file, at the start of @buf; NULL at the end. */
struct lkst_packet *live_read(int fd, void *buf);

/* A packet can be there and have a record that is not finished: look again, so often. */
#define LIVE_AGAIN_MS	5
#define LIVE_TRIES	20

/* Wait a moment for such a one. Returns false if there is none. */
bool live_wait(int fd);

/* A copy of the packet that is open, to be freed, or NULL. */
struct lkst_packet *live_peek(const struct live *l, u32 cpu);

/* Is it one of this buffer, and not of one that was there before or after? */
bool live_owns(const struct live *l, const struct lkst_packet *p);

/* The text of a file of the names of all threads that live now, to be freed. */
char *live_tasks(size_t *size);

/* The same for those of the boot before, if the buffer is of that. */
char *live_past_tasks(const struct live *l, size_t *size);

/*
 * The same for the kernel's functions, where its text begins there, or where it does if
 * that is 0; NULL if it hides where they are.
 */
char *live_symbols(u64 past_text, size_t *size);

/* Make a directory for a trace, named by the time. To be freed; NULL if it was not made. */
char *live_make_dir(void);

#endif /* LKST_LIVE_H */
