/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A ring small enough to explore, the writers and the reader that use it, and
 * what they must find in it.
 */
#ifndef _RING_WORLD_H
#define _RING_WORLD_H

#include <setjmp.h>
#include <stdnoreturn.h>

#include "ring.h"

#define PACKETS_MAX	8u
#define WORDS_MAX	(LKST_PACKET_WORDS + 25)
#define RECORDS_MAX	4096u
#define DEPTH_MAX	8u
/* Packets of which more is known than memory holds: what a reader may have. */
#define HISTORY		32u

/**
 * struct setup - a ring, what has happened in it, and what can happen
 * @packets: packets in the ring
 * @room: words of a packet that records can use
 * @first: number of its first packet
 * @laps: how often it was written around before
 * @fill: words in use of the packet that is being written
 * @discard: the ring discards, and a reader consumes
 * @fallback: the clock is the fallback, and steps back in nested writers
 * @jump: by how much the clock jumps
 * @every: at which of its readings
 * @tops: how many writers follow one another
 * @top: their lengths in words; @tops 0 is a reader that writers overtake
 * @lengths: bit mask of the lengths of writers that nest
 * @storm: a nested burst of records, more than a lap, is possible
 * @depth: levels of interrupts; an NMI comes on top of them
 * @budget: how many of all that happen in a schedule
 */
struct setup {
	u32 packets;
	u32 room;
	u64 first;
	u32 laps;
	u32 fill;
	bool discard;
	bool fallback;
	u64 jump;
	u32 every;
	u32 tops;
	u32 top[2];
	u32 lengths;
	bool storm;
	u32 depth;
	u32 budget;
};

enum record_state { RECORD_TRIED, RECORD_RESERVED, RECORD_DONE, RECORD_LOST };

struct record {
	u64 seq;		/* of its packet */
	u64 time;
	u8 *state_byte;
	u16 offset;
	u16 words;		/* that were asked for */
	u16 length;		/* that it has: one more in the extended form */
	u16 state;
};

struct context {
	u32 record;
	bool nmi;
	bool disturbed;		/* by a writer that nested in it */
};

/* All that a schedule changes, but for the ring itself. */
struct world {
	u64 memory[PACKETS_MAX][WORDS_MAX];
	u16 at[HISTORY][WORDS_MAX];	/* which record is where in a packet */
	u32 end[HISTORY];		/* words reserved in a packet */
	u64 pos;			/* the ring's, as it was last seen */
	u64 open;			/* number of the packet that is being written */
	u64 clock;
	u32 readings;
	u32 steps;
	u32 hits, lost, reserved;
	u32 depth;
	u32 spent;			/* of the budget */
	bool irqs_off;
	bool quiet;			/* the harness's own accesses */
	bool settled;			/* no choices here */
	struct context context[DEPTH_MAX];
	u32 nr_records;
	struct record record[RECORDS_MAX];
};

extern struct world w;
extern struct lkst_ring ring;
extern const struct setup *setup;
extern jmp_buf world_failed;
extern char world_failure[256];
extern bool world_trace;

/* From the explorer: one of @alternatives, 0 for nothing. */
u32 schedule_choose(u32 alternatives);
/* Has this state been seen by an earlier schedule? */
bool schedule_repeats(void);

void world_build(const struct setup *with);
void world_restore(void);
void world_run(void);

void world_writer(u32 words, bool nmi);
noreturn void world_fail(const char *format, ...);

/* check.c */
void check_ring(void);
void check_end(void);
void check_copy(const struct lkst_packet *copy, u64 seq, bool patched);
u64 check_payload(u32 record, u32 word);

#endif /* _RING_WORLD_H */
