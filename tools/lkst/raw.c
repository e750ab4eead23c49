// SPDX-License-Identifier: GPL-2.0
/*
 * Images of memory as it is, from address 0 on: what QEMU's pmemsave writes, or keeps
 * in a file that backs a guest's memory. Holes in the file hold nothing.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "image.h"
#include "memsrc.h"

#define RAW_PAGE	4096u

struct raw {
	struct memsrc m;
	struct image *im;
};

static struct raw *to_raw(struct memsrc *m)
{
	return (struct raw *)((char *)m - offsetof(struct raw, m));
}

static size_t raw_read(struct memsrc *m, u64 pa, void *buf, size_t n)
{
	return image_read(to_raw(m)->im, buf, n, pa);
}

static bool raw_next_range(struct memsrc *m, u64 pa, u64 *start, u64 *end)
{
	struct image *im = to_raw(m)->im;
	off_t data, hole;

	if (pa >= im->size)
		return false;
	*start = pa;
	*end = im->size;
	if (im->flat)
		return true;
	data = lseek(im->fd, pa, SEEK_DATA);
	hole = data < 0 ? -1 : lseek(im->fd, data, SEEK_HOLE);
	if (hole < 0)
		return !data;
	*start = data;
	*end = hole;
	return true;
}

static void raw_close(struct memsrc *m)
{
	image_close(to_raw(m)->im);
	free(m->vmcoreinfo);
	free(to_raw(m));
}

static const struct memsrc_ops raw_ops = {
	.read = raw_read,
	.next_range = raw_next_range,
	.close = raw_close,
};

struct memsrc *raw_open(struct image *im)
{
	struct raw *r = xcalloc(1, sizeof(*r));

	r->m.ops = &raw_ops;
	r->m.present = im->size;
	r->im = im;
	return hole_open(&r->m, im->size);
}
