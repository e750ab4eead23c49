// SPDX-License-Identifier: GPL-2.0
/*
 * decode: reads a trace by liblkst, and prints how many records there are, and the
 * sum of all times in ticks, of all numbers and of all bytes of texts, modulo 2^64.
 *
 *   decode SOURCE
 */
#include <stdio.h>

#include "../liblkst.h"

int main(int argc, char **argv)
{
	struct lkst_reader *r = argc == 2 ? lkst_open(argv[1], NULL) : NULL;
	unsigned long long records = 0;
	static int64_t values[2048];
	uint64_t sum = 0;
	int i, nr;

	if (!r)
		return 1;
	while (lkst_next(r)) {
		if (lkst_kind(r) != LKST_RECORD)
			continue;
		records++;
		sum += lkst_ticks(r);
		nr = lkst_values(r, values, 2048);
		for (i = 0; i < nr; i++)
			sum += values[i];
	}
	printf("%llu records, sum %llu\n", records, (unsigned long long)sum);
	lkst_close(r);
	return lkst_status();
}
