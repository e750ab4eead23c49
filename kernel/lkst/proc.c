// SPDX-License-Identifier: GPL-2.0
/*
 * Streams and the human view.
 *
 * /proc/lkst/status			the state, on one screen
 * /proc/lkst/trace			the current buffer, as text (trace.c)
 * /proc/lkst/metadata			CTF metadata of the current buffer
 * /proc/lkst/marker			what is written is recorded
 * /proc/lkst/buffers/NAME/metadata	that of buffer NAME
 * /proc/lkst/buffers/NAME/cpuN		closed packets of CPU N
 * /proc/lkst/buffers/NAME/cpuN.open	its open one, a copy
 * /proc/lkst/buffers/previous/.tasks	names of the threads of the boot before
 */
#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/wait.h>

#include "lkst.h"
#include "ring.h"

/*
 * One queue for all files: a poll table may outlive the buffer that it waited
 * for.
 */
static DECLARE_WAIT_QUEUE_HEAD(poll_queue);
static bool poll_waiting;

static void poll_wake(struct irq_work *work)
{
	wake_up_interruptible_all(&poll_queue);
}

static DEFINE_IRQ_WORK(poll_irq_work, poll_wake);

/*
 * Called by a writer that closed a packet; any context. The wakeup is left to
 * irq_work: a hook may sit under the run queue's lock. A waiter is woken once
 * for each time it waited, so that what a wakeup records cannot go on waking.
 *
 * Irq_work that a CPU queues after it went offline is stuck there, and with it
 * all that follows. So the wakeup is left to whoever closes the next packet.
 */
void lkst_ring_wake(void)
{
	smp_mb();	/* pairs with the one in poll_arm() */
	if (!READ_ONCE(poll_waiting) || cpu_is_offline(raw_smp_processor_id()))
		return;
	WRITE_ONCE(poll_waiting, false);
	irq_work_queue(&poll_irq_work);
}

NOKPROBE_SYMBOL(lkst_ring_wake);

static void poll_arm(struct file *file, poll_table *table)
{
	poll_wait(file, &poll_queue, table);
	WRITE_ONCE(poll_waiting, true);
	smp_mb();	/* pairs with the one in lkst_ring_wake() */
}

/**
 * lkst_proc_wake() - Wake who polls on rings that were replaced or removed
 * @rings: the rings, whose buffer is NULL
 */
void lkst_proc_wake(struct lkst_rings *rings)
{
	wake_up_interruptible_all(&poll_queue);
}

/**
 * struct reader - an open cpuN or cpuN.open
 * @lock: all below
 * @rings: the incarnation that was the buffer's when the file was opened
 * @ring: the CPU's
 * @seq: number of the next packet
 * @shown: seq + 1 of an open packet that was handed out as a copy, or 0
 * @records: records that it had then
 * @offset: bytes of @packet that were handed out
 * @size: bytes of @packet to hand out
 * @open: only the open packet, once
 * @copy: @packet was open when it was copied
 * @packet: a packet's copy
 */
struct reader {
	struct mutex lock;	/* all below */
	struct lkst_rings *rings;
	struct lkst_ring *ring;
	u64 seq;
	u64 shown;
	u32 records;
	u32 offset;
	u32 size;
	bool open;
	bool copy;
	struct lkst_packet *packet;
};

static bool reader_discards(const struct reader *r)
{
	return r->ring->flags & LKST_RING_DISCARD;
}

static bool reader_current(const struct reader *r)
{
	return READ_ONCE(lkst_rings_now) == r->rings;
}

/*
 * The first packet worth reading. In the current overwrite buffer that is not
 * the one to be overwritten next: a copy would likely be thrown away.
 */
static u64 reader_first(const struct reader *r)
{
	u64 limit = READ_ONCE(r->ring->limit);

	if (reader_discards(r))
		return READ_ONCE(r->ring->read);
	if (reader_current(r) &&
	    lkst_ring_current(r->ring) - limit == r->ring->nr_packets - 1)
		limit++;
	return limit;
}

static void reader_offer(struct reader *r)
{
	r->offset = 0;
	r->size = r->ring->packet_size;
}

/* The copy of an open packet, if it has something new. */
static int reader_fill_open(struct reader *r, u64 seq)
{
	int err = lkst_ring_copy_open(r->ring, r->packet);

	if (err || r->packet->seq != seq)
		return -ESTALE;
	if (!r->open && (!r->packet->reserved || (r->shown == seq + 1 &&
						  r->records == r->packet->reserved)))
		return 0;
	r->copy = true;
	r->shown = seq + 1;
	r->records = r->packet->reserved;
	memset((u8 *)r->packet + r->packet->content_size / 8, 0,
	       r->ring->packet_size - r->packet->content_size / 8);
	reader_offer(r);
	return 1;
}

/*
 * Of an earlier boot a packet may have been left out, which leaves its place empty; and
 * what was not finished then never will be. @err is what copying it came to.
 */
static int reader_past(struct reader *r, int err)
{
	u64 time;

	if (err)
		r->seq++;
	else
		lkst_packet_patch(r->packet, r->packet->content_size / 64, &time);
	return err;
}

/* Get the next packet. Return: 1 if there is one, 0 if not, -ESTALE to try again. */
static int reader_fill(struct reader *r)
{
	u64 current_seq = lkst_ring_current(r->ring);
	int err;

	if (r->open)
		return r->shown ? 0 : reader_fill_open(r, current_seq);
	r->seq = max(r->seq, reader_first(r));
	if (r->seq >= current_seq)
		return reader_current(r) ? 0 : reader_fill_open(r, current_seq);
	err = lkst_ring_copy(r->ring, r->seq, r->packet);
	if (r->rings->past)
		err = reader_past(r, err);
	if (err)
		return err == -EAGAIN ? 0 : err;
	r->copy = false;
	reader_offer(r);
	/* Shown in full when it was open: nothing came after. */
	if (r->shown == r->seq + 1 && r->records == r->packet->reserved)
		r->offset = r->size;
	return 1;
}

/*
 * The packet was handed out: go on to the next one. Not after a copy of an open
 * one: whether more came is seen once it is closed.
 */
static void reader_done(struct reader *r)
{
	if (r->copy)
		return;
	if (reader_discards(r))
		lkst_ring_consume(r->ring, r->seq, r->packet->reserved);
	r->seq++;
}

static ssize_t cpu_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct reader *r = iocb->ki_filp->private_data;
	ssize_t done = 0;
	size_t n;
	int err = 0;

	mutex_lock(&r->lock);
	while (iov_iter_count(to)) {
		if (r->offset == r->size) {
			err = reader_fill(r);
			if (err == -ESTALE) {
				cond_resched();
				if (!signal_pending(current))
					continue;
				err = -EINTR;
			}
			if (err <= 0)
				break;
		}
		n = copy_to_iter((u8 *)r->packet + r->offset, r->size - r->offset, to);
		r->offset += n;
		done += n;
		if (r->offset < r->size) {
			if (iov_iter_count(to))
				err = -EFAULT;
			break;
		}
		reader_done(r);
	}
	mutex_unlock(&r->lock);
	return done ?: min(err, 0);
}

static __poll_t cpu_poll(struct file *file, poll_table *table)
{
	struct reader *r = file->private_data;
	__poll_t events = 0;
	u64 seq;

	poll_arm(file, table);
	mutex_lock(&r->lock);
	seq = max(r->seq, reader_first(r));
	if (r->offset < r->size || lkst_ring_closed(r->ring, seq))
		events |= EPOLLIN | EPOLLRDNORM;
	if (!reader_current(r) && (r->shown != seq + 1 || r->records !=
				   LKST_POS_RECORDS(READ_ONCE(r->ring->pos))) &&
	    LKST_POS_RECORDS(READ_ONCE(r->ring->pos)))
		events |= EPOLLIN | EPOLLRDNORM;
	if (!READ_ONCE(r->rings->buffer))
		events |= EPOLLHUP;
	mutex_unlock(&r->lock);
	return events;
}

static int reader_claim(struct reader *r)
{
	if (r->open || !reader_discards(r))
		return 0;
	return test_and_set_bit(r->ring->cpu, r->rings->reader) ? -EBUSY : 0;
}

static void reader_free(struct reader *r)
{
	lkst_rings_put(r->rings);
	kvfree(r->packet);
	kfree(r);
}

static int reader_open(struct inode *inode, struct file *file,
		       const struct file_operations *ops, bool open)
{
	struct lkst_buffer *buffer = proc_get_parent_data(inode);
	unsigned long cpu = (unsigned long)pde_data(inode);
	struct reader *r;
	int err;

	if (lkst_locked_down())
		return -EPERM;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock);
	mutex_lock(&lkst_lock);
	r->rings = buffer->rings;
	kref_get(&r->rings->ref);
	mutex_unlock(&lkst_lock);
	r->ring = r->rings->ring[cpu];
	r->open = open;
	r->packet = kvmalloc(r->ring->packet_size, GFP_KERNEL);
	err = r->packet ? reader_claim(r) : -ENOMEM;
	if (err) {
		reader_free(r);
		return err;
	}
	file->private_data = r;
	replace_fops(file, ops);
	return stream_open(inode, file);
}

static int cpu_release(struct inode *inode, struct file *file)
{
	struct reader *r = file->private_data;

	if (!r->open && reader_discards(r))
		clear_bit(r->ring->cpu, r->rings->reader);
	reader_free(r);
	return 0;
}

/*
 * An open file outlives the removal of its buffer, which /proc's own operations
 * would not allow: they give EIO from then on.
 */
static const struct file_operations cpu_fops = {
	.read_iter = cpu_read,
	.splice_read = copy_splice_read,
	.poll = cpu_poll,
	.release = cpu_release,
};

static const struct file_operations cpu_open_fops = {
	.read_iter = cpu_read,
	.splice_read = copy_splice_read,
	.release = cpu_release,
};

static int cpu_open(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, &cpu_fops, false);
}

static int cpu_open_open(struct inode *inode, struct file *file)
{
	return reader_open(inode, file, &cpu_open_fops, true);
}

static const struct proc_ops cpu_ops = { .proc_open = cpu_open };
static const struct proc_ops cpu_open_ops = { .proc_open = cpu_open_open };

/* @m's private data is a buffer, or NULL for the current one. */
static int metadata_show(struct seq_file *m, void *v)
{
	struct lkst_buffer *buffer = m->private;
	const char *body;
	size_t size;
	u8 *head;

	head = kmalloc(LKST_HEAD_SIZE, GFP_KERNEL);
	if (!head)
		return -ENOMEM;
	mutex_lock(&lkst_lock);
	size = lkst_metadata_head(buffer ? buffer->rings : READ_ONCE(lkst_rings_now),
				  head, LKST_HEAD_SIZE);
	mutex_unlock(&lkst_lock);
	seq_write(m, head, size);
	kfree(head);
	body = lkst_metadata_body(&size);
	seq_write(m, body, size);
	return 0;
}

static int metadata_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, metadata_show, proc_get_parent_data(inode), SZ_64K);
}

static const struct proc_ops metadata_ops = {
	.proc_open = metadata_open,
	.proc_read = seq_read,
	.proc_release = single_release,
};

/* In the form of the file that `lkst extract` writes: tid, tgid, name. */
static int tasks_show(struct seq_file *m, void *v)
{
	const struct lkst_buffer *buffer = m->private;
	const struct lkst_past *past = buffer->rings->past;
	u32 i;

	for (i = 0; i < past->nr_tasks; i++) {
		const struct lkst_task *task = &past->tasks[i];

		if (task->tid <= 0 || task->tgid <= 0)
			continue;
		seq_printf(m, "%d %d ", task->tid, task->tgid);
		seq_escape_mem(m, task->comm, strnlen(task->comm, sizeof(task->comm)),
			       ESCAPE_NAP | ESCAPE_HEX | ESCAPE_APPEND, "\"\\");
		seq_putc(m, '\n');
	}
	return 0;
}

static int tasks_open(struct inode *inode, struct file *file)
{
	if (lkst_locked_down())
		return -EPERM;
	return single_open_size(file, tasks_show, proc_get_parent_data(inode), SZ_64K);
}

static const struct proc_ops tasks_ops = {
	.proc_open = tasks_open,
	.proc_read = seq_read,
	.proc_release = single_release,
};

/* Decimal, or hexadecimal after 0x; a number that has no room is a text. */
static bool marker_number(const char *text, s64 *value)
{
	const char *digits = text + (*text == '-');
	bool hex = !strncmp(digits, "0x", 2);

	if (*text == '+')
		return false;
	return !kstrtos64(text, hex ? 16 : 10, value) ||
	       (hex && digits == text && !kstrtou64(text, 16, (u64 *)value));
}

/* Each write is one record: at most one line, which may be UTF-8. */
static ssize_t marker_write(struct file *file, const char __user *from, size_t size,
			    loff_t *pos)
{
	char text[LKST_TEXT_MAX + 2];
	size_t n = size, i;
	s64 value;

	if (size >= sizeof(text))
		return -E2BIG;
	if (copy_from_user(text, from, size))
		return -EFAULT;
	if (n && text[n - 1] == '\n')
		n--;
	if (!n)
		return -EINVAL;
	if (n > LKST_TEXT_MAX)
		return -E2BIG;
	for (i = 0; i < n; i++)
		if ((u8)text[i] < ' ' || text[i] == 0x7f)
			return -EINVAL;
	text[n] = '\0';
	if (marker_number(text, &value))
		lkst_user_number(value);
	else
		lkst_user_text(text);
	return size;
}

static int marker_open(struct inode *inode, struct file *file)
{
	return stream_open(inode, file);
}

static const struct proc_ops marker_ops = {
	.proc_open = marker_open,
	.proc_write = marker_write,
};

static void status_buffer(struct seq_file *m, const struct lkst_buffer *buffer)
{
	const struct lkst_buffer_info *info = buffer->rings->info;

	seq_printf(m, "%c %-31s %10llu %7u  %-9s  %s\n",
		   buffer->rings == READ_ONCE(lkst_rings_now) ? '*' : ' ', buffer->name,
		   (u64)info->nr_packets * info->packet_size, info->packet_size,
		   info->flags & LKST_RING_DISCARD ? "discard" : "overwrite",
		   buffer->next ? buffer->next->name : "none");
}

/* Those that come with the kernel are always there. */
static void status_handlers(struct seq_file *m)
{
	const struct lkst_handler *handler;

	seq_puts(m, "\n  handler                         type          fired suppressed\n");
	list_for_each_entry(handler, &lkst_handlers, list)
		if (!handler->builtin)
			seq_printf(m, "  %-31s %-8s %10lld %10ld\n", handler->name,
				   handler->type->name, atomic64_read(&handler->fired),
				   atomic_long_read(&handler->suppressed));
}

static void status_ring(struct seq_file *m, const struct lkst_ring *ring)
{
	seq_printf(m, "  cpu%-6u %14llu %10llu %14llu %14llu %10llu\n", ring->cpu,
		   READ_ONCE(ring->closed) + LKST_POS_RECORDS(READ_ONCE(ring->pos)),
		   READ_ONCE(ring->lost), READ_ONCE(ring->overwritten),
		   READ_ONCE(ring->consumed), lkst_ring_current(ring));
}

static int status_show(struct seq_file *m, void *v)
{
	const struct lkst_buffer *buffer;
	const struct lkst_rings *rings;
	unsigned int cpu, id, on = 0;

	for (id = 0; id < LKST_NR_EVENTS; id++)
		on += static_key_enabled(lkst_events[id].key);
	mutex_lock(&lkst_lock);
	rings = READ_ONCE(lkst_rings_now);
	seq_printf(m, "enabled   %d\n", lkst_enabled());
	seq_printf(m, "maskset   %s\n", lkst_maskset_chosen()->name);
	/* All events but lkst/unfinished have a hook. */
	seq_printf(m, "events    %u of %u hooks on\n", on, LKST_NR_EVENTS - 1);
	seq_printf(m, "clock     %s, %llu Hz\n", lkst_clock_name(), lkst_clock_hz());
	seq_printf(m, "boot id   %*phN\n", (int)sizeof(lkst_boot_id), lkst_boot_id);
	seq_puts(m, "\n  buffer                          bytes a CPU  packet  mode       next\n");
	list_for_each_entry(buffer, &lkst_buffers, list)
		status_buffer(m, buffer);
	status_handlers(m);
	seq_printf(m, "\nin %s:\n", rings->info->name);
	seq_puts(m, "  cpu             records       lost    overwritten       consumed     packet\n");
	for_each_possible_cpu(cpu)
		status_ring(m, rings->ring[cpu]);
	mutex_unlock(&lkst_lock);
	return 0;
}

static struct proc_dir_entry *buffers_dir;

/**
 * lkst_proc_buffer_add() - Make a buffer's files
 * @buffer: the buffer
 *
 * Context: process. What is there when it fails is @buffer->proc's.
 * Return: 0 or -ENOMEM.
 */
int lkst_proc_buffer_add(struct lkst_buffer *buffer)
{
	unsigned long cpu;
	char name[24];
	bool ok;

	buffer->proc = proc_mkdir_data(buffer->name, 0500, buffers_dir, buffer);
	if (!buffer->proc)
		return -ENOMEM;
	ok = proc_create("metadata", 0400, buffer->proc, &metadata_ops);
	if (buffer->rings->past)
		ok = ok && proc_create(".tasks", 0400, buffer->proc, &tasks_ops);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%lu", cpu);
		ok = ok && proc_create_data(name, 0400, buffer->proc, &cpu_ops,
					    (void *)cpu);
		snprintf(name, sizeof(name), "cpu%lu.open", cpu);
		ok = ok && proc_create_data(name, 0400, buffer->proc, &cpu_open_ops,
					    (void *)cpu);
	}
	return ok ? 0 : -ENOMEM;
}

int __init lkst_proc_init(void)
{
	struct proc_dir_entry *root = proc_mkdir_mode("lkst", 0500, NULL);

	if (!root)
		return -ENOMEM;
	buffers_dir = proc_mkdir_mode("buffers", 0500, root);
	if (!buffers_dir || !proc_create_single("status", 0400, root, status_show) ||
	    !proc_create("metadata", 0400, root, &metadata_ops) ||
	    !proc_create("trace", 0400, root, &lkst_trace_ops) ||
	    !proc_create("marker", 0200, root, &marker_ops))
		return -ENOMEM;
	return 0;
}
