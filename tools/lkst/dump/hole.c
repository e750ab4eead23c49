// SPDX-License-Identifier: GPL-2.0
/*
 * The hole that a PC has in its physical memory below 4 GiB, for dumps that have a
 * guest's memory in one piece. How large it is depends on the machine; what the
 * trace's own addresses lead to tells which it is.
 */
#include <stdlib.h>

#include "dump.h"

#define HOLE_END	0x100000000ull
#define RINGS_MAX	64u

struct hole {
	struct memsrc m;
	struct memsrc *flat;
	u64 start;		/* of the hole: HOLE_END if there is none */
};

/* Where a hole can begin: of the types of machine pc and q35. */
static const u64 starts[] = { HOLE_END, 0xc0000000, 0xe0000000, 0x80000000, 0xb0000000 };

static struct hole *to_hole(struct memsrc *m)
{
	return (struct hole *)((char *)m - offsetof(struct hole, m));
}

static size_t hole_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	struct hole *h = to_hole(m);

	if (pa < h->start)
		return memsrc_read(h->flat, pa, buf, min_t(u64, n, h->start - pa));
	if (pa < HOLE_END)
		return 0;
	return memsrc_read(h->flat, pa - HOLE_END + h->start, buf, n);
}

static bool hole_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	struct hole *h = to_hole(m);
	u64 moved = HOLE_END - h->start;

	if (pa >= h->start)
		pa = pa < HOLE_END ? h->start : pa - moved;
	if (!memsrc_next_range(h->flat, pa, start, end))
		return false;
	if (*start >= h->start) {
		*start += moved;
		*end += moved;
	} else {
		*end = min(*end, h->start);
	}
	return true;
}

static void hole_close(struct memsrc *m)
{
	struct hole *h = to_hole(m);

	memsrc_close(h->flat);
	free(m->vmcoreinfo);
	free(h);
}

static const struct memsrc_ops hole_ops = {
	.read = hole_read,
	.next_range = hole_next_range,
	.close = hole_close,
};

/* Of how many rings do the tables lead to packets? */
static u32 rings_right(struct memsrc *m, const struct scan *s)
{
	u64 table, packet;
	u32 magic, right = 0;
	size_t i;

	for (i = 0; i < min_t(size_t, s->rings, RINGS_MAX); i++) {
		u64 at = s->ring[i].pa + offsetof(struct lkst_ring, table);
		/* The scan was one of the memory in one piece. */
		struct memsrc *flat = to_hole(m)->flat;

		right += memsrc_read_all(flat, at, &table, sizeof(table)) &&
			 memsrc_read_all(m, table, &packet, sizeof(packet)) &&
			 memsrc_read_all(m, packet, &magic, sizeof(magic)) &&
			 magic == LKST_PACKET_MAGIC;
	}
	return right;
}

struct memsrc *hole_open(struct memsrc *flat, u64 size)
{
	u32 right, best_right = 0;
	struct scan *s;
	struct hole *h;
	u64 best = starts[0];
	size_t i;

	if (size <= starts[3])
		return flat;
	h = xcalloc(1, sizeof(*h));
	h->m.ops = &hole_ops;
	h->m.present = flat->present;
	h->m.index = flat->index;
	h->flat = flat;
	s = scan_memory(flat);
	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		h->start = starts[i];
		right = rings_right(&h->m, s);
		if (right > best_right) {
			best_right = right;
			best = starts[i];
		}
	}
	h->start = best;
	scan_free(s);
	return &h->m;
}
