/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MATCH_LINUX_TYPES_H
#define _MATCH_LINUX_TYPES_H

#include_next <linux/types.h>

typedef __s8 s8;

#endif /* _MATCH_LINUX_TYPES_H */
