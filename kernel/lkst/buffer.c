// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers: named sets of rings, one for each possible CPU.
 *
 * /sys/kernel/lkst/buffers/create
 * /sys/kernel/lkst/buffers/remove
 * /sys/kernel/lkst/buffers/current
 * /sys/kernel/lkst/buffers/NAME/size
 * /sys/kernel/lkst/buffers/NAME/packet
 * /sys/kernel/lkst/buffers/NAME/mode
 * /sys/kernel/lkst/buffers/NAME/reset
 * /sys/kernel/lkst/buffers/NAME/next
 * /sys/kernel/lkst/buffers/NAME/cpuN/{hits,lost,readable,consumed,overwritten,
 *				       unfinished,bytes}
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/topology.h>

#include "lkst.h"
#include "ring.h"

/* Where hooks record. Stored from any context; never NULL while they do. */
struct lkst_rings *lkst_rings_now __read_mostly;

LIST_HEAD(lkst_buffers);		/* lkst_lock */

static struct kobject *buffers_dir;
static u32 incarnation;			/* lkst_lock */
static atomic_t switches;		/* of the current buffer */

#define to_buffer(k)	container_of(k, struct lkst_buffer, kobj)

/**
 * struct shape - what a buffer is made from
 * @name: the buffer's
 * @size: bytes a CPU
 * @packet: bytes of a packet
 * @flags: LKST_RING_*
 * @persists: in the reserved area
 * @past: the boot whose trace is to be put in, or NULL
 */
struct shape {
	const char *name;
	u64 size;
	u64 packet;
	u32 flags;
	bool persists;
	struct lkst_past *past;
};

/* Memory is zeroed, and a failure is quiet: the caller has something to say. */
#define SHAPE_GFP	(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

static void *page_on(int cpu, unsigned int order)
{
	struct page *page = alloc_pages_node(cpu_to_node(cpu), SHAPE_GFP, order);

	return page ? page_address(page) : NULL;
}

/* What lies in the reserved area stays reserved. */
static void ring_free(struct lkst_ring *ring, bool persists)
{
	unsigned int order = get_order(ring->packet_size);
	unsigned int i, j;

	for (i = 0; i < LKST_RING_TABLES && ring->table[i]; i++) {
		u64 *table = __va(ring->table[i]);

		for (j = 0; j < LKST_TABLE_ENTRIES && table[j] && !persists; j++)
			free_pages((unsigned long)__va(table[j]), order);
		free_page((unsigned long)table);
	}
	if (!persists)
		free_page((unsigned long)ring);
}

static bool ring_fill(struct lkst_ring *ring, bool persists)
{
	unsigned int order = get_order(ring->packet_size);
	u64 *table = NULL;
	void *packet;
	u32 i;

	for (i = 0; i < ring->nr_packets; i++) {
		if (i % LKST_TABLE_ENTRIES == 0) {
			table = page_on(ring->cpu, 0);
			if (!table)
				return false;
			ring->table[i / LKST_TABLE_ENTRIES] = __pa(table);
		}
		packet = persists ? lkst_area_packet(ring->cpu, i) :
			page_on(ring->cpu, order);
		if (!packet)
			return false;
		table[i % LKST_TABLE_ENTRIES] = __pa(packet);
		cond_resched();
	}
	return true;
}

static void ring_begin(struct lkst_ring *ring, u64 first)
{
	bool known;

	preempt_disable();
	lkst_ring_start(ring, first);
	/*
	 * Whoever makes the ring need not be who runs on its CPU, unless there is
	 * one thread only; and then the next must be told.
	 */
	known = system_state == SYSTEM_BOOTING && lkst_records_switches(lkst_maskset_chosen());
	lkst_ring_packet(ring, first)->tid = known ? current->pid : LKST_TID_UNKNOWN;
	preempt_enable();
}

static struct lkst_ring *ring_alloc(unsigned int cpu, const struct lkst_buffer_info *info,
				    bool persists)
{
	struct lkst_ring *ring = persists ? lkst_area_ring(cpu) : page_on(cpu, 0);

	if (!ring)
		return NULL;
	ring->cpu = cpu;
	ring->flags = info->flags;
	ring->nr_packets = info->nr_packets;
	ring->packet_size = info->packet_size;
	memcpy(ring->uuid, info->uuid, sizeof(ring->uuid));
	if (!ring_fill(ring, persists)) {
		ring_free(ring, persists);
		return NULL;
	}
	ring_begin(ring, 0);
	return ring;
}

static void rings_free(struct lkst_rings *rings)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++) {
		if (rings->ring[i])
			ring_free(rings->ring[i], rings->persists);
		cond_resched();
	}
	lkst_past_free(rings->past);
	for (i = 0; rings->info && i < LKST_BUFFER_TABLES; i++)
		if (rings->info->table[i])
			free_page((unsigned long)__va(rings->info->table[i]));
	free_page((unsigned long)rings->info);
	bitmap_free(rings->reader);
	kfree(rings);
}

static void rings_release(struct kref *ref)
{
	rings_free(container_of(ref, struct lkst_rings, ref));
}

/**
 * lkst_rings_put() - Give a reference back
 * @rings: unpublished, and lkst_synchronize() has run, if it is the last one
 *
 * Context: process, may sleep.
 */
void lkst_rings_put(struct lkst_rings *rings)
{
	kref_put(&rings->ref, rings_release);
}

/* Tell dump readers where a CPU's ring is. */
static bool info_add(struct lkst_buffer_info *info, const struct lkst_ring *ring)
{
	u64 *table = &info->table[ring->cpu / LKST_TABLE_ENTRIES];

	if (!*table) {
		unsigned long page = __get_free_page(SHAPE_GFP);

		if (!page)
			return false;
		*table = __pa(page);
	}
	table = __va(*table);
	table[ring->cpu % LKST_TABLE_ENTRIES] = __pa(ring);
	return true;
}

static void uuid_make(u8 *uuid)
{
	incarnation++;
	memcpy(uuid, lkst_boot_id, LKST_BOOT_ID_SIZE);
	memcpy(uuid + LKST_BOOT_ID_SIZE, &incarnation, sizeof(incarnation));
}

static void info_init(struct lkst_buffer_info *info, const struct shape *shape)
{
	info->magic = LKST_BUFFER_MAGIC;
	strscpy_pad((char *)info->name, shape->name, sizeof(info->name));
	if (shape->past)
		memcpy(info->uuid, shape->past->uuid, sizeof(info->uuid));
	else
		uuid_make(info->uuid);
	info->flags = shape->flags;
	info->nr_rings = nr_cpu_ids;
	info->packet_size = shape->packet;
	info->nr_packets = rounddown_pow_of_two(div_u64(shape->size, shape->packet));
}

/*
 * Lead dump readers to rings of this boot: a dump is of one boot. What is known of
 * another one is the rings' from then on.
 */
static bool rings_tell(struct lkst_rings *rings, struct lkst_past *past)
{
	rings->past = past;
	rings->info->head_size = lkst_metadata_head(rings, rings->info->head,
						    LKST_HEAD_SIZE);
	if (past)
		return true;
	rings->dirent = lkst_dir_add(LKST_DIR_BUFFER, 0, 0, __pa(rings->info),
				     sizeof(*rings->info));
	return rings->dirent;
}

static struct lkst_rings *rings_try(const struct shape *shape)
{
	struct lkst_rings *rings;
	unsigned int cpu;

	rings = kzalloc(struct_size(rings, ring, nr_cpu_ids), SHAPE_GFP);
	if (!rings)
		return NULL;
	kref_init(&rings->ref);
	rings->tsc = static_key_enabled(&lkst_clock_tsc);
	rings->persists = shape->persists;
	rings->info = (void *)__get_free_page(SHAPE_GFP);
	rings->reader = bitmap_zalloc(nr_cpu_ids, SHAPE_GFP);
	if (!rings->info || !rings->reader)
		goto fail;
	info_init(rings->info, shape);
	for_each_possible_cpu(cpu) {
		rings->ring[cpu] = ring_alloc(cpu, rings->info, shape->persists);
		if (!rings->ring[cpu] || !info_add(rings->info, rings->ring[cpu]))
			goto fail;
	}
	if (rings_tell(rings, shape->past))
		return rings;
fail:
	rings_free(rings);
	return NULL;
}

static int shape_check(const struct shape *shape)
{
	u64 packets, total;

	if (!is_power_of_2(shape->packet) || shape->packet < LKST_PACKET_MIN ||
	    shape->packet > LKST_PACKET_MAX) {
		pr_notice("a packet is a power of two from %u to %u bytes\n",
			  LKST_PACKET_MIN, LKST_PACKET_MAX);
		return -EINVAL;
	}
	packets = div_u64(shape->size, shape->packet);
	if (packets < LKST_RING_PACKETS_MIN) {
		pr_notice("a buffer has at least %u packets a CPU\n",
			  LKST_RING_PACKETS_MIN);
		return -EINVAL;
	}
	if (packets > LKST_RING_TABLES * LKST_TABLE_ENTRIES) {
		pr_notice("a buffer has at most %u packets a CPU: take larger ones\n",
			  LKST_RING_TABLES * LKST_TABLE_ENTRIES);
		return -ERANGE;
	}
	if (shape->persists)
		return 0;
	if (check_mul_overflow(shape->size, (u64)num_possible_cpus(), &total) ||
	    total / PAGE_SIZE > si_mem_available()) {
		pr_notice("there is no memory for %llu bytes on each of %u CPUs\n",
			  shape->size, num_possible_cpus());
		return -ENOMEM;
	}
	return 0;
}

/* Where memory is in pieces, a smaller packet will do. */
static int rings_alloc(struct shape shape, struct lkst_rings **rings)
{
	u64 wanted = shape.packet;
	int err;

	for (;;) {
		err = shape_check(&shape);
		if (err)
			return err;
		*rings = rings_try(&shape);
		if (*rings)
			break;
		if (shape.packet == LKST_PACKET_MIN || shape.persists)
			return -ENOMEM;
		shape.packet /= 2;
	}
	if (shape.packet != wanted)
		pr_notice("buffer %s: memory is in pieces: packets of %llu bytes, not %llu\n",
			  shape.name, shape.packet, wanted);
	return 0;
}

static struct shape shape_of(const struct lkst_buffer *buffer)
{
	const struct lkst_buffer_info *info = buffer->rings->info;

	return (struct shape) {
		.name = buffer->name,
		.size = (u64)info->nr_packets * info->packet_size,
		.packet = info->packet_size,
		.flags = info->flags,
	};
}

/**
 * struct later - a switch that is to come after some records of a CPU
 * @ring: the CPU's ring in the buffer that is current until then; NULL if none is
 *	to come. The ring is slow meanwhile, so that each record is seen
 * @rings: that it belongs to
 * @buffer: what to switch to, or NULL for the next one
 * @left: records until then
 * @switches: count of switches when it was asked for
 */
struct later {
	struct lkst_ring *ring;
	struct lkst_rings *rings;
	struct lkst_buffer *buffer;
	u32 left;
	int switches;
};

static DEFINE_PER_CPU(struct later, later);

/*
 * Once, whoever nests. Return false when it was done, or there is none. What nests
 * after the exchange may ask for a switch after records of the same ring.
 */
static bool later_end(struct later *l)
{
	struct lkst_ring *ring = READ_ONCE(l->ring);
	bool slow;

	if (!ring || !try_cmpxchg_local(&l->ring, &ring, NULL))
		return false;
	do {
		slow = READ_ONCE(l->ring) == ring;
		lkst_ring_slow(ring, slow);
		barrier();
	} while (slow != (READ_ONCE(l->ring) == ring));
	return true;
}

static bool later_is_about(const struct later *l, const void *what)
{
	return l->buffer == what || l->rings == what;
}

static void later_forget(void *what)
{
	struct later *l = this_cpu_ptr(&later);

	if (later_is_about(l, what))
		later_end(l);
}

/*
 * Forget the switches to a buffer, or in some rings, that are to come; nobody asks for
 * one any more. What is forgotten is not looked at again, and can go.
 */
static void laters_forget(void *what)
{
	unsigned int cpu;

	cpus_read_lock();
	on_each_cpu(later_forget, what, true);
	for_each_possible_cpu(cpu) {
		struct later *l = per_cpu_ptr(&later, cpu);

		if (!cpu_online(cpu) && later_is_about(l, what))
			later_end(l);
	}
	cpus_read_unlock();
}

/*
 * Unpublish @rings. Whoever recorded in it has finished, and nothing switches to
 * it, when this returns; open files may still hold it.
 */
static void rings_retire(struct lkst_rings *rings)
{
	lkst_dir_remove(rings->dirent);
	if (rings->persists)
		lkst_area_withdraw();
	laters_forget(rings);
	rings->buffer = NULL;
	lkst_proc_wake(rings);
	lkst_rings_put(rings);
}

/*
 * Tell dump readers which buffer is current. Switches can nest here and race
 * with those of other CPUs; whoever stores last looks again after its store.
 * Preemption is off, or lkst_lock held: what is current stays in memory.
 */
static void state_update(void)
{
	struct lkst_rings *rings;

	do {
		rings = READ_ONCE(lkst_rings_now);
		WRITE_ONCE(lkst_state->buffer, __pa(rings->info));
		smp_mb();	/* after the store of lkst_rings_now, before the load */
	} while (rings != READ_ONCE(lkst_rings_now));
}

/* Let a buffer begin anew in another shape. On an error it is as before. */
static int buffer_replace(struct lkst_buffer *buffer, const struct shape *shape)
{
	struct lkst_rings *old = buffer->rings, *expected = old, *rings;
	int err;

	lockdep_assert_held(&lkst_lock);
	err = rings_alloc(*shape, &rings);
	if (err)
		return err;
	rings->buffer = buffer;
	WRITE_ONCE(buffer->rings, rings);
	/*
	 * A switch under way in another context may have loaded the old rings;
	 * by the end of this wait it has stored them. Only from then on is there
	 * an end to the hooks that use them.
	 */
	if (buffer->refs)
		lkst_synchronize();
	if (try_cmpxchg(&lkst_rings_now, &expected, rings))
		atomic_inc(&switches);
	state_update();
	lkst_synchronize();
	rings_retire(old);
	return 0;
}

/* Empty a ring that nobody writes to. The packets' numbers go on, for who reads it. */
static void ring_restart(struct lkst_ring *ring, const u8 *uuid)
{
	u64 next = lkst_ring_current(ring) + 1;
	u32 i;

	for (i = 0; i < ring->nr_packets; i++)
		memset(lkst_ring_packet(ring, i), 0, sizeof(struct lkst_packet));
	memcpy(ring->uuid, uuid, sizeof(ring->uuid));
	ring->clamp = 0;
	ring->lost = 0;
	ring->closed = 0;
	ring->overwritten = 0;
	ring_begin(ring, next);
}

/*
 * Let rings in the reserved area begin anew. There is no second area to replace them
 * by, so recording stops meanwhile.
 */
static void rings_restart(struct lkst_rings *rings)
{
	struct lkst_buffer_info *info = rings->info;
	bool on = lkst_pause();
	unsigned int cpu;

	laters_forget(rings);
	lkst_area_withdraw();
	uuid_make(info->uuid);
	rings->tsc = static_key_enabled(&lkst_clock_tsc);
	for_each_possible_cpu(cpu)
		ring_restart(rings->ring[cpu], info->uuid);
	info->head_size = lkst_metadata_head(rings, info->head, LKST_HEAD_SIZE);
	lkst_area_publish(info->uuid);
	lkst_enable(on);
	lkst_proc_wake(rings);
}

/* Let a buffer begin anew as a user wants it, if it is one to record into. */
static int buffer_reshape(struct lkst_buffer *buffer, const struct shape *shape)
{
	struct shape now = shape_of(buffer);

	if (buffer->rings->past) {
		pr_notice("buffer %s can only be read, and removed\n", buffer->name);
		return -EPERM;
	}
	if (!buffer->rings->persists)
		return buffer_replace(buffer, shape);
	if (shape->size != now.size || shape->packet != now.packet ||
	    shape->flags != now.flags) {
		pr_notice("buffer %s lies in reserved memory, and has size, packet and mode from that\n",
			  buffer->name);
		return -EPERM;
	}
	rings_restart(buffer->rings);
	return 0;
}

/* The clock is another one. */
static void rings_refit(struct lkst_rings *rings)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		lkst_ring_slow(rings->ring[cpu], false);
}

/* Halve @shape, down to the least that there is. */
static bool shape_halve(struct shape *shape)
{
	if (shape->size / 2 < LKST_RING_PACKETS_MIN * LKST_PACKET_MIN)
		return false;
	shape->size /= 2;
	shape->packet = min(shape->packet, shape->size / LKST_RING_PACKETS_MIN);
	shape->packet = rounddown_pow_of_two(shape->packet);
	return true;
}

/*
 * Let a buffer begin anew whose rings were made for another clock. Where memory is
 * short it becomes smaller; if there is none at all it keeps its rings, and its old
 * times.
 */
static void buffer_refresh(struct lkst_buffer *buffer)
{
	struct shape shape = shape_of(buffer);
	u64 wanted = shape.size;
	int err;

	if (buffer->rings->past ||
	    buffer->rings->tsc == static_key_enabled(&lkst_clock_tsc))
		return;
	if (buffer->rings->persists) {
		rings_restart(buffer->rings);
		return;
	}
	while ((err = buffer_replace(buffer, &shape)) == -ENOMEM)
		if (!shape_halve(&shape))
			break;
	if (err) {
		pr_warn("buffer %s: no memory to begin anew\n", buffer->name);
		rings_refit(buffer->rings);
	} else if (shape.size != wanted) {
		pr_warn("buffer %s has %llu bytes a CPU now, not %llu: no memory\n",
			buffer->name, shape.size, wanted);
	}
}

/**
 * lkst_buffers_refresh() - Let all buffers begin anew, as the clock is another one
 *
 * Context: process, lkst_lock held, nothing records.
 */
void lkst_buffers_refresh(void)
{
	struct lkst_buffer *buffer;

	list_for_each_entry(buffer, &lkst_buffers, list)
		buffer_refresh(buffer);
}

/**
 * lkst_buffers_head() - Write the heads of all buffers' metadata anew
 *
 * Context: process, lkst_lock held. A dump taken meanwhile may find a mix of the
 * old and the new one, which differ in numbers of the clock only.
 */
void lkst_buffers_head(void)
{
	struct lkst_buffer *buffer;

	list_for_each_entry(buffer, &lkst_buffers, list) {
		struct lkst_buffer_info *info = buffer->rings->info;

		info->head_size = lkst_metadata_head(buffer->rings, info->head,
						     LKST_HEAD_SIZE);
	}
}

void lkst_buffer_switch(struct lkst_buffer *buffer)
{
	struct lkst_rings *rings, *old;
	bool again = false;

	preempt_disable_notrace();
	rings = READ_ONCE(buffer->rings);
	old = READ_ONCE(lkst_rings_now);
	/* To the same again is no switch, and ends none that is to come. */
	if (old != rings) {
		again = READ_ONCE(rings->left);
		WRITE_ONCE(old->left, true);
		WRITE_ONCE(lkst_rings_now, rings);
		atomic_inc(&switches);
	}
	state_update();
	preempt_enable_notrace();
	/* What was current has an open packet to read now. */
	lkst_ring_wake();
	/* An open packet goes on, which does not tell what happened meanwhile. */
	if (again)
		lkst_threads_unknown(LKST_UNKNOWN_BUFFER);
	lkst_lkst_buffer(buffer->name);
}
EXPORT_SYMBOL_GPL(lkst_buffer_switch);

/* To @buffer, or where that is NULL to what is linked to the current one. */
static void buffer_shift(struct lkst_buffer *buffer)
{
	struct lkst_buffer *now;

	if (!buffer) {
		now = READ_ONCE(READ_ONCE(lkst_rings_now)->buffer);
		buffer = now ? READ_ONCE(now->next) : NULL;
	}
	if (buffer)
		lkst_buffer_switch(buffer);
}

static void later_switch(struct later *l)
{
	struct lkst_buffer *buffer = l->buffer;

	if (later_end(l))
		buffer_shift(buffer);
}

/**
 * lkst_buffer_switch_after() - Switch buffers some records later
 * @buffer: with a reference, or NULL for what is linked to the current one
 * @records: of this CPU in the current buffer; 0 for now
 *
 * While one is to come on this CPU, another is ignored. Any other switch meanwhile
 * is its end.
 *
 * Context: any, preemption off; not nested in itself on a CPU.
 */
void lkst_buffer_switch_after(struct lkst_buffer *buffer, u32 records)
{
	struct later *l = this_cpu_ptr(&later);
	struct lkst_rings *rings;
	struct lkst_ring *ring;

	if (!records) {
		buffer_shift(buffer);
		return;
	}
	rings = READ_ONCE(lkst_rings_now);
	ring = rings->ring[raw_smp_processor_id()];
	if (READ_ONCE(l->ring) && l->switches == atomic_read(&switches))
		return;
	later_end(l);
	l->rings = rings;
	l->buffer = buffer;
	l->switches = atomic_read(&switches);
	WRITE_ONCE(l->left, records);
	barrier();
	WRITE_ONCE(l->ring, ring);
	barrier();
	lkst_ring_slow(ring, true);
}

/**
 * lkst_ring_counted() - Count a record that is about to be made in a slow ring
 * @ring: this CPU's ring in the current buffer
 *
 * The last of the records that a switch waits for is counted before it is made:
 * who nests in it sees that there is none left, and switches.
 *
 * Context: any, preemption off.
 * Return: the ring that the record is for.
 */
struct lkst_ring *lkst_ring_counted(struct lkst_ring *ring)
{
	struct later *l = this_cpu_ptr(&later);
	u32 left;

	if (READ_ONCE(l->ring) != ring)
		return ring;
	if (l->switches != atomic_read(&switches)) {
		later_end(l);
		return ring;
	}
	left = READ_ONCE(l->left);
	do {
		if (!left) {
			later_switch(l);
			return READ_ONCE(lkst_rings_now)->ring[raw_smp_processor_id()];
		}
	} while (!try_cmpxchg_local(&l->left, &left, left - 1));
	return ring;
}

NOKPROBE_SYMBOL(lkst_ring_counted);

/**
 * lkst_ring_count_done() - Switch, if this record was the last to wait for
 * @ring: from lkst_ring_counted(); the record was reserved
 *
 * Context: as lkst_ring_counted().
 */
void lkst_ring_count_done(struct lkst_ring *ring)
{
	struct later *l = this_cpu_ptr(&later);

	if (READ_ONCE(l->ring) == ring && !READ_ONCE(l->left))
		later_switch(l);
}

NOKPROBE_SYMBOL(lkst_ring_count_done);

static struct lkst_buffer *buffer_find(const char *name)
{
	struct lkst_buffer *buffer;

	lockdep_assert_held(&lkst_lock);
	list_for_each_entry(buffer, &lkst_buffers, list)
		if (!strcmp(buffer->name, name))
			return buffer;
	return NULL;
}

/**
 * lkst_buffer_ref() - What lkst_buffer_get() does, under lkst_lock
 * @name: the buffer's name
 *
 * Return: the buffer, or NULL; also for one that only can be read.
 */
struct lkst_buffer *lkst_buffer_ref(const char *name)
{
	struct lkst_buffer *buffer = buffer_find(name);

	if (!buffer || buffer->rings->past)
		return NULL;
	buffer->refs++;
	return buffer;
}

/**
 * lkst_buffer_unref() - What lkst_buffer_put() does, under lkst_lock
 * @buffer: from lkst_buffer_ref()
 *
 * Context: process, may sleep; lkst_synchronize() has run since the last use.
 */
void lkst_buffer_unref(struct lkst_buffer *buffer)
{
	lockdep_assert_held(&lkst_lock);
	/* Who has another reference may still want the switch that is to come later. */
	if (!--buffer->refs)
		laters_forget(buffer);
}

struct lkst_buffer *lkst_buffer_get(const char *name)
{
	struct lkst_buffer *buffer;

	mutex_lock(&lkst_lock);
	buffer = lkst_buffer_ref(name);
	mutex_unlock(&lkst_lock);
	return buffer;
}
EXPORT_SYMBOL_GPL(lkst_buffer_get);

void lkst_buffer_put(struct lkst_buffer *buffer)
{
	mutex_lock(&lkst_lock);
	lkst_buffer_unref(buffer);
	mutex_unlock(&lkst_lock);
}
EXPORT_SYMBOL_GPL(lkst_buffer_put);

/**
 * struct ring_sum - what a ring holds
 * @hits: reservations tried
 * @lost: those that found no room
 * @consumed: records consumed by the reader
 * @overwritten: records overwritten
 * @readable: records that can still be read
 * @bytes: bytes in use in packets that can still be read
 * @unfinished: records in them that are not finished
 */
struct ring_sum {
	u64 hits;
	u64 lost;
	u64 consumed;
	u64 overwritten;
	u64 readable;
	u64 bytes;
	u64 unfinished;
};

static u64 packet_unfinished(const struct lkst_packet *packet, u32 words)
{
	const u64 *word = (const u64 *)packet;
	u64 n = 0;
	u32 i, length;

	for (i = LKST_PACKET_WORDS; i < words; i += length) {
		u64 header = READ_ONCE(word[i]);

		length = LKST_RECORD_WORDS(header) ?: words;
		n += !(header & LKST_RECORD_FINISHED);
	}
	return n;
}

static void packet_sum(const struct lkst_ring *ring, u64 seq, struct ring_sum *sum)
{
	const struct lkst_packet *packet = lkst_ring_packet(ring, seq);
	u32 words = min_t(u64, READ_ONCE(packet->content_size) / 64,
			  ring->packet_size / 8);

	sum->readable += READ_ONCE(packet->reserved);
	sum->bytes += words * 8;
	sum->unfinished += packet_unfinished(packet, words);
}

/*
 * The owner goes on meanwhile: try again until it has not switched packets. All that lies
 * in the ring is walked only for @contents.
 */
static struct ring_sum ring_sum(const struct lkst_ring *ring, bool contents)
{
	struct ring_sum sum;
	u64 pos, seq, packets;
	int tries = 16;

	do {
		sum = (struct ring_sum) { };
		/* Packets before this one are looked at after it. */
		packets = smp_load_acquire(&ring->packets);
		pos = READ_ONCE(ring->pos);
		sum.lost = READ_ONCE(ring->lost);
		sum.hits = READ_ONCE(ring->closed) + LKST_POS_RECORDS(pos) + sum.lost;
		sum.consumed = READ_ONCE(ring->consumed);
		sum.overwritten = READ_ONCE(ring->overwritten);
		seq = max(READ_ONCE(ring->limit), READ_ONCE(ring->read));
		for (; contents && seq < packets; seq++) {
			packet_sum(ring, seq, &sum);
			cond_resched();
		}
		sum.readable += LKST_POS_RECORDS(pos);
		sum.bytes += LKST_POS_WORDS(pos) * 8;
		sum.unfinished += packet_unfinished(lkst_ring_packet(ring, packets),
						    LKST_POS_WORDS(pos));
		smp_rmb();	/* pairs with the release in packet_close() */
	} while ((READ_ONCE(ring->switching) || READ_ONCE(ring->packets) != packets ||
		  LKST_POS_PACKET(pos) != (u32)packets) && --tries);
	return sum;
}

/* A CPU's counter: the attribute knows which. */
struct cpu_attribute {
	struct kobj_attribute attr;
	unsigned int cpu;
};

#define CPU_SHOW(_name, contents)						\
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr,	\
			    char *buf)						\
{										\
	unsigned int cpu = container_of(attr, struct cpu_attribute, attr)->cpu;	\
	struct ring_sum sum;							\
										\
	mutex_lock(&lkst_lock);							\
	sum = ring_sum(to_buffer(kobj)->rings->ring[cpu], contents);		\
	mutex_unlock(&lkst_lock);						\
	return sysfs_emit(buf, "%llu\n", sum._name);				\
}

CPU_SHOW(hits, false)
CPU_SHOW(lost, false)
CPU_SHOW(readable, true)
CPU_SHOW(consumed, false)
CPU_SHOW(overwritten, false)
CPU_SHOW(unfinished, true)
CPU_SHOW(bytes, true)

static const struct kobj_attribute cpu_files[] = {
	__ATTR(hits, 0400, hits_show, NULL),
	__ATTR(lost, 0400, lost_show, NULL),
	__ATTR(readable, 0400, readable_show, NULL),
	__ATTR(consumed, 0400, consumed_show, NULL),
	__ATTR(overwritten, 0400, overwritten_show, NULL),
	__ATTR(unfinished, 0400, unfinished_show, NULL),
	__ATTR(bytes, 0400, bytes_show, NULL),
};

#define CPU_FILES	ARRAY_SIZE(cpu_files)

/* "8", "8K", "8M", "8G" */
static int size_parse(char *text, u64 *size)
{
	static const char units[] = "KMG";
	size_t n = strlen(text);
	const char *unit = n ? strchr(units, text[n - 1]) : NULL;
	unsigned int shift = 0;
	int err;

	if (unit && *unit) {
		shift = 10 * (unit - units + 1);
		text[n - 1] = '\0';
	}
	if (*text == '+')
		return -EINVAL;
	err = kstrtou64(text, 0, size);
	if (!err && check_shl_overflow(*size, shift, size))
		err = -ERANGE;
	return err;
}

static int mode_parse(const char *text, u32 *flags)
{
	if (!strcmp(text, "overwrite"))
		*flags = 0;
	else if (!strcmp(text, "discard"))
		*flags = LKST_RING_DISCARD;
	else
		return -EINVAL;
	return 0;
}

static const char *mode_name(u32 flags)
{
	return flags & LKST_RING_DISCARD ? "discard" : "overwrite";
}

static ssize_t size_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%llu\n", shape_of(to_buffer(kobj)).size);
	mutex_unlock(&lkst_lock);
	return n;
}

static ssize_t packet_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%llu\n", shape_of(to_buffer(kobj)).packet);
	mutex_unlock(&lkst_lock);
	return n;
}

static ssize_t mode_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%s\n", mode_name(shape_of(to_buffer(kobj)).flags));
	mutex_unlock(&lkst_lock);
	return n;
}

/* What a write to the file @attr of a buffer asks for. */
static int shape_change(struct shape *shape, const struct kobj_attribute *attr,
			char *text)
{
	bool reset;

	if (!strcmp(attr->attr.name, "size"))
		return size_parse(text, &shape->size);
	if (!strcmp(attr->attr.name, "packet"))
		return size_parse(text, &shape->packet);
	if (!strcmp(attr->attr.name, "mode"))
		return mode_parse(text, &shape->flags);
	return lkst_input_bool(text, strlen(text), &reset) ?: reset ? 0 : -EINVAL;
}

static ssize_t shape_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t size)
{
	struct lkst_buffer *buffer = to_buffer(kobj);
	struct shape shape;
	char text[32];
	int err;

	err = lkst_input(buf, size, text, sizeof(text));
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	shape = shape_of(buffer);
	err = list_empty(&buffer->list) ? -ENODEV : shape_change(&shape, attr, text);
	if (!err)
		err = buffer_reshape(buffer, &shape);
	mutex_unlock(&lkst_lock);
	return err ?: size;
}

static ssize_t next_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct lkst_buffer *next;
	ssize_t n;

	mutex_lock(&lkst_lock);
	next = to_buffer(kobj)->next;
	n = sysfs_emit(buf, "%s\n", next ? next->name : "none");
	mutex_unlock(&lkst_lock);
	return n;
}

/* Link @buffer to @next, or with NULL to none. */
static void buffer_link(struct lkst_buffer *buffer, struct lkst_buffer *next)
{
	struct lkst_buffer *old = buffer->next;

	WRITE_ONCE(buffer->next, next);
	if (!old)
		return;
	/* A switch under way may have loaded it. */
	lkst_synchronize();
	lkst_buffer_unref(old);
}

static int next_change(struct lkst_buffer *buffer, const char *name)
{
	struct lkst_buffer *next = NULL;

	if (list_empty(&buffer->list))
		return -ENODEV;
	if (buffer->rings->past)
		return -EPERM;
	if (!strcmp(name, buffer->name))
		return -EINVAL;
	if (strcmp(name, "none")) {
		next = lkst_buffer_ref(name);
		if (!next) {
			pr_notice("there is no buffer %s\n", name);
			return -ENOENT;
		}
	}
	buffer_link(buffer, next);
	return 0;
}

static ssize_t next_store(struct kobject *kobj, struct kobj_attribute *attr,
			  const char *buf, size_t size)
{
	char name[LKST_NAME_SIZE];
	int err;

	err = lkst_input(buf, size, name, sizeof(name));
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	err = next_change(to_buffer(kobj), name);
	mutex_unlock(&lkst_lock);
	return err ?: size;
}

static struct kobj_attribute next_attr = __ATTR(next, 0600, next_show, next_store);
static struct kobj_attribute size_attr = __ATTR(size, 0600, size_show, shape_store);
static struct kobj_attribute packet_attr =
	__ATTR(packet, 0600, packet_show, shape_store);
static struct kobj_attribute mode_attr = __ATTR(mode, 0600, mode_show, shape_store);
static struct kobj_attribute reset_attr = __ATTR(reset, 0200, NULL, shape_store);

static struct attribute *buffer_attrs[] = {
	&size_attr.attr,
	&packet_attr.attr,
	&mode_attr.attr,
	&reset_attr.attr,
	&next_attr.attr,
	NULL
};

static const struct attribute_group buffer_group = { .attrs = buffer_attrs };

/* Of a buffer from an earlier boot. */
static ssize_t damaged_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_buffer(kobj)->rings->past->damaged);
}

static ssize_t text_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%llx\n", to_buffer(kobj)->rings->past->text);
}

static struct kobj_attribute damaged_attr = __ATTR(damaged, 0400, damaged_show, NULL);
static struct kobj_attribute text_attr = __ATTR(text, 0400, text_show, NULL);

static struct attribute *past_attrs[] = {
	&damaged_attr.attr,
	&text_attr.attr,
	NULL
};

static const struct attribute_group past_group = { .attrs = past_attrs };

/* buffer_group, then one group of files for each possible CPU, then NULL */
static const struct attribute_group **buffer_groups;

static const struct attribute_group *cpu_group_make(unsigned int cpu)
{
	struct attribute_group *group = kzalloc(sizeof(*group), GFP_KERNEL);
	struct cpu_attribute *files = kcalloc(CPU_FILES, sizeof(*files), GFP_KERNEL);
	struct attribute **list = kcalloc(CPU_FILES + 1, sizeof(*list), GFP_KERNEL);
	unsigned int i;

	if (!group || !files || !list)
		return NULL;
	for (i = 0; i < CPU_FILES; i++) {
		files[i].attr = cpu_files[i];
		files[i].cpu = cpu;
		sysfs_attr_init(&files[i].attr.attr);
		list[i] = &files[i].attr.attr;
	}
	group->name = kasprintf(GFP_KERNEL, "cpu%u", cpu);
	group->attrs = list;
	return group->name ? group : NULL;
}

static int __init buffer_groups_make(void)
{
	unsigned int cpu, n = 0;

	buffer_groups = kcalloc(num_possible_cpus() + 2, sizeof(*buffer_groups),
				GFP_KERNEL);
	if (!buffer_groups)
		return -ENOMEM;
	buffer_groups[n++] = &buffer_group;
	for_each_possible_cpu(cpu) {
		buffer_groups[n] = cpu_group_make(cpu);
		if (!buffer_groups[n++])
			return -ENOMEM;
	}
	return 0;
}

static void buffer_release(struct kobject *kobj)
{
	kfree(to_buffer(kobj));
}

static const struct kobj_type buffer_type = {
	.release = buffer_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

/* A buffer that has @rings, without files and directories yet. */
static struct lkst_buffer *buffer_wrap(const char *name, struct lkst_rings *rings)
{
	struct lkst_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL);

	if (!buffer)
		return NULL;
	kobject_init(&buffer->kobj, &buffer_type);
	INIT_LIST_HEAD(&buffer->list);
	strscpy(buffer->name, name);
	buffer->rings = rings;
	rings->buffer = buffer;
	return buffer;
}

static struct lkst_buffer *buffer_make(const struct shape *shape, int *err)
{
	struct lkst_buffer *buffer;
	struct lkst_rings *rings;

	*err = rings_alloc(*shape, &rings);
	if (*err)
		return NULL;
	buffer = buffer_wrap(shape->name, rings);
	if (!buffer) {
		*err = -ENOMEM;
		rings_retire(rings);
	}
	return buffer;
}

static int buffer_add(struct lkst_buffer *buffer)
{
	int err = kobject_add(&buffer->kobj, buffers_dir, "%s", buffer->name);

	if (!err)
		err = sysfs_create_groups(&buffer->kobj, buffer_groups);
	if (!err && buffer->rings->past)
		err = sysfs_create_group(&buffer->kobj, &past_group);
	return err ?: lkst_proc_buffer_add(buffer);
}

/*
 * Free a buffer that is on no list. Not under the lock until the files are gone:
 * that waits for their users, who may want it.
 */
static void buffer_drop(struct lkst_buffer *buffer)
{
	kobject_del(&buffer->kobj);
	proc_remove(buffer->proc);
	lkst_synchronize();
	mutex_lock(&lkst_lock);
	buffer_link(buffer, NULL);
	rings_retire(buffer->rings);
	mutex_unlock(&lkst_lock);
	kobject_put(&buffer->kobj);
}

static int buffer_create(const struct shape *shape)
{
	struct lkst_buffer *buffer = NULL;
	int err;

	err = lkst_name_check(shape->name);
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	if (buffer_find(shape->name))
		err = -EEXIST;
	else
		buffer = buffer_make(shape, &err);
	mutex_unlock(&lkst_lock);
	if (!buffer)
		return err;
	/* Not under the lock: where it fails it waits for users of the files. */
	err = buffer_add(buffer);
	if (err) {
		buffer_drop(buffer);
		return err;
	}
	mutex_lock(&lkst_lock);
	list_add_tail(&buffer->list, &lkst_buffers);
	buffer_refresh(buffer);
	mutex_unlock(&lkst_lock);
	return 0;
}

static int option_parse(struct shape *shape, char *option)
{
	char *value = strchr(option, '=');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(option, "size"))
		return size_parse(value, &shape->size);
	if (!strcmp(option, "packet"))
		return size_parse(value, &shape->packet);
	if (!strcmp(option, "mode"))
		return mode_parse(value, &shape->flags);
	return -EINVAL;
}

/* "NAME [size=4M] [packet=64K] [mode=overwrite|discard]" */
static ssize_t create_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	struct shape shape = { .size = 4 << 20, .packet = 64 << 10 };
	char line[128], *rest = line, *option;
	int err;

	err = lkst_input(buf, size, line, sizeof(line));
	if (err)
		return err;
	shape.name = strsep(&rest, " ");
	while (!err && (option = strsep(&rest, " ")))
		err = option_parse(&shape, option);
	if (err) {
		pr_notice("buffers/create takes NAME [size=4M] [packet=64K] [mode=overwrite|discard]\n");
		return err;
	}
	mutex_lock(&lkst_names);
	err = buffer_create(&shape);
	mutex_unlock(&lkst_names);
	return err ?: size;
}

static int buffer_unlink(struct lkst_buffer *buffer)
{
	bool current_one;

	if (!buffer)
		return -ENOENT;
	current_one = READ_ONCE(lkst_rings_now) == buffer->rings;
	if (current_one || buffer->refs) {
		pr_notice("buffer %s is %s\n", buffer->name, current_one ? "current" :
			  "named by an action or a buffer's next, or held by a module");
		return -EBUSY;
	}
	list_del_init(&buffer->list);
	return 0;
}

static int buffer_remove(const char *name)
{
	struct lkst_buffer *buffer;
	int err;

	mutex_lock(&lkst_lock);
	buffer = buffer_find(name);
	err = buffer_unlink(buffer);
	mutex_unlock(&lkst_lock);
	if (!err)
		buffer_drop(buffer);
	return err;
}

static ssize_t remove_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	return lkst_input_remove(buf, size, buffer_remove);
}

static ssize_t current_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *buf)
{
	ssize_t n;

	mutex_lock(&lkst_lock);
	n = sysfs_emit(buf, "%s\n", READ_ONCE(lkst_rings_now)->info->name);
	mutex_unlock(&lkst_lock);
	return n;
}

static ssize_t current_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t size)
{
	struct lkst_buffer *buffer;
	char name[LKST_NAME_SIZE];
	int err;

	err = lkst_input(buf, size, name, sizeof(name));
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	buffer = buffer_find(name);
	if (buffer && buffer->rings->past)
		err = -EPERM;
	else if (buffer)
		lkst_buffer_switch(buffer);
	else if (!strcmp(name, "next"))
		buffer_shift(NULL);
	else
		err = -ENOENT;
	mutex_unlock(&lkst_lock);
	if (err)
		pr_notice("there is no buffer %s to record into\n", name);
	return err ?: size;
}

static struct kobj_attribute create_attr = __ATTR(create, 0200, NULL, create_store);
static struct kobj_attribute remove_attr = __ATTR(remove, 0200, NULL, remove_store);
/* Not by __ATTR(): `current` is a macro. */
static struct kobj_attribute current_attr = {
	.attr = { .name = "current", .mode = 0600 },
	.show = current_show,
	.store = current_store,
};

static struct attribute *dir_attrs[] = {
	&create_attr.attr,
	&remove_attr.attr,
	&current_attr.attr,
	NULL
};

static const struct attribute_group dir_group = { .attrs = dir_attrs };

/* A small machine with room for many CPUs still gets what there is memory for. */
static struct lkst_buffer * __init boot_buffer_make(struct shape *shape, int *err)
{
	const u64 wanted = shape->size;
	struct lkst_buffer *buffer;

	while (!(buffer = buffer_make(shape, err)))
		if (*err != -ENOMEM || !shape_halve(shape))
			return NULL;
	if (shape->size != wanted)
		pr_warn("buffer boot has %llu bytes a CPU, not %llu: no memory\n",
			shape->size, wanted);
	return buffer;
}

/* 4M a CPU, but where there is room for many CPUs no more than 1/32 of memory. */
static struct shape __init boot_shape(void)
{
	struct shape shape = { .name = "boot", .size = 4 << 20, .packet = 64 << 10 };
	u64 most = (u64)totalram_pages() * PAGE_SIZE / 32 / num_possible_cpus();

	while (shape.size > most && shape_halve(&shape))
		;
	return shape;
}

/* Give what @rings were made of back, before anybody knew them. */
static void __init previous_drop(struct lkst_rings *rings, struct lkst_past *past)
{
	pr_warn("there is no memory for the trace of the boot before\n");
	if (rings)
		lkst_rings_put(rings);
	else
		lkst_past_free(past);
}

/* The trace of the boot before becomes a buffer, if the reserved area holds one. */
static void __init previous_make(void)
{
	struct lkst_past *past = lkst_area_past();
	struct shape shape = { .name = "previous", .past = past };
	struct lkst_rings *rings = NULL;
	struct lkst_buffer *buffer;

	if (!past)
		return;
	shape.size = lkst_area_size(&shape.packet);
	if (!shape_check(&shape))
		rings = rings_try(&shape);
	buffer = rings && lkst_area_recover(rings) ? buffer_wrap(shape.name, rings) : NULL;
	if (!buffer) {
		previous_drop(rings, past);
		return;
	}
	list_add_tail(&buffer->list, &lkst_buffers);
	pr_info("buffer previous is the trace of the boot before; %u damaged packets are left out\n",
		past->damaged);
}

/* In the reserved area, once what it holds is in safety. */
static struct lkst_buffer * __init boot_buffer_persist(struct shape *shape)
{
	struct lkst_buffer *buffer;
	int err;

	previous_make();
	lkst_area_clear();
	shape->persists = true;
	shape->size = lkst_area_size(&shape->packet);
	buffer = buffer_make(shape, &err);
	if (buffer)
		lkst_area_publish(buffer->rings->info->uuid);
	return buffer;
}

/**
 * lkst_buffers_init_early() - Make the boot buffer and record there
 * @size: bytes a CPU, as text, or "" for what is usual
 * @packet: bytes of a packet, as text, or "" for what is usual
 * @persist: name of the reserved memory that it is to lie in, or ""
 * @tasks: entries of the table of task names, which then lies there too
 *
 * Context: boot, lkst_lock held.
 * Return: 0 or a negative errno.
 */
int __init lkst_buffers_init_early(const char *size, const char *packet,
				   const char *persist, unsigned int tasks)
{
	struct shape shape = boot_shape(), given = shape;
	struct lkst_buffer *buffer = NULL;
	char text[2][24];
	int err;

	strscpy(text[0], size);
	strscpy(text[1], packet);
	if ((*size && size_parse(text[0], &given.size)) ||
	    (*packet && size_parse(text[1], &given.packet)) || shape_check(&given))
		pr_warn("lkst.size=%s lkst.packet=%s cannot be had: taking %llu and %llu\n",
			size, packet, shape.size, shape.packet);
	else
		shape = given;
	given = shape;
	if (*persist && lkst_area_find(persist, shape.packet, lkst_tasks_entries(tasks)))
		buffer = boot_buffer_persist(&given);
	if (buffer)
		shape = given;
	else
		buffer = boot_buffer_make(&shape, &err);
	if (!buffer)
		return err;
	list_add(&buffer->list, &lkst_buffers);
	WRITE_ONCE(lkst_rings_now, buffer->rings);
	WRITE_ONCE(lkst_state->buffer, __pa(buffer->rings->info));
	pr_info("recording in buffer boot: %llu bytes on each of %u CPUs\n", shape.size,
		num_possible_cpus());
	return 0;
}

int __init lkst_buffers_init(struct kobject *root)
{
	struct lkst_buffer *buffer;
	int err;

	buffers_dir = kobject_create_and_add("buffers", root);
	if (!buffers_dir)
		return -ENOMEM;
	err = buffer_groups_make();
	if (!err)
		err = sysfs_create_group(buffers_dir, &dir_group);
	list_for_each_entry(buffer, &lkst_buffers, list)
		if (!err)
			err = buffer_add(buffer);
	return err;
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/buffer_kunit.h"
#endif
