// SPDX-License-Identifier: GPL-2.0
/*
 * Notices: how a handler, in whatever context, wakes who polls, and says in the
 * kernel log that it fired.
 *
 * /sys/kernel/lkst/handlers/NAME/fired
 * /sys/kernel/lkst/handlers/NAME/suppressed
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>

#include "lkst.h"

#define to_handler(k)	container_of(k, struct lkst_handler, kobj)

/**
 * lkst_firing_count() - Count a firing
 * @handler: the handler that fires
 * @limit: how often it may, or 0
 *
 * Context: any.
 * Return: the number of this firing, from 1; or 0 where the limit is reached.
 */
u64 lkst_firing_count(struct lkst_handler *handler, u64 limit)
{
	s64 fired = atomic64_read(&handler->fired);

	do {
		if (limit && (u64)fired >= limit)
			return 0;
	} while (!atomic64_try_cmpxchg(&handler->fired, &fired, fired + 1));
	return fired + 1;
}

NOKPROBE_SYMBOL(lkst_firing_count);

/**
 * lkst_firing_note() - Remember when and where a handler fired
 * @handler: the handler
 * @nr: from lkst_firing_count()
 * @id: number of the event
 *
 * Context: any, preemption off. Firings on several CPUs, or nested, have a place
 * each; who reads sees by the number whether it is whole.
 */
void lkst_firing_note(struct lkst_handler *handler, u64 nr, u32 id)
{
	struct lkst_firing *last = &handler->last[nr % LKST_FIRINGS];

	WRITE_ONCE(last->nr, 0);
	smp_wmb();	/* pairs with the second rmb in firing_read() */
	last->time_ns = ktime_get_mono_fast_ns();
	last->cpu = raw_smp_processor_id();
	last->tid = current->pid;
	last->id = id;
	smp_wmb();	/* pairs with the first rmb in firing_read() */
	WRITE_ONCE(last->nr, nr);
}

NOKPROBE_SYMBOL(lkst_firing_note);

/* The last firing that is whole. */
static bool firing_read(const struct lkst_handler *handler, struct lkst_firing *firing)
{
	u64 nr = atomic64_read(&handler->fired), i;

	for (i = 0; i < LKST_FIRINGS && i < nr; i++) {
		const struct lkst_firing *last = &handler->last[(nr - i) % LKST_FIRINGS];
		u64 before = READ_ONCE(last->nr);

		smp_rmb();	/* pairs with the second wmb in lkst_firing_note() */
		*firing = *last;
		smp_rmb();	/* pairs with the first wmb in lkst_firing_note() */
		if (before == nr - i && READ_ONCE(last->nr) == before)
			return true;
	}
	return false;
}

/**
 * lkst_firing_show() - Write the last firing as text
 * @handler: the handler
 * @buf: a page
 *
 * Return: bytes written; nothing where it has not fired.
 */
ssize_t lkst_firing_show(const struct lkst_handler *handler, char *buf)
{
	struct lkst_firing firing;
	u64 seconds;
	u32 ns;

	if (!firing_read(handler, &firing))
		return 0;
	seconds = div_u64_rem(firing.time_ns, NSEC_PER_SEC, &ns);
	return sysfs_emit(buf, "%llu.%09u cpu=%u tid=%d %s/%s\n", seconds, ns, firing.cpu,
			  firing.tid, lkst_events[firing.id].group,
			  lkst_events[firing.id].name);
}

static void log_firing(struct lkst_handler *handler)
{
	u64 fired = atomic64_read(&handler->fired);
	struct lkst_firing firing;

	if (firing_read(handler, &firing))
		pr_notice_ratelimited("handler %s fired, %llu times so far, last at %s/%s on CPU %u in thread %d\n",
				      handler->name, fired, lkst_events[firing.id].group,
				      lkst_events[firing.id].name, firing.cpu, firing.tid);
}

/*
 * Nothing that this raises fires a handler, except under PREEMPT_RT: there it runs
 * in a thread that may sleep, and so must not keep others from firing. What has
 * woken a reader once does not do so again before that has read.
 */
static void notice_work(struct irq_work *work)
{
	struct lkst_handler *handler = container_of(work, struct lkst_handler, work);
	unsigned int what = xchg(&handler->notices, 0);
	bool began = !IS_ENABLED(CONFIG_PREEMPT_RT) && lkst_act_begin(NULL);

	if (what & LKST_NOTICE_LOG)
		log_firing(handler);
	if (what & LKST_NOTICE_POLL)
		sysfs_notify_dirent(handler->fired_file);
	if (began)
		lkst_act_end();
}

/**
 * lkst_notice() - Let it be known that a handler fired
 * @handler: the handler; lkst_firing_count() was called before
 * @what: LKST_NOTICE_*
 *
 * Whoever polls is woken once until somebody reads `fired`; so what the wakeup
 * itself raises cannot go on waking, and no firing stays unseen: either the reader
 * sees the count of this one, or this sees that the count was read.
 *
 * Context: any, preemption off. The rest is left to irq_work, as this may be under
 * the run queue's lock.
 */
void lkst_notice(struct lkst_handler *handler, unsigned int what)
{
	unsigned int old = READ_ONCE(handler->notices);

	smp_mb();	/* after the count; pairs with the one in fired_show() */
	if (what & LKST_NOTICE_POLL) {
		if (READ_ONCE(handler->notified))
			what &= ~LKST_NOTICE_POLL;
		else
			WRITE_ONCE(handler->notified, true);
	}
	if (!what)
		return;
	while (!try_cmpxchg(&handler->notices, &old, old | what))
		;
	lkst_irq_work(&handler->work);
}

NOKPROBE_SYMBOL(lkst_notice);

/**
 * lkst_notices_resume() - Give the notices of CPUs that went away
 *
 * Context: process, lkst_lock held.
 */
void lkst_notices_resume(void)
{
	struct lkst_handler *handler;

	list_for_each_entry(handler, &lkst_handlers, list)
		if (READ_ONCE(handler->notices))
			irq_work_queue(&handler->work);
}

static ssize_t fired_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct lkst_handler *handler = to_handler(kobj);

	WRITE_ONCE(handler->notified, false);
	smp_mb();	/* before the count; pairs with the one in lkst_notice() */
	return sysfs_emit(buf, "%lld\n", atomic64_read(&handler->fired));
}

/* "0" begins anew. */
static ssize_t fired_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t size)
{
	struct lkst_handler *handler = to_handler(kobj);
	bool value;
	int err;

	err = lkst_input_bool(buf, size, &value);
	if (err || value)
		return err ?: -EINVAL;
	if (handler->type->rearm)
		handler->type->rearm(handler);
	atomic_long_set(&handler->suppressed, 0);
	atomic64_set(&handler->fired, 0);
	return size;
}

static ssize_t suppressed_show(struct kobject *kobj, struct kobj_attribute *attr,
			       char *buf)
{
	return sysfs_emit(buf, "%ld\n", atomic_long_read(&to_handler(kobj)->suppressed));
}

static struct kobj_attribute fired_attr = __ATTR(fired, 0600, fired_show, fired_store);
static struct kobj_attribute suppressed_attr =
	__ATTR(suppressed, 0400, suppressed_show, NULL);

static struct attribute *notice_attrs[] = {
	&fired_attr.attr,
	&suppressed_attr.attr,
	NULL
};

static const struct attribute_group notice_group = { .attrs = notice_attrs };

/**
 * lkst_notice_add() - Give a handler its files `fired` and `suppressed`
 * @handler: the handler, whose directory is there
 *
 * Context: process.
 * Return: 0 or a negative errno.
 */
int lkst_notice_add(struct lkst_handler *handler)
{
	int err = sysfs_create_group(&handler->kobj, &notice_group);

	if (err)
		return err;
	handler->fired_file = sysfs_get_dirent(handler->kobj.sd, "fired");
	return handler->fired_file ? 0 : -ENOENT;
}

/**
 * lkst_notice_init() - Prepare a handler for notices
 * @handler: the handler
 */
void lkst_notice_init(struct lkst_handler *handler)
{
	init_irq_work(&handler->work, notice_work);
}

/**
 * lkst_notice_drop() - Wait for what lkst_notice() left to be done
 * @handler: the handler, which nobody can hit any more
 *
 * Context: process, may sleep.
 */
void lkst_notice_drop(struct lkst_handler *handler)
{
	irq_work_sync(&handler->work);
	/* Who still polls learns that there is nothing to come. */
	if (handler->fired_file)
		sysfs_notify_dirent(handler->fired_file);
	sysfs_put(handler->fired_file);
}
