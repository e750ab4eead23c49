// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "text.h"

/* All names together. */
#define NAMES_MAX	(32u << 20)

#define CACHE_BITS	10

/* What code lies between: that which stays, and that which only starts the kernel. */
static const char *const ranges[][2] = {
	{ "_stext", "_etext" },
	{ "_sinittext", "_einittext" },
};

/* The last answer for the addresses that share a slot. */
struct answer {
	u64 address;
	const struct symbol *symbol;
};

struct symbols {
	struct symbol *symbol;	/* when finished: in order, one for an address */
	size_t nr;
	size_t room;
	struct text names;
	u64 bound[ARRAY_SIZE(ranges)][2];	/* of each range; 0 if it is not known */
	struct answer cache[1 << CACHE_BITS];
};

struct symbols *symbols_new(void)
{
	return xcalloc(1, sizeof(struct symbols));
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	free(s->symbol);
	free(s->names.buf);
	free(s);
}

/* Neither a blank nor what is not ASCII, nor what would end a string of JSON. */
static bool is_plain(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (name[i] <= ' ' || name[i] > '~' || name[i] == '"' || name[i] == '\\')
			return false;
	return len && len < SYMBOL_NAME_MAX;
}

bool symbols_add(struct symbols *s, u64 at, char type, const char *name, size_t len)
{
	if (!is_plain(name, len) || !is_plain(&type, 1) || s->nr == SYMBOLS_MAX ||
	    s->names.len > NAMES_MAX)
		return false;
	s->symbol = grow(s->symbol, s->nr, &s->room, sizeof(*s->symbol));
	s->symbol[s->nr++] = (struct symbol){
		.at = at, .name = s->names.len, .len = len, .type = type,
	};
	text_need(&s->names, len);
	text_bytes(&s->names, name, len);
	return true;
}

const char *symbols_name(const struct symbols *s, const struct symbol *symbol)
{
	return s->names.buf + symbol->name;
}

u64 symbols_address(const struct symbols *s, const char *name)
{
	size_t i, len = strlen(name);

	for (i = 0; i < s->nr; i++)
		if (s->symbol[i].len == len &&
		    !memcmp(symbols_name(s, &s->symbol[i]), name, len))
			return s->symbol[i].at;
	return 0;
}

void symbols_move(struct symbols *s, u64 text)
{
	u64 by = text - symbols_address(s, ranges[0][0]);
	size_t i;

	for (i = 0; i < s->nr; i++)
		s->symbol[i].at += by;
}

/* By address, then as they were added. */
static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/*
 * Move those of a range to the front, behind the @kept that are there, and an end
 * behind them. Return: how many are kept then.
 */
static size_t keep_range(struct symbols *s, size_t kept, u64 start, u64 end)
{
	size_t i;

	for (i = kept; i < s->nr && s->symbol[i].at < end; i++)
		if (s->symbol[i].at >= start &&
		    (!kept || s->symbol[kept - 1].at != s->symbol[i].at))
			s->symbol[kept++] = s->symbol[i];
	/* In the place of the symbol at the end itself, or of one before. */
	s->symbol[kept++] = (struct symbol){ .at = end };
	return kept;
}

void symbols_finish(struct symbols *s)
{
	u64 start, end, after = KERNEL_MAP;
	size_t i, kept = 0;

	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		start = symbols_address(s, ranges[i][0]);
		end = symbols_address(s, ranges[i][1]);
		if (start < after || end <= start)
			continue;
		s->bound[i][0] = start;
		s->bound[i][1] = end;
		after = end + 1;
	}
	sort(s->symbol, s->nr, sizeof(*s->symbol), by_address);
	for (i = 0; i < ARRAY_SIZE(ranges); i++)
		if (s->bound[i][1])
			kept = keep_range(s, kept, s->bound[i][0], s->bound[i][1]);
	s->nr = kept;
}

static struct symbol *search(const struct symbols *s, u64 address)
{
	size_t low = 0, high = s->nr, mid;

	/* The first that begins above it. */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->symbol[mid].at > address)
			high = mid;
		else
			low = mid + 1;
	}
	return low && s->symbol[low - 1].len ? &s->symbol[low - 1] : NULL;
}

const struct symbol *symbols_find(struct symbols *s, u64 address)
{
	struct answer *a = &s->cache[address * 0x9e3779b97f4a7c15ull >> (64 - CACHE_BITS)];

	if (a->address != address) {
		a->address = address;
		a->symbol = search(s, address);
	}
	return a->symbol;
}

void symbols_mark(struct symbols *s, u64 address)
{
	struct symbol *symbol = search(s, address);

	if (symbol)
		symbol->used = true;
}

void symbols_mark_all(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		s->symbol[i].used = true;
}

static void put_line(struct text *t, u64 at, char type, const char *name, size_t len)
{
	text_need(t, 32 + len);
	t->len += sprintf(t->buf + t->len, "%016llx %c ", at, type);
	text_bytes(t, name, len);
	text_char(t, '\n');
}

char *symbols_to_text(struct symbols *s, size_t *size)
{
	struct text t = { };
	bool before = false;
	size_t i, k;

	for (i = 0; i < s->nr; i++) {
		struct symbol *symbol = &s->symbol[i];

		/* The next one says how far one goes. */
		if (symbol->len && (symbol->used || before))
			put_line(&t, symbol->at, symbol->type,
				 symbols_name(s, symbol), symbol->len);
		before = symbol->used;
		symbol->used = false;
	}
	/* Last, as any other name at the same place goes first. */
	for (i = 0; t.len && i < ARRAY_SIZE(ranges); i++)
		for (k = 0; k < 2 && s->bound[i][1]; k++)
			put_line(&t, s->bound[i][k], 'T', ranges[i][k],
				 strlen(ranges[i][k]));
	*size = t.len;
	return t.buf;
}

void symbols_from_text(struct symbols *s, const char *text)
{
	const char *line, *name, *next;
	char *end;
	u64 at;

	for (line = text; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			next++;
		at = strtoull(line, &end, 16);
		if (!in_kernel_map(at) || end[0] != ' ' || !end[1] || end[2] != ' ')
			continue;
		name = end + 3;
		symbols_add(s, at, end[1], name, strcspn(name, " \t\n"));
	}
}
