// SPDX-License-Identifier: GPL-2.0
/*
 * Streams in which QEMU migrates or saves a guest, also behind libvirt's header. Of
 * what is in them only the section "ram" matters, which comes before the devices'. A
 * page can come again; the last one counts.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "decompress.h"
#include "image.h"
#include "memsrc.h"
#include "pages.h"
#include "progress.h"

#define STREAM_VERSION	3u
#define RAM_VERSION	4u
#define PAGE		4096u
#define SECTION_NAME	"\3ram"
/* What can come before the first section. */
#define PROLOGUE_MAX	65536u
#define BLOCKS_MAX	1024u

enum section {
	SECTION_START = 1,
	SECTION_PART = 2,
	SECTION_END = 3,
	SECTION_FOOTER = 0x7e,
};

#define RAM_ZERO	0x002u
#define RAM_SIZE	0x004u
#define RAM_PAGE	0x008u
#define RAM_END		0x010u
#define RAM_CONTINUE	0x020u
#define RAM_COMPRESSED	0x100u
#define RAM_FLUSH	0x200u

/* What a place says below an offset in the file: the later page is the greater. */
#define PLACE_ZERO	1u
#define PLACE_COMPRESSED 2u
#define PLACE_SHIFT	2

/* In front of libvirt's images; then comes @xml_size of XML. */
struct libvirt_header {
	char magic[16];
	u32 version;
	u32 xml_size;
	u32 was_running;
	u32 compression;
	u32 spare[15];
};

static_assert(sizeof(struct libvirt_header) == 92);

/**
 * struct migration - a stream
 * @im: its file
 * @at: how far it was read
 * @bad: it did not go on there, and this is why
 * @w: a part of it
 * @section: number of the section of RAM
 * @ram: name of the largest block, which is the guest's memory
 * @ram_size: its bytes
 * @in_ram: what comes is of that block
 * @pages: the pages of it that are not zero
 * @whole: the stream is complete: a page that is not there is zero
 * @page: the page read last
 */
struct migration {
	struct memsrc m;
	struct image *im;
	u64 at;
	const char *bad;
	struct window w;
	u32 section;
	char ram[256];
	u64 ram_size;
	bool in_ram;
	bool whole;
	struct pages pages;
	u8 page[PAGE];
};

static struct migration *to_migration(struct memsrc *m)
{
	return (struct migration *)((char *)m - offsetof(struct migration, m));
}

/* Reading memory. */

static const u8 *load_page(struct memsrc *m, u64 pfn)
{
	struct migration *g = to_migration(m);
	const struct page_place *place = pages_find(&g->pages, pfn);
	u64 at = place ? place->at >> PLACE_SHIFT : 0;
	u8 packed[2 * PAGE];
	u32 size;

	if (!place && !(g->whole && pfn < g->ram_size / PAGE))
		return NULL;
	if (!place || place->at & PLACE_ZERO)
		return memset(g->page, 0, PAGE);
	if (!(place->at & PLACE_COMPRESSED))
		return image_read_all(g->im, g->page, PAGE, at) ? g->page : NULL;
	if (!image_read_all(g->im, &size, sizeof(size), at))
		return NULL;
	size = be32toh(size);
	return size <= sizeof(packed) &&
	       image_read_all(g->im, packed, size, at + sizeof(size)) &&
	       decompress(COMPRESSION_ZLIB, packed, size, g->page, PAGE) ? g->page : NULL;
}

static size_t migration_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return memsrc_read_pages(m, PAGE, load_page, pa, buf, n);
}

static bool migration_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	return pages_next_range(&to_migration(m)->pages, PAGE, pa, start, end);
}

static void migration_close(struct memsrc *m)
{
	struct migration *g = to_migration(m);

	image_close(g->im);
	free(g->pages.place);
	free(m->vmcoreinfo);
	free(g);
}

static const struct memsrc_ops migration_ops = {
	.read = migration_read,
	.next_range = migration_next_range,
	.close = migration_close,
};

/* Reading the stream: what is behind its end is 0, and @bad is set. */

static void get(struct migration *g, void *to, size_t n)
{
	const void *p = g->bad ? NULL : window_get(&g->w, g->at, n);

	memset(to, 0, n);
	if (p)
		memcpy(to, p, n);
	else if (!g->bad)
		g->bad = "is cut off";
	g->at += n;
}

static u8 get_byte(struct migration *g)
{
	u8 byte;

	get(g, &byte, sizeof(byte));
	return byte;
}

static u32 get_u32(struct migration *g)
{
	u32 n;

	get(g, &n, sizeof(n));
	return be32toh(n);
}

static u64 get_u64(struct migration *g)
{
	u64 n;

	get(g, &n, sizeof(n));
	return be64toh(n);
}

static void get_name(struct migration *g, char name[256])
{
	u8 n = get_byte(g);

	get(g, name, n);
	name[n] = 0;
}

/* The list of blocks, of @total bytes together. */
static void get_blocks(struct migration *g, u64 total)
{
	char name[256];
	u64 size;
	u32 i;

	for (i = 0; i < BLOCKS_MAX && total && !g->bad; i++) {
		get_name(g, name);
		size = get_u64(g);
		if (size > total) {
			g->bad = "is of a form that is not known";
			break;
		}
		total -= size;
		if (size <= g->ram_size)
			continue;
		g->ram_size = size;
		memcpy(g->ram, name, sizeof(name));
	}
}

/* A page, of which the bytes come next. */
static void add_page(struct migration *g, u64 pfn, u32 kind)
{
	const struct pages *p = &g->pages;

	if (!g->in_ram || g->bad)
		return;
	/* One that is zero and was not there before is as good as not there. */
	if (kind == PLACE_ZERO && (!p->nr || p->place[p->nr - 1].pfn < pfn) && !p->unordered)
		return;
	if (!pages_add(&g->pages, pfn, g->at << PLACE_SHIFT | kind))
		g->bad = "has more pages than can be read";
}

/* Pages up to the end of a part of the section. */
static void get_pages(struct migration *g, struct progress *progress)
{
	u64 word, flags, from;
	char name[256];
	u32 size;

	while (!g->bad) {
		from = g->at;
		word = get_u64(g);
		flags = word % PAGE;
		if (g->bad || flags & RAM_END)
			return;
		if (flags & (RAM_ZERO | RAM_PAGE | RAM_COMPRESSED) && !(flags & RAM_CONTINUE)) {
			get_name(g, name);
			g->in_ram = !strcmp(name, g->ram);
		}
		word /= PAGE;
		if (flags & RAM_SIZE) {
			get_blocks(g, word * PAGE);
		} else if (flags & RAM_ZERO) {
			add_page(g, word, PLACE_ZERO);
			get_byte(g);
		} else if (flags & RAM_PAGE) {
			add_page(g, word, 0);
			g->at += PAGE;
		} else if (flags & RAM_COMPRESSED) {
			add_page(g, word, PLACE_COMPRESSED);
			size = get_u32(g);
			g->at += size;
		} else if (!(flags & RAM_FLUSH)) {
			g->bad = "has pages in a form that is not known";
		}
		progress_step(progress, g->at - from);
	}
}

/* All parts of the section of RAM; other sections that come in parts end it. */
static void get_ram(struct migration *g)
{
	struct progress progress = { .what = "reading", .total = g->im->size, .done = g->at };
	u8 type = SECTION_START;

	while (!g->bad) {
		get_pages(g, &progress);
		if (type == SECTION_END && !g->bad) {
			g->whole = true;
			break;
		}
		type = get_byte(g);
		if (type == SECTION_FOOTER && get_u32(g) == g->section)
			type = get_byte(g);
		if (g->bad)
			break;
		if ((type != SECTION_PART && type != SECTION_END) || get_u32(g) != g->section)
			g->bad = "goes on in a way that is not known";
	}
	progress_end(&progress);
}

/* Go to the section of RAM: behind its name, instance and version. */
static bool find_ram(struct migration *g)
{
	u64 end = g->at + PROLOGUE_MAX;
	const u8 *p;
	u32 word[2];

	for (; g->at < end; g->at++) {
		p = window_get(&g->w, g->at, 17);
		if (!p)
			return false;
		memcpy(word, p + 9, sizeof(word));
		if (p[0] == SECTION_START && !memcmp(p + 5, SECTION_NAME, 4) &&
		    !word[0] && be32toh(word[1]) == RAM_VERSION) {
			g->at++;
			g->section = get_u32(g);
			g->at += 12;
			return true;
		}
	}
	return false;
}

/* Behind libvirt's header, if there is one. */
static bool skip_libvirt(struct migration *g)
{
	struct libvirt_header h;

	if (!image_read_all(g->im, &h, sizeof(h), 0) ||
	    memcmp(h.magic, LIBVIRT_SIGNATURE, sizeof(h.magic)))
		return true;
	if (h.compression) {
		trouble("%s: is compressed; give what is behind its first %u bytes, decompressed",
			g->im->path, (u32)sizeof(h) + h.xml_size);
		return false;
	}
	g->at = sizeof(h) + (u64)h.xml_size;
	return true;
}

static bool read_stream(struct migration *g)
{
	char magic[4];

	if (!skip_libvirt(g))
		return false;
	get(g, magic, sizeof(magic));
	if (memcmp(magic, MIGRATION_SIGNATURE, sizeof(magic)) ||
	    get_u32(g) != STREAM_VERSION || !find_ram(g)) {
		trouble("%s: there is no memory in the stream that can be read", g->im->path);
		return false;
	}
	get_ram(g);
	pages_finish(&g->pages);
	if (g->bad)
		trouble("%s: the stream %s after %zu pages", g->im->path, g->bad,
			g->pages.nr);
	return true;
}

struct memsrc *migration_open(struct image *im)
{
	struct migration *g = xcalloc(1, sizeof(*g));

	g->m.ops = &migration_ops;
	g->im = im;
	g->w.im = im;
	if (read_stream(g)) {
		g->m.present = (u64)g->pages.nr * PAGE;
		g->m.index = g->pages.nr * sizeof(*g->pages.place);
		if (g->pages.nr)
			return hole_open(&g->m, g->ram_size);
		trouble("%s: holds no memory", im->path);
	}
	migration_close(&g->m);
	return NULL;
}
