/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of ring.c: one writer at a time; nesting is explored elsewhere. */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/mm.h>

#define TEST_PACKETS	4

struct ring_test {
	struct lkst_ring *ring;
	u64 *table;
	struct lkst_packet *copy;
};

static int ring_test_init(struct kunit *test)
{
	struct ring_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	int i;

	if (!t)
		return -ENOMEM;
	t->ring = (void *)get_zeroed_page(GFP_KERNEL);
	t->table = (void *)get_zeroed_page(GFP_KERNEL);
	t->copy = (void *)get_zeroed_page(GFP_KERNEL);
	if (!t->ring || !t->table || !t->copy)
		return -ENOMEM;
	t->ring->nr_packets = TEST_PACKETS;
	t->ring->packet_size = LKST_PACKET_MIN;
	t->ring->table[0] = __pa(t->table);
	for (i = 0; i < TEST_PACKETS; i++) {
		void *packet = (void *)get_zeroed_page(GFP_KERNEL);

		if (!packet)
			return -ENOMEM;
		t->table[i] = __pa(packet);
	}
	lkst_ring_start(t->ring, 0);
	test->priv = t;
	return 0;
}

static void ring_test_exit(struct kunit *test)
{
	struct ring_test *t = test->priv;
	int i;

	if (!t)
		return;
	for (i = 0; i < TEST_PACKETS; i++)
		free_page((unsigned long)__va(t->table[i]));
	free_page((unsigned long)t->table);
	free_page((unsigned long)t->copy);
	free_page((unsigned long)t->ring);
}

/* Record @words words, of which the payload is @value. */
static bool test_record(struct lkst_ring *ring, u32 id, u32 words, u64 value)
{
	struct lkst_resv resv;
	u32 i;
	bool ok;

	preempt_disable();
	ok = lkst_ring_reserve(ring, id, words, &resv);
	if (ok) {
		for (i = 0; i < words - 1; i++)
			((u64 *)resv.payload)[i] = value;
		lkst_ring_commit(&resv);
	}
	preempt_enable();
	return ok;
}

static void test_record_layout(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u64 *word = (u64 *)lkst_ring_packet(t->ring, 0) + LKST_PACKET_WORDS;

	KUNIT_EXPECT_TRUE(test, test_record(t->ring, 7, 3, 0x1234));
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[0]), 7);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_WORDS(word[0]), 3);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_LAP(word[0]), 1);
	KUNIT_EXPECT_TRUE(test, word[0] & LKST_RECORD_FINISHED);
	KUNIT_EXPECT_EQ(test, word[1], 0x1234);
	KUNIT_EXPECT_EQ(test, word[2], 0x1234);
	KUNIT_EXPECT_EQ(test, t->ring->pos, LKST_POS(0, LKST_PACKET_WORDS + 3, 1));
	KUNIT_EXPECT_EQ(test, t->ring->oldest, 0);
}

static void test_extended(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u64 *word = (u64 *)lkst_ring_packet(t->ring, 0) + LKST_PACKET_WORDS;

	/* As if the last record lay more than 2^32 ticks back. */
	t->ring->last -= 1ull << 33;
	KUNIT_EXPECT_TRUE(test, test_record(t->ring, 7, 2, 1));
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[0]), LKST_ID_EXTENDED);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_WORDS(word[0]), 3);
	KUNIT_EXPECT_EQ(test, word[0] >> 32, 7);
	KUNIT_EXPECT_EQ(test, word[1], t->ring->last);
	KUNIT_EXPECT_EQ(test, word[2], 1);
}

/* Laps: the oldest packets go, each record is counted once. */
static void test_overwrite(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u64 n, held = 0, seq;

	for (n = 0; n < 5000; n++)
		KUNIT_ASSERT_TRUE(test, test_record(t->ring, 1, 2, n));
	KUNIT_EXPECT_EQ(test, t->ring->limit, lkst_ring_current(t->ring) - 3);
	for (seq = t->ring->limit; seq < lkst_ring_current(t->ring); seq++) {
		KUNIT_ASSERT_EQ(test, lkst_ring_copy(t->ring, seq, t->copy), 0);
		KUNIT_EXPECT_EQ(test, t->copy->seq, seq);
		KUNIT_EXPECT_GE(test, t->copy->end, t->copy->begin);
		held += t->copy->reserved;
	}
	KUNIT_EXPECT_EQ(test, lkst_ring_copy(t->ring, seq, t->copy), -EAGAIN);
	KUNIT_EXPECT_EQ(test, lkst_ring_copy(t->ring, seq - 4, t->copy), -ESTALE);
	KUNIT_ASSERT_EQ(test, lkst_ring_copy_open(t->ring, t->copy), 0);
	held += t->copy->reserved;
	KUNIT_EXPECT_EQ(test, held + t->ring->overwritten, n);
	KUNIT_EXPECT_EQ(test, t->ring->lost, 0);
}

static void test_discard(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u64 n = 0;

	t->ring->flags = LKST_RING_DISCARD;
	while (test_record(t->ring, 1, 2, n))
		n++;
	KUNIT_EXPECT_EQ(test, lkst_ring_current(t->ring), 3);
	KUNIT_EXPECT_EQ(test, t->ring->lost, 1);
	KUNIT_EXPECT_EQ(test, t->ring->closed + LKST_POS_RECORDS(t->ring->pos), n);
	KUNIT_ASSERT_EQ(test, lkst_ring_copy(t->ring, 0, t->copy), 0);
	lkst_ring_consume(t->ring, 0, t->copy->reserved);
	KUNIT_EXPECT_TRUE(test, test_record(t->ring, 1, 2, n));
	KUNIT_EXPECT_EQ(test, lkst_ring_current(t->ring), 4);
	KUNIT_EXPECT_EQ(test, t->ring->overwritten, 0);
	/* The loss is in the packet that was begun after it. */
	KUNIT_ASSERT_EQ(test, lkst_ring_copy_open(t->ring, t->copy), 0);
	KUNIT_EXPECT_EQ(test, t->copy->discarded, 1);
}

/* What was being written is turned into lkst/unfinished, of the same length. */
static void test_patch(struct kunit *test)
{
	struct ring_test *t = test->priv;
	u64 *word = (u64 *)t->copy + LKST_PACKET_WORDS;
	struct lkst_resv resv;

	KUNIT_EXPECT_TRUE(test, test_record(t->ring, 7, 2, 1));
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, lkst_ring_reserve(t->ring, 8, 4, &resv));
	KUNIT_EXPECT_TRUE(test, test_record(t->ring, 9, 2, 2));
	KUNIT_ASSERT_EQ(test, lkst_ring_copy_open(t->ring, t->copy), 0);
	lkst_ring_commit(&resv);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, t->copy->reserved, 3);
	KUNIT_EXPECT_EQ(test, t->copy->content_size, (LKST_PACKET_WORDS + 8) * 64);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[0]), 7);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[2]), LKST_ID_UNFINISHED);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_WORDS(word[2]), 4);
	KUNIT_EXPECT_TRUE(test, word[2] & LKST_RECORD_FINISHED);
	KUNIT_EXPECT_EQ(test, word[3], 8 | 16ull << 32);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[6]), 9);
	/* Finished since: nothing to patch. */
	KUNIT_ASSERT_EQ(test, lkst_ring_copy_open(t->ring, t->copy), 0);
	KUNIT_EXPECT_EQ(test, LKST_RECORD_ID(word[2]), 8);
	KUNIT_EXPECT_GE(test, t->copy->end, t->copy->begin);
}

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(test_record_layout),
	KUNIT_CASE(test_extended),
	KUNIT_CASE(test_overwrite),
	KUNIT_CASE(test_discard),
	KUNIT_CASE(test_patch),
	{}
};

static struct kunit_suite ring_suite = {
	.name = "lkst_ring",
	.init = ring_test_init,
	.exit = ring_test_exit,
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
