// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "merge.h"

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
	u64 lost;
	struct merge_item item;
};

struct merge {
	struct trace *t;
	struct stream *stream;
	struct stream **heap;	/* the earliest is first */
	size_t nr;
	bool started;		/* the first of @heap was given out */
};

static bool next_packet(struct stream *s)
{
	const struct lkst_packet *p;

	if (!s->src->next(s->src))
		return false;
	p = s->src->packet;
	s->packet = p;
	s->at = LKST_PACKET_WORDS;
	s->end = p->content_size / 64;
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

static bool advance(struct stream *s)
{
	struct merge_item *i = &s->item;

	for (;;) {
		if (s->packet &&
		    record_parse((const u64 *)s->packet + s->at, s->end - s->at,
				 s->time, &i->record)) {
			s->at += i->record.words;
			s->time = i->record.time;
			i->kind = ITEM_RECORD;
			i->tid = s->tid;
			i->time = s->time;
			return true;
		}
		if (s->packet && see_lost(s))
			return true;
		if (!next_packet(s))
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

struct merge *merge_new(struct trace *t)
{
	struct merge *m = xcalloc(1, sizeof(*m));
	struct stream *s;
	size_t i;

	m->t = t;
	m->stream = xcalloc(t->nr, sizeof(*m->stream));
	m->heap = xcalloc(t->nr, sizeof(*m->heap));
	for (i = 0; i < t->nr; i++) {
		s = &m->stream[i];
		s->src = t->source[i];
		s->item.cpu = s->src->cpu;
		if (advance(s))
			m->heap[m->nr++] = s;
	}
	for (i = m->nr / 2; i-- > 0;)
		sift_down(m, i);
	return m;
}

/* Which thread runs on the CPU after a record. */
static void follow_switch(struct merge *m, struct stream *s)
{
	const struct event *e;
	u64 tid;

	if (s->item.kind != ITEM_RECORD)
		return;
	e = metadata_event(m->t->metadata, s->item.record.id);
	if (e && e->role == ROLE_SWITCH &&
	    record_number(e, &s->item.record, "next_tid", &tid))
		s->tid = tid;
}

bool merge_next(struct merge *m, struct merge_item *item)
{
	if (m->started && m->nr) {
		follow_switch(m, m->heap[0]);
		if (!advance(m->heap[0]))
			m->heap[0] = m->heap[--m->nr];
		if (m->nr)
			sift_down(m, 0);
	}
	m->started = true;
	if (!m->nr)
		return false;
	*item = m->heap[0]->item;
	return true;
}

void merge_free(struct merge *m)
{
	free(m->stream);
	free(m->heap);
	free(m);
}
