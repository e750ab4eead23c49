// SPDX-License-Identifier: GPL-2.0
/*
 * decode: reads a trace by liblkst, and prints how many records there are, and the
 * sum of all times in ticks, of all numbers and of all bytes of texts, modulo 2^64; or of
 * the numbers that are found by the name of their field.
 *
 *   decode SOURCE [FIELD]
 */
#include <stdio.h>

#include "liblkst.h"

struct sum {
	unsigned long long records;
	uint64_t sum;
};

static uint64_t sum_all(struct lkst_reader *r)
{
	static int64_t values[2048];
	int i, nr = lkst_values(r, values, 2048);
	uint64_t sum = 0;

	for (i = 0; i < nr; i++)
		sum += values[i];
	return sum;
}

static uint64_t sum_field(struct lkst_reader *r, const char *name)
{
	int i, field = lkst_find(r, name);
	uint64_t sum = 0;

	for (i = 0; i < lkst_numbers(r, field); i++)
		sum += lkst_number(r, field, i);
	return sum;
}

/* Of all records, or of the field @name of them. */
static struct sum sum_records(struct lkst_reader *r, const char *name)
{
	struct sum s = { 0, 0 };

	while (lkst_next(r)) {
		if (lkst_kind(r) != LKST_RECORD)
			continue;
		s.records++;
		s.sum += lkst_ticks(r) + (name ? sum_field(r, name) : sum_all(r));
	}
	return s;
}

int main(int argc, char **argv)
{
	struct lkst_reader *r = argc > 1 ? lkst_open(argv[1], NULL) : NULL;
	struct sum s;

	if (!r)
		return 1;
	s = sum_records(r, argc > 2 ? argv[2] : NULL);
	printf("%llu records, sum %llu\n", s.records, (unsigned long long)s.sum);
	lkst_close(r);
	return lkst_status();
}
