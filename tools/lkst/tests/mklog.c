// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel's log in a synthetic dump: descriptors in the kernel's image, what belongs
 * to them in two pages that lie apart, text in a page of 1 GiB.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "mkdump.h"
#include "symbols.h"

#define PHYS_BASE	0x100000ull
#define INFOS_VA	0xffff888000000000ull
#define LARGE_VA	0xffff888040000000ull
#define COUNT_BITS	5u
#define SIZE_BITS	9u
#define INFO_SIZE	256u

struct ring {
	u32 count_bits;
	u64 descs;
	u64 infos;
	u64 head;
	u64 tail;
	u64 spare;
	u32 size_bits;
	u64 data;
};

struct desc {
	u64 state;
	u64 begin;
	u64 next;
};

static u64 desc_pa, info_pa[2], text_pa, lpos;

static u64 image_va(u64 pa)
{
	return KERNEL_MAP + pa - PHYS_BASE;
}

/* A page of the lower half, where the kernel's image is, or of the upper. */
static u64 take_page(const struct options *o, bool above)
{
	u64 pa;

	do
		pa = take("log", 4096, 4096);
	while ((pa >= o->high_start) != above);
	return pa;
}

/* Page tables, and the address of the first. */
static u64 make_tables(const struct options *o)
{
	u64 pgd = take_page(o, false), pud = take("table", 4096, 4096);
	u64 pmd = take("table", 4096, 4096), pte = take("table", 4096, 4096);

	((u64 *)at(pgd))[INFOS_VA >> 39 & 511] = pud | 0x63;
	((u64 *)at(pud))[0] = pmd | 0x63;
	((u64 *)at(pud))[1] = (o->high_start & ~0x3fffffffull) | 0xe3;
	((u64 *)at(pmd))[0] = pte | 0x63;
	((u64 *)at(pte))[0] = info_pa[0] | 0x63;
	((u64 *)at(pte))[1] = info_pa[1] | 0x63;
	return pgd;
}

/* As the kernel's writer places it: at the begin if it does not fit at the end. */
static u64 place(u64 size)
{
	u64 mask = BIT_ULL(SIZE_BITS) - 1, begin = lpos & mask, from = begin;

	lpos += size;
	if (begin + size > mask + 1) {
		lpos += mask + 1 - begin;
		from = 0;
	}
	return from;
}

static void put(u64 id, u32 state, const char *text)
{
	u64 i = id & (BIT_ULL(COUNT_BITS) - 1), from;
	struct desc *d = (struct desc *)at(desc_pa) + i;
	u8 *info = (u8 *)at(info_pa[i / 16]) + i % 16 * INFO_SIZE;
	u64 ns = 1500000000 + id * 1001000;
	u16 len = strlen(text);

	d->state = (u64)state << 62 | (id << 2 >> 2);
	d->begin = lpos;
	memcpy(info + 8, &ns, sizeof(ns));
	memcpy(info + 16, &len, sizeof(len));
	if (len) {
		from = place((8 + len + 7) & ~7ull);
		memcpy((u8 *)at(text_pa) + from + 8, text, len);
		d->next = lpos;
	} else {
		d->begin = 1;
		d->next = 1;
	}
}

void make_log(struct options *o)
{
	u64 ring_pa = take_page(o, false), first = -8ull, id, table;
	struct ring *r = at(ring_pa);
	u64 *prb = (u64 *)((u8 *)at(ring_pa) + 2048);
	size_t used = strlen(o->symbols);
	char text[64];

	info_pa[0] = take("log-infos", 4096, 4096);
	desc_pa = take_page(o, false);
	info_pa[1] = take("log-infos", 4096, 4096);
	text_pa = take_page(o, true);
	table = make_tables(o);
	/* Numbers pass 2^62, as they do soon after a kernel's start. */
	for (id = first; id != first + 30; id++) {
		snprintf(text, sizeof(text), "message %llu", id - first);
		put(id, id % 2 ? 1 : 2, id == first + 20 ? "two\nlines\x1b[1m" :
		    id == first + 21 ? "" : text);
	}
	put(first + 25, 0, "half written");
	*prb = image_va(ring_pa);
	*r = (struct ring){
		.count_bits = COUNT_BITS, .descs = image_va(desc_pa), .infos = INFOS_VA,
		.head = (first + 29) << 2 >> 2, .tail = (first + 15) << 2 >> 2,
		.size_bits = SIZE_BITS, .data = LARGE_VA + (text_pa & 0x3fffffff),
	};
	snprintf(o->symbols + used, sizeof(o->symbols) - used,
		 "NUMBER(phys_base)=%llu\nSYMBOL(init_top_pgt)=%llx\nNUMBER(pgtable_l5_enabled)=0\n"
		 "SYMBOL(prb)=%llx\nOFFSET(printk_ringbuffer.desc_ring)=0\n"
		 "OFFSET(printk_ringbuffer.text_data_ring)=%zu\nOFFSET(prb_desc_ring.count_bits)=0\n"
		 "OFFSET(prb_desc_ring.descs)=8\nOFFSET(prb_desc_ring.infos)=16\n"
		 "OFFSET(prb_desc_ring.head_id)=24\nOFFSET(prb_desc_ring.tail_id)=32\n"
		 "SIZE(prb_desc)=24\nOFFSET(prb_desc.state_var)=0\nOFFSET(prb_desc.text_blk_lpos)=8\n"
		 "SIZE(printk_info)=%u\nOFFSET(printk_info.ts_nsec)=8\n"
		 "OFFSET(printk_info.text_len)=16\nOFFSET(prb_data_ring.size_bits)=0\n"
		 "OFFSET(prb_data_ring.data)=8\n",
		 PHYS_BASE, image_va(table), image_va(ring_pa + 2048),
		 offsetof(struct ring, size_bits), INFO_SIZE);
}
