// SPDX-License-Identifier: GPL-2.0
/*
 * Handlers: what runs when an event is hit.
 *
 * /sys/kernel/lkst/handlers/create
 * /sys/kernel/lkst/handlers/remove
 * /sys/kernel/lkst/handlers/NAME/type
 * /sys/kernel/lkst/handlers/NAME/count
 *
 * Types that have more files than these are in files of their own.
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "lkst.h"

LIST_HEAD(lkst_handlers);		/* lkst_lock */

static struct kobject *handlers_dir;

#define to_handler(k)	container_of(k, struct lkst_handler, kobj)

/* Set while a handler acts on this CPU, and while LKST's own irq_work runs. */
static DEFINE_PER_CPU(bool, acting);

/**
 * lkst_act_begin() - Begin what must not hit a handler that acts again
 * @handler: the handler that would act, or NULL
 *
 * What a handler does can raise events, and so can what LKST does for it later. An
 * NMI between the test and the store is done before the store.
 *
 * Context: any, preemption off.
 * Return: false when this CPU is in such a section already, which is counted; else
 * lkst_act_end() ends it.
 */
bool lkst_act_begin(struct lkst_handler *handler)
{
	if (this_cpu_read(acting)) {
		if (handler)
			atomic_long_inc(&handler->suppressed);
		return false;
	}
	this_cpu_write(acting, true);
	barrier();
	return true;
}

NOKPROBE_SYMBOL(lkst_act_begin);

/**
 * lkst_act_end() - End what lkst_act_begin() began
 */
void lkst_act_end(void)
{
	barrier();
	this_cpu_write(acting, false);
}

NOKPROBE_SYMBOL(lkst_act_end);

/* An NMI may come between load and store: one instruction on x86, safe elsewhere. */
static void count_hit(struct lkst_handler *handler, struct lkst_maskset *set, u32 id,
		      const u64 *payload, u32 words)
{
	this_cpu_inc(handler->count[id]);
}

NOKPROBE_SYMBOL(count_hit);

/* Hooks do this themselves in the usual case. */
static void record_hit(struct lkst_handler *handler, struct lkst_maskset *set, u32 id,
		       const u64 *payload, u32 words)
{
	lkst_record_payload(id, payload, words);
}

NOKPROBE_SYMBOL(record_hit);

#define COUNT_SIZE	(LKST_NR_EVENTS * sizeof(u64))

/* Aligned so that it lies in one page: a dump reader knows no mapping. */
static int count_init(struct lkst_handler *handler)
{
	handler->count = __alloc_percpu(COUNT_SIZE, roundup_pow_of_two(COUNT_SIZE));
	return handler->count ? 0 : -ENOMEM;
}

static void count_release(struct lkst_handler *handler)
{
	free_percpu(handler->count);
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

static struct bin_attribute count_attr = __BIN_ATTR(count, 0400, count_read, NULL, 0);

static struct bin_attribute *count_attrs[] = {
	&count_attr,
	NULL
};

static const struct attribute_group count_group = { .bin_attrs = count_attrs };

static const struct lkst_handler_type record_type = {
	.name = "record",
};

static const struct lkst_handler_type count_type = {
	.name = "count",
	.size = sizeof(struct lkst_handler),
	.hit = count_hit,
	.init = count_init,
	.release = count_release,
	.group = &count_group,
};

/* Hooks know this one by its address and record by themselves. */
struct lkst_handler lkst_record = {
	.name = "record",
	.type = &record_type,
	.hit = record_hit,
	.builtin = true,
	.records = true,
};

struct lkst_handler lkst_count = {
	.name = "count",
	.type = &count_type,
	.hit = count_hit,
	.builtin = true,
};

/* What can be created by name. */
static const struct lkst_handler_type * const types[] = {
	&count_type,
	&lkst_detail_type,
	&lkst_trigger_type,
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
	list_for_each_entry(handler, &lkst_handlers, list)
		if (!strcmp(handler->name, name))
			return handler;
	return NULL;
}

static ssize_t type_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", to_handler(kobj)->type->name);
}

static struct kobj_attribute type_attr = __ATTR(type, 0400, type_show, NULL);

static struct attribute *handler_attrs[] = {
	&type_attr.attr,
	NULL
};

static const struct attribute_group handler_group = { .attrs = handler_attrs };

static void handler_release(struct kobject *kobj)
{
	struct lkst_handler *handler = to_handler(kobj);

	if (handler->builtin)
		return;
	if (handler->type->release)
		handler->type->release(handler);
	kfree(handler);
}

static const struct kobj_type handler_kobj_type = {
	.release = handler_release,
	.sysfs_ops = &kobj_sysfs_ops,
};

static int handler_add(struct lkst_handler *handler)
{
	int err = kobject_add(&handler->kobj, handlers_dir, "%s", handler->name);

	if (!err)
		err = sysfs_create_group(&handler->kobj, &handler_group);
	if (!err && handler->type->group)
		err = sysfs_create_group(&handler->kobj, handler->type->group);
	if (!err && handler->type->added)
		err = handler->type->added(handler);
	return err;
}

static struct lkst_handler *handler_alloc(const struct lkst_handler_type *type,
					  const char *name)
{
	struct lkst_handler *handler = kzalloc(type->size, GFP_KERNEL);

	if (!handler)
		return NULL;
	kobject_init(&handler->kobj, &handler_kobj_type);
	INIT_LIST_HEAD(&handler->list);
	strscpy(handler->name, name);
	handler->type = type;
	handler->hit = type->hit;
	return handler;
}

/* Undo what is left of a handler that nothing maps or names. */
static void handler_drop(struct lkst_handler *handler)
{
	/* Not under the lock: it waits for users of the files, who may want it. */
	kobject_del(&handler->kobj);
	/* A hook may have loaded it just before its last user let go of it. */
	lkst_synchronize();
	if (handler->type->drop)
		handler->type->drop(handler);
	kobject_put(&handler->kobj);
}

/**
 * lkst_handler_create() - Make a handler
 * @type: its type
 * @name: its name
 * @setup: called before anybody can find it, or NULL
 * @data: for @setup
 *
 * Context: process, lkst_names held.
 * Return: the handler, or an ERR_PTR().
 */
struct lkst_handler *
lkst_handler_create(const struct lkst_handler_type *type, const char *name,
		    void (*setup)(struct lkst_handler *handler, const void *data),
		    const void *data)
{
	struct lkst_handler *handler;
	int err;

	err = lkst_name_check(name);
	if (err)
		return ERR_PTR(err);
	handler = handler_alloc(type, name);
	if (!handler)
		return ERR_PTR(-ENOMEM);
	err = type->init ? type->init(handler) : 0;
	if (!err && setup)
		setup(handler, data);
	mutex_lock(&lkst_lock);
	if (!err && lkst_handler_find(name))
		err = -EEXIST;
	mutex_unlock(&lkst_lock);
	/* Not under the lock: where it fails it waits for users of the files. */
	if (!err)
		err = handler_add(handler);
	if (err) {
		handler_drop(handler);
		return ERR_PTR(err);
	}
	mutex_lock(&lkst_lock);
	list_add_tail(&handler->list, &lkst_handlers);
	mutex_unlock(&lkst_lock);
	return handler;
}

static const struct lkst_handler_type *type_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i]->name, name))
			return types[i];
	return NULL;
}

/* "TYPE NAME" */
static ssize_t create_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	char line[2 * LKST_NAME_SIZE], *name = line, *word;
	const struct lkst_handler_type *type;
	struct lkst_handler *handler;
	int err;

	err = lkst_input(buf, size, line, sizeof(line));
	if (err)
		return err;
	word = strsep(&name, " ");
	type = type_find(word);
	if (!name || !type) {
		pr_notice("handlers/create takes TYPE NAME; TYPE is count, detail or trigger\n");
		return -EINVAL;
	}
	mutex_lock(&lkst_names);
	handler = lkst_handler_create(type, name, NULL, NULL);
	mutex_unlock(&lkst_names);
	return PTR_ERR_OR_ZERO(handler) ?: size;
}

static int handler_unlink(struct lkst_handler *handler)
{
	if (!handler)
		return -ENOENT;
	if (handler->builtin)
		return -EPERM;
	if (handler->type->module) {
		pr_notice("handler %s is a module's: it goes when that does\n", handler->name);
		return -EPERM;
	}
	if (lkst_handler_is_mapped(handler) || lkst_handler_is_named(handler))
		return -EBUSY;
	list_del_init(&handler->list);
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
	if (!err)
		handler_drop(handler);
	return err;
}

/**
 * lkst_handler_remove() - Remove a handler, whoever uses it
 * @handler: from lkst_handler_create()
 *
 * Context: process, lkst_names held.
 */
void lkst_handler_remove(struct lkst_handler *handler)
{
	mutex_lock(&lkst_lock);
	list_del_init(&handler->list);
	/* What fires meanwhile may map it once more, until this wait is over. */
	lkst_handler_forget(handler);
	lkst_synchronize();
	lkst_handler_unmap(handler);
	mutex_unlock(&lkst_lock);
	handler_drop(handler);
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
	kobject_init(&handler->kobj, &handler_kobj_type);
	list_add_tail(&handler->list, &lkst_handlers);
	return handler_add(handler);
}

int __init lkst_handlers_init(struct kobject *root)
{
	unsigned int cpu;
	int err;

	handlers_dir = kobject_create_and_add("handlers", root);
	if (!handlers_dir)
		return -ENOMEM;
	err = count_init(&lkst_count);
	if (err)
		return err;
	mutex_lock(&lkst_lock);
	for_each_possible_cpu(cpu)
		lkst_dir_add(LKST_DIR_COUNTERS, cpu, 0,
			     per_cpu_ptr_to_phys(per_cpu_ptr(lkst_count.count, cpu)),
			     COUNT_SIZE);
	mutex_unlock(&lkst_lock);
	err = sysfs_create_group(handlers_dir, &dir_group);
	if (!err)
		err = builtin_init(&lkst_record);
	if (!err)
		err = builtin_init(&lkst_count);
	return err;
}
