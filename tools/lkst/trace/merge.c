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
	m->seen = max(m->seen, p->end);
	s->at += s->src->skip ? s->src->skip : LKST_PACKET_WORDS;
	expect(s, s->src->unchecked);
	if (s->src->skip)
		return true;
	s->item.record.time = p->begin;
	s->tid = p->tid;
	return true;
}

/* Packets are missing before this one. */
static bool see_gap(struct merge_stream *s)
{
	u64 seq = s->packet->seq, missing = seq > s->seq ? seq - s->seq : 0;

	s->item.kind = s->begun ? ITEM_GAP : ITEM_GONE;
	s->item.count = missing + (s->src->torn && s->begun);
	s->item.time = s->packet->begin;
	s->begun = true;
	s->seq = seq + 1;
	return s->item.count;
}

/* Records were lost up to the end of this packet. */
static bool see_lost(struct merge_stream *s)
{
	u64 lost = s->packet->discarded, more = lost > s->lost ? lost - s->lost : 0;

	s->item.kind = ITEM_LOST;
	s->item.count = more;
	s->item.time = s->packet->end;
	s->lost = lost;
	s->packet = NULL;
	s->at = NULL;
	s->end = NULL;
	return more;
}

static bool advance(struct merge *m, struct merge_stream *s)
{
	for (;;) {
		if (s->packet && merge_record(m, s))
			return true;
		if (s->packet && s->src->unchecked && s->at < s->end) {
			check_packet(s);
			continue;
		}
		if (s->packet && see_lost(s))
			return true;
		if (!next_packet(m, s))
			return false;
		if (see_gap(s))
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

	for (s = m->stream; s < m->stream + m->t->nr; s++) {
		if (s->waiting) {
			s->waiting = !advance(m, s);
			merge_rank(m, s, s->waiting ? MERGE_LAST : merge_key(s));
		}
	}
}

struct merge *merge_new(struct trace *t, bool follow)
{
	struct merge *m = xcalloc(1, sizeof(*m));
	size_t leaves = 1, i;

	m->t = t;
	m->ready = follow ? 0 : ~0ull;
	m->stream = xcalloc(t->nr, sizeof(*m->stream));
	while (leaves < t->nr)
		leaves *= 2;
	m->tree = xcalloc(2 * leaves, sizeof(*m->tree));
	for (i = 0; i < 2 * leaves; i++)
		m->tree[i] = MERGE_LAST;
	find_switch(m);
	for (i = 0; i < t->nr; i++) {
		m->stream[i].src = t->source[i];
		m->stream[i].leaf = leaves + i;
		m->stream[i].item.cpu = t->source[i]->cpu;
		m->stream[i].waiting = true;
	}
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
	free(m->tree);
	free(m);
}
