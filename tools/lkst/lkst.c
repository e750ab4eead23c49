// SPDX-License-Identifier: GPL-2.0
/* lkst: reads what the Linux Kernel State Tracer recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lkst.h"

static const char help[] =
	"Usage: lkst COMMAND [OPTION...] [ARGUMENT...]\n"
	"\n"
	"  extract DUMP -o DIR   pull the trace out of a crash dump\n"
	"  print [SOURCE]        print the running kernel's trace, a directory's, a dump's\n"
	"  status [DUMP]         show what the tracer of this kernel, or of a dump, does\n"
	"  help [COMMAND]        show this, or the options of a command\n"
	"\n"
	"`lkst COMMAND --help' lists the options of a command; see also lkst(1).\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "extract", cmd_extract },
	{ "print", cmd_print },
	{ "status", cmd_status },
};

int usage(const char *text, int status)
{
	fputs(text, status ? stderr : stdout);
	return status;
}

static int run(int argc, char **argv)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(argv[0], commands[i].name))
			return commands[i].run(argc, argv);
	note("no such command: %s", argv[0]);
	return usage(help, LKST_EXIT_USAGE);
}

static int run_help(int argc, char **argv)
{
	char option[] = "--help";
	char *ask[3] = { argc > 1 ? argv[1] : NULL, option };

	return argc > 1 ? run(2, ask) : usage(help, 0);
}

int main(int argc, char **argv)
{
	int status;

	if (argc < 2)
		return usage(help, LKST_EXIT_USAGE);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("lkst " LKST_VERSION);
		status = 0;
	} else if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") ||
		   !strcmp(argv[1], "-h")) {
		status = run_help(argc - 1, argv + 1);
	} else {
		status = run(argc - 1, argv + 1);
	}
	if (fflush(stdout) || ferror(stdout)) {
		note("cannot write to standard output");
		return LKST_EXIT_PARTIAL;
	}
	return status;
}
