/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring of packets: reserving and finishing a record.
 *
 * Only the owning CPU writes a ring, with preemption off. Writers nest strictly:
 * an interrupt, or an NMI, that records in the middle of another writer is done
 * before that one goes on. So no step needs a bus lock, and every loop here ends
 * as soon as nobody nests.
 *
 * The order in a reservation is what keeps a ring readable at every instant: the
 * header, which holds the record's length, is put in place before the position
 * moves past it. See lkst_ring_reserve() in Documentation/dev-tools/lkst.rst for
 * the interleavings.
 *
 * This file and ring.c build for user space too, against stubs of the headers
 * that they include; tools/lkst/ring/ does that.
 */
#ifndef _LKST_RING_H
#define _LKST_RING_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <uapi/linux/lkst.h>

#include "clock.h"

/**
 * struct lkst_resv - a record that was reserved and is not finished yet
 * @ring: where it lies
 * @header: its first word
 * @payload: where its payload goes
 * @time: its clock value, in ticks
 * @outer: what lkst_ring.oldest was before
 */
struct lkst_resv {
	struct lkst_ring *ring;
	u64 *header;
	void *payload;
	u64 time;
	u64 outer;
};

/* Offset of the state byte in a record's header. */
#define LKST_STATE_BYTE		3
#define LKST_STATE_FINISHED	(LKST_RECORD_FINISHED >> 24)

#define LKST_POS_PACKET(pos)	((u32)((pos) >> 32))
#define LKST_POS_WORDS(pos)	((u32)(pos) >> 16)
#define LKST_POS_RECORDS(pos)	((u32)(u16)(pos))
#define LKST_POS(packet, words, records)	\
	((u64)(packet) << 32 | (u64)(words) << 16 | (records))

bool lkst_ring_reserve_slow(struct lkst_ring *ring, u32 id, u32 words,
			    struct lkst_resv *resv);
void lkst_ring_start(struct lkst_ring *ring, u64 first);
void lkst_ring_slow(struct lkst_ring *ring, bool slow);
u64 lkst_ring_current(const struct lkst_ring *ring);
struct lkst_packet *lkst_ring_packet(const struct lkst_ring *ring, u64 seq);
bool lkst_ring_closed(const struct lkst_ring *ring, u64 seq);
int lkst_ring_copy(const struct lkst_ring *ring, u64 seq,
		   struct lkst_packet *copy);
int lkst_ring_copy_open(const struct lkst_ring *ring, struct lkst_packet *copy);
void lkst_ring_consume(struct lkst_ring *ring, u64 seq, u32 records);
u32 lkst_packet_patch(struct lkst_packet *packet, u32 words, u64 *last);

/*
 * Called by ring.c for the header of a packet: the thread that runs, or
 * %LKST_TID_UNKNOWN if nothing will tell when another one does; any context,
 * preemption off.
 */
u32 lkst_ring_tid(void);

/* Called by ring.c when a packet was closed; any context, interrupts restored. */
void lkst_ring_wake(void);

/**
 * lkst_ring_try() - Make room for a record, in the usual case
 * @ring: the ring of this CPU
 * @id: number of the event
 * @words: length of the record in words of 8 bytes, header included
 * @resv: for lkst_ring_commit(); its payload has @words - 1 words
 *
 * Calls nothing, so that a hook which leaves the rest to a tail call keeps
 * everything in registers.
 *
 * Context: any, preemption off.
 * Return: false, and nothing is changed, when lkst_ring_reserve_slow() is to do
 * it: this writer nests in another or another nested in it, the packet is full,
 * the ring's last record too long ago for 32 bits of clock, or all is left to it
 * by lkst_ring_slow().
 */
static __always_inline bool lkst_ring_try(struct lkst_ring *ring, u32 id, u32 words,
					  struct lkst_resv *resv)
{
	const struct lkst_slot *slot;
	u64 pos, word, lap, time;
	u64 *header;
	u32 offset;

	/* Writers that nest put it back, so it is what it is, whenever read. */
	if (unlikely(data_race(ring->oldest)))
		return false;
	pos = READ_ONCE(ring->pos);
	WRITE_ONCE(ring->oldest, (pos >> 32) + 1);
	barrier();
	offset = LKST_POS_WORDS(pos);
	slot = &ring->slot[pos >> 32 & 1];
	if (unlikely(offset + words > ring->fit))
		goto slow;
	header = (u64 *)(unsigned long)READ_ONCE(slot->base) + offset;
	lap = READ_ONCE(slot->lap);
	word = READ_ONCE(*header);
	/*
	 * Whoever nested up to here may have switched packets twice, and filled
	 * this slot again. Whoever nests from here on changes the word, or the
	 * position, or neither.
	 */
	if (unlikely(READ_ONCE(ring->pos) != pos))
		goto slow;
	time = lkst_clock_counter();
	/* Whenever the last time is read, an older one is right too. */
	if (unlikely((time - data_race(ring->last)) >> 32))
		goto slow;
	if (unlikely(!try_cmpxchg_local(header, &word,
					lap | id | (u64)words << 16 | time << 32)))
		goto slow;
	if (unlikely(!try_cmpxchg_local(&ring->pos, &pos,
					pos + ((u64)words << 16 | 1))))
		goto slow;
	resv->ring = ring;
	resv->header = header;
	resv->payload = header + 1;
	resv->time = time;
	resv->outer = 0;
	return true;
slow:
	/*
	 * Nothing is reserved, so this is no writer under way any more. Its header
	 * may stand behind the content of a packet that a nested writer closed.
	 * Pairs with the acquire in packet_complete().
	 */
	smp_store_release(&ring->oldest, 0);
	return false;
}

/**
 * lkst_ring_reserve() - Make room for a record
 * @ring: the ring of this CPU
 * @id: number of the event
 * @words: length of the record in words of 8 bytes, header included
 * @resv: for lkst_ring_commit(); its payload has @words - 1 words
 *
 * Context: any, preemption off.
 * Return: false when the record is lost (and counted).
 */
static __always_inline bool lkst_ring_reserve(struct lkst_ring *ring, u32 id,
					      u32 words, struct lkst_resv *resv)
{
	return lkst_ring_try(ring, id, words, resv) ||
	       lkst_ring_reserve_slow(ring, id, words, resv);
}

/**
 * lkst_ring_commit() - Finish a record
 * @resv: from lkst_ring_reserve()
 *
 * The ring's last time is stored only now, so that it is never above that of the
 * ring's last record, and a writer that nested in a record of the extended form
 * has used that form too.
 *
 * Context: as lkst_ring_reserve(), once for each record it reserved.
 */
static __always_inline void lkst_ring_commit(const struct lkst_resv *resv)
{
	u8 *state = (u8 *)resv->header + LKST_STATE_BYTE;

	smp_wmb();	/* pairs with the acquire of headers in lkst_ring_copy_open() */
	/* Nobody else writes to this header any more, so one instruction will do. */
	data_race(*state |= LKST_STATE_FINISHED);
	WRITE_ONCE(resv->ring->last, resv->time);
	/* Pairs with the acquire in packet_complete(). */
	smp_store_release(&resv->ring->oldest, resv->outer);
}

#endif /* _LKST_RING_H */
