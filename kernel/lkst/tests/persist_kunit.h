/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KUnit tests of persist.c: what is taken of an area that holds a ring's trace, and of
 * one that was damaged. They run while the kernel starts, as what they test does.
 */
#include <kunit/test.h>
#include <linux/gfp.h>
#include <linux/prandom.h>
#include <linux/vmalloc.h>

#define TEST_PACKETS	8
#define TEST_PA		0x100000
/* Head, task names, a ring, its packets. */
#define TEST_PAGES	(3 + TEST_PACKETS)
/* More than the ring holds, so that it went round. */
#define TEST_RECORDS	2000

/**
 * struct area_test - an area, and what was to be in it
 * @a: the area, in memory that faults behind its end
 * @from: the ring that was recorded into
 * @to: a new one
 * @page: room for a ring's page
 * @look: what is known of each packet
 */
struct area_test {
	struct area a;
	struct lkst_ring *from;
	struct lkst_ring *to;
	struct lkst_ring *page;
	u8 look[TEST_PACKETS];
};

static struct lkst_ring * __init test_ring_make(void)
{
	struct lkst_ring *ring = (void *)get_zeroed_page(GFP_KERNEL | __GFP_NOFAIL);
	u64 *table = (void *)get_zeroed_page(GFP_KERNEL | __GFP_NOFAIL);
	int i;

	for (i = 0; i < TEST_PACKETS; i++)
		table[i] = __pa(get_zeroed_page(GFP_KERNEL | __GFP_NOFAIL));
	ring->table[0] = __pa(table);
	ring->nr_packets = TEST_PACKETS;
	ring->packet_size = LKST_PACKET_MIN;
	memset(ring->uuid, 0x5a, sizeof(ring->uuid));
	lkst_ring_start(ring, 0);
	return ring;
}

static void __init test_ring_free(struct lkst_ring *ring)
{
	u64 *table = __va(ring->table[0]);
	int i;

	for (i = 0; i < TEST_PACKETS; i++)
		free_page((unsigned long)__va(table[i]));
	free_page((unsigned long)table);
	free_page((unsigned long)ring);
}

/* Two numbers, or a text of 0 to 56 bytes, some with the full clock. */
static void __init test_record(struct lkst_ring *ring, u64 n)
{
	u32 text = n / 2 % 8 * 8, words = n % 2 ? 2 + text / 8 : 3;
	struct lkst_resv resv;
	u64 *payload;

	if (n % 50 == 49)
		ring->last -= 1ull << 33;
	preempt_disable();
	if (!lkst_ring_reserve(ring, n % 2 ? LKST_EV_user_text : LKST_EV_lkst_mark, words,
			       &resv))
		BUG();
	payload = resv.payload;
	memset(payload, 'x', (words - 1) * 8);
	payload[0] = n % 2 ? (u64)text << 32 | 1 : n;
	lkst_ring_commit(&resv);
	preempt_enable();
}

/* Put what was recorded into the area. */
static void __init test_store(struct area_test *t)
{
	u32 i;

	memcpy(area_ring(&t->a, 0), t->from, sizeof(*t->from));
	for (i = 0; i < TEST_PACKETS; i++)
		memcpy(area_packet(&t->a, 0, i), lkst_ring_packet(t->from, i),
		       LKST_PACKET_MIN);
}

static int __init area_test_init(struct kunit *test)
{
	struct area_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL | __GFP_NOFAIL);
	void *memory = __vmalloc(TEST_PAGES * PAGE_SIZE, GFP_KERNEL | __GFP_ZERO);
	u64 n;

	if (!memory || !area_lay(&t->a, memory, TEST_PA, TEST_PAGES * PAGE_SIZE,
				 LKST_PACKET_MIN, 8))
		return -EINVAL;
	t->from = test_ring_make();
	t->to = test_ring_make();
	t->page = (void *)get_zeroed_page(GFP_KERNEL | __GFP_NOFAIL);
	memcpy(t->a.own.uuid, t->from->uuid, sizeof(t->a.own.uuid));
	for (n = 0; n < TEST_RECORDS; n++)
		test_record(t->from, n);
	test_store(t);
	test->priv = t;
	return 0;
}

static void __init area_test_exit(struct kunit *test)
{
	struct area_test *t = test->priv;

	if (!t)
		return;
	vfree(t->a.head);
	test_ring_free(t->from);
	test_ring_free(t->to);
	free_page((unsigned long)t->page);
}

/* Return: how many packets are left out. */
static u32 __init test_recover(struct area_test *t)
{
	return ring_recover(&t->a, 0, t->to, t->page, t->look);
}

static u64 __init test_open_seq(const struct area_test *t)
{
	return lkst_ring_current(t->from);
}

/* A closed packet in the area, @back before the open one. */
static struct lkst_packet * __init test_packet(struct area_test *t, u32 back)
{
	return area_packet(&t->a, 0, (test_open_seq(t) - back) % TEST_PACKETS);
}

/* Does a reader get packet @seq as it was recorded? */
static bool __init test_has(const struct area_test *t, u64 seq)
{
	struct lkst_packet *packet = lkst_ring_packet(t->to, seq);

	return packet->seq == seq &&
	       !memcmp(packet, lkst_ring_packet(t->from, seq), LKST_PACKET_MIN);
}

/* Everything comes back, and the counts with it. */
static void __init test_whole(struct kunit *test)
{
	struct area_test *t = test->priv;
	u64 seq;

	KUNIT_EXPECT_EQ(test, test_recover(t), 0);
	KUNIT_EXPECT_GT(test, t->from->limit, 0);
	for (seq = t->from->limit; seq <= test_open_seq(t); seq++)
		KUNIT_EXPECT_TRUE(test, test_has(t, seq));
	KUNIT_EXPECT_EQ(test, lkst_ring_current(t->to), test_open_seq(t));
	KUNIT_EXPECT_EQ(test, t->to->limit, t->from->limit);
	KUNIT_EXPECT_EQ(test, t->to->pos, t->from->pos);
	KUNIT_EXPECT_EQ(test, t->to->closed, t->from->closed);
	KUNIT_EXPECT_EQ(test, t->to->overwritten, t->from->overwritten);
	KUNIT_EXPECT_EQ(test, lkst_ring_copy_open(t->to, (void *)t->page), 0);
}

/* A ring that was hardly begun: the places behind are empty, not damaged. */
static void __init test_young(struct kunit *test)
{
	struct area_test *t = test->priv;

	test_ring_free(t->from);
	t->from = test_ring_make();
	test_record(t->from, 0);
	test_store(t);
	KUNIT_EXPECT_EQ(test, test_recover(t), 0);
	KUNIT_EXPECT_TRUE(test, test_has(t, 0));
	KUNIT_EXPECT_EQ(test, LKST_POS_RECORDS(t->to->pos), 1);
	KUNIT_EXPECT_EQ(test, t->to->limit, 0);
}

/* Packets, and nothing else, fill the area. */
static void __init test_lay(struct kunit *test)
{
	static const u64 sizes[] = { 20 << 10, 64 << 10, 1 << 20, 3 << 20, 64 << 20 };
	struct area a;
	u64 packets;
	int i;

	KUNIT_EXPECT_FALSE(test, area_lay(&a, NULL, TEST_PA, 0, 65536, 4096));
	KUNIT_EXPECT_FALSE(test, area_lay(&a, NULL, TEST_PA, 4 * PAGE_SIZE, 65536, 0));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		KUNIT_EXPECT_TRUE(test, area_lay(&a, NULL, TEST_PA + PAGE_SIZE, sizes[i],
						 65536, 0) || i < 1);
		packets = (unsigned long)a.packets;
		if (i < 1)
			continue;
		KUNIT_EXPECT_EQ(test, (TEST_PA + PAGE_SIZE + packets) %
				a.own.packet_size, 0);
		KUNIT_EXPECT_GE(test, packets, 2 * PAGE_SIZE);
		KUNIT_EXPECT_LE(test, packets + (u64)a.own.nr_packets * nr_cpu_ids *
				a.own.packet_size, sizes[i]);
		KUNIT_EXPECT_GE(test, a.own.nr_packets, LKST_RING_PACKETS_MIN);
	}
}

/* A head is taken if it is what this kernel would write here, to the last bit. */
static void __init test_head(struct kunit *test)
{
	struct area_test *t = test->priv;
	struct area_head head = t->a.own;
	static const size_t fields[] = {
		offsetof(struct area_head, magic), offsetof(struct area_head, version),
		offsetof(struct area_head, size), offsetof(struct area_head, pa),
		offsetof(struct area_head, bytes), offsetof(struct area_head, nr_cpus),
		offsetof(struct area_head, packet_size),
		offsetof(struct area_head, nr_packets),
		offsetof(struct area_head, nr_tasks), offsetof(struct area_head, events),
		offsetof(struct area_head, build_id),
	};
	size_t i;

	head.crc = head_crc(&head);
	KUNIT_EXPECT_NULL(test, head_fault(&head, &t->a.own));
	for (i = 0; i < sizeof(head) * 8; i++) {
		((u8 *)&head)[i / 8] ^= 1 << i % 8;
		KUNIT_EXPECT_NOT_NULL_MSG(test, head_fault(&head, &t->a.own),
					  "bit %zu", i);
		((u8 *)&head)[i / 8] ^= 1 << i % 8;
	}
	/* Not by its checksum alone. */
	for (i = 0; i < ARRAY_SIZE(fields); i++) {
		((u8 *)&head)[fields[i]] ^= 1;
		head.crc = head_crc(&head);
		KUNIT_EXPECT_NOT_NULL_MSG(test, head_fault(&head, &t->a.own),
					  "byte %zu", fields[i]);
		((u8 *)&head)[fields[i]] ^= 1;
	}
}

/* Look at the packet before the open one, which was changed. */
static u8 __init test_look(struct area_test *t)
{
	u32 nr = (test_open_seq(t) - 1) % TEST_PACKETS;

	return packet_look(&t->a, 0, nr, area_packet(&t->a, 0, nr), t->from);
}

#define EXPECT_DAMAGED(_change)						\
	do {								\
		test_store(t);						\
		KUNIT_EXPECT_EQ(test, test_look(t), PACKET_GOOD);	\
		_change;						\
		KUNIT_EXPECT_EQ_MSG(test, test_look(t), PACKET_DAMAGED, #_change); \
	} while (0)

static void __init test_packet_header(struct kunit *test)
{
	struct area_test *t = test->priv;
	struct lkst_packet *p = test_packet(t, 1);

	EXPECT_DAMAGED(p->magic++);
	EXPECT_DAMAGED(p->uuid[0]++);
	EXPECT_DAMAGED(p->uuid[15]++);
	EXPECT_DAMAGED(p->stream++);
	EXPECT_DAMAGED(p->reserved++);
	EXPECT_DAMAGED(p->reserved--);
	EXPECT_DAMAGED(p->seq++);
	EXPECT_DAMAGED(p->seq += TEST_PACKETS);
	EXPECT_DAMAGED(p->seq |= 1ull << 63);
	EXPECT_DAMAGED(p->cpu++);
	EXPECT_DAMAGED(p->spare++);
	EXPECT_DAMAGED(p->begin = p->end);
	EXPECT_DAMAGED(p->begin = p->end + 1);
	EXPECT_DAMAGED(p->end = 0);
	EXPECT_DAMAGED(p->end = p->begin);
	EXPECT_DAMAGED(p->content_size = 0);
	EXPECT_DAMAGED(p->content_size++);
	EXPECT_DAMAGED(p->content_size += 64);
	EXPECT_DAMAGED(p->content_size -= 64);
	EXPECT_DAMAGED(p->content_size = (u64)LKST_PACKET_MIN * 8);
	EXPECT_DAMAGED(p->content_size = U64_MAX - 63);
	EXPECT_DAMAGED(p->content_size |= 1ull << 40);
	EXPECT_DAMAGED(p->packet_size *= 2);
	EXPECT_DAMAGED(p->packet_size = 0);
}

/* The first record is of two numbers, the one behind it a text. */
static void __init test_packet_records(struct kunit *test)
{
	struct area_test *t = test->priv;
	struct lkst_packet *p = test_packet(t, 1);
	u64 *word = (u64 *)(p + 1);
	u32 text;

	if (LKST_RECORD_ID(*word) != LKST_EV_lkst_mark)
		word += LKST_RECORD_WORDS(*word);
	text = LKST_RECORD_WORDS(*word);
	KUNIT_ASSERT_EQ(test, LKST_RECORD_ID(word[0]), LKST_EV_lkst_mark);
	KUNIT_ASSERT_EQ(test, LKST_RECORD_ID(word[text]), LKST_EV_user_text);
	EXPECT_DAMAGED(word[0] &= ~0xff0000ull);
	EXPECT_DAMAGED(word[0] |= 0xff0000);
	EXPECT_DAMAGED(word[0] += 0x10000);
	EXPECT_DAMAGED(word[0] -= 0x10000);
	EXPECT_DAMAGED(word[0] ^= 1ull << 24);
	EXPECT_DAMAGED(word[0] &= ~0xffffull);
	EXPECT_DAMAGED(word[0] = (word[0] & ~0xffffull) | LKST_NR_EVENTS);
	EXPECT_DAMAGED(word[0] |= LKST_ID_EXTENDED);
	EXPECT_DAMAGED(word[0] = (word[0] & ~0xffffull) | LKST_EV_user_text);
	EXPECT_DAMAGED(word[text] = (word[text] & ~0xffffull) | LKST_EV_lkst_trigger);
	EXPECT_DAMAGED(word[text + 1] += 1ull << 32);
	EXPECT_DAMAGED(word[text + 1] += 8ull << 32);
	EXPECT_DAMAGED(word[text + 1] |= 0xffffffffull << 32);
	/* One that is not finished has a length, and that is enough. */
	test_store(t);
	word[0] &= ~(u64)LKST_RECORD_FINISHED;
	KUNIT_EXPECT_EQ(test, test_look(t), PACKET_GOOD);
}

/* A packet full of records, whose last word cannot be used, and none is behind it. */
static void __init test_packet_end(struct kunit *test)
{
	const u32 full = (LKST_PACKET_MIN / 8 - LKST_PACKET_WORDS) / 3;
	struct area_test *t = test->priv;
	struct lkst_packet *p = vmalloc(LKST_PACKET_MIN);
	u32 nr = (test_open_seq(t) - 1) % TEST_PACKETS, n;
	u64 *record, lap = 1 + test_packet(t, 1)->seq / TEST_PACKETS;

	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_ASSERT_EQ(test, LKST_PACKET_WORDS + full * 3, LKST_PACKET_MIN / 8);
	*p = *test_packet(t, 1);
	record = (u64 *)(p + 1);
	for (n = 0; n < full; n++, record += 3)
		record[0] = LKST_EV_lkst_mark | 3 << 16 | lap << 24 |
			LKST_RECORD_FINISHED | p->begin << 32;
	for (n = full - 1; n < full + 2; n++) {
		p->reserved = n;
		p->content_size = (LKST_PACKET_WORDS + n * 3) * 64;
		KUNIT_EXPECT_EQ(test, packet_look(&t->a, 0, nr, p, t->from),
				n < full ? PACKET_GOOD : PACKET_DAMAGED);
	}
	vfree(p);
}

/* Packets whose times or numbers do not meet: both are left out, and no other. */
static void __init test_neighbours(struct kunit *test)
{
	struct area_test *t = test->priv;
	u64 open = test_open_seq(t), seq;

	test_packet(t, 3)->end++;
	KUNIT_EXPECT_EQ(test, test_recover(t), 2);
	for (seq = t->from->limit; seq <= open; seq++)
		KUNIT_EXPECT_EQ(test, test_has(t, seq), seq != open - 3 && seq != open - 2);
	test_store(t);
	test_packet(t, 3)->seq |= 1ull << 40;
	KUNIT_EXPECT_EQ(test, test_recover(t), 3);
	KUNIT_EXPECT_TRUE(test, test_has(t, open));
	/* The same packet twice. */
	test_store(t);
	memcpy(test_packet(t, 2), test_packet(t, 3), LKST_PACKET_MIN);
	KUNIT_EXPECT_EQ(test, test_recover(t), 1);
	test_store(t);
	test_packet(t, 2)->discarded = 1;
	KUNIT_EXPECT_EQ(test, test_recover(t), 2);
}

/* Without its ring's page the open packet is lost, and only that. */
static void __init test_ring_page(struct kunit *test)
{
	struct area_test *t = test->priv;
	u64 open = test_open_seq(t), seq;

	memset(area_ring(&t->a, 0), 0xff, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, test_recover(t), 1);
	for (seq = t->from->limit; seq < open; seq++)
		KUNIT_EXPECT_TRUE(test, test_has(t, seq));
	KUNIT_EXPECT_EQ(test, lkst_ring_current(t->to), open);
	KUNIT_EXPECT_EQ(test, LKST_POS_RECORDS(t->to->pos), 0);
	KUNIT_EXPECT_EQ(test, t->to->overwritten, 0);
	/* Nor with one that says something else of it. */
	test_store(t);
	area_ring(&t->a, 0)->pos++;
	KUNIT_EXPECT_EQ(test, test_recover(t), 1);
	test_store(t);
	area_ring(&t->a, 0)->pos |= 0xffff0000;
	KUNIT_EXPECT_EQ(test, test_recover(t), 1);
	test_store(t);
	area_ring(&t->a, 0)->packets += 1ull << 33;
	area_ring(&t->a, 0)->closed = 0;
	KUNIT_EXPECT_EQ(test, test_recover(t), 1);
}

enum { LEAVE, TAKE, ANY };

/* What one wrong bit of a packet's header must come to. */
static int __init flip_header(u32 bit)
{
	u32 byte = bit / 8;

	if (byte >= offsetof(struct lkst_packet, discarded) ||
	    (byte >= offsetof(struct lkst_packet, tid) &&
	     byte < offsetof(struct lkst_packet, reserved)))
		return TAKE;
	/* Neighbours know about these. */
	if (byte >= offsetof(struct lkst_packet, begin) &&
	    byte < offsetof(struct lkst_packet, content_size))
		return ANY;
	if (byte >= offsetof(struct lkst_packet, seq) + 4 &&
	    byte < offsetof(struct lkst_packet, cpu))
		return bit / 2 == (offsetof(struct lkst_packet, cpu) * 8 - 1) / 2 ?
			LEAVE : TAKE;
	return LEAVE;
}

/* The same of a record. */
static int __init flip_record(const u64 *record, u32 bit)
{
	u32 id = LKST_RECORD_ID(*record), words = 1;

	if (id == LKST_ID_EXTENDED) {
		id = *record >> 32;
		words = 2;
	}
	if (bit < 16)
		return ANY;			/* as long as another event */
	if (bit < 31)
		return LEAVE;			/* length, lap */
	if (bit < words * 64)
		return ANY;			/* time, or number again */
	if (id == LKST_EV_user_text && bit >= words * 64 + 32 && bit < words * 64 + 64)
		return LEAVE;			/* length of the text */
	return TAKE;
}

static int __init flip_expected(const struct lkst_packet *packet, u32 bit)
{
	const u64 *word = (const u64 *)packet;
	u32 i = LKST_PACKET_WORDS, length;

	if (bit < LKST_PACKET_WORDS * 64)
		return flip_header(bit);
	for (; i < packet->content_size / 64; i += length) {
		length = LKST_RECORD_WORDS(word[i]);
		if (bit < (i + length) * 64)
			return flip_record(&word[i], bit - i * 64);
	}
	return TAKE;
}

/* One wrong bit anywhere in a packet that the guard page ends. */
static void __init test_flips(struct kunit *test)
{
	struct area_test *t = test->priv;
	u8 *copy = vmalloc(LKST_PACKET_MIN);
	struct lkst_packet *good = test_packet(t, 1);
	u32 nr = good->seq % TEST_PACKETS, i, bit, taken = 0;
	struct rnd_state random;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	prandom_seed_state(&random, 1);
	for (i = 0; i < 8000; i++) {
		int expected;
		bool took;

		bit = prandom_u32_state(&random) % (i % 2 ? LKST_PACKET_WORDS * 64 :
						    LKST_PACKET_MIN * 8);
		expected = flip_expected(good, bit);
		memcpy(copy, good, LKST_PACKET_MIN);
		copy[bit / 8] ^= 1 << bit % 8;
		took = packet_look(&t->a, 0, nr, (void *)copy, t->from) == PACKET_GOOD;
		taken += took;
		if (expected != ANY)
			KUNIT_EXPECT_EQ_MSG(test, took, expected == TAKE, "bit %u", bit);
	}
	KUNIT_EXPECT_GT(test, taken, 1000);
	vfree(copy);
}

/* Whatever is in an area, what is taken of it is what a reader can walk through. */
static void __init test_junk(struct kunit *test)
{
	struct area_test *t = test->priv;
	u32 i, n, kept = 0, bytes = TEST_PAGES * PAGE_SIZE;
	struct rnd_state random;
	u64 seq;

	prandom_seed_state(&random, 2);
	for (i = 0; i < 3000; i++) {
		test_store(t);
		for (n = prandom_u32_state(&random) % 6; n; n--) {
			u32 at = prandom_u32_state(&random) % bytes;
			u32 size = prandom_u32_state(&random) % (i % 2 ? 16 : 8192);

			prandom_bytes_state(&random, (u8 *)t->a.head + at,
					    min(size, bytes - at));
		}
		test_recover(t);
		KUNIT_EXPECT_LE(test, t->to->closed - t->to->overwritten +
				LKST_POS_RECORDS(t->to->pos), TEST_RECORDS);
		KUNIT_EXPECT_LE(test, lkst_ring_current(t->to) - t->to->limit,
				TEST_PACKETS);
		KUNIT_EXPECT_EQ(test, lkst_ring_copy_open(t->to, (void *)t->page), 0);
		for (seq = t->to->limit; seq < lkst_ring_current(t->to); seq++)
			kept += !lkst_ring_copy(t->to, seq, (void *)t->page);
	}
	KUNIT_EXPECT_GT(test, kept, 3000);
}

static struct kunit_case __refdata persist_cases[] = {
	KUNIT_CASE(test_whole),
	KUNIT_CASE(test_young),
	KUNIT_CASE(test_lay),
	KUNIT_CASE(test_head),
	KUNIT_CASE(test_packet_header),
	KUNIT_CASE(test_packet_records),
	KUNIT_CASE(test_packet_end),
	KUNIT_CASE(test_neighbours),
	KUNIT_CASE(test_ring_page),
	KUNIT_CASE(test_flips),
	KUNIT_CASE_SLOW(test_junk),
	{}
};

static struct kunit_suite __refdata persist_suite = {
	.name = "lkst_persist",
	.init = area_test_init,
	.exit = area_test_exit,
	.test_cases = persist_cases,
};

kunit_test_init_section_suite(persist_suite);
