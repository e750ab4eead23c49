/* SPDX-License-Identifier: GPL-2.0 */
/* As much of KUnit as the tests of conditions use; main() is in kunit.c. */
#ifndef _MATCH_KUNIT_TEST_H
#define _MATCH_KUNIT_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>

#define KUNIT_MEMORY	512

struct kunit {
	unsigned int failed;
	unsigned int nr_memory;
	void *memory[KUNIT_MEMORY];
};

struct kunit_case {
	void (*run)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

extern struct kunit_suite *const kunit_suite;

#define KUNIT_CASE(function)	{ function, #function }
#define kunit_test_suite(suite)	struct kunit_suite *const kunit_suite = &(suite)

static inline void *kunit_kzalloc(struct kunit *test, size_t size, unsigned int gfp)
{
	if (test->nr_memory == KUNIT_MEMORY)
		return NULL;
	return test->memory[test->nr_memory++] = calloc(1, size);
}

#define KUNIT_CHECK(test, good, ...) ({					\
	bool __good = (good);						\
									\
	if (!__good) {							\
		(test)->failed++;					\
		printf("# line %d: %s:", __LINE__, #good);		\
		printf(" " __VA_ARGS__);				\
		printf("\n");						\
	}								\
	__good;								\
})

#define KUNIT_NEED(test, good, ...) do {				\
	if (!KUNIT_CHECK(test, good, ##__VA_ARGS__))			\
		return;							\
} while (0)

#define KUNIT_EXPECT_EQ(t, a, b)		KUNIT_CHECK(t, (a) == (b))
#define KUNIT_EXPECT_EQ_MSG(t, a, b, ...)	KUNIT_CHECK(t, (a) == (b), __VA_ARGS__)
#define KUNIT_EXPECT_GT(t, a, b)		KUNIT_CHECK(t, (a) > (b))
#define KUNIT_EXPECT_NOT_NULL_MSG(t, p, ...)	KUNIT_CHECK(t, (p) != NULL, __VA_ARGS__)
#define KUNIT_EXPECT_NULL_MSG(t, p, ...)	KUNIT_CHECK(t, (p) == NULL, __VA_ARGS__)
#define KUNIT_EXPECT_PTR_EQ(t, a, b)		KUNIT_CHECK(t, (a) == (b))
#define KUNIT_EXPECT_STREQ(t, a, b)		KUNIT_CHECK(t, !strcmp(a, b))
#define KUNIT_ASSERT_EQ_MSG(t, a, b, ...)	KUNIT_NEED(t, (a) == (b), __VA_ARGS__)
#define KUNIT_ASSERT_NOT_NULL(t, p)		KUNIT_NEED(t, (p) != NULL)

#endif /* _MATCH_KUNIT_TEST_H */
