// SPDX-License-Identifier: GPL-2.0
/*
 * mkdump: a synthetic crash dump with known records in it, as the kernel would
 * leave them, in the form of /proc/vmcore or of QEMU's dump-guest-memory.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/elf.h>

#include "mkdump.h"

/* Memory has a hole below 1 MiB, and its upper half at 4 GiB. */
#define LOW_END		0x9f000ull
#define MID_START	0x100000ull

/* That is so that addresses need more than 32 bits, unless -H says otherwise. */
static u64 high_start = 0x100000000;

static u8 *memory;
static u64 half;
static u64 low_next, high_next;
static FILE *map_file;

struct region {
	const char *name;
	u64 pa;
	u64 size;
};

static struct region region[4096];
static unsigned int regions;

void *at(u64 pa)
{
	return memory + (pa >= high_start ? pa - high_start + half : pa);
}

static bool high;

u64 take_behind(const char *name, u64 size, u64 align)
{
	u64 *from, pa;

	from = high ? &high_next : &low_next;
	pa = (*from + align - 1) & ~(align - 1);
	*from = pa + size;
	if (high_next > high_start + half || low_next > half ||
	    regions == ARRAY_SIZE(region)) {
		fprintf(stderr, "mkdump: -m is too small\n");
		exit(2);
	}
	memset(at(pa), 0, size);
	region[regions++] = (struct region){ name, pa, size };
	return pa;
}

/* Take memory from below and above 4 GiB in turn. */
u64 take(const char *name, u64 size, u64 align)
{
	high = !high;
	return take_behind(name, size, align);
}

/* So that what is not LKST's is not zero. */
static void fill_noise(u64 size)
{
	u64 x = 88172645463325252ull, i;

	for (i = 0; i < size / 8; i += 3) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		((u64 *)memory)[i] = x;
	}
}

/* ELF. */

struct note {
	const char *name;
	u32 type;
	const void *desc;
	u32 size;
};

static size_t put_note(u8 *to, const char *name, u32 type, const void *desc,
		       u32 size)
{
	struct elf64_note n = { strlen(name) + 1, size, type };
	size_t name_room = (n.n_namesz + 3) & ~3u;

	memcpy(to, &n, sizeof(n));
	memcpy(to + sizeof(n), name, n.n_namesz);
	memcpy(to + sizeof(n) + name_room, desc, size);
	return sizeof(n) + name_room + ((size + 3) & ~3u);
}

static int make_info(char *to, size_t room, const struct options *o, u64 desc_pa)
{
	return snprintf(to, room,
			"OSRELEASE=%s\nPAGESIZE=4096\nSYMBOL(_stext)=ffffffff81000000\n%sNUMBER(lkst_descriptor_pa)=0x%llx\nCRASHTIME=1700000100\n",
			RELEASE, o->symbols, desc_pa);
}

/* Of another kernel, as text; then this one's, as note. */
static void make_info_in_memory(const struct options *o, u64 desc_pa)
{
	struct elf64_note n = { .n_namesz = 11 };
	char *text = at(take("vmcoreinfo", 4096, 4096));
	u8 *note = at(take("vmcoreinfo-note", 4096, 4096));

	make_info(text, 4096, o, desc_pa + 4096);
	n.n_descsz = make_info((char *)note + sizeof(n) + 12, 4096 - sizeof(n) - 12, o,
			       desc_pa);
	memcpy(note, &n, sizeof(n));
	memcpy(note + sizeof(n), "VMCOREINFO", n.n_namesz);
}

static size_t make_notes(u8 *to, const struct options *o, u64 desc_pa)
{
	static u8 regs[336];
	char info[3072];
	size_t n = 0;
	int len = make_info(info, sizeof(info), o, desc_pa);

	n += put_note(to + n, "CORE", 1, regs, sizeof(regs));
	n += put_note(to + n, "CORE", 1, regs, sizeof(regs));
	if (!o->no_note)
		n += put_note(to + n, "VMCOREINFO", 0, info, len);
	if (o->qemu)
		n += put_note(to + n, "QEMU", 0, regs, 64);
	return n;
}

struct load {
	u64 pa;
	u64 size;
	u64 file;
};

static void add_load(struct load *l, int *nr, u64 pa, u64 size, u64 *file)
{
	l[(*nr)++] = (struct load){ pa, size, *file };
	*file += size;
}

static u64 file_offset(const struct load *l, int nr, u64 pa)
{
	int i;

	for (i = 0; i < nr; i++)
		if (pa >= l[i].pa && pa < l[i].pa + l[i].size)
			return l[i].file + pa - l[i].pa;
	return 0;
}

static void write_map(const struct load *l, int nr)
{
	unsigned int i;

	for (i = 0; map_file && i < regions; i++)
		fprintf(map_file, "%s %llu %llu\n", region[i].name,
			file_offset(l, nr, region[i].pa), region[i].size);
}

static void write_elf(FILE *f, const struct options *o, u64 desc_pa)
{
	static u8 page[8192];
	struct load load[8];
	struct elf64_hdr h = {
		.e_ident = "\177ELF\2\1\1", .e_type = ET_CORE,
		.e_machine = EM_X86_64, .e_version = 1, .e_phoff = sizeof(h),
		.e_ehsize = sizeof(h), .e_phentsize = sizeof(struct elf64_phdr),
	};
	struct elf64_phdr p = { .p_type = PT_NOTE, .p_offset = 4096 };
	u64 file = 8192;
	int nr = 0, i;

	/* Like /proc/vmcore: the kernel's text first, again in RAM below. */
	if (!o->qemu)
		add_load(load, &nr, MID_START + 0x1000, 0x1000, &file);
	else
		add_load(load, &nr, high_start, half, &file);
	add_load(load, &nr, 0x1000, LOW_END - 0x1000, &file);
	add_load(load, &nr, MID_START, half / 2 - MID_START, &file);
	add_load(load, &nr, half / 2, half - half / 2, &file);
	if (!o->qemu)
		add_load(load, &nr, high_start, half, &file);
	h.e_phnum = nr + 1;
	p.p_filesz = make_notes(page + 4096, o, desc_pa);
	memcpy(page, &h, sizeof(h));
	memcpy(page + sizeof(h), &p, sizeof(p));
	for (i = 0; i < nr; i++) {
		p = (struct elf64_phdr){
			.p_type = PT_LOAD, .p_offset = load[i].file,
			.p_paddr = load[i].pa, .p_filesz = load[i].size,
			.p_memsz = load[i].size,
			.p_vaddr = o->qemu ? 0 : 0xffff888000000000ull + load[i].pa,
		};
		memcpy(page + sizeof(h) + (i + 1) * sizeof(p), &p, sizeof(p));
	}
	fwrite(page, sizeof(page), 1, f);
	for (i = 0; i < nr; i++)
		fwrite(at(load[i].pa), load[i].size, 1, f);
	write_map(load, nr);
}

/* The case to make. */

int main(int argc, char **argv)
{
	struct options o = { .mib = 8, .boots = 1, .hz = 1000000000 };
	u64 desc_pa;
	FILE *f;
	int c;

	while ((c = getopt(argc, argv, "m:H:qnuvlM:x:b:r:d:z:")) >= 0) {
		if (c == 'm')
			o.mib = atoi(optarg);
		else if (c == 'H')
			high_start = (u64)atoi(optarg) << 20;
		else if (c == 'q')
			o.qemu = true;
		else if (c == 'n')
			o.no_note = true;
		else if (c == 'v')
			o.info_in_memory = true;
		else if (c == 'l')
			o.log = true;
		else if (c == 'u')
			o.no_percpu = true;
		else if (c == 'M')
			map_file = fopen(optarg, "w");
		else if (c == 'x')
			o.expect = fopen(optarg, "w");
		else if (c == 'b')
			o.boots = atoi(optarg);
		else if (c == 'r')
			o.records = atoll(optarg);
		else if (c == 'd')
			o.damage = optarg;
		else if (c == 'z')
			o.hz = atoll(optarg);
		else
			return 2;
	}
	if (argc - optind != 2)
		return 2;
	half = (u64)o.mib << 19;
	o.high_start = high_start;
	memory = calloc(half, 2);
	if (o.mib > 64)
		fill_noise(half * 2);
	low_next = MID_START + 0x3000;
	high_next = high_start + 0x5000;
	desc_pa = make_case(argv[optind], &o);
	if (o.log)
		make_log(&o);
	if (o.info_in_memory)
		make_info_in_memory(&o, desc_pa);
	f = fopen(argv[optind + 1], "w");
	if (!f || !desc_pa)
		return 2;
	write_elf(f, &o, desc_pa);
	if (fclose(f) || (map_file && fclose(map_file)) ||
	    (o.expect && fclose(o.expect)))
		return 2;
	free(memory);
	return 0;
}
