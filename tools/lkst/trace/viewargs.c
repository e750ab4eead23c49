// SPDX-License-Identifier: GPL-2.0
/* The command line of a subcommand that reads a trace. */
#include <stdio.h>

#include "lkst.h"
#include "view.h"

int view_parse(struct view *v, const struct view_command *command, void *data, int argc,
	       char **argv)
{
	const char *wanted;
	bool known;
	int c;

	view_init(v);
	optind = 0;
	while ((c = getopt_long(argc, argv, command->letters, command->options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(command->help, stdout);
			return LKST_EXIT_OK;
		}
		if (c == '?')
			return see_help(command->name);
		wanted = view_option(v, c, optarg, &known);
		if (!known)
			wanted = command->option(data, c, optarg);
		if (wanted)
			return bad_argument(command->name, command->options, c, wanted);
	}
	return -1;
}
