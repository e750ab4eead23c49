// SPDX-License-Identifier: GPL-2.0
/* What is said of a command line that is wrong. */
#include <stdio.h>

#include "lkst.h"

int see_help(const char *command)
{
	note("`lkst %s --help' lists the options", command);
	return LKST_EXIT_USAGE;
}

int bad_argument(const char *command, const struct option *options, int c,
		 const char *wanted)
{
	char letter[8] = "";

	while (options->val != c)
		options++;
	if (c < 256)
		snprintf(letter, sizeof(letter), "-%c, ", c);
	note("%s--%s: \"%s\" is not %s", letter, options->name, optarg, wanted);
	return see_help(command);
}
