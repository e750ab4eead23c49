// SPDX-License-Identifier: GPL-2.0
/*
 * What a reader must find, at every instant: it trusts only what the ring says
 * is complete, and the open packet through lkst_ring_copy_open().
 */
#include <errno.h>
#include <string.h>
#include <linux/sched.h>

#include "world.h"

/* Half of the payload is what fresh memory is, too. */
u64 check_payload(u32 record, u32 word)
{
	return record % 2 ? 0 : 0x5aull << 56 | record << 8 | word;
}

static const struct lkst_packet *packet_at(u64 seq)
{
	return (const struct lkst_packet *)w.memory[seq % setup->packets];
}

static void check_header(const struct lkst_packet *copy, u64 seq)
{
	if (copy->magic != LKST_PACKET_MAGIC || copy->stream || copy->seq != seq ||
	    copy->cpu != ring.cpu || copy->tid != (u32)current->pid ||
	    copy->packet_size != (u64)ring.packet_size * 8 ||
	    memcmp(copy->uuid, ring.uuid, sizeof(ring.uuid)))
		world_fail("packet %llu: header", seq);
	if (copy->content_size % 64 || copy->content_size > copy->packet_size)
		world_fail("packet %llu: content size", seq);
}

/* The record's time as a CTF reader makes it out, after one at @time. */
static u64 decode_time(const u64 *word, u64 time)
{
	if (LKST_RECORD_ID(*word) == LKST_ID_EXTENDED)
		return word[1];
	return time + (u32)(LKST_RECORD_TIME(*word) - (u32)time);
}

static void check_finished(const u64 *word, u32 id, u64 time)
{
	const struct record *record = &w.record[id];
	bool extended = LKST_RECORD_ID(*word) == LKST_ID_EXTENDED;
	u32 event = extended ? *word >> 32 : LKST_RECORD_ID(*word), i;

	if (!(*word & LKST_RECORD_FINISHED))
		world_fail("record %u: finished, and does not say so", id);
	if (event != 1 + id || extended != record->length - record->words)
		world_fail("record %u: event %u", id, event);
	if (time != record->time)
		world_fail("record %u: time %llu instead of %llu", id, time, record->time);
	for (i = 0; i < record->words - 1u; i++)
		if (word[1 + extended + i] != check_payload(id, i))
			world_fail("record %u: payload overwritten", id);
}

/* As lkst_packet_patch() leaves it. */
static void check_patched(const u64 *word, u32 id)
{
	const struct record *record = &w.record[id];
	u32 extended = record->length > record->words;
	u32 event = extended ? *word >> 32 : LKST_RECORD_ID(*word);
	u64 first = word[1 + extended];

	if ((LKST_RECORD_ID(*word) == LKST_ID_EXTENDED) != !!extended)
		world_fail("record %u: patched into another form", id);
	if (record->words == 1) {
		if (event != 1 + id || *word & LKST_RECORD_FINISHED)
			world_fail("record %u: patched without room", id);
		return;
	}
	if (event != LKST_ID_UNFINISHED || !(*word & LKST_RECORD_FINISHED) ||
	    (u32)first != 1 + id || first >> 32 != (record->words - 2u) * 8)
		world_fail("record %u: patched wrong", id);
}

/* Every record lies where it was reserved; return: the last one's time. */
static u64 check_chain(const struct lkst_packet *copy, u64 seq, u32 words,
		       bool patched)
{
	const u64 *word = (const u64 *)copy;
	u32 lap = 1 + (u32)seq / setup->packets % LKST_RECORD_LAPS;
	u64 time = copy->begin, last;
	u32 i, id, count = 0;

	for (i = LKST_PACKET_WORDS; i < words; i += LKST_RECORD_WORDS(word[i])) {
		id = w.at[seq % HISTORY][i];
		if (!id || w.record[id].seq != seq || w.record[id].offset != i)
			world_fail("packet %llu: no record at %u", seq, i);
		if (LKST_RECORD_WORDS(word[i]) != w.record[id].length)
			world_fail("record %u: length", id);
		if (LKST_RECORD_LAP(word[i]) != lap)
			world_fail("record %u: lap", id);
		last = time;
		time = decode_time(&word[i], time);
		if (time < last || time - copy->begin > 1ull << 62)
			world_fail("record %u: time goes back", id);
		if (w.record[id].state == RECORD_DONE)
			check_finished(&word[i], id, time);
		else if (patched)
			check_patched(&word[i], id);
		else
			world_fail("record %u: pending in a complete packet", id);
		count++;
	}
	if (i != words || count != copy->reserved)
		world_fail("packet %llu: ends at %u of %u, %u of %u records", seq, i,
			   words, count, copy->reserved);
	return time;
}

/**
 * check_copy() - Check a copy of a packet
 * @copy: the copy
 * @seq: the packet's number
 * @patched: it was open, or not complete
 */
void check_copy(const struct lkst_packet *copy, u64 seq, bool patched)
{
	u32 words = copy->content_size / 64;
	u64 last;

	check_header(copy, seq);
	last = check_chain(copy, seq, words, patched);
	if (copy->end < last || copy->end < copy->begin)
		world_fail("packet %llu: ends before its last record", seq);
	if (patched)
		return;
	/* A packet is left when a record does not fit, so none is empty. */
	if (!copy->reserved)
		world_fail("packet %llu: empty", seq);
	if (words != w.end[seq % HISTORY])
		world_fail("packet %llu: content size", seq);
}

/* A closed packet in which something is still being written. */
static void check_incomplete(u64 seq)
{
	u64 copy[WORDS_MAX];
	struct lkst_packet *packet = (struct lkst_packet *)copy;
	u64 last;

	if (!w.depth)
		world_fail("packet %llu: not complete, and nobody writes", seq);
	memcpy(copy, packet_at(seq), ring.packet_size);
	if (packet->end < packet->begin) {
		if (!ring.switching)
			world_fail("packet %llu: never closed", seq);
		return;
	}
	lkst_packet_patch(packet, packet->content_size / 64, &last);
	check_copy(packet, seq, true);
}

static void check_open(void)
{
	u64 copy[WORDS_MAX];
	struct lkst_packet *packet = (struct lkst_packet *)copy;
	int err;

	if (w.open != lkst_ring_current(&ring))
		world_fail("the current packet's number");
	err = lkst_ring_copy_open(&ring, packet);
	if (err)
		world_fail("packet %llu: open copy gives %d", w.open, err);
	check_copy(packet, w.open, true);
	if (packet->content_size / 64 != w.end[w.open % HISTORY])
		world_fail("packet %llu: open content size", w.open);
}

/* Nothing before this one is of any use to a reader. */
static u64 first_packet(void)
{
	u64 limit = ring.limit;

	return setup->discard && ring.read > limit ? ring.read : limit;
}

/* Return: records in closed packets that a reader can have. */
static u32 check_closed(void)
{
	u64 copy[WORDS_MAX], seq, begin = 0, discarded = 0;
	struct lkst_packet *packet = (struct lkst_packet *)copy;
	u32 records = 0;
	int err;

	for (seq = first_packet(); seq <= w.open; seq++) {
		const struct lkst_packet *at = packet_at(seq);

		if (at->discarded < discarded || at->discarded > ring.lost)
			world_fail("packet %llu: discarded goes back", seq);
		if (begin && at->begin < begin)
			world_fail("packet %llu: begins before the last one ends", seq);
		discarded = at->discarded;
		begin = at->begin;
		if (seq == w.open)
			break;
		err = lkst_ring_copy(&ring, seq, packet);
		if (!err) {
			check_copy(packet, seq, false);
			begin = packet->end;
			records += packet->reserved;
		} else if (err == -EAGAIN) {
			check_incomplete(seq);
		} else {
			world_fail("packet %llu: copy gives %d", seq, err);
		}
	}
	return records;
}

/**
 * check_ring() - Check all that a reader could see at this instant
 */
void check_ring(void)
{
	bool quiet = w.quiet;

	w.quiet = true;
	check_closed();
	check_open();
	w.quiet = quiet;
}

/**
 * check_end() - Check what is left when all writers are done
 *
 * hits == reserved + lost, and reserved == readable + consumed + overwritten.
 */
void check_end(void)
{
	u32 readable;

	w.quiet = true;
	readable = check_closed() + LKST_POS_RECORDS(ring.pos);
	check_open();
	if (ring.oldest || ring.switching || w.irqs_off)
		world_fail("state left behind");
	if (ring.lost != w.lost || w.hits != w.reserved + w.lost)
		world_fail("accounting: %u hits, %u reserved, %llu lost", w.hits,
			   w.reserved, ring.lost);
	if (ring.closed + LKST_POS_RECORDS(ring.pos) != w.reserved)
		world_fail("accounting: %llu closed", ring.closed);
	if (w.reserved != readable + ring.consumed + ring.overwritten)
		world_fail("accounting: %u reserved, %u readable, %llu consumed, %llu overwritten",
			   w.reserved, readable, ring.consumed, ring.overwritten);
	w.quiet = false;
}
