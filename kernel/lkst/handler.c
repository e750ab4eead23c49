// SPDX-License-Identifier: GPL-2.0
/*
 * Handlers: what runs when an event is hit.
 *
 * /sys/kernel/lkst/handlers/create
 * /sys/kernel/lkst/handlers/remove
 * /sys/kernel/lkst/handlers/NAME/type
 * /sys/kernel/lkst/handlers/NAME/count
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "lkst.h"

static LIST_HEAD(handlers);		/* lkst_lock */
static struct kobject *handlers_dir;

#define to_handler(k)	container_of(k, struct lkst_handler, kobj)

/* An NMI may come between load and store: one instruction on x86, safe elsewhere. */
static void count_hit(const struct lkst_handler *handler, u32 id,
		      const void *payload, u32 words)
{
	this_cpu_inc(handler->count[id]);
}

NOKPROBE_SYMBOL(count_hit);

#define COUNT_SIZE	(LKST_NR_EVENTS * sizeof(u64))

/* Aligned so that it lies in one page: a dump reader knows no mapping. */
static u64 __percpu *count_alloc(void)
{
	return __alloc_percpu(COUNT_SIZE, roundup_pow_of_two(COUNT_SIZE));
}

/* Hooks know this one by its address and record by themselves. */
struct lkst_handler lkst_record = {
	.name = "record",
	.type = "record",
	.builtin = true,
};

struct lkst_handler lkst_count = {
	.name = "count",
	.type = "count",
	.hit = count_hit,
	.builtin = true,
};

/**
 * lkst_handler_find() - Find a handler
 * @name: its name
 *
 * Context: process, lkst_lock held.
 * Return: the handler, or NULL.
 */
struct lkst_handler *lkst_handler_find(const char *name)
{
	struct lkst_handler *handler;

	lockdep_assert_held(&lkst_lock);
	list_for_each_entry(handler, &handlers, list)
		if (!strcmp(handler->name, name))
			return handler;
	return NULL;
}

static ssize_t type_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_handler(kobj)->type);
}

/* The hits of all events. */
static u64 count_all(const void *handler, unsigned int cpu)
{
	const u64 *count = per_cpu_ptr(((const struct lkst_handler *)handler)->count, cpu);
	unsigned int id;
	u64 sum = 0;

	for (id = 0; id < LKST_NR_EVENTS; id++)
		sum += READ_ONCE(count[id]);
	return sum;
}

static ssize_t count_read(struct file *file, struct kobject *kobj,
			  struct bin_attribute *attr, char *buf, loff_t off, size_t size)
{
	return lkst_counts_read(buf, off, size, count_all, to_handler(kobj));
}

static struct kobj_attribute type_attr = __ATTR(type, 0400, type_show, NULL);
static struct bin_attribute count_attr = __BIN_ATTR(count, 0400, count_read, NULL, 0);

static struct attribute *handler_attrs[] = {
	&type_attr.attr,
	NULL
};

static struct bin_attribute *handler_counts[] = {
	&count_attr,
	NULL
};

/* The records of `record` are counted by the rings. */
static umode_t handler_counts_visible(struct kobject *kobj, struct bin_attribute *attr,
				      int n)
{
	return to_handler(kobj)->count ? attr->attr.mode : 0;
}

static const struct attribute_group handler_group = {
	.attrs = handler_attrs,
	.bin_attrs = handler_counts,
	.is_bin_visible = handler_counts_visible,
};

static void handler_release(struct kobject *kobj)
{
	struct lkst_handler *handler = to_handler(kobj);

	if (handler->builtin)
		return;
	free_percpu(handler->count);
	kfree(handler);
}

static const struct kobj_type handler_type = {
	.release = handler_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

static int handler_add(struct lkst_handler *handler)
{
	int err = kobject_add(&handler->kobj, handlers_dir, "%s", handler->name);

	return err ?: sysfs_create_group(&handler->kobj, &handler_group);
}

static int handler_create(const char *type, const char *name)
{
	struct lkst_handler *handler;
	int err;

	if (strcmp(type, "count"))
		return -EINVAL;
	err = lkst_name_check(name);
	if (err)
		return err;
	if (lkst_handler_find(name))
		return -EEXIST;
	handler = kzalloc(sizeof(*handler), GFP_KERNEL);
	if (!handler)
		return -ENOMEM;
	kobject_init(&handler->kobj, &handler_type);
	strscpy(handler->name, name);
	handler->type = lkst_count.type;
	handler->hit = count_hit;
	handler->count = count_alloc();
	err = handler->count ? handler_add(handler) : -ENOMEM;
	if (err)
		kobject_put(&handler->kobj);
	else
		list_add_tail(&handler->list, &handlers);
	return err;
}

/* "TYPE NAME" */
static ssize_t create_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	char line[2 * LKST_NAME_SIZE], *name = line, *type;
	int err;

	err = lkst_input(buf, size, line, sizeof(line));
	if (err)
		return err;
	type = strsep(&name, " ");
	if (!name) {
		pr_notice("handlers/create takes TYPE NAME\n");
		return -EINVAL;
	}
	mutex_lock(&lkst_names);
	mutex_lock(&lkst_lock);
	err = handler_create(type, name);
	mutex_unlock(&lkst_lock);
	mutex_unlock(&lkst_names);
	return err ?: size;
}

static int handler_unlink(struct lkst_handler *handler)
{
	if (!handler)
		return -ENOENT;
	if (handler->builtin)
		return -EPERM;
	if (handler->users)
		return -EBUSY;
	list_del(&handler->list);
	return 0;
}

static int handler_remove(const char *name)
{
	struct lkst_handler *handler;
	int err;

	mutex_lock(&lkst_lock);
	handler = lkst_handler_find(name);
	err = handler_unlink(handler);
	mutex_unlock(&lkst_lock);
	if (err)
		return err;
	kobject_del(&handler->kobj);
	/* A hook may have loaded it just before its last user let go of it. */
	lkst_synchronize();
	kobject_put(&handler->kobj);
	return 0;
}

static ssize_t remove_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	return lkst_input_remove(buf, size, handler_remove);
}

static struct kobj_attribute create_attr = __ATTR(create, 0200, NULL, create_store);
static struct kobj_attribute remove_attr = __ATTR(remove, 0200, NULL, remove_store);

static struct attribute *dir_attrs[] = {
	&create_attr.attr,
	&remove_attr.attr,
	NULL
};

static const struct attribute_group dir_group = { .attrs = dir_attrs };

static int __init builtin_init(struct lkst_handler *handler)
{
	kobject_init(&handler->kobj, &handler_type);
	list_add_tail(&handler->list, &handlers);
	return handler_add(handler);
}

int __init lkst_handlers_init(struct kobject *root)
{
	unsigned int cpu;
	int err;

	handlers_dir = kobject_create_and_add("handlers", root);
	if (!handlers_dir)
		return -ENOMEM;
	lkst_count.count = count_alloc();
	if (!lkst_count.count)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		lkst_dir_add(LKST_DIR_COUNTERS, cpu, 0,
			     per_cpu_ptr_to_phys(per_cpu_ptr(lkst_count.count, cpu)),
			     COUNT_SIZE);
	err = sysfs_create_group(handlers_dir, &dir_group);
	if (!err)
		err = builtin_init(&lkst_record);
	if (!err)
		err = builtin_init(&lkst_count);
	return err;
}
