// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ }
};

static int run(const struct verbs *v, const struct verb *verb, int argc, char **argv)
{
	if (argc < verb->least) {
		note("%s %s: something is missing after it", v->command, verb->name);
		return see_help(v->command);
	}
	if (verb->most >= 0 && argc > verb->most) {
		note("%s %s: \"%s\" is one word too many", v->command, verb->name,
		     argv[verb->most]);
		return see_help(v->command);
	}
	if (verb->check && !verb->check(argc, argv))
		return see_help(v->command);
	if (!control_ready() || !verb->run(argc, argv))
		return LKST_EXIT_PARTIAL;
	return exit_code();
}

static bool switch_to(const char *dir, const char *name)
{
	return control_has(dir, name) && control_put(name, "%s/current", dir);
}

int verbs_run(const struct verbs *v, int argc, char **argv)
{
	const struct verb *verb = v->verb;
	int c;

	optind = 0;
	c = getopt_long(argc, argv, "+h", options, NULL);
	if (c == 'h') {
		fputs(v->help, stdout);
		return LKST_EXIT_OK;
	}
	if (c >= 0)
		return see_help(v->command);
	argc -= optind;
	argv += optind;
	if (!argc)
		return run(v, verb, 0, argv);
	for (; verb->name; verb++)
		if (!strcmp(verb->name, argv[0]))
			return run(v, verb, argc - 1, argv + 1);
	if (!v->dir || argc > 1) {
		note("%s: \"%s\" is nothing that it does", v->command, argv[0]);
		return see_help(v->command);
	}
	return control_ready() && switch_to(v->dir, argv[0]) ? exit_code() :
		LKST_EXIT_PARTIAL;
}

bool verb_remove(const char *dir, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!control_put(argv[i], "%s/remove", dir))
			return false;
	return true;
}

bool verb_show(const char *dir, void (*show)(const char *name), int argc, char **argv)
{
	struct strings names = { };
	bool ok = true;
	size_t i;

	if (!argc)
		control_dirs(&names, "%s", dir);
	while (argc--)
		strings_add(&names, xstrdup(*argv++));
	for (i = 0; ok && i < names.nr; i++) {
		ok = control_has(dir, names.at[i]);
		if (ok)
			show(names.at[i]);
	}
	strings_free(&names);
	return ok;
}

bool verb_words_ok(char **words)
{
	const char *sign;

	for (; *words; words++) {
		sign = strchr(*words, '=');
		if (sign && sign > *words && !memchr(*words, '/', sign - *words))
			continue;
		note("\"%s\": is not of the form FILE=VALUE", *words);
		return false;
	}
	return true;
}

bool verb_set(const char *dir, const char *name, char **words)
{
	struct strings old = { };
	char *file, *value;
	bool ok = true;
	size_t i;

	for (i = 0; ok && words[i]; i++) {
		file = xstrdup(words[i]);
		value = strchr(file, '=');
		*value++ = 0;
		strings_add(&old, control_see("%s/%s/%s", dir, name, file));
		ok = control_put(value, "%s/%s/%s", dir, name, file);
		free(file);
	}
	while (!ok && i-- > 1) {
		words[i - 1][strcspn(words[i - 1], "=")] = 0;
		control_try(old.at[i - 1], "%s/%s/%s", dir, name, words[i - 1]);
	}
	strings_free(&old);
	return ok;
}
