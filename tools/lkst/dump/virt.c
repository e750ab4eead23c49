// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "symbols.h"
#include "virt.h"

#define PAGE_SHIFT	12
#define LEVEL_SHIFT	9
#define ENTRY_PRESENT	0x01u
#define ENTRY_LARGE	0x80u
#define ENTRY_ADDRESS	0x000ffffffffff000ull

bool virt_init(struct virt *v, struct memsrc *mem)
{
	const char *base = memsrc_vmcoreinfo(mem, "NUMBER(phys_base)");
	const char *root = memsrc_vmcoreinfo(mem, "SYMBOL(init_top_pgt)");
	const char *five = memsrc_vmcoreinfo(mem, "NUMBER(pgtable_l5_enabled)");
	const char *encrypted = memsrc_vmcoreinfo(mem, "NUMBER(sme_mask)");

	if (!base || !root)
		return false;
	v->mem = mem;
	v->phys_base = strtoll(base, NULL, 10);
	v->root = strtoull(root, NULL, 16) - KERNEL_MAP + v->phys_base;
	v->levels = five && *five == '1' ? 5 : 4;
	v->encrypted = encrypted ? strtoull(encrypted, NULL, 0) : 0;
	return true;
}

/* Where an address is, and how many bytes from there on lie together; 0 if nowhere. */
static u64 translate(const struct virt *v, u64 va, u64 *pa)
{
	u64 table = v->root, entry, size;
	int level, shift;

	if (in_kernel_map(va)) {
		*pa = va - KERNEL_MAP + v->phys_base;
		return KERNEL_MAP_SIZE - (va - KERNEL_MAP);
	}
	for (level = v->levels - 1; level >= 0; level--) {
		shift = PAGE_SHIFT + LEVEL_SHIFT * level;
		if (!memsrc_read_all(v->mem, table + (va >> shift & 511) * sizeof(entry),
				     &entry, sizeof(entry)) || !(entry & ENTRY_PRESENT))
			return 0;
		table = entry & ENTRY_ADDRESS & ~v->encrypted;
		size = BIT_ULL(shift);
		if (!level || (level < 3 && entry & ENTRY_LARGE)) {
			*pa = (table & ~(size - 1)) + (va & (size - 1));
			return size - (va & (size - 1));
		}
	}
	return 0;
}

bool virt_read(const struct virt *v, u64 va, void *buf, size_t n)
{
	size_t done = 0, part;
	u64 pa, together;

	while (done < n) {
		together = translate(v, va + done, &pa);
		part = min_t(u64, n - done, together);
		if (!part || !memsrc_read_all(v->mem, pa, (char *)buf + done, part))
			return false;
		done += part;
	}
	return true;
}
