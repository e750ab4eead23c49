/* SPDX-License-Identifier: GPL-2.0 */
/* Following a buffer: a thread for each CPU moves its packets to files. */
#ifndef LKST_SESSION_H
#define LKST_SESSION_H

#include <pthread.h>

#include "live.h"

/**
 * struct part - a directory with a trace
 * @dir: its path
 * @records: written to it
 */
struct part {
	char *dir;
	u64 records;
};

/**
 * struct output - where packets go, and what became of them so far
 * @lock: all below, and messages
 * @live: the buffer that is followed
 * @symbols: names of the kernel's functions, or NULL
 * @symbols_size: bytes of that
 * @dir: the directory that was asked for
 * @rotate_bytes: begin a new part after so many, 0 for never
 * @keep: parts to keep, 0 for all
 * @in_parts: the parts lie in directories below @dir
 * @part: the parts, the last of which is written to
 * @nr: how many there have been
 * @first: the first that was not removed
 * @bytes: in the last part
 * @written: records written
 * @packets: packets written
 * @total: bytes written
 * @removed: records in parts that were removed
 * @full: why nothing more is written, or 0
 */
struct output {
	pthread_mutex_t lock;	/* all below */
	const struct live *live;
	char *symbols;
	size_t symbols_size;
	const char *dir;
	u64 rotate_bytes;
	u64 keep;
	bool in_parts;
	struct part *part;
	size_t nr;
	size_t room;
	size_t first;
	u64 bytes;
	u64 written;
	u64 packets;
	u64 total;
	u64 removed;
	int full;
};

/* What became of the records of a CPU. */
struct tally {
	u32 cpu;
	u64 produced;
	u64 written;
	u64 missed;
	u64 lost;
	u64 packets;
	u64 gaps;		/* packets that were overwritten unread */
	bool about;		/* @missed could not be counted exactly */
};

struct session;

/*
 * Follow a buffer. What it holds already is left out but for packets that end at
 * @since or later, or all is taken if @since is 0. NULL when it cannot be, which is said.
 */
struct session *session_start(struct output *out, const char *buffer, u64 since);

/* Is there a reason to end: nothing more comes, or nothing more can be written? */
bool session_over(struct session *s);

/*
 * Take what is there, with the packets that are open, and end. @tally has room for
 * each of the CPUs. Returns when the last packet ended.
 */
u64 session_end(struct session *s, struct tally *tally);

/* How many CPUs it follows. */
size_t session_cpus(const struct session *s);

/* Begin a new part, which the files of CPUs follow with their next packets. */
bool output_rotate(struct output *out);

/* Nothing more can be written; said the first time. The lock is held. */
void output_stop(struct output *out, int err);

/* Is that so? */
bool output_full(struct output *out);

/* Write the names of the threads to the last part anew, and free all. */
void output_finish(struct output *out);

#endif /* LKST_SESSION_H */
