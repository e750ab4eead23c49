/* SPDX-License-Identifier: GPL-2.0 */
/* x86 keeps loads, and stores, in order: only the compiler must be told. */
#ifndef _RING_ASM_BARRIER_H
#define _RING_ASM_BARRIER_H

#include <stddef.h>
#include <linux/compiler.h>

/* Stores before it are seen before those after it. */
#define smp_wmb() ({							\
	ring_step("smp_wmb()", NULL);					\
	barrier();							\
})

/* Loads before it are done before those after it. */
#define smp_rmb() ({							\
	ring_step("smp_rmb()", NULL);					\
	barrier();							\
})

/* For the store of what says that all before it is done. */
#define smp_store_release(p, v) ({					\
	__auto_type __to = (p);						\
	__typeof__(*(p)) __v = (v);					\
									\
	ring_step("smp_store_release(" #p ")", __to);			\
	__atomic_store_n(__to, __v, __ATOMIC_RELEASE);			\
	ring_stored(__to);						\
})

/* For the load of that word. */
#define smp_load_acquire(p) ({						\
	__auto_type __at = (p);						\
									\
	ring_step("smp_load_acquire(" #p ")", __at);			\
	__atomic_load_n(__at, __ATOMIC_ACQUIRE);			\
})

#endif /* _RING_ASM_BARRIER_H */
