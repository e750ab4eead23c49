// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "metadata.h"

static_assert(sizeof(struct lkst_packet) == 88, "packet header has a hole");

/*
 * The time word of an unfinished extended record may be what an earlier lap
 * left in its place. It is believed when it is not before the record before it
 * and at most this many ticks after it, about 8 hours at 2.4 GHz.
 */
#define EXTENDED_STEP_MAX	BIT_ULL(46)

/* More records than can nest in one. */
#define NESTED_MAX		64

/* Where packet_finish() is in a packet. */
struct finish {
	u64 *word;
	u32 at;			/* word of the next record */
	u32 end;		/* word after the last that can be used */
	u32 lap;
	const struct metadata *metadata;
	u64 time;		/* of the record before */
	u64 latest;		/* time that no record is above */
	const char *stop;	/* why the chain ends before @end */
};

u32 packet_bytes(const struct lkst_packet *p)
{
	u64 bytes = p->packet_size / 8;

	if (p->packet_size % 8 || !is_power_of_2(bytes) ||
	    bytes < LKST_PACKET_MIN || bytes > LKST_PACKET_MAX)
		return 0;
	return bytes;
}

void hex_text(const u8 *bytes, size_t n, char *text)
{
	*text = 0;
	for (; n--; text += 2)
		sprintf(text, "%02x", *bytes++);
}

void uuid_text(const u8 *uuid, char *text)
{
	int i;

	for (i = 0; i < LKST_UUID_SIZE; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*text++ = '-';
		text += sprintf(text, "%02x", uuid[i]);
	}
}

bool uuid_parse(const char *text, u8 *uuid)
{
	int i;

	for (i = 0; i < LKST_UUID_SIZE; i++, text += 2) {
		text += *text == '-';
		if (sscanf(text, "%2hhx", &uuid[i]) != 1 || !text[1])
			return false;
	}
	return true;
}

static bool is_open(const struct lkst_packet *p)
{
	return p->end < p->begin || !p->content_size;
}

static bool check_header(const struct lkst_packet *p,
			 const struct packet_facts *f, char *why, size_t room)
{
	u32 bytes = packet_bytes(p);

	if (f->bytes < sizeof(*p))
		snprintf(why, room, "not in the file");
	else if (p->magic != LKST_PACKET_MAGIC || p->stream)
		snprintf(why, room, "no packet header in its place");
	else if (!bytes || (f->packet_size && f->packet_size != bytes))
		snprintf(why, room, "impossible packet size, %llu bits",
			 p->packet_size);
	else if (f->uuid && memcmp(f->uuid, p->uuid, LKST_BOOT_ID_SIZE))
		snprintf(why, room, "it is of another boot");
	else if (f->uuid && memcmp(f->uuid, p->uuid, LKST_UUID_SIZE))
		snprintf(why, room, "it is of another buffer");
	else if (f->know_place && p->cpu != f->cpu)
		snprintf(why, room, "it says that it is of cpu %u", p->cpu);
	else if (f->know_place && p->seq != f->seq)
		snprintf(why, room, "it says that its number is %llu", p->seq);
	else if (p->begin < f->after)
		snprintf(why, room, "it begins before the end of the one before");
	else if (!is_open(p) && (p->content_size % 64 ||
				 p->content_size < sizeof(*p) * 8 ||
				 p->content_size > p->packet_size))
		snprintf(why, room, "impossible content size, %llu bits",
			 p->content_size);
	else
		return true;
	return false;
}

/*
 * Where the content ends at the latest. A packet that a switch was just closing
 * has no end yet, and perhaps not its content size: then its records end where
 * the chain does.
 */
static u32 content_words(const struct lkst_packet *p,
			 const struct packet_facts *f, bool *exact)
{
	u32 room = packet_bytes(p) / 8;

	*exact = true;
	if (f->open_words >= LKST_PACKET_WORDS && f->open_words <= room)
		return f->open_words;
	if (p->content_size && !(p->content_size % 64) &&
	    p->content_size >= sizeof(*p) * 8 &&
	    p->content_size <= p->packet_size)
		return p->content_size / 64;
	*exact = false;
	return room;
}

/* Is the time of an unfinished extended record missing? */
static bool time_is_missing(const struct finish *c, const struct record *r)
{
	u32 at = c->at + record_words(r);
	struct record next;
	int n;

	if (r->time < c->time || r->time > c->latest ||
	    r->time - c->time > EXTENDED_STEP_MAX)
		return true;
	/* Records that nested in this one are extended, and later. */
	for (n = 0; n < NESTED_MAX; n++, at += record_words(&next)) {
		if (!record_parse(c->word + at, c->word + c->end, 0, &next))
			break;
		if (record_finished(&next) && next.payload == (u8 *)(c->word + at + 2))
			return r->time > next.time;
	}
	return false;
}

/*
 * Overwrite a record as lkst/unfinished of the same length, as the kernel does in
 * its copies. One that has no room for that stays as it is.
 */
static void patch_record(u64 *word, const struct record *r)
{
	u32 body[2] = { r->id, r->size - sizeof(body) };

	if (!r->size)
		return;
	*word |= LKST_RECORD_FINISHED;
	if (LKST_RECORD_ID(*word) == LKST_ID_EXTENDED)
		*word = (u32)*word | (u64)LKST_ID_UNFINISHED << 32;
	else
		*word = (*word & ~0xffffull) | LKST_ID_UNFINISHED;
	memcpy((u8 *)r->payload, body, sizeof(body));
}

/* Check the record at hand, and finish it. Return false at the chain's end. */
static bool step(struct finish *c, struct packet_result *res)
{
	u64 *word = c->word + c->at;
	struct record r;
	u32 lap;

	if (!record_parse(word, c->word + c->end, c->time, &r)) {
		c->stop = "a record of impossible length";
		return false;
	}
	lap = LKST_RECORD_LAP(*word);
	if (!c->lap)
		c->lap = lap;
	if (!lap || lap != c->lap) {
		c->stop = "a word that is no record of this lap";
		return false;
	}
	if (!record_finished(&r) && r.payload == (u8 *)(word + 2) &&
	    time_is_missing(c, &r)) {
		word[1] = c->time;
		r.time = c->time;
	}
	if (r.time < c->time || r.time > c->latest) {
		c->stop = "a record whose time cannot be";
		return false;
	}
	if (!record_finished(&r)) {
		patch_record(word, &r);
		res->unfinished++;
	} else if (c->metadata && !record_fits(c->metadata, &r)) {
		if (!r.size) {
			c->stop = "a record of no event";
			return false;
		}
		patch_record(word, &r);
		res->strange++;
	}
	c->time = r.time;
	c->at += record_words(&r);
	res->records++;
	return true;
}

/* Give an open packet what the kernel stores when it closes one. */
static void close_packet(struct lkst_packet *p, const struct finish *c,
			 const struct packet_facts *f, u32 records)
{
	p->end = f->next_begin ? f->next_begin : c->time;
	p->reserved = records;
	p->discarded = max(p->discarded, f->lost);
}

/*
 * What a closed packet of a ring says of itself has to agree with what is in it
 * and with the packet after it. Only its end time has to be mended then: it
 * would put the next packet out of order.
 */
static void check_closed(struct lkst_packet *p, const struct finish *c,
			 const struct packet_facts *f, bool open,
			 struct packet_result *res)
{
	res->odd = true;
	if (open)
		snprintf(res->why, sizeof(res->why), "it has no end time");
	else if (p->reserved != res->records)
		snprintf(res->why, sizeof(res->why),
			 "it says that it has %u records, not %u", p->reserved,
			 res->records);
	else if (f->next_begin && p->end > f->next_begin &&
		 c->time <= f->next_begin)
		snprintf(res->why, sizeof(res->why),
			 "it ends after the next one begins");
	else
		res->odd = false;
	if (!open && f->next_begin && p->end > f->next_begin &&
	    c->time <= f->next_begin)
		p->end = f->next_begin;
}

/* The count of lost records never falls: a reader would take that for a huge one. */
static void check_lost(struct lkst_packet *p, const struct packet_facts *f,
		       struct packet_result *res)
{
	if (!f->know_lost ||
	    (p->discarded >= f->lost_before && p->discarded <= f->lost_most))
		return;
	if (!res->cut && !res->odd)
		snprintf(res->why, sizeof(res->why),
			 "it says that %llu records were lost, which cannot be",
			 p->discarded);
	res->odd = true;
	p->discarded = f->lost_before;
}

bool packet_seems_sound(const struct lkst_packet *p, const struct packet_facts *f)
{
	const u64 *word = (const u64 *)p + LKST_PACKET_WORDS;
	const u64 *end = (const u64 *)p + p->content_size / 64;
	struct record r;
	char why[96];

	if (!check_header(p, f, why, sizeof(why)) || is_open(p))
		return false;
	if (word == end)
		return true;
	return record_parse(word, end, p->begin, &r) && LKST_RECORD_LAP(r.head) &&
	       record_finished(&r) && r.time >= p->begin && r.time <= p->end;
}

bool packet_finish(struct lkst_packet *p, const struct packet_facts *f,
		   struct packet_result *res)
{
	struct finish c = {
		.word = (u64 *)p,
		.at = LKST_PACKET_WORDS,
		.metadata = f->metadata,
	};
	bool open, exact;
	u32 end;

	memset(res, 0, sizeof(*res));
	if (!check_header(p, f, res->why, sizeof(res->why)))
		return false;
	open = is_open(p);
	end = content_words(p, f, &exact);
	c.end = min(end, f->bytes / 8);
	c.lap = f->lap;
	c.time = p->begin;
	c.latest = !open ? p->end : f->next_begin ? f->next_begin : ~0ull;
	while (c.at < c.end && step(&c, res))
		;
	if (!c.stop && c.end < end)
		c.stop = "the end of what the file holds";
	if (c.stop && exact) {
		res->cut = true;
		snprintf(res->why, sizeof(res->why), "at byte %u is %s",
			 c.at * 8, c.stop);
		if (!res->records)
			return false;
	}
	if (f->closed && !res->cut)
		check_closed(p, &c, f, open, res);
	check_lost(p, f, res);
	if (open)
		close_packet(p, &c, f, res->records);
	if (open || res->cut)
		p->content_size = c.at * 64ull;
	res->words = c.at;
	return true;
}
