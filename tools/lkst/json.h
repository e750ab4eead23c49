/* SPDX-License-Identifier: GPL-2.0 */
/* JSON on standard output. A name is NULL in an array. */
#ifndef LKST_JSON_H
#define LKST_JSON_H

#include "util.h"

/* An object or an array begins, by '{' or '['; and ends. */
void json_begin(const char *name, char kind);
void json_end(void);

void json_number(const char *name, u64 value);
void json_bool(const char *name, bool value);
/* At most @n bytes up to a NUL, with \\xHH for what is no text. */
void json_text(const char *name, const void *s, size_t n);

#endif /* LKST_JSON_H */
