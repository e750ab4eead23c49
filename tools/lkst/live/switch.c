// SPDX-License-Identifier: GPL-2.0
/* lkst start, stop and marker: what takes one write. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "lkst.h"

static const char start_help[] =
	"Usage: lkst start [MASKSET]\n"
	"Record as the current maskset says, or as MASKSET from now on.\n"
	"\n"
	"  -h, --help  show this\n";

static const char stop_help[] =
	"Usage: lkst stop\n"
	"Stop recording. What was recorded stays; `lkst start' goes on.\n"
	"\n"
	"  -h, --help  show this\n";

static const char marker_help[] =
	"Usage: lkst marker [TEXT...]\n"
	"Record a text of one line, or a number, as user/text or user/number. Words are\n"
	"joined by blanks. Without an argument, record each line of standard input.\n"
	"\n"
	"  -h, --help  show this\n";

static const struct option options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/*
 * Take the options, of which --help is the only one, and at most so many words.
 * Returns -1 to go on, or the exit code.
 */
static int only_help(const char *command, const char *help, int argc, char **argv,
		     int most)
{
	int c;

	optind = 0;
	c = getopt_long(argc, argv, "+h", options, NULL);
	if (c == 'h') {
		fputs(help, stdout);
		return LKST_EXIT_OK;
	}
	if (c >= 0)
		return see_help(command);
	if (argc - optind <= most)
		return -1;
	note("%s: \"%s\" is one word too many", command, argv[optind + most]);
	return see_help(command);
}

int cmd_start(int argc, char **argv)
{
	int code = only_help("start", start_help, argc, argv, 1);

	if (code >= 0)
		return code;
	if (!control_ready())
		return LKST_EXIT_PARTIAL;
	if (optind == argc || (control_has("masksets", argv[optind]) &&
			       control_put(argv[optind], "masksets/current")))
		control_put("1", "enabled");
	return exit_code();
}

int cmd_stop(int argc, char **argv)
{
	int code = only_help("stop", stop_help, argc, argv, 0);

	if (code >= 0)
		return code;
	if (!control_ready())
		return LKST_EXIT_PARTIAL;
	control_put("0", "enabled");
	return exit_code();
}

/* False if no other text would do either. */
static bool mark(const char *path, int fd, const char *text, size_t n)
{
	const char *why = NULL;

	if (write(fd, text, n) >= 0)
		return true;
	if (errno == E2BIG)
		why = "a marker has at most 256 bytes";
	else if (errno == EINVAL)
		why = "a marker is one line without control characters, and not empty";
	trouble("%s: %s", path, why ? why : strerror(errno));
	return why;
}

static void mark_lines(const char *path, int fd)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	while ((n = getline(&line, &room, stdin)) > 0) {
		n -= line[n - 1] == '\n';
		if (n && !mark(path, fd, line, n))
			break;
	}
	if (ferror(stdin))
		trouble("standard input: %s", strerror(errno));
	free(line);
}

static void say_no_marker(const char *path)
{
	const char *why = "";

	if (errno == ENOENT)
		why = ": this kernel has no LKST, or proc is not mounted";
	else if (errno == EACCES)
		why = ": root lets others by chmod o+x /proc/lkst; chmod o+w /proc/lkst/marker";
	trouble("%s: %s%s", path, strerror(errno), why);
}

int cmd_marker(int argc, char **argv)
{
	char *path = xasprintf("%s/proc/lkst/marker", sysroot());
	int code = only_help("marker", marker_help, argc, argv, argc), fd;
	struct strings words = { };
	char *text;

	if (code >= 0)
		goto out;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		say_no_marker(path);
	} else if (optind == argc) {
		mark_lines(path, fd);
	} else {
		words.at = argv + optind;
		words.nr = argc - optind;
		text = strings_join(&words);
		mark(path, fd, text, strlen(text));
		free(text);
	}
	if (fd >= 0)
		close(fd);
	code = exit_code();
out:
	free(path);
	return code;
}
