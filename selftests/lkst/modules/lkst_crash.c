// SPDX-License-Identifier: GPL-2.0
/*
 * Crashes the kernel when it is loaded, in the way that its parameter names: see the
 * table at the end.
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <asm/desc.h>

static char *how = "bug";
module_param(how, charp, 0400);
MODULE_PARM_DESC(how, "a name of the table");

static int * volatile nowhere;

static void bug(void)
{
	BUG();
}

static void process(void)
{
	*nowhere = 1;
}

static void timer_crash(struct timer_list *unused)
{
	*nowhere = 1;
}

static DEFINE_TIMER(timer, timer_crash);

static void softirq(void)
{
	mod_timer(&timer, jiffies + 1);
}

static struct hrtimer hrtimer;

static enum hrtimer_restart hrtimer_crash(struct hrtimer *unused)
{
	*nowhere = 1;
	return HRTIMER_NORESTART;
}

static void hardirq(void)
{
	hrtimer_init(&hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	hrtimer.function = hrtimer_crash;
	hrtimer_start(&hrtimer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
}

/* What it writes is read afterwards, so that no call is the last thing done. */
static noinline int deeper(int n)
{
	volatile char frame[64];

	frame[n % 64] = n;
	return (n ? deeper(n - 1) : 0) + frame[n % 64];
}

static void stack(void)
{
	pr_info("%d\n", deeper(1 << 20));
}

static void give_up(const struct lkst_hit *hit, void *data)
{
	panic("in a handler");
}

/* The handler is put to lkst/mark, which is then hit, by whoever loads this. */
static void by_handler(void)
{
	if (IS_ERR(lkst_handler_register("crash", give_up, NULL)))
		pr_err("no handler\n");
}

static void spin(void *unused)
{
	local_irq_disable();
	lkst_lkst_mark(0x57c, 0);
	for (;;)
		mdelay(1);
}

/* Another CPU takes no interrupt any more, and then this one panics. */
static void cpu_stuck(void)
{
	preempt_disable();
	smp_call_function_many(cpu_online_mask, spin, NULL, false);
	mdelay(100);
	panic("the other CPU is stuck");
}

static void triple(void)
{
	const struct desc_ptr none = { };

	lkst_lkst_mark(3, 0);
	load_idt(&none);
	asm volatile("int3");
}

static const struct {
	const char *name;
	void (*crash)(void);
} ways[] = {
	{ "bug", bug },			/* BUG() */
	{ "process", process },		/* a NULL pointer is followed, in process context, */
	{ "softirq", softirq },		/* in a soft interrupt, */
	{ "hardirq", hardirq },		/* or in a hard interrupt */
	{ "stack", stack },		/* the stack is used up */
	{ "handler", by_handler },		/* a handler of events panics */
	{ "stuck", cpu_stuck },		/* panic while a CPU is stuck, interrupts off */
	{ "triple", triple },		/* a triple fault: the processor resets itself */
};

static int __init crash_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!strcmp(how, ways[i].name)) {
			ways[i].crash();
			return 0;
		}
	}
	return -EINVAL;
}
module_init(crash_init);

MODULE_DESCRIPTION("Crashes the kernel, for tests of what a dump holds");
MODULE_LICENSE("GPL");
