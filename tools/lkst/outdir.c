// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lkst.h"
#include "outdir.h"

#define DIR_FLAGS	(O_RDONLY | O_DIRECTORY | O_CLOEXEC)

static bool is_hidden(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

bool make_dir(const char *path, bool force)
{
	struct dirent *e;
	bool ok = true;
	DIR *dir;

	if (!mkdir(path, 0777))
		return true;
	dir = errno == EEXIST ? opendir(path) : NULL;
	if (!dir) {
		trouble("%s: %s", path, strerror(errno));
		return false;
	}
	while (ok && (e = readdir(dir)))
		ok = force || is_hidden(e->d_name);
	closedir(dir);
	if (!ok)
		trouble("%s: is not empty; -f writes there all the same", path);
	return ok;
}

char *make_new_dir(const char *name)
{
	char *path = xstrdup(name);
	unsigned int n;

	for (n = 2; mkdir(path, 0777); n++) {
		if (errno != EEXIST) {
			trouble("%s: %s", path, strerror(errno));
			free(path);
			return NULL;
		}
		free(path);
		path = xasprintf("%s-%u", name, n);
	}
	return path;
}

static bool is_trace_file(const char *name)
{
	u64 cpu;

	return (!strncmp(name, "cpu", 3) && parse_u64(name + 3, &cpu)) ||
	       !strcmp(name, METADATA_FILE) || !strcmp(name, TASKS_FILE) ||
	       !strcmp(name, COUNTS_FILE) || !strcmp(name, SYMBOLS_FILE);
}

bool is_in_trace(const char *path)
{
	char *file = realpath(path, NULL), *name, *metadata;
	bool is;

	if (!file)
		return false;
	name = strrchr(file, '/') + 1;
	metadata = xasprintf("%.*s" METADATA_FILE, (int)(name - file), file);
	is = is_trace_file(name) && !access(metadata, F_OK);
	free(metadata);
	free(file);
	return is;
}

bool is_part(const char *name)
{
	u64 nr;

	return !strncmp(name, PART_PREFIX, strlen(PART_PREFIX)) &&
		parse_u64(name + strlen(PART_PREFIX), &nr);
}

/* Remove the files of a trace from a directory, which is closed, and its parts. */
static void clean_open(int fd, bool parts)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (dir && (e = readdir(dir))) {
		if (is_trace_file(e->d_name))
			unlinkat(fd, e->d_name, 0);
		if (!parts || !is_part(e->d_name))
			continue;
		clean_open(openat(fd, e->d_name, DIR_FLAGS | O_NOFOLLOW), false);
		unlinkat(fd, e->d_name, AT_REMOVEDIR);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

void clean_dir(const char *path)
{
	clean_open(open(path, DIR_FLAGS), true);
}

bool write_all(int fd, const void *buf, size_t n)
{
	const char *p = buf;
	ssize_t done;

	while (n) {
		done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= done;
	}
	return true;
}

int make_file(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd;

	unlink(path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		trouble("%s: %s", path, strerror(errno));
	free(path);
	return fd;
}

void write_names(const char *dir, const struct names *names)
{
	int fd = make_file(dir, TASKS_FILE);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
	bool ok;

	if (!f)
		return;
	names_write(names, f);
	ok = !fflush(f) && !ferror(f);
	if (fclose(f) || !ok)
		trouble("%s/" TASKS_FILE ": %s", dir, strerror(errno));
}

bool write_file(const char *dir, const char *name, const char *text, size_t n)
{
	int fd = make_file(dir, name);
	bool ok = fd >= 0 && write_all(fd, text, n);

	if (fd >= 0 && (close(fd) || !ok)) {
		trouble("%s/%s: %s", dir, name, strerror(errno));
		ok = false;
	}
	return ok;
}
