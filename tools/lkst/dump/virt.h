/* SPDX-License-Identifier: GPL-2.0 */
/* Memory by the kernel's virtual addresses, as its page tables in the dump say. */
#ifndef LKST_VIRT_H
#define LKST_VIRT_H

#include "memsrc.h"

/**
 * struct virt - how to translate
 * @mem: the dump
 * @root: physical address of the kernel's page table
 * @levels: of tables: 4 or 5
 * @encrypted: a bit of entries that is no part of an address
 * @phys_base: what the kernel's own addresses are moved by
 */
struct virt {
	struct memsrc *mem;
	u64 root;
	int levels;
	u64 encrypted;
	u64 phys_base;
};

/* False if vmcoreinfo does not tell enough. */
bool virt_init(struct virt *v, struct memsrc *mem);

/* Read all of it or nothing. */
bool virt_read(const struct virt *v, u64 va, void *buf, size_t n);

#endif /* LKST_VIRT_H */
