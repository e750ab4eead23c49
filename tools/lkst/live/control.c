// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "control.h"

/* Longer than any file of the tracer in sysfs. */
#define VALUE_MAX	65536u
/* Longer than any record that /dev/kmsg gives. */
#define KMSG_MAX	8192

void strings_add(struct strings *s, char *string)
{
	s->at = grow(s->at, s->nr, &s->room, sizeof(*s->at));
	s->at[s->nr++] = string;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strings_sort(struct strings *s)
{
	sort(s->at, s->nr, sizeof(*s->at), by_name);
}

bool strings_have(const struct strings *s, const char *string)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (!strcmp(s->at[i], string))
			return true;
	return false;
}

char *strings_join(const struct strings *s)
{
	char *all = xstrdup(""), *old;
	size_t i;

	for (i = 0; i < s->nr; i++) {
		old = all;
		all = xasprintf("%s%s%s", old, i ? " " : "", s->at[i]);
		free(old);
	}
	return all;
}

void strings_free(struct strings *s)
{
	while (s->nr)
		free(s->at[--s->nr]);
	free(s->at);
	*s = (struct strings){ };
}

static char *full_path(const char *fmt, va_list args)
{
	char *below, *path;

	if (vasprintf(&below, fmt, args) < 0)
		below = xstrdup("");
	path = xasprintf("%s/sys/kernel/lkst/%s", sysroot(), below);
	free(below);
	return path;
}

/* The part of a full path that is below the tracer's directory. */
static const char *short_path(const char *path)
{
	return path + strlen(sysroot()) + strlen("/sys/kernel/lkst/");
}

static bool have_tracer(void)
{
	char *path = xasprintf("%s/sys/kernel/lkst", sysroot());
	bool have = !access(path, F_OK);

	free(path);
	return have;
}

void control_failed(const char *path)
{
	int err = errno;

	if (err == EACCES)
		trouble("%s: only root may control the tracer; run lkst as root", path);
	else if (err == ENOENT && !have_tracer())
		trouble("%s: %s: this kernel has no LKST, lkst=off, or no sysfs", path,
			strerror(err));
	else
		trouble("%s: %s", path, strerror(err));
}

bool control_ready(void)
{
	char *path = xasprintf("%s/sys/kernel/lkst/enabled", sysroot());
	bool ok = !access(path, R_OK);

	if (!ok)
		control_failed(path);
	free(path);
	return ok;
}

static char *get(const char *path)
{
	size_t len;
	char *value = read_file(path, VALUE_MAX, &len);

	if (value && len && value[len - 1] == '\n')
		value[len - 1] = 0;
	return value;
}

char *control_get(const char *fmt, ...)
{
	char *path, *value;
	va_list args;
	int err;

	va_start(args, fmt);
	path = full_path(fmt, args);
	va_end(args);
	value = get(path);
	err = errno;
	free(path);
	errno = err;
	return value;
}

u64 control_past_text(const char *buffer)
{
	char *text = control_get("buffers/%s/text", buffer);
	u64 address = text ? strtoull(text, NULL, 16) : 0;

	free(text);
	return address;
}

char *control_see(const char *fmt, ...)
{
	char *path, *value;
	va_list args;

	va_start(args, fmt);
	path = full_path(fmt, args);
	va_end(args);
	value = get(path);
	if (!value)
		control_failed(path);
	free(path);
	return value ? value : xstrdup("?");
}

static void list_dirs(struct strings *names, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && e->d_type == DT_DIR)
			strings_add(names, xstrdup(e->d_name));
	if (dir)
		closedir(dir);
	strings_sort(names);
}

void control_dirs(struct strings *names, const char *fmt, ...)
{
	va_list args;
	char *path;

	va_start(args, fmt);
	path = full_path(fmt, args);
	va_end(args);
	list_dirs(names, path);
	free(path);
}

void control_events(struct strings *events)
{
	struct strings groups = { }, names = { };
	size_t g, i;

	control_dirs(&groups, "events");
	for (g = 0; g < groups.nr; g++) {
		control_dirs(&names, "events/%s", groups.at[g]);
		for (i = 0; i < names.nr; i++)
			strings_add(events, xasprintf("%s/%s", groups.at[g], names.at[i]));
		strings_free(&names);
	}
	strings_free(&groups);
	strings_sort(events);
}

bool control_has(const char *dir, const char *name)
{
	return control_has_at("", dir, name);
}

bool control_has_at(const char *where, const char *dir, const char *name)
{
	struct strings names = { };
	bool has;
	char *all;

	control_dirs(&names, "%s", dir);
	has = strings_have(&names, name);
	if (!has) {
		all = strings_join(&names);
		trouble("%s%s/%s: there is no such thing, but these: %s", where, dir, name,
			all);
		free(all);
	}
	strings_free(&names);
	return has;
}

u64 sum_lines(const char *numbers)
{
	u64 sum = 0;
	char *end;

	for (;;) {
		sum += strtoull(numbers, &end, 10);
		if (end == numbers)
			return sum;
		numbers = end;
	}
}

/* Does one of the actions "a; b; c" name it? "keep" and "buffer" name buffers. */
static bool action_names(const char *actions, const char *dir, const char *name)
{
	bool buffer = !strcmp(dir, "buffers");
	char verb[32], what[64];
	const char *at = actions;

	while (at) {
		at += strspn(at, "; ");
		if (sscanf(at, "%31[a-z] %63[^; ]", verb, what) == 2 &&
		    !strcmp(what, name) &&
		    (buffer ? !strcmp(verb, "buffer") || !strcmp(verb, "keep") :
		     !strncmp(dir, verb, strlen(verb))))
			return true;
		at = strchr(at, ';');
	}
	return false;
}

/* One of the files of all in a directory holds the name. */
static void users_by_file(struct strings *users, const char *dir, const char *file,
			  const char *name)
{
	struct strings owners = { };
	char *value;
	size_t i;

	control_dirs(&owners, "%s", dir);
	for (i = 0; i < owners.nr; i++) {
		value = control_get("%s/%s/%s", dir, owners.at[i], file);
		if (value && !strcmp(value, name))
			strings_add(users, xasprintf("%s/%s/%s names it.", dir,
						     owners.at[i], file));
		free(value);
	}
	strings_free(&owners);
}

static void users_by_action(struct strings *users, const char *dir, const char *name)
{
	struct strings owners = { };
	char *value;
	size_t i;

	control_dirs(&owners, "handlers");
	for (i = 0; i < owners.nr; i++) {
		value = control_get("handlers/%s/action", owners.at[i]);
		if (value && action_names(value, dir, name))
			strings_add(users, xasprintf("The action of trigger %s names it.",
						     owners.at[i]));
		free(value);
	}
	strings_free(&owners);
}

static void users_by_event(struct strings *users, const char *name)
{
	struct strings events = { };
	size_t i;

	control_events(&events);
	for (i = 0; i < events.nr; i++)
		users_by_file(users, "masksets", events.at[i], name);
	strings_free(&events);
}

void control_users(struct strings *users, const char *dir, const char *name)
{
	char *current = control_get("%s/current", dir);

	if (current && !strcmp(current, name))
		strings_add(users, xasprintf("It is current: make another one current first."));
	free(current);
	users_by_action(users, dir, name);
	if (!strcmp(dir, "handlers"))
		users_by_event(users, name);
	if (!strcmp(dir, "buffers"))
		users_by_file(users, dir, "next", name);
	if (!users->nr)
		strings_add(users, xstrdup("A module holds it."));
}

/* What the kernel's log said since @kmsg was moved to its end. */
static void say_log(int kmsg)
{
	char line[KMSG_MAX], *text;
	ssize_t n;

	while (kmsg >= 0 && (n = read(kmsg, line, sizeof(line) - 1)) > 0) {
		line[n] = 0;
		text = strchr(line, ';');
		if (!text || strncmp(text + 1, "lkst: ", 6))
			continue;
		text += 7;
		text[strcspn(text, "\n")] = 0;
		note("the kernel says: %s", text);
	}
}

static int open_log(void)
{
	char *path = xasprintf("%s/dev/kmsg", sysroot());
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	free(path);
	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* Each write() is one line for the kernel, as a whole. */
static int put(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	size_t len = strlen(value) + 1;
	char *line;
	int err = 0;

	if (fd < 0)
		return errno;
	line = xasprintf("%s\n", value);
	if (write(fd, line, len) != (ssize_t)len)
		err = errno ? errno : EIO;
	if (close(fd) && !err)
		err = errno;
	free(line);
	return err;
}

int control_try(const char *value, const char *fmt, ...)
{
	va_list args;
	char *path;
	int err;

	va_start(args, fmt);
	path = full_path(fmt, args);
	va_end(args);
	errno = 0;
	err = put(path, value);
	free(path);
	return err;
}

static void say_users(const char *dir, const char *name)
{
	struct strings users = { };
	size_t i;

	control_users(&users, dir, name);
	for (i = 0; i < users.nr; i++)
		note("%s/%s: %s", dir, name, users.at[i]);
	strings_free(&users);
}

static void say_names(const char *dir)
{
	struct strings names = { };
	char *all;

	control_dirs(&names, "%s", dir);
	all = strings_join(&names);
	note("%s: there are these: %s", dir, all);
	free(all);
	strings_free(&names);
}

/* What can be done about a write that failed: @path is DIR/NAME..., or DIR/verb. */
static void advise(const char *path, const char *value, int err)
{
	size_t n = strcspn(path, "/");
	char *dir = xasprintf("%.*s", (int)n, path);
	const char *rest = path[n] ? path + n + 1 : "";
	bool remove = !strcmp(rest, "remove"), current = !strcmp(rest, "current");
	char *name = remove ? xstrdup(value) :
		xasprintf("%.*s", (int)strcspn(rest, "/"), rest);

	if (err == EPERM && remove)
		note("what is built in, or a module's, cannot be removed");
	else if (err == EPERM && !strcmp(dir, "masksets"))
		note("%s is built in; make a copy: lkst maskset create NAME from %s",
		     name, name);
	else if (err == EBUSY)
		say_users(dir, name);
	else if (err == ENOENT && (remove || current || !strcmp(rest, "create") ||
				   !strcmp(rest + strlen(name), "/next")))
		say_names(dir);
	else if (err == ENOENT && !strcmp(dir, "masksets") &&
		 strcmp(rest + strlen(name), "/syscalls"))
		say_names(strchr(rest, '/') ? "handlers" : dir);
	else if (err == EINVAL && !strcmp(dir, "handlers") &&
		 !strcmp(rest + strlen(name), "/detail"))
		note("%s: there are these: regs stack task, several with blanks between", path);
	free(name);
	free(dir);
}

bool control_put(const char *value, const char *fmt, ...)
{
	int kmsg = open_log(), err;
	va_list args;
	char *path;

	va_start(args, fmt);
	path = full_path(fmt, args);
	va_end(args);
	errno = 0;
	err = put(path, value);
	if (err == EACCES) {
		errno = err;
		control_failed(path);
	} else if (err) {
		trouble("%s: \"%s\": %s", short_path(path), value, strerror(err));
		say_log(kmsg);
		advise(short_path(path), value, err);
	}
	if (kmsg >= 0)
		close(kmsg);
	free(path);
	return !err;
}
