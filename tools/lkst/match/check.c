// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions against the oracle.
 *
 * Whatever the text is, both say the same of it: how it is refused, which events
 * it fits, and of which records it is true. What is refused leaves one line in
 * the log, with a position in the text, and what is accepted none. Texts and
 * records have no byte more than they need, so that sanitizers see a step beyond.
 *
 * usage: check corpus FILE...		each line of FILE, where how the lines are
 *					refused is the name of FILE, EINVAL.txt
 *	  check compare N [SEED]	N conditions
 *	  check fuzz N SEED FILE...	N texts, most of them no condition
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#include "match.h"
#include "generate.h"
#include "world.h"

#define CORPUS_MAX	1024
#define EVENTS_TRIED	4
#define REPORT_MAX	5

static struct tree tree;
static const char *trying;
static unsigned long tried, accepted, compared, hits, failures;

static char *corpus[CORPUS_MAX];
static unsigned int corpus_size;

static void tell(void)
{
	const char *at;

	printf("# the condition was: ");
	for (at = trying; at && *at; at++)
		printf(*at < ' ' || *at > '~' ? "\\x%02x" : "%c", *at);
	printf("\n");
	fflush(stdout);
}

static void fail(const char *what, long got, long expected)
{
	if (++failures > REPORT_MAX)
		return;
	printf("# %s: %ld, not %ld\n", what, got, expected);
	tell();
}

static void expect(const char *what, long got, long expected)
{
	if (got != expected)
		fail(what, got, expected);
}

/* Every jump goes forward, to a term or an end, and loads are in the record. */
static void program_check(const struct lkst_term *t, unsigned int id)
{
	size_t words = oracle_shape(id)->size / 8;
	unsigned int left, i;

	for (left = tree.leaves; left; left--, t++) {
		if (t->word >= words)
			fail("a word of the record", t->word, words);
		for (i = 0; i < 2; i++) {
			if (t->after[i] < LKST_MATCH_TRUE || t->after[i] >= (int)left)
				fail("a jump", t->after[i], left);
			if (t->next[i] != t->after[i] && t->next[i] != LKST_MATCH_CALL)
				fail("a call", t->next[i], t->after[i]);
		}
	}
}

static void record_try(const struct lkst_match *match, unsigned int id)
{
	size_t size;
	void *record = record_make(&tree, id, &size);
	bool is;

	task_make(&tree);
	is = lkst_match_run(match->program[id], record);
	expect(oracle_shape(id)->place[0].name, is, oracle_true(&tree, id, record));
	if (is && lkst_match_refuses(match->program[id], record))
		fail("refused at once, and hit", id, is);
	hits += is;
	compared++;
	free(record);
}

/* Some of the events that it fits, @records records of each. */
static void match_try(const struct lkst_match *match, unsigned int records)
{
	unsigned int first = random_below(LKST_NR_EVENTS), left = EVENTS_TRIED, i, n, id;

	expect("the text that is kept", strcmp(match->text, trying), 0);
	for (i = 0; i < LKST_NR_EVENTS; i++) {
		id = (first + i) % LKST_NR_EVENTS;
		expect("does it fit?", !!match->program[id], oracle_fits(&tree, id));
		if (!match->program[id] || !left)
			continue;
		left--;
		program_check(match->program[id], id);
		for (n = 0; n < records; n++)
			record_try(match, id);
	}
}

static void log_check(const char *text)
{
	unsigned int at = 0;
	char what[100] = "";

	expect("lines in the log", log_lines, 1);
	if (sscanf(log_text, "lkst: match: character %u: %99[ -~]", &at, what) != 2 ||
	    !at || at > strlen(text) + 1 || !strchr(log_text, '\n'))
		fail(log_text, at, strlen(text));
}

/* Compile @text, and compare what comes of it. Return how it is refused. */
static int text_try(const char *text, unsigned int records)
{
	struct lkst_match *const none = (void *)&tree, *match = none;
	char *copy = strdup(text);
	int err, expected;

	trying = copy;
	tried++;
	expected = oracle_parse(&tree, text);
	if (!expected)
		expected = oracle_check(&tree);
	log_clear();
	err = lkst_match_compile(copy, &match);
	expect("errno", err, expected);
	if (err) {
		log_check(copy);
		expect("what the caller has is changed", match != none, 0);
	} else {
		accepted++;
		expect("lines in the log", log_lines, 0);
		if (!expected)
			match_try(match, records);
		lkst_match_free(match);
	}
	free(copy);
	trying = NULL;
	return err;
}

/* Without memory it is refused silently. */
static void memory_try(const char *text)
{
	struct lkst_match *const none = (void *)&tree, *match = none;
	unsigned int nth;

	for (nth = 1; nth <= 2; nth++) {
		alloc_fails = nth;
		log_clear();
		expect("errno", lkst_match_compile(text, &match), -ENOMEM);
		expect("lines in the log", log_lines, 0);
		expect("what the caller has is changed", match != none, 0);
		expect("allocations", nth, nth + alloc_fails);
	}
	alloc_fails = 0;
}

static int errno_named(const char *file)
{
	static const struct {
		const char *name;
		int err;
	} names[] = {
		{ "EINVAL.txt", -EINVAL }, { "ENOENT.txt", -ENOENT },
		{ "ERANGE.txt", -ERANGE }, { "E2BIG.txt", -E2BIG },
	};
	const char *slash = strrchr(file, '/');
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(slash ? slash + 1 : file, names[i].name))
			return names[i].err;
	return 0;
}

/* Read the lines of @file, and try each where @is_test. */
static void corpus_read(const char *file, bool is_test)
{
	FILE *f = fopen(file, "r");
	char line[ROOM];

	if (!f) {
		perror(file);
		exit(2);
	}
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (corpus_size < CORPUS_MAX)
			corpus[corpus_size++] = strdup(line);
		if (!is_test)
			continue;
		trying = line;
		expect(file, text_try(line, 100), errno_named(file));
		trying = line;
		if (!errno_named(file))
			memory_try(line);
	}
	fclose(f);
}

static const char *corpus_any(void)
{
	return corpus_size ? corpus[random_below(corpus_size)] : "";
}

static void fuzz(unsigned long n)
{
	char text[ROOM];

	while (n-- && !failures) {
		if (random_below(2))
			condition_make(text);
		else
			snprintf(text, sizeof(text), "%s", corpus_any());
		if (random_below(8))
			condition_mutate(text, corpus_any());
		text_try(text, 2);
	}
}

static void compare(unsigned long n)
{
	char text[ROOM];

	while (n--) {
		condition_make(text);
		expect("is it a condition?", text_try(text, 4), 0);
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int i;

#ifdef __SANITIZE_ADDRESS__
	__sanitizer_set_death_callback(tell);
#endif
	random_seed(argc > 3 ? strtoull(argv[3], NULL, 0) : 1);
	if (!strcmp(mode, "corpus") && argc > 2) {
		for (i = 2; i < argc; i++)
			corpus_read(argv[i], true);
	} else if (!strcmp(mode, "compare") && argc > 2) {
		compare(strtoul(argv[2], NULL, 0));
	} else if (!strcmp(mode, "fuzz") && argc > 3) {
		for (i = 4; i < argc; i++)
			corpus_read(argv[i], false);
		fuzz(strtoul(argv[2], NULL, 0));
	} else {
		fprintf(stderr, "see check.c for how to call it\n");
		return 2;
	}
	while (corpus_size)
		free(corpus[--corpus_size]);
	printf("# %lu texts, %lu accepted; of %lu records %lu are hit\n", tried, accepted,
	       compared, hits);
	if (failures)
		printf("# %lu things are not as they should be\n", failures);
	return failures != 0;
}
