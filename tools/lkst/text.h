/* SPDX-License-Identifier: GPL-2.0 */
/* Formatting of output: no printf() where a record is written. */
#ifndef LKST_TEXT_H
#define LKST_TEXT_H

#include <string.h>

#include "util.h"

/* Bytes that one byte of input can take when it is escaped. */
#define ESCAPE_MAX	4

/**
 * text_escape() - Make any bytes fit to be shown
 * @out: has room for %ESCAPE_MAX times @n
 *
 * Control characters, what is not UTF-8, backslash, and the characters in
 * @also become \xHH. Return: bytes written; no NUL is.
 */
size_t text_escape(char *out, const void *in, size_t n, const char *also);

/* The reverse, in place. Return: bytes left. */
size_t text_unescape(char *s, size_t n);

/* Output that is collected, and written when there is much of it. */
struct text {
	char *buf;
	size_t len;
	size_t room;
};

/* Make sure that there is room for @n more bytes. */
static inline void text_need(struct text *t, size_t n)
{
	if (t->room - t->len >= n)
		return;
	t->room = (t->room + n) * 2;
	t->buf = xrealloc(t->buf, t->room, 1);
}

/* The rest does not check for room: text_need() did. */

static inline void text_char(struct text *t, char c)
{
	t->buf[t->len++] = c;
}

static inline void text_bytes(struct text *t, const void *s, size_t n)
{
	memcpy(t->buf + t->len, s, n);
	t->len += n;
}

static inline void text_string(struct text *t, const char *s)
{
	text_bytes(t, s, strlen(s));
}

/* Blanks up to a column, but at least one. */
static inline void text_pad(struct text *t, size_t from, size_t width)
{
	size_t n = t->len - from < width ? width - (t->len - from) : 1;

	memset(t->buf + t->len, ' ', n);
	t->len += n;
}

void text_u64(struct text *t, u64 v);
void text_s64(struct text *t, s64 v);
void text_hex(struct text *t, u64 v);
void text_octal(struct text *t, u64 v);
/* With zeros in front, @digits of them. */
void text_digits(struct text *t, u64 v, int digits);

#endif /* LKST_TEXT_H */
