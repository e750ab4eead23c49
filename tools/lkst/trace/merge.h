/* SPDX-License-Identifier: GPL-2.0 */
/* The records of all CPUs in time order, and what is missing among them. */
#ifndef LKST_MERGE_H
#define LKST_MERGE_H

#include "source.h"

enum item_kind {
	ITEM_RECORD,
	ITEM_LOST,		/* @count records found no room */
	ITEM_GAP,		/* @count packets were overwritten */
	ITEM_GONE,		/* @count packets before the first one */
};

/**
 * struct merge_item - what comes next
 * @kind: what it is
 * @cpu: the CPU that it is of
 * @tid: the thread that runs there
 * @time: in ticks
 * @count: by @kind
 * @record: valid until the next call
 */
struct merge_item {
	enum item_kind kind;
	u32 cpu;
	u32 tid;
	u64 time;
	u64 count;
	struct record record;
};

/*
 * What decides which item comes first: its time, and below that where its stream lies,
 * which are in the order of CPUs. A stream that has nothing is last.
 */
#define MERGE_LAST	(~(__uint128_t)0)

/**
 * struct merge_stream - one CPU
 * @at: behind @item, in the packet at hand
 * @end: of that packet
 * @item: what it has that was not given out yet, or was given out last
 * @state: what RECORD_STATE of a record has to be
 * @mask: of that, or 0 where it may be anything
 * @latest: what its time has to be at most
 * @leaf: its number in the tree
 * @tid: the thread that runs
 * @waiting: it has nothing now
 * @begun: it has had a packet
 * @seq: of the packet that comes next
 * @lost: records that were lost up to it
 * @src: where packets come from
 * @packet: the one at hand; NULL before the first, and after each
 */
struct merge_stream {
	const u64 *at;
	const u64 *end;
	struct merge_item item;
	u32 state;
	u32 mask;
	u64 latest;
	size_t leaf;
	u32 tid;
	bool waiting;
	bool begun;
	u64 seq;
	u64 lost;
	struct packet_source *src;
	const struct lkst_packet *packet;
};

/**
 * struct merge - streams, put in order by a tree
 * @given: the item of this stream was given out, or NULL
 * @stream: one for each source of @t
 * @nr: how many
 * @tree: the key of each stream in a leaf, and in each node the lower one of the two
 *	nodes or leaves below it: of node i in 2i and 2i + 1. So that of the first item is
 *	in node 1.
 * @ready: all that happened on any CPU is known up to this time
 * @switch_id: the event that tells which thread runs
 * @switch_at: where it does
 * @whole: packets read of which no more can come
 * @complete: from this time on no CPU's first packets are missing
 * @t: where the streams come from
 */
struct merge {
	struct merge_stream *given;
	struct merge_stream *stream;
	size_t nr;
	__uint128_t *tree;
	u64 ready;
	u32 switch_id;
	u32 switch_at;
	u64 whole;
	u64 complete;
	struct trace *t;
};

/**
 * merge_new() - Put the packets of all CPUs of a trace in order
 * @t: the trace
 * @ready: up to which time, which was before the call if the trace is followed
 */
struct merge *merge_new(struct trace *t, u64 ready);

/* These are parts of merge_next(). */

static inline __uint128_t merge_key(const struct merge_stream *s)
{
	return (__uint128_t)s->item.time << 64 | (unsigned long)s;
}

/* The next record of the packet at hand; false at its end, or if it is not sound. */
static inline bool merge_record(const struct merge *m, struct merge_stream *s)
{
	struct merge_item *i = &s->item;
	struct record *r = &i->record;
	u64 before = r->time;
	const u64 *next = record_parse(s->at, s->end, before, r);

	if (!next)
		return false;
	if ((((u32)r->head ^ s->state) & s->mask) || r->time < before ||
	    r->time > s->latest) {
		r->time = before;
		return false;
	}
	s->at = next;
	i->kind = ITEM_RECORD;
	i->tid = s->tid;
	i->time = r->time;
	/* Another thread runs after it. */
	if (r->id == m->switch_id && m->switch_at + sizeof(s->tid) <= r->size)
		__builtin_memcpy(&s->tid, r->payload + m->switch_at, sizeof(s->tid));
	return true;
}

/*
 * A stream has another key: find the lowest of all, without a branch that depends on
 * keys. Which CPU is next is as good as random.
 */
static inline __uint128_t merge_rank(struct merge *m, const struct merge_stream *s,
				     __uint128_t key)
{
	__uint128_t *tree = m->tree, other;
	size_t i = s->leaf;

	tree[i] = key;
	for (; i > 1; i /= 2) {
		other = tree[i ^ 1];
		key = key < other ? key : other;
		tree[i / 2] = key;
	}
	return key;
}

const struct merge_item *merge_go_on(struct merge *m);

/**
 * merge_next() - What comes next
 * @m: from merge_new()
 *
 * In the order of time, and of CPUs where that is the same. Of each CPU no more than
 * one packet is in memory.
 *
 * Return: valid until the next call; NULL at the end, or when following, where
 * another CPU may still have something to tell that comes before the rest.
 */
static inline const struct merge_item *merge_next(struct merge *m)
{
	struct merge_stream *s = m->given;
	__uint128_t first;

	if (!s || !merge_record(m, s))
		return merge_go_on(m);
	first = merge_rank(m, s, merge_key(s));
	if (first >> 64 > m->ready) {
		m->given = NULL;
		return NULL;
	}
	m->given = (struct merge_stream *)(unsigned long)first;
	return &m->given->item;
}

/*
 * When following, look for what is new, also in sources that were added to the trace;
 * then merge_next() goes on up to the time @ready, which was before the call.
 */
void merge_refresh(struct merge *m, u64 ready);

/* From the item that was given out last on, no CPU's thread is known without a switch. */
void merge_forget_threads(struct merge *m);

void merge_free(struct merge *m);

#endif /* LKST_MERGE_H */
