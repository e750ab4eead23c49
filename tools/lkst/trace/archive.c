// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "archive.h"
#include "util.h"

/* Descriptors for walking through directories, and directories in each other. */
#define WALK_FDS	16
#define DEPTH_MAX	8

/* What was unpacked goes first when one of these comes. */
static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
static struct sigaction before[ARRAY_SIZE(signals)];
static volatile sig_atomic_t caught;
static volatile pid_t child;

static void catch(int signal)
{
	caught = signal;
	if (child > 0)
		kill(child, SIGTERM);
}

static void catch_signals(void)
{
	struct sigaction act = { .sa_handler = catch };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
	}
}

static void release_signals(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	if (caught)
		raise(caught);
	caught = 0;
}

const char *archive_option(const char *head, size_t n)
{
	static const struct {
		size_t at;
		size_t size;
		const char *bytes;
		const char *option;
	} magic[] = {
		{ 257, 5, "ustar", "-x" },
		{ 0, 4, "\x28\xb5\x2f\xfd", "--zstd" },
		{ 0, 3, "\x1f\x8b\x08", "-z" },
		{ 0, 5, "\xfd\x37zXZ", "-J" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(magic); i++)
		if (n >= magic[i].at + magic[i].size &&
		    !memcmp(head + magic[i].at, magic[i].bytes, magic[i].size))
			return magic[i].option;
	return NULL;
}

static const char *tar_option(const char *path)
{
	const char *option;
	char head[512];
	struct stat st;
	int fd;

	/* A pipe would lose who writes to it. */
	if (!path || stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	option = archive_option(head, pread_full(fd, head, sizeof(head), 0));
	close(fd);
	return option;
}

bool is_archive(const char *path)
{
	return tar_option(path);
}

/* A link in an archive could lead anywhere, and a pipe would block. */
static int remove_odd(const char *path, const struct stat *st, int flag, struct FTW *w)
{
	(void)flag;
	(void)w;
	return S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) ? 0 : unlink(path);
}

static int remove_any(const char *path, const struct stat *st, int flag, struct FTW *w)
{
	(void)st;
	(void)flag;
	(void)w;
	return remove(path);
}

void archive_remove(const char *dir)
{
	if (nftw(dir, remove_any, WALK_FDS, FTW_DEPTH | FTW_PHYS))
		trouble("%s: cannot be removed: %s", dir, strerror(errno));
	release_signals();
}

/*
 * The options are those that busybox has too. A path with a slash is no other machine's for
 * tar, whatever colons are in it.
 */
static bool run_tar(const char *path, const char *dir)
{
	char *file = xasprintf("%s%s", strchr(path, '/') ? "" : "./", path);
	const char *option = tar_option(path);
	pid_t pid = fork();
	int status;

	if (!pid) {
		execlp("tar", "tar", "-o", "--no-same-permissions", option ? option : "-x",
		       "-xf", file, "-C", dir, NULL);
		_exit(127);
	}
	free(file);
	child = pid;
	if (caught && pid > 0)
		kill(pid, SIGTERM);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	if (caught)
		return false;
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	trouble("%s: tar cannot unpack it to %s%s", path, dir,
		pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127 ?
		": there is no tar" : " (TMPDIR says where to; a packed dump has to be unpacked)");
	return false;
}

char *archive_unpack(const char *path)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = xasprintf("%s/lkst-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	catch_signals();
	if (!mkdtemp(dir)) {
		trouble("%s: %s", dir, strerror(errno));
		free(dir);
		release_signals();
		return NULL;
	}
	if (run_tar(path, dir) &&
	    !nftw(dir, remove_odd, WALK_FDS, FTW_PHYS))
		return dir;
	archive_remove(dir);
	free(dir);
	return NULL;
}

/* The one directory that is all there is in a directory, or NULL. */
static char *only_directory(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	char *only = NULL;
	int nr = 0;

	while (dir && (e = readdir(dir))) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (!nr++)
			only = xasprintf("%s/%s", path, e->d_name);
	}
	if (dir)
		closedir(dir);
	dir = nr == 1 ? opendir(only) : NULL;
	if (dir) {
		closedir(dir);
		return only;
	}
	free(only);
	return NULL;
}

char *archive_trace(const char *dir)
{
	char *at = xstrdup(dir), *below;
	int depth;

	for (depth = 0; depth < DEPTH_MAX; depth++) {
		below = only_directory(at);
		if (!below)
			break;
		free(at);
		at = below;
	}
	return at;
}
