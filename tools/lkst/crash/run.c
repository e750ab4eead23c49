// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of the crash extension are the tool's own, with the dump put in as
 * the one to read.
 */
#include <stdio.h>
#include <string.h>

#include "lkst.h"
#include "run.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "print", cmd_print },
	{ "save", cmd_extract },
	{ "status", cmd_status },
};

static int run(int (*command)(int argc, char **argv), int argc, char **argv)
{
	int code = command(argc, argv);

	if (fflush(stdout) || ferror(stdout)) {
		note("cannot write the output");
		code = LKST_EXIT_PARTIAL;
	}
	return code;
}

int run_command(const char *dump, int argc, char **argv)
{
	/* What getopt_long() says begins with this, as all messages do. */
	char prefix[] = "lkst", output[] = "-o";
	char **all = xcalloc(argc + 3, sizeof(*all));
	int n = 0, i;
	size_t k;

	all[n++] = prefix;
	all[n++] = xstrdup(dump);
	for (i = 1; i < argc; i++) {
		/* The directory comes last. */
		if (i == argc - 1 && !strcmp(argv[0], "save") && argv[i][0] != '-')
			all[n++] = output;
		all[n++] = argv[i];
	}
	for (k = 0; k < ARRAY_SIZE(commands); k++)
		if (!strcmp(argv[0], commands[k].name))
			return run(commands[k].run, n, all);
	note("%s: no such command; `help lkst' lists them", argv[0]);
	return LKST_EXIT_USAGE;
}
