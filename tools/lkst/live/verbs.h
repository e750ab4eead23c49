/* SPDX-License-Identifier: GPL-2.0 */
/* Subcommands that have verbs of their own: `lkst maskset create mine'. */
#ifndef LKST_VERBS_H
#define LKST_VERBS_H

#include "control.h"
#include "lkst.h"

/**
 * struct verb - a word after the subcommand
 * @name: the word
 * @run: does it with what comes after the word; @argv[@argc] is NULL
 * @least: as many words must come after it
 * @most: and not more than these; -1 if any number may
 * @check: are the words that come after it of the right form? If not, it says so; or NULL
 */
struct verb {
	const char *name;
	bool (*run)(int argc, char **argv);
	int least;
	int most;
	bool (*check)(int argc, char **argv);
};

/**
 * struct verbs - a subcommand with verbs
 * @command: its name
 * @help: what --help prints
 * @dir: its directory in sysfs, where "current" takes a word that is no verb; or NULL
 * @verb: the verbs, the last without a name; the first is taken without any word
 */
struct verbs {
	const char *command;
	const char *help;
	const char *dir;
	const struct verb *verb;
};

/* Run the verb on the command line. Returns the exit code. */
int verbs_run(const struct verbs *v, int argc, char **argv);

/* The verbs that masksets, handlers and buffers have in common. */
bool verb_remove(const char *dir, int argc, char **argv);
/* Show those that are named, or all. */
bool verb_show(const char *dir, void (*show)(const char *name), int argc, char **argv);

/* Are all words of the form "FILE=VALUE"? If not, it is said. */
bool verb_words_ok(char **words);

/* Write the words "FILE=VALUE" to a thing's files; what was written before is undone. */
bool verb_set(const char *dir, const char *name, char **words);

#endif /* LKST_VERBS_H */
