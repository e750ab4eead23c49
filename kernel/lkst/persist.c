// SPDX-License-Identifier: GPL-2.0
/*
 * The area that outlives a warm reboot: memory that reserve_mem= sets aside at the
 * same place in every boot. The buffer boot lies in it, and what it holds when the
 * kernel starts is the trace of the boot before.
 *
 * What is found there is anybody's: firmware, another kernel or chance may have
 * written it. So nothing in it is followed as an address, everything is copied
 * before it is looked at, and a packet is taken only if every record in it is one
 * that this kernel could have made. Nobody but the same build of the kernel reads
 * it, so its layout is private to this file.
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/align.h>
#include <linux/crc32.h>
#include <linux/init.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "lkst.h"
#include "ring.h"

#define AREA_MAGIC	0x61657261547c534bULL
#define AREA_VERSION	1

/**
 * struct area_head - the area's first page
 * @magic: %AREA_MAGIC while the rest of it is true
 * @version: %AREA_VERSION
 * @size: bytes of this structure
 * @pa: physical address of the area
 * @bytes: of the area
 * @nr_cpus: number of possible CPU numbers, each of which has a ring
 * @packet_size: bytes of a packet
 * @nr_packets: packets of a ring
 * @nr_tasks: entries of the table of task names
 * @events: checksum of the table of events
 * @spare: 0
 * @build_id: of vmlinux
 * @uuid: what the packets carry
 * @text: address of the kernel's text, which differs from boot to boot
 * @moment: the clock
 * @spare2: 0
 * @crc: CRC-32 of all between @magic and here
 */
struct area_head {
	u64 magic;
	u32 version;
	u32 size;
	u64 pa;
	u64 bytes;
	u32 nr_cpus;
	u32 packet_size;
	u32 nr_packets;
	u32 nr_tasks;
	u32 events;
	u32 spare;
	u8 build_id[24];
	u8 uuid[LKST_UUID_SIZE];
	u64 text;
	struct lkst_moment moment;
	u32 spare2;
	u32 crc;
};

static_assert(sizeof(struct area_head) <= PAGE_SIZE);

/**
 * struct area - an area, and where things lie in it
 * @head: its first page
 * @tasks: the table of task names
 * @rings: one page for each CPU
 * @packets: those of CPU 0, of CPU 1 and so on
 * @own: what this kernel has its head be
 */
struct area {
	struct area_head *head;
	struct lkst_task *tasks;
	u8 *rings;
	u8 *packets;
	struct area_head own;
};

/* The one that there is, if its head is not NULL. */
static struct area area;
static DEFINE_RAW_SPINLOCK(area_lock);	/* what is in area.head, area.own.uuid */

static struct lkst_ring *area_ring(const struct area *a, unsigned int cpu)
{
	return (void *)(a->rings + cpu * PAGE_SIZE);
}

static struct lkst_packet *area_packet(const struct area *a, unsigned int cpu, u32 nr)
{
	u64 packet = (u64)cpu * a->own.nr_packets + nr;

	return (void *)(a->packets + packet * a->own.packet_size);
}

static u32 head_crc(const struct area_head *head)
{
	return crc32_le(~0, (const u8 *)&head->version,
			offsetof(struct area_head, crc) -
			offsetof(struct area_head, version)) ^ ~0;
}

/* What two kernels must agree in to read each other's records. */
static u32 __init events_crc(void)
{
	u32 crc = ~0;
	int id, i;

	for (id = 0; id < LKST_NR_EVENTS; id++) {
		const struct lkst_event *event = &lkst_events[id];

		crc = crc32_le(crc, event->group, strlen(event->group) + 1);
		crc = crc32_le(crc, event->name, strlen(event->name) + 1);
		for (i = 0; i < event->nr_fields; i++) {
			const struct lkst_field *field = &event->fields[i];
			u32 form[2] = { field->type, field->count };

			crc = crc32_le(crc, field->name, strlen(field->name) + 1);
			crc = crc32_le(crc, field->unit, strlen(field->unit) + 1);
			crc = crc32_le(crc, (const u8 *)form, sizeof(form));
		}
	}
	return ~crc;
}

/* Packets of @packet bytes that each ring can have in @room bytes. */
static u32 __init packets_fit(u64 room, u64 packet)
{
	u64 n = div64_u64(room, nr_cpu_ids * packet);

	n = min_t(u64, n, LKST_RING_TABLES * LKST_TABLE_ENTRIES);
	return n ? rounddown_pow_of_two(n) : 0;
}

/*
 * Lay an area out: head, task names, rings, packets. Where there are too few packets
 * smaller ones are taken. Return: false if it is too small.
 */
static bool __init area_lay(struct area *a, void *at, u64 pa, u64 bytes, u32 packet,
			    u32 nr_tasks)
{
	u64 rings = PAGE_SIZE + PAGE_ALIGN(nr_tasks * sizeof(struct lkst_task));
	u64 packets = 0;
	u32 n = 0;

	for (; packet >= LKST_PACKET_MIN; packet /= 2) {
		packets = ALIGN(pa + rings + nr_cpu_ids * PAGE_SIZE, packet) - pa;
		n = packets < bytes ? packets_fit(bytes - packets, packet) : 0;
		if (n >= LKST_RING_PACKETS_MIN)
			break;
	}
	if (n < LKST_RING_PACKETS_MIN)
		return false;
	*a = (struct area) {
		.head = at,
		.tasks = at + PAGE_SIZE,
		.rings = at + rings,
		.packets = at + packets,
		.own = {
			.magic = AREA_MAGIC,
			.version = AREA_VERSION,
			.size = sizeof(struct area_head),
			.pa = pa,
			.bytes = bytes,
			.nr_cpus = nr_cpu_ids,
			.packet_size = packet,
			.nr_packets = n,
			.nr_tasks = nr_tasks,
			.events = events_crc(),
			.text = (unsigned long)_stext,
		},
	};
	lkst_build_id(a->own.build_id);
	return true;
}

/* Why what is found in place of a head is not taken, or NULL if it is. */
static const char * __init head_fault(const struct area_head *old,
				      const struct area_head *own)
{
	if (old->magic != own->magic)
		return "there is none";
	if (old->version != own->version || old->size != own->size ||
	    old->events != own->events ||
	    memcmp(old->build_id, own->build_id, sizeof(own->build_id)))
		return "it is another kernel's";
	if (old->crc != head_crc(old))
		return "its head is damaged";
	if (old->pa != own->pa || old->bytes != own->bytes)
		return "it was made elsewhere";
	if (old->nr_cpus != own->nr_cpus)
		return "it is of another number of CPUs";
	if (old->packet_size != own->packet_size || old->nr_packets != own->nr_packets ||
	    old->nr_tasks != own->nr_tasks)
		return "its packets or task names are laid out otherwise";
	return NULL;
}

/* Do the fields of an event fill @size bytes, to the last one? */
static bool __init payload_fits(u32 id, const u8 *payload, u32 size)
{
	const struct lkst_event *event = &lkst_events[id];
	u32 at = 0, step, i;

	for (i = 0; i < event->nr_fields; i++) {
		step = lkst_field_size(&event->fields[i]);
		if (step > size - at)
			return false;
		if (event->fields[i].type == LKST_TYPE_TEXT) {
			u32 text = *(const u32 *)(payload + at);

			if (text > size - at - step)
				return false;
			step += text;
		}
		at += step;
	}
	return at == size;
}

/*
 * Is there a record that a ring can hold, in at most @left words? Sets @time, which is
 * that of the record before it. What is not finished has its length, and that is all
 * that readers will use.
 */
static bool __init record_fits(const u64 *record, u32 left, u32 lap, u64 *time)
{
	u32 id = LKST_RECORD_ID(*record), length = LKST_RECORD_WORDS(*record);
	bool finished = *record & LKST_RECORD_FINISHED;
	u32 words = 1;

	if (!length || length > left || LKST_RECORD_LAP(*record) != lap)
		return false;
	if (id == LKST_ID_EXTENDED) {
		id = *record >> 32;
		words = 2;
	}
	if (id == LKST_ID_UNFINISHED || id >= LKST_NR_EVENTS || length < words)
		return false;
	if (words == 1) {
		*time += (u32)(LKST_RECORD_TIME(*record) - (u32)*time);
	} else if (finished) {
		if (record[1] < *time)
			return false;
		*time = record[1];
	}
	return (!finished && length > words) ||
	       payload_fits(id, (const u8 *)(record + words), (length - words) * 8);
}

/* Are @words of a packet its header and @nr records, none of which is after @end? */
static bool __init records_fit(const struct area *a, const struct lkst_packet *packet,
			       u64 words, u32 nr, u64 end)
{
	u32 lap = 1 + (u32)packet->seq / a->own.nr_packets % LKST_RECORD_LAPS;
	const u64 *word = (const u64 *)packet;
	u64 time = packet->begin;
	u32 i, n = 0;

	/* All but the last word can be used. */
	if (words < LKST_PACKET_WORDS || words >= a->own.packet_size / 8)
		return false;
	for (i = LKST_PACKET_WORDS; i < words; i += LKST_RECORD_WORDS(word[i]), n++)
		if (!record_fits(&word[i], words - i, lap, &time) || time > end)
			return false;
	return n == nr;
}

/* The number of a ring's open packet, as lkst_ring_current() has it. */
static u64 __init ring_seq(const struct lkst_ring *ring)
{
	return ring->packets + (s32)(LKST_POS_PACKET(ring->pos) - (u32)ring->packets);
}

/* Is a ring's page what it should be, as far as its open packet needs it? */
static bool __init ring_fits(const struct area *a, unsigned int cpu,
			     const struct lkst_ring *ring)
{
	return ring->magic == LKST_RING_MAGIC && ring->cpu == cpu &&
	       ring->nr_packets == a->own.nr_packets &&
	       ring->packet_size == a->own.packet_size &&
	       !memcmp(ring->uuid, a->own.uuid, LKST_UUID_SIZE);
}

/* What is known of what lies in a packet's place. */
enum { PACKET_NONE, PACKET_DAMAGED, PACKET_DOUBTFUL, PACKET_GOOD };

static bool packet_is_open(const struct lkst_packet *packet)
{
	return packet->end < packet->begin;
}

/*
 * Look at a packet alone. @ring, or NULL where it is damaged, knows how far the open
 * one goes.
 */
static u8 __init packet_look(const struct area *a, unsigned int cpu, u32 nr,
			     const struct lkst_packet *packet,
			     const struct lkst_ring *ring)
{
	bool ok;

	if (!memchr_inv(packet, 0, sizeof(*packet)))
		return PACKET_NONE;
	if (packet->magic != LKST_PACKET_MAGIC || packet->stream || packet->spare ||
	    memcmp(packet->uuid, a->own.uuid, LKST_UUID_SIZE) || packet->cpu != cpu ||
	    packet->packet_size != (u64)a->own.packet_size * 8 ||
	    packet->seq % a->own.nr_packets != nr || packet->seq >> 62)
		return PACKET_DAMAGED;
	if (!packet_is_open(packet))
		ok = packet->content_size % 64 == 0 &&
		     records_fit(a, packet, packet->content_size / 64,
				 packet->reserved, packet->end);
	else
		ok = ring && ring_seq(ring) == packet->seq && !packet->content_size &&
		     records_fit(a, packet, LKST_POS_WORDS(ring->pos),
				 LKST_POS_RECORDS(ring->pos), U64_MAX);
	return ok ? PACKET_GOOD : PACKET_DAMAGED;
}

/* Can @b lie in the place behind that of @a? */
static bool __init packets_meet(const struct lkst_packet *a, const struct lkst_packet *b,
				u32 nr_packets)
{
	if (b->seq == a->seq + 1)
		return a->end == b->begin && a->discarded <= b->discarded;
	/* The newest, and the oldest. */
	return b->seq + nr_packets == a->seq + 1 && b->end <= a->begin &&
	       b->discarded <= a->discarded;
}

/* Of two that do not fit together nobody knows which one is wrong: take neither. */
static void __init packets_doubt(const struct lkst_ring *to, u8 *look)
{
	u32 i, next;

	for (i = 0; i < to->nr_packets; i++) {
		next = (i + 1) % to->nr_packets;
		if (look[i] < PACKET_DOUBTFUL || look[next] < PACKET_DOUBTFUL ||
		    packets_meet(lkst_ring_packet(to, i), lkst_ring_packet(to, next),
				 to->nr_packets))
			continue;
		look[i] = PACKET_DOUBTFUL;
		look[next] = PACKET_DOUBTFUL;
	}
}

/**
 * struct found - what the packets of a ring come to
 * @current_seq: number of the open packet, or of the one that would follow
 * @open: it is there, and good
 * @limit: number of the oldest packet
 * @end: of the newest closed packet
 * @discarded: at that time
 * @records: in all closed packets
 * @damaged: packets that are left out
 */
struct found {
	u64 current_seq;
	bool open;
	u64 limit;
	u64 end;
	u64 discarded;
	u64 records;
	u32 damaged;
};

/* Which packet was current: the open one, or else the one behind the newest. */
static void __init found_current(struct found *f, const struct lkst_ring *to,
				 const u8 *look)
{
	u32 i;

	for (i = 0; i < to->nr_packets; i++) {
		const struct lkst_packet *packet = lkst_ring_packet(to, i);

		if (look[i] != PACKET_GOOD || f->open)
			continue;
		f->open = packet_is_open(packet);
		if (f->open)
			f->current_seq = packet->seq;
		else
			f->current_seq = max(f->current_seq, packet->seq + 1);
	}
}

/* Add a closed packet, if it is of the last lap. */
static bool __init found_add(struct found *f, const struct lkst_packet *packet,
			     u32 nr_packets)
{
	if (packet->seq >= f->current_seq || f->current_seq - packet->seq >= nr_packets)
		return false;
	f->limit = min(f->limit, packet->seq);
	f->end = max(f->end, packet->end);
	f->discarded = max(f->discarded, packet->discarded);
	f->records += packet->reserved;
	return true;
}

/* What is not taken leaves an empty place, which has no packet's number. */
static struct found __init ring_find(const struct lkst_ring *to, const u8 *look)
{
	struct found f = { };
	u32 i;

	found_current(&f, to, look);
	f.limit = f.current_seq;
	for (i = 0; i < to->nr_packets; i++) {
		struct lkst_packet *packet = lkst_ring_packet(to, i);

		if (look[i] == PACKET_GOOD &&
		    (packet_is_open(packet) || found_add(&f, packet, to->nr_packets)))
			continue;
		f.damaged += look[i] != PACKET_NONE;
		memset(packet, 0, sizeof(*packet));
	}
	return f;
}

/*
 * Make of a new ring, in whose packets those that were found are, one that was left
 * as @from was. @from is NULL where that is damaged.
 */
static void __init ring_restore(struct lkst_ring *to, const struct found *f,
				const struct lkst_ring *from)
{
	struct lkst_packet *packet = lkst_ring_packet(to, f->current_seq), open = *packet;

	preempt_disable();
	lkst_ring_start(to, f->current_seq);
	preempt_enable();
	if (f->open) {
		*packet = open;
		to->pos = from->pos;
	} else {
		packet->tid = LKST_TID_UNKNOWN;
		packet->begin = f->end;
		packet->discarded = f->discarded;
	}
	/* Whatever a damaged page says, the counts agree with what is there. */
	to->closed = max(from ? from->closed : 0, f->records);
	to->overwritten = to->closed - f->records;
	to->lost = max(from ? from->lost : 0, f->discarded);
	to->limit = f->limit;
	to->read = f->limit;
}

/* Return: how many packets are left out. */
static u32 __init ring_recover(const struct area *a, unsigned int cpu,
			       struct lkst_ring *to, struct lkst_ring *from, u8 *look)
{
	struct found f;
	u32 i;

	memcpy(from, area_ring(a, cpu), sizeof(*from));
	if (!ring_fits(a, cpu, from))
		from = NULL;
	for (i = 0; i < to->nr_packets; i++) {
		struct lkst_packet *packet = lkst_ring_packet(to, i);

		memcpy(packet, area_packet(a, cpu, i), a->own.packet_size);
		look[i] = packet_look(a, cpu, i, packet, from);
	}
	packets_doubt(to, look);
	f = ring_find(to, look);
	ring_restore(to, &f, from);
	return f.damaged;
}

static struct lkst_past * __init past_make(const struct area *a, const struct area_head *old)
{
	struct lkst_past *past = kzalloc(sizeof(*past), GFP_KERNEL);
	size_t size = old->nr_tasks * sizeof(*past->tasks);

	if (!past)
		return NULL;
	past->moment = old->moment;
	past->text = old->text;
	memcpy(past->uuid, old->uuid, sizeof(past->uuid));
	past->tasks = kvmalloc(size, GFP_KERNEL);
	if (past->tasks) {
		past->nr_tasks = old->nr_tasks;
		memcpy(past->tasks, a->tasks, size);
	}
	return past;
}

/**
 * lkst_past_free() - Forget what is known of an earlier boot
 * @past: from lkst_area_past(), or NULL
 */
void lkst_past_free(struct lkst_past *past)
{
	if (past)
		kvfree(past->tasks);
	kfree(past);
}

/**
 * lkst_area_past() - Look whether the area holds the trace of an earlier boot
 *
 * Context: boot, before lkst_area_clear().
 * Return: what is known of that boot, or NULL.
 */
struct lkst_past * __init lkst_area_past(void)
{
	struct area_head old = *area.head;
	const char *fault = head_fault(&old, &area.own);

	if (!fault)
		return past_make(&area, &old);
	pr_info("no trace of the boot before is taken from the reserved area: %s\n",
		fault);
	return NULL;
}

/**
 * lkst_area_recover() - Copy the trace of an earlier boot
 * @rings: new ones of the area's shape; what they know of that boot is set
 *
 * Context: boot, after lkst_area_past().
 * Return: false if there is no memory.
 */
bool __init lkst_area_recover(struct lkst_rings *rings)
{
	struct lkst_past *past = rings->past;
	struct lkst_ring *from = kmalloc(sizeof(*from), GFP_KERNEL);
	u8 *look = kvmalloc(area.own.nr_packets, GFP_KERNEL);
	unsigned int cpu;

	memcpy(area.own.uuid, past->uuid, sizeof(area.own.uuid));
	if (from && look)
		for_each_possible_cpu(cpu)
			past->damaged += ring_recover(&area, cpu, rings->ring[cpu], from,
						      look);
	kvfree(look);
	kfree(from);
	return from && look;
}

/**
 * lkst_area_find() - Find the area that a buffer is to lie in, and lay it out
 * @name: its name in reserve_mem=
 * @packet: bytes of a packet that are wanted
 * @nr_tasks: entries of the table of task names that are wanted
 *
 * Context: boot.
 * Return: whether it can be used. If not, the kernel log says why.
 */
bool __init lkst_area_find(const char *name, u32 packet, u32 nr_tasks)
{
	phys_addr_t start, size;
	u64 pa, end;

	if (!reserve_mem_find_by_name(name, &start, &size)) {
		pr_warn("lkst.persist=%s: no memory is reserved by that name\n", name);
		return false;
	}
	pa = PAGE_ALIGN(start);
	end = PAGE_ALIGN_DOWN(start + size);
	if (end > pa && area_lay(&area, __va(pa), pa, end - pa, packet, nr_tasks))
		return true;
	pr_warn("lkst.persist=%s: %llu bytes are too few for %u CPUs\n", name,
		(u64)size, nr_cpu_ids);
	return false;
}

/**
 * lkst_area_size() - What fits into the area
 * @packet: set to the bytes of a packet
 *
 * Return: bytes of each ring.
 */
u64 __init lkst_area_size(u64 *packet)
{
	*packet = area.own.packet_size;
	return (u64)area.own.nr_packets * area.own.packet_size;
}

/**
 * lkst_area_clear() - Forget what the area holds
 *
 * Context: boot, before anything in it is used.
 */
void __init lkst_area_clear(void)
{
	memset(area.head, 0, area.own.bytes);
}

/**
 * lkst_area_ring() - Where a CPU's ring lies in the area
 * @cpu: the CPU
 *
 * Return: a page.
 */
struct lkst_ring *lkst_area_ring(unsigned int cpu)
{
	return area_ring(&area, cpu);
}

/**
 * lkst_area_packet() - Where a packet lies in the area
 * @cpu: the CPU whose ring it belongs to
 * @nr: its place there
 *
 * Return: room for a packet.
 */
void *lkst_area_packet(unsigned int cpu, u32 nr)
{
	return area_packet(&area, cpu, nr);
}

/**
 * lkst_area_tasks() - Where the table of task names lies in the area
 * @entries: of the table
 *
 * Return: room for it, zeroed, or NULL where there is no area.
 */
struct lkst_task *lkst_area_tasks(unsigned int entries)
{
	return area.head && entries <= area.own.nr_tasks ? area.tasks : NULL;
}

/* Write the head: its magic goes first and comes last. */
static void area_publish(void)
{
	struct area_head *head = area.head;

	lkst_clock_moment(&area.own.moment);
	area.own.crc = head_crc(&area.own);
	WRITE_ONCE(head->magic, 0);
	smp_wmb();	/* no partner runs: the next boot sees what was stored first */
	memcpy(&head->version, &area.own.version,
	       sizeof(*head) - offsetof(struct area_head, version));
	smp_wmb();	/* as above */
	WRITE_ONCE(head->magic, AREA_MAGIC);
}

/**
 * lkst_area_publish() - Let the next boot take what lies in the area
 * @uuid: of its packets
 *
 * Context: process, lkst_lock held.
 */
void lkst_area_publish(const u8 *uuid)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&area_lock, flags);
	memcpy(area.own.uuid, uuid, sizeof(area.own.uuid));
	area_publish();
	raw_spin_unlock_irqrestore(&area_lock, flags);
}

/**
 * lkst_area_moment() - Tell the next boot what the clock is now
 *
 * Context: any but NMI.
 */
void lkst_area_moment(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&area_lock, flags);
	if (area.head && area.head->magic == AREA_MAGIC)
		area_publish();
	raw_spin_unlock_irqrestore(&area_lock, flags);
}

/**
 * lkst_area_withdraw() - Let the next boot take nothing
 *
 * Context: process.
 */
void lkst_area_withdraw(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&area_lock, flags);
	WRITE_ONCE(area.head->magic, 0);
	raw_spin_unlock_irqrestore(&area_lock, flags);
	smp_wmb();	/* before the packets are used for something else */
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/persist_kunit.h"
#endif
