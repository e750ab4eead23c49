/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RING_ASM_MSR_H
#define _RING_ASM_MSR_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef RING_STEP
u64 rdtsc(void);
#else
static inline u64 rdtsc(void)
{
	u32 low, high;

	__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}
#endif

#endif /* _RING_ASM_MSR_H */
