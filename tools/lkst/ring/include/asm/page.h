/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses are the same everywhere. */
#ifndef _RING_ASM_PAGE_H
#define _RING_ASM_PAGE_H

#define __va(address)	((void *)(unsigned long)(address))
#define __pa(address)	((unsigned long)(address))

#endif /* _RING_ASM_PAGE_H */
