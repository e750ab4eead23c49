// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the kernel do a known number of things that no system call asks for. To
 * /sys/module/lkst_defer/defer is written
 *
 *	WHAT COUNT
 *
 * WHAT is	work		a work is queued, and waited for
 *		thread		a kernel thread is made, and stopped
 *		wait		a thread waits in a queue, for who writes
 *
 * The write ends when all are done.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

static DECLARE_WAIT_QUEUE_HEAD(lkst_defer_queue);
static bool called;

static noinline void lkst_defer_work(struct work_struct *work)
{
}

static DECLARE_WORK(the_work, lkst_defer_work);

static noinline int lkst_defer_thread(void *data)
{
	struct completion *parked = data;

	complete(parked);
	while (!kthread_should_stop())
		wait_event_interruptible(lkst_defer_queue, kthread_should_stop());
	return 0;
}

/* Waits once: nobody else wakes the queue. */
static noinline int lkst_defer_wait(void *data)
{
	wait_event(lkst_defer_queue, READ_ONCE(called));
	complete(data);
	return 0;
}

static int do_work(void)
{
	schedule_work(&the_work);
	flush_work(&the_work);
	return 0;
}

static int do_thread(void)
{
	struct task_struct *task;
	DECLARE_COMPLETION_ONSTACK(parked);

	task = kthread_run(lkst_defer_thread, &parked, "lkst_defer");
	if (IS_ERR(task))
		return PTR_ERR(task);
	wait_for_completion(&parked);
	return kthread_stop(task);
}

static int do_wait(void)
{
	struct task_struct *task;
	DECLARE_COMPLETION_ONSTACK(done);

	WRITE_ONCE(called, false);
	task = kthread_run(lkst_defer_wait, &done, "lkst_defer");
	if (IS_ERR(task))
		return PTR_ERR(task);
	while (!wq_has_sleeper(&lkst_defer_queue))
		schedule_timeout_uninterruptible(1);
	WRITE_ONCE(called, true);
	wake_up(&lkst_defer_queue);
	wait_for_completion(&done);
	return 0;
}

static ssize_t defer_store(struct module_attribute *attr, struct module_kobject *mk,
			   const char *text, size_t size)
{
	unsigned int nr;
	char what[8];
	int err = 0;

	if (sscanf(text, "%7s %u", what, &nr) != 2)
		return -EINVAL;
	while (nr-- && !err) {
		if (!strcmp(what, "work"))
			err = do_work();
		else if (!strcmp(what, "thread"))
			err = do_thread();
		else if (!strcmp(what, "wait"))
			err = do_wait();
		else
			err = -EINVAL;
	}
	return err ?: size;
}

static struct module_attribute defer_attr = __ATTR(defer, 0200, NULL, defer_store);

static int __init defer_init(void)
{
	return sysfs_create_file(&THIS_MODULE->mkobj.kobj, &defer_attr.attr);
}

static void __exit defer_exit(void)
{
	sysfs_remove_file(&THIS_MODULE->mkobj.kobj, &defer_attr.attr);
}

module_init(defer_init);
module_exit(defer_exit);
MODULE_DESCRIPTION("Has works, kernel threads and waits, as many as wanted");
MODULE_LICENSE("GPL");
