// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "merge.h"

/* What records have to be: as the first one, and not behind the end; or anything. */
static void expect(struct merge_stream *s, bool sound)
{
	s->state = s->at < s->end ? *s->at : 0;
	s->mask = sound ? RECORD_STATE : 0;
	s->latest = sound ? s->packet->end : ~0ull;
}

/* A record is not sound. */
static void check_packet(struct merge_stream *s)
{
	s->src->check(s->src);
	s->end = (const u64 *)s->packet + s->packet->content_size / 64;
	expect(s, false);
}

static bool next_packet(struct merge *m, struct merge_stream *s)
{
	const struct lkst_packet *p;

	if (!s->src->next(s->src))
		return false;
	p = s->src->packet;
	s->packet = p;
	s->at = (const u64 *)p;
	s->end = s->at + p->content_size / 64;
	m->whole += !s->src->open;
	s->at += s->src->skip ? s->src->skip : LKST_PACKET_WORDS;
	expect(s, s->src->unchecked);
	if (s->src->skip)
		return true;
	s->item.record.time = p->begin;
	s->tid = p->tid;
	return true;
}

/* Packets are missing before this one. */
static bool see_gap(struct merge *m, struct merge_stream *s)
{
	u64 seq = s->packet->seq, missing = seq > s->seq ? seq - s->seq : 0;

	s->item.kind = s->begun ? ITEM_GAP : ITEM_GONE;
	s->item.tid = s->tid;
	s->item.count = missing + (s->src->torn && s->begun);
	s->item.time = s->packet->begin;
	if (!s->begun && missing)
		m->complete = max(m->complete, s->item.time);
	s->begun = true;
	s->seq = seq + 1;
	return s->item.count && s->item.time >= s->src->since;
}

/* Records were lost up to the end of this packet. */
static bool see_lost(struct merge_stream *s)
{
	u64 lost = s->packet->discarded, more = lost > s->lost ? lost - s->lost : 0;

	s->item.kind = ITEM_LOST;
	s->item.tid = s->tid;
	s->item.count = more;
	s->item.time = s->packet->end;
	s->lost = lost;
	s->packet = NULL;
	s->at = NULL;
	s->end = NULL;
	return more && s->item.time >= s->src->since;
}

static bool advance(struct merge *m, struct merge_stream *s)
{
	for (;;) {
		if (s->packet && merge_record(m, s)) {
			if (s->item.time >= s->src->since)
				return true;
			continue;
		}
		if (s->packet && s->src->unchecked && s->at < s->end) {
			check_packet(s);
			continue;
		}
		if (s->packet && see_lost(s))
			return true;
		if (!next_packet(m, s))
			return false;
		if (see_gap(m, s))
			return true;
	}
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
	struct merge_stream *s;

	for (s = m->stream; s < m->stream + m->nr; s++) {
		if (s->waiting) {
			s->waiting = !advance(m, s);
			merge_rank(m, s, s->waiting ? MERGE_LAST : merge_key(s));
		}
	}
}

/* Sources to which nothing comes any more go, once all that they have was read. */
static void drop_streams(struct merge *m)
{
	struct trace *t = m->t;
	size_t i, kept = 0, added = t->nr - m->nr;
	struct merge_stream *s;

	for (i = 0; i < m->nr; i++) {
		s = &m->stream[i];
		if (s->waiting && s->src->over(s->src)) {
			s->waiting = !advance(m, s);
			if (s->waiting) {
				s->src->free(s->src);
				continue;
			}
		}
		m->stream[kept] = m->stream[i];
		t->source[kept++] = t->source[i];
	}
	memmove(t->source + kept, t->source + m->nr, added * sizeof(*t->source));
	m->nr = kept;
	t->nr = kept + added;
}

/* Make the tree for the sources that there are now. */
static void plant(struct merge *m)
{
	struct trace *t = m->t;
	struct merge_stream *s;
	size_t leaves = 1, i;

	m->stream = xrealloc(m->stream, t->nr, sizeof(*m->stream));
	for (; m->nr < t->nr; m->nr++)
		m->stream[m->nr] = (struct merge_stream){
			.src = t->source[m->nr],
			.item.cpu = t->source[m->nr]->cpu,
			.waiting = true,
		};
	while (leaves < m->nr)
		leaves *= 2;
	m->tree = xrealloc(m->tree, 2 * leaves, sizeof(*m->tree));
	for (i = 0; i < 2 * leaves; i++)
		m->tree[i] = MERGE_LAST;
	for (s = m->stream; s < m->stream + m->nr; s++) {
		s->leaf = leaves++;
		merge_rank(m, s, s->waiting ? MERGE_LAST : merge_key(s));
	}
	find_switch(m);
}

struct merge *merge_new(struct trace *t, u64 ready)
{
	struct merge *m = xcalloc(1, sizeof(*m));

	m->t = t;
	m->ready = ready;
	plant(m);
	awaken(m);
	return m;
}

/* A packet ends, a record is not sound, or all was given out that could be. */
const struct merge_item *merge_go_on(struct merge *m)
{
	struct merge_stream *s = m->given;

	if (s) {
		s->waiting = !advance(m, s);
		merge_rank(m, s, s->waiting ? MERGE_LAST : merge_key(s));
	}
	m->given = NULL;
	if (m->tree[1] == MERGE_LAST || m->tree[1] >> 64 > m->ready)
		return NULL;
	m->given = (struct merge_stream *)(unsigned long)m->tree[1];
	return &m->given->item;
}

/* All CPUs that are asked for more after a moment tell all that they had up to it. */
void merge_refresh(struct merge *m, u64 ready)
{
	m->ready = ready;
	if (m->nr < m->t->nr && !m->given) {
		drop_streams(m);
		plant(m);
	}
	awaken(m);
}

void merge_forget_threads(struct merge *m)
{
	u64 now = m->given->item.time;
	struct merge_stream *s;

	for (s = m->stream; s < m->stream + m->nr; s++) {
		/* The header of a later packet tells what is right. */
		if (!s->packet || s->packet->begin > now)
			continue;
		s->item.tid = LKST_TID_UNKNOWN;
		if (s == m->given || s->waiting || s->item.kind != ITEM_RECORD ||
		    s->item.record.id != m->switch_id)
			s->tid = LKST_TID_UNKNOWN;
	}
}

void merge_free(struct merge *m)
{
	free(m->stream);
	free(m->tree);
	free(m);
}
