/* SPDX-License-Identifier: GPL-2.0 */
/* Packets and the records in them, whatever they were read from. */
#ifndef LKST_PACKET_H
#define LKST_PACKET_H

#include "util.h"
#include "linux/lkst.h"

struct metadata;

/* One record, as it lies in its packet. */
struct record {
	u64 time;
	const u8 *payload;
	u64 head;		/* its first word */
	u32 size;		/* bytes of the payload */
	u32 id;
};

/* A record's lap, and whether it is finished. */
#define RECORD_STATE	(LKST_RECORD_FINISHED | LKST_RECORD_LAPS << 24)

/* Words of the whole record. */
static inline u32 record_words(const struct record *r)
{
	return LKST_RECORD_WORDS(r->head);
}

static inline bool record_finished(const struct record *r)
{
	return r->head & LKST_RECORD_FINISHED;
}

/**
 * record_parse() - Read the record at a place in a packet
 * @word: its header
 * @end: of the packet's content
 * @before: time of the record before it, or of the packet's begin
 * @r: filled in; its time only if there is one
 *
 * An unfinished extended record may lack its time, so its time is not checked
 * here.
 *
 * Return: the word behind it; NULL when there is no record of a length that can be.
 */
static inline const u64 *record_parse(const u64 *word, const u64 *end, u64 before,
				      struct record *r)
{
	u64 w, time;
	const u64 *next;
	u32 id;

	if (word >= end)
		return NULL;
	w = *word;
	next = word + LKST_RECORD_WORDS(w);
	if (next == word++ || next > end)
		return NULL;
	id = LKST_RECORD_ID(w);
	if (id != LKST_ID_EXTENDED) {
		time = before + (u32)(LKST_RECORD_TIME(w) - (u32)before);
	} else {
		if (next == word)
			return NULL;
		id = LKST_RECORD_TIME(w);
		time = *word++;
	}
	r->time = time;
	r->payload = (const u8 *)word;
	r->head = w;
	r->size = (const u8 *)next - r->payload;
	r->id = id;
	return next;
}

/**
 * struct packet_facts - what is known of a packet from outside of it
 * @uuid: what it must carry, or NULL
 * @know_place: @cpu and @seq are what it must say
 * @closed: its ring says that it was closed
 * @lap: what its records must carry, or 0
 * @bytes: that could be read of it; the rest of the copy is zero
 * @packet_size: bytes that it must say it has, or 0
 * @open_words: end of its content if it is the ring's current packet, else 0
 * @after: end of the packet before it, or 0
 * @next_begin: begin of the packet after it, or 0
 * @know_lost: @lost_before and @lost_most are bounds of how many records were lost
 * @lost: records that its ring has lost so far, or 0
 * @lost_before: up to the packet before it
 * @lost_most: that its ring can have lost so far
 * @metadata: what its records have to agree with, or NULL
 */
struct packet_facts {
	const u8 *uuid;
	bool know_place;
	bool closed;
	bool know_lost;
	u32 cpu;
	u64 seq;
	u32 lap;
	u32 bytes;
	u32 packet_size;
	u32 open_words;
	u64 after;
	u64 next_begin;
	u64 lost;
	u64 lost_before;
	u64 lost_most;
	const struct metadata *metadata;
};

/* What became of a packet. */
struct packet_result {
	u32 records;		/* in the packet as it is now */
	u32 unfinished;		/* of them, overwritten as lkst/unfinished */
	u32 strange;		/* finished, but of no event: the same was done */
	u32 words;		/* of content */
	bool cut;		/* records of its end were dropped: see why */
	bool odd;		/* its header is wrong, but all was read: see why */
	char why[96];
};

/**
 * packet_finish() - Make the copy of a packet fit to be read by anyone
 * @p: the copy, of @facts->bytes and zeros
 * @facts: what is known of it
 * @res: filled in
 *
 * An open packet gets its end time, content size, counts; an unfinished record,
 * or one that is not as the metadata says, is overwritten in place as
 * lkst/unfinished; the content ends before the first record that makes no sense.
 * Nothing else is changed, so a complete packet stays as it is.
 *
 * Return: false when it is not a packet, or not the one looked for; @res->why
 * says why.
 */
bool packet_finish(struct lkst_packet *p, const struct packet_facts *facts,
		   struct packet_result *res);

/**
 * packet_seems_sound() - Look whether packet_finish() can wait
 * @p: the packet
 * @facts: what is known of it
 *
 * Return: true if it is the packet that was looked for, and closed, and its first record
 * is sound. Then packet_finish() does nothing until a record is unsound: of another lap,
 * not finished, or of a time or length that cannot be.
 */
bool packet_seems_sound(const struct lkst_packet *p, const struct packet_facts *facts);

/* The size that a packet claims, in bytes, or 0 if that cannot be. */
u32 packet_bytes(const struct lkst_packet *p);

/* Write bytes as hexadecimal text, which takes twice as many and a NUL. */
void hex_text(const u8 *bytes, size_t n, char *text);

/* Write a uuid as text; @text has room for 37 bytes. */
void uuid_text(const u8 *uuid, char *text);

/* The uuid that a text begins with; false if that is none. */
bool uuid_parse(const char *text, u8 *uuid);

#endif /* LKST_PACKET_H */
