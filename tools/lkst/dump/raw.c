// SPDX-License-Identifier: GPL-2.0
/*
 * Images of memory as it is, from address 0 on: what QEMU's pmemsave writes, or keeps
 * in a file that backs a guest's memory. Holes in the file hold nothing.
 */
#include <stdlib.h>

#include "image.h"
#include "memsrc.h"

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
	return image_data(to_raw(m)->im, pa, start, end);
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
