// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/lkst/trace: the current buffer as text, all CPUs merged in time order.
 *
 * What is shown is what the buffer held when the file was opened, less what was
 * overwritten before it was read. Nothing is consumed.
 */
#include <linux/delay.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "lkst.h"
#include "ring.h"

/**
 * struct cursor - the next record of one CPU
 * @ring: its ring
 * @packet: a copy of the packet, or NULL
 * @seq: number of the next packet
 * @last: number of the packet that was open when the file was opened
 * @word: where the record begins, in words
 * @words: words in use in @packet; @word is not below it when there is no record
 * @time: the record's time, or the one before it
 * @tid: thread running then
 */
struct cursor {
	struct lkst_ring *ring;
	struct lkst_packet *packet;
	u64 seq;
	u64 last;
	u32 word;
	u32 words;
	u64 time;
	u32 tid;
};

/**
 * struct view - an open file
 * @rings: what it shows
 * @hz: ticks of the clock a second
 * @cursor: by CPU
 */
struct view {
	struct lkst_rings *rings;
	u64 hz;
	struct cursor cursor[];
};

static const u64 *cursor_record(const struct cursor *c)
{
	return (const u64 *)c->packet + c->word;
}

/* Is there a whole record at the cursor? Sets its time. */
static bool cursor_valid(struct cursor *c)
{
	const u64 *record = cursor_record(c);
	u32 length;

	if (c->word >= c->words)
		return false;
	length = LKST_RECORD_WORDS(*record);
	if (!length || length > c->words - c->word)
		return false;
	if (LKST_RECORD_ID(*record) != LKST_ID_EXTENDED)
		c->time += (u32)(LKST_RECORD_TIME(*record) - (u32)c->time);
	else if (length > 1)
		c->time = record[1];
	return true;
}

/* Copy packet @seq, open or closed. Return: 0, -EAGAIN to try again, or -ESTALE. */
static int packet_copy(const struct cursor *c, u64 seq)
{
	int err = lkst_ring_copy(c->ring, seq, c->packet);

	if (err != -EAGAIN || seq != lkst_ring_current(c->ring))
		return err;
	err = lkst_ring_copy_open(c->ring, c->packet);
	/* It was closed meanwhile, and this is the one after it. */
	return !err && c->packet->seq != seq ? -EAGAIN : err;
}

/*
 * As above. A closed packet with a record that is being written will be complete
 * in a moment, unless its writer was killed by an oops.
 */
static int packet_wait(const struct cursor *c, u64 seq)
{
	int err, tries = 16;

	while ((err = packet_copy(c, seq)) == -EAGAIN && --tries)
		usleep_range(20, 200);
	return err;
}

/* Copy the next packet that can be had. */
static bool cursor_load(struct cursor *c)
{
	for (;; c->seq++) {
		c->seq = max(c->seq, READ_ONCE(c->ring->limit));
		if (c->seq > c->last)
			return false;
		if (packet_wait(c, c->seq))
			continue;
		c->seq++;
		c->word = LKST_PACKET_WORDS;
		c->words = min_t(u64, c->packet->content_size / 64,
				 c->ring->packet_size / 8);
		c->time = c->packet->begin;
		c->tid = c->packet->tid;
		return true;
	}
}

/* Go to the next record: the one at the cursor was shown, or is no record. */
static void cursor_settle(struct cursor *c)
{
	while (!cursor_valid(c)) {
		c->word = c->words;
		if (!cursor_load(c))
			return;
	}
}

static void cursor_next(struct cursor *c)
{
	c->word += LKST_RECORD_WORDS(*cursor_record(c));
	cursor_settle(c);
}

static struct cursor *view_first(struct view *view)
{
	struct cursor *first = NULL;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct cursor *c = &view->cursor[cpu];

		if (c->word < c->words && (!first || c->time < first->time))
			first = c;
	}
	return first;
}

static void *view_start(struct seq_file *m, loff_t *pos)
{
	struct view *view = m->private;

	return *pos ? view_first(view) : SEQ_START_TOKEN;
}

static void *view_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct view *view = m->private;

	++*pos;
	if (v != SEQ_START_TOKEN)
		cursor_next(v);
	return view_first(view);
}

static void view_stop(struct seq_file *m, void *v)
{
}

static void text_show(struct seq_file *m, const char *text, size_t size)
{
	seq_putc(m, '"');
	seq_escape_mem(m, text, strnlen(text, size),
		       ESCAPE_NAP | ESCAPE_HEX | ESCAPE_APPEND, "\"\\");
	seq_putc(m, '"');
}

static void number_show(struct seq_file *m, const struct lkst_field *field,
			const void *at)
{
	bool hex = !strcmp(field->unit, "hex");
	u64 value;

	switch (field->type) {
	case LKST_TYPE_u16:
		value = *(const u16 *)at;
		break;
	case LKST_TYPE_u32:
		value = *(const u32 *)at;
		break;
	case LKST_TYPE_s32:
		seq_printf(m, "%d", *(const s32 *)at);
		return;
	case LKST_TYPE_s64:
		value = *(const u64 *)at;
		if (hex)
			break;
		seq_printf(m, "%lld", (s64)value);
		return;
	default:
		value = *(const u64 *)at;
	}
	seq_printf(m, hex ? "0x%llx" : "%llu", value);
}

static u32 field_size(const struct lkst_field *field)
{
	switch (field->type) {
	case LKST_TYPE_u16:
		return 2;
	case LKST_TYPE_u32:
	case LKST_TYPE_s32:
		return 4;
	case LKST_TYPE_NAME:
		return LKST_COMM_SIZE;
	case LKST_TYPE_TEXT:
		return 4;	/* its length */
	default:
		return 8 * field->count;
	}
}

static void numbers_show(struct seq_file *m, const struct lkst_field *field,
			 const u8 *at)
{
	u32 i;

	for (i = 0; i < field->count; i++) {
		if (i)
			seq_putc(m, ',');
		number_show(m, field, at + i * (field_size(field) / field->count));
	}
}

/* The fields of a payload of @size bytes, as far as they go. */
static void fields_show(struct seq_file *m, const struct lkst_event *event,
			const u8 *payload, u32 size)
{
	const struct lkst_field *field = event->fields;
	u32 at = 0, step;

	for (; field < event->fields + event->nr_fields; field++) {
		step = field_size(field);
		if (step > size - at)
			return;
		seq_printf(m, " %s=", field->name);
		if (field->type == LKST_TYPE_NAME)
			text_show(m, payload + at, step);
		else if (field->type == LKST_TYPE_TEXT)
			text_show(m, payload + at + step,
				  min(*(const u32 *)(payload + at), size - at - step));
		else
			numbers_show(m, field, payload + at);
		at += step;
	}
}

static void record_show(struct seq_file *m, struct cursor *c, u64 hz)
{
	const u64 *record = cursor_record(c);
	u32 words = 1, id = LKST_RECORD_ID(*record), rest;
	u64 ns = mul_u64_u64_div_u64(c->time, NSEC_PER_SEC, hz);

	if (id == LKST_ID_EXTENDED) {
		id = *record >> 32;
		words = 2;
	}
	ns = div_u64_rem(ns, NSEC_PER_SEC, &rest);
	seq_printf(m, "%5llu.%09u cpu%-3u ", ns, rest, c->ring->cpu);
	if (c->tid == LKST_TID_UNKNOWN)
		seq_puts(m, "     ? ");
	else
		seq_printf(m, "%6u ", c->tid);
	if (id >= LKST_NR_EVENTS || LKST_RECORD_WORDS(*record) < words) {
		seq_printf(m, "event %u\n", id);
		return;
	}
	seq_printf(m, "%s/%s", lkst_events[id].group, lkst_events[id].name);
	fields_show(m, &lkst_events[id], (const u8 *)(record + words),
		    (LKST_RECORD_WORDS(*record) - words) * 8);
	seq_putc(m, '\n');
}

/* Nothing tells which threads ran up to @time. */
static void threads_forget(struct view *view, u64 time)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct cursor *c = &view->cursor[cpu];

		if (c->packet && c->packet->begin <= time)
			c->tid = LKST_TID_UNKNOWN;
	}
}

/* After a switch another thread runs. */
static void record_follow(struct view *view, struct cursor *c)
{
	const u64 *record = cursor_record(c);
	u32 id = LKST_RECORD_ID(*record), words = 1;

	if (id == LKST_ID_EXTENDED) {
		id = *record >> 32;
		words = 2;
	}
	if (id == LKST_EV_sched_switch && LKST_RECORD_WORDS(*record) > words)
		c->tid = record[words] >> 32;
	if (id == LKST_EV_lkst_threads_unknown)
		threads_forget(view, c->time);
}

static int view_show(struct seq_file *m, void *v)
{
	struct view *view = m->private;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "# buffer %s, clock %s\n#      seconds cpu       tid event\n",
			   view->rings->info->name, lkst_clock_name());
		return 0;
	}
	record_show(m, v, view->hz);
	/* What is too long for the buffer is shown once more. */
	if (!seq_has_overflowed(m))
		record_follow(view, v);
	return 0;
}

static const struct seq_operations view_ops = {
	.start = view_start,
	.next = view_next,
	.stop = view_stop,
	.show = view_show,
};

static void view_free(struct view *view)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		kvfree(view->cursor[cpu].packet);
	if (view->rings)
		lkst_rings_put(view->rings);
	kvfree(view);
}

static struct view *view_make(void)
{
	struct view *view = kvzalloc(struct_size(view, cursor, nr_cpu_ids), GFP_KERNEL);
	unsigned int cpu;

	if (!view)
		return NULL;
	mutex_lock(&lkst_lock);
	view->rings = READ_ONCE(lkst_rings_now);
	kref_get(&view->rings->ref);
	view->hz = lkst_clock_hz() ?: NSEC_PER_SEC;
	mutex_unlock(&lkst_lock);
	for_each_possible_cpu(cpu) {
		struct cursor *c = &view->cursor[cpu];

		c->ring = view->rings->ring[cpu];
		c->last = lkst_ring_current(c->ring);
		c->seq = max(READ_ONCE(c->ring->limit), READ_ONCE(c->ring->read));
		c->packet = kvmalloc(c->ring->packet_size, GFP_KERNEL);
		if (!c->packet) {
			view_free(view);
			return NULL;
		}
		cursor_settle(c);
	}
	return view;
}

static int trace_open(struct inode *inode, struct file *file)
{
	struct view *view;
	int err;

	if (lkst_locked_down())
		return -EPERM;
	view = view_make();
	if (!view)
		return -ENOMEM;
	err = seq_open(file, &view_ops);
	if (err) {
		view_free(view);
		return err;
	}
	((struct seq_file *)file->private_data)->private = view;
	/* What was shown is gone. */
	return nonseekable_open(inode, file);
}

static int trace_release(struct inode *inode, struct file *file)
{
	view_free(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

const struct proc_ops lkst_trace_ops = {
	.proc_open = trace_open,
	.proc_read = seq_read,
	.proc_release = trace_release,
};
