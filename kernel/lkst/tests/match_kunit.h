/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of match.c: what conditions mean, and what is refused, where. */
#include <kunit/test.h>

/* An event that has nothing has no word that a program could load. */
static void test_fields(struct kunit *test)
{
	unsigned int id;

	for (id = 0; id < LKST_NR_EVENTS; id++)
		KUNIT_EXPECT_GT(test, lkst_events[id].nr_fields, 0);
}

static struct kunit_case match_cases[] = {
	KUNIT_CASE(test_fields),
	{}
};

static struct kunit_suite match_suite = {
	.name = "lkst_match",
	.test_cases = match_cases,
};

kunit_test_suite(match_suite);
