/* SPDX-License-Identifier: GPL-2.0 */
/* memcpy() of the ring's source, in steps where the including program wants it. */
#ifndef _RING_LINUX_STRING_H
#define _RING_LINUX_STRING_H

#include <string.h>

#ifdef RING_MEMCPY
void *ring_memcpy(void *to, const void *from, size_t size);
#define memcpy(to, from, size)	ring_memcpy(to, from, size)
#endif

#endif /* _RING_LINUX_STRING_H */
