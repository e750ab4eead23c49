/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions on a record and the current task, compiled.
 *
 * A condition is written as comparisons joined by && and ||, the former first,
 * and parentheses. A comparison is a field, an operator and a value:
 *
 *	prev_tid == 1 && (prev_state & 0x3 || current.comm ^= "kworker/")
 *
 * A field is one of the event, an array's with an index, or current.tid,
 * current.tgid, current.cpu, current.uid, current.comm, which are of the thread
 * that runs, in a switch of the one that leaves. Numbers are compared by
 * == != < <= > >=, exactly, whatever their widths and signs are, and & is true
 * when a bit is common. Texts are compared by == and !=, and ^= is true when the
 * field begins with the value. A value is a decimal, a hexadecimal after 0x, one
 * of them after a minus, or a text in double quotes, where \" and \\ stand for
 * " and \.
 */
#ifndef _LKST_MATCH_H
#define _LKST_MATCH_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "lkst.h"

/* Characters of a condition, comparisons, and parentheses around one of them. */
#define LKST_MATCH_LENGTH	2047
#define LKST_MATCH_TERMS	32
#define LKST_MATCH_DEPTH	16

/* In place of a distance to the next term. */
#define LKST_MATCH_FALSE	0
#define LKST_MATCH_TRUE		(-1)
#define LKST_MATCH_CALL		(-2)

/**
 * struct lkst_term - one comparison
 * @low: of the values that are hit, the first, in its place in the word
 * @text: what a text is compared with
 * @mask: the field's bits
 * @offset: byte of the payload where a text lies
 * @span: the last value that is hit, less @low
 * @size: bytes of @text
 * @word: word of the payload that has the field
 * @next: by whether it is hit, how many terms further to go on, or
 *	LKST_MATCH_TRUE, LKST_MATCH_FALSE; both are LKST_MATCH_CALL for what is not
 *	a number in the payload
 * @after: what @next would be then
 * @kind: what __lkst_match_run() compares
 * @whole: a text must end where @text does
 *
 * Bits above the field are garbage after the subtraction, and masked; there are
 * none to borrow from below it, as @low has none. So one test does for any range,
 * signed and wrapping ones too.
 */
struct lkst_term {
	union {
		u64 low;
		const char *text;
	};
	union {
		u64 mask;
		u64 offset;
	};
	union {
		u64 span;
		u64 size;
	};
	u8 word;
	s8 next[2];
	s8 after[2];
	u8 kind;
	bool whole;
};

/**
 * struct lkst_match - a condition
 * @program: by event, what lkst_match_run() runs; NULL for an event of which the
 *	condition is never true, as it has no hook or not the fields
 * @text: the condition as it was written
 * @terms: of all programs; the texts follow
 *
 * It is not changed once it is made.
 */
struct lkst_match {
	const struct lkst_term *program[LKST_NR_EVENTS];
	const char *text;
	struct lkst_term terms[];
};

int lkst_match_compile(const char *text, struct lkst_match **match);
void lkst_match_free(struct lkst_match *match);
int __lkst_match_run(const struct lkst_term *t, const u64 *payload);

/**
 * lkst_match_refuses() - Is a condition false by its first comparison?
 * @t: lkst_match.program[] of the event
 * @payload: of the event's record
 *
 * Context: any, NMI included.
 * Return: true if it is, or if the condition is never true of the event.
 */
static __always_inline bool lkst_match_refuses(const struct lkst_term *t,
					       const u64 *payload)
{
	bool hit;

	if (unlikely(!t))
		return true;
	hit = ((payload[t->word] - t->low) & t->mask) <= t->span;
	return likely(t->next[hit] == LKST_MATCH_FALSE);
}

/**
 * lkst_match_run() - Is a condition true?
 * @t: lkst_match.program[] of the event, not NULL
 * @payload: of the event's record
 *
 * At most one pass over the terms.
 *
 * Context: any, NMI included.
 * Return: whether it is.
 */
static __always_inline bool lkst_match_run(const struct lkst_term *t, const u64 *payload)
{
	for (;;) {
		bool hit = ((payload[t->word] - t->low) & t->mask) <= t->span;
		long next = t->next[hit];

		if (next == LKST_MATCH_FALSE)
			return false;
		if (next < 0) {
			if (next == LKST_MATCH_CALL)
				next = __lkst_match_run(t, payload);
			if (next <= 0)
				return next;
		}
		t += next;
	}
}

#endif /* _LKST_MATCH_H */
