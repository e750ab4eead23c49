// SPDX-License-Identifier: GPL-2.0
/*
 * Dumps in ELF64: /proc/vmcore, and QEMU's dump-guest-memory. Program headers
 * say where physical memory lies in the file; the file may be cut off anywhere.
 */
#include <stdlib.h>
#include <string.h>
#include <linux/elf.h>

#include "memsrc.h"
#include "notes.h"

/* More than any kernel or QEMU writes. */
#define PHDRS_MAX	1000000u
/* How often the bytes of the file can be memory: they are so once, if all is right. */
#define USES_MAX	2u

struct range {
	u64 start;
	u64 end;
	u64 file;		/* where @start is in the file */
};

struct ranges {
	struct range *range;	/* in order, not overlapping */
	size_t nr;
	size_t room;
};

/**
 * struct elf - a dump
 * @im: its file
 * @data: the memory in it
 * @left_out: memory that has no bytes in it: what makedumpfile leaves out. Of LKST's
 *	that is only what is zero
 * @missing: bytes of memory that were cut off the file
 * @used: bytes of the file that are memory
 */
struct elf {
	struct memsrc m;
	struct image *im;
	struct ranges data;
	struct ranges left_out;
	u64 missing;
	u64 used;
};

static struct elf *to_elf(struct memsrc *m)
{
	return (struct elf *)((char *)m - offsetof(struct elf, m));
}

/* The first range that ends above an address, or NULL. */
static struct range *find_range(const struct ranges *rs, u64 pa)
{
	size_t low = 0, high = rs->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (rs->range[mid].end > pa)
			high = mid;
		else
			low = mid + 1;
	}
	return low < rs->nr ? &rs->range[low] : NULL;
}

/* How many bytes from an address on were left out, up to @n. */
static size_t left_out(struct elf *e, u64 pa, size_t n)
{
	struct range *r = find_range(&e->left_out, pa);

	return r && r->start <= pa ? min_t(u64, n, r->end - pa) : 0;
}

static size_t elf_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	struct elf *e = to_elf(m);
	size_t done = 0, part, got;
	struct range *r;

	while (done < n) {
		r = find_range(&e->data, pa);
		if (!r || r->start > pa) {
			part = left_out(e, pa, r ? min_t(u64, n - done, r->start - pa) : n - done);
			if (!part)
				break;
			memset((char *)buf + done, 0, part);
			done += part;
			pa += part;
			continue;
		}
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
	struct range *r = find_range(&e->data, pa);
	u64 from, to, at;

	/* What is in a hole of the file is zero, and not worth a look. */
	for (; r && r < e->data.range + e->data.nr; r++) {
		at = r->file + (max(r->start, pa) - r->start);
		if (!image_data(e->im, at, &from, &to) || from - r->file >= r->end - r->start)
			continue;
		*start = r->start + (from - r->file);
		*end = r->start + min(r->end - r->start, to - r->file);
		return true;
	}
	return false;
}

static void elf_close(struct memsrc *m)
{
	struct elf *e = to_elf(m);

	image_close(e->im);
	free(m->vmcoreinfo);
	free(e->data.range);
	free(e->left_out.range);
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
static void order_ranges(struct ranges *rs)
{
	size_t i, kept = 0;
	u64 end = 0;

	sort(rs->range, rs->nr, sizeof(*rs->range), by_start);
	for (i = 0; i < rs->nr; i++) {
		struct range r = rs->range[i];

		if (r.start < end) {
			r.file += end - r.start;
			r.start = end;
		}
		if (r.start >= r.end)
			continue;
		end = r.end;
		rs->range[kept++] = r;
	}
	rs->nr = kept;
}

static void add_range(struct ranges *rs, u64 pa, u64 size, u64 file)
{
	size = min(size, ~0ull - pa);
	if (!size)
		return;
	rs->range = grow(rs->range, rs->nr, &rs->room, sizeof(*rs->range));
	rs->range[rs->nr++] = (struct range){
		.start = pa, .end = pa + size, .file = file,
	};
}

/* False if the headers would make more memory of the file than there is in it. */
static bool add_load(struct elf *e, const struct elf64_phdr *p)
{
	u64 size = p->p_offset < e->im->size ? e->im->size - p->p_offset : 0;

	if (size < p->p_filesz)
		e->missing += p->p_filesz - size;
	size = min_t(u64, size, p->p_filesz);
	if (!e->im->live && size > e->im->size * USES_MAX - e->used)
		return false;
	e->used += size;
	add_range(&e->data, p->p_paddr, size, p->p_offset);
	if (p->p_memsz > p->p_filesz && p->p_filesz <= ~0ull - p->p_paddr)
		add_range(&e->left_out, p->p_paddr + p->p_filesz, p->p_memsz - p->p_filesz, 0);
	return true;
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
		if (p.p_type == PT_LOAD && !add_load(e, &p)) {
			trouble("%s: damaged headers: bytes of it are memory more than once",
				path);
			break;
		}
		if (p.p_type == PT_NOTE && !e->m.vmcoreinfo)
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
	size_t i;

	e->m.ops = &elf_ops;
	e->im = im;
	read_headers(e);
	order_ranges(&e->data);
	order_ranges(&e->left_out);
	for (i = 0; i < e->data.nr; i++)
		e->m.present += e->data.range[i].end - e->data.range[i].start;
	if (e->data.nr)
		return &e->m;
	trouble("%s: holds no memory", im->path);
	elf_close(&e->m);
	return NULL;
}
