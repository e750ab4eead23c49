// SPDX-License-Identifier: GPL-2.0
/*
 * The compiler of conditions.
 *
 * It reads the text once, into a list of comparisons, and then makes a program of
 * it for each event that has the fields. A program is a list of terms, in the
 * order of the text, that jump forward only.
 */
#define pr_fmt(fmt) "lkst: " fmt

#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/overflow.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/stringify.h>

#include "match.h"

/* What a term compares: a number in the payload, or what is out of line. */
enum kind {
	KIND_NUMBER, KIND_NAME, KIND_TEXT,
	KIND_TID, KIND_TGID, KIND_CPU, KIND_UID, KIND_COMM
};

/* When it is hit, or where the operator is negated when it is not. */
enum test { TEST_EQ, TEST_LT, TEST_LE, TEST_BITS, TEST_BEGIN };

/* The longer ones first. */
static const struct operator {
	const char *token;
	enum test test;
	bool negate;
} operators[] = {
	{ "==", TEST_EQ },
	{ "!=", TEST_EQ, true },
	{ "<=", TEST_LE },
	{ ">=", TEST_LT, true },
	{ "^=", TEST_BEGIN },
	{ "<", TEST_LT },
	{ ">", TEST_LE, true },
	{ "&", TEST_BITS },
};

static const struct {
	const char *name;
	enum kind kind;
	enum lkst_type type;
} task_fields[] = {
	{ "current.tid", KIND_TID, LKST_TYPE_s64 },
	{ "current.tgid", KIND_TGID, LKST_TYPE_s64 },
	{ "current.cpu", KIND_CPU, LKST_TYPE_s64 },
	{ "current.uid", KIND_UID, LKST_TYPE_s64 },
	{ "current.comm", KIND_COMM, LKST_TYPE_NAME },
};

/**
 * struct comparison - a comparison as it is written
 * @name: characters before its field's name
 * @name_size: characters of that
 * @index_at: characters before its index; 0 where it has none
 * @op_at: characters before its operator
 * @value_at: characters before its value
 * @index: the index
 * @op: the operator
 * @is_text: the value is a text
 * @negative: the value is a number below zero
 * @value: the number, of which this is the two's complement then
 * @string: where the text begins in compiler.strings
 * @string_size: its bytes
 * @level: parentheses around the && or || that follows
 * @is_or: it is ||
 */
struct comparison {
	u16 name;
	u16 name_size;
	u16 index_at;
	u16 op_at;
	u16 value_at;
	u64 index;
	const struct operator *op;
	bool is_text;
	bool negative;
	u64 value;
	u16 string;
	u16 string_size;
	u8 level;
	bool is_or;
};

/**
 * struct wrong - why a condition is refused
 * @err: a negative errno
 * @at: the character that is wrong, counted from 1
 * @what: why
 */
struct wrong {
	int err;
	unsigned int at;
	const char *what;
};

/**
 * struct compiler - a condition being compiled
 * @text: the condition
 * @at: characters that were read
 * @nr: number of @comparison
 * @level: parentheses that are open
 * @string_size: bytes of @string
 * @wrong: what is wrong
 * @open: characters before each of the parentheses that are open
 * @comparison: in the order in which they are written
 * @terms: the program for one event
 * @string: all texts, one after the other
 */
struct compiler {
	const char *text;
	unsigned int at;
	unsigned int nr;
	unsigned int level;
	unsigned int string_size;
	struct wrong wrong;
	u16 open[LKST_MATCH_DEPTH];
	struct comparison comparison[LKST_MATCH_TERMS];
	struct lkst_term terms[LKST_MATCH_TERMS];
	char string[LKST_MATCH_LENGTH];
};

#define DIGITS	"0123456789"
#define LETTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"

/* Run time: called from anywhere */

/* A text of up to @room bytes, which ends before that where it has a NUL. */
static bool text_hit(const struct lkst_term *t, const char *text, u32 room)
{
	u32 i;

	if (t->size > room)
		return false;
	for (i = 0; i < t->size; i++)
		if (READ_ONCE(text[i]) != t->text[i])
			return false;
	return !t->whole || i == room || !READ_ONCE(text[i]);
}

NOKPROBE_SYMBOL(text_hit);

static __always_inline bool number_hit(const struct lkst_term *t, s64 value)
{
	return (((u64)value - t->low) & t->mask) <= t->span;
}

static bool term_hit(const struct lkst_term *t, const u64 *payload)
{
	const char *bytes = (const char *)payload;

	switch (t->kind) {
	case KIND_NAME:
		return text_hit(t, bytes + t->offset, LKST_COMM_SIZE);
	case KIND_TEXT:
		return text_hit(t, bytes + t->offset + sizeof(u32),
				min(*(const u32 *)(bytes + t->offset), LKST_TEXT_MAX));
	case KIND_TID:
		return number_hit(t, current->pid);
	case KIND_TGID:
		return number_hit(t, current->tgid);
	case KIND_CPU:
		return number_hit(t, raw_smp_processor_id());
	case KIND_UID:
		return number_hit(t, __kuid_val(current_uid()));
	case KIND_COMM:
		return text_hit(t, current->comm, sizeof(current->comm));
	}
	return false;
}

NOKPROBE_SYMBOL(term_hit);

/**
 * __lkst_match_run() - Compare what is not a number in the payload
 * @t: the term
 * @payload: of the event's record
 *
 * Return: how many terms further to go on, LKST_MATCH_TRUE or LKST_MATCH_FALSE.
 */
noinline int __lkst_match_run(const struct lkst_term *t, const u64 *payload)
{
	return t->after[term_hit(t, payload)];
}

NOKPROBE_SYMBOL(__lkst_match_run);

/* Reading */

static int refuse(struct compiler *c, int err, unsigned int at, const char *what)
{
	c->wrong = (struct wrong){ .err = err, .at = at + 1, .what = what };
	return err;
}

static void skip_blanks(struct compiler *c)
{
	c->at += strspn(c->text + c->at, " \t");
}

/* Is @token what comes next? Then it is read. */
static bool take(struct compiler *c, const char *token)
{
	skip_blanks(c);
	if (strncmp(c->text + c->at, token, strlen(token)))
		return false;
	c->at += strlen(token);
	return true;
}

/* The value of a digit, or at least @base. */
static unsigned int digit_value(char c, unsigned int base)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit = c ? strchr(digits, c) : NULL;

	return digit ? (digit - digits) % 16 : base;
}

/* The digits of a number that begins at @start. */
static int read_digits(struct compiler *c, unsigned int start, unsigned int base,
		       u64 *value)
{
	unsigned int first = c->at, digit;

	*value = 0;
	for (;; c->at++) {
		digit = digit_value(c->text[c->at], base);
		if (digit >= base)
			break;
		if (check_mul_overflow(*value, (u64)base, value) ||
		    check_add_overflow(*value, (u64)digit, value))
			return refuse(c, -ERANGE, start, "the number is beyond 64 bits");
	}
	return c->at > first ? 0 : refuse(c, -EINVAL, c->at, "expected a digit");
}

static int read_number(struct compiler *c, unsigned int start, u64 *value)
{
	const char *text = c->text + c->at;

	if (text[0] == '0' && text[1] == 'x') {
		c->at += 2;
		return read_digits(c, start, 16, value);
	}
	if (text[0] == '0' && strspn(text + 1, DIGITS))
		return refuse(c, -EINVAL, c->at, "a decimal does not begin with 0");
	return read_digits(c, start, 10, value);
}

static int read_signed(struct compiler *c, struct comparison *this)
{
	bool minus = take(c, "-");
	int err = read_number(c, this->value_at, &this->value);

	if (err || !minus)
		return err;
	if (this->value > 1ull << 63)
		return refuse(c, -ERANGE, this->value_at, "the number is beyond 64 bits");
	this->negative = this->value;
	this->value = -this->value;
	return 0;
}

/* A character of a text, or at its end -ENODATA. */
static int read_character(struct compiler *c, const struct comparison *this)
{
	char next = c->text[c->at];

	if (!next)
		return refuse(c, -EINVAL, this->value_at, "the text does not end");
	if (next < ' ' || next > '~')
		return refuse(c, -EINVAL, c->at, "a text has printable ASCII only");
	c->at++;
	if (next == '"')
		return -ENODATA;
	if (next != '\\')
		return next;
	next = c->text[c->at];
	if (next != '"' && next != '\\')
		return refuse(c, -EINVAL, c->at - 1, "expected \\\" or \\\\");
	c->at++;
	return next;
}

/* A text, of which the quote was read. */
static int read_string(struct compiler *c, struct comparison *this)
{
	int next;

	this->is_text = true;
	this->string = c->string_size;
	while ((next = read_character(c, this)) >= 0) {
		if (this->string_size == LKST_TEXT_MAX)
			return refuse(c, -E2BIG, this->value_at,
				      "the text is longer than any field");
		c->string[c->string_size++] = next;
		this->string_size++;
	}
	return next == -ENODATA ? 0 : next;
}

static int read_value(struct compiler *c, struct comparison *this)
{
	skip_blanks(c);
	this->value_at = c->at;
	if (take(c, "\""))
		return read_string(c, this);
	if (!strspn(c->text + c->at, "-" DIGITS))
		return refuse(c, -EINVAL, c->at, "expected a number or a text in quotes");
	return read_signed(c, this);
}

static int read_operator(struct compiler *c, struct comparison *this)
{
	unsigned int i;

	skip_blanks(c);
	this->op_at = c->at;
	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (strncmp(c->text + c->at, "&&", 2) && take(c, operators[i].token)) {
			this->op = &operators[i];
			return 0;
		}
	return refuse(c, -EINVAL, c->at, "expected == != < <= > >= & or ^=");
}

static int read_index(struct compiler *c, struct comparison *this)
{
	int err;

	if (!take(c, "["))
		return 0;
	skip_blanks(c);
	this->index_at = c->at;
	err = read_number(c, this->index_at, &this->index);
	if (err)
		return err;
	return take(c, "]") ? 0 : refuse(c, -EINVAL, c->at, "expected ]");
}

static int read_comparison(struct compiler *c)
{
	struct comparison *this = &c->comparison[c->nr];
	enum test test;
	int err;

	skip_blanks(c);
	if (!strspn(c->text + c->at, LETTERS))
		return refuse(c, -EINVAL, c->at, "expected a comparison");
	if (c->nr == LKST_MATCH_TERMS)
		return refuse(c, -E2BIG, c->at,
			      "more than " __stringify(LKST_MATCH_TERMS) " comparisons");
	this->name = c->at;
	this->name_size = strspn(c->text + c->at, LETTERS DIGITS ".");
	c->at += this->name_size;
	err = read_index(c, this);
	if (!err)
		err = read_operator(c, this);
	if (!err)
		err = read_value(c, this);
	if (err)
		return err;
	test = this->op->test;
	if (this->is_text && test != TEST_EQ && test != TEST_BEGIN)
		return refuse(c, -EINVAL, this->op_at, "a text is compared by == != or ^=");
	if (!this->is_text && test == TEST_BEGIN)
		return refuse(c, -EINVAL, this->op_at, "^= compares a text");
	c->nr++;
	return 0;
}

static int read_opening(struct compiler *c)
{
	while (take(c, "(")) {
		if (c->level == LKST_MATCH_DEPTH)
			return refuse(c, -E2BIG, c->at - 1, "more than "
				      __stringify(LKST_MATCH_DEPTH) " parentheses deep");
		c->open[c->level++] = c->at - 1;
	}
	return 0;
}

static int read_closing(struct compiler *c)
{
	while (take(c, ")"))
		if (!c->level--)
			return refuse(c, -EINVAL, c->at - 1, "nothing opens what this closes");
	return 0;
}

static int read_condition(struct compiler *c)
{
	struct comparison *this;
	bool more;
	int err;

	do {
		err = read_opening(c);
		if (!err)
			err = read_comparison(c);
		if (!err)
			err = read_closing(c);
		if (err)
			return err;
		this = &c->comparison[c->nr - 1];
		this->level = c->level;
		this->is_or = take(c, "||");
		more = this->is_or || take(c, "&&");
	} while (more);
	if (c->text[c->at])
		return refuse(c, -EINVAL, c->at, "expected && or ||");
	if (c->level)
		return refuse(c, -EINVAL, c->open[c->level - 1], "nothing closes what this opens");
	return 0;
}

/* Making programs */

/*
 * How far to go on from comparison @from that is @hit: over the operators that
 * this decides. && of something false, and || of something true, decides for
 * what it joins, that is for the operators of its level or a higher one up to
 * the next || of the level, or to the end of the level.
 */
static s8 jump(const struct compiler *c, unsigned int from, bool hit)
{
	int level = LKST_MATCH_DEPTH;
	unsigned int i;

	for (i = from; i + 1 < c->nr; i++) {
		const struct comparison *this = &c->comparison[i];

		if (this->level > level)
			continue;
		if (this->is_or != hit)
			return i + 1 - from;
		level = hit ? this->level - 1 : this->level;
	}
	return hit ? LKST_MATCH_TRUE : LKST_MATCH_FALSE;
}

static bool name_is(const struct compiler *c, const struct comparison *this,
		    const char *name)
{
	return strlen(name) == this->name_size &&
	       !memcmp(c->text + this->name, name, this->name_size);
}

/* The field of an event and where it lies in the payload, or NULL. */
static const struct lkst_field *field_find(const struct compiler *c,
					   const struct comparison *this,
					   const struct lkst_event *event,
					   unsigned int *offset)
{
	unsigned int i;

	*offset = 0;
	for (i = 0; i < event->nr_fields; i++) {
		if (name_is(c, this, event->fields[i].name))
			return &event->fields[i];
		*offset += lkst_field_size(&event->fields[i]);
	}
	return NULL;
}

/* What is to be compared, in one event. */
struct operand {
	enum kind kind;
	enum lkst_type type;
	unsigned int offset;
};

static int misfit(struct wrong *why, int err, unsigned int at, const char *what)
{
	*why = (struct wrong){ .err = err, .at = at + 1, .what = what };
	return err;
}

static int element_find(const struct comparison *this, const struct lkst_field *field,
			struct operand *operand, struct wrong *why)
{
	bool is_array = lkst_type_bits(field->type) && field->count > 1;

	if (is_array && !this->index_at)
		return misfit(why, -EINVAL, this->name, "an array takes an index, as in [0]");
	if (!is_array && this->index_at)
		return misfit(why, -EINVAL, this->index_at, "the field is no array");
	if (is_array && this->index >= field->count)
		return misfit(why, -ERANGE, this->index_at, "the array ends before this");
	operand->offset += lkst_type_bits(field->type) / 8 * this->index;
	return 0;
}

static int operand_find(const struct compiler *c, const struct comparison *this,
			const struct lkst_event *event, struct operand *operand,
			struct wrong *why)
{
	const struct lkst_field *field = field_find(c, this, event, &operand->offset);
	unsigned int i;

	if (field) {
		operand->type = field->type;
		operand->kind = field->type == LKST_TYPE_NAME ? KIND_NAME :
				field->type == LKST_TYPE_TEXT ? KIND_TEXT : KIND_NUMBER;
		return element_find(this, field, operand, why);
	}
	for (i = 0; i < ARRAY_SIZE(task_fields); i++) {
		if (!name_is(c, this, task_fields[i].name))
			continue;
		*operand = (struct operand){ task_fields[i].kind, task_fields[i].type };
		if (!this->index_at)
			return 0;
		return misfit(why, -EINVAL, this->index_at, "the field is no array");
	}
	return misfit(why, -ENOENT, this->name, "there is no such field");
}

/*
 * Make @t be hit by the numbers for which the operator's test is true, in a field
 * of @type at bit @shift of its word. Return false where instead it is hit by all
 * others.
 */
static bool number_term(const struct comparison *this, enum lkst_type type,
			unsigned int shift, struct lkst_term *t)
{
	u64 all = U64_MAX >> (64 - lkst_type_bits(type));
	u64 sign = lkst_type_is_signed(type) ? all ^ all >> 1 : 0;
	u64 min = -sign, max = all ^ sign, value = this->value;
	enum test test = this->op->test;
	bool below = this->negative && (!sign || value < min);
	bool above = !this->negative && value > max;

	/* Beyond the field, a number goes on with its sign. */
	if (test == TEST_BITS) {
		t->mask = ((value & max) | (value & ~max ? sign : 0)) << shift;
		return false;
	}
	/* All numbers are hit by a mask of 0. */
	if (below || above || (test == TEST_LT && value == min))
		return above && test != TEST_EQ;
	t->mask = all << shift;
	t->low = (test == TEST_EQ ? value : min) << shift;
	if (test != TEST_EQ)
		t->span = (value - min - (test == TEST_LT)) << shift;
	return true;
}

/* The term of comparison @i in @event. */
static int term_make(const struct compiler *c, unsigned int i,
		     const struct lkst_event *event, const char *strings,
		     struct lkst_term *t, struct wrong *why)
{
	const struct comparison *this = &c->comparison[i];
	struct operand operand;
	bool as_said = true;
	int err = operand_find(c, this, event, &operand, why);
	int hit;

	if (err)
		return err;
	if (this->is_text != !lkst_type_bits(operand.type))
		return misfit(why, -EINVAL, this->value_at, this->is_text ?
			      "the field is a number" : "the field is a text");
	*t = (struct lkst_term){ .kind = operand.kind };
	if (this->is_text) {
		t->text = strings + this->string;
		t->offset = operand.offset;
		t->size = this->string_size;
		t->whole = this->op->test == TEST_EQ;
	} else {
		t->word = operand.offset / 8;
		as_said = number_term(this, operand.type, operand.offset % 8 * 8, t);
	}
	as_said ^= this->op->negate;
	for (hit = 0; hit < 2; hit++) {
		t->after[hit] = jump(c, i, hit == as_said);
		t->next[hit] = t->kind == KIND_NUMBER ? t->after[hit] : LKST_MATCH_CALL;
	}
	return 0;
}

/* The program for @event goes to c->terms, its texts being at @strings. */
static int program_make(struct compiler *c, const struct lkst_event *event,
			const char *strings, unsigned int *done, struct wrong *why)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < c->nr; i++)
		err = term_make(c, i, event, strings, &c->terms[i], why);
	*done = i;
	return err;
}

/* An event that is in no set is never hit. */
static bool has_hook(unsigned int id)
{
	return lkst_events[id].sets;
}

static bool field_exists(const struct compiler *c, const struct comparison *this)
{
	unsigned int id, offset;

	for (id = 0; id < LKST_NR_EVENTS; id++)
		if (has_hook(id) && field_find(c, this, &lkst_events[id], &offset))
			return true;
	return false;
}

/*
 * Count the events that a program can be made for. If there are none, what is
 * wrong is what stopped the one that came furthest.
 */
static unsigned int programs_count(struct compiler *c)
{
	unsigned int id, done, nr = 0, best = 0, far;
	struct wrong why;

	for (id = 0; id < LKST_NR_EVENTS; id++) {
		if (!has_hook(id))
			continue;
		if (!program_make(c, &lkst_events[id], c->string, &done, &why)) {
			nr++;
			continue;
		}
		/* A field that is there came further than one that is not. */
		far = 2 * done + (why.err != -ENOENT);
		if (far > best) {
			best = far;
			c->wrong = why;
		}
	}
	if (!nr && c->wrong.err == -ENOENT && field_exists(c, &c->comparison[best / 2 - 1]))
		c->wrong.what = "no event has this field and those before it";
	return nr;
}

/* Make the programs once more, for good, in memory of their own. */
static int match_make(struct compiler *c, unsigned int nr, struct lkst_match **match)
{
	size_t text_size = strlen(c->text) + 1;
	struct lkst_match *m;
	struct lkst_term *terms;
	unsigned int id, done;
	struct wrong why;
	char *texts;

	m = kvzalloc(struct_size(m, terms, nr * c->nr) + text_size + c->string_size,
		     GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	terms = m->terms;
	texts = (char *)(terms + nr * c->nr);
	m->text = memcpy(texts, c->text, text_size);
	texts = memcpy(texts + text_size, c->string, c->string_size);
	for (id = 0; id < LKST_NR_EVENTS; id++) {
		if (!has_hook(id) || program_make(c, &lkst_events[id], texts, &done, &why))
			continue;
		m->program[id] = memcpy(terms, c->terms, c->nr * sizeof(*terms));
		terms += c->nr;
	}
	*match = m;
	return 0;
}

static int compile(struct compiler *c, struct lkst_match **match)
{
	unsigned int nr;
	int err;

	if (strnlen(c->text, LKST_MATCH_LENGTH + 1) > LKST_MATCH_LENGTH)
		return refuse(c, -E2BIG, LKST_MATCH_LENGTH, "more than "
			      __stringify(LKST_MATCH_LENGTH) " characters");
	err = read_condition(c);
	if (err)
		return err;
	nr = programs_count(c);
	return nr ? match_make(c, nr, match) : c->wrong.err;
}

/* lkst_match_compile(), but tell what is wrong instead of printing it. */
static int match_compile(const char *text, struct lkst_match **match,
			 struct wrong *wrong)
{
	struct compiler *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int err;

	if (!c)
		return -ENOMEM;
	c->text = text;
	err = compile(c, match);
	*wrong = c->wrong;
	kfree(c);
	return err;
}

/**
 * lkst_match_compile() - Compile a condition for all events
 * @text: the condition; see match.h for what can be written
 * @match: set to it, to be freed by lkst_match_free(); left alone on an error
 *
 * A condition is good if there is an event that has all fields in it.
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; or with a line in the kernel log that says what is wrong
 * and where, -EINVAL for what is no condition or compares a number with a text,
 * -ENOENT for a field that is not there, -ERANGE for a number beyond 64 bits or
 * an index beyond the array, -E2BIG where it is too long, has too many
 * comparisons or too many parentheses.
 */
int lkst_match_compile(const char *text, struct lkst_match **match)
{
	struct wrong wrong = { };
	int err = match_compile(text, match, &wrong);

	if (err && err != -ENOMEM)
		pr_notice("match: character %u: %s\n", wrong.at, wrong.what);
	return err;
}

/**
 * lkst_match_free() - Free a condition
 * @match: from lkst_match_compile(), which no hook uses any more; or NULL
 */
void lkst_match_free(struct lkst_match *match)
{
	kvfree(match);
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/match_kunit.h"
#endif
