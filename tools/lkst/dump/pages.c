// SPDX-License-Identifier: GPL-2.0
#include "pages.h"

bool pages_add(struct pages *p, u64 pfn, u64 at)
{
	if (p->nr == PAGES_MAX)
		return false;
	p->unordered |= p->nr && p->place[p->nr - 1].pfn >= pfn;
	p->place = grow(p->place, p->nr, &p->room, sizeof(*p->place));
	p->place[p->nr++] = (struct page_place){ .pfn = pfn, .at = at };
	return true;
}

static int by_pfn(const void *a, const void *b)
{
	const struct page_place *x = a, *y = b;

	if (x->pfn != y->pfn)
		return x->pfn < y->pfn ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void pages_finish(struct pages *p)
{
	size_t i, kept = 0;

	if (!p->unordered)
		return;
	sort(p->place, p->nr, sizeof(*p->place), by_pfn);
	for (i = 0; i < p->nr; i++) {
		if (kept && p->place[kept - 1].pfn == p->place[i].pfn)
			kept--;
		p->place[kept++] = p->place[i];
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
	*start = max(p->place[i].pfn * size, pa);
	while (i + 1 < p->nr && p->place[i + 1].pfn == p->place[i].pfn + 1)
		i++;
	*end = (p->place[i].pfn + 1) * size;
	return true;
}
