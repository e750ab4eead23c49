// SPDX-License-Identifier: GPL-2.0
#include "text.h"

static const char hex_digit[] = "0123456789abcdef";

/* Bytes of the UTF-8 character at @s that may be shown as it is, or 0. */
static size_t utf8_length(const u8 *s, size_t n)
{
	static const u32 least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t len, i;
	u32 c;

	if (*s < 0x80)
		return *s >= 0x20 && *s != 0x7f;
	len = *s >= 0xf0 ? 4 : *s >= 0xe0 ? 3 : 2;
	if (*s < 0xc2 || *s > 0xf4 || len > n)
		return 0;
	c = *s & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	/* C1 controls are below the least of two bytes. */
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	/* Neither what breaks lines nor what turns the direction of text. */
	if ((c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return 0;
	return len;
}

size_t text_escape(char *out, const void *in, size_t n, const char *also)
{
	const u8 *s = in;
	char *to = out;
	size_t len;

	while (n) {
		len = utf8_length(s, n);
		if (!len || *s == '\\' || (len == 1 && strchr(also, *s))) {
			*to++ = '\\';
			*to++ = 'x';
			*to++ = hex_digit[*s >> 4];
			*to++ = hex_digit[*s & 15];
			len = 1;
		} else {
			memcpy(to, s, len);
			to += len;
		}
		s += len;
		n -= len;
	}
	return to - out;
}

static int hex_value(char c)
{
	const char *at = c ? strchr(hex_digit, c) : NULL;

	return at ? at - hex_digit : -1;
}

size_t text_unescape(char *s, size_t n)
{
	size_t from = 0, to = 0;

	while (from < n) {
		if (n - from >= 4 && s[from] == '\\' && s[from + 1] == 'x' &&
		    hex_value(s[from + 2]) >= 0 && hex_value(s[from + 3]) >= 0) {
			s[to++] = hex_value(s[from + 2]) << 4 |
				hex_value(s[from + 3]);
			from += 4;
		} else {
			s[to++] = s[from++];
		}
	}
	return to;
}

/* All numbers of two digits. */
static const char pairs[100][2] = {
	"00", "01", "02", "03", "04", "05", "06", "07", "08", "09",
	"10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
	"20", "21", "22", "23", "24", "25", "26", "27", "28", "29",
	"30", "31", "32", "33", "34", "35", "36", "37", "38", "39",
	"40", "41", "42", "43", "44", "45", "46", "47", "48", "49",
	"50", "51", "52", "53", "54", "55", "56", "57", "58", "59",
	"60", "61", "62", "63", "64", "65", "66", "67", "68", "69",
	"70", "71", "72", "73", "74", "75", "76", "77", "78", "79",
	"80", "81", "82", "83", "84", "85", "86", "87", "88", "89",
	"90", "91", "92", "93", "94", "95", "96", "97", "98", "99",
};

void text_u64(struct text *t, u64 v)
{
	char digits[20];
	int at = sizeof(digits);

	for (; v >= 100; v /= 100) {
		at -= 2;
		memcpy(digits + at, pairs[v % 100], 2);
	}
	if (v >= 10) {
		at -= 2;
		memcpy(digits + at, pairs[v], 2);
	} else {
		digits[--at] = '0' + v;
	}
	text_bytes(t, digits + at, sizeof(digits) - at);
}

void text_s64(struct text *t, s64 v)
{
	if (v < 0)
		text_char(t, '-');
	text_u64(t, v < 0 ? -(u64)v : (u64)v);
}

void text_hex(struct text *t, u64 v)
{
	int shift = v ? (63 - __builtin_clzll(v)) & ~3 : 0;

	text_char(t, '0');
	text_char(t, 'x');
	for (; shift >= 0; shift -= 4)
		text_char(t, hex_digit[v >> shift & 15]);
}

void text_octal(struct text *t, u64 v)
{
	int shift = v ? (63 - __builtin_clzll(v)) / 3 * 3 : 0;

	text_char(t, '0');
	for (; shift >= 0 && v; shift -= 3)
		text_char(t, '0' + (v >> shift & 7));
}

void text_digits(struct text *t, u64 v, int digits)
{
	int i = digits;

	for (; i > 1; v /= 100) {
		i -= 2;
		memcpy(t->buf + t->len + i, pairs[v % 100], 2);
	}
	if (i)
		t->buf[t->len] = '0' + v % 10;
	t->len += digits;
}
