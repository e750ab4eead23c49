/* SPDX-License-Identifier: GPL-2.0 */
/* Archives of trace directories, packed or not: tar(1) knows how to read them. */
#ifndef LKST_ARCHIVE_H
#define LKST_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

/* The option by which tar(1) unpacks what begins with these @n bytes; NULL if it is none. */
const char *archive_option(const char *head, size_t n);

/* Does the file begin like one? */
bool is_archive(const char *path);

/*
 * Unpack one to a new directory; NULL after saying why it cannot be. Nothing but
 * files and directories is left there. The name is to be freed.
 */
char *archive_unpack(const char *path);

/* The trace in it, below directories with nothing else; to be freed. */
char *archive_trace(const char *dir);

/* Remove the directory; files that are open can still be read. */
void archive_remove(const char *dir);

#endif /* LKST_ARCHIVE_H */
