/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the running kernel's tracer is told, and what it tells, in sysfs: one value
 * a file. Paths are those below /sys/kernel/lkst.
 */
#ifndef LKST_CONTROL_H
#define LKST_CONTROL_H

#include "util.h"

/* Names, sorted. */
struct strings {
	char **at;
	size_t nr;
	size_t room;
};

void strings_add(struct strings *s, char *string);
void strings_sort(struct strings *s);
bool strings_have(const struct strings *s, const char *string);
/* All with blanks between; to be freed. */
char *strings_join(const struct strings *s);
void strings_free(struct strings *s);

/* Is there a tracer, and may it be controlled? Says what to do if not. */
bool control_ready(void);

/*
 * Say by errno why a file of the tracer, of which this is the whole path, cannot be used:
 * as a rule only root may, or there is no tracer.
 */
void control_failed(const char *path);

/* What a file holds, without the last newline; NULL with errno. To be freed. */
char *__printf(1, 2) control_get(const char *fmt, ...);

/* The same, "?" when it cannot be read, which is said. */
char *__printf(1, 2) control_see(const char *fmt, ...);

/* Write a line; what goes wrong is said, with what to do. */
bool __printf(2, 3) control_put(const char *value, const char *fmt, ...);

/* The same without a word. Return: 0 or an errno. */
int __printf(2, 3) control_try(const char *value, const char *fmt, ...);

/* The directories in a directory, sorted. */
void __printf(2, 3) control_dirs(struct strings *names, const char *fmt, ...);

/* All events, as group/name. */
void control_events(struct strings *events);

/* Is there such a maskset, handler or buffer, as @dir says? If not, it is said. */
bool control_has(const char *dir, const char *name);
/* The same, with @where before the message. */
bool control_has_at(const char *where, const char *dir, const char *name);

/* Where the kernel's text began in the boot that a buffer is of; 0 if it is of this one. */
u64 control_past_text(const char *buffer);

/* The sum of numbers, one a line. */
u64 sum_lines(const char *numbers);

/* Who uses a maskset, handler or buffer, a sentence each; to be freed. */
void control_users(struct strings *users, const char *dir, const char *name);

#endif /* LKST_CONTROL_H */
