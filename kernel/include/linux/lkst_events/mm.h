/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group mm; see linux/lkst_events.h. */

LKST_EVENT(mm, page_alloc, LKST_ANA,
	   "Pages are allocated",
	   LKST_PROTO(const struct page *page, unsigned int order, gfp_t gfp),
	   LKST_ARGS(page, order, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page, all ones if none",
			 page ? page_to_pfn(page) : ~0ull)
		LKST_INT(u32, order, "", "log2 of the pages", order)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, page_free, LKST_ANA,
	   "Pages are freed",
	   LKST_PROTO(const struct page *page, unsigned int order),
	   LKST_ARGS(page, order),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page", page_to_pfn(page))
		LKST_INT(u64, order, "", "log2 of the pages", order)))

LKST_EVENT(mm, kmalloc, LKST_ANA,
	   "Memory is allocated by size",
	   LKST_PROTO(unsigned long site, const void *ptr, size_t asked,
		      size_t given, gfp_t gfp),
	   LKST_ARGS(site, ptr, asked, given, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)
		LKST_INT(u64, asked, "bytes", "size asked for", asked)
		LKST_INT(u64, given, "bytes", "size given", given)
		LKST_INT(u64, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, kfree, LKST_ANA,
	   "Memory that was allocated by size is freed",
	   LKST_PROTO(unsigned long site, const void *ptr), LKST_ARGS(site, ptr),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)))

LKST_EVENT(mm, cache_alloc, LKST_ANA,
	   "An object is allocated from a slab cache",
	   LKST_PROTO(unsigned long site, const void *ptr, size_t size, gfp_t gfp),
	   LKST_ARGS(site, ptr, size, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)
		LKST_INT(u32, size, "bytes", "its size", size)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, cache_free, LKST_ANA,
	   "An object of a slab cache is freed",
	   LKST_PROTO(unsigned long site, const void *ptr), LKST_ARGS(site, ptr),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)))
