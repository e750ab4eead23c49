/* SPDX-License-Identifier: GPL-2.0 */
/* Packets of CTF being written, a file for each CPU. */
#ifndef LKST_CTFOUT_H
#define LKST_CTFOUT_H

#include "packet.h"

struct ctfout;

/*
 * @dir is where the files go, and @uuid what the packets carry. If a reader learns from
 * packets which @threads run, another one begins wherever that is not what it knows.
 */
struct ctfout *ctfout_new(const char *dir, const u8 *uuid, bool threads);

/**
 * struct ctfout_record - a record to be written
 * @cpu: the CPU that it is of
 * @tid: the thread that ran there before it
 * @next: the one that a reader takes to run after it
 * @time: in ticks
 * @id: its event, below 65535
 * @payload: what it has
 * @size: bytes of that, at most 2032
 * @finished: the record was
 */
struct ctfout_record {
	u32 cpu;
	u32 tid;
	u32 next;
	u64 time;
	u32 id;
	const void *payload;
	u32 size;
	bool finished;
};

/* Write one that is not before any other of its CPU. */
void ctfout_record(struct ctfout *o, const struct ctfout_record *r);

/* So many records were lost up to then; so many packets are missing here. */
void ctfout_lost(struct ctfout *o, u32 cpu, u32 tid, u64 time, u64 count);
void ctfout_missing(struct ctfout *o, u32 cpu, u64 count);

/* All was written: false after saying what could not be. */
bool ctfout_end(struct ctfout *o);

#endif /* LKST_CTFOUT_H */
