// SPDX-License-Identifier: GPL-2.0
/* lkst: controls the Linux Kernel State Tracer, and reads what it recorded. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lkst.h"

static const char help[] =
	"Usage: lkst COMMAND [OPTION...] [ARGUMENT...]\n"
	"\n"
	"Read what was recorded:\n"
	"  print [SOURCE]        print the running kernel's trace, a directory's, a dump's\n"
	"  stat [SOURCE]         count records by event, CPU and thread; of the kernel live\n"
	"  convert --to=FORM     the same in the form of another tool: LTTng, perfetto, ...\n"
	"  record [-- COMMAND]   stream what is recorded to a directory\n"
	"  snapshot              copy what the buffer holds now to a directory\n"
	"  extract DUMP -o DIR   pull the trace out of a crash dump\n"
	"\n"
	"Control the running kernel's tracer:\n"
	"  status [DUMP]         show what it does, or did in a dump\n"
	"  list                  list events, handlers, masksets, buffers\n"
	"  start, stop           record or not\n"
	"  maskset               choose what is recorded\n"
	"  handler               make what counts or acts at an event\n"
	"  buffer                make and switch buffers\n"
	"  marker TEXT           record a text or a number\n"
	"\n"
	"  help [COMMAND]        show this, or the options of a command\n"
	"\n"
	"`lkst COMMAND --help' lists the options of a command; see also lkst(1).\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "buffer", cmd_buffer },
	{ "convert", cmd_convert },
	{ "extract", cmd_extract },
	{ "handler", cmd_handler },
	{ "list", cmd_list },
	{ "marker", cmd_marker },
	{ "maskset", cmd_maskset },
	{ "print", cmd_print },
	{ "record", cmd_record },
	{ "snapshot", cmd_snapshot },
	{ "start", cmd_start },
	{ "stat", cmd_stat },
	{ "status", cmd_status },
	{ "stop", cmd_stop },
};

static int run(int argc, char **argv)
{
	/* What getopt_long() says begins with this, as all messages do. */
	char prefix[] = "lkst";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(argv[0], commands[i].name)) {
			argv[0] = prefix;
			return commands[i].run(argc, argv);
		}
	}
	note("%s: no such command; `lkst help' lists them", argv[0]);
	return LKST_EXIT_USAGE;
}

static int run_help(int argc, char **argv)
{
	char option[] = "--help";
	char *ask[3] = { argc > 1 ? argv[1] : NULL, option };

	if (argc > 1)
		return run(2, ask);
	fputs(help, stdout);
	return LKST_EXIT_OK;
}

/*
 * A standard stream that is closed is opened so that its use fails: its number is not
 * for a file of a trace, which messages would be written into.
 */
static void occupy_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	int status;

	occupy_streams();
	files_raise();
	if (argc < 2) {
		fputs(help, stderr);
		return LKST_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("lkst " LKST_VERSION ", trace layout %u, CTF 1.8\n",
		       LKST_LAYOUT_VERSION);
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
