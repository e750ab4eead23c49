// SPDX-License-Identifier: GPL-2.0
/*
 * Loading it allocates and frees memory in every way, `times` times, with sizes that
 * nobody else asks for: (1 << ORDER) pages, KMALLOC + i bytes, and VMALLOC pages.
 */
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#define ORDER	5
#define KMALLOC	3001
#define VMALLOC	13

static int times = 100;
module_param(times, int, 0400);

static int __init memory_init(void)
{
	struct page *page;
	int i;

	for (i = 0; i < times; i++) {
		page = alloc_pages(GFP_KERNEL, ORDER);
		if (page)
			__free_pages(page, ORDER);
		kfree(kmalloc(KMALLOC + i, GFP_KERNEL));
		vfree(vmalloc(VMALLOC * PAGE_SIZE));
	}
	return 0;
}

static void __exit memory_exit(void)
{
}

module_init(memory_init);
module_exit(memory_exit);
MODULE_DESCRIPTION("Known allocations");
MODULE_LICENSE("GPL");
