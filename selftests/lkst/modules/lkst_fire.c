// SPDX-License-Identifier: GPL-2.0
/*
 * Fires the hook that modules have, lkst/mark, a number of times in one context
 * on one CPU. To /sys/module/lkst_fire/fire is written
 *
 *	CPU CONTEXT COUNT [FIRST [PERIOD]]
 *
 * CONTEXT is	thread		whoever writes, on that CPU meanwhile
 *		softirq		a tasklet
 *		hardirq		a timer's interrupt
 *		nmi		an NMI, in a timer's interrupt
 *
 * The marks' a goes from FIRST (1) on, their b is the number of the context, from
 * 0. With a PERIOD, in us, there is one for each that has passed; without it all
 * come at once. The write ends when all are done. Writes for several CPUs run at the
 * same time, as they would not for a module's parameter; those for one CPU do not.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/lkst.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <asm/apic.h>

enum context { THREAD, SOFTIRQ, HARDIRQ, NMI };

static const char * const contexts[] = { "thread", "softirq", "hardirq", "nmi" };

/**
 * struct shots - what is fired on a CPU
 * @lock: held by who writes to the file
 * @context: where
 * @next: a of the next mark
 * @due: marks that are due in the context
 * @left: marks that are not due yet
 * @period: between two of them, in ns
 * @since: when the first period began that is not over yet
 * @timer: makes them due
 * @tasklet: the context, if it is that
 * @nmi: an NMI is under way
 * @done: none is left
 */
struct shots {
	struct mutex lock;	/* all of it, but in the context */
	enum context context;
	u64 next;
	unsigned long due;
	unsigned long left;
	s64 period;
	ktime_t since;
	struct hrtimer timer;
	struct tasklet_struct tasklet;
	int nmi;
	struct completion done;
};

static DEFINE_PER_CPU(struct shots, shots);

/* What is due. A stack that was taken here begins with this function. */
static noinline void lkst_fire_shoot(struct shots *s)
{
	unsigned long nr = xchg(&s->due, 0);

	while (nr--)
		lkst_lkst_mark(s->next++, s->context);
}

static void tasklet_hit(struct tasklet_struct *tasklet)
{
	struct shots *s = container_of(tasklet, struct shots, tasklet);

	/* The timer adds to what is due, and schedules this again. */
	lkst_fire_shoot(s);
	if (!READ_ONCE(s->left) && !READ_ONCE(s->due))
		complete(&s->done);
}

static int nmi_hit(unsigned int type, struct pt_regs *regs)
{
	struct shots *s = this_cpu_ptr(&shots);

	if (!READ_ONCE(s->nmi))
		return NMI_DONE;
	lkst_fire_shoot(s);
	WRITE_ONCE(s->nmi, 0);
	return NMI_HANDLED;
}

static void nmi_send(struct shots *s)
{
	WRITE_ONCE(s->nmi, 1);
	__apic_send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	while (READ_ONCE(s->nmi))
		cpu_relax();
}

/* Periods that are over since the last time. */
static u64 periods_over(struct shots *s)
{
	u64 nr = div64_s64(ktime_sub(ktime_get(), s->since), s->period);

	s->since = ktime_add_ns(s->since, nr * s->period);
	return nr;
}

static enum hrtimer_restart timer_hit(struct hrtimer *timer)
{
	struct shots *s = container_of(timer, struct shots, timer);
	unsigned long nr = s->left;

	/* Not what this returns: a timer may be too coarse for the period. */
	hrtimer_forward_now(timer, s->period ?: NSEC_PER_USEC);
	if (s->period)
		nr = min_t(u64, nr, periods_over(s));
	s->due += nr;
	WRITE_ONCE(s->left, s->left - nr);
	if (s->context == SOFTIRQ)
		tasklet_schedule(&s->tasklet);
	else if (s->context == NMI)
		nmi_send(s);
	else
		lkst_fire_shoot(s);
	if (s->left)
		return HRTIMER_RESTART;
	if (s->context != SOFTIRQ)
		complete(&s->done);
	return HRTIMER_NORESTART;
}

/* This thread is on the CPU. */
static void fire(struct shots *s, unsigned long nr, u64 first, unsigned int period)
{
	s->next = first;
	s->left = nr;
	s->period = (s64)period * NSEC_PER_USEC;
	s->since = ktime_get();
	reinit_completion(&s->done);
	if (s->context == THREAD) {
		s->left = 0;
		s->due = nr;
		lkst_fire_shoot(s);
		return;
	}
	hrtimer_start(&s->timer, ns_to_ktime(s->period), HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_completion(&s->done);
	hrtimer_cancel(&s->timer);
	tasklet_kill(&s->tasklet);
}

static ssize_t fire_store(struct module_attribute *attr, struct module_kobject *mk,
			  const char *text, size_t size)
{
	unsigned int cpu, period = 0;
	struct cpumask *before;
	unsigned long nr;
	char context[8];
	struct shots *s;
	u64 first = 1;
	int err, i;

	if (sscanf(text, "%u %7s %lu %llu %u", &cpu, context, &nr, &first, &period) < 3)
		return -EINVAL;
	i = match_string(contexts, ARRAY_SIZE(contexts), context);
	if (i < 0 || !nr || cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -EINVAL;
	before = kmemdup(current->cpus_ptr, sizeof(*before), GFP_KERNEL);
	if (!before)
		return -ENOMEM;
	s = per_cpu_ptr(&shots, cpu);
	mutex_lock(&s->lock);
	err = set_cpus_allowed_ptr(current, cpumask_of(cpu));
	if (!err) {
		s->context = i;
		fire(s, nr, first, period);
		set_cpus_allowed_ptr(current, before);
	}
	mutex_unlock(&s->lock);
	kfree(before);
	return err ?: size;
}

static struct module_attribute fire_attr = __ATTR(fire, 0200, NULL, fire_store);

static int __init fire_init(void)
{
	unsigned int cpu;
	int err;

	for_each_possible_cpu(cpu) {
		struct shots *s = per_cpu_ptr(&shots, cpu);

		mutex_init(&s->lock);
		hrtimer_init(&s->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		s->timer.function = timer_hit;
		tasklet_setup(&s->tasklet, tasklet_hit);
		init_completion(&s->done);
	}
	err = register_nmi_handler(NMI_LOCAL, nmi_hit, 0, "lkst_fire");
	if (err)
		return err;
	err = sysfs_create_file(&THIS_MODULE->mkobj.kobj, &fire_attr.attr);
	if (err)
		unregister_nmi_handler(NMI_LOCAL, "lkst_fire");
	return err;
}

static void __exit fire_exit(void)
{
	sysfs_remove_file(&THIS_MODULE->mkobj.kobj, &fire_attr.attr);
	unregister_nmi_handler(NMI_LOCAL, "lkst_fire");
}

module_init(fire_init);
module_exit(fire_exit);
MODULE_DESCRIPTION("Fires a hook of LKST in a chosen context");
MODULE_LICENSE("GPL");
