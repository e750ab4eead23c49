/* SPDX-License-Identifier: GPL-2.0 */
/* What a dump is of: kernel, boot, times. */
#ifndef LKST_SUMMARY_H
#define LKST_SUMMARY_H

#include "dump.h"

/* A line of it, with bytes from the dump as text. */
void show_text(const char *what, const void *s, size_t n);

/* On standard output, in lines; or as the next members of a JSON object. */
void summary_show(const struct dump *d);
void summary_json(const struct dump *d);

#endif /* LKST_SUMMARY_H */
