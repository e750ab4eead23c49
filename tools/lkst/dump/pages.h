/* SPDX-License-Identifier: GPL-2.0 */
/* Where each page is in a file that has pages in any order. */
#ifndef LKST_PAGES_H
#define LKST_PAGES_H

#include "util.h"

/* 96 MiB of index, for 32 GiB of memory. */
#define PAGES_MAX	8388608u

/**
 * struct page_place - where a page is
 * @at: whatever tells where it is, more for a page that came later
 * @pfn: its number
 */
struct page_place {
	u64 at;
	u32 pfn;
} __packed;

/**
 * struct pages - an index
 * @place: the pages, by number once they were put in order
 * @nr: how many
 * @unordered: they did not come in order
 */
struct pages {
	struct page_place *place;
	size_t nr;
	size_t room;
	bool unordered;
};

/* False if there is no room for one more, or no memory goes so far. */
bool pages_add(struct pages *p, u64 pfn, u64 at);

/* Put them in order; of a page that is there more than once the last one stays. */
void pages_finish(struct pages *p);

/* The page of that number, or NULL. */
const struct page_place *pages_find(const struct pages *p, u64 pfn);

/*
 * The first pages of @size bytes without a gap between them that end above @pa, as
 * addresses from @pa on; false if none do.
 */
bool pages_next_range(const struct pages *p, size_t size, u64 pa, u64 *start, u64 *end);

#endif /* LKST_PAGES_H */
