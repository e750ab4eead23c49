// SPDX-License-Identifier: GPL-2.0
/* What the compiler of conditions has around it: events, a log, memory, a task. */
#include <stdarg.h>
#include <stdio.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "world.h"

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
		.sets = _sets,						\
		.nr_fields = ARRAY_SIZE(fields_##_group##_##_name),	\
		.fields = fields_##_group##_##_name,			\
	},
const struct lkst_event lkst_events[LKST_NR_EVENTS] = {
#include <linux/lkst_events.h>
};

struct task_struct match_task = { 1234, 1233, "lkst", 1000, 3 };

char log_text[512];
unsigned int log_lines;
unsigned int alloc_fails;

void log_clear(void)
{
	log_text[0] = '\0';
	log_lines = 0;
}

void match_log(const char *form, ...)
{
	va_list args;

	va_start(args, form);
	vsnprintf(log_text, sizeof(log_text), form, args);
	va_end(args);
	log_lines++;
}

void *match_alloc(size_t size)
{
	if (alloc_fails && !--alloc_fails)
		return NULL;
	return calloc(1, size);
}
