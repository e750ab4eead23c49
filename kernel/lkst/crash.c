// SPDX-License-Identifier: GPL-2.0
/*
 * What a crash dump reader finds: the descriptor, and the directory behind it.
 *
 * Nothing here runs when the machine crashes. At any instant memory is such that
 * a reader finds a directory entry whole, or not at all.
 */
#include <linux/buildid.h>
#include <linux/crc32.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/utsname.h>
#include <linux/vmcore_info.h>

#include "lkst.h"

static_assert(sizeof(struct lkst_packet) == 88);
static_assert(sizeof(struct lkst_descriptor) <= PAGE_SIZE);
static_assert(sizeof(struct lkst_directory) <= PAGE_SIZE);
static_assert(sizeof(struct lkst_ring) <= PAGE_SIZE);
static_assert(sizeof(struct lkst_buffer_info) <= PAGE_SIZE);
static_assert(sizeof(struct lkst_state) <= PAGE_SIZE);

/* In a page of its own, which does not change after start. */
static union {
	struct lkst_descriptor d;
	u8 page[PAGE_SIZE];
} lkst_descriptor __aligned(PAGE_SIZE);

struct lkst_state *lkst_state;

static struct lkst_directory *directory;	/* lkst_lock */

static struct lkst_directory *directory_page(void)
{
	struct lkst_directory *page = (void *)get_zeroed_page(GFP_KERNEL | __GFP_NOWARN);

	if (page) {
		page->magic = LKST_DIRECTORY_MAGIC;
		page->pa = __pa(page);
	}
	return page;
}

/**
 * lkst_dir_add() - Lead dump readers to something
 * @type: LKST_DIR_*
 * @cpu: the CPU that it belongs to, or 0
 * @index: orders the parts of what does not lie in one piece
 * @pa: its physical address
 * @size: its bytes
 *
 * Context: process; lkst_lock held, or before there is more than one task.
 * Return: the entry, or NULL when there is no memory.
 */
struct lkst_dirent *lkst_dir_add(u32 type, u32 cpu, u64 index, u64 pa, u64 size)
{
	struct lkst_directory *page = directory;
	struct lkst_dirent *entry;
	unsigned int i = 0;

	while (page->entry[i].valid) {
		if (++i < LKST_DIRECTORY_ENTRIES)
			continue;
		if (!page->next) {
			struct lkst_directory *next = directory_page();

			if (!next)
				return NULL;
			/* No partner runs: a dump sees what was stored first. */
			smp_store_release(&page->next, next->pa);
		}
		page = __va(page->next);
		i = 0;
	}
	entry = &page->entry[i];
	entry->cpu = cpu;
	entry->index = index;
	entry->pa = pa;
	entry->size = size;
	/* As above. */
	smp_store_release(&entry->valid, type);
	return entry;
}

/**
 * lkst_dir_remove() - Take an entry back
 * @entry: from lkst_dir_add(), or NULL
 *
 * What it led to may be freed afterwards. Context: process, lkst_lock held.
 */
void lkst_dir_remove(struct lkst_dirent *entry)
{
	if (!entry)
		return;
	WRITE_ONCE(entry->valid, LKST_DIR_FREE);
	smp_wmb();	/* before its memory is used for something else */
}

void lkst_vmcoreinfo_setup(void)
{
#ifdef CONFIG_VMCORE_INFO
	vmcoreinfo_append_str("NUMBER(lkst_descriptor_pa)=0x%llx\n",
			      (u64)__pa_symbol(&lkst_descriptor));
#endif
}

int __init lkst_crash_init_early(void)
{
	lkst_state = (void *)get_zeroed_page(GFP_KERNEL);
	directory = directory_page();
	return lkst_state && directory ? 0 : -ENOMEM;
}

/**
 * lkst_build_id() - Copy the kernel's build id
 * @id: zeroed, room for that of &struct lkst_descriptor; stays as it is where the
 *	kernel has none
 */
void __init lkst_build_id(u8 *id)
{
#if IS_ENABLED(CONFIG_STACKTRACE_BUILD_ID) || IS_ENABLED(CONFIG_VMCORE_INFO)
	static_assert(sizeof_field(struct lkst_descriptor, build_id) >= BUILD_ID_SIZE_MAX);
	memcpy(id, vmlinux_build_id, BUILD_ID_SIZE_MAX);
#endif
}

/* The descriptor, once wall time is known; its magic comes last. */
void __init lkst_crash_init(void)
{
	struct lkst_descriptor *d = &lkst_descriptor.d;
	u64 clock, wall_ns;

	lkst_clock_pair(&clock, &wall_ns);
	d->version = LKST_LAYOUT_VERSION;
	d->size = sizeof(*d);
	d->pa = __pa_symbol(&lkst_descriptor);
	memcpy(d->boot_id, lkst_boot_id, sizeof(d->boot_id));
	d->wall_ns = wall_ns;
	d->page_size = PAGE_SIZE;
	d->nr_cpus = nr_cpu_ids;
	lkst_build_id(d->build_id);
	strscpy_pad((char *)d->release, init_utsname()->release, sizeof(d->release));
	d->directory = __pa(directory);
	d->state = __pa(lkst_state);
	memcpy(d->magic, LKST_DESCRIPTOR_MAGIC, LKST_MAGIC_SIZE);
	d->crc = crc32_le(~0, (u8 *)d, offsetof(struct lkst_descriptor, crc)) ^ ~0;
	memset(d->magic, 0, LKST_MAGIC_SIZE);
	smp_wmb();	/* a dump taken now has no magic, or all of it */
	memcpy(d->magic, LKST_DESCRIPTOR_MAGIC, LKST_MAGIC_SIZE);
}
