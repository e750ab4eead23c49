// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of packets: switching packets, and reading.
 *
 * Everything here that a hook calls runs in any context, NMI included, with
 * preemption off, and takes no lock.
 */
#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <asm/page.h>

#include "ring.h"

static void count_up(__u64 *counter, u64 by)
{
	u64 old = READ_ONCE(*counter);

	while (!try_cmpxchg_local(counter, &old, old + by))
		;
}

NOKPROBE_SYMBOL(count_up);

/* Without the clock's help time does not go back in a ring. */
static u64 ring_clock(struct lkst_ring *ring)
{
	u64 now = lkst_clock(ring), last = READ_ONCE(ring->last);

	return (s64)(now - last) < 0 ? last : now;
}

NOKPROBE_SYMBOL(ring_clock);

/* Words of a packet that can be used. */
static u32 ring_room(const struct lkst_ring *ring)
{
	return ring->packet_size / 8 - 1;
}

NOKPROBE_SYMBOL(ring_room);

/**
 * lkst_ring_slow() - Leave all records to lkst_ring_reserve_slow(), or no more
 * @ring: the ring
 * @slow: whether; it stays so while the clock is not the time-stamp counter
 *
 * Context: any, on the ring's CPU or while nobody writes to it.
 */
void lkst_ring_slow(struct lkst_ring *ring, bool slow)
{
	if (!static_key_enabled(&lkst_clock_tsc))
		slow = true;
	WRITE_ONCE(ring->fit, slow ? 0 : ring_room(ring));
}

NOKPROBE_SYMBOL(lkst_ring_slow);

/**
 * lkst_ring_packet() - Find a packet
 * @ring: the ring
 * @seq: the packet's full number
 *
 * Return: where it lies; the memory may hold a later packet already.
 */
struct lkst_packet *lkst_ring_packet(const struct lkst_ring *ring, u64 seq)
{
	u32 nr = seq & (ring->nr_packets - 1);
	const u64 *table = __va(ring->table[nr / LKST_TABLE_ENTRIES]);

	return __va(table[nr % LKST_TABLE_ENTRIES]);
}

NOKPROBE_SYMBOL(lkst_ring_packet);

static void packet_begin(struct lkst_ring *ring, u64 seq, u64 now)
{
	struct lkst_packet *packet = lkst_ring_packet(ring, seq);
	struct lkst_slot *slot = &ring->slot[seq & 1];
	u64 lap = 1 + (u32)seq / ring->nr_packets % LKST_RECORD_LAPS;

	WRITE_ONCE(packet->end, 0);
	WRITE_ONCE(packet->begin, now);
	packet->magic = LKST_PACKET_MAGIC;
	memcpy(packet->uuid, ring->uuid, LKST_UUID_SIZE);
	packet->stream = 0;
	packet->tid = lkst_ring_tid();
	packet->reserved = 0;
	packet->seq = seq;
	packet->cpu = ring->cpu;
	packet->spare = 0;
	packet->content_size = 0;
	packet->packet_size = (u64)ring->packet_size * 8;
	packet->discarded = READ_ONCE(ring->lost);
	WRITE_ONCE(slot->base, (unsigned long)packet);
	WRITE_ONCE(slot->lap, lap << 24);
}

NOKPROBE_SYMBOL(packet_begin);

static void packet_close(struct lkst_ring *ring, u64 seq, u64 pos, u64 now)
{
	struct lkst_packet *packet = lkst_ring_packet(ring, seq);

	packet->reserved = LKST_POS_RECORDS(pos);
	packet->content_size = (u64)LKST_POS_WORDS(pos) * 64;
	/* What an NMI has lost since is the next packet's: the count never falls. */
	packet->discarded = lkst_ring_packet(ring, seq + 1)->discarded;
	WRITE_ONCE(ring->closed, ring->closed + LKST_POS_RECORDS(pos));
	/* Pairs with the acquire in lkst_ring_closed(). */
	smp_store_release(&packet->end, now);
}

NOKPROBE_SYMBOL(packet_close);

/* May packet number @seq be begun? */
static bool packet_is_free(const struct lkst_ring *ring, u64 seq)
{
	u64 oldest = READ_ONCE(ring->oldest);

	/* A lap of nested records stops short of what is not finished. */
	if (oldest && (u32)seq - (u32)(oldest - 1) >= ring->nr_packets)
		return false;
	if (!(ring->flags & LKST_RING_DISCARD))
		return true;
	/* Pairs with the release in lkst_ring_consume(). */
	return seq - smp_load_acquire(&ring->read) < ring->nr_packets;
}

NOKPROBE_SYMBOL(packet_is_free);

/*
 * Begin the next packet, and close the current one. Interrupts are off, so only
 * an NMI nests; it may still add to the current packet until the position has
 * moved, and finds the right slot on either side of that.
 */
static void packet_next(struct lkst_ring *ring)
{
	u64 seq = ring->packets + 1;
	u64 overwritten = 0, pos, now;

	if (seq >= ring->limit + ring->nr_packets) {
		WRITE_ONCE(ring->limit, seq - ring->nr_packets + 1);
		/* Pairs with the rmb in lkst_ring_copy(). */
		smp_wmb();
		if (!(ring->flags & LKST_RING_DISCARD))
			overwritten = lkst_ring_packet(ring, seq)->reserved;
	}
	do {
		pos = READ_ONCE(ring->pos);
		now = ring_clock(ring);
		packet_begin(ring, seq, now);
		barrier();
	} while (!try_cmpxchg_local(&ring->pos, &pos,
				    LKST_POS(seq, LKST_PACKET_WORDS, 0)));
	WRITE_ONCE(ring->packets, seq);
	WRITE_ONCE(ring->overwritten, ring->overwritten + overwritten);
	packet_close(ring, seq - 1, pos, now);
}

NOKPROBE_SYMBOL(packet_next);

/*
 * Make room for @words in the ring. Return: false if there is none to be had.
 *
 * An NMI that needs a switch while one is under way loses its record: whatever it
 * interrupted must come first.
 */
static bool ring_switch(struct lkst_ring *ring, u32 words)
{
	bool ok = true, switched = false;
	unsigned long flags;

	raw_local_irq_save(flags);
	if (READ_ONCE(ring->switching)) {
		raw_local_irq_restore(flags);
		return false;
	}
	WRITE_ONCE(ring->switching, 1);
	barrier();
	/* A writer that nested may have switched already. */
	if (LKST_POS_WORDS(READ_ONCE(ring->pos)) + words > ring_room(ring)) {
		ok = packet_is_free(ring, ring->packets + 1);
		if (ok) {
			packet_next(ring);
			switched = true;
		}
	}
	barrier();
	WRITE_ONCE(ring->switching, 0);
	raw_local_irq_restore(flags);
	if (switched)
		lkst_ring_wake();
	return ok;
}

NOKPROBE_SYMBOL(ring_switch);

/**
 * lkst_ring_reserve_slow() - Make room for a record, whatever that takes
 * @ring: the ring of this CPU
 * @id: number of the event
 * @words: length of the record in words of 8 bytes, header included
 * @resv: for lkst_ring_commit(); its payload has @words - 1 words
 *
 * What lkst_ring_try() does, and all that it leaves out.
 *
 * Context: any, preemption off.
 * Return: false when the record is lost.
 */
bool lkst_ring_reserve_slow(struct lkst_ring *ring, u32 id, u32 words,
			    struct lkst_resv *resv)
{
	u64 outer = READ_ONCE(ring->oldest);
	u64 pos, word, lap, first;
	u32 offset, length;
	u64 *header;
	bool extended;

	if (!outer)
		WRITE_ONCE(ring->oldest, (READ_ONCE(ring->pos) >> 32) + 1);
	barrier();
	resv->ring = ring;
	resv->outer = outer;
	for (;;) {
		const struct lkst_slot *slot;

		pos = READ_ONCE(ring->pos);
		offset = LKST_POS_WORDS(pos);
		slot = &ring->slot[pos >> 32 & 1];
		header = (u64 *)(unsigned long)READ_ONCE(slot->base) + offset;
		lap = READ_ONCE(slot->lap);
		word = READ_ONCE(*header);
		if (READ_ONCE(ring->pos) != pos)
			continue;
		resv->time = ring_clock(ring);
		extended = (resv->time - READ_ONCE(ring->last)) >> 32;
		length = words + extended;
		if (offset + length > ring_room(ring)) {
			if (ring_switch(ring, length))
				continue;
			count_up(&ring->lost, 1);
			/* Pairs with the acquire in packet_complete(). */
			smp_store_release(&ring->oldest, outer);
			return false;
		}
		first = lap | (u64)length << 16;
		if (extended)
			first |= LKST_ID_EXTENDED | (u64)id << 32;
		else
			first |= id | resv->time << 32;
		if (try_cmpxchg_local(header, &word, first) &&
		    try_cmpxchg_local(&ring->pos, &pos,
				      pos + ((u64)length << 16 | 1)))
			break;
	}
	resv->header = header;
	resv->payload = header + 1 + extended;
	if (extended)
		WRITE_ONCE(header[1], resv->time);
	return true;
}

NOKPROBE_SYMBOL(lkst_ring_reserve_slow);

/**
 * lkst_ring_start() - Begin the first packet of a ring
 * @ring: a ring whose flags, nr_packets, packet_size, uuid and table are set
 * @first: number of its first packet: 0, but for tests
 *
 * Context: before the ring is used.
 */
void lkst_ring_start(struct lkst_ring *ring, u64 first)
{
	ring->magic = LKST_RING_MAGIC;
	lkst_ring_slow(ring, false);
	ring->packets = first;
	ring->limit = first;
	ring->read = first;
	ring->last = lkst_clock(ring);
	packet_begin(ring, first, ring->last);
	/* Without a packet before it, the other slot must lead somewhere. */
	ring->slot[(first + 1) & 1] = ring->slot[first & 1];
	ring->pos = LKST_POS((u32)first, LKST_PACKET_WORDS, 0);
}

/**
 * lkst_ring_current() - Number of the packet that is being written
 * @ring: the ring
 *
 * Context: any CPU.
 * Return: its full number, of which the position holds the low half.
 */
u64 lkst_ring_current(const struct lkst_ring *ring)
{
	u64 packets = READ_ONCE(ring->packets);

	return packets + (s32)(LKST_POS_PACKET(READ_ONCE(ring->pos)) - (u32)packets);
}

/**
 * lkst_ring_closed() - Was a packet closed?
 * @ring: the ring
 * @seq: the packet's number
 *
 * Return: true if it was, or has been overwritten since.
 */
bool lkst_ring_closed(const struct lkst_ring *ring, u64 seq)
{
	const struct lkst_packet *packet = lkst_ring_packet(ring, seq);

	if (seq >= lkst_ring_current(ring))
		return false;
	/* Pairs with the release in packet_close(). */
	return smp_load_acquire(&packet->end) >= READ_ONCE(packet->begin) ||
	       seq < READ_ONCE(ring->limit);
}

/* Are all records of a closed packet finished? */
static bool packet_complete(const struct lkst_ring *ring, u64 seq)
{
	/* Pairs with the release in lkst_ring_commit(). */
	u64 oldest = smp_load_acquire(&ring->oldest);

	return !oldest || (s32)((u32)(oldest - 1) - (u32)seq) > 0;
}

/* Was packet @seq spared while it was copied? */
static bool packet_is_spared(const struct lkst_ring *ring, u64 seq)
{
	/* Pairs with the wmb in packet_next(). */
	smp_rmb();
	return READ_ONCE(ring->limit) <= seq;
}

/**
 * lkst_ring_copy() - Copy a closed packet
 * @ring: the ring
 * @seq: the packet's number
 * @copy: room for a whole packet
 *
 * Context: any CPU; it never disturbs the writer.
 * Return: 0, -EAGAIN while the packet is open or holds an unfinished record, or
 * -ESTALE when the writer has overtaken the copy.
 */
int lkst_ring_copy(const struct lkst_ring *ring, u64 seq,
		   struct lkst_packet *copy)
{
	if (!lkst_ring_closed(ring, seq) || !packet_complete(ring, seq))
		return READ_ONCE(ring->limit) > seq ? -ESTALE : -EAGAIN;
	/* Whether the writer overtook it is looked at after that. */
	data_race(memcpy(copy, lkst_ring_packet(ring, seq), ring->packet_size));
	if (!packet_is_spared(ring, seq) || copy->seq != seq)
		return -ESTALE;
	return 0;
}

/**
 * lkst_ring_copy_open() - Copy the packet that is being written
 * @ring: the ring
 * @copy: room for a whole packet
 *
 * The copy has end and content size filled in, and what is not finished patched.
 *
 * Context: any CPU; it never disturbs the writer.
 * Return: 0, or -ESTALE when the writer has overtaken the copy.
 */
int lkst_ring_copy_open(const struct lkst_ring *ring, struct lkst_packet *copy)
{
	/*
	 * Pairs with the release of a writer's oldest: all headers that this
	 * position covers are in place.
	 */
	u64 pos = smp_load_acquire(&ring->pos);
	u64 packets = READ_ONCE(ring->packets);
	u64 seq = packets + (s32)(LKST_POS_PACKET(pos) - (u32)packets);
	const u64 *from = (const u64 *)lkst_ring_packet(ring, seq);
	u32 words = LKST_POS_WORDS(pos), i;
	u64 *to = (u64 *)copy;

	/*
	 * Each word after the one before it: a header that says finished comes
	 * before its payload. Pairs with the release in lkst_ring_commit().
	 */
	for (i = 0; i < words; i++)
		to[i] = data_race(smp_load_acquire(&from[i]));	/* see above */
	if (!packet_is_spared(ring, seq) || copy->seq != seq)
		return -ESTALE;
	copy->reserved = LKST_POS_RECORDS(pos);
	copy->content_size = (u64)words * 64;
	copy->discarded = READ_ONCE(ring->lost);
	lkst_packet_patch(copy, words, &copy->end);
	return 0;
}

/**
 * lkst_ring_consume() - Give a packet back to a ring that discards
 * @ring: the ring
 * @seq: the packet's number, next after the one consumed before
 * @records: records in it
 *
 * Context: the ring's one reader.
 */
void lkst_ring_consume(struct lkst_ring *ring, u64 seq, u32 records)
{
	WRITE_ONCE(ring->consumed, ring->consumed + records);
	/* Pairs with the acquire in packet_is_free(). */
	smp_store_release(&ring->read, seq + 1);
}

/*
 * Turn an unfinished record of a copy into one that any reader understands. The
 * second word of the extended form may not have been written yet; whatever
 * follows it in the packet nested in it, and brings its own full time.
 */
static void record_patch(u64 *record, u32 length, u64 last)
{
	bool extended = LKST_RECORD_ID(record[0]) == LKST_ID_EXTENDED;
	u32 id = extended ? record[0] >> 32 : LKST_RECORD_ID(record[0]);
	u32 words = 1 + extended;

	if (length < words)
		return;
	if (extended)
		record[1] = last;
	if (length == words)
		return;
	record[0] |= LKST_RECORD_FINISHED;
	if (extended) {
		record[0] = (u32)record[0] | (u64)LKST_ID_UNFINISHED << 32;
	} else {
		record[0] &= ~0xffffull;
		record[0] |= LKST_ID_UNFINISHED;
	}
	record[words] = id | (u64)(length - words - 1) * 8 << 32;
}

/**
 * lkst_packet_patch() - Make a copy of a packet readable to the end
 * @packet: the copy
 * @words: words in use, header included
 * @last: set to the time of the last record, in ticks, or of the packet's begin
 *
 * Every unfinished record is overwritten in place as lkst/unfinished, of the
 * same length. A chain that is broken ends there.
 *
 * Return: number of unfinished records.
 */
u32 lkst_packet_patch(struct lkst_packet *packet, u32 words, u64 *last)
{
	u64 *word = (u64 *)packet;
	u32 i, length, unfinished = 0;
	u64 time = packet->begin;

	for (i = LKST_PACKET_WORDS; i < words; i += length) {
		length = LKST_RECORD_WORDS(word[i]);
		if (!length || length > words - i)
			break;
		if (!(word[i] & LKST_RECORD_FINISHED)) {
			record_patch(&word[i], length, time);
			unfinished++;
		}
		if (LKST_RECORD_ID(word[i]) == LKST_ID_EXTENDED && length > 1)
			time = word[i + 1];
		else
			time += (u32)(LKST_RECORD_TIME(word[i]) - (u32)time);
	}
	*last = time;
	return unfinished;
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/ring_kunit.h"
#endif
