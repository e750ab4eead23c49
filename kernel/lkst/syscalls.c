// SPDX-License-Identifier: GPL-2.0
/*
 * Which system calls a maskset is about.
 *
 * /sys/kernel/lkst/masksets/NAME/syscalls
 *
 * A set with a list maps the events of system calls to one handler, which looks at
 * the call's number and hands on what is listed to the handlers that the set's
 * files name. So a set without a list pays nothing for it.
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "lkst.h"

/*
 * From the architecture's tables, by the Makefile: the names in the order of their
 * numbers, each with a NUL, and nothing else for a number that there is not.
 */
static const char native_names[] =
#include "syscalls_64.h"
;
static const char compat_names[] =
#include "syscalls_32.h"
;

/* Mark @name, which can be there more than once; return whether it is there. */
static bool name_mark(const char *names, size_t size, const char *name,
		      unsigned long *listed)
{
	const char *this;
	unsigned int nr = 0;
	bool found = false;

	for (this = names; this < names + size - 1; this += strlen(this) + 1, nr++) {
		if (strcmp(this, name) || WARN_ON_ONCE(nr >= LKST_SYSCALLS))
			continue;
		__set_bit(nr, listed);
		found = true;
	}
	return found;
}

static bool name_add(struct lkst_syscalls *list, const char *name)
{
	bool native = name_mark(native_names, sizeof(native_names), name, list->listed[0]);

	return name_mark(compat_names, sizeof(compat_names), name, list->listed[1]) ||
	       native;
}

static int names_add(struct lkst_syscalls *list, char *text)
{
	int err = -EINVAL;
	char *name;

	while ((name = strsep(&text, " "))) {
		if (!*name)
			continue;
		if (!name_add(list, name)) {
			pr_notice("there is no system call %s\n", name);
			return -ENOENT;
		}
		err = 0;
	}
	return err;
}

/**
 * lkst_syscalls_make() - Make a list of system calls
 * @text: their names, with blanks between
 * @list: set to it, to be freed by kfree(); its handlers are none
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; -EINVAL where @text has no name; or -ENOENT with a line in the
 * kernel log.
 */
int lkst_syscalls_make(const char *text, struct lkst_syscalls **list)
{
	size_t size = strlen(text) + 1;
	struct lkst_syscalls *new = kzalloc(struct_size(new, text, size), GFP_KERNEL);
	char *words = kmemdup(text, size, GFP_KERNEL);
	int err = new && words ? names_add(new, words) : -ENOMEM;

	kfree(words);
	if (err) {
		kfree(new);
		return err;
	}
	memcpy(new->text, text, size);
	new->size = size;
	*list = new;
	return 0;
}

/* Numbers of the x32 ABI have a bit of their own, and are in the same table. */
#define X32_BIT	0x40000000

static void filter_hit(struct lkst_handler *filter, struct lkst_maskset *set, u32 id,
		       const u64 *payload, u32 words)
{
	const struct lkst_syscalls *list = READ_ONCE(set->syscalls);
	u32 nr = (u32)payload[0] & ~X32_BIT, compat = payload[0] >> 32;
	struct lkst_handler *handler;

	if (!list || nr >= LKST_SYSCALLS || !test_bit(nr, list->listed[!!compat]))
		return;
	handler = READ_ONCE(list->handler[id - LKST_EV_syscall_enter]);
	if (handler)
		handler->hit(handler, set, id, payload, words);
}

NOKPROBE_SYMBOL(filter_hit);

/* It has no name: the files of a set name what it hands on to. */
struct lkst_handler lkst_syscall_filter = {
	.hit = filter_hit,
	.builtin = true,
};
