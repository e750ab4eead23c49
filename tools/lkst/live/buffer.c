// SPDX-License-Identifier: GPL-2.0
/* lkst buffer: where records go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verbs.h"

static const char help[] =
	"Usage: lkst buffer [VERB [ARGUMENT...] | NAME]\n"
	"Choose where records go. Without an argument, list all buffers.\n"
	"\n"
	"  NAME, switch NAME     record into NAME from now on\n"
	"  create NAME [size=BYTES] [packet=BYTES] [mode=overwrite|discard]\n"
	"                        make one; size is that of each CPU's ring\n"
	"  set NAME FILE=VALUE...\n"
	"                        change size, packet or mode, which empties it, or next\n"
	"  next                  switch to the one that the current buffer's next names\n"
	"  next NAME OTHER       link NAME to OTHER, or to none\n"
	"  reset NAME            empty it\n"
	"  show [NAME...]        show some, without NAME all\n"
	"  remove NAME...        remove some\n"
	"\n"
	"  -h, --help  show this\n";

static bool buffer_list(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	show_buffers();
	return true;
}

static bool buffer_switch(int argc, char **argv)
{
	(void)argc;
	return control_has("buffers", argv[0]) && control_put(argv[0], "buffers/current");
}

static bool buffer_create(int argc, char **argv)
{
	struct strings words = { .at = argv, .nr = argc };
	char *line = strings_join(&words);
	bool ok = control_put(line, "buffers/create");

	free(line);
	return ok;
}

static bool buffer_set(int argc, char **argv)
{
	(void)argc;
	return control_has("buffers", argv[0]) && verb_set("buffers", argv[0], argv + 1);
}

static bool set_ok(int argc, char **argv)
{
	(void)argc;
	return verb_words_ok(argv + 1);
}

static bool next_ok(int argc, char **argv)
{
	if (argc == 1)
		note("next: \"%s\" is to be linked to what? `none' unlinks it", argv[0]);
	return argc != 1;
}

static bool buffer_next(int argc, char **argv)
{
	if (!argc)
		return control_put("next", "buffers/current");
	return control_has("buffers", argv[0]) &&
		control_put(argv[1], "buffers/%s/next", argv[0]);
}

static bool buffer_reset(int argc, char **argv)
{
	(void)argc;
	return control_has("buffers", argv[0]) &&
		control_put("1", "buffers/%s/reset", argv[0]);
}

static void show_one(const char *name)
{
	char *buffers = xasprintf("%s/sys/kernel/lkst/buffers", sysroot());

	show_buffer(buffers, name);
	free(buffers);
}

static bool buffer_show(int argc, char **argv)
{
	return verb_show("buffers", show_one, argc, argv);
}

static bool buffer_remove(int argc, char **argv)
{
	return verb_remove("buffers", argc, argv);
}

static const struct verb verb[] = {
	{ "list", buffer_list, 0, 0, NULL },
	{ "switch", buffer_switch, 1, 1, NULL },
	{ "create", buffer_create, 1, -1, NULL },
	{ "set", buffer_set, 2, -1, set_ok },
	{ "next", buffer_next, 0, 2, next_ok },
	{ "reset", buffer_reset, 1, 1, NULL },
	{ "show", buffer_show, 0, -1, NULL },
	{ "remove", buffer_remove, 1, -1, NULL },
	{ }
};

int cmd_buffer(int argc, char **argv)
{
	static const struct verbs verbs = { "buffer", help, "buffers", verb };

	return verbs_run(&verbs, argc, argv);
}
