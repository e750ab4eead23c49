// SPDX-License-Identifier: GPL-2.0
/*
 * The handler `linger`: a CPU that runs it leaves it only when the module is being
 * removed, and then not at once. So unregistering has to wait for it.
 *
 * In /sys/module/lkst_linger/parameters/inside is 1 while a CPU runs it.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/lkst.h>
#include <linux/module.h>

static bool inside;
module_param(inside, bool, 0400);

static bool leaving;
static struct lkst_handler *handler;

/* Not for ever: a test that fails shall end, too. */
static void linger_hit(const struct lkst_hit *hit, void *data)
{
	unsigned int ms = 5000;

	WRITE_ONCE(inside, true);
	while (!READ_ONCE(leaving) && ms--)
		mdelay(1);
	mdelay(100);
	WRITE_ONCE(inside, false);
}

static int __init linger_init(void)
{
	handler = lkst_handler_register("linger", linger_hit, NULL);
	return PTR_ERR_OR_ZERO(handler);
}

static void __exit linger_exit(void)
{
	bool was_inside = READ_ONCE(inside);

	WRITE_ONCE(leaving, true);
	lkst_handler_unregister(handler);
	pr_info("lkst_linger: a CPU was inside %d, and is %d\n", was_inside,
		READ_ONCE(inside));
}

module_init(linger_init);
module_exit(linger_exit);
MODULE_DESCRIPTION("A handler that lingers");
MODULE_LICENSE("GPL");
