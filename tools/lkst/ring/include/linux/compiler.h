/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to shared memory, as the ring's source makes them.
 *
 * With RING_STEP each of them calls the explorer before it, and after it when it
 * stored. The atomics are single instructions here, like the kernel's own, and
 * ThreadSanitizer knows them.
 */
#ifndef _RING_LINUX_COMPILER_H
#define _RING_LINUX_COMPILER_H

#include <sys/cdefs.h>

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" : : : "memory")

#ifdef RING_STEP
void ring_step(const char *what, const void *at);
void ring_stored(const void *at);
#else
#define ring_step(what, at)	((void)(at))
#define ring_stored(at)		((void)(at))
#endif

/* For KCSAN, which is the kernel's. */
#define data_race(x)	(x)

#define READ_ONCE(x) ({							\
	__auto_type __at = &(x);					\
									\
	ring_step("READ_ONCE(" #x ")", __at);				\
	__atomic_load_n(__at, __ATOMIC_RELAXED);			\
})

#define WRITE_ONCE(x, v) ({						\
	__auto_type __to = &(x);					\
	__typeof__(x) __v = (v);					\
									\
	ring_step("WRITE_ONCE(" #x ")", __to);				\
	__atomic_store_n(__to, __v, __ATOMIC_RELAXED);			\
	ring_stored(__to);						\
})

#endif /* _RING_LINUX_COMPILER_H */
