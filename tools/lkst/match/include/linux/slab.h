/* SPDX-License-Identifier: GPL-2.0 */
/* Memory is there until the including program lets it run out. */
#ifndef _MATCH_LINUX_SLAB_H
#define _MATCH_LINUX_SLAB_H

#include <stdlib.h>
#include <linux/kernel.h>

#define GFP_KERNEL	0u

void *match_alloc(size_t size);

#define kzalloc(size, gfp)	match_alloc(size)
#define kvzalloc(size, gfp)	match_alloc(size)
#define kfree(p)		free(p)
#define kvfree(p)		free(p)

#endif /* _MATCH_LINUX_SLAB_H */
