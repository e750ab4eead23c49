// SPDX-License-Identifier: GPL-2.0
/*
 * The handler type `detail`: the record of the event, and after it records of
 * where it happened.
 *
 * /sys/kernel/lkst/handlers/NAME/detail
 */
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/debug.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <asm/irq_regs.h>

#include "lkst.h"

#define DETAIL_REGS	1
#define DETAIL_STACK	2
#define DETAIL_TASK	4

static const char * const names[] = { "regs", "stack", "task" };

/**
 * struct detail - a handler that records details
 * @handler: what hooks and masksets know
 * @what: DETAIL_*
 */
struct detail {
	struct lkst_handler handler;
	unsigned long what;
};

#define to_detail(h)		container_of(h, struct detail, handler)
#define kobj_to_detail(k)	to_detail(container_of(k, struct lkst_handler, kobj))

/* What walking and looking around take is little; the frames of hooks come first. */
#define FRAMES_ABOVE	8

/**
 * lkst_sched_caller() - Find where a function that sleeps was called from
 * @site: what is known of that: 0, or an address that may be in such a function
 *
 * Functions that sleep, locks among them, lie in a section of their own. A walk of
 * the stack costs some hundred instructions for each frame, which a thread has that
 * is about to sleep.
 *
 * Context: any, called by such a function.
 * Return: @site, or the return address behind the last of them, 0 if there is none.
 */
unsigned long lkst_sched_caller(unsigned long site)
{
	unsigned long frames[FRAMES_ABOVE + LKST_STACK_FRAMES];
	unsigned int nr, i;
	bool inside = false;

	if (site && !in_sched_functions(site))
		return site;
	nr = stack_trace_save(frames, ARRAY_SIZE(frames), 0);
	for (i = 0; i < nr; i++) {
		if (in_sched_functions(frames[i]))
			inside = true;
		else if (inside)
			return frames[i];
	}
	return 0;
}

NOKPROBE_SYMBOL(lkst_sched_caller);

/* The stack from the hook's site on; @hook is the address in the hook's own code. */
static void stack_record(u32 id, unsigned long hook)
{
	unsigned long frames[FRAMES_ABOVE + LKST_STACK_FRAMES] = { };
	u64 words[LKST_STACK_FRAMES] = { };
	unsigned int nr, from, i;

	nr = stack_trace_save(frames, ARRAY_SIZE(frames), 0);
	for (from = 0; from < FRAMES_ABOVE && from < nr; from++)
		if (frames[from] == hook)
			break;
	/* Where the walk did not find the hook, show all that it found. */
	from = from < FRAMES_ABOVE && from < nr ? from + 1 : 0;
	for (i = 0; i < LKST_STACK_FRAMES && from + i < nr; i++)
		words[i] = frames[from + i];
	lkst_detail_stack(id, words);
}

NOKPROBE_SYMBOL(stack_record);

/* What was interrupted, or how the thread came into the kernel. */
static const struct pt_regs *detail_regs(void)
{
	if (!in_task() && get_irq_regs())
		return get_irq_regs();
	return current->flags & PF_KTHREAD ? NULL : task_pt_regs(current);
}

NOKPROBE_SYMBOL(detail_regs);

static noinline void detail_hit(struct lkst_handler *handler, struct lkst_maskset *set,
				u32 id, const u64 *payload, u32 words)
{
	unsigned long what = READ_ONCE(to_detail(handler)->what);
	unsigned long hook = _RET_IP_;

	lkst_record_payload(id, payload, words);
	/* A walk may meet what faults, and that is an event too. */
	if (!lkst_act_begin(handler))
		return;
	if (what & DETAIL_REGS)
		lkst_detail_regs(id, detail_regs());
	if (what & DETAIL_STACK)
		stack_record(id, hook);
	if (what & DETAIL_TASK)
		lkst_detail_task(id, current);
	lkst_act_end();
}

NOKPROBE_SYMBOL(detail_hit);

static ssize_t detail_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned long what = READ_ONCE(kobj_to_detail(kobj)->what);
	unsigned int i;
	ssize_t n = 0;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (what & 1ul << i)
			n += sysfs_emit_at(buf, n, "%s%s", n ? " " : "", names[i]);
	return n + sysfs_emit_at(buf, n, "%s\n", n ? "" : "none");
}

/* "[regs] [stack] [task]", or "none" */
static ssize_t detail_store(struct kobject *kobj, struct kobj_attribute *attr,
			    const char *buf, size_t size)
{
	char line[32], *rest = line, *word;
	unsigned long what = 0;
	int err, i;

	err = lkst_input(buf, size, line, sizeof(line));
	if (err)
		return err;
	if (!strcmp(line, "none"))
		rest = NULL;
	while ((word = strsep(&rest, " "))) {
		i = match_string(names, ARRAY_SIZE(names), word);
		if (i < 0)
			return -EINVAL;
		what |= 1ul << i;
	}
	WRITE_ONCE(kobj_to_detail(kobj)->what, what);
	return size;
}

static struct kobj_attribute detail_attr = __ATTR(detail, 0600, detail_show, detail_store);

static struct attribute *detail_attrs[] = {
	&detail_attr.attr,
	NULL
};

static const struct attribute_group detail_group = { .attrs = detail_attrs };

static int detail_init(struct lkst_handler *handler)
{
	to_detail(handler)->what = DETAIL_REGS | DETAIL_STACK | DETAIL_TASK;
	handler->records = true;
	return 0;
}

const struct lkst_handler_type lkst_detail_type = {
	.name = "detail",
	.size = sizeof(struct detail),
	.hit = detail_hit,
	.init = detail_init,
	.group = &detail_group,
};
