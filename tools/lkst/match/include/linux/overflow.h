/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MATCH_LINUX_OVERFLOW_H
#define _MATCH_LINUX_OVERFLOW_H

#include <linux/kernel.h>

#define check_add_overflow(a, b, sum)		__builtin_add_overflow(a, b, sum)
#define check_mul_overflow(a, b, product)	__builtin_mul_overflow(a, b, product)
#define struct_size(p, member, count)					\
	(sizeof(*(p)) + sizeof((p)->member[0]) * (count))

#endif /* _MATCH_LINUX_OVERFLOW_H */
