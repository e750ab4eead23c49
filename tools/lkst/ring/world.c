// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's own source with a call before each of its accesses to shared
 * memory, in which a writer may nest, and one after each store, for a reader to
 * look at what is there.
 *
 * A writer that nests is done before what it interrupted goes on, so a nested
 * writer is a function call.
 */
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/irqflags.h>
#include <linux/sched.h>

#include "world.h"

#define STEPS_MAX	100000u
/* Records of a storm, and their length: more than a lap of four packets. */
#define STORM_RECORDS	6u
#define STORM_WORDS	4u

struct world w;
alignas(4096) struct lkst_ring ring;
const struct setup *setup;
jmp_buf world_failed;
char world_failure[256];
bool world_trace;

struct task_struct ring_task = { .pid = 4711 };
struct static_key_false lkst_clock_tsc;
u64 lkst_clock_offset;

/* What a schedule starts from; of the ring all but the table changes. */
static struct world start;
static struct lkst_ring start_ring;
static u64 table[LKST_TABLE_ENTRIES];

noreturn void world_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(world_failure, sizeof(world_failure), format, args);
	va_end(args);
	longjmp(world_failed, 1);
}

static void trace(const char *what, const char *more)
{
	if (world_trace)
		printf("# %*s%s%s\n", (int)w.depth * 4, "", what, more);
}

static struct context *this_context(void)
{
	return w.depth ? &w.context[w.depth - 1] : NULL;
}

/* The reader of a ring that discards: on another CPU, at any step. */
static void consume(void)
{
	u64 copy[WORDS_MAX];
	struct lkst_packet *packet = (struct lkst_packet *)copy;

	trace("consume", "");
	w.quiet = true;
	while (!lkst_ring_copy(&ring, ring.read, packet)) {
		check_copy(packet, ring.read, false);
		lkst_ring_consume(&ring, ring.read, packet->reserved);
	}
	w.quiet = false;
}

static void storm(void)
{
	bool settled = w.settled;
	u32 i;

	w.settled = true;
	for (i = 0; i < STORM_RECORDS; i++)
		world_writer(STORM_WORDS, false);
	w.settled = settled;
}

/* One thing that may happen before a step. Return: false for nothing. */
static bool disturb(void)
{
	const struct context *context = this_context();
	u32 writers = 0, choice;
	bool settled = w.settled;

	if (w.spent == setup->budget || w.depth == DEPTH_MAX)
		return false;
	if (!context || !context->nmi) {
		if (w.irqs_off || w.depth <= setup->depth)
			writers = __builtin_popcount(setup->lengths);
	}
	choice = schedule_choose(1 + writers + (writers && setup->storm && !w.irqs_off) +
				 setup->discard);
	if (!choice)
		return false;
	w.spent++;
	if (w.depth)
		this_context()->disturbed = true;
	w.settled = settled || !setup->tops;
	if (choice <= writers) {
		u32 mask = setup->lengths;

		while (--choice)
			mask &= mask - 1;
		world_writer(__builtin_ctz(mask), w.irqs_off);
	} else if (writers && setup->storm && !w.irqs_off && choice == writers + 1) {
		storm();
	} else {
		consume();
	}
	w.settled = settled;
	return true;
}

/* The state byte is stored by a plain instruction. */
static void look_for_finished(void)
{
	struct context *context = this_context();
	struct record *record = context ? &w.record[context->record] : NULL;

	if (record && record->state == RECORD_RESERVED &&
	    *record->state_byte & LKST_STATE_FINISHED)
		record->state = RECORD_DONE;
}

void ring_step(const char *what, const void *at)
{
	(void)at;
	if (w.quiet)
		return;
	look_for_finished();
	if (++w.steps > STEPS_MAX)
		world_fail("no end");
	if (!w.settled)
		while (disturb())
			;
	trace(what, "");
}

/* The position is the only word that says whose record is where. */
static void position_moved(void)
{
	u64 pos = ring.pos, old = w.pos;
	u32 offset = LKST_POS_WORDS(old), slot = w.open % HISTORY;
	struct context *context = this_context();
	struct record *record;

	w.pos = pos;
	if (!context)
		world_fail("position moved by nobody");
	if (LKST_POS_PACKET(pos) != LKST_POS_PACKET(old)) {
		w.open++;
		slot = w.open % HISTORY;
		if (pos != LKST_POS((u32)w.open, LKST_PACKET_WORDS, 0))
			world_fail("position %#llx in a new packet", pos);
		/* One word more in the extended form. */
		record = &w.record[context->record];
		if (offset + record->words + 1 < ring.packet_size / 8)
			world_fail("packet %llu: left with room for the record", w.open - 1);
		memset(w.at[slot], 0, sizeof(w.at[slot]));
		w.end[slot] = LKST_PACKET_WORDS;
		return;
	}
	record = &w.record[context->record];
	if (record->state != RECORD_TRIED)
		world_fail("reserved twice");
	record->state = RECORD_RESERVED;
	record->seq = w.open;
	record->offset = offset;
	record->length = LKST_POS_WORDS(pos) - offset;
	if (LKST_POS_RECORDS(pos) != LKST_POS_RECORDS(old) + 1 ||
	    record->length < record->words || record->length > record->words + 1)
		world_fail("position from %#llx to %#llx", old, pos);
	record->state_byte = (u8 *)&w.memory[w.open % setup->packets][offset] + LKST_STATE_BYTE;
	w.at[slot][offset] = context->record;
	w.end[slot] = LKST_POS_WORDS(pos);
	w.reserved++;
}

void ring_stored(const void *at)
{
	if (w.quiet)
		return;
	if (at == &ring.pos)
		position_moved();
	look_for_finished();
	if (!schedule_repeats())
		check_ring();
}

void *ring_memcpy(void *to, const void *from, size_t size)
{
	u64 *t = to;
	const u64 *f = from;
	size_t i;

	/* Only what the reader copies is shared, and in whole words. */
	if (w.quiet || w.depth || size % 8)
		return memcpy(to, from, size);
	for (i = 0; i < size / 8; i++)
		t[i] = READ_ONCE(f[i]);
	return to;
}

unsigned long ring_irq_save(void)
{
	unsigned long flags = w.irqs_off;

	ring_step("raw_local_irq_save()", NULL);
	w.irqs_off = true;
	return flags;
}

void ring_irq_restore(unsigned long flags)
{
	trace("raw_local_irq_restore()", "");
	w.irqs_off = flags;
}

u32 lkst_ring_tid(void)
{
	return current->pid;
}

void lkst_ring_wake(void)
{
}

static void tick(void)
{
	w.readings++;
	w.clock += setup->every && w.readings % setup->every == 0 ? setup->jump : 1;
}

/* Time passes before it is read, and before what was read is used. */
u64 rdtsc(void)
{
	u64 now;

	ring_step("read the counter", NULL);
	tick();
	now = w.clock;
	ring_step("... has been read", NULL);
	return now;
}

/* The kernel's fast clock may step back while an NMI hits its update. */
u64 ktime_get_mono_fast_ns(void)
{
	u64 now;

	ring_step("read the clock", NULL);
	tick();
	now = w.clock - (w.depth > 1 ? 5 : 0);
	ring_step("... has been read", NULL);
	return now;
}

static u32 event_id(u32 record)
{
	return 1 + record;
}

static void writer_lost(const struct context *context)
{
	struct record *record = &w.record[context->record];

	if (record->state != RECORD_TRIED)
		world_fail("lost after it was reserved");
	record->state = RECORD_LOST;
	w.lost++;
	if (w.depth == 1 && !context->disturbed &&
	    !(setup->discard && w.open + 1 - ring.read >= setup->packets))
		world_fail("lost without a reason");
}

static void writer_reserved(const struct context *context,
			    const struct lkst_resv *resv)
{
	struct record *record = &w.record[context->record];
	const u64 *header = w.memory[record->seq % setup->packets] + record->offset;

	if (record->state != RECORD_RESERVED)
		world_fail("reserved without a place");
	if (resv->header != header ||
	    resv->payload != header + 1 + (record->length - record->words))
		world_fail("reserved in one place, handed out in another");
	record->time = resv->time;
}

/* A writer from its hook to its finished record. */
void world_writer(u32 words, bool nmi)
{
	u32 i, id = w.nr_records++;
	struct context *context = &w.context[w.depth];
	struct lkst_resv resv;
	char what[64];

	if (id == RECORDS_MAX)
		world_fail("too many records");
	if (world_trace) {
		snprintf(what, sizeof(what), "%s %u of %u words",
			 nmi ? "NMI" : "writer", id, words);
		trace(what, "");
	}
	*context = (struct context){ .record = id, .nmi = nmi };
	w.record[id] = (struct record){ .words = words };
	w.depth++;
	w.hits++;
	if (lkst_ring_reserve(&ring, event_id(id), words, &resv)) {
		writer_reserved(context, &resv);
		for (i = 0; i < words - 1; i++)
			WRITE_ONCE(((u64 *)resv.payload)[i], check_payload(id, i));
		lkst_ring_commit(&resv);
		if (w.record[id].state != RECORD_DONE)
			world_fail("not finished");
	} else {
		writer_lost(context);
		trace("lost", "");
	}
	w.depth--;
}

/* A reader on another CPU; a copy that it gets must be right. */
static void reader(void)
{
	u64 copy[WORDS_MAX], seq = ring.limit;
	struct lkst_packet *packet = (struct lkst_packet *)copy;
	int err;

	for (; seq < ring.limit + setup->packets; seq++) {
		err = lkst_ring_copy(&ring, seq, packet);
		if (!err)
			check_copy(packet, seq, false);
	}
	err = lkst_ring_copy_open(&ring, packet);
	if (!err)
		check_copy(packet, packet->seq, true);
}

static void ring_init(void)
{
	u32 i;

	memset(&ring, 0, sizeof(ring));
	memset(&w, 0, sizeof(w));
	ring.flags = setup->discard ? LKST_RING_DISCARD : 0;
	ring.cpu = 3;
	ring.nr_packets = setup->packets;
	ring.packet_size = (LKST_PACKET_WORDS + setup->room + 1) * 8;
	memset(ring.uuid, 0x5a, sizeof(ring.uuid));
	for (i = 0; i < setup->packets; i++)
		table[i] = (unsigned long)w.memory[i];
	ring.table[0] = (unsigned long)table;
	lkst_clock_tsc.on = !setup->fallback;
	w.clock = 0xfffffff0;
	w.nr_records = 1;	/* 0 is no record */
}

/**
 * world_build() - Prepare what every schedule of a setup starts from
 * @with: the setup
 */
void world_build(const struct setup *with)
{
	struct setup calm = *with;
	u32 i;

	calm.every = 0;
	calm.budget = 0;
	setup = &calm;
	ring_init();
	w.settled = true;
	w.quiet = true;
	lkst_ring_start(&ring, with->first);
	w.open = with->first;
	w.pos = ring.pos;
	w.end[w.open % HISTORY] = LKST_PACKET_WORDS;
	w.quiet = false;
	for (i = 0; i < with->laps * with->packets; i++) {
		if (with->discard && w.open - ring.read >= with->packets - 1)
			consume();
		world_writer(with->room / 2 + 1, false);
		world_writer((with->room - 1) / 2, false);
	}
	if (with->fill)
		world_writer(with->fill, false);
	check_ring();
	w.settled = false;
	w.steps = 0;
	memcpy(&start, &w, offsetof(struct world, record[w.nr_records]));
	memcpy(&start_ring, &ring, offsetof(struct lkst_ring, table));
	setup = with;
}

/**
 * world_restore() - Go back to where schedules start
 */
void world_restore(void)
{
	memcpy(&w, &start, offsetof(struct world, record[start.nr_records]));
	memcpy(&ring, &start_ring, offsetof(struct lkst_ring, table));
}

/**
 * world_run() - Do what the setup says is done, and check the end
 */
void world_run(void)
{
	u32 i;

	if (!setup->tops)
		reader();
	for (i = 0; i < setup->tops; i++)
		world_writer(setup->top[i % 2], false);
	check_end();
}
