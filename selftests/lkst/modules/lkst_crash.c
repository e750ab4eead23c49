// SPDX-License-Identifier: GPL-2.0
/*
 * Crashes the kernel when it is loaded, in the way that its parameter names:
 *	how=bug		BUG() in process context
 *	how=hardirq	a NULL pointer is followed in a hard interrupt
 */
#include <linux/bug.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/string.h>

static char *how = "bug";
module_param(how, charp, 0400);
MODULE_PARM_DESC(how, "bug or hardirq");

static struct hrtimer timer;
static int * volatile nowhere;

static enum hrtimer_restart crash_in_interrupt(struct hrtimer *t)
{
	*nowhere = 1;
	return HRTIMER_NORESTART;
}

static int __init crash_init(void)
{
	if (!strcmp(how, "bug"))
		BUG();
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = crash_in_interrupt;
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	return 0;
}
module_init(crash_init);

MODULE_DESCRIPTION("Crashes the kernel, for tests of what a dump holds");
MODULE_LICENSE("GPL");
