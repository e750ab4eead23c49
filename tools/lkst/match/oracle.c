// SPDX-License-Identifier: GPL-2.0
/* What conditions mean, a second time. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <linux/sched.h>

#include "oracle.h"

/* The records, as C sees them. */
#define LKST_PROTO(...)
#define LKST_ARGS(...)
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)	type field;
#define LKST_NAME(field, description, value)	char field[NAME_SIZE];
#define LKST_TEXT(field, description, value)	u32 field; char field##_bytes[];
#define LKST_WORDS(field, count, description, fill)	u64 field[count];
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	struct record_##group##_##name { fields };
#include <linux/lkst_events.h>

#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)			\
	{ #field, NUMBER, offsetof(__typeof__(*r), field), sizeof(type), (type)~0ull < 1, 1 },
#define LKST_NAME(field, description, value)				\
	{ #field, NAME, offsetof(__typeof__(*r), field), 0, false, 1 },
#define LKST_TEXT(field, description, value)				\
	{ #field, TEXT, offsetof(__typeof__(*r), field), 0, false, 1 },
#define LKST_WORDS(field, count, description, fill)			\
	{ #field, NUMBER, offsetof(__typeof__(*r), field), 8, false, count },
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	if (id == n++) {						\
		const struct record_##group##_##name *r;		\
		static const struct shape shape = {			\
			!!(sets), sizeof(*r), { fields }		\
		};							\
									\
		return &shape;						\
	}

const struct shape *oracle_shape(unsigned int id)
{
	unsigned int n = 0;

#include <linux/lkst_events.h>
	return NULL;
}

unsigned int oracle_events(void)
{
	unsigned int n = 0;

	while (oracle_shape(n))
		n++;
	return n;
}

/* Reading */

struct reader {
	const char *at;
	struct tree *tree;
	unsigned int nesting;
	int err;
};

/* The first error counts. */
static void *fail(struct reader *r, int err)
{
	if (!r->err)
		r->err = err;
	return NULL;
}

static bool next_is(struct reader *r, const char *token)
{
	while (*r->at == ' ' || *r->at == '\t')
		r->at++;
	return !strncmp(r->at, token, strlen(token));
}

static bool next_taken(struct reader *r, const char *token)
{
	if (!next_is(r, token))
		return false;
	r->at += strlen(token);
	return true;
}

static __int128 number_read(struct reader *r)
{
	const __int128 limit = (__int128)1 << 64;
	bool hex = r->at[0] == '0' && r->at[1] == 'x';
	__int128 number = 0;

	if (hex)
		r->at += 2;
	else if (r->at[0] == '0' && isdigit(r->at[1]))
		fail(r, -EINVAL);
	if (!(hex ? isxdigit(*r->at) : isdigit(*r->at)))
		fail(r, -EINVAL);
	for (; hex ? isxdigit(*r->at) : isdigit(*r->at); r->at++) {
		int digit = isdigit(*r->at) ? *r->at - '0' : tolower(*r->at) - 'a' + 10;

		number = number * (hex ? 16 : 10) + digit;
		if (number >= limit)
			number = limit;
	}
	if (number >= limit)
		fail(r, -ERANGE);
	return number;
}

static void text_read(struct reader *r, struct leaf *leaf)
{
	size_t size = 0;

	for (; *r->at != '"'; r->at++) {
		if (*r->at == '\\' && (r->at[1] == '"' || r->at[1] == '\\'))
			r->at++;
		else if (!isprint(*r->at) || *r->at == '\\')
			fail(r, -EINVAL);
		if (size == TEXT_MAX)
			fail(r, -E2BIG);
		if (r->err)
			return;
		leaf->text[size++] = *r->at;
	}
	r->at++;
	leaf->text[size] = '\0';
}

static void value_read(struct reader *r, struct leaf *leaf)
{
	bool minus;

	leaf->is_text = next_taken(r, "\"");
	if (leaf->is_text) {
		text_read(r, leaf);
		return;
	}
	minus = next_taken(r, "-");
	leaf->number = number_read(r);
	if (minus)
		leaf->number = -leaf->number;
	if (leaf->number < -((__int128)1 << 63))
		fail(r, -ERANGE);
}

static void op_read(struct reader *r, struct leaf *leaf)
{
	static const char * const ops[] = { "==", "!=", "<=", ">=", "^=", "<", ">", "&" };
	unsigned int i;

	if (next_is(r, "&&"))
		fail(r, -EINVAL);
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		if (next_taken(r, ops[i])) {
			memcpy(leaf->op, ops[i], strlen(ops[i]) + 1);
			return;
		}
	}
	fail(r, -EINVAL);
}

static const struct node *leaf_read(struct reader *r)
{
	struct leaf *leaf = &r->tree->leaf[r->tree->leaves];
	struct node *node = &r->tree->node[r->tree->nodes];
	bool of_texts, of_numbers;

	if (next_is(r, ".") || (!isalpha(*r->at) && *r->at != '_'))
		return fail(r, -EINVAL);
	if (r->tree->leaves == LEAVES_MAX)
		return fail(r, -E2BIG);
	leaf->field = r->at;
	while (isalnum(*r->at) || *r->at == '_' || *r->at == '.')
		r->at++;
	leaf->field_size = r->at - leaf->field;
	leaf->has_index = next_taken(r, "[");
	if (leaf->has_index) {
		next_is(r, "");
		leaf->index = number_read(r);
		if (!next_taken(r, "]"))
			fail(r, -EINVAL);
	}
	if (!r->err)
		op_read(r, leaf);
	if (!r->err)
		value_read(r, leaf);
	if (r->err)
		return NULL;
	of_texts = strchr("=!^", leaf->op[0]);
	of_numbers = leaf->op[0] != '^';
	if (leaf->is_text ? !of_texts : !of_numbers)
		return fail(r, -EINVAL);
	r->tree->leaves++;
	r->tree->nodes++;
	*node = (struct node){ .leaf = leaf };
	return node;
}

static const struct node *any_read(struct reader *r);

static const struct node *one_read(struct reader *r)
{
	const struct node *node;

	if (!next_taken(r, "("))
		return leaf_read(r);
	if (r->nesting == NESTING_MAX)
		return fail(r, -E2BIG);
	r->nesting++;
	node = any_read(r);
	if (!r->err && !next_taken(r, ")"))
		return fail(r, -EINVAL);
	r->nesting--;
	return node;
}

static const struct node *join(struct reader *r, const struct node *left, bool is_or,
			       const struct node *right)
{
	struct node *node = &r->tree->node[r->tree->nodes];

	if (r->err)
		return NULL;
	r->tree->nodes++;
	*node = (struct node){ left, right, NULL, is_or };
	return node;
}

static const struct node *all_read(struct reader *r)
{
	const struct node *node = one_read(r);

	while (!r->err && next_taken(r, "&&"))
		node = join(r, node, false, one_read(r));
	return node;
}

static const struct node *any_read(struct reader *r)
{
	const struct node *node = all_read(r);

	while (!r->err && next_taken(r, "||"))
		node = join(r, node, true, all_read(r));
	return node;
}

/* Make @tree of @text, which must stay. Return 0 or what is wrong with how it is written. */
int oracle_parse(struct tree *tree, const char *text)
{
	struct reader r = { .at = text, .tree = tree };

	tree->leaves = 0;
	tree->nodes = 0;
	if (strlen(text) > LENGTH_MAX)
		return -E2BIG;
	tree->root = any_read(&r);
	if (!next_is(&r, "") || *r.at)
		fail(&r, -EINVAL);
	return r.err;
}

/* Meaning */

static bool named(const struct leaf *leaf, const char *name)
{
	return !strncmp(leaf->field, name, leaf->field_size) && !name[leaf->field_size];
}

/* The thread's fields, of which a name in a record has the form. */
static bool task_value(const struct leaf *leaf, enum form *form, __int128 *number)
{
	const char * const names[] = {
		"current.tid", "current.tgid", "current.cpu", "current.uid", "current.comm",
	};
	const __int128 numbers[] = { current->pid, current->tgid, current->cpu, current->uid, 0 };
	unsigned int i;

	for (i = 0; i < 5; i++) {
		if (!named(leaf, names[i]))
			continue;
		*form = i < 4 ? NUMBER : NAME;
		*number = numbers[i];
		return true;
	}
	return false;
}

static const struct place *place_find(const struct leaf *leaf, unsigned int id)
{
	const struct place *place;

	for (place = oracle_shape(id)->place; place->name; place++)
		if (named(leaf, place->name))
			return place;
	return NULL;
}

/* What is wrong with a comparison in an event. */
static int leaf_check(const struct leaf *leaf, unsigned int id)
{
	const struct place *place = place_find(leaf, id);
	unsigned int count = place ? place->count : 1;
	__int128 number;
	enum form form;

	if (place)
		form = place->form;
	else if (!task_value(leaf, &form, &number))
		return -ENOENT;
	if (leaf->has_index ? count == 1 : count > 1)
		return -EINVAL;
	if (leaf->has_index && leaf->index >= count)
		return -ERANGE;
	return leaf->is_text == (form == NUMBER) ? -EINVAL : 0;
}

bool oracle_fits(const struct tree *tree, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < tree->leaves; i++)
		if (!oracle_shape(id)->hooked || leaf_check(&tree->leaf[i], id))
			return false;
	return true;
}

/*
 * Of a tree that fits no event, what is wrong: with the first comparison that all
 * events are lost at, which fit until there.
 */
int oracle_check(const struct tree *tree)
{
	bool left[256] = { }, any;
	unsigned int i, id, events = oracle_events();
	int err, worst;

	for (id = 0; id < events; id++)
		left[id] = oracle_shape(id)->hooked;
	for (i = 0; i < tree->leaves; i++) {
		any = false;
		worst = -ENOENT;
		for (id = 0; id < events; id++) {
			err = left[id] ? leaf_check(&tree->leaf[i], id) : -ENOENT;
			left[id] = !err;
			any |= !err;
			if (err && err != -ENOENT && worst == -ENOENT)
				worst = err;
		}
		if (!any)
			return worst;
	}
	return 0;
}

static __int128 number_load(const struct place *place, const struct leaf *leaf,
			    const void *record)
{
	const char *at = (const char *)record + place->offset +
			 (leaf->has_index ? (size_t)leaf->index * place->size : 0);
	u64 bits = 0;

	memcpy(&bits, at, place->size);
	if (place->sign && bits >> (8 * place->size - 1))
		return (__int128)bits - ((__int128)1 << (8 * place->size));
	return bits;
}

/* The text as a string in @to. */
static void text_load(const struct place *place, const void *record, char *to)
{
	const char *from = place ? (const char *)record + place->offset : current->comm;
	u32 size = NAME_SIZE;

	if (place && place->form == TEXT) {
		memcpy(&size, from, sizeof(size));
		from += sizeof(size);
		if (size > TEXT_MAX)
			size = TEXT_MAX;
	}
	memcpy(to, from, size);
	to[size] = '\0';
}

static bool leaf_true(const struct leaf *leaf, unsigned int id, const void *record)
{
	const struct place *place = place_find(leaf, id);
	char text[TEXT_MAX + 1];
	__int128 number;
	enum form form;
	int order;

	if (leaf->is_text) {
		text_load(place, record, text);
		if (leaf->op[0] == '^')
			return strstr(text, leaf->text) == text;
		order = strcmp(text, leaf->text);
	} else {
		if (place)
			number = number_load(place, leaf, record);
		else
			task_value(leaf, &form, &number);
		if (leaf->op[0] == '&')
			return number & leaf->number;
		order = number < leaf->number ? -1 : number > leaf->number;
	}
	if (leaf->op[0] == '<')
		return order < 0 || (leaf->op[1] && !order);
	if (leaf->op[0] == '>')
		return order > 0 || (leaf->op[1] && !order);
	return leaf->op[0] == '=' ? !order : order;
}

static bool node_true(const struct node *node, unsigned int id, const void *record)
{
	bool left, right;

	if (node->leaf)
		return leaf_true(node->leaf, id, record);
	left = node_true(node->left, id, record);
	right = node_true(node->right, id, record);
	return node->is_or ? left || right : left && right;
}

/* Is the condition, which fits the event, true of a record of it? */
bool oracle_true(const struct tree *tree, unsigned int id, const void *record)
{
	return node_true(tree->root, id, record);
}
