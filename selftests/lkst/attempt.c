// SPDX-License-Identifier: GPL-2.0
/*
 * Try something and say how it ended: "ok", or the name of the error.
 *
 *   attempt [-u UID] write FILE TEXT
 *   attempt [-u UID] read FILE
 *   attempt [-u UID] open DIR	every name below DIR that can be opened, and
 *				how many could not
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **names;
static size_t nr_names;

static int name_add(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	names = realloc(names, (nr_names + 1) * sizeof(*names));
	names[nr_names++] = strdup(path);
	return 0;
}

static int open_all(void)
{
	size_t i, refused = 0;

	for (i = 0; i < nr_names; i++) {
		if (open(names[i], O_RDONLY) >= 0 || open(names[i], O_WRONLY) >= 0)
			puts(names[i]);
		else
			refused += errno == EACCES || errno == EISDIR;
	}
	printf("%zu of %zu refused\n", refused, nr_names);
	return 0;
}

static int attempt(char **argv)
{
	char byte;
	int fd;

	fd = open(argv[1], argv[2] ? O_WRONLY : O_RDONLY);
	if (fd < 0)
		return errno;
	if (argv[2])
		return write(fd, argv[2], strlen(argv[2])) < 0 ? errno : 0;
	return read(fd, &byte, 1) < 0 ? errno : 0;
}

int main(int argc, char **argv)
{
	uid_t uid = 0;
	int err;

	if (argc > 3 && !strcmp(argv[1], "-u")) {
		uid = atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 3)
		return 1;
	if (!strcmp(argv[1], "open"))
		nftw(argv[2], name_add, 16, FTW_PHYS);
	if (uid && (setgroups(0, NULL) || setgid(uid) || setuid(uid)))
		return 1;
	if (nr_names)
		return open_all();
	err = attempt(argv + 1);
	puts(err ? strerrorname_np(err) : "ok");
	return 0;
}
