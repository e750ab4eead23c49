/* SPDX-License-Identifier: GPL-2.0 */
/* A key is a variable. As in the kernel, barriers and exchanges come with it. */
#ifndef _RING_LINUX_STATIC_KEY_H
#define _RING_LINUX_STATIC_KEY_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>
#include <asm/cmpxchg.h>

/* The trace's clock on x86 is the time-stamp counter, where it can be. */
#define CONFIG_X86	1

struct static_key_false {
	bool on;
};

#define static_branch_likely(key)	likely((key)->on)
#define static_key_enabled(key)		((key)->on)

#endif /* _RING_LINUX_STATIC_KEY_H */
