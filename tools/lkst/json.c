// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "text.h"

#define DEPTH_MAX	16

/* What is open, by the character that closes it, and whether something is in it. */
static char closing[DEPTH_MAX];
static bool filled[DEPTH_MAX];
static int depth;

static void put_string(const char *s, size_t n)
{
	char *text, *at, *end;

	n = strnlen(s, n);
	text = xcalloc(n + 1, ESCAPE_MAX);
	end = text + text_escape(text, s, n, "");
	putchar('"');
	for (at = text; at < end; at++) {
		if (*at == '"' || *at == '\\')
			putchar('\\');
		putchar(*at);
	}
	putchar('"');
	free(text);
}

static void put_name(const char *name)
{
	if (depth) {
		printf("%s\n%*s", filled[depth - 1] ? "," : "", depth * 2, "");
		filled[depth - 1] = true;
	}
	if (!name)
		return;
	put_string(name, strlen(name));
	fputs(": ", stdout);
}

void json_begin(const char *name, char kind)
{
	assert(depth < DEPTH_MAX);
	put_name(name);
	putchar(kind);
	closing[depth] = kind == '{' ? '}' : ']';
	filled[depth++] = false;
}

void json_end(void)
{
	assert(depth);
	depth--;
	if (filled[depth])
		printf("\n%*s", depth * 2, "");
	putchar(closing[depth]);
	if (!depth)
		putchar('\n');
}

void json_number(const char *name, u64 value)
{
	put_name(name);
	printf("%llu", value);
}

void json_bool(const char *name, bool value)
{
	put_name(name);
	fputs(value ? "true" : "false", stdout);
}

void json_text(const char *name, const void *s, size_t n)
{
	put_name(name);
	put_string(s, n);
}
