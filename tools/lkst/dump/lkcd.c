// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps of LKCD, versions 8 to 10: a header, then pages in any order, each behind a
 * header of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "decompress.h"
#include "image.h"
#include "memsrc.h"
#include "pages.h"
#include "progress.h"

#define VERSION_MIN	8u
/* The first whose header says where pages begin. */
#define VERSION_BUFFER	9u
#define VERSION_MAX	10u
#define FIRST_PAGE	65536u
#define FIRST_PAGE_MAX	(64u << 20)
#define PAGE_MIN	4096u
#define PAGE_MAX	65536u

#define PAGE_RAW	1u
#define PAGE_COMPRESSED	2u
#define PAGE_END	4u

struct lkcd_header {
	u64 magic;
	u32 version;
	u32 header_size;
	u32 level;
	u32 page_size;
	u64 memory_size;
	u64 memory_start;
	u64 memory_end;
	u32 nr_pages;
	char panic[256];
	u64 seconds;
	u64 microseconds;
	char uts[6][65];
	u64 task;
	u32 compression;
	u32 flags;
	u32 device;
	u64 buffer_size;
} __attribute__((__packed__));

static_assert(offsetof(struct lkcd_header, buffer_size) == 734);

struct lkcd_page {
	u64 pa;
	u32 size;
	u32 flags;
};

/**
 * struct lkcd - a dump
 * @im: its file
 * @page_size: bytes of a page
 * @how: how pages are compressed
 * @pages: where the header of each page is
 * @raw: a page as it lies in the file
 * @page: the page read last
 * @pfn: its number, or ~0
 */
struct lkcd {
	struct memsrc m;
	struct image *im;
	u32 page_size;
	enum compression how;
	struct pages pages;
	u8 *raw;
	u8 *page;
	u64 pfn;
};

static struct lkcd *to_lkcd(struct memsrc *m)
{
	return (struct lkcd *)((char *)m - offsetof(struct lkcd, m));
}

static const u8 *load_page(struct memsrc *m, u64 pfn)
{
	struct lkcd *l = to_lkcd(m);
	const struct page_place *place;
	struct lkcd_page h;
	bool ok;

	if (l->pfn == pfn)
		return l->page;
	place = pages_find(&l->pages, pfn);
	if (!place || !image_read_all(l->im, &h, sizeof(h), place->at) ||
	    h.size > l->page_size ||
	    !image_read_all(l->im, l->raw, h.size, place->at + sizeof(h)))
		return NULL;
	l->pfn = ~0ull;
	if (h.flags & PAGE_COMPRESSED) {
		ok = decompress(l->how, l->raw, h.size, l->page, l->page_size);
	} else {
		ok = h.size == l->page_size;
		memcpy(l->page, l->raw, h.size);
	}
	if (!ok)
		return NULL;
	l->pfn = pfn;
	return l->page;
}

static size_t lkcd_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return memsrc_read_pages(m, to_lkcd(m)->page_size, load_page, pa, buf, n);
}

static bool lkcd_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	struct lkcd *l = to_lkcd(m);

	return pages_next_range(&l->pages, l->page_size, pa, start, end);
}

static void lkcd_close(struct memsrc *m)
{
	struct lkcd *l = to_lkcd(m);

	image_close(l->im);
	free(l->pages.place);
	free(l->raw);
	free(l->page);
	free(m->vmcoreinfo);
	free(l);
}

static const struct memsrc_ops lkcd_ops = {
	.read = lkcd_read,
	.next_range = lkcd_next_range,
	.close = lkcd_close,
};

/* Where the first page is, or 0 if the header makes no sense, which is said. */
static u64 read_header(struct lkcd *l)
{
	struct lkcd_header h = { };
	u64 at = FIRST_PAGE;

	image_read(l->im, &h, sizeof(h), 0);
	if (h.version < VERSION_MIN || h.version > VERSION_MAX) {
		trouble("%s: is an LKCD dump of version %u; 8 to 10 can be read",
			l->im->path, h.version);
		return 0;
	}
	if (h.version >= VERSION_BUFFER)
		at = h.buffer_size;
	if (h.page_size < PAGE_MIN || h.page_size > PAGE_MAX ||
	    !is_power_of_2(h.page_size) || h.compression > 2 ||
	    at < sizeof(h) || at > FIRST_PAGE_MAX) {
		trouble("%s: the header of the dump is damaged", l->im->path);
		return 0;
	}
	l->page_size = h.page_size;
	l->how = h.compression == 2 ? COMPRESSION_ZLIB : COMPRESSION_RLE;
	return at;
}

/* Find all pages; says where it does not go on. */
static void find_pages(struct lkcd *l, u64 at)
{
	struct progress progress = { .what = "reading", .total = l->im->size, .done = at };
	struct window *w = xcalloc(1, sizeof(*w));
	const char *why = NULL;
	struct lkcd_page h;
	const void *p;

	w->im = l->im;
	for (;;) {
		p = window_get(w, at, sizeof(h));
		if (!p) {
			why = "is cut off";
			break;
		}
		memcpy(&h, p, sizeof(h));
		if (h.flags & PAGE_END)
			break;
		if (h.pa % l->page_size || !h.size || h.size > l->page_size) {
			why = "is damaged, and has no more pages that can be found,";
			break;
		}
		if (!pages_add(&l->pages, h.pa / l->page_size, at)) {
			why = "has more pages than can be read";
			break;
		}
		at += sizeof(h) + h.size;
		progress_step(&progress, sizeof(h) + h.size);
	}
	progress_end(&progress);
	free(w);
	pages_finish(&l->pages);
	if (why)
		trouble("%s: %s after %zu pages", l->im->path, why, l->pages.nr);
}

struct memsrc *lkcd_open(struct image *im)
{
	struct lkcd *l = xcalloc(1, sizeof(*l));
	u64 first;

	l->m.ops = &lkcd_ops;
	l->im = im;
	l->pfn = ~0ull;
	first = read_header(l);
	if (first) {
		l->raw = xcalloc(l->page_size, 1);
		l->page = xcalloc(l->page_size, 1);
		find_pages(l, first);
		l->m.present = (u64)l->pages.nr * l->page_size;
		l->m.index = l->pages.nr * sizeof(*l->pages.place);
		if (l->pages.nr)
			return &l->m;
		trouble("%s: holds no memory", im->path);
	}
	lkcd_close(&l->m);
	return NULL;
}
