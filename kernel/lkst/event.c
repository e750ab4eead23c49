// SPDX-License-Identifier: GPL-2.0
/*
 * The catalogue of events, from the one table.
 *
 * /sys/kernel/lkst/events/GROUP/EVENT/id
 * /sys/kernel/lkst/events/GROUP/EVENT/fields
 * /sys/kernel/lkst/events/GROUP/EVENT/description
 * /sys/kernel/lkst/events/GROUP/EVENT/count
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "lkst.h"

#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	DEFINE_STATIC_KEY_FALSE(lkst_key_##group##_##name);
#include <linux/lkst_events.h>

#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)			\
	{ #field, unit, description, LKST_TYPE_##type, 1 },
#define LKST_NAME(field, description, value)				\
	{ #field, "", description, LKST_TYPE_NAME, LKST_COMM_SIZE },
#define LKST_TEXT(field, description, value)				\
	{ #field, "", description, LKST_TYPE_TEXT, LKST_TEXT_MAX },
#define LKST_WORDS(field, count, description, fill)			\
	{ #field, "hex", description, LKST_TYPE_u64, count },
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static const struct lkst_field fields_##group##_##name[] = { fields };
#include <linux/lkst_events.h>

#define LKST_EVENT(_group, _name, _sets, description, proto, args, _fields) \
	{								\
		.group = #_group,					\
		.name = #_name,						\
		.text = description,					\
		.sets = _sets,						\
		.nr_fields = ARRAY_SIZE(fields_##_group##_##_name),	\
		.fields = fields_##_group##_##_name,			\
		.key = &lkst_key_##_group##_##_name,			\
	},
const struct lkst_event lkst_events[LKST_NR_EVENTS] = {
#include <linux/lkst_events.h>
};

/**
 * lkst_group_size() - Count the events of a group
 * @first: its first event
 *
 * Return: how many events, from @first on, belong to it.
 */
unsigned int lkst_group_size(unsigned int first)
{
	unsigned int id = first;

	while (id < LKST_NR_EVENTS &&
	       !strcmp(lkst_events[id].group, lkst_events[first].group))
		id++;
	return id - first;
}

/**
 * lkst_type_name() - Name the type of a field
 * @field: the field
 *
 * Return: its name in CTF metadata and in sysfs; numbers that read better so are
 * hexadecimal.
 */
const char *lkst_type_name(const struct lkst_field *field)
{
	static const char * const names[][2] = {
		[LKST_TYPE_u16] = { "u16", "x16" },
		[LKST_TYPE_u32] = { "u32", "x32" },
		[LKST_TYPE_u64] = { "u64", "x64" },
		[LKST_TYPE_s32] = { "s32", "s32" },
		[LKST_TYPE_s64] = { "s64", "x64" },
		[LKST_TYPE_NAME] = { "utf8", "utf8" },
		[LKST_TYPE_TEXT] = { "utf8", "utf8" },
	};

	return names[field->type][!strcmp(field->unit, "hex")];
}

/*
 * A group is a kobject, an event an attribute group of it. Each attribute knows
 * its event.
 */
struct event_attribute {
	struct kobj_attribute attr;
	unsigned int id;
};

static unsigned int attribute_event(struct kobj_attribute *attr)
{
	return container_of(attr, struct event_attribute, attr)->id;
}

static ssize_t id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", attribute_event(attr));
}

static ssize_t description_show(struct kobject *kobj, struct kobj_attribute *attr,
				char *buf)
{
	return sysfs_emit(buf, "%s\n", lkst_events[attribute_event(attr)].text);
}

static ssize_t fields_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *buf)
{
	const struct lkst_event *event = &lkst_events[attribute_event(attr)];
	unsigned int i;
	ssize_t n = 0;

	for (i = 0; i < event->nr_fields; i++) {
		const struct lkst_field *field = &event->fields[i];

		n += sysfs_emit_at(buf, n, "%s %s", lkst_type_name(field), field->name);
		if (field->count > 1)
			n += sysfs_emit_at(buf, n, "[%u]", field->count);
		if (field->unit[0] && strcmp(field->unit, "hex"))
			n += sysfs_emit_at(buf, n, " %s", field->unit);
		n += sysfs_emit_at(buf, n, ": %s\n", field->text);
	}
	return n;
}

static u64 count_one(const void *event, unsigned int cpu)
{
	unsigned int id = (const struct lkst_event *)event - lkst_events;

	return READ_ONCE(per_cpu_ptr(lkst_count.count, cpu)[id]);
}

static ssize_t count_read(struct file *file, struct kobject *kobj,
			  struct bin_attribute *attr, char *buf, loff_t off, size_t size)
{
	return lkst_counts_read(buf, off, size, count_one, attr->private);
}

static const struct kobj_attribute event_files[] = {
	__ATTR(id, 0400, id_show, NULL),
	__ATTR(fields, 0400, fields_show, NULL),
	__ATTR(description, 0400, description_show, NULL),
};

#define EVENT_FILES	ARRAY_SIZE(event_files)

/*
 * The files of the one event @id, in a directory of its name below @parent. Of these
 * the attributes are used from then on, and not the lists of them.
 */
static int event_add(struct kobject *parent, unsigned int id)
{
	struct attribute *list[EVENT_FILES + 1] = { };
	struct event_attribute *files;
	struct bin_attribute *count, *counts[2] = { };
	unsigned int i;
	struct attribute_group group = { .name = lkst_events[id].name };

	files = kcalloc(EVENT_FILES, sizeof(*files), GFP_KERNEL);
	count = kzalloc(sizeof(*count), GFP_KERNEL);
	if (!files || !count)
		return -ENOMEM;
	for (i = 0; i < EVENT_FILES; i++) {
		files[i].attr = event_files[i];
		files[i].id = id;
		sysfs_attr_init(&files[i].attr.attr);
		list[i] = &files[i].attr.attr;
	}
	*count = (struct bin_attribute)__BIN_ATTR(count, 0400, count_read, NULL, 0);
	count->private = (void *)&lkst_events[id];
	sysfs_bin_attr_init(count);
	counts[0] = count;
	group.attrs = list;
	group.bin_attrs = counts;
	return sysfs_create_group(parent, &group);
}

/* Made once at boot and never removed: what fails here is not undone. */
int __init lkst_events_init(struct kobject *root)
{
	struct kobject *events, *group = NULL;
	unsigned int id;
	int err;

	events = kobject_create_and_add("events", root);
	if (!events)
		return -ENOMEM;
	for (id = 0; id < LKST_NR_EVENTS; id++) {
		if (!id || strcmp(lkst_events[id].group, lkst_events[id - 1].group))
			group = kobject_create_and_add(lkst_events[id].group, events);
		if (!group)
			return -ENOMEM;
		err = event_add(group, id);
		if (err)
			return err;
	}
	return 0;
}
