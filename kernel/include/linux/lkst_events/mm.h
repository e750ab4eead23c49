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

LKST_EVENT_SITE(mm, kfree, LKST_ANA,
		"Memory that was allocated by size is freed",
		LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
		LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)))

LKST_EVENT_SITE(mm, cache_alloc, LKST_ANA,
		"An object is allocated from a slab cache",
		LKST_PROTO(const void *ptr, size_t size, gfp_t gfp),
		LKST_ARGS(ptr, size, gfp),
		LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)
		LKST_INT(u32, size, "bytes", "its size", size)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT_SITE(mm, cache_free, LKST_ANA,
		"An object of a slab cache is freed",
		LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
		LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)))

LKST_EVENT(mm, page_alloc_entry, LKST_ALL,
	   "Pages begin to be allocated",
	   LKST_PROTO(unsigned int order, gfp_t gfp), LKST_ARGS(order, gfp),
	   LKST_FIELDS(
		LKST_INT(u32, order, "", "log2 of the pages", order)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, page_alloc_exit, LKST_ALL,
	   "Pages were allocated, or not",
	   LKST_PROTO(const struct page *page), LKST_ARGS(page),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page, all ones if none",
			 page ? page_to_pfn(page) : ~0ull)))

LKST_EVENT(mm, page_free_entry, LKST_ALL,
	   "Pages begin to be freed",
	   LKST_PROTO(unsigned long pfn, unsigned int order), LKST_ARGS(pfn, order),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page", pfn)
		LKST_INT(u64, order, "", "log2 of the pages", order)))

LKST_EVENT(mm, page_free_exit, LKST_ALL,
	   "Pages were freed",
	   LKST_PROTO(unsigned long pfn), LKST_ARGS(pfn),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page", pfn)))

LKST_EVENT(mm, slab_alloc_entry, LKST_ALL,
	   "An object begins to be allocated, by size or from a cache",
	   LKST_PROTO(unsigned long site, size_t asked, gfp_t gfp),
	   LKST_ARGS(site, asked, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, asked, "bytes", "size asked for", asked)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, slab_alloc_exit, LKST_ALL,
	   "An object was allocated, or not",
	   LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
	   LKST_FIELDS(
		LKST_INT(u64, ptr, "hex", "the object, 0 if none", (unsigned long)ptr)))

LKST_EVENT(mm, slab_free_entry, LKST_ALL,
	   "An object begins to be freed, of a cache or not",
	   LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
	   LKST_FIELDS(
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)))

LKST_EVENT(mm, slab_free_exit, LKST_ALL,
	   "An object was freed",
	   LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
	   LKST_FIELDS(
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)))

LKST_EVENT(mm, vmalloc, LKST_ANA,
	   "Memory is allocated and mapped into the kernel",
	   LKST_PROTO(const void *site, const void *ptr, size_t size, gfp_t gfp),
	   LKST_ARGS(site, ptr, size, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", (unsigned long)site)
		LKST_INT(u64, ptr, "hex", "the memory, 0 if none", (unsigned long)ptr)
		LKST_INT(u64, size, "bytes", "its size", size)
		LKST_INT(u64, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT_SITE(mm, vfree, LKST_ANA,
		"Memory that was mapped into the kernel is freed",
		LKST_PROTO(const void *ptr), LKST_ARGS(ptr),
		LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)))

LKST_EVENT(mm, mmap_entry, LKST_ANA,
	   "A process begins to map memory or a file",
	   LKST_PROTO(unsigned long address, unsigned long length, unsigned long prot,
		      unsigned long flags),
	   LKST_ARGS(address, length, prot, flags),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "where it asks for it, 0 anywhere", address)
		LKST_INT(u64, length, "bytes", "length", length)
		LKST_INT(u32, prot, "hex", "1 read, 2 write, 4 execute", prot)
		LKST_INT(u32, flags, "hex", "MAP_* flags", flags)))

LKST_EVENT(mm, mmap_exit, LKST_ANA,
	   "Memory or a file was mapped, or not",
	   LKST_PROTO(unsigned long ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(u64, ret, "hex", "address, or -errno", ret)))

LKST_EVENT(mm, munmap_entry, LKST_ANA,
	   "A process begins to unmap a range of addresses",
	   LKST_PROTO(unsigned long address, size_t length), LKST_ARGS(address, length),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "its begin", address)
		LKST_INT(u64, length, "bytes", "its length", length)))

LKST_EVENT(mm, munmap_exit, LKST_ANA,
	   "A range of addresses was unmapped, or not",
	   LKST_PROTO(int ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(s64, ret, "", "0, or -errno", ret)))

LKST_EVENT(mm, brk_entry, LKST_ANA,
	   "A process begins to move the end of its data",
	   LKST_PROTO(unsigned long brk, unsigned long old), LKST_ARGS(brk, old),
	   LKST_FIELDS(
		LKST_INT(u64, brk, "hex", "where it asks for it, 0 only asks", brk)
		LKST_INT(u64, old, "hex", "where it is", old)))

LKST_EVENT(mm, brk_exit, LKST_ANA,
	   "The end of a process's data was moved, or not",
	   LKST_PROTO(unsigned long brk), LKST_ARGS(brk),
	   LKST_FIELDS(
		LKST_INT(u64, brk, "hex", "where it is now", brk)))

LKST_EVENT(mm, mprotect_entry, LKST_ANA,
	   "A process begins to change how a range of addresses may be accessed",
	   LKST_PROTO(unsigned long address, size_t length, unsigned long prot, int pkey),
	   LKST_ARGS(address, length, prot, pkey),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "its begin", address)
		LKST_INT(u64, length, "bytes", "its length, whole pages", length)
		LKST_INT(u32, prot, "hex", "1 read, 2 write, 4 execute", prot)
		LKST_INT(s32, pkey, "", "protection key, -1 none", pkey)))

LKST_EVENT(mm, mprotect_exit, LKST_ANA,
	   "How a range of addresses may be accessed was changed, or not",
	   LKST_PROTO(int ret), LKST_ARGS(ret),
	   LKST_FIELDS(
		LKST_INT(s64, ret, "", "0, or -errno", ret)))

LKST_EVENT(mm, reclaim_begin, LKST_DFL,
	   "A thread that wants memory has to reclaim it itself",
	   LKST_PROTO(unsigned int order, gfp_t gfp), LKST_ARGS(order, gfp),
	   LKST_FIELDS(
		LKST_INT(u32, order, "", "log2 of the pages that it wants", order)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, reclaim_end, LKST_DFL,
	   "A thread has reclaimed memory",
	   LKST_PROTO(unsigned long pages), LKST_ARGS(pages),
	   LKST_FIELDS(
		LKST_INT(u64, pages, "", "how many pages", pages)))

LKST_EVENT(mm, kswapd_wake, LKST_DFL,
	   "The thread kswapd begins to reclaim memory",
	   LKST_PROTO(int node, unsigned int order), LKST_ARGS(node, order),
	   LKST_FIELDS(
		LKST_INT(s32, node, "", "the node", node)
		LKST_INT(u32, order, "", "log2 of the pages that were wanted", order)))

LKST_EVENT(mm, kswapd_sleep, LKST_DFL,
	   "The thread kswapd goes to sleep",
	   LKST_PROTO(int node), LKST_ARGS(node),
	   LKST_FIELDS(
		LKST_INT(s64, node, "", "the node", node)))

LKST_EVENT(mm, compaction_begin, LKST_DFL,
	   "A zone begins to be compacted",
	   LKST_PROTO(unsigned long start, unsigned long end, int order, bool sync),
	   LKST_ARGS(start, end, order, sync),
	   LKST_FIELDS(
		LKST_INT(u64, start, "", "its first page", start)
		LKST_INT(u64, end, "", "the page behind its last", end)
		LKST_INT(s32, order, "",
			 "log2 of the pages that are wanted, -1 as much as can be had", order)
		LKST_INT(u32, sync, "", "1 if it waits for pages", sync)))

LKST_EVENT(mm, compaction_end, LKST_DFL,
	   "A zone was compacted",
	   LKST_PROTO(unsigned long scanned, unsigned int result),
	   LKST_ARGS(scanned, result),
	   LKST_FIELDS(
		LKST_INT(u64, scanned, "", "pages that were looked at", scanned)
		LKST_INT(u64, result, "",
			 "3 not worth it, 5 all scanned, 6 a part scanned, 7 contended, 8 success",
			 result)))

LKST_EVENT(mm, oom_kill, LKST_DFL,
	   "A process is killed, as memory has run out",
	   LKST_PROTO(const struct task_struct *victim, struct mm_struct *mm),
	   LKST_ARGS(victim, mm),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "a thread of it", victim->pid)
		LKST_INT(s32, tgid, "", "the process", victim->tgid)
		LKST_INT(u64, total, "", "pages that it has mapped", mm->total_vm)
		LKST_INT(u64, rss, "", "pages that it has in memory", get_mm_rss(mm))
		LKST_INT(s64, adj, "", "its oom_score_adj", victim->signal->oom_score_adj)
		LKST_NAME(comm, "the thread's name", victim->comm)))

LKST_EVENT(mm, swap_out, LKST_DFL,
	   "Pages of a process begin to be put into swap",
	   LKST_PROTO(const struct folio *folio), LKST_ARGS(folio),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page",
			 page_to_pfn(&folio->page))
		LKST_INT(u64, swap, "hex", "where: number of the device << 58 | place there",
			 lkst_folio_swap(folio))
		LKST_INT(u64, pages, "", "how many", folio_nr_pages(folio))))

LKST_EVENT(mm, swap_in, LKST_DFL,
	   "Pages of a process begin to be read from swap",
	   LKST_PROTO(const struct folio *folio), LKST_ARGS(folio),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page",
			 page_to_pfn(&folio->page))
		LKST_INT(u64, swap, "hex", "as in mm/swap_out", lkst_folio_swap(folio))
		LKST_INT(u64, pages, "", "how many", folio_nr_pages(folio))))

LKST_EVENT(mm, page_cache_add, LKST_ANA,
	   "Pages of a file are put into the page cache",
	   LKST_PROTO(const struct address_space *mapping, const struct folio *folio),
	   LKST_ARGS(mapping, folio),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page",
			 page_to_pfn(&folio->page))
		LKST_INT(u64, ino, "", "inode number of the file", mapping->host->i_ino)
		LKST_INT(u64, index, "", "which page of the file", folio->index)
		LKST_INT(u32, dev, "hex", "its device: major << 20 | minor",
			 lkst_mapping_dev(mapping))
		LKST_INT(u32, order, "", "log2 of the pages", folio_order(folio))))

LKST_EVENT(mm, page_cache_remove, LKST_ANA,
	   "Pages of a file are taken out of the page cache",
	   LKST_PROTO(const struct address_space *mapping, const struct folio *folio),
	   LKST_ARGS(mapping, folio),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page",
			 page_to_pfn(&folio->page))
		LKST_INT(u64, ino, "", "inode number of the file", mapping->host->i_ino)
		LKST_INT(u64, index, "", "which page of the file", folio->index)
		LKST_INT(u32, dev, "hex", "its device: major << 20 | minor",
			 lkst_mapping_dev(mapping))
		LKST_INT(u32, order, "", "log2 of the pages", folio_order(folio))))

LKST_EVENT(mm, writeback_begin, LKST_ANA,
	   "Changed pages of a file begin to be written to its device",
	   LKST_PROTO(const struct address_space *mapping, long pages, unsigned int sync),
	   LKST_ARGS(mapping, pages, sync),
	   LKST_FIELDS(
		LKST_INT(u64, ino, "", "inode number of the file", mapping->host->i_ino)
		LKST_INT(s64, pages, "", "how many at most", pages)
		LKST_INT(u32, dev, "hex", "its device: major << 20 | minor",
			 lkst_mapping_dev(mapping))
		LKST_INT(u32, sync, "", "1 if somebody waits for it", sync)))

LKST_EVENT(mm, writeback_end, LKST_ANA,
	   "Changed pages of a file were given to its device",
	   LKST_PROTO(const struct address_space *mapping, long pages, int ret),
	   LKST_ARGS(mapping, pages, ret),
	   LKST_FIELDS(
		LKST_INT(u64, ino, "", "inode number of the file", mapping->host->i_ino)
		LKST_INT(s64, pages, "", "what is left of the most", pages)
		LKST_INT(u32, dev, "hex", "its device: major << 20 | minor",
			 lkst_mapping_dev(mapping))
		LKST_INT(s32, ret, "", "0, or -errno", ret)))
