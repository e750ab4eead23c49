// SPDX-License-Identifier: GPL-2.0
/*
 * Start of LKST, and what all its parts use.
 *
 * Kernel command line:
 *	lkst=MASKSET	the built-in maskset to begin with, or off
 *	lkst.size=	bytes of the boot buffer for each CPU
 *	lkst.packet=	bytes of a packet in it
 *	lkst.tasks=	entries of the table of task names, 0 for none
 *	lkst.persist=	name of the reserved memory for the boot buffer
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/crash_dump.h>
#include <linux/ctype.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kernfs.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

#include "lkst.h"
#include "ring.h"
#include "values.h"

/* Guards all lists, and everything that says so. Process context only. */
DEFINE_MUTEX(lkst_lock);

/*
 * Held by writes to create and remove alone, around lkst_lock: a name is free
 * again only when its files, which go without lkst_lock, are gone.
 */
DEFINE_MUTEX(lkst_names);

/* Random, drawn at start: tells the packets of this boot from earlier ones. */
u8 lkst_boot_id[16];

static bool running __read_mostly;

static char *param_size = "";
static char *param_packet = "";
static char *param_persist = "";
static unsigned int param_tasks = 4096;
static char param_maskset[LKST_NAME_SIZE] __initdata = "default";

#undef MODULE_PARAM_PREFIX
#define MODULE_PARAM_PREFIX "lkst."
module_param_named(size, param_size, charp, 0400);
MODULE_PARM_DESC(size, "Bytes of the boot buffer for each CPU (4M)");
module_param_named(packet, param_packet, charp, 0400);
MODULE_PARM_DESC(packet, "Bytes of a packet in the boot buffer (64K)");
module_param_named(tasks, param_tasks, uint, 0400);
MODULE_PARM_DESC(tasks, "Entries of the table of task names, 0 for none (4096)");
module_param_named(persist, param_persist, charp, 0400);
MODULE_PARM_DESC(persist, "Name of the reserved memory that the boot buffer lies in");

static int __init param_maskset_set(char *text)
{
	if (!text)
		return -EINVAL;
	strscpy(param_maskset, text);
	return 0;
}
early_param("lkst", param_maskset_set);

/**
 * lkst_is_running() - Does LKST do anything in this boot?
 *
 * Return: false with lkst=off, and in a capture kernel.
 */
bool lkst_is_running(void)
{
	return running;
}

/* What a CPU left undone when it went away. */
static bool left_undone;

/* This CPU raised irq_work's interrupt, and has not been seen to leave it. */
static DEFINE_PER_CPU(bool, raised);

/**
 * lkst_irq_work() - Do something in a better context
 * @work: what
 *
 * Irq_work that a CPU queues after it went offline is stuck there, and with it all
 * that follows. Such a CPU, or one that is not online yet, leaves it to cpu_passed(),
 * which knows all there can be.
 *
 * Context: any.
 */
void lkst_irq_work(struct irq_work *work)
{
	preempt_disable_notrace();
	if (cpu_is_offline(raw_smp_processor_id())) {
		WRITE_ONCE(left_undone, true);
		preempt_enable_notrace();
		return;
	}
	this_cpu_write(raised, true);
	irq_work_queue(work);
	preempt_enable_notrace();
}

NOKPROBE_SYMBOL(lkst_irq_work);

/**
 * lkst_irq_work_left() - Is an event the end of the interrupt that LKST raised?
 * @id: number of the event
 * @payload: of its record
 *
 * A handler that raises the next one there goes on for ever.
 *
 * Context: any, preemption off.
 * Return: whether it is, once for each.
 */
bool lkst_irq_work_left(u32 id, const u64 *payload)
{
	if (id != LKST_EV_irq_vector_exit || !this_cpu_read(raised) ||
	    !lkst_is_irq_work_vector((u32)*payload))
		return false;
	this_cpu_write(raised, false);
	return true;
}

NOKPROBE_SYMBOL(lkst_irq_work_left);

static void do_undone(struct work_struct *work)
{
	mutex_lock(&lkst_lock);
	lkst_keys_update();
	lkst_notices_resume();
	mutex_unlock(&lkst_lock);
	lkst_ring_wake();
}

static DECLARE_WORK(undone_work, do_undone);

/* Not here: whoever holds lkst_lock can wait for CPU hotplug. */
static int cpu_passed(unsigned int cpu)
{
	if (READ_ONCE(left_undone)) {
		WRITE_ONCE(left_undone, false);
		schedule_work(&undone_work);
	}
	return 0;
}

static void nothing(struct work_struct *work)
{
}

/**
 * lkst_synchronize() - Wait until no hook uses what was unpublished before
 *
 * A hook runs with preemption off where RCU is watching; the pass over all CPUs
 * covers one that is in an NMI, or between.
 *
 * Context: process, may sleep, lkst_lock may be held.
 */
void lkst_synchronize(void)
{
	synchronize_rcu();
	/* It fails where memory is short, which passes. */
	while (schedule_on_each_cpu(nothing))
		msleep(20);
}

/**
 * lkst_name_check() - Is this a name for a maskset, handler or buffer?
 * @name: the name
 *
 * Return: 0, or -EINVAL with a line in the kernel log.
 */
int lkst_name_check(const char *name)
{
	static const char * const reserved[] = {
		".", "..", "create", "remove", "current", "next", "none", "all",
		"previous",
	};
	static const char good[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";

	if (match_string(reserved, ARRAY_SIZE(reserved), name) >= 0) {
		pr_notice("the name %s is reserved\n", name);
		return -EINVAL;
	}
	if (!*name || strlen(name) >= LKST_NAME_SIZE || strspn(name, good) != strlen(name)) {
		pr_notice("a name has 1 to %u characters of A-Z a-z 0-9 _ . -\n",
			  LKST_NAME_SIZE - 1);
		return -EINVAL;
	}
	return 0;
}

/**
 * lkst_input() - Take one line written to a file
 * @buf: what was written
 * @count: its bytes
 * @word: where the line goes, without its newline, terminated
 * @size: bytes of @word
 *
 * Return: 0, -EINVAL when it is empty or holds what is not printable ASCII, or
 * -E2BIG when it does not fit.
 */
int lkst_input(const char *buf, size_t count, char *word, size_t size)
{
	size_t i;

	if (count && buf[count - 1] == '\n')
		count--;
	if (!count)
		return -EINVAL;
	if (count >= size)
		return -E2BIG;
	for (i = 0; i < count; i++)
		if (buf[i] < ' ' || buf[i] > '~')
			return -EINVAL;
	memcpy(word, buf, count);
	word[count] = '\0';
	return 0;
}

/**
 * lkst_input_bool() - Take a 0 or a 1 written to a file
 * @buf: what was written
 * @count: its bytes
 * @value: set to it
 *
 * Return: 0, -EINVAL or -E2BIG.
 */
int lkst_input_bool(const char *buf, size_t count, bool *value)
{
	char word[4];
	int err = lkst_input(buf, count, word, sizeof(word));

	if (err)
		return err;
	if (strcmp(word, "0") && strcmp(word, "1"))
		return -EINVAL;
	*value = word[0] == '1';
	return 0;
}

/**
 * lkst_input_number() - Take a decimal number
 * @text: its digits
 * @value: set to it
 *
 * Return: 0, -EINVAL, or -ERANGE where 64 bits do not do.
 */
int lkst_input_number(const char *text, u64 *value)
{
	return isdigit(*text) ? kstrtou64(text, 10, value) : -EINVAL;
}

/**
 * lkst_input_remove() - Take the name of what is to be removed, and remove it
 * @buf: what was written
 * @size: its bytes
 * @remove: called with the name, lkst_names held
 *
 * Return: @size, or a negative errno.
 */
ssize_t lkst_input_remove(const char *buf, size_t size, int (*remove)(const char *name))
{
	char name[LKST_NAME_SIZE];
	int err = lkst_input(buf, size, name, sizeof(name));

	if (err)
		return err;
	mutex_lock(&lkst_names);
	err = remove(name);
	mutex_unlock(&lkst_names);
	return err ?: size;
}

/**
 * lkst_counts_read() - Read a file of one number for each possible CPU
 * @buf: where to
 * @off: from which byte of the file
 * @size: bytes of @buf
 * @count: gives the number of a CPU
 * @of: what it is told
 *
 * A line has always %LKST_COUNT_LINE bytes, as a file of many CPUs is read in
 * pieces while the numbers grow.
 *
 * Return: bytes put into @buf.
 */
ssize_t lkst_counts_read(char *buf, loff_t off, size_t size,
			 u64 (*count)(const void *of, unsigned int cpu), const void *of)
{
	char line[LKST_COUNT_LINE + 1];
	unsigned int cpu;
	loff_t skip = off;
	size_t n = 0, part;

	for_each_possible_cpu(cpu) {
		if (skip >= LKST_COUNT_LINE) {
			skip -= LKST_COUNT_LINE;
			continue;
		}
		if (n == size)
			break;
		snprintf(line, sizeof(line), "%*llu\n", LKST_COUNT_LINE - 1,
			 count(of, cpu));
		part = min_t(size_t, LKST_COUNT_LINE - skip, size - n);
		memcpy(buf + n, line + skip, part);
		n += part;
		skip = 0;
	}
	return n;
}

/**
 * lkst_locked_down() - Does lockdown forbid to read the trace?
 *
 * Return: true under lockdown=confidentiality.
 */
bool lkst_locked_down(void)
{
	return security_locked_down(LOCKDOWN_TRACEFS);
}

void __init lkst_init(void)
{
	int err;

	/* The capture kernel leaves the crashed one's trace alone. */
	if (is_kdump_kernel() || !strcmp(param_maskset, "off"))
		return;
	get_random_bytes(lkst_boot_id, sizeof(lkst_boot_id));
	mutex_lock(&lkst_lock);
	lkst_clock_init_early();
	if (lkst_masksets_init_early(param_maskset))
		pr_warn("there is no built-in maskset %s: recording default\n",
			param_maskset);
	err = lkst_crash_init_early();
	if (!err)
		err = lkst_buffers_init_early(param_size, param_packet, param_persist,
					      param_tasks);
	if (!err) {
		lkst_enable(true);
		running = true;
	}
	mutex_unlock(&lkst_lock);
	if (err)
		pr_err("cannot record: error %d\n", err);
}

/* The names below are root's alone too: buffers and masksets are called by users. */
static int __init root_close(struct kobject *root)
{
	struct iattr mode = { .ia_valid = ATTR_MODE, .ia_mode = S_IFDIR | 0700 };

	return kernfs_setattr(root->sd, &mode);
}

/* What needs slab, sysfs, proc and wall time; before any driver. */
static int __init lkst_init_late(void)
{
	struct kobject *root;
	int err;

	if (!running)
		return 0;
	lkst_clock_init();
	mutex_lock(&lkst_lock);
	lkst_crash_init();
	err = lkst_metadata_init();
	lkst_buffers_head();
	lkst_tasks_init(param_tasks);
	mutex_unlock(&lkst_lock);
	root = kobject_create_and_add("lkst", kernel_kobj);
	if (!root)
		err = -ENOMEM;
	if (!err)
		err = root_close(root);
	if (!err)
		err = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "lkst:gone", NULL,
						cpu_passed);
	if (err >= 0)
		err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "lkst:come",
						cpu_passed, NULL);
	if (err > 0)
		err = 0;
	if (!err)
		err = lkst_clock_add(root);
	if (!err)
		err = lkst_events_init(root);
	if (!err)
		err = lkst_handlers_init(root);
	if (!err)
		err = lkst_masksets_init(root);
	if (!err)
		err = lkst_proc_init();
	if (!err)
		err = lkst_buffers_init(root);
	if (err)
		pr_err("the interface is incomplete: error %d\n", err);
	return err;
}
fs_initcall(lkst_init_late);

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/core_kunit.h"
#endif
