/* SPDX-License-Identifier: GPL-2.0 */
/* What is done a known number of times is expected in the trace: what tests of that
 * share.
 */
#ifndef LKST_SELFTEST_EXPECT_H
#define LKST_SELFTEST_EXPECT_H

#include "trace.h"

#define for_each(trace, r)						\
	for ((r) = (trace)->record; (r) < (trace)->record + (trace)->nr; (r)++)

/* Record these events, into a buffer that has room for all that a test does. */
#define begin(...)							\
	record_begin("size=16M packet=64K", (const char * const []) { __VA_ARGS__, NULL })

/* Conditions of the test that runs: what is wrong is printed. */
void expect(const char *what, long long got, long long wanted);
void expect_text(const char *what, const char *got, const char *wanted);
/*
 * The pairs EVENT_entry and EVENT_exit, or EVENT_begin and EVENT_end, of thread @tid,
 * which must take turns. *@from: NULL at first, then what follows the pair. Return: the
 * first of the pair, the second in *@end; NULL where there are no more.
 */
const struct record *pair_next(const struct trace *trace, const struct record **from,
			       const char *event, int tid, const struct record **end);

#define for_each_pair(trace, event, tid, begin, end)			\
	for (const struct record *_from = NULL;				\
	     ((begin) = pair_next(trace, &_from, event, tid, &(end)));)

/* Free the trace. Return: whether all was as expected since the last call. */
bool as_expected(struct trace *trace);

/* Say so. Each program has counters of its own in kselftest.h, so it is done there. */
static inline void report(struct trace *trace, const char *name)
{
	ksft_test_result(as_expected(trace), "%s\n", name);
}

/* Run @nr tests, each of which reports once, and each from CPU 1. */
static inline void run_tests(void (* const *tests)(void), size_t nr)
{
	size_t i;

	ksft_print_header();
	ksft_set_plan(nr);
	for (i = 0; i < nr; i++) {
		pin(1);
		tests[i]();
	}
}

#endif
