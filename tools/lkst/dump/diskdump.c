// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps of makedumpfile's own format, kdump-compressed, which QEMU writes too:
 * header, bitmap of the pages there are, a descriptor for each of them, pages. A
 * dump that was split is several files: each has the whole bitmap, and the
 * descriptors of its share of the pages.
 */
#include <stdlib.h>
#include <string.h>

#include "decompress.h"
#include "image.h"
#include "memsrc.h"
#include "notes.h"

#define BLOCK_MIN	4096u
#define BLOCK_MAX	65536u
/* Pages of 64 TiB. */
#define PFN_MAX		BIT_ULL(34)
/* Bytes of the bitmap between two of which the pages are counted. */
#define COUNT_STEP	512u
#define COUNT_PAGES	(COUNT_STEP * 8ull)

/* In disk_header.status and in page_desc.flags. */
#define STATUS_INCOMPLETE	8u
#define PAGE_ZLIB		0x1u
#define PAGE_LZO		0x2u
#define PAGE_SNAPPY		0x4u
#define PAGE_ZSTD		0x20u

struct disk_header {
	char signature[8];
	s32 version;
	char uts[6][65];
	u64 seconds;
	u64 microseconds;
	u32 status;
	s32 block_size;
	s32 sub_blocks;
	u32 bitmap_blocks;
	u32 max_pfn;
	u32 spare[5];
};

/* In the second block; what is from 64 bits on is valid from version 6. */
struct sub_header {
	u64 phys_base;
	s32 dump_level;
	s32 split;
	u64 start;
	u64 end;
	u64 info;
	u64 info_size;
	u64 notes;
	u64 notes_size;
	u64 erased;
	u64 erased_size;
	u64 start64;
	u64 end64;
	u64 max_pfn64;
};

struct page_desc {
	u64 at;
	u32 size;
	u32 flags;
	u64 page_flags;
};

static_assert(offsetof(struct disk_header, seconds) == 408);
static_assert(offsetof(struct disk_header, max_pfn) == 440);
static_assert(sizeof(struct page_desc) == 24);

/**
 * struct part - one of the files
 * @im: it
 * @h: its header
 * @start: the first page that has a descriptor here
 * @end: behind the last one
 * @descs: where the descriptors are
 * @before: present pages before @start
 * @info: its vmcoreinfo, or NULL
 * @desc: descriptors at hand
 */
struct part {
	struct image *im;
	struct disk_header h;
	u64 start;
	u64 end;
	u64 descs;
	u64 before;
	char *info;
	struct window desc;
};

/**
 * struct diskdump - a dump
 * @part: its parts, by @start
 * @nr: how many
 * @block: bytes of a page
 * @max_pfn: pages that the bitmap is of
 * @bitmap: where that is in one of the files
 * @count: present pages before each COUNT_PAGES
 * @bits: a part of the bitmap
 * @raw: a page as it lies in the file
 * @page: the page read last
 * @pfn: its number, or ~0
 */
struct diskdump {
	struct memsrc m;
	struct part **part;
	size_t nr;
	u32 block;
	u64 max_pfn;
	u64 bitmap;
	u64 *count;
	struct window bits;
	u8 *raw;
	u8 *page;
	u64 pfn;
};

static struct diskdump *to_diskdump(struct memsrc *m)
{
	return (struct diskdump *)((char *)m - offsetof(struct diskdump, m));
}

/* The bitmap. */

/* A word of 64 pages; what is not in the file is not present. */
static u64 bitmap_word(struct diskdump *d, u64 pfn)
{
	u64 at = d->bitmap + pfn / 64 * 8, word;
	const void *p = pfn < d->max_pfn ? window_get(&d->bits, at, sizeof(word)) : NULL;

	if (!p)
		return 0;
	memcpy(&word, p, sizeof(word));
	if (d->max_pfn - (pfn & ~63ull) < 64)
		word &= BIT_ULL(d->max_pfn % 64) - 1;
	return word;
}

/* How many pages are present below one. */
static u64 pages_before(struct diskdump *d, u64 pfn)
{
	u64 n = d->count[pfn / COUNT_PAGES], i;

	for (i = pfn & ~(COUNT_PAGES - 1); i + 64 <= pfn; i += 64)
		n += __builtin_popcountll(bitmap_word(d, i));
	if (pfn % 64)
		n += __builtin_popcountll(bitmap_word(d, i) & (BIT_ULL(pfn % 64) - 1));
	return n;
}

/* How many pages of one step are present. */
static u64 count_step(struct diskdump *d, u64 from)
{
	u64 to = min(from + COUNT_PAGES, d->max_pfn), pfn, n = 0;

	for (pfn = from; pfn < to; pfn += 64)
		n += __builtin_popcountll(bitmap_word(d, pfn));
	return n;
}

static void count_pages(struct diskdump *d)
{
	u64 i, n = 0, at, data = 0, end = 0;

	d->count = xcalloc(d->max_pfn / COUNT_PAGES + 2, sizeof(*d->count));
	for (i = 0; i * COUNT_PAGES < d->max_pfn; i++) {
		d->count[i] = n;
		at = d->bitmap + i * COUNT_STEP;
		if (at >= end && !image_data(d->bits.im, at, &data, &end))
			break;
		/* There is nothing in a hole of the file. */
		if (at + COUNT_STEP > data)
			n += count_step(d, i * COUNT_PAGES);
	}
	for (; i <= d->max_pfn / COUNT_PAGES + 1; i++)
		d->count[i] = n;
}

/* The first page from @pfn on that is present, or is not. */
static u64 find_page(struct diskdump *d, u64 pfn, bool present)
{
	u64 word;

	while (pfn < d->max_pfn) {
		word = bitmap_word(d, pfn);
		word = (present ? word : ~word) >> pfn % 64;
		if (word)
			return min(pfn + __builtin_ctzll(word), d->max_pfn);
		pfn = (pfn | 63) + 1;
		/* Most of a large bitmap is empty. */
		while (present && !(pfn % COUNT_PAGES) &&
		       pfn + COUNT_PAGES <= d->max_pfn &&
		       d->count[pfn / COUNT_PAGES] == d->count[pfn / COUNT_PAGES + 1])
			pfn += COUNT_PAGES;
	}
	return d->max_pfn;
}

/* Pages. */

/* The first part that ends above a page, or NULL. */
static struct part *find_part(struct diskdump *d, u64 pfn)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (d->part[i]->end > pfn)
			return d->part[i];
	return NULL;
}

static bool unpack(struct diskdump *d, const struct page_desc *desc)
{
	static const struct {
		u32 flag;
		enum compression how;
	} ways[] = {
		{ PAGE_ZLIB, COMPRESSION_ZLIB },
		{ PAGE_LZO, COMPRESSION_LZO },
		{ PAGE_SNAPPY, COMPRESSION_SNAPPY },
		{ PAGE_ZSTD, COMPRESSION_ZSTD },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (desc->flags & ways[i].flag)
			return decompress(ways[i].how, d->raw, desc->size, d->page, d->block);
	if (desc->size != d->block)
		return false;
	memcpy(d->page, d->raw, d->block);
	return true;
}

static const u8 *load_page(struct memsrc *m, u64 pfn)
{
	struct diskdump *d = to_diskdump(m);
	struct part *p = find_part(d, pfn);
	struct page_desc desc;
	const void *at;

	if (d->pfn == pfn)
		return d->page;
	if (!p || pfn < p->start || !(bitmap_word(d, pfn) >> pfn % 64 & 1))
		return NULL;
	at = window_get(&p->desc, p->descs + (pages_before(d, pfn) - p->before) * sizeof(desc),
			sizeof(desc));
	if (!at)
		return NULL;
	memcpy(&desc, at, sizeof(desc));
	d->pfn = ~0ull;
	if (!desc.size || desc.size > d->block ||
	    !image_read_all(p->im, d->raw, desc.size, desc.at) || !unpack(d, &desc))
		return NULL;
	d->pfn = pfn;
	return d->page;
}

static size_t diskdump_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return memsrc_read_pages(m, to_diskdump(m)->block, load_page, pa, buf, n);
}

/* The page of a part before which @n of its pages are present. */
static u64 page_of(struct diskdump *d, const struct part *p, u64 n)
{
	u64 low = p->start, high = p->end, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (pages_before(d, middle + 1) - p->before > n)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Reduce the pages from @first to @end to those whose descriptors are not in a hole of
 * the file. False if @first is not one of them; then @end is where to go on.
 */
static bool have_descs(struct diskdump *d, const struct part *p, u64 first, u64 *end)
{
	const u64 size = sizeof(struct page_desc);
	u64 n = pages_before(d, first) - p->before, from, to;

	if (!image_data(p->im, p->descs + n * size, &from, &to)) {
		*end = p->end;
		return false;
	}
	from = from > p->descs ? (from - p->descs) / size : 0;
	if (from > n) {
		*end = page_of(d, p, from);
		return false;
	}
	to = (to - p->descs + size - 1) / size;
	if (to < n + (*end - first))
		*end = page_of(d, p, to);
	return true;
}

static bool diskdump_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	struct diskdump *d = to_diskdump(m);
	u64 pfn = pa / d->block, first, behind;
	struct part *p;

	for (;; pfn = behind) {
		first = find_page(d, pfn, true);
		p = find_part(d, first);
		if (first == d->max_pfn || !p)
			return false;
		/* What is between is in a part that is not there. */
		behind = p->start;
		if (first < p->start)
			continue;
		behind = min(find_page(d, first, false), p->end);
		if (have_descs(d, p, first, &behind))
			break;
	}
	*start = max(first * d->block, pa);
	*end = behind * d->block;
	return true;
}

static const char *diskdump_why(struct memsrc *m, u64 pa)
{
	struct diskdump *d = to_diskdump(m);
	u64 pfn = pa / d->block;
	struct part *p = find_part(d, pfn);

	if (pfn >= d->max_pfn)
		return NULL;
	if (!(bitmap_word(d, pfn) >> pfn % 64 & 1))
		return "was left out of the dump";
	return p && pfn >= p->start ? "is damaged in the dump" : "is in a part that is missing";
}

static void diskdump_close(struct memsrc *m)
{
	struct diskdump *d = to_diskdump(m);
	size_t i;

	for (i = 0; i < d->nr; i++) {
		image_close(d->part[i]->im);
		free(d->part[i]->info);
		free(d->part[i]);
	}
	free(d->part);
	free(d->count);
	free(d->raw);
	free(d->page);
	free(m->vmcoreinfo);
	free(d);
}

static const struct memsrc_ops diskdump_ops = {
	.read = diskdump_read,
	.next_range = diskdump_next_range,
	.why = diskdump_why,
	.close = diskdump_close,
};

/* Opening. */

static bool header_ok(const struct disk_header *h)
{
	return h->version > 0 && h->block_size >= (s32)BLOCK_MIN &&
	       h->block_size <= (s32)BLOCK_MAX && is_power_of_2(h->block_size) &&
	       h->sub_blocks > 0 && h->sub_blocks < 65536 && h->bitmap_blocks;
}

/* Where things are, from the headers; false if they make no sense, which is said. */
static bool read_part(struct diskdump *d, struct part *p)
{
	u64 block, bitmap_size;
	struct sub_header s;
	bool whole = image_read_all(p->im, &p->h, sizeof(p->h), 0);

	/* Of several, nobody looked at it yet. */
	if (whole && memcmp(p->h.signature, DISKDUMP_SIGNATURE, sizeof(p->h.signature))) {
		trouble("%s: is no part of a dump that was split", p->im->path);
		return false;
	}
	if (!whole || !header_ok(&p->h) ||
	    !image_read_all(p->im, &s, sizeof(s), p->h.block_size)) {
		trouble("%s: the header of the dump is damaged", p->im->path);
		return false;
	}
	block = p->h.block_size;
	bitmap_size = p->h.bitmap_blocks * block / 2;
	d->bitmap = (1 + p->h.sub_blocks) * block + bitmap_size;
	d->bits.im = p->im;
	p->descs = d->bitmap + bitmap_size;
	p->end = p->h.version >= 6 ? s.max_pfn64 : p->h.max_pfn;
	p->end = min(min_t(u64, p->end, bitmap_size * 8), PFN_MAX);
	d->block = block;
	d->max_pfn = p->end;
	if (p->h.version >= 2 && s.split) {
		p->start = p->h.version >= 6 ? s.start64 : s.start;
		p->end = min(p->end, p->h.version >= 6 ? s.end64 : s.end);
		p->start = min(p->start, p->end);
	} else if (d->nr > 1) {
		trouble("%s: is no part of a dump that was split", p->im->path);
		return false;
	}
	if (p->h.status & STATUS_INCOMPLETE)
		trouble("%s: is incomplete: there was no room for the rest", p->im->path);
	if (p->h.version >= 3 && s.info_size)
		p->info = image_text(p->im, s.info, s.info_size);
	if (!p->info && p->h.version >= 4 && s.notes_size)
		p->info = notes_vmcoreinfo(p->im, s.notes, s.notes + s.notes_size);
	if (!d->m.vmcoreinfo && p->info)
		d->m.vmcoreinfo = xstrdup(p->info);
	return true;
}

/* Are two files parts of one dump? What tells two crashes of a kernel is vmcoreinfo. */
static bool same_dump(const struct part *x, const struct part *y)
{
	const struct disk_header *a = &x->h, *b = &y->h;

	return (!x->info || !y->info || !strcmp(x->info, y->info)) &&
	       a->version == b->version && !memcmp(a->uts, b->uts, sizeof(a->uts)) &&
	       a->block_size == b->block_size && a->sub_blocks == b->sub_blocks &&
	       a->bitmap_blocks == b->bitmap_blocks && a->max_pfn == b->max_pfn;
}

static int by_start(const void *a, const void *b)
{
	const struct part *const *x = a, *const *y = b;

	if ((*x)->start != (*y)->start)
		return (*x)->start < (*y)->start ? -1 : 1;
	return (*x)->end < (*y)->end ? -1 : (*x)->end > (*y)->end;
}

static void say_missing(struct diskdump *d, u64 from, u64 to)
{
	u64 pages = from < to ? pages_before(d, to) - pages_before(d, from) : 0;

	if (!pages)
		return;
	d->m.present -= pages * d->block;
	trouble("a part of the dump is missing: that of %llu pages between %#llx and %#llx",
		pages, from * d->block, to * d->block);
}

/* Pages whose descriptors the file does not have are not in it. */
static void cut_descs(struct diskdump *d, struct part *p)
{
	u64 size = p->im->size, room;

	room = size > p->descs ? (size - p->descs) / sizeof(struct page_desc) : 0;
	if (pages_before(d, p->end) - p->before <= room)
		return;
	p->end = page_of(d, p, room);
	trouble("%s: is cut off in its descriptors of pages", p->im->path);
}

/* In order, which parts may be given in any, and without overlap. */
static bool order_parts(struct diskdump *d)
{
	u64 end = 0;
	size_t i;

	sort(d->part, d->nr, sizeof(*d->part), by_start);
	for (i = 0; i < d->nr; i++) {
		struct part *p = d->part[i];

		p->end = min(p->end, d->max_pfn);
		p->start = min(p->start, p->end);

		if (!same_dump(p, d->part[0])) {
			trouble("%s and %s are not parts of the same dump",
				d->part[0]->im->path, p->im->path);
			return false;
		}
		if (p->start < end && p->start < p->end) {
			trouble("%s: holds what another part holds too", p->im->path);
			return false;
		}
		say_missing(d, end, p->start);
		p->before = pages_before(d, p->start);
		cut_descs(d, p);
		end = max(end, p->end);
	}
	say_missing(d, end, d->max_pfn);
	return true;
}

struct memsrc *diskdump_open(struct image **im, size_t nr)
{
	struct diskdump *d = xcalloc(1, sizeof(*d));
	bool ok = true;
	size_t i;

	d->m.ops = &diskdump_ops;
	d->pfn = ~0ull;
	d->nr = nr;
	d->part = xcalloc(nr, sizeof(*d->part));
	for (i = 0; i < nr; i++) {
		d->part[i] = xcalloc(1, sizeof(**d->part));
		d->part[i]->im = im[i];
		d->part[i]->desc.im = im[i];
		ok = ok && read_part(d, d->part[i]);
	}
	if (ok) {
		d->raw = xcalloc(d->block, 1);
		d->page = xcalloc(d->block, 1);
		count_pages(d);
		d->m.present = pages_before(d, d->max_pfn) * d->block;
		ok = order_parts(d);
	}
	if (ok && d->m.present)
		return &d->m;
	if (ok)
		trouble("%s: holds no memory", im[0]->path);
	diskdump_close(&d->m);
	return NULL;
}
