// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "live.h"
#include "lkst.h"
#include "names.h"
#include "outdir.h"
#include "symbols.h"

#define METADATA_MAX	0x400000u
#define KALLSYMS_MAX	0x10000000u

char *live_current(void)
{
	char *name = control_see("buffers/current");

	name[strcspn(name, "\n")] = 0;
	return name;
}

static int by_number(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void list_cpus(struct live *l)
{
	DIR *dir = opendir(l->dir);
	struct dirent *e;
	u64 cpu;

	while (dir && (e = readdir(dir))) {
		if (strncmp(e->d_name, "cpu", 3) || !parse_u64(e->d_name + 3, &cpu) ||
		    cpu >= ~0u)
			continue;
		l->cpu = grow(l->cpu, l->nr, &l->room, sizeof(*l->cpu));
		l->cpu[l->nr++] = cpu;
	}
	if (dir)
		closedir(dir);
	sort(l->cpu, l->nr, sizeof(*l->cpu), by_number);
}

static bool read_metadata(struct live *l)
{
	char *path = xasprintf("%s/" METADATA_FILE, l->dir);
	size_t len;

	l->text = read_file(path, METADATA_MAX, &len);
	if (!l->text)
		trouble("%s: %s", path, strerror(errno));
	else
		l->metadata = metadata_parse(l->text, path);
	free(path);
	return l->metadata;
}

struct live *live_open(const char *buffer)
{
	struct live *l;

	if (!control_ready() || (buffer && !control_has("buffers", buffer)))
		return NULL;
	l = xcalloc(1, sizeof(*l));
	l->name = buffer ? xstrdup(buffer) : live_current();
	l->dir = xasprintf("%s/proc/lkst/buffers/%s", sysroot(), l->name);
	l->past_text = control_past_text(l->name);
	list_cpus(l);
	if (read_metadata(l))
		return l;
	live_close(l);
	return NULL;
}

void live_close(struct live *l)
{
	metadata_free(l->metadata);
	free(l->text);
	free(l->cpu);
	free(l->dir);
	free(l->name);
	free(l);
}

int live_cpu(const struct live *l, u32 cpu)
{
	char *path = xasprintf("%s/cpu%u", l->dir, cpu);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		trouble("%s: %s%s", path, strerror(errno), errno == EBUSY ?
			": somebody else reads it, and in discard mode one may" : "");
	free(path);
	return fd;
}

static bool read_all(int fd, void *buf, size_t n)
{
	char *at = buf;
	ssize_t got;

	while (n) {
		got = read(fd, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= got;
	}
	return true;
}

struct lkst_packet *live_read(int fd, void *buf)
{
	struct lkst_packet *p = buf;
	u32 size;

	if (!read_all(fd, p, sizeof(*p)))
		return NULL;
	size = p->magic == LKST_PACKET_MAGIC ? packet_bytes(p) : 0;
	if (size && read_all(fd, p + 1, size - sizeof(*p)))
		return p;
	trouble("there is no packet where the kernel should give one");
	return NULL;
}

bool live_wait(int fd)
{
	struct pollfd fds = { .fd = fd, .events = POLLIN };

	if (poll(&fds, 1, 0) <= 0 || fds.revents != POLLIN)
		return false;
	poll(NULL, 0, LIVE_AGAIN_MS);
	return true;
}

struct lkst_packet *live_peek(const struct live *l, u32 cpu)
{
	char *path = xasprintf("%s/cpu%u.open", l->dir, cpu);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct lkst_packet *p = NULL;
	void *buf;

	if (fd < 0) {
		trouble("%s: %s", path, strerror(errno));
	} else {
		buf = xcalloc(1, LKST_PACKET_MAX);
		p = live_read(fd, buf);
		if (!p)
			free(buf);
		close(fd);
	}
	free(path);
	return p;
}

bool live_owns(const struct live *l, const struct lkst_packet *p)
{
	return !memcmp(p->uuid, l->metadata->uuid, LKST_UUID_SIZE);
}

/* Name a thread; most are gone when that fails. */
static void add_task(struct names *names, const char *process, u32 tgid, const char *thread)
{
	char *path = xasprintf("%s/proc/%s/task/%s/comm", sysroot(), process, thread);
	size_t len;
	char *comm = read_file(path, LKST_COMM_SIZE * 4, &len);
	u64 tid;

	if (comm && parse_u64(thread, &tid))
		names_set(names, tid, tgid, comm, strcspn(comm, "\n"));
	free(comm);
	free(path);
}

static void add_process(struct names *names, const char *process, u32 tgid)
{
	char *path = xasprintf("%s/proc/%s/task", sysroot(), process);
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			add_task(names, process, tgid, e->d_name);
	if (dir)
		closedir(dir);
	free(path);
}

char *live_tasks(size_t *size)
{
	char *path = xasprintf("%s/proc", sysroot()), *text = NULL;
	struct names *names = names_new();
	DIR *dir = opendir(path);
	struct dirent *e;
	u64 tgid;
	FILE *f;

	while (dir && (e = readdir(dir)))
		if (parse_u64(e->d_name, &tgid))
			add_process(names, e->d_name, tgid);
	if (dir)
		closedir(dir);
	*size = 0;
	f = open_memstream(&text, size);
	if (f) {
		names_write(names, f);
		fclose(f);
	}
	names_free(names);
	free(path);
	return text;
}

char *live_past_tasks(const struct live *l, size_t *size)
{
	char *path = xasprintf("%s/" TASKS_FILE, l->dir);
	char *text = read_file(path, TASKS_TEXT_MAX, size);

	if (!text)
		trouble("%s: %s", path, strerror(errno));
	free(path);
	return text;
}

char *live_symbols(u64 past_text, size_t *size)
{
	char *path = xasprintf("%s/proc/kallsyms", sysroot());
	struct symbols *s = symbols_new();
	char *text = read_file(path, KALLSYMS_MAX, size);

	symbols_from_text(s, text);
	if (past_text)
		symbols_move(s, past_text);
	symbols_finish(s);
	symbols_mark_all(s);
	free(text);
	text = symbols_to_text(s, size);
	symbols_free(s);
	free(path);
	return text;
}

char *live_make_dir(void)
{
	time_t now = time(NULL);
	char name[64] = "lkst-trace";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(name, sizeof(name), "lkst-%Y%m%d-%H%M%S", &tm);
	return make_new_dir(name);
}
