// SPDX-License-Identifier: GPL-2.0
/*
 * Loading it writes random bytes over a part of the memory that is reserved as `name`:
 * `bytes` of them, `from` behind its start.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>

static char *name = "";
module_param(name, charp, 0400);
static unsigned long from;
module_param(from, ulong, 0400);
static unsigned long bytes;
module_param(bytes, ulong, 0400);

static int __init junk_init(void)
{
	phys_addr_t start, size;

	if (!reserve_mem_find_by_name(name, &start, &size))
		return -ENOENT;
	if (from > size || bytes > size - from)
		return -EINVAL;
	get_random_bytes(__va(start + from), bytes);
	return 0;
}

static void __exit junk_exit(void)
{
}

module_init(junk_init);
module_exit(junk_exit);
MODULE_DESCRIPTION("Junk in reserved memory");
MODULE_LICENSE("GPL");
