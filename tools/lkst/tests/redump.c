// SPDX-License-Identifier: GPL-2.0
/*
 * redump: writes the memory in an ELF dump in other forms.
 *
 *   redump elf - DUMP OUT          without pages that are zero, as makedumpfile -E -d 1
 *   redump kdump HOW DUMP OUT...   as makedumpfile does; several: as --split does
 *   redump lkcd8|9|10 HOW DUMP OUT as LKCD does
 *   redump flat - FILE OUT         any file, flattened, as makedumpfile -F does
 *   redump raw LOW DUMP OUT        memory as it is, with the part above 4 GiB at LOW MiB
 *   redump migration LOW DUMP OUT  as QEMU migrates a guest
 *   redump libvirt LOW DUMP OUT    as libvirt saves one
 *
 * HOW is raw, rle, zlib, lzo, snappy or zstd.
 */
#define _GNU_SOURCE
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/elf.h>
#include <zlib.h>
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <zstd.h>

#include "util.h"

#define PAGE		4096u
#define HOLE_END	0x100000000ull
#define ROOM		(2 * PAGE)

static u8 *input;
static size_t input_size;
static const char *how;
static u8 lzo_work[LZO1X_1_MEM_COMPRESS];

static void __attribute((noreturn)) fail(const char *why)
{
	fprintf(stderr, "redump: %s\n", why);
	exit(2);
}

/* The input. */

static void read_input(const char *path)
{
	FILE *f = fopen(path, "r");

	if (!f || fseek(f, 0, SEEK_END))
		fail(path);
	input_size = ftell(f);
	rewind(f);
	input = malloc(input_size + 1);
	if (!input || fread(input, 1, input_size, f) != input_size)
		fail(path);
	fclose(f);
}

static const struct elf64_phdr *header(int i)
{
	const struct elf64_hdr *h = (const struct elf64_hdr *)input;

	return i < h->e_phnum ? (const struct elf64_phdr *)(input + h->e_phoff) + i : NULL;
}

/* A whole page, or NULL. */
static const u8 *page_at(u64 pfn)
{
	const struct elf64_phdr *p;
	int i;

	for (i = 0; (p = header(i)); i++)
		if (p->p_type == PT_LOAD && pfn * PAGE >= p->p_paddr &&
		    (pfn + 1) * PAGE <= p->p_paddr + p->p_filesz)
			return input + p->p_offset + (pfn * PAGE - p->p_paddr);
	return NULL;
}

static u64 max_pfn(void)
{
	const struct elf64_phdr *p;
	u64 max = 0;
	int i;

	for (i = 0; (p = header(i)); i++)
		if (p->p_type == PT_LOAD && p->p_paddr + p->p_filesz > max * PAGE)
			max = (p->p_paddr + p->p_filesz + PAGE - 1) / PAGE;
	return max;
}

static const char *vmcoreinfo(u32 *size)
{
	const struct elf64_note *n;
	const u8 *at = input + header(0)->p_offset, *end = at + header(0)->p_filesz;

	for (; at < end; at += sizeof(*n) + ((n->n_namesz + 3) & ~3u) + ((n->n_descsz + 3) & ~3u)) {
		n = (const struct elf64_note *)at;
		*size = n->n_descsz;
		if (!strcmp((const char *)(n + 1), "VMCOREINFO"))
			return (const char *)(n + 1) + 12;
	}
	*size = 0;
	return NULL;
}

/* Compression. */

static size_t rle(const u8 *in, u8 *out)
{
	size_t i, n = 0, count;

	for (i = 0; i < PAGE; i += count) {
		for (count = 1; i + count < PAGE && count < 255 && in[i + count] == in[i];)
			count++;
		if (count < 4 && in[i]) {
			out[n++] = in[i];
			count = 1;
		} else if (count == 1) {
			out[n++] = 0;
			out[n++] = 0;
		} else {
			out[n++] = 0;
			out[n++] = count;
			out[n++] = in[i];
		}
		if (n > PAGE)
			return n;
	}
	return n;
}

/* Returns the size, PAGE if it is not smaller; @out has room for ROOM. */
static u32 compress_page(const u8 *in, u8 *out)
{
	unsigned long n = ROOM;
	size_t size = ROOM;

	if (!strcmp(how, "zlib")) {
		compress2(out, &n, in, PAGE, 1);
	} else if (!strcmp(how, "rle")) {
		n = rle(in, out);
	} else if (!strcmp(how, "lzo")) {
		lzo1x_1_compress(in, PAGE, out, &n, lzo_work);
	} else if (!strcmp(how, "snappy")) {
		snappy_compress((const char *)in, PAGE, (char *)out, &size);
		n = size;
	} else if (!strcmp(how, "zstd")) {
		n = ZSTD_compress(out, ROOM, in, PAGE, 1);
	} else if (strcmp(how, "raw")) {
		fail(how);
	}
	if (n < PAGE)
		return n;
	memcpy(out, in, PAGE);
	return PAGE;
}

/* Output. */

static void put(FILE *f, const void *what, size_t n)
{
	if (fwrite(what, 1, n, f) != n)
		fail("cannot write");
}

static void put_byte(FILE *f, u8 n) { put(f, &n, 1); }
static void put_u32(FILE *f, u32 n) { put(f, &n, 4); }
static void put_u64(FILE *f, u64 n) { put(f, &n, 8); }
static void put_be32(FILE *f, u32 n) { put_u32(f, htobe32(n)); }
static void put_be64(FILE *f, u64 n) { put_u64(f, htobe64(n)); }

static void put_zero(FILE *f, size_t n)
{
	while (n--)
		putc(0, f);
}

static void pad_to(FILE *f, u64 at)
{
	put_zero(f, at - ftell(f));
}

static void put_uts(FILE *f)
{
	static const char *const uts[] = { "Linux", "host", "6.12.0-test", "#1", "x86_64", "" };
	char field[65];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(uts); i++) {
		memset(field, 0, sizeof(field));
		snprintf(field, sizeof(field), "%s", uts[i]);
		put(f, field, sizeof(field));
	}
}

static FILE *create(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		fail(path);
	return f;
}

/* kdump-compressed. */

static u64 bitmap_blocks(void)
{
	return (max_pfn() + PAGE * 8 - 1) / (PAGE * 8);
}

static void put_bitmap(FILE *f)
{
	u64 pfn, n = bitmap_blocks() * PAGE * 8;
	u8 byte = 0;

	for (pfn = 0; pfn < n; pfn++) {
		if (page_at(pfn))
			byte |= 1 << pfn % 8;
		if (pfn % 8 == 7) {
			put_byte(f, byte);
			byte = 0;
		}
	}
}

static void put_kdump_headers(FILE *f, bool split, u64 start, u64 end)
{
	const char *info;
	u32 info_size;

	info = vmcoreinfo(&info_size);
	put(f, "KDUMP   ", 8);
	put_u32(f, 6);
	put_uts(f);
	pad_to(f, 408);
	put_u64(f, 1700000100);
	put_u64(f, 0);
	put_u32(f, 0);
	put_u32(f, PAGE);
	put_u32(f, 1);
	put_u32(f, bitmap_blocks() * 2);
	put_u32(f, max_pfn());
	pad_to(f, PAGE);
	put_u64(f, 0);
	put_u32(f, 31);
	put_u32(f, split);
	put_u64(f, 0);
	put_u64(f, 0);
	put_u64(f, info ? PAGE + 1024 : 0);
	put_u64(f, info_size);
	pad_to(f, PAGE + 80);
	put_u64(f, start);
	put_u64(f, end);
	put_u64(f, max_pfn());
	pad_to(f, PAGE + 1024);
	put(f, info, info_size);
	pad_to(f, 2 * PAGE);
}

/* As makedumpfile does, all pages of zeros are one. */
static void put_kdump(const char *path, bool split, u64 start, u64 end)
{
	static const struct {
		const char *name;
		u32 flag;
	} flags[] = { { "zlib", 1 }, { "lzo", 2 }, { "snappy", 4 }, { "zstd", 0x20 } };
	static u8 zero[PAGE], packed[ROOM];
	FILE *f = create(path);
	u64 pfn, pages = 0, at, zero_at;
	u32 size, flag = 0;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (!strcmp(how, flags[i].name))
			flag = flags[i].flag;
	put_kdump_headers(f, split, start, end);
	put_bitmap(f);
	put_bitmap(f);
	for (pfn = start; pfn < end; pfn++)
		pages += !!page_at(pfn);
	zero_at = ftell(f) + pages * 24;
	at = zero_at + PAGE;
	for (pfn = start; pfn < end; pfn++) {
		const u8 *page = page_at(pfn);

		if (!page)
			continue;
		size = memcmp(page, zero, PAGE) ? compress_page(page, packed) : 0;
		put_u64(f, size ? at : zero_at);
		put_u32(f, size ? size : PAGE);
		put_u32(f, size && size < PAGE ? flag : 0);
		put_u64(f, 0);
		at += size;
	}
	put(f, zero, PAGE);
	for (pfn = start; pfn < end; pfn++) {
		const u8 *page = page_at(pfn);

		if (page && memcmp(page, zero, PAGE))
			put(f, packed, compress_page(page, packed));
	}
	fclose(f);
}

static void kdump(char **path, int n)
{
	u64 pages = 0, start = 0, pfn = 0, seen;
	int i;

	for (pfn = 0; pfn < max_pfn(); pfn++)
		pages += !!page_at(pfn);
	for (i = 0, pfn = 0, seen = 0; i < n; i++, start = pfn) {
		while (pfn < max_pfn() && seen < pages * (i + 1) / n)
			seen += !!page_at(pfn++);
		put_kdump(path[i], n > 1, start, i == n - 1 ? max_pfn() : pfn);
	}
}

/* LKCD. */

/* The last page first: a reader must not count on an order. */
static void lkcd(const char *path, u32 version)
{
	u32 buffer = version < 9 ? 65536 : 262144, size;
	u8 packed[ROOM];
	FILE *f = create(path);
	u64 pfn;

	put_u64(f, 0xa8190173618f23edull);
	put_u32(f, version);
	put_u32(f, 742);
	put_u32(f, 8);
	put_u32(f, PAGE);
	pad_to(f, 48);
	put_u32(f, max_pfn());
	pad_to(f, 308);
	put_u64(f, 1700000100);
	put_u64(f, 0);
	put_uts(f);
	put_u64(f, 0);
	put_u32(f, !strcmp(how, "zlib") ? 2 : !strcmp(how, "rle") ? 1 : 0);
	put_u32(f, 0);
	put_u32(f, 0);
	if (version >= 9)
		put_u64(f, buffer);
	pad_to(f, buffer);
	for (pfn = max_pfn(); pfn--;) {
		if (!page_at(pfn))
			continue;
		size = compress_page(page_at(pfn), packed);
		put_u64(f, pfn * PAGE);
		put_u32(f, size);
		put_u32(f, size < PAGE ? 2 : 1);
		put(f, packed, size);
	}
	put_u64(f, 0);
	put_u32(f, 0);
	put_u32(f, 4);
	fclose(f);
}

static bool is_zero(u64 pfn)
{
	static const u8 zero[PAGE];

	return page_at(pfn) && !memcmp(page_at(pfn), zero, PAGE);
}

static bool is_kept(u64 pfn)
{
	return page_at(pfn) && !is_zero(pfn);
}

/* ELF, with a segment for each page that is not zero and those behind it that are. */
static void elf(const char *path)
{
	struct elf64_hdr h = *(const struct elf64_hdr *)input;
	struct elf64_phdr p = *header(0);
	FILE *f = create(path);
	u64 pfn, at;

	for (pfn = 0, h.e_phnum = 1; pfn < max_pfn(); pfn++)
		h.e_phnum += is_kept(pfn);
	h.e_phoff = sizeof(h);
	put(f, &h, sizeof(h));
	p.p_offset = sizeof(h) + h.e_phnum * sizeof(p);
	at = p.p_offset + p.p_filesz;
	put(f, &p, sizeof(p));
	for (pfn = 0; pfn < max_pfn(); pfn++) {
		if (!is_kept(pfn))
			continue;
		p = (struct elf64_phdr){
			.p_type = PT_LOAD, .p_offset = at, .p_paddr = pfn * PAGE,
			.p_filesz = PAGE, .p_memsz = PAGE,
		};
		while (is_zero(pfn + p.p_memsz / PAGE))
			p.p_memsz += PAGE;
		put(f, &p, sizeof(p));
		at += PAGE;
	}
	put(f, input + header(0)->p_offset, header(0)->p_filesz);
	for (pfn = 0; pfn < max_pfn(); pfn++)
		if (is_kept(pfn))
			put(f, page_at(pfn), PAGE);
	fclose(f);
}

/* Flattened. */

static void put_piece(FILE *f, u64 at, u64 size, const void *what)
{
	put_be64(f, at);
	put_be64(f, size);
	put(f, what, size);
}

/* From the end to the begin, each piece first with what a later one corrects. */
static void flat(const char *path)
{
	static const u8 wrong[30000];
	FILE *f = create(path);
	u64 at = input_size, size = 1;

	put(f, "makedumpfile\0\0\0", 16);
	put_be64(f, 1);
	put_be64(f, 1);
	pad_to(f, PAGE);
	for (; at; at -= size) {
		size = size * 7 % 20011;
		if (size > at)
			size = at;
		put_piece(f, at - size, size / 2, wrong);
		put_piece(f, at - size, size, input + at - size);
	}
	put_piece(f, 0, 100, wrong);
	put_piece(f, 50, 100, input + 50);
	put_piece(f, 0, 60, input);
	put_be64(f, ~0ull);
	put_be64(f, ~0ull);
	fclose(f);
}

/* Memory in one piece. */

static u64 low;

static u64 in_one_piece(u64 pa)
{
	return pa < HOLE_END ? pa : pa - HOLE_END + low;
}

static void raw(const char *path)
{
	FILE *f = create(path);
	u64 pfn;

	for (pfn = 0; pfn < max_pfn(); pfn++) {
		if (!page_at(pfn))
			continue;
		fseeko(f, in_one_piece(pfn * PAGE), SEEK_SET);
		put(f, page_at(pfn), PAGE);
	}
	fclose(f);
}

static void put_name(FILE *f, const char *name)
{
	put_byte(f, strlen(name));
	put(f, name, strlen(name));
}

/* All pages; the first time only some, with other bytes, also where zeros come later. */
static void put_pages(FILE *f, bool first)
{
	bool zero;
	u64 pfn;
	u32 i;

	put_be64(f, 0x02);
	put_name(f, "vga.vram");
	put_byte(f, 0);
	put_be64(f, 0x08);
	put_name(f, "pc.ram");
	put_zero(f, PAGE);
	for (pfn = 1; pfn < max_pfn(); pfn++) {
		const u8 *page = page_at(pfn);
		u64 at = in_one_piece(pfn * PAGE);

		if (!page)
			continue;
		for (i = 0, zero = !first; i < PAGE && zero; i++)
			zero = !page[i];
		if (first && pfn % 16)
			continue;
		put_be64(f, at | 0x20 | (zero ? 0x02 : 0x08));
		if (zero)
			put_byte(f, 0);
		for (i = 0; !zero && i < PAGE; i++)
			put_byte(f, first ? 0xa5 : page[i]);
	}
	put_be64(f, 0x10);
}

static void put_section(FILE *f, u8 type)
{
	if (type != 1) {
		put_byte(f, 0x7e);
		put_be32(f, 2);
	}
	put_byte(f, type);
	put_be32(f, 2);
}

static void migration(const char *path, bool libvirt)
{
	FILE *f = create(path);
	static const char xml[] = "<domain type='kvm'/>";

	if (libvirt) {
		put(f, "LibvirtQemudSave", 16);
		put_u32(f, 2);
		put_u32(f, sizeof(xml));
		put_zero(f, 17 * 4);
		put(f, xml, sizeof(xml));
	}
	put(f, "QEVM", 4);
	put_be32(f, 3);
	put_byte(f, 7);
	put_be32(f, 13);
	put(f, "pc-i440fx-7.2", 13);
	put_section(f, 1);
	put_name(f, "ram");
	put_be32(f, 0);
	put_be32(f, 4);
	put_be64(f, (in_one_piece(max_pfn() * PAGE) + (16 << 20)) | 0x04);
	put_name(f, "pc.ram");
	put_be64(f, in_one_piece(max_pfn() * PAGE));
	put_name(f, "vga.vram");
	put_be64(f, 16 << 20);
	put_be64(f, 0x10);
	put_section(f, 2);
	put_pages(f, true);
	put_section(f, 3);
	put_pages(f, false);
	put_byte(f, 0x7e);
	put_be32(f, 2);
	put_byte(f, 4);
	put_zero(f, 1000);
	fclose(f);
}

int main(int argc, char **argv)
{
	const char *form = argc > 1 ? argv[1] : "";

	if (argc < 5)
		return 2;
	how = argv[2];
	low = strtoull(how, NULL, 10) << 20;
	read_input(argv[3]);
	if (!strcmp(form, "elf"))
		elf(argv[4]);
	else if (!strcmp(form, "kdump"))
		kdump(argv + 4, argc - 4);
	else if (!strncmp(form, "lkcd", 4))
		lkcd(argv[4], atoi(form + 4));
	else if (!strcmp(form, "flat"))
		flat(argv[4]);
	else if (!strcmp(form, "raw"))
		raw(argv[4]);
	else if (!strcmp(form, "migration") || !strcmp(form, "libvirt"))
		migration(argv[4], !strcmp(form, "libvirt"));
	else
		return 2;
	return 0;
}
