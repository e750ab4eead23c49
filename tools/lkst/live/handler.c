// SPDX-License-Identifier: GPL-2.0
/* lkst handler: what runs when an event is hit. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

static const char help[] =
	"Usage: lkst handler [VERB [ARGUMENT...]]\n"
	"Make handlers that count or act. Without an argument, list all.\n"
	"\n"
	"  create TYPE NAME [FILE=VALUE...]\n"
	"                            make one; TYPE is count, detail or trigger\n"
	"  set NAME FILE=VALUE...    change it, as in match='sig == 11' action='log; stop'\n"
	"  show [NAME...]            show some, without NAME all\n"
	"  reset NAME                begin anew to count how often it fired\n"
	"  remove NAME...            remove some\n"
	"\n"
	"FILE is detail, match, after, every, limit, ratelimit, action or then.\n"
	"`lkst maskset set' maps events to a handler. What fails changes nothing.\n"
	"\n"
	"  -h, --help  show this\n";

/* What a handler can have, in the order in which it is shown. */
static const char *const files[] = {
	"detail", "match", "after", "every", "limit", "ratelimit", "action", "then",
	"seen", "fired", "suppressed", "last",
};

static bool handler_list(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_handlers();
	return true;
}

static bool handler_create(int argc, char **argv)
{
	char *line = xasprintf("%s %s", argv[0], argv[1]);
	bool ok = control_put(line, "handlers/create");

	(void)argc;
	free(line);
	if (!ok || verb_set("handlers", argv[1], argv + 2))
		return ok;
	control_try(argv[1], "handlers/remove");
	return false;
}

static bool handler_set(int argc, char **argv)
{
	(void)argc;
	return control_has("handlers", argv[0]) && verb_set("handlers", argv[0], argv + 1);
}

static bool create_ok(int argc, char **argv)
{
	(void)argc;
	return verb_words_ok(argv + 2);
}

static bool set_ok(int argc, char **argv)
{
	(void)argc;
	return verb_words_ok(argv + 1);
}

static void show_one(const char *name)
{
	char *value = control_see("handlers/%s/type", name);
	size_t i;

	printf("handler %s, %s\n", name, value);
	free(value);
	for (i = 0; i < ARRAY_SIZE(files); i++) {
		value = control_get("handlers/%s/%s", name, files[i]);
		if (value)
			printf("  %-10s %s\n", files[i], value);
		free(value);
	}
	value = control_get("handlers/%s/count", name);
	if (value)
		printf("  %-10s %llu\n", "count", sum_lines(value));
	free(value);
}

static bool handler_show(int argc, char **argv)
{
	return verb_show("handlers", show_one, argc, argv);
}

static bool handler_reset(int argc, char **argv)
{
	(void)argc;
	return control_has("handlers", argv[0]) &&
		control_put("0", "handlers/%s/fired", argv[0]);
}

static bool handler_remove(int argc, char **argv)
{
	return verb_remove("handlers", argc, argv);
}

static const struct verb verb[] = {
	{ "list", handler_list, 0, 0, NULL },
	{ "create", handler_create, 2, -1, create_ok },
	{ "set", handler_set, 2, -1, set_ok },
	{ "show", handler_show, 0, -1, NULL },
	{ "reset", handler_reset, 1, 1, NULL },
	{ "remove", handler_remove, 1, -1, NULL },
	{ }
};

int cmd_handler(int argc, char **argv)
{
	static const struct verbs verbs = { "handler", help, NULL, verb };

	return verbs_run(&verbs, argc, argv);
}
