// SPDX-License-Identifier: GPL-2.0
/*
 * A watchdog that keeps the trace: when a process misses its beat, what led to
 * that stays in the buffer that was current, and recording goes on in another.
 *
 *	# echo after-miss > /sys/kernel/lkst/buffers/create
 *	# insmod lkst_watchdog.ko buffer=after-miss timeout=500
 *	# cd /sys/module/lkst_watchdog/parameters
 *	# while echo 1 > beat; do usleep 100000; done
 *
 * In /sys/module/lkst_watchdog/parameters/:
 *
 * buffer	what to switch to
 * timeout	ms from one beat to when the next is missed (1000); read at each beat
 * panic	1: a missed beat is a panic, so that kdump keeps the trace too (0)
 * beat		1 is a beat, and begins to watch; 0 ends that
 * missed	how many beats were missed
 *
 * A miss counts once: the next beat begins anew. When the trace was copied, make
 * the buffer that was left the current one again, or the next miss keeps nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hrtimer.h>
#include <linux/kstrtox.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/panic.h>

static char *buffer;
module_param(buffer, charp, 0400);
MODULE_PARM_DESC(buffer, "name of the buffer to switch to");

static unsigned int timeout = 1000;
module_param(timeout, uint, 0600);
MODULE_PARM_DESC(timeout, "ms until a beat is missed");

static bool panics;
module_param_named(panic, panics, bool, 0600);
MODULE_PARM_DESC(panic, "panic when a beat is missed");

static unsigned int missed;
module_param(missed, uint, 0400);
MODULE_PARM_DESC(missed, "beats that were missed");

/* Held while the module is loaded; NULL before and after. kernel_param_lock() */
static struct lkst_buffer *other;
static struct hrtimer timer;

/* Hard interrupt: soft interrupts and threads may be what hangs. */
static enum hrtimer_restart beat_missed(struct hrtimer *t)
{
	lkst_buffer_switch(other);
	WRITE_ONCE(missed, missed + 1);
	if (READ_ONCE(panics))
		panic("%s: no beat", KBUILD_MODNAME);
	pr_warn("no beat: what led to it is kept, recording goes on in buffer %s\n", buffer);
	return HRTIMER_NORESTART;
}

/* Called before the module is initialised, too. */
static int beat_set(const char *text, const struct kernel_param *param)
{
	unsigned int ms = READ_ONCE(timeout);
	bool on;
	int err = kstrtobool(text, &on);

	if (err)
		return err;
	if (!other)
		return -ENODEV;
	if (!on)
		hrtimer_cancel(&timer);
	else if (ms)
		hrtimer_start(&timer, ms_to_ktime(ms), HRTIMER_MODE_REL_HARD);
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops beat_ops = { .set = beat_set };
module_param_cb(beat, &beat_ops, NULL, 0200);
MODULE_PARM_DESC(beat, "1 is a beat, 0 ends the watch");

static int __init watchdog_init(void)
{
	struct lkst_buffer *found = buffer ? lkst_buffer_get(buffer) : NULL;

	if (!found) {
		pr_err("there is no buffer %s\n", buffer ?: "given");
		return -EINVAL;
	}
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = beat_missed;
	kernel_param_lock(THIS_MODULE);
	other = found;
	kernel_param_unlock(THIS_MODULE);
	return 0;
}

static void __exit watchdog_exit(void)
{
	struct lkst_buffer *found = other;

	/* No beat comes meanwhile, nor any more, and the timer looks at the buffer. */
	kernel_param_lock(THIS_MODULE);
	hrtimer_cancel(&timer);
	other = NULL;
	kernel_param_unlock(THIS_MODULE);
	lkst_buffer_put(found);
}

module_init(watchdog_init);
module_exit(watchdog_exit);
MODULE_DESCRIPTION("Sample: a watchdog that keeps the trace of a missed beat");
MODULE_LICENSE("GPL");
