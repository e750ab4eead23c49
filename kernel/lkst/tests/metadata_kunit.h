/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of metadata.c. */
#include <kunit/test.h>

/* Every event is there, once, with its number and its fields. */
static void test_body(struct kunit *test)
{
	char *text = kunit_kzalloc(test, body_size + 1, GFP_KERNEL);
	char what[128], *at;
	unsigned int id;

	KUNIT_ASSERT_NOT_NULL(test, text);
	memcpy(text, body, body_size);
	/* A reader of a dump finds it by this. */
	KUNIT_EXPECT_TRUE(test, PAGE_ALIGNED(body) && !body[body_size]);
	KUNIT_EXPECT_EQ(test, strncmp(text, LKST_BODY_MAGIC, strlen(LKST_BODY_MAGIC)), 0);
	for (id = 0; id < LKST_NR_EVENTS; id++) {
		snprintf(what, sizeof(what), "id = %u; name = \"%s_%s\";", id,
			 lkst_events[id].group, lkst_events[id].name);
		at = strstr(text, what);
		KUNIT_EXPECT_NOT_NULL_MSG(test, at, "%s", what);
		if (at)
			KUNIT_EXPECT_NULL(test, strstr(at + 1, what));
	}
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "x32 prev_state; /* why it leaves"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "utf8 comm[16];"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "u32 __text_len; utf8 text[__text_len];"));
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, "x64 arg[6];"));
}

/* Wall time by the head is the kernel's, to a millisecond. */
static void test_head_clock(struct kunit *test)
{
	char *text = kunit_kzalloc(test, 512, GFP_KERNEL), *at;
	u64 hz, seconds, offset, clock, wall_ns, head_ns;
	struct lkst_moment moment;
	struct seq_buf s;
	int n;

	KUNIT_ASSERT_NOT_NULL(test, text);
	seq_buf_init(&s, text, 512);
	lkst_clock_moment(&moment);
	head_clock(&s, &moment);
	at = strstr(text, "freq = ");
	KUNIT_ASSERT_NOT_NULL(test, at);
	n = sscanf(at, "freq = %llu; offset_s = %llu; offset = %llu;", &hz, &seconds,
		   &offset);
	KUNIT_ASSERT_EQ(test, n, 3);
	KUNIT_EXPECT_EQ(test, hz, lkst_clock_hz());
	lkst_clock_pair(&clock, &wall_ns);
	head_ns = seconds * NSEC_PER_SEC +
		  mul_u64_u64_div_u64(clock + offset, NSEC_PER_SEC, hz);
	KUNIT_EXPECT_LT(test, abs((s64)(head_ns - wall_ns)), (s64)NSEC_PER_MSEC);
}

/* The events of a group stand together: groups are found by that. */
static void test_groups(struct kunit *test)
{
	unsigned int id, other;

	for_each_lkst_group(id)
		for (other = 0; other < id; other++)
			KUNIT_EXPECT_STRNEQ(test, lkst_events[other].group,
					    lkst_events[id].group);
}

static struct kunit_case metadata_cases[] = {
	KUNIT_CASE(test_body),
	KUNIT_CASE(test_head_clock),
	KUNIT_CASE(test_groups),
	{}
};

static struct kunit_suite metadata_suite = {
	.name = "lkst_metadata",
	.test_cases = metadata_cases,
};

kunit_test_suite(metadata_suite);
