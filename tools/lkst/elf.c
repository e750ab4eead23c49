// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps in ELF64: /proc/vmcore, and QEMU's dump-guest-memory. Program headers
 * say where physical memory lies in the file; the file may be cut off anywhere.
 */
#include <stdlib.h>
#include <linux/elf.h>

#include "memsrc.h"
#include "notes.h"

/* More than any kernel or QEMU writes. */
#define PHDRS_MAX	1000000u

struct range {
	u64 start;
	u64 end;
	u64 file;		/* where @start is in the file */
};

struct elf {
	struct memsrc m;
	struct image *im;
	struct range *range;	/* in order, not overlapping */
	size_t nr;
	u64 missing;		/* bytes of memory that were cut off the file */
};

static struct elf *to_elf(struct memsrc *m)
{
	return (struct elf *)((char *)m - offsetof(struct elf, m));
}

/* The first range that ends above an address, or NULL. */
static struct range *find_range(struct elf *e, u64 pa)
{
	size_t low = 0, high = e->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (e->range[mid].end > pa)
			high = mid;
		else
			low = mid + 1;
	}
	return low < e->nr ? &e->range[low] : NULL;
}

static size_t elf_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	struct elf *e = to_elf(m);
	size_t done = 0, part, got;
	struct range *r;

	while (done < n) {
		r = find_range(e, pa);
		if (!r || r->start > pa)
			break;
		part = min_t(u64, n - done, r->end - pa);
		got = image_read(e->im, (char *)buf + done, part,
				 r->file + (pa - r->start));
		done += got;
		pa += got;
		if (got < part)
			break;
	}
	return done;
}

static bool elf_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	struct elf *e = to_elf(m);
	struct range *r = find_range(e, pa);
	u64 from, to, at;

	/* What is in a hole of the file is zero, and not worth a look. */
	for (; r && r < e->range + e->nr; r++) {
		at = r->file + (max(r->start, pa) - r->start);
		if (!image_data(e->im, at, &from, &to) || from - r->file >= r->end - r->start)
			continue;
		*start = r->start + (from - r->file);
		*end = min_t(u64, r->end, r->start + (to - r->file));
		return true;
	}
	return false;
}

static void elf_close(struct memsrc *m)
{
	struct elf *e = to_elf(m);

	image_close(e->im);
	free(m->vmcoreinfo);
	free(e->range);
	free(e);
}

static const struct memsrc_ops elf_ops = {
	.read = elf_read,
	.next_range = elf_next_range,
	.close = elf_close,
};

static int by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/*
 * Sort, and cut what overlaps: /proc/vmcore has the kernel's text twice, in a
 * range of its own and as part of RAM.
 */
static void order_ranges(struct elf *e)
{
	size_t i, kept = 0;
	u64 end = 0;

	sort(e->range, e->nr, sizeof(*e->range), by_start);
	for (i = 0; i < e->nr; i++) {
		struct range r = e->range[i];

		if (r.start < end) {
			r.file += end - r.start;
			r.start = end;
		}
		if (r.start >= r.end)
			continue;
		end = r.end;
		e->m.present += r.end - r.start;
		e->range[kept++] = r;
	}
	e->nr = kept;
}

static void add_load(struct elf *e, size_t *room, const struct elf64_phdr *p)
{
	u64 size = p->p_offset < e->im->size ? e->im->size - p->p_offset : 0;

	if (size < p->p_filesz)
		e->missing += p->p_filesz - size;
	size = min_t(u64, min_t(u64, size, p->p_filesz), ~0ull - p->p_paddr);
	if (!size)
		return;
	e->range = grow(e->range, e->nr, room, sizeof(*e->range));
	e->range[e->nr++] = (struct range){
		.start = p->p_paddr,
		.end = p->p_paddr + size,
		.file = p->p_offset,
	};
}

/* The number of program headers: in the first section header if it is large. */
static u64 count_headers(struct elf *e, const struct elf64_hdr *h)
{
	struct elf64_shdr s;

	if (h->e_phnum != PN_XNUM)
		return h->e_phnum;
	if (!image_read_all(e->im, &s, sizeof(s), h->e_shoff))
		return 0;
	return s.sh_info;
}

static void read_headers(struct elf *e)
{
	const char *path = e->im->path;
	struct elf64_hdr h;
	struct elf64_phdr p;
	size_t room = 0;
	u64 i, nr;

	if (!image_read_all(e->im, &h, sizeof(h), 0) ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_type != ET_CORE ||
	    h.e_phentsize != sizeof(p)) {
		trouble("%s: is no 64-bit little-endian ELF core dump", path);
		return;
	}
	nr = count_headers(e, &h);
	for (i = 0; i < min_t(u64, nr, PHDRS_MAX); i++) {
		if (!image_read_all(e->im, &p, sizeof(p), h.e_phoff + i * sizeof(p))) {
			trouble("%s: is cut off in its program headers", path);
			break;
		}
		if (p.p_type == PT_LOAD)
			add_load(e, &room, &p);
		else if (p.p_type == PT_NOTE && !e->m.vmcoreinfo)
			e->m.vmcoreinfo = notes_vmcoreinfo(e->im, p.p_offset,
							   p.p_offset + p.p_filesz);
	}
	if (e->missing)
		trouble("%s: is cut off: %llu bytes of memory are missing", path,
			e->missing);
}

struct memsrc *elf_open(struct image *im)
{
	struct elf *e = xcalloc(1, sizeof(*e));

	e->m.ops = &elf_ops;
	e->im = im;
	read_headers(e);
	order_ranges(e);
	if (e->nr)
		return &e->m;
	trouble("%s: holds no memory", im->path);
	elf_close(&e->m);
	return NULL;
}
