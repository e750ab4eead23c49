// SPDX-License-Identifier: GPL-2.0
/*
 * Takes locks of each kind when it is loaded, a number of times: a thread on CPU 0
 * has the lock, a thread on CPU 1 waits for it, and only then it is released.
 *
 * In /sys/module/lkst_locks/parameters are the addresses of the locks.
 */
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/osq_lock.h>
#include <linux/rtmutex.h>
#include <linux/rwlock.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>

static unsigned int rounds = 10;
module_param(rounds, uint, 0400);

static DEFINE_MUTEX(the_mutex);
static DECLARE_RWSEM(the_rwsem);
static DEFINE_RT_MUTEX(the_rtmutex);
static DEFINE_SEMAPHORE(the_semaphore, 1);
static DEFINE_SPINLOCK(the_spinlock);
static DEFINE_RWLOCK(the_rwlock);

#define ADDRESS(name)							\
	static unsigned long name = (unsigned long)&the_##name;		\
	module_param(name, ulong, 0400)
ADDRESS(mutex);
ADDRESS(rwsem);
ADDRESS(rtmutex);
ADDRESS(semaphore);
ADDRESS(spinlock);
ADDRESS(rwlock);

static DECLARE_COMPLETION(taken);
static DECLARE_COMPLETION(done);
static DECLARE_COMPLETION(ended);

#define DO(name, call)							\
	static void name(void)						\
	{								\
		call;							\
	}
/* Spinlocks: sparse is to know what the function does. */
#define DO_SPIN(name, context, call)					\
	static context void name(void)					\
	{								\
		call;							\
	}
#define IS(name, condition)						\
	static bool name(void)						\
	{								\
		return condition;					\
	}

/* Who spins for the owner of a mutex, as that runs, is in no list yet. */
#ifdef CONFIG_MUTEX_SPIN_ON_OWNER
#define MUTEX_SPUN_FOR	osq_is_locked(&the_mutex.osq)
#else
#define MUTEX_SPUN_FOR	false
#endif

DO(take_mutex, mutex_lock(&the_mutex))
DO(give_mutex, mutex_unlock(&the_mutex))
IS(wait_mutex, !list_empty_careful(&the_mutex.wait_list) || MUTEX_SPUN_FOR)

DO(take_read, down_read(&the_rwsem))
DO(give_read, up_read(&the_rwsem))
DO(take_write, down_write(&the_rwsem))
DO(give_write, up_write(&the_rwsem))
IS(wait_rwsem, rwsem_is_contended(&the_rwsem))

DO(take_rtmutex, rt_mutex_lock(&the_rtmutex))
DO(give_rtmutex, rt_mutex_unlock(&the_rtmutex))
IS(wait_rtmutex, !RB_EMPTY_ROOT(&the_rtmutex.rtmutex.waiters.rb_root))

DO(take_semaphore, down(&the_semaphore))
DO(give_semaphore, up(&the_semaphore))
IS(wait_semaphore, !list_empty_careful(&the_semaphore.wait_list))

DO_SPIN(take_spin, __acquires(&the_spinlock), spin_lock(&the_spinlock))
DO_SPIN(give_spin, __releases(&the_spinlock), spin_unlock(&the_spinlock))
IS(wait_spin, spin_is_contended(&the_spinlock))

DO_SPIN(take_read_spin, __acquires(&the_rwlock), read_lock(&the_rwlock))
DO_SPIN(give_read_spin, __releases(&the_rwlock), read_unlock(&the_rwlock))
DO_SPIN(take_write_spin, __acquires(&the_rwlock), write_lock(&the_rwlock))
DO_SPIN(give_write_spin, __releases(&the_rwlock), write_unlock(&the_rwlock))
IS(wait_rwlock, rwlock_is_contended(&the_rwlock))

/**
 * struct kind - how two threads meet at a lock
 * @take: the first takes it
 * @give: the first releases it
 * @waits: does the second wait?
 * @take_other: the second takes it
 * @give_other: the second releases it
 */
struct kind {
	void (*take)(void);
	void (*give)(void);
	bool (*waits)(void);
	void (*take_other)(void);
	void (*give_other)(void);
};

static const struct kind kinds[] = {
	{ take_mutex, give_mutex, wait_mutex, take_mutex, give_mutex },
	{ take_write, give_write, wait_rwsem, take_read, give_read },
	{ take_read, give_read, wait_rwsem, take_write, give_write },
	{ take_rtmutex, give_rtmutex, wait_rtmutex, take_rtmutex, give_rtmutex },
	{ take_semaphore, give_semaphore, wait_semaphore, take_semaphore, give_semaphore },
	{ take_spin, give_spin, wait_spin, take_spin, give_spin },
	{ take_write_spin, give_write_spin, wait_rwlock, take_read_spin, give_read_spin },
	{ take_read_spin, give_read_spin, wait_rwlock, take_write_spin, give_write_spin },
};

static int other(void *unused)
{
	unsigned int i, round;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (round = 0; round < rounds; round++) {
			wait_for_completion(&taken);
			kinds[i].take_other();
			kinds[i].give_other();
			complete(&done);
		}
	}
	return 0;
}

static int first(void *unused)
{
	unsigned int i, round;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		for (round = 0; round < rounds; round++) {
			/* A spinlock that is held forbids to sleep, not to wake. */
			kinds[i].take();
			complete(&taken);
			while (!kinds[i].waits())
				cpu_relax();
			kinds[i].give();
			wait_for_completion(&done);
		}
	}
	complete(&ended);
	return 0;
}

static int __init locks_init(void)
{
	struct task_struct *a = kthread_create(first, NULL, "lkst_first");
	struct task_struct *b = kthread_create(other, NULL, "lkst_other");

	if (IS_ERR(a) || IS_ERR(b))
		return -ENOMEM;
	kthread_bind(a, 0);
	kthread_bind(b, 1);
	get_task_struct(a);
	get_task_struct(b);
	wake_up_process(a);
	wake_up_process(b);
	/* A thread that is stopped before it has begun would not begin. */
	wait_for_completion(&ended);
	kthread_stop(a);
	kthread_stop(b);
	put_task_struct(a);
	put_task_struct(b);
	return 0;
}
module_init(locks_init);

static void __exit locks_exit(void)
{
}
module_exit(locks_exit);

MODULE_DESCRIPTION("Locks that two threads want, for tests of what the trace says");
MODULE_LICENSE("GPL");
