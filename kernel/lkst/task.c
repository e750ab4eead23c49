// SPDX-License-Identifier: GPL-2.0
/*
 * The table of task names, for crash dumps: a thread that the trace mentions has
 * a name even when its fork left the ring long ago.
 *
 * The table has buckets of eight entries, chosen by a hash of the thread's
 * number. A new name takes its own entry if it has one, else a free one, else
 * that of the task gone longest, else that of the live one that was named first:
 * only the last loses anything, and is counted in lkst_state.task_fallen.
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/gfp.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "lkst.h"

#define BUCKET_SIZE	8u
#define ENTRIES_MAX	((u32)BIT(20))

DEFINE_STATIC_KEY_FALSE(lkst_task_key);

static struct lkst_task *table;		/* table_lock, but for dump readers */
static unsigned int bucket_bits;
static u32 stamp;			/* table_lock */
static DEFINE_RAW_SPINLOCK(table_lock);

static struct lkst_task *bucket_of(pid_t tid)
{
	return table + BUCKET_SIZE * (bucket_bits ? hash_32(tid, bucket_bits) : 0);
}

/* The entry of @tid, or NULL. */
static struct lkst_task *entry_find(pid_t tid)
{
	struct lkst_task *bucket = bucket_of(tid);
	unsigned int i;

	for (i = 0; i < BUCKET_SIZE; i++)
		if (bucket[i].tid == tid)
			return &bucket[i];
	return NULL;
}

/* Is it better to give up @a than @b? */
static bool entry_worse(const struct lkst_task *a, const struct lkst_task *b)
{
	if (!a->tid || !b->tid)
		return !a->tid && b->tid;
	if (a->alive != b->alive)
		return !a->alive;
	return (s32)(a->stamp - b->stamp) < 0;
}

static struct lkst_task *entry_take(pid_t tid)
{
	struct lkst_task *bucket = bucket_of(tid), *worst = bucket;
	unsigned int i;

	for (i = 1; i < BUCKET_SIZE; i++)
		if (entry_worse(&bucket[i], worst))
			worst = &bucket[i];
	if (worst->tid && worst->alive)
		lkst_state->task_fallen++;
	return worst;
}

static void entry_set(const struct task_struct *p, const char *name)
{
	struct lkst_task *entry = entry_find(p->pid);

	if (!entry) {
		entry = entry_take(p->pid);
		WRITE_ONCE(entry->tid, 0);
		smp_wmb();	/* a dump has the old entry whole, or none */
		entry->stamp = stamp++;
	}
	entry->tgid = p->tgid;
	entry->alive = 1;
	strscpy_pad(entry->comm, name, sizeof(entry->comm));
	/* As above, for the new one. */
	smp_store_release(&entry->tid, p->pid);
}

void __lkst_task_name(const struct task_struct *p, const char *name)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	/*
	 * A write to a thread that was released does not revive it, nor rename
	 * the next one of its number. Under the lock: __lkst_task_gone() comes
	 * after the flag was set.
	 */
	if (!(p->flags & PF_EXITING))
		entry_set(p, name);
	raw_spin_unlock_irqrestore(&table_lock, flags);
}

void __lkst_task_gone(const struct task_struct *p)
{
	struct lkst_task *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&table_lock, flags);
	entry = entry_find(p->pid);
	if (entry) {
		entry->alive = 0;
		entry->stamp = stamp++;
	}
	raw_spin_unlock_irqrestore(&table_lock, flags);
}

static bool table_alloc(unsigned int entries)
{
	struct lkst_task *area = lkst_area_tasks(entries);
	size_t size = entries * sizeof(*table);

	table = area ?: alloc_pages_exact(size, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (table && !lkst_dir_add(LKST_DIR_TASKS, 0, 0, __pa(table), size)) {
		if (!area)
			free_pages_exact(table, size);
		table = NULL;
	}
	return table;
}

/**
 * lkst_tasks_entries() - How many entries a table has
 * @wanted: how many are asked for; 0 for none
 *
 * Return: a power of two, or 0.
 */
unsigned int lkst_tasks_entries(unsigned int wanted)
{
	return wanted ? roundup_pow_of_two(clamp(wanted, BUCKET_SIZE, ENTRIES_MAX)) : 0;
}

/**
 * lkst_tasks_init() - Make the table, and fill in who lives already
 * @entries: its size; rounded up to a power of two, 0 for none. Less, if that is
 *	not to be had in one piece
 *
 * Context: process, may sleep; lkst_lock held.
 */
void lkst_tasks_init(unsigned int entries)
{
	struct task_struct *p, *t;
	unsigned int wanted;

	entries = lkst_tasks_entries(entries);
	if (!entries)
		return;
	wanted = entries;
	while (!table_alloc(entries) && entries > BUCKET_SIZE)
		entries /= 2;
	if (!table || entries < wanted)
		pr_notice("the table of task names has %u entries, not %u: no memory in one piece\n",
			  table ? entries : 0, wanted);
	if (!table)
		return;
	bucket_bits = ilog2(entries / BUCKET_SIZE);
	static_branch_enable(&lkst_task_key);
	rcu_read_lock();
	for_each_process_thread(p, t)
		__lkst_task_name(t, t->comm);
	rcu_read_unlock();
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/task_kunit.h"
#endif
