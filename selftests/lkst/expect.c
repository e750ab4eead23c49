// SPDX-License-Identifier: GPL-2.0
/* What was expected in the trace, and what was not so. */
#include <stdio.h>
#include <string.h>

#include "expect.h"

static int complaints;

void expect(const char *what, long long got, long long wanted)
{
	if (got != wanted && complaints++ < 10)
		printf("# %s: %lld, not %lld\n", what, got, wanted);
}

void expect_text(const char *what, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) && complaints++ < 10)
		printf("# %s: '%s', not '%s'\n", what, got, wanted);
}

const struct record *pair_next(const struct trace *trace, const struct record **from,
			       const char *event, int tid, const struct record **end)
{
	const struct record *r, *first = NULL;
	size_t length = strlen(event);

	for (r = *from ?: trace->record; r < trace->record + trace->nr; r++) {
		const char *which = r->event->name + length + 1;
		bool ends;

		if (strncmp(r->event->name, event, length) || which[-1] != '_' ||
		    r->tid != tid)
			continue;
		ends = !strcmp(which, "exit") || !strcmp(which, "end");
		if (!ends && strcmp(which, "entry") && strcmp(which, "begin"))
			continue;
		/* Of what switched to this buffer only the end is in it. */
		if (first || *from)
			expect("the end of a pair, not its begin", ends, !!first);
		if (!ends) {
			first = r;
		} else if (first) {
			*end = r;
			*from = r + 1;
			return first;
		}
	}
	return NULL;
}

bool as_expected(struct trace *trace)
{
	bool good = !complaints;

	trace_free(trace);
	complaints = 0;
	return good;
}
