/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What conditions mean, a second time: a tree, walked with 128-bit integers over
 * records of which the C compiler knows the layout. It shares nothing with the
 * compiler of conditions but the table of events.
 */
#ifndef _MATCH_ORACLE_H
#define _MATCH_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#define LEAVES_MAX	32
#define NESTING_MAX	16
#define LENGTH_MAX	2047
#define TEXT_MAX	256
#define NAME_SIZE	16
#define FIELDS_MAX	64

enum form { NUMBER, NAME, TEXT };

/**
 * struct place - a field, and where it lies
 * @name: its name
 * @form: what it is
 * @offset: its first byte; of a text, that of its length
 * @size: bytes of a number
 * @sign: the number can be negative
 * @count: numbers, in an array; else 1
 */
struct place {
	const char *name;
	enum form form;
	size_t offset;
	size_t size;
	bool sign;
	unsigned int count;
};

/**
 * struct shape - an event's record
 * @hooked: the event has a hook
 * @size: bytes of it, without those of a text
 * @place: its fields, and then one without a name
 */
struct shape {
	bool hooked;
	size_t size;
	struct place place[FIELDS_MAX + 1];
};

/**
 * struct leaf - a comparison
 * @field: the field's name, in the condition
 * @field_size: bytes of that
 * @op: the operator
 * @has_index: the field has an index
 * @is_text: the value is a text
 * @index: the index
 * @number: the value
 * @text: the value
 */
struct leaf {
	const char *field;
	size_t field_size;
	char op[3];
	bool has_index;
	bool is_text;
	__int128 index;
	__int128 number;
	char text[TEXT_MAX + 1];
};

/* Two nodes joined, or where there is none, a leaf. */
struct node {
	const struct node *left, *right;
	const struct leaf *leaf;
	bool is_or;
};

struct tree {
	unsigned int leaves, nodes;
	const struct node *root;
	struct leaf leaf[LEAVES_MAX];
	struct node node[2 * LEAVES_MAX];
};

unsigned int oracle_events(void);
const struct shape *oracle_shape(unsigned int id);
int oracle_parse(struct tree *tree, const char *text);
bool oracle_fits(const struct tree *tree, unsigned int id);
int oracle_check(const struct tree *tree);
bool oracle_true(const struct tree *tree, unsigned int id, const void *record);

#endif /* _MATCH_ORACLE_H */
