/* SPDX-License-Identifier: GPL-2.0 */
/* KUnit tests of task.c: who falls out of the table of names. */
#include <kunit/test.h>

/* A bucket of its own takes the place of the table. */
static struct lkst_task test_bucket[BUCKET_SIZE];

static struct {
	struct lkst_task *table;
	unsigned int bits;
	u64 fallen;
} saved;

static int task_test_init(struct kunit *test)
{
	unsigned long flags;

	/* The threads that run meanwhile find the key off. */
	static_branch_disable(&lkst_task_key);
	raw_spin_lock_irqsave(&table_lock, flags);
	saved.table = table;
	saved.bits = bucket_bits;
	saved.fallen = lkst_state->task_fallen;
	memset(test_bucket, 0, sizeof(test_bucket));
	table = test_bucket;
	bucket_bits = 0;
	raw_spin_unlock_irqrestore(&table_lock, flags);
	return 0;
}

static void task_test_exit(struct kunit *test)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	table = saved.table;
	bucket_bits = saved.bits;
	lkst_state->task_fallen = saved.fallen;
	raw_spin_unlock_irqrestore(&table_lock, flags);
	if (table)
		static_branch_enable(&lkst_task_key);
}

static struct task_struct *test_task(struct kunit *test, pid_t tid)
{
	struct task_struct *p = kunit_kzalloc(test, sizeof(*p), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, p);
	p->pid = tid;
	p->tgid = tid;
	return p;
}

static void test_names(struct kunit *test)
{
	struct task_struct *p = test_task(test, 100);

	__lkst_task_name(p, "first");
	__lkst_task_name(p, "a name of fifteen and more");
	KUNIT_ASSERT_NOT_NULL(test, entry_find(100));
	KUNIT_EXPECT_STREQ(test, (char *)entry_find(100)->comm, "a name of fifte");
	KUNIT_EXPECT_EQ(test, entry_find(100)->alive, 1);
	__lkst_task_gone(p);
	KUNIT_ASSERT_NOT_NULL(test, entry_find(100));
	KUNIT_EXPECT_EQ(test, entry_find(100)->alive, 0);
	p->flags |= PF_EXITING;
	__lkst_task_name(p, "ghost");
	KUNIT_EXPECT_EQ(test, entry_find(100)->alive, 0);
}

static void test_fall_out(struct kunit *test)
{
	u64 fallen = lkst_state->task_fallen;
	pid_t tid;

	for (tid = 1; tid <= BUCKET_SIZE; tid++)
		__lkst_task_name(test_task(test, tid), "x");
	__lkst_task_gone(test_task(test, 5));
	__lkst_task_gone(test_task(test, 3));
	/* The task gone longest goes first, at no loss. */
	__lkst_task_name(test_task(test, 101), "x");
	KUNIT_EXPECT_NULL(test, entry_find(5));
	__lkst_task_name(test_task(test, 102), "x");
	KUNIT_EXPECT_NULL(test, entry_find(3));
	KUNIT_EXPECT_EQ(test, lkst_state->task_fallen, fallen);
	/* Then the live one that was named first, and that is counted. */
	__lkst_task_name(test_task(test, 103), "x");
	KUNIT_EXPECT_NULL(test, entry_find(1));
	KUNIT_EXPECT_NOT_NULL(test, entry_find(2));
	KUNIT_EXPECT_EQ(test, lkst_state->task_fallen, fallen + 1);
}

static struct kunit_case task_cases[] = {
	KUNIT_CASE(test_names),
	KUNIT_CASE(test_fall_out),
	{}
};

static struct kunit_suite task_suite = {
	.name = "lkst_task",
	.init = task_test_init,
	.exit = task_test_exit,
	.test_cases = task_cases,
};

kunit_test_suite(task_suite);
