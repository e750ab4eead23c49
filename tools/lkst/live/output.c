// SPDX-License-Identifier: GPL-2.0
/* The parts of a trace that is being written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lkst.h"
#include "outdir.h"
#include "session.h"

/* Threads that live now have a name, those that ended have it in the records. */
static bool write_tasks(const char *dir)
{
	char *path = xasprintf("%s/" TASKS_FILE, dir);
	char *new = xasprintf("%s/" TASKS_FILE ".new", dir);
	size_t size;
	char *text = live_tasks(&size);
	bool ok = write_file(dir, TASKS_FILE ".new", text, size) && !rename(new, path);
	int err = errno;

	if (!ok)
		unlink(new);
	errno = err;
	free(text);
	free(new);
	free(path);
	return ok;
}

/* All parts share a file where that can be done. */
static bool write_symbols(struct output *out, const char *dir)
{
	char *path, *old;
	bool linked = false;

	if (!out->symbols)
		return true;
	if (out->nr > out->first) {
		path = xasprintf("%s/" SYMBOLS_FILE, dir);
		old = xasprintf("%s/" SYMBOLS_FILE, out->part[out->nr - 1].dir);
		linked = !link(old, path);
		free(old);
		free(path);
	}
	return linked || write_file(dir, SYMBOLS_FILE, out->symbols, out->symbols_size);
}

static void remove_first(struct output *out)
{
	struct part *part = &out->part[out->first++];

	out->removed += part->records;
	clean_dir(part->dir);
	if (rmdir(part->dir))
		note("%s: %s", part->dir, strerror(errno));
	free(part->dir);
	part->dir = NULL;
}

void output_stop(struct output *out, int err)
{
	if (!out->full)
		trouble("%s: %s: nothing more is written, what was is kept", out->dir,
			strerror(err));
	out->full = err;
}

bool output_full(struct output *out)
{
	bool full;

	pthread_mutex_lock(&out->lock);
	full = out->full;
	pthread_mutex_unlock(&out->lock);
	return full;
}

/* What was made of a part that cannot be had whole goes. */
static void drop_part(struct output *out, char *dir)
{
	output_stop(out, errno ? errno : EIO);
	clean_dir(dir);
	if (strcmp(dir, out->dir))
		rmdir(dir);
	free(dir);
}

bool output_rotate(struct output *out)
{
	char *dir = out->in_parts || out->nr ?
		xasprintf("%s/" PART_PREFIX "%06zu", out->dir, out->nr + 1) : xstrdup(out->dir);
	const char *text = out->live->text;
	bool ok = make_dir(dir, true);

	if (ok) {
		clean_dir(dir);
		ok = write_file(dir, METADATA_FILE, text, strlen(text)) &&
			write_symbols(out, dir) && write_tasks(dir);
	}
	if (!ok) {
		drop_part(out, dir);
		return false;
	}
	out->part = grow(out->part, out->nr, &out->room, sizeof(*out->part));
	out->part[out->nr++] = (struct part){ .dir = dir };
	out->bytes = 0;
	while (out->keep && out->nr - out->first > out->keep)
		remove_first(out);
	return true;
}

void output_finish(struct output *out)
{
	if (out->nr && !out->full)
		write_tasks(out->part[out->nr - 1].dir);
	while (out->nr)
		free(out->part[--out->nr].dir);
	free(out->part);
	free(out->symbols);
	pthread_mutex_destroy(&out->lock);
}
