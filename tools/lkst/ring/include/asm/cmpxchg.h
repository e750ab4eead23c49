/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RING_ASM_CMPXCHG_H
#define _RING_ASM_CMPXCHG_H

#include <linux/compiler.h>

#ifdef __SANITIZE_THREAD__
/* A store on x86 is a release. */
#define ring_cmpxchg(at, old, new)					\
	__atomic_compare_exchange_n(at, old, new, false, __ATOMIC_RELEASE, \
				    __ATOMIC_RELAXED)
#else
/* The kernel's own for this CPU's words: one instruction, no bus lock. */
#define ring_cmpxchg(at, old, new) ({					\
	__typeof__(*(at)) __was = *(old);				\
	bool __done;							\
									\
	__asm__ __volatile__("cmpxchgq %[with], %[word]"		\
			     : "=@ccz" (__done), [word] "+m" (*(at)),	\
			       "+a" (__was)				\
			     : [with] "r" (new)				\
			     : "memory");				\
	if (unlikely(!__done))						\
		*(old) = __was;						\
	likely(__done);							\
})
#endif

#define try_cmpxchg_local(p, old, new) ({				\
	__auto_type __word = (p);					\
	__typeof__(*(p)) __new = (new);					\
	bool __ok;							\
									\
	ring_step("try_cmpxchg_local(" #p ")", __word);			\
	__ok = ring_cmpxchg(__word, old, __new);				\
	if (likely(__ok))						\
		ring_stored(__word);					\
	__ok;								\
})

#endif /* _RING_ASM_CMPXCHG_H */
