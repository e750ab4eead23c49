// SPDX-License-Identifier: GPL-2.0
/*
 * decode: reads a trace by liblkst, and prints how many records there are, and the
 * sum of all times in ticks, of all numbers and of all bytes of texts, modulo 2^64; or of
 * the numbers that are found by the name of their field.
 *
 *   decode SOURCE [FIELD]
 */
#include <stdio.h>

#include "../liblkst.h"

struct sum {
	unsigned long long records;
	uint64_t sum;
};

static struct sum sum_all(struct lkst_reader *r)
{
	static int64_t values[2048];
	struct sum s = { 0, 0 };
	int i, nr;

	while (lkst_next(r)) {
		if (lkst_kind(r) != LKST_RECORD)
			continue;
		s.records++;
		s.sum += lkst_ticks(r);
		nr = lkst_values(r, values, 2048);
		for (i = 0; i < nr; i++)
			s.sum += values[i];
	}
	return s;
}

static struct sum sum_field(struct lkst_reader *r, const char *name)
{
	struct sum s = { 0, 0 };
	int i, field;

	while (lkst_next(r)) {
		if (lkst_kind(r) != LKST_RECORD)
			continue;
		s.records++;
		s.sum += lkst_ticks(r);
		field = lkst_find(r, name);
		for (i = 0; i < lkst_numbers(r, field); i++)
			s.sum += lkst_number(r, field, i);
	}
	return s;
}

int main(int argc, char **argv)
{
	struct lkst_reader *r = argc > 1 ? lkst_open(argv[1], NULL) : NULL;
	struct sum s;

	if (!r)
		return 1;
	s = argc > 2 ? sum_field(r, argv[2]) : sum_all(r);
	printf("%llu records, sum %llu\n", s.records, (unsigned long long)s.sum);
	lkst_close(r);
	return lkst_status();
}
