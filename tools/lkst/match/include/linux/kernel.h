/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel's headers have anyway. */
#ifndef _MATCH_LINUX_KERNEL_H
#define _MATCH_LINUX_KERNEL_H

#include <assert.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define noinline	__attribute__((__noinline__))

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define ERR_PTR(error)	((void *)(long)(error))

#define min(a, b) ({							\
	__auto_type __a = (a);						\
	__auto_type __b = (b);						\
									\
	__a < __b ? __a : __b;						\
})

#define S32_MAX		((s32)0x7fffffff)
#define S32_MIN		((s32)(-S32_MAX - 1))
#define U32_MAX		((u32)~0u)
#define U64_MAX		((u64)~0ull)

#endif /* _MATCH_LINUX_KERNEL_H */
