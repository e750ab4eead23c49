/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of buffer.c: sizes, and buffers that begin anew. */
#include <kunit/test.h>

static void test_size(struct kunit *test)
{
	static const struct {
		const char *text;
		int err;
		u64 size;
	} sizes[] = {
		{ "0", 0, 0 },
		{ "4096", 0, 4096 },
		{ "0x1000", 0, 4096 },
		{ "64K", 0, 65536 },
		{ "4M", 0, 4 << 20 },
		{ "3G", 0, 3ull << 30 },
		{ "17179869183G", 0, 17179869183ull << 30 },
		{ "17179869184G", -ERANGE },
		{ "18446744073709551615", 0, ~0ull },
		{ "18446744073709551616", -ERANGE },
		{ "", -EINVAL },
		{ "K", -EINVAL },
		{ "-1", -EINVAL },
		{ "+1", -EINVAL },
		{ "4k", -EINVAL },
		{ "4KK", -EINVAL },
		{ "4 K", -EINVAL },
	};
	char text[32];
	u64 size;
	int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		strscpy(text, sizes[i].text);
		KUNIT_EXPECT_EQ_MSG(test, size_parse(text, &size), sizes[i].err, "%s",
				    sizes[i].text);
		if (!sizes[i].err)
			KUNIT_EXPECT_EQ_MSG(test, size, sizes[i].size, "%s",
					    sizes[i].text);
	}
}

static void test_shape(struct kunit *test)
{
	struct shape shape = { .name = "test", .size = 16384, .packet = 4096 };

	KUNIT_EXPECT_EQ(test, shape_check(&shape), 0);
	shape.size = 16383;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -EINVAL);
	shape.size = 1 << 20;
	shape.packet = 5000;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -EINVAL);
	shape.packet = 2048;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -EINVAL);
	shape.packet = 524288;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -EINVAL);
	shape.packet = 4096;
	shape.size = ((u64)LKST_RING_TABLES * LKST_TABLE_ENTRIES + 1) * 4096;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -ERANGE);
	shape.packet = 262144;
	shape.size = 20ull << 30;
	KUNIT_EXPECT_EQ(test, shape_check(&shape), -ENOMEM);
}

/* A ring is whole: its packets, the head of its metadata, and nothing lost. */
static void test_rings(struct kunit *test)
{
	struct shape shape = { .name = "test", .size = 40960, .packet = 8192 };
	struct lkst_rings *rings = NULL;
	struct lkst_ring *ring;
	struct ring_sum sum;
	u32 i;

	mutex_lock(&lkst_lock);
	KUNIT_EXPECT_EQ(test, rings_alloc(shape, &rings), 0);
	mutex_unlock(&lkst_lock);
	KUNIT_ASSERT_NOT_NULL(test, rings);
	KUNIT_EXPECT_EQ(test, rings->info->nr_packets, 4);
	KUNIT_EXPECT_EQ(test, memcmp(rings->info->uuid, lkst_boot_id, LKST_BOOT_ID_SIZE), 0);
	KUNIT_EXPECT_NOT_NULL(test, strstr((char *)rings->info->head, "buffer = \"test\""));
	KUNIT_EXPECT_LT(test, rings->info->head_size, LKST_HEAD_SIZE);
	ring = rings->ring[0];
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ(test, (unsigned long)lkst_ring_packet(ring, i) % 8192, 0);
	sum = ring_sum(ring, true);
	KUNIT_EXPECT_EQ(test, sum.hits, 0);
	KUNIT_EXPECT_EQ(test, sum.bytes, sizeof(struct lkst_packet));
	mutex_lock(&lkst_lock);
	rings_retire(rings);
	mutex_unlock(&lkst_lock);
}

static struct kunit_case buffer_cases[] = {
	KUNIT_CASE(test_size),
	KUNIT_CASE(test_shape),
	KUNIT_CASE(test_rings),
	{}
};

static struct kunit_suite buffer_suite = {
	.name = "lkst_buffer",
	.test_cases = buffer_cases,
};

kunit_test_suite(buffer_suite);
