// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the trace: which one, how long its ticks are, and what happens
 * when it restarts or is found out to be bad.
 *
 * /sys/kernel/lkst/clock
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/cpufeature.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "lkst.h"
#include "ring.h"

/* On while timestamps are the time-stamp counter's. */
DEFINE_STATIC_KEY_FALSE(lkst_clock_tsc);

/* What is added to the counter; set while one CPU runs, interrupts off. */
u64 lkst_clock_offset __read_mostly;

/* The clock when the machine was suspended. */
static u64 clock_suspended;

/**
 * lkst_clock_fallback() - Read the clock that needs no time-stamp counter
 * @ring: the ring of this CPU, or NULL
 *
 * The kernel's NMI-safe clock may step back when it is read in an NMI that hits
 * its update, so it is clamped to the last time that @ring had, by a word which
 * is raised before the ring's position moves.
 *
 * Context: any, preemption off.
 * Return: ns, from 1.
 */
u64 lkst_clock_fallback(struct lkst_ring *ring)
{
	u64 now = ktime_get_mono_fast_ns() + 1, last;

	if (!ring)
		return now;
	last = READ_ONCE(ring->clamp);
	do {
		if (now <= last)
			return last;
	} while (!try_cmpxchg_local(&ring->clamp, &last, now));
	return now;
}

NOKPROBE_SYMBOL(lkst_clock_fallback);

/* Early in boot its frequency may not be known yet, which does not matter. */
static bool tsc_is_good(void)
{
#ifdef CONFIG_X86
	return boot_cpu_has(X86_FEATURE_TSC) && !check_tsc_unstable() &&
	       (tsc_khz || system_state == SYSTEM_BOOTING);
#else
	return false;
#endif
}

/**
 * lkst_clock_hz() - How long a tick is
 *
 * Return: ticks a second, the refined frequency once the kernel knows it; 0 early
 * in boot, when it may know none.
 */
u64 lkst_clock_hz(void)
{
#ifdef CONFIG_X86
	if (static_key_enabled(&lkst_clock_tsc))
		return (u64)tsc_khz * 1000;
#endif
	return NSEC_PER_SEC;
}

static u32 clock_kind(void)
{
	return static_key_enabled(&lkst_clock_tsc) ? LKST_CLOCK_TSC : LKST_CLOCK_FALLBACK;
}

/**
 * lkst_clock_kind_name() - Name a kind of timestamps
 * @clock: LKST_CLOCK_*
 *
 * Return: "tsc" or "monotonic".
 */
const char *lkst_clock_kind_name(u32 clock)
{
	return clock == LKST_CLOCK_TSC ? "tsc" : "monotonic";
}

/**
 * lkst_clock_name() - What the timestamps are
 *
 * Return: as lkst_clock_kind_name() has it.
 */
const char *lkst_clock_name(void)
{
	return lkst_clock_kind_name(clock_kind());
}

/**
 * lkst_clock_pair() - Read clock and wall time as one
 * @clock: set to the clock, in ticks
 * @wall_ns: set to wall time then, in ns since 1970
 */
void lkst_clock_pair(u64 *clock, u64 *wall_ns)
{
	unsigned long flags;

	local_irq_save(flags);
	*clock = lkst_clock(NULL);
	*wall_ns = ktime_get_real_fast_ns();
	local_irq_restore(flags);
}

/**
 * lkst_clock_moment() - Say what the clock is, and was at this moment
 * @moment: set to it
 *
 * Context: any.
 */
void lkst_clock_moment(struct lkst_moment *moment)
{
	moment->clock = clock_kind();
	moment->spare = 0;
	moment->hz = lkst_clock_hz();
	lkst_clock_pair(&moment->ticks, &moment->wall_ns);
}

/*
 * Tell dump readers, and the next boot; a reader of a live system gets fresh numbers.
 * A pair that was read before a step does not come after the one that was read after
 * it.
 */
static void clock_publish(void)
{
	static DEFINE_RAW_SPINLOCK(publish_lock);
	struct lkst_moment now;
	unsigned long flags;

	raw_spin_lock_irqsave(&publish_lock, flags);
	lkst_clock_moment(&now);
	WRITE_ONCE(lkst_state->clock, now.clock);
	WRITE_ONCE(lkst_state->hz, now.hz);
	WRITE_ONCE(lkst_state->offset, lkst_clock_offset);
	WRITE_ONCE(lkst_state->pair_clock, now.ticks);
	WRITE_ONCE(lkst_state->pair_wall_ns, now.wall_ns);
	lkst_area_moment();
	raw_spin_unlock_irqrestore(&publish_lock, flags);
}

static void heads_write(struct work_struct *work)
{
	mutex_lock(&lkst_lock);
	lkst_buffers_head();
	mutex_unlock(&lkst_lock);
}

static DECLARE_WORK(heads_work, heads_write);

/* How often a dump reader's idea of the clock is put right: wall time is slewed. */
#define REFRESH_PERIOD	(60 * HZ)

static void clock_refresh(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(refresh_work, clock_refresh);

static void clock_refresh(struct work_struct *work)
{
	clock_publish();
	heads_write(work);
	schedule_delayed_work(&refresh_work, REFRESH_PERIOD);
}

/**
 * lkst_clock_record() - Record all clocks at this moment
 *
 * Context: any.
 */
void lkst_clock_record(void)
{
	lkst_lkst_clock(ktime_get_real_fast_ns(), ktime_get_mono_fast_ns(),
			ktime_get_boot_fast_ns());
}

/* Timers wait for this to return, so it does not wait for lkst_lock. */
void lkst_clock_was_set(void)
{
	if (!lkst_state)
		return;
	lkst_clock_record();
	clock_publish();
	schedule_work(&heads_work);
}

/* Timestamps of one kind only in a buffer: all are replaced, none keeps its data. */
static void clock_change(struct work_struct *work)
{
	bool on;

	mutex_lock(&lkst_lock);
	if (tsc_is_good() != static_key_enabled(&lkst_clock_tsc)) {
		on = lkst_pause();
		if (tsc_is_good())
			static_branch_enable(&lkst_clock_tsc);
		else
			static_branch_disable(&lkst_clock_tsc);
		lkst_buffers_refresh();
		clock_publish();
		lkst_enable(on);
		lkst_clock_record();
		pr_notice("the clock is now %s: all buffers begin anew\n",
			  lkst_clock_name());
	}
	mutex_unlock(&lkst_lock);
}

static DECLARE_WORK(change_work, clock_change);

void lkst_clock_unstable(void)
{
	/* The work knows best: the key may be about to be turned on. */
	if (lkst_state)
		schedule_work(&change_work);
}

void lkst_clock_suspend(void)
{
	clock_suspended = lkst_clock(NULL);
}

/* The counter restarts in suspend to RAM; the trace goes on where it was. */
void lkst_clock_resume(void)
{
	u64 now = lkst_clock(NULL);

	if (!lkst_state)
		return;
	if (static_key_enabled(&lkst_clock_tsc) && now < clock_suspended)
		WRITE_ONCE(lkst_clock_offset,
			   lkst_clock_offset + clock_suspended - now);
	clock_publish();
	lkst_clock_record();
	schedule_work(&heads_work);
}

void __init lkst_clock_init_early(void)
{
	if (tsc_is_good())
		static_branch_enable(&lkst_clock_tsc);
}

void __init lkst_clock_init(void)
{
	clock_publish();
	lkst_clock_record();
}

static ssize_t clock_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", lkst_clock_name());
}

static const struct kobj_attribute clock_attr = __ATTR(clock, 0400, clock_show, NULL);

int __init lkst_clock_add(struct kobject *root)
{
	return sysfs_create_file(root, &clock_attr.attr);
}

/*
 * The boot may have found a better clock than there was early, or a worse one; and
 * it goes on to refine the counter's frequency for some seconds.
 */
static int __init lkst_clock_init_late(void)
{
	if (lkst_state) {
		schedule_work(&change_work);
		schedule_delayed_work(&refresh_work, 10 * HZ);
	}
	return 0;
}
late_initcall(lkst_clock_init_late);
