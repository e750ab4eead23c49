// SPDX-License-Identifier: GPL-2.0
/*
 * A handler of a module: it sums the bytes of what each CPU transmits, and
 * records only packets that are longer than a limit.
 *
 *	# insmod lkst_bytes.ko limit=1000
 *	# cd /sys/kernel/lkst/masksets
 *	# echo "mine from default" > create
 *	# echo bytes > mine/net/transmit
 *	# echo mine > current
 *	# cat /sys/module/lkst_bytes/parameters/bytes
 *
 * Copy it, and change the event, the field and what is done with it.
 */
#include <linux/err.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>

static unsigned int limit = UINT_MAX;
module_param(limit, uint, 0600);
MODULE_PARM_DESC(limit, "bytes of the longest packet that is not recorded");

static DEFINE_PER_CPU(u64, bytes);
static struct lkst_handler *handler;
static struct lkst_value len;

/* Any context: no lock, no allocation, and one instruction where an NMI may come. */
static void bytes_hit(const struct lkst_hit *hit, void *data)
{
	u64 n = lkst_value_get(hit, &len);

	this_cpu_add(bytes, n);
	if (n > READ_ONCE(limit))
		lkst_hit_record(hit);
}

/* One line for each possible CPU. */
static int bytes_get(char *text, const struct kernel_param *param)
{
	int cpu, n = 0;

	for_each_possible_cpu(cpu)
		n += sysfs_emit_at(text, n, "%llu\n", READ_ONCE(per_cpu(bytes, cpu)));
	return n;
}

static const struct kernel_param_ops bytes_ops = { .get = bytes_get };
module_param_cb(bytes, &bytes_ops, NULL, 0400);

static int __init bytes_init(void)
{
	int err = lkst_value_find("net/transmit", "len", &len);

	if (err)
		return err;
	handler = lkst_handler_register("bytes", bytes_hit, NULL);
	return PTR_ERR_OR_ZERO(handler);
}

static void __exit bytes_exit(void)
{
	lkst_handler_unregister(handler);
}

module_init(bytes_init);
module_exit(bytes_exit);
MODULE_DESCRIPTION("Sample: sum the bytes that each CPU transmits");
MODULE_LICENSE("GPL");
