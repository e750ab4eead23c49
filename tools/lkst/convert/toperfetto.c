// SPDX-License-Identifier: GPL-2.0
/*
 * Perfetto's protobuf: bundles of ftrace events, a bundle for what one CPU records
 * before another does. What ftrace has no message for is a generic event. The
 * numbers of fields are those of perfetto's protos/perfetto/trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"

#define BUNDLE_FULL	65536u

/* Wire types. */
#define WIRE_VARINT	0
#define WIRE_BYTES	2

/* Trace, TracePacket, FtraceEventBundle, FtraceEvent, and GenericFtraceEvent. */
#define TRACE_PACKET		1
#define PACKET_FTRACE		1
#define PACKET_PROCESSES	2
#define PACKET_CLOCKS		6
#define PACKET_SEQUENCE		10
#define BUNDLE_CPU		1
#define BUNDLE_EVENT		2
#define BUNDLE_LOST		3
#define EVENT_TIME		1
#define EVENT_PID		2
#define EVENT_GENERIC		327
#define CLOCK_REALTIME_ID	1
#define CLOCK_BOOTTIME_ID	6
/* Any number that is not 0: all is one sequence. */
#define SEQUENCE		1

/* How a field of a message is made of the record. */
enum pb_how {
	PB_NUMBER,		/* the field @from */
	PB_COMM,		/* the name of the thread in it */
	PB_SYMBOL,		/* the name of the function at it */
	PB_PRIO,		/* 65535 is -1, a deadline's */
	PB_STATE,		/* TASK_* bits, as state_of() says */
	PB_CONSTANT,		/* @number */
};

struct pb_field {
	u32 id;
	enum pb_how how;
	const char *from;
	u64 number;
};

struct pb_event {
	const char *name;
	u32 id;
	struct pb_field field[8];
};

static const struct pb_event events[] = {
	{ "sched/switch", 4, {
		{ 1, PB_COMM, "prev_tid", 0 }, { 2, PB_NUMBER, "prev_tid", 0 },
		{ 3, PB_PRIO, "prev_prio", 0 }, { 4, PB_STATE, "prev_state", 0 },
		{ 5, PB_COMM, "next_tid", 0 }, { 6, PB_NUMBER, "next_tid", 0 },
		{ 7, PB_PRIO, "next_prio", 0 } } },
	{ "sched/wakeup", 17, {
		{ 1, PB_COMM, "tid", 0 }, { 2, PB_NUMBER, "tid", 0 },
		{ 3, PB_NUMBER, "prio", 0 }, { 4, PB_CONSTANT, NULL, 1 },
		{ 5, PB_NUMBER, "target", 0 } } },
	{ "sched/wakeup_new", 114, {
		{ 1, PB_COMM, "tid", 0 }, { 2, PB_NUMBER, "tid", 0 },
		{ 3, PB_NUMBER, "prio", 0 }, { 4, PB_CONSTANT, NULL, 1 },
		{ 5, PB_NUMBER, "target", 0 } } },
	{ "irq/softirq_entry", 24, { { 1, PB_NUMBER, "vec", 0 } } },
	{ "irq/softirq_exit", 25, { { 1, PB_NUMBER, "vec", 0 } } },
	{ "irq/softirq_raise", 26, { { 1, PB_NUMBER, "vec", 0 } } },
	{ "irq/entry", 36, {
		{ 1, PB_NUMBER, "irq", 0 }, { 2, PB_SYMBOL, "handler", 0 } } },
	{ "irq/exit", 37, {
		{ 1, PB_NUMBER, "irq", 0 }, { 2, PB_NUMBER, "ret", 0 } } },
	{ "power/frequency", 11, {
		{ 1, PB_NUMBER, "khz", 0 }, { 2, PB_NUMBER, "cpu", 0 } } },
	{ "power/idle_begin", 13, {
		{ 1, PB_NUMBER, "state", 0 }, { 2, PB_NUMBER, "cpu", 0 } } },
	{ "power/idle_end", 13, {
		{ 1, PB_CONSTANT, NULL, 0xffffffff }, { 2, PB_NUMBER, "cpu", 0 } } },
};

/**
 * struct perfetto - what was not written yet
 * @bundle: events of one CPU
 * @cpu: which
 * @lost: records or packets are missing in it
 * @event: the event being made
 * @part: a message in it
 * @field: a field in that
 * @packet: a whole packet
 * @name: a name being made
 */
struct perfetto {
	struct text bundle;
	u32 cpu;
	bool lost;
	struct text event;
	struct text part;
	struct text field;
	struct text packet;
	struct text name;
};

/* Encoding. */

static void put_varint(struct text *t, u64 v)
{
	text_need(t, 10);
	for (; v >= 0x80; v >>= 7)
		text_char(t, v | 0x80);
	text_char(t, v);
}

static void put_number(struct text *t, u32 id, u64 v)
{
	put_varint(t, id << 3 | WIRE_VARINT);
	put_varint(t, v);
}

static void put_bytes(struct text *t, u32 id, const void *bytes, size_t n)
{
	put_varint(t, id << 3 | WIRE_BYTES);
	put_varint(t, n);
	text_need(t, n);
	if (n)
		text_bytes(t, bytes, n);
}

/* A message that was made apart; what it was made in is empty then. */
static void put_message(struct text *t, u32 id, struct text *message)
{
	put_bytes(t, id, message->buf, message->len);
	message->len = 0;
}

static void write_packet(struct convert *c)
{
	struct perfetto *p = c->state;
	struct text whole = { };

	put_number(&p->packet, PACKET_SEQUENCE, SEQUENCE);
	put_message(&whole, TRACE_PACKET, &p->packet);
	convert_write(c, whole.buf, whole.len);
	free(whole.buf);
}

static void write_bundle(struct convert *c)
{
	struct perfetto *p = c->state;

	if (!p->bundle.len)
		return;
	put_number(&p->bundle, BUNDLE_CPU, p->cpu);
	if (p->lost)
		put_number(&p->bundle, BUNDLE_LOST, true);
	put_message(&p->packet, PACKET_FTRACE, &p->bundle);
	write_packet(c);
	p->lost = false;
}

/* Events. */

static void put_comm(struct convert *c, u32 id, u32 tid, u32 cpu)
{
	struct perfetto *p = c->state;
	char comm[LKST_COMM_SIZE];

	convert_comm(c, tid, cpu, comm);
	put_bytes(&p->part, id, comm, strnlen(comm, sizeof(comm)));
}

/* Of prev_state the bits that Linux 4.4 had too, in the same place. */
#define STATE_SAME	0x43full

/*
 * Without the version of the kernel in the trace, readers take prev_state for that of
 * Linux 4.4. Ours is that of 6.12's include/linux/sched.h.
 */
static u64 state_of(u64 state)
{
	static const struct {
		u64 ours;
		u64 theirs;
	} bits[] = {
		{ 0x40, 0x200 },	/* TASK_PARKED */
		{ 0x80, 0x40 },		/* TASK_DEAD */
		{ 0x1000, 0x2 },	/* TASK_RTLOCK_WAIT */
		{ 0x8000, 0x2 },	/* TASK_FROZEN */
		{ 0x10000, 0x800 },	/* preempted */
	};
	u64 theirs = state & STATE_SAME;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bits); i++)
		if (state & bits[i].ours)
			theirs |= bits[i].theirs;
	return theirs;
}

static void put_field(struct convert *c, const struct merge_item *i,
		      const struct event *e, const struct pb_field *f)
{
	struct perfetto *p = c->state;
	u64 v = f->from ? convert_number(e, &i->record, f->from) : f->number;

	switch (f->how) {
	case PB_COMM:
		put_comm(c, f->id, v, i->cpu);
		break;
	case PB_SYMBOL:
		p->name.len = 0;
		convert_symbol(c, v, &p->name);
		put_message(&p->part, f->id, &p->name);
		break;
	case PB_PRIO:
		put_number(&p->part, f->id, v == 0xffff ? (u64)-1 : v);
		break;
	case PB_STATE:
		put_number(&p->part, f->id, state_of(v));
		break;
	default:
		put_number(&p->part, f->id, v);
	}
}

static const struct pb_event *find_event(const struct event *e)
{
	size_t i;

	for (i = 0; e && i < ARRAY_SIZE(events); i++)
		if (!strcmp(events[i].name, e->name))
			return &events[i];
	return NULL;
}

/* GenericFtraceEvent.Field: a name and a value of one of three types. */
static void put_generic(struct perfetto *p, const struct field *f,
			const struct value *v)
{
	const char *name = f->name + (f->name[0] == '_');
	size_t n = v->count;
	char indexed[96];
	u32 i;

	while (f->is_text && n && !v->at[n - 1])
		n--;
	for (i = 0; i < (f->is_text ? 1 : v->count); i++) {
		if (f->kind != FIELD_INTEGER && !f->is_text)
			snprintf(indexed, sizeof(indexed), "%.64s[%u]", name, i);
		else
			snprintf(indexed, sizeof(indexed), "%.64s", name);
		put_bytes(&p->field, 1, indexed, strlen(indexed));
		if (f->is_text)
			put_bytes(&p->field, 3, v->at, n);
		else
			put_number(&p->field, f->is_signed ? 4 : 5,
				   field_get(f, v->at + i * f->size));
		put_message(&p->part, 2, &p->field);
	}
}

static void put_generics(struct perfetto *p, const struct merge_item *i,
			 const struct event *e)
{
	struct field_walk w = { .e = e, .r = &i->record };
	const char *name = e ? e->name : "unknown";
	const struct field *f;
	struct value v;

	put_bytes(&p->part, 1, name, strlen(name));
	while (e && (f = field_next(&w, &v)))
		if (!f->hidden)
			put_generic(p, f, &v);
}

/* A mark is an event with a count. */
static void put_mark(struct perfetto *p, const struct merge_item *i)
{
	put_bytes(&p->part, 1, show_mark(i), strlen(show_mark(i)));
	put_bytes(&p->field, 1, "count", 5);
	put_number(&p->field, 5, i->count);
	put_message(&p->part, 2, &p->field);
	p->lost = true;
}

static void perfetto_item(struct convert *c, const struct merge_item *i,
			  struct event *e)
{
	const struct pb_event *known = find_event(e);
	struct perfetto *p = c->state;
	size_t k;

	if (p->cpu != i->cpu || p->bundle.len > BUNDLE_FULL)
		write_bundle(c);
	p->cpu = i->cpu;
	put_number(&p->event, EVENT_TIME, view_ns(c->view.m, i->time));
	if (i->tid != LKST_TID_UNKNOWN)
		put_number(&p->event, EVENT_PID, i->tid);
	if (i->kind != ITEM_RECORD)
		put_mark(p, i);
	else if (!known)
		put_generics(p, i, e);
	for (k = 0; known && k < ARRAY_SIZE(known->field) && known->field[k].id; k++)
		put_field(c, i, e, &known->field[k]);
	put_message(&p->event, known ? known->id : EVENT_GENERIC, &p->part);
	put_message(&p->bundle, BUNDLE_EVENT, &p->event);
}

/* Wall time, and who the threads are. */

static void put_clock(struct perfetto *p, u64 id, u64 ns)
{
	put_number(&p->field, 1, id);
	put_number(&p->field, 2, ns);
	put_message(&p->part, 1, &p->field);
}

static void put_thread(const struct who *who, void *arg)
{
	struct perfetto *p = arg;
	u32 tgid = who->tgid ? who->tgid : who->tid;

	put_number(&p->field, 1, who->tid);
	if (tgid == who->tid)
		put_bytes(&p->field, 3, who->comm, who->len);
	else
		put_bytes(&p->field, 2, who->comm, who->len);
	if (tgid != who->tid)
		put_number(&p->field, 3, tgid);
	put_message(&p->part, tgid == who->tid ? 1 : 2, &p->field);
}

static bool perfetto_begin(struct convert *c)
{
	struct perfetto *p = xcalloc(1, sizeof(*p));

	c->state = p;
	put_clock(p, CLOCK_BOOTTIME_ID, 0);
	put_clock(p, CLOCK_REALTIME_ID, view_wall_ns(c->view.m, 0));
	put_message(&p->packet, PACKET_CLOCKS, &p->part);
	write_packet(c);
	names_all(c->view.names, put_thread, p);
	put_message(&p->packet, PACKET_PROCESSES, &p->part);
	write_packet(c);
	return true;
}

static void perfetto_end(struct convert *c)
{
	struct perfetto *p = c->state;

	write_bundle(c);
	free(p->bundle.buf);
	free(p->event.buf);
	free(p->part.buf);
	free(p->field.buf);
	free(p->packet.buf);
	free(p->name.buf);
	free(p);
}

const struct converter to_perfetto = {
	.name = "perfetto",
	.is_binary = true,
	.begin = perfetto_begin,
	.item = perfetto_item,
	.end = perfetto_end,
};
