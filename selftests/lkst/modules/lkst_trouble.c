// SPDX-License-Identifier: GPL-2.0
/*
 * Makes what the kernel complains of when it is loaded, as its parameter says:
 *	how=warn	WARN_ON()
 *	how=hung	a thread sleeps uninterruptibly
 *	how=soft	a CPU does not schedule
 *	how=hard	a CPU takes no interrupt
 *	how=rcu		a reader does not end
 * for some seconds, on CPU 1 where that matters; then all is well again.
 */
#include <linux/bug.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

static char *how = "warn";
module_param(how, charp, 0400);
MODULE_PARM_DESC(how, "warn, hung, soft, hard or rcu");

static unsigned int seconds = 6;
module_param(seconds, uint, 0400);
MODULE_PARM_DESC(seconds, "for how long (6)");

static DECLARE_COMPLETION(ended);

static void spin(void)
{
	unsigned int ms = seconds * 1000;

	while (ms--)
		mdelay(1);
}

static int trouble(void *unused)
{
	unsigned long flags;

	if (!strcmp(how, "hung")) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_timeout(seconds * HZ);
	} else if (!strcmp(how, "soft")) {
		preempt_disable();
		spin();
		preempt_enable();
	} else if (!strcmp(how, "hard")) {
		local_irq_save(flags);
		spin();
		local_irq_restore(flags);
	} else if (!strcmp(how, "rcu")) {
		rcu_read_lock();
		spin();
		rcu_read_unlock();
	}
	complete(&ended);
	return 0;
}

static int __init trouble_init(void)
{
	struct task_struct *task;

	if (!strcmp(how, "warn")) {
		WARN_ON(seconds);
		return 0;
	}
	task = kthread_create(trouble, NULL, "lkst_trouble");
	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	kthread_bind(task, 1);
	wake_up_process(task);
	/* A thread that is stopped before it has begun would not begin. */
	wait_for_completion_interruptible(&ended);
	kthread_stop(task);
	put_task_struct(task);
	return 0;
}
module_init(trouble_init);

static void __exit trouble_exit(void)
{
}
module_exit(trouble_exit);

MODULE_DESCRIPTION("Troubles of a kernel, for tests of what the trace says of them");
MODULE_LICENSE("GPL");
