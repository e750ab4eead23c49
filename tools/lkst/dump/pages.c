// SPDX-License-Identifier: GPL-2.0
#include "pages.h"

#define PFN_MAX	0xffffffffu

bool pages_add(struct pages *p, u64 pfn, u64 at)
{
	if (p->nr == PAGES_MAX || pfn > PFN_MAX)
		return false;
	p->unordered |= p->nr && p->place[p->nr - 1].pfn >= pfn;
	p->place = grow(p->place, p->nr, &p->room, sizeof(*p->place));
	p->place[p->nr++] = (struct page_place){ .pfn = pfn, .at = at };
	return true;
}

/*
 * Put in order what differs in the bits of the page's number up to @bit. This takes no
 * memory, of which qsort(3) takes as much again.
 */
static void sort_bits(struct page_place *place, size_t n, u32 bit)
{
	size_t low = 0, high = n;
	struct page_place other;

	while (low < high) {
		if (!(place[low].pfn & bit)) {
			low++;
			continue;
		}
		other = place[--high];
		place[high] = place[low];
		place[low] = other;
	}
	if (low > 1 && bit > 1)
		sort_bits(place, low, bit / 2);
	if (n - low > 1 && bit > 1)
		sort_bits(place + low, n - low, bit / 2);
}

void pages_finish(struct pages *p)
{
	size_t i, kept = 0;

	if (!p->unordered)
		return;
	sort_bits(p->place, p->nr, 1u << 31);
	for (i = 0; i < p->nr; i++) {
		if (!kept || p->place[kept - 1].pfn != p->place[i].pfn)
			p->place[kept++] = p->place[i];
		else if (p->place[kept - 1].at < p->place[i].at)
			p->place[kept - 1] = p->place[i];
	}
	p->nr = kept;
	p->unordered = false;
}

/* Index of the first page that is not below one. */
static size_t first_from(const struct pages *p, u64 pfn)
{
	size_t low = 0, high = p->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (p->place[mid].pfn >= pfn)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

const struct page_place *pages_find(const struct pages *p, u64 pfn)
{
	size_t i = first_from(p, pfn);

	return i < p->nr && p->place[i].pfn == pfn ? &p->place[i] : NULL;
}

bool pages_next_range(const struct pages *p, size_t size, u64 pa, u64 *start, u64 *end)
{
	size_t i = first_from(p, pa / size);

	if (i == p->nr)
		return false;
	*start = max((u64)p->place[i].pfn * size, pa);
	while (i + 1 < p->nr && p->place[i + 1].pfn == p->place[i].pfn + 1)
		i++;
	*end = (p->place[i].pfn + 1ull) * size;
	return true;
}
