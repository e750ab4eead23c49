/* SPDX-License-Identifier: GPL-2.0 */
/* What the compiler of conditions has around it. */
#ifndef _MATCH_WORLD_H
#define _MATCH_WORLD_H

#include <stddef.h>

/* What was logged: bytes and lines, since the last log_clear(). */
extern char log_text[512];
extern unsigned int log_lines;

/* The allocation that fails, 1 for the next; 0 for none. */
extern unsigned int alloc_fails;

void log_clear(void);

#endif /* _MATCH_WORLD_H */
