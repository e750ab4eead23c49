// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "merge.h"

/* So many streams are kept sorted, which is faster then than a heap. */
#define SORTED_MAX	8u

/* One CPU, at an item that was not given out yet. */
struct stream {
	struct packet_source *src;
	const struct lkst_packet *packet;	/* NULL before the first, and after each */
	u32 at;			/* word in it */
	u32 end;
	u64 time;		/* of the record before */
	u32 tid;
	u64 seq;		/* of the packet that comes next */
	bool begun;
	bool waiting;		/* it has nothing now, and is not in the heap */
	u64 lost;
	struct merge_item item;
};

struct merge {
	struct trace *t;
	struct stream *stream;
	struct stream **heap;	/* the earliest is first; few are sorted */
	size_t nr;
	bool given;		/* the first of @heap was given out */
	u64 limit;		/* it stays the first while its time is below */
	u32 switch_id;		/* the event that tells which thread runs */
	u32 switch_at;		/* where it does */
	bool follow;
	u64 seen;		/* end of the latest packet read */
	u64 ready;		/* when following: all CPUs are known up to here */
};

static bool next_packet(struct merge *m, struct stream *s)
{
	const struct lkst_packet *p;

	if (!s->src->next(s->src))
		return false;
	p = s->src->packet;
	s->packet = p;
	s->end = p->content_size / 64;
	m->seen = max(m->seen, p->end);
	s->at = s->src->skip;
	if (s->at)
		return true;
	s->at = LKST_PACKET_WORDS;
	s->time = p->begin;
	s->tid = p->tid;
	return true;
}

/* Packets are missing before this one. */
static bool see_gap(struct stream *s)
{
	u64 seq = s->packet->seq, missing = seq > s->seq ? seq - s->seq : 0;

	s->item.kind = s->begun ? ITEM_GAP : ITEM_GONE;
	s->item.count = missing;
	s->item.time = s->packet->begin;
	s->begun = true;
	s->seq = seq + 1;
	return missing;
}

/* Records were lost up to the end of this packet. */
static bool see_lost(struct stream *s)
{
	u64 lost = s->packet->discarded, more = lost > s->lost ? lost - s->lost : 0;

	s->item.kind = ITEM_LOST;
	s->item.count = more;
	s->item.time = s->packet->end;
	s->lost = lost;
	s->packet = NULL;
	return more;
}

/* Another thread runs on the CPU after this record. */
static void follow_switch(const struct merge *m, struct stream *s)
{
	const struct record *r = &s->item.record;

	if (m->switch_at + sizeof(s->tid) <= r->size)
		memcpy(&s->tid, r->payload + m->switch_at, sizeof(s->tid));
}

static inline bool next_record(const struct merge *m, struct stream *s)
{
	struct merge_item *i = &s->item;

	if (!record_parse((const u64 *)s->packet + s->at, s->end - s->at, s->time,
			  &i->record))
		return false;
	s->at += i->record.words;
	s->time = i->record.time;
	i->kind = ITEM_RECORD;
	i->tid = s->tid;
	i->time = s->time;
	if (i->record.id == m->switch_id)
		follow_switch(m, s);
	return true;
}

static bool advance(struct merge *m, struct stream *s)
{
	for (;;) {
		if (s->packet && next_record(m, s))
			return true;
		if (s->packet && see_lost(s))
			return true;
		if (!next_packet(m, s))
			return false;
		if (see_gap(s))
			return true;
	}
}

static bool is_before(const struct stream *a, const struct stream *b)
{
	if (a->item.time != b->item.time)
		return a->item.time < b->item.time;
	return a->item.cpu < b->item.cpu;
}

static void sift_down(struct merge *m, size_t i)
{
	struct stream *s = m->heap[i];
	size_t child;

	for (; (child = 2 * i + 1) < m->nr; i = child) {
		if (child + 1 < m->nr &&
		    is_before(m->heap[child + 1], m->heap[child]))
			child++;
		if (!is_before(m->heap[child], s))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = s;
}

/* How long the first stays the first: to where the second one is. */
static void set_limit(struct merge *m)
{
	const struct stream *s;

	m->limit = m->nr ? ~0ull : 0;
	if (m->nr < 2)
		return;
	s = m->heap[1];
	if (m->nr > 2 && is_before(m->heap[2], s))
		s = m->heap[2];
	m->limit = s->item.time;
	if (m->heap[0]->item.cpu < s->item.cpu && m->limit != ~0ull)
		m->limit++;
}

static int by_time(const void *a, const void *b)
{
	const struct stream *const *x = a, *const *y = b;

	return is_before(*x, *y) ? -1 : is_before(*y, *x);
}

/* Order all anew. What is sorted is a heap too. */
static void order(struct merge *m)
{
	size_t i;

	if (m->nr <= SORTED_MAX)
		sort(m->heap, m->nr, sizeof(*m->heap), by_time);
	else
		for (i = m->nr / 2; i-- > 0;)
			sift_down(m, i);
	set_limit(m);
}

/* Which thread runs is told by a number of four bytes at a fixed place. */
static void find_switch(struct merge *m)
{
	const struct event *e;
	u32 id, i;

	m->switch_id = ~0u;
	for (id = 0; id < m->t->metadata->nr_events; id++) {
		e = metadata_event(m->t->metadata, id);
		for (i = 0; e && e->role == ROLE_SWITCH && i < e->nr_fields; i++) {
			if (strcmp(e->fields[i].name, "next_tid") ||
			    e->fields[i].size != sizeof(m->stream->tid) ||
			    e->fields[i].at == FIELD_MOVES)
				continue;
			m->switch_id = id;
			m->switch_at = e->fields[i].at;
		}
	}
}

/* Let those that have nothing look for more. */
static void awaken(struct merge *m)
{
	size_t i;

	for (i = 0; i < m->t->nr; i++) {
		struct stream *s = &m->stream[i];

		if (!s->waiting || !advance(m, s))
			continue;
		s->waiting = false;
		m->heap[m->nr++] = s;
	}
	order(m);
}

struct merge *merge_new(struct trace *t, bool follow)
{
	struct merge *m = xcalloc(1, sizeof(*m));
	size_t i;

	m->t = t;
	m->follow = follow;
	m->stream = xcalloc(t->nr, sizeof(*m->stream));
	m->heap = xcalloc(t->nr, sizeof(*m->heap));
	find_switch(m);
	for (i = 0; i < t->nr; i++) {
		m->stream[i].src = t->source[i];
		m->stream[i].item.cpu = t->source[i]->cpu;
		m->stream[i].waiting = true;
	}
	awaken(m);
	return m;
}

/* The first may not be the first any more. */
static void reorder(struct merge *m)
{
	struct stream *s = m->heap[0];
	size_t i = 0;

	if (m->nr > SORTED_MAX) {
		sift_down(m, 0);
	} else if (m->nr) {
		for (; i + 1 < m->nr && is_before(m->heap[i + 1], s); i++)
			m->heap[i] = m->heap[i + 1];
		m->heap[i] = s;
	}
	set_limit(m);
}

/* A packet ends: go on with the next one, or without this CPU. */
static noinline void pass_packet(struct merge *m)
{
	if (!advance(m, m->heap[0])) {
		m->heap[0]->waiting = true;
		m->heap[0] = m->heap[--m->nr];
		order(m);
	} else {
		reorder(m);
	}
}

const struct merge_item *merge_next(struct merge *m)
{
	struct stream *s;

	if (m->given) {
		s = m->heap[0];
		m->given = false;
		if (!s->packet || !next_record(m, s))
			pass_packet(m);
		else if (s->time >= m->limit)
			reorder(m);
	}
	if (!m->nr || (m->follow && m->heap[0]->item.time > m->ready))
		return NULL;
	m->given = true;
	return &m->heap[0]->item;
}

/*
 * What has been read so far had happened before now. So all CPUs that are asked for
 * more after this moment tell all that they had up to it.
 */
void merge_refresh(struct merge *m)
{
	m->ready = m->seen;
	awaken(m);
}

void merge_free(struct merge *m)
{
	free(m->stream);
	free(m->heap);
	free(m);
}
