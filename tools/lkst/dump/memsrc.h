/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The physical memory in a dump. One struct memsrc_ops for each kind of dump:
 * what reads the trace sees physical addresses only.
 */
#ifndef LKST_MEMSRC_H
#define LKST_MEMSRC_H

#include "util.h"

struct image;
struct memsrc;

/**
 * struct memsrc_ops - one kind of dump
 * @read: read up to @n bytes at physical address @pa; return how many are
 *	there, short at the first that is not
 * @next_range: the first range of present memory that ends above @pa; false
 *	if there is none
 * @why: why a page that cannot be read is not there, or NULL if nothing is known
 * @vmcoreinfo: what follows "KEY=" in vmcoreinfo, where that is there but not as one
 *	text; or NULL
 * @close: free it
 */
struct memsrc_ops {
	size_t (*read)(struct memsrc *m, u64 pa, void *buf, size_t n);
	bool (*next_range)(struct memsrc *m, u64 pa, u64 *start, u64 *end);
	const char *(*why)(struct memsrc *m, u64 pa);
	const char *(*vmcoreinfo)(const struct memsrc *m, const char *key);
	void (*close)(struct memsrc *m);
};

/**
 * struct memsrc - an open dump
 * @ops: its kind
 * @vmcoreinfo: text of the vmcoreinfo note, or NULL
 * @present: bytes of memory that it holds
 * @index: bytes that we keep to find them, if those can be many
 */
struct memsrc {
	const struct memsrc_ops *ops;
	char *vmcoreinfo;
	u64 present;
	size_t index;
};

/*
 * In forms.c: open a dump of any kind that is known, or one that has other parts; says
 * what is wrong and returns NULL otherwise. crash/lkst.c has one of its own.
 */
struct memsrc *memsrc_open(const char *path, const char *const *part, size_t parts);

/* What follows "KEY=" on a line of vmcoreinfo, or NULL; the line ends somewhere. */
const char *memsrc_vmcoreinfo(const struct memsrc *m, const char *key);

/*
 * For a back end whose pages, of @size bytes, lie apart: read as memsrc_ops.read()
 * does, where @load gives the page of a number, valid until the next, or NULL.
 */
size_t memsrc_read_pages(struct memsrc *m, size_t size,
			 const u8 *(*load)(struct memsrc *m, u64 pfn), u64 pa, void *buf,
			 size_t n);

/* What a dump of kdump begins with. */
#define DISKDUMP_SIGNATURE	"KDUMP   "
/* What a guest that QEMU, or libvirt, saved begins with. */
#define MIGRATION_SIGNATURE	"QEVM"
#define LIBVIRT_SIGNATURE	"LibvirtQemudSave"

/* The back ends; the files are theirs from then on. */
struct memsrc *elf_open(struct image *im);
struct memsrc *diskdump_open(struct image **im, size_t nr);
struct memsrc *lkcd_open(struct image *im);
struct memsrc *migration_open(struct image *im);
struct memsrc *raw_open(struct image *im);

/*
 * @size bytes of a guest's memory in one piece, of which a PC has the upper part
 * above the hole below 4 GiB: the same with that part where the guest has it.
 */
struct memsrc *hole_open(struct memsrc *flat, u64 size);

static inline size_t memsrc_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return m->ops->read(m, pa, buf, n);
}

/* Read all of it or nothing. */
static inline bool memsrc_read_all(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return m->ops->read(m, pa, buf, n) == n;
}

static inline bool memsrc_next_range(struct memsrc *m, u64 pa, u64 *start,
				     u64 *end)
{
	return m->ops->next_range(m, pa, start, end);
}

/* What to say of a page that cannot be read: "is ...". */
static inline const char *memsrc_why(struct memsrc *m, u64 pa)
{
	const char *why = m->ops->why ? m->ops->why(m, pa) : NULL;

	return why ? why : "is not in the dump";
}

static inline void memsrc_close(struct memsrc *m)
{
	m->ops->close(m);
}

#endif /* LKST_MEMSRC_H */
