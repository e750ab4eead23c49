// SPDX-License-Identifier: GPL-2.0
/* Random conditions, and records and tasks of which they are sometimes true. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/sched.h>

#include "generate.h"

static u64 state;

void random_seed(u64 seed)
{
	state = seed;
}

static u64 random_bits(void)
{
	u64 z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

unsigned int random_below(unsigned int n)
{
	return random_bits() % n;
}

static bool one_in(unsigned int n)
{
	return !random_below(n);
}

/* Numbers and texts */

/* Where types end, and beside that. */
static __int128 random_edge(void)
{
	static const int bits[] = { 0, 1, 4, 15, 16, 31, 32, 63, 64 };
	__int128 edge = (__int128)1 << bits[random_below(ARRAY_SIZE(bits))];

	edge += (int)random_below(5) - 3;
	return one_in(3) ? -edge : edge;
}

static __int128 random_value(void)
{
	switch (random_below(4)) {
	case 0:  return random_below(16);
	case 1:  return random_bits() >> random_below(64);
	default: return random_edge();
	}
}

static const char * const texts[] = {
	"", "a", "ab", "sh", "swapper/0", "kworker/0:1", "\"", "\\", "a \"b\" \\c",
	"fifteen letters", "sixteen letters.", "seventeen letters", "/usr/bin/env",
};

/* Up to @max bytes go to @to, and a NUL. */
static void random_text(char *to, size_t max)
{
	size_t size = random_below(one_in(8) ? 260 : 20);

	if (size > max)
		size = max;
	if (one_in(4)) {
		memset(to, "ab"[random_below(2)], size);
		to[size] = '\0';
	} else {
		snprintf(to, max + 1, "%s", texts[random_below(ARRAY_SIZE(texts))]);
	}
}

/* Conditions */

struct writer {
	char *to;
	size_t size;
	unsigned int level;
	const struct shape *shape;
};

static void put(struct writer *w, const char *form, ...)
	__attribute__((format(printf, 2, 3)));

/* What is too long is cut off. */
static void put(struct writer *w, const char *form, ...)
{
	va_list args;

	va_start(args, form);
	w->size += vsnprintf(w->to + w->size, ROOM - w->size, form, args);
	va_end(args);
	if (w->size >= ROOM)
		w->size = ROOM - 1;
}

static void put_blanks(struct writer *w)
{
	if (one_in(3))
		put(w, "%s", one_in(4) ? "\t  " : " ");
}

static void put_number(struct writer *w)
{
	const __int128 max = ((__int128)1 << 64) - 1, min = -((__int128)1 << 63);
	__int128 number = random_value();

	number = number > max ? max : number < min ? min : number;
	put(w, "%s", number < 0 ? "-" : "");
	put(w, one_in(2) ? "%llu" : one_in(2) ? "0x%llx" : "0x%llX",
	    (unsigned long long)(number < 0 ? -number : number));
}

static void put_text(struct writer *w)
{
	char text[TEXT_MAX + 1], *at;

	random_text(text, TEXT_MAX);
	put(w, "\"");
	for (at = text; *at; at++)
		put(w, "%s%c", strchr("\"\\", *at) ? "\\" : "", *at);
	put(w, "\"");
}

static void put_operator(struct writer *w, enum form form)
{
	static const char * const ops[] = { "==", "!=", "^=", "<", "<=", ">", ">=", "&" };
	unsigned int op = form == NUMBER ? random_below(7) : random_below(3);

	put_blanks(w);
	put(w, "%s", ops[form == NUMBER && op > 1 ? op + 1 : op]);
	put_blanks(w);
}

static const struct place *random_place(const struct shape *shape)
{
	unsigned int n = 0;

	while (shape->place[n].name)
		n++;
	return &shape->place[random_below(n)];
}

static void put_comparison(struct writer *w)
{
	static const char * const task[] = { "comm", "tid", "tgid", "cpu", "uid" };
	unsigned int of_task = one_in(5) ? 1 + random_below(ARRAY_SIZE(task)) : 0;
	const struct place *place = random_place(w->shape);
	enum form form = of_task ? of_task > 1 ? NUMBER : NAME : place->form;

	if (of_task)
		put(w, "current.%s", task[of_task - 1]);
	else
		put(w, "%s", place->name);
	put_blanks(w);
	if (!of_task && place->count > 1) {
		put(w, "[");
		put_blanks(w);
		put(w, one_in(2) ? "%u" : "0x%x", random_below(place->count));
		put_blanks(w);
		put(w, "]");
	}
	put_operator(w, form);
	if (form == NUMBER)
		put_number(w);
	else
		put_text(w);
}

/* @n comparisons, in parentheses where @closed. */
static void put_tree(struct writer *w, unsigned int n, bool closed)
{
	unsigned int left = n > 1 ? 1 + random_below(n - 1) : 0;

	closed &= w->level < NESTING_MAX;
	put_blanks(w);
	if (closed) {
		w->level++;
		put(w, "(");
		put_blanks(w);
	}
	if (left) {
		put_tree(w, left, one_in(3));
		put(w, "%s", one_in(2) ? "&&" : "||");
		put_tree(w, n - left, one_in(3));
	} else if (one_in(10)) {
		put_tree(w, 1, true);
	} else {
		put_comparison(w);
	}
	put_blanks(w);
	if (closed) {
		w->level--;
		put(w, ")");
		put_blanks(w);
	}
}

/* A condition, which fits an event, goes to @to. */
void condition_make(char *to)
{
	struct writer w;

	do {
		w = (struct writer){ .to = to };
		do {
			w.shape = oracle_shape(random_below(oracle_events()));
		} while (!w.shape->hooked);
		put_tree(&w, 1 + random_below(one_in(4) ? LEAVES_MAX : 4), one_in(4));
	} while (w.size > LENGTH_MAX);
}

static const char * const tokens[] = {
	"&&", "||", "(", ")", "==", "!=", "<", "<=", ">", ">=", "&", "^=", "\"", "\\\"",
	"\\\\", "\\", "[", "]", "[0]", "[5]", "[6]", "-", "0", "0x", "0x10", "010", "9",
	"18446744073709551615", "18446744073709551616", "-9223372036854775808", " ", "\t",
	"\n", "tid", "comm", "arg", "text", "current.tid", "current.comm", "current.", ".",
	"nonesuch", "_", "x", "\"a\"", "\"\"", "\x7f", "\x80", "\xff", "\x01", "!", "|",
	" && tid == 1", " || comm ^= \"a\"", "((((((((", "))))))))",
};

/* Put @piece in place of @cut bytes at @at. */
static void splice(char *text, size_t at, size_t cut, const char *piece, size_t size)
{
	size_t length = strlen(text);

	if (length - cut + size >= ROOM)
		return;
	memmove(text + at + size, text + at + cut, length - at - cut + 1);
	memcpy(text + at, piece, size);
}

static void mutate_once(char *text, const char *other)
{
	size_t length = strlen(text), at = random_below(length + 1), from;
	size_t cut = random_below(one_in(2) ? 2 : 12);
	const char *token = tokens[random_below(ARRAY_SIZE(tokens))];
	char byte = 1 + random_below(255), piece[ROOM];

	if (cut > length - at)
		cut = length - at;
	snprintf(piece, sizeof(piece), "%s", one_in(2) ? text : other);
	from = random_below(strlen(piece) + 1);
	switch (random_below(5)) {
	case 0:
		splice(text, at, cut, token, strlen(token));
		break;
	case 1:
		splice(text, at, cut, "", 0);
		break;
	case 2:
		splice(text, at, cut, &byte, 1);
		break;
	case 3:
		splice(text, at, cut, piece + from, random_below(strlen(piece) - from + 1));
		break;
	case 4:
		splice(text, at, 0, token, strlen(token));
		break;
	}
}

/* Change @text, of which there is ROOM, a little, or into parts of @other. */
void condition_mutate(char *text, const char *other)
{
	unsigned int n = 1 + random_below(one_in(4) ? 12 : 3);

	while (n--)
		mutate_once(text, other);
}

/* Records and tasks */

/* A number of @size bytes: one that @tree compares with, or one beside it, or any. */
static u64 number_for(const struct tree *tree)
{
	const struct leaf *leaf = &tree->leaf[random_below(tree->leaves)];

	if (leaf->is_text || one_in(3))
		return random_value();
	if (one_in(4))
		return leaf->number ^ 1ull << random_below(64);
	return leaf->number + (int)random_below(3) - 1;
}

/* One that @tree compares with, if there is one, and often changed, or any. */
static void string_for(const struct tree *tree, char *to, size_t room)
{
	const struct leaf *leaf = &tree->leaf[random_below(tree->leaves)];
	char tail[TEXT_MAX + 1];

	random_text(tail, TEXT_MAX);
	if (!leaf->is_text || one_in(4)) {
		snprintf(to, room, "%s", tail);
		return;
	}
	snprintf(to, room, "%s%s", leaf->text, one_in(4) ? tail : "");
	if (!*to || !one_in(3))
		return;
	if (one_in(2))
		to[random_below(strlen(to))] ^= one_in(2) ? 1 : 0x80;
	else
		to[random_below(strlen(to))] = '\0';
}

/* The same in @max bytes, without a NUL where there is no room for it. */
static void text_for(const struct tree *tree, char *to, size_t max)
{
	char text[2 * TEXT_MAX + 1];
	size_t size;

	string_for(tree, text, sizeof(text));
	size = strnlen(text, max);
	memset(to, 0, max);
	memcpy(to, text, size);
	/* What stands behind a NUL does not count. */
	if (size + 1 < max && one_in(8))
		memset(to + size + 1, 'z', max - size - 1);
}

/* A text as a hook leaves it, or, if it does not, with any length. */
static void *text_add(const struct tree *tree, char *record, size_t at, size_t *size)
{
	char text[TEXT_MAX];
	u32 length, room;

	text_for(tree, text, sizeof(text));
	length = (strnlen(text, sizeof(text)) + 7) & ~7u;
	if (one_in(8))
		length = random_below(TEXT_MAX + 1);
	room = (length + 7) & ~7u;
	if (one_in(16)) {
		length = TEXT_MAX + random_bits();
		room = TEXT_MAX;
	}
	record = realloc(record, *size + room);
	memcpy(record + at, &length, sizeof(length));
	memcpy(record + *size, text, room);
	*size += room;
	return record;
}

/* A record of event @id for @tree, of just @size bytes, to be freed. */
void *record_make(const struct tree *tree, unsigned int id, size_t *size)
{
	const struct shape *shape = oracle_shape(id);
	char *record = malloc(shape->size);
	const struct place *place;
	unsigned int i;
	u64 number;

	*size = shape->size;
	for (place = shape->place; place->name; place++) {
		for (i = 0; place->form == NUMBER && i < place->count; i++) {
			number = number_for(tree);
			memcpy(record + place->offset + i * place->size, &number, place->size);
		}
		if (place->form == NAME) {
			text_for(tree, record + place->offset, NAME_SIZE);
			record[place->offset + NAME_SIZE - 1] = '\0';
		}
		if (place->form == TEXT)
			record = text_add(tree, record, place->offset, size);
	}
	return record;
}

/* The task that runs, for @tree. */
void task_make(const struct tree *tree)
{
	current->pid = number_for(tree);
	current->tgid = number_for(tree);
	current->cpu = number_for(tree) & 0xffff;
	current->uid = number_for(tree);
	text_for(tree, current->comm, NAME_SIZE);
	current->comm[NAME_SIZE - 1] = '\0';
}
