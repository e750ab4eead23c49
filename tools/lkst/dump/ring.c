// SPDX-License-Identifier: GPL-2.0
/* From a ring in a dump to the list of its packets, and to the packets. */
#include <stdlib.h>
#include <string.h>

#include "dump.h"

#define RING_PACKETS_MAX	(LKST_RING_TABLES * LKST_TABLE_ENTRIES)
/* Packets listed are no more than this and what fits into the dump. */
#define LISTED_MIN	262144u
/*
 * Bytes that the index of the dump takes, the list of packets, and the packets that are at
 * hand of all CPUs that are read at once.
 */
#define KEPT_MAX	(128u << 20)
/* CPUs in all buffers together. */
#define CPUS_MAX	65536u
/* No ring gets to this packet in the life of a machine. */
#define RING_SEQ_MAX		BIT_ULL(48)
/* Damaged packets of a CPU that are said one by one. */
#define BAD_PACKETS_MAX		100u
/* Nor does it lose so many records. */
#define RING_LOST_MAX		BIT_ULL(48)

void dump_cpu_add(struct dump_cpu *c, u64 pa, u64 seq)
{
	c->packet = grow(c->packet, c->nr, &c->room, sizeof(*c->packet));
	c->packet[c->nr++] = (struct dump_packet){ .pa = pa, .seq = seq };
}

struct dump_cpu *dump_buffer_cpu(struct dump *d, struct dump_buffer *b, u32 cpu)
{
	struct dump_cpu *c;
	size_t i;

	/* Packets come CPU by CPU, so it is mostly the last one. */
	for (i = b->nr; i; i--)
		if (b->cpu[i - 1]->cpu == cpu)
			return b->cpu[i - 1];
	if (d->cpus++ == CPUS_MAX)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->cpu = cpu;
	b->cpu = grow(b->cpu, b->nr, &b->room, sizeof(*b->cpu));
	b->cpu[b->nr++] = c;
	return c;
}

bool ring_sizes_ok(u32 nr_packets, u32 packet_size)
{
	return is_power_of_2(nr_packets) && nr_packets >= LKST_RING_PACKETS_MIN &&
	       nr_packets <= RING_PACKETS_MAX && is_power_of_2(packet_size) &&
	       packet_size >= LKST_PACKET_MIN && packet_size <= LKST_PACKET_MAX;
}

/* How much of KEPT_MAX is not taken. */
static size_t room_left(const struct dump *d)
{
	return KEPT_MAX - d->mem->index - d->listed * sizeof(struct dump_packet) - d->copies;
}

/* Packets that can be listed, in half of the room. */
static size_t list_room(const struct dump *d)
{
	return (KEPT_MAX - d->mem->index) / 2 / sizeof(struct dump_packet);
}

static const char *ring_problem(struct dump *d, struct dump_buffer *b, u32 cpu,
				const struct lkst_ring *r)
{
	if (r->magic != LKST_RING_MAGIC)
		return "is none";
	if (r->cpu != cpu)
		return "is another CPU's";
	if (memcmp(r->uuid, b->uuid, sizeof(r->uuid)))
		return "is another buffer's";
	if (!ring_sizes_ok(r->nr_packets, r->packet_size))
		return "has an impossible size";
	if (d->listed + r->nr_packets > LISTED_MIN + d->mem->present / LKST_PACKET_MIN)
		return "is larger than the dump";
	if (d->listed + r->nr_packets > list_room(d))
		return "has more packets than can be read";
	return NULL;
}

/* Addresses of all packets of a ring, by their place in it. */
static u64 *read_tables(struct dump *d, const struct lkst_ring *r)
{
	const size_t page = LKST_TABLE_ENTRIES;
	u64 *pa = xcalloc(r->nr_packets + page, sizeof(*pa));
	size_t i;

	for (i = 0; i < r->nr_packets; i += page)
		memsrc_read(d->mem, r->table[i / page], pa + i,
			    page * sizeof(*pa));
	return pa;
}

/* Does a packet lie where one of this number has to? */
static bool packet_at(struct dump *d, const struct lkst_ring *r, u64 pa,
		      u32 place, u64 *seq)
{
	struct lkst_packet p;

	/* It is aligned to its size: packets do not overlap. */
	if (pa % r->packet_size || !memsrc_read_all(d->mem, pa, &p, sizeof(p)))
		return false;
	*seq = p.seq;
	return p.magic == LKST_PACKET_MAGIC && p.cpu == r->cpu &&
	       !memcmp(p.uuid, r->uuid, sizeof(p.uuid)) &&
	       p.seq % r->nr_packets == place && p.seq < RING_SEQ_MAX;
}

/* The newest packet of a ring whose position makes no sense. */
static u64 newest_packet(struct dump *d, const struct lkst_ring *r,
			 const u64 *pa)
{
	u64 seq, newest = 0;
	u32 i;

	for (i = 0; i < r->nr_packets; i++)
		if (packet_at(d, r, pa[i], i, &seq))
			newest = max(newest, seq);
	return newest;
}

/*
 * Which is the current packet. The position has the lower half of its number;
 * the full number is stored after the position moves. Where they agree, a packet
 * that is not in its place does not matter.
 */
static void find_current(struct dump *d, struct dump_buffer *b,
			 struct dump_cpu *c, const u64 *pa)
{
	const struct lkst_ring *r = c->ring;
	u32 ahead = (u32)(r->pos >> 32) - (u32)r->packets;
	u32 place;
	u64 seq;

	c->open_words = r->pos >> 16 & 0xffff;
	c->current = r->packets + ahead;
	place = c->current % r->nr_packets;
	if (ahead <= 1 && c->open_words >= LKST_PACKET_WORDS &&
	    c->open_words <= r->packet_size / 8 &&
	    (!ahead || (packet_at(d, r, pa[place], place, &seq) && seq == c->current)))
		return;
	c->open_words = 0;
	c->current = newest_packet(d, r, pa);
	trouble("buffer %s cpu%u: the ring's position makes no sense; the newest packet is %llu",
		b->name, c->cpu, c->current);
}

/*
 * The oldest packet to read: the readers' limit, which is never below the one
 * after the packet whose place the current one took. It is above that in the
 * midst of a switch, and in a ring that was begun at a later packet than 0.
 */
static u64 find_oldest(struct dump_buffer *b, struct dump_cpu *c)
{
	const struct lkst_ring *r = c->ring;
	u64 oldest = c->current + 1 > r->nr_packets ?
		c->current + 1 - r->nr_packets : 0;

	if (r->limit >= oldest && r->limit <= c->current)
		oldest = r->limit;
	else
		trouble("buffer %s cpu%u: the ring's limit makes no sense: %llu",
			b->name, c->cpu, r->limit);
	if (!(r->flags & LKST_RING_DISCARD))
		return oldest;
	if (r->read > c->current + 1) {
		trouble("buffer %s cpu%u: the ring's read position makes no sense",
			b->name, c->cpu);
		return oldest;
	}
	return max(oldest, (u64)r->read);
}

/* List the packets of a good ring. */
static void list_packets(struct dump *d, struct dump_buffer *b, struct dump_cpu *c,
			 const u64 *at)
{
	const struct lkst_ring *r = c->ring;
	u64 seq, is, astray = 0;

	find_current(d, b, c, at);
	for (seq = find_oldest(b, c); seq <= c->current; seq++) {
		u32 place = seq % r->nr_packets;

		dump_cpu_add(c, at[place], seq);
		astray += !packet_at(d, r, at[place], place, &is) || is != seq;
	}
	if (!astray)
		return;
	trouble("buffer %s cpu%u: %llu of its packets are not where they should be",
		b->name, c->cpu, astray);
	d->damaged = true;
}

static bool take_ring(struct dump *d, struct dump_buffer *b, const struct lkst_ring *r)
{
	struct dump_cpu *c = dump_buffer_cpu(d, b, r->cpu);
	u64 *at;

	if (!c || c->ring)
		return c;
	d->listed += r->nr_packets;
	if (!b->packet_size) {
		b->packet_size = r->packet_size;
		b->nr_packets = r->nr_packets;
		b->flags = r->flags;
	}
	c->ring = xcalloc(1, sizeof(*r));
	*c->ring = *r;
	at = read_tables(d, r);
	list_packets(d, b, c, at);
	free(at);
	return true;
}

bool ring_load(struct dump *d, struct dump_buffer *b, u32 cpu, u64 pa)
{
	struct lkst_ring r;
	const char *why;

	if (memsrc_read_all(d->mem, pa, &r, sizeof(r)))
		why = ring_problem(d, b, cpu, &r);
	else
		why = memsrc_why(d->mem, pa);
	if (!why)
		return take_ring(d, b, &r);
	trouble("buffer %s cpu%u: the ring at %#llx %s", b->name, cpu, pa, why);
	return false;
}

void ring_load_found(struct dump *d, struct dump_buffer *b, const struct found_ring *f)
{
	struct lkst_ring r;
	bool left = false;
	u64 *at, seq;
	u32 i;

	for (i = 0; i < b->nr; i++)
		if (b->cpu[i]->cpu == f->cpu)
			return;
	if (!memsrc_read_all(d->mem, f->pa, &r, sizeof(r)) ||
	    ring_problem(d, b, f->cpu, &r))
		return;
	at = read_tables(d, &r);
	for (i = 0; i < r.nr_packets && !left; i++)
		left = packet_at(d, &r, at[i], i, &seq);
	free(at);
	if (left)
		take_ring(d, b, &r);
}

void ring_mend(struct dump *d, struct dump_cpu *c, const struct found_packet *f)
{
	u64 first = c->nr ? c->packet[0].seq : 0, seq;
	u32 place = f->at.seq % c->ring->nr_packets;
	struct dump_packet *p;

	if (f->at.seq < first || f->at.seq - first >= c->nr)
		return;
	p = &c->packet[f->at.seq - first];
	if (p->pa != f->at.pa && (!packet_at(d, c->ring, p->pa, place, &seq) ||
				  seq != p->seq))
		p->pa = f->at.pa;
}

void dump_reader_init(struct dump_reader *r, struct dump *d,
		      struct dump_buffer *b, struct dump_cpu *c,
		      const struct metadata *m)
{
	memset(r, 0, sizeof(*r));
	r->m = m;
	r->d = d;
	r->b = b;
	r->c = c;
}

void dump_reader_free(struct dump_reader *r)
{
	r->d->copies -= r->size;
	free(r->copy);
}

/* When the packet after the one at hand begins, or 0 if that is not known. */
static u64 next_begin(struct dump_reader *r)
{
	const struct dump_packet *at = &r->c->packet[r->next];
	struct lkst_packet p;

	if (r->next + 1 >= r->c->nr || at[1].seq != at->seq + 1 ||
	    !memsrc_read_all(r->d->mem, at[1].pa, &p, sizeof(p)) ||
	    p.magic != LKST_PACKET_MAGIC || p.seq != at[1].seq ||
	    memcmp(p.uuid, r->b->uuid, sizeof(p.uuid)))
		return 0;
	return p.begin;
}

/* How large a packet is: its ring says so, or else its header. */
static u32 packet_size(struct dump_reader *r, const struct dump_packet *at)
{
	struct lkst_packet p;

	if (r->c->ring)
		return r->c->ring->packet_size;
	if (!memsrc_read_all(r->d->mem, at->pa, &p, sizeof(p)))
		return LKST_PACKET_MIN;
	return max(packet_bytes(&p), LKST_PACKET_MIN);
}

/* How much of a packet to read: no more than the header of what is none of the ring's. */
static u32 bytes_wanted(struct dump_reader *r, const struct dump_packet *at, u32 size)
{
	const struct lkst_ring *ring = r->c->ring;
	u64 seq;

	if (!ring || (packet_at(r->d, ring, at->pa, at->seq % ring->nr_packets, &seq) &&
		      seq == at->seq))
		return size;
	return sizeof(struct lkst_packet);
}

/* Once. */
static void say_left_out(struct dump_reader *r)
{
	if (!r->d->left_out)
		trouble("buffer %s: too many CPUs at once: cpu%u and later ones are left out (-c)",
			r->b->name, r->c->cpu);
	r->d->left_out = true;
}

/* Room for a packet. */
static bool need_copy(struct dump_reader *r, u32 size)
{
	if (size == r->size)
		return true;
	/* One fits always. */
	if (r->d->copies > r->size && size > room_left(r->d) + r->size) {
		say_left_out(r);
		return false;
	}
	r->d->copies += size - r->size;
	r->copy = xrealloc(r->copy, size, 1);
	r->size = size;
	return true;
}

static void read_copy(struct dump_reader *r, const struct dump_packet *at,
		      struct packet_facts *f)
{
	u32 wanted = bytes_wanted(r, at, r->size);
	u64 lost;

	f->know_lost = true;
	f->lost_before = r->lost;
	f->lost_most = RING_LOST_MAX;
	if (r->c->ring) {
		lost = r->c->ring->lost;
		if (lost >= r->lost && lost <= RING_LOST_MAX)
			f->lost_most = lost;
		f->packet_size = r->c->ring->packet_size;
		f->lap = 1 + at->seq / r->c->ring->nr_packets % LKST_RECORD_LAPS;
		f->closed = at->seq + 1 < r->c->current;
		if (at->seq == r->c->current) {
			f->open_words = r->c->open_words;
			f->lost = f->lost_most == lost ? lost : 0;
		}
	}
	f->bytes = memsrc_read(r->d->mem, at->pa, r->copy, wanted);
	memset((u8 *)r->copy + f->bytes, 0, r->size - f->bytes);
	if (f->bytes < wanted && r->bad < BAD_PACKETS_MAX)
		trouble("buffer %s cpu%u packet %llu: the page at %#llx %s", r->b->name,
			r->c->cpu, at->seq, (at->pa + f->bytes) & ~4095ull,
			memsrc_why(r->d->mem, at->pa + f->bytes));
}

/* At the end, and once. */
static void say_rest(struct dump_reader *r)
{
	if (r->said)
		return;
	r->said = true;
	if (r->bad > BAD_PACKETS_MAX)
		trouble("buffer %s cpu%u: %llu more packets are damaged", r->b->name,
			r->c->cpu, r->bad - BAD_PACKETS_MAX);
	if (!r->count.strange)
		return;
	trouble("buffer %s cpu%u: %llu records fit no event; they are shown as lkst/unfinished",
		r->b->name, r->c->cpu, r->count.strange);
}

bool dump_reader_next(struct dump_reader *r)
{
	for (; r->next < r->c->nr; r->next++) {
		const struct dump_packet *at = &r->c->packet[r->next];
		struct packet_facts f = {
			.uuid = r->b->uuid,
			.know_place = true,
			.cpu = r->c->cpu,
			.seq = at->seq,
			.after = r->after,
			.next_begin = next_begin(r),
			.metadata = r->m,
		};
		struct packet_result res;
		bool ok;

		if (!need_copy(r, packet_size(r, at))) {
			r->next = r->c->nr;
			break;
		}
		read_copy(r, at, &f);
		ok = packet_finish(r->copy, &f, &res);
		if ((!ok || res.cut || res.odd) && r->bad++ < BAD_PACKETS_MAX)
			trouble("buffer %s cpu%u packet %llu at %#llx: %s%s",
				r->b->name, r->c->cpu, at->seq, at->pa, res.why,
				!ok ? "; dropped" : res.cut ? "; the rest of it is dropped" : "");
		r->count.dropped += !ok;
		r->count.cut += res.cut;
		if (!ok)
			continue;
		r->count.packets++;
		r->count.records += res.records;
		r->count.unfinished += res.unfinished;
		r->count.strange += res.strange;
		r->after = r->copy->end;
		r->lost = r->copy->discarded;
		r->next++;
		return true;
	}
	say_rest(r);
	return false;
}
