/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of core.c: names, and what is written to files. */
#include <kunit/test.h>

static void test_name_good(struct kunit *test)
{
	static const char * const names[] = {
		"a", "A-b_c.9", "...", "nonesuch", "all1",
		"1234567890123456789012345678901",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_name_check(names[i]), 0, "%s", names[i]);
}

static void test_name_bad(struct kunit *test)
{
	static const char * const names[] = {
		"", ".", "..", "create", "remove", "current", "next", "none", "all",
		"previous", "a/b", "a b", "a\n", "\xc3\xa9", "a=b",
		"12345678901234567890123456789012",
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_name_check(names[i]), -EINVAL, "%s",
				    names[i]);
}

static void test_input(struct kunit *test)
{
	char word[4];

	KUNIT_EXPECT_EQ(test, lkst_input("abc\n", 4, word, sizeof(word)), 0);
	KUNIT_EXPECT_STREQ(test, word, "abc");
	KUNIT_EXPECT_EQ(test, lkst_input("ab", 2, word, sizeof(word)), 0);
	KUNIT_EXPECT_STREQ(test, word, "ab");
	KUNIT_EXPECT_EQ(test, lkst_input("abcd", 4, word, sizeof(word)), -E2BIG);
	KUNIT_EXPECT_EQ(test, lkst_input("\n", 1, word, sizeof(word)), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input("", 0, word, sizeof(word)), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input("a\n\n", 3, word, sizeof(word)), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input("a\0b", 3, word, sizeof(word)), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input("\xff", 1, word, sizeof(word)), -EINVAL);
	/* What failed left the last word alone. */
	KUNIT_EXPECT_STREQ(test, word, "ab");
}

static void test_input_bool(struct kunit *test)
{
	bool value = false;

	KUNIT_EXPECT_EQ(test, lkst_input_bool("1\n", 2, &value), 0);
	KUNIT_EXPECT_TRUE(test, value);
	KUNIT_EXPECT_EQ(test, lkst_input_bool("0", 1, &value), 0);
	KUNIT_EXPECT_FALSE(test, value);
	KUNIT_EXPECT_EQ(test, lkst_input_bool("2", 1, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input_bool("01", 2, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input_bool("-1", 2, &value), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_input_bool("yes", 3, &value), -EINVAL);
	KUNIT_EXPECT_FALSE(test, value);
}

static u64 count_of_cpu(const void *of, unsigned int cpu)
{
	return *(const u64 *)of - cpu;
}

/* However it is cut, the file is the same. */
static void test_counts_read(struct kunit *test)
{
	const size_t size = num_possible_cpus() * LKST_COUNT_LINE;
	static const u64 values[] = { 4096, U64_MAX };
	char *whole = kunit_kzalloc(test, size + 8, GFP_KERNEL);
	char *pieces = kunit_kzalloc(test, size + 8, GFP_KERNEL);
	char line[LKST_COUNT_LINE + 1];
	size_t piece, off, n;
	int i;

	KUNIT_ASSERT_NOT_NULL(test, whole);
	KUNIT_ASSERT_NOT_NULL(test, pieces);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		KUNIT_EXPECT_EQ(test, size, lkst_counts_read(whole, 0, size + 8,
							     count_of_cpu, &values[i]));
		snprintf(line, sizeof(line), "%20llu\n", values[i]);
		KUNIT_EXPECT_MEMEQ(test, whole, line, LKST_COUNT_LINE);
		for (piece = 1; piece <= LKST_COUNT_LINE + 1; piece++) {
			for (off = 0; off < size; off += n) {
				n = lkst_counts_read(pieces + off, off,
						     min(piece, size - off),
						     count_of_cpu, &values[i]);
				KUNIT_ASSERT_GT(test, n, 0);
			}
			KUNIT_EXPECT_MEMEQ(test, pieces, whole, size);
		}
		KUNIT_EXPECT_EQ(test, 0, lkst_counts_read(pieces, size, 8, count_of_cpu,
							  &values[i]));
	}
}

static struct kunit_case core_cases[] = {
	KUNIT_CASE(test_name_good),
	KUNIT_CASE(test_name_bad),
	KUNIT_CASE(test_input),
	KUNIT_CASE(test_input_bool),
	KUNIT_CASE(test_counts_read),
	{}
};

static struct kunit_suite core_suite = {
	.name = "lkst_core",
	.test_cases = core_cases,
};

kunit_test_suite(core_suite);
