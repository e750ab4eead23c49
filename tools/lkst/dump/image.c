// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"
#include "progress.h"

#define COPY_CHUNK	1048576u

static int make_temporary(void)
{
	const char *dir = getenv("TMPDIR");
	char *path = xasprintf("%s/lkst-XXXXXX", dir && *dir ? dir : "/var/tmp");
	int fd = mkstemp(path);

	if (fd >= 0)
		unlink(path);
	else
		trouble("%s: %s; the dump cannot be copied there (TMPDIR= says where)",
			path, strerror(errno));
	free(path);
	return fd;
}

static bool write_all(int fd, const char *buf, size_t n)
{
	ssize_t done;

	for (; n; buf += done, n -= done) {
		done = write(fd, buf, n);
		if (done < 0 && errno == EINTR)
			done = 0;
		else if (done <= 0)
			return false;
	}
	return true;
}

/* Copy all that comes out of a pipe; false if it cannot be kept, which is said. */
static bool copy(struct image *im, int to)
{
	char *buf = xcalloc(COPY_CHUNK, 1);
	struct progress p = { .what = "copying" };
	bool ok = true;
	ssize_t n;

	while (ok && (n = read(im->fd, buf, COPY_CHUNK))) {
		if (n < 0 && errno == EINTR)
			continue;
		ok = n > 0 && write_all(to, buf, n);
		if (!ok)
			trouble("%s: %s %s", im->path, n > 0 ? "cannot copy it:" :
				"cannot read it:", strerror(errno));
		else
			progress_step(&p, n);
	}
	progress_end(&p);
	free(buf);
	return ok;
}

/* What cannot be read at will is copied to where it can. */
static bool make_seekable(struct image *im)
{
	int fd;

	if (lseek(im->fd, 0, SEEK_CUR) >= 0)
		return true;
	if (errno != ESPIPE) {
		trouble("%s: %s", im->path, strerror(errno));
		return false;
	}
	fd = make_temporary();
	if (fd < 0)
		return false;
	if (!copy(im, fd)) {
		close(fd);
		return false;
	}
	close(im->fd);
	im->fd = fd;
	return true;
}

/* A directory, or what cannot be read, is no dump; a file of /proc has no size. */
static bool look_at_file(struct image *im)
{
	struct stat st;
	off_t size;
	char byte;

	if (fstat(im->fd, &st)) {
		trouble("%s: %s", im->path, strerror(errno));
		return false;
	}
	if (S_ISDIR(st.st_mode)) {
		trouble("%s: is a directory, not a dump; `lkst print' reads what was extracted",
			im->path);
		return false;
	}
	if (!make_seekable(im))
		return false;
	if (pread(im->fd, &byte, 1, 0) < 0) {
		trouble("%s: %s", im->path, strerror(errno));
		return false;
	}
	size = lseek(im->fd, 0, SEEK_END);
	im->live = S_ISREG(st.st_mode) && !st.st_blocks && pread(im->fd, &byte, 1, 0) == 1 &&
		   !strncmp(im->path, "/proc/", 6);
	im->size = im->live ? ~0ull >> 1 : size > 0 ? size : 0;
	return true;
}

struct image *image_open(const char *path)
{
	struct image *im = xcalloc(1, sizeof(*im));
	char head[sizeof(FLAT_SIGNATURE)];
	bool is_input = !strcmp(path, "-");

	im->path = xstrdup(is_input ? "standard input" : path);
	im->fd = is_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (im->fd < 0) {
		trouble("%s: %s", im->path, strerror(errno));
		goto fail;
	}
	if (!look_at_file(im))
		goto fail;
	if (image_read_all(im, head, sizeof(head), 0) &&
	    !memcmp(head, FLAT_SIGNATURE, sizeof(head)) && !flat_load(im))
		goto fail;
	return im;
fail:
	image_close(im);
	return NULL;
}

void image_close(struct image *im)
{
	if (!im)
		return;
	if (im->fd >= 0)
		close(im->fd);
	flat_free(im->flat);
	free(im->path);
	free(im);
}

size_t image_read(struct image *im, void *buf, size_t n, u64 at)
{
	if (at > ~0ull >> 1)
		return 0;
	return im->flat ? flat_read(im, buf, n, at) : pread_full(im->fd, buf, n, at);
}

bool image_data(struct image *im, u64 at, u64 *start, u64 *end)
{
	off_t data, hole;

	if (im->flat)
		return flat_data(im, at, start, end);
	if (at >= im->size)
		return false;
	*start = at;
	*end = im->size;
	data = im->live ? -1 : lseek(im->fd, at, SEEK_DATA);
	if (data < 0)
		return im->live || errno != ENXIO;
	hole = lseek(im->fd, data, SEEK_HOLE);
	*start = data;
	if (hole > data)
		*end = hole;
	return true;
}

const void *window_get(struct window *w, u64 at, size_t n)
{
	if (at < w->at || at - w->at > w->n || w->n - (at - w->at) < n) {
		if (n > sizeof(w->bytes))
			return NULL;
		w->at = at;
		w->n = image_read(w->im, w->bytes, sizeof(w->bytes), at);
		if (w->n < n)
			return NULL;
	}
	return w->bytes + (at - w->at);
}
