/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the trace. */
#ifndef _LKST_CLOCK_H
#define _LKST_CLOCK_H

#include <linux/static_key.h>
#include <linux/types.h>
#include <asm/msr.h>

struct lkst_ring;

extern struct static_key_false lkst_clock_tsc;
extern u64 lkst_clock_offset;

u64 lkst_clock_fallback(struct lkst_ring *ring);

/**
 * lkst_clock_counter() - Read the clock where lkst_clock_tsc is on
 *
 * Context: any.
 * Return: ticks.
 */
static __always_inline u64 lkst_clock_counter(void)
{
#ifdef CONFIG_X86
	return rdtsc() + lkst_clock_offset;
#else
	return 0;
#endif
}

/**
 * lkst_clock() - Read the clock of the trace
 * @ring: the ring of this CPU, or NULL
 *
 * The time-stamp counter plus an offset that resume from suspend sets, or where
 * it cannot be trusted the kernel's NMI-safe clock, clamped to what @ring had.
 * Never 0.
 *
 * Context: any, preemption off.
 * Return: ticks; see lkst_clock_hz() for their length.
 */
static __always_inline u64 lkst_clock(struct lkst_ring *ring)
{
	if (static_branch_likely(&lkst_clock_tsc))
		return lkst_clock_counter();
	return lkst_clock_fallback(ring);
}

#endif /* _LKST_CLOCK_H */
