/* SPDX-License-Identifier: GPL-2.0 */
/* Directories that traces are written to. */
#ifndef LKST_OUTDIR_H
#define LKST_OUTDIR_H

#include "names.h"
#include "util.h"

/* Make a directory; one that is there must be empty unless forced. */
bool make_dir(const char *path, bool force);

/*
 * Make a directory that is not there yet: NAME, or NAME-2 and so on. To be freed; NULL
 * after saying why not.
 */
char *make_new_dir(const char *name);

/* Is it a file that is there, of those that make up a trace? */
bool is_in_trace(const char *path);

/* Is it the name of a part, as lkst record numbers them? */
bool is_part(const char *name);

/* Remove what an earlier run left in the directory of a buffer, and its parts. */
void clean_dir(const char *path);

/* As write(2), but all of it; false with errno. */
bool write_all(int fd, const void *buf, size_t n);

/* A new file, never one that a link leads to; -1 if it cannot be made, which is said. */
int make_file(const char *dir, const char *name);

/* The file of the names of threads; what goes wrong is said. */
void write_names(const char *dir, const struct names *names);

/* A new file with a text in it. */
bool write_file(const char *dir, const char *name, const char *text, size_t n);

#endif /* LKST_OUTDIR_H */
