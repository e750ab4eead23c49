/* SPDX-License-Identifier: GPL-2.0 */
/* The subcommands: each returns the exit code. */
#ifndef LKST_LKST_H
#define LKST_LKST_H

#include <getopt.h>

#include "dump.h"

#define LKST_VERSION	"1.0"

/* Files of an extracted trace, beside cpu0, cpu1, ... */
#define METADATA_FILE	"metadata"
/* Hidden from babeltrace2: lines "tid tgid name". */
#define TASKS_FILE	".tasks"
#define TASKS_TEXT_MAX	(256u << 20)
/* Hidden too: names of the functions in it, as in /proc/kallsyms. */
#define SYMBOLS_FILE	".symbols"
/* Beside the buffers: the kernel's log. */
#define LOG_FILE	"dmesg"
/* Beside them, too: the name of the one that was current. */
#define CURRENT_FILE	".current"

/* And what became of the records while it was written: a line for each CPU. */
#define COUNTS_FILE	".counts"

/* What the names of the parts of a trace begin with; six digits follow. */
#define PART_PREFIX	"part-"

int cmd_buffer(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_extract(int argc, char **argv);
int cmd_handler(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_marker(int argc, char **argv);
int cmd_maskset(int argc, char **argv);
int cmd_print(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);
int cmd_start(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_stop(int argc, char **argv);

/* What `lkst list' shows of each kind, also `lkst maskset' and its like. */
void show_masksets(void);
void show_handlers(void);
void show_buffers(void);

/* What `lkst status' shows of a buffer in the directory of all buffers. */
void show_buffer(const char *buffers, const char *name);

/*
 * What is left to say when the command line is wrong: where help on a subcommand
 * is. Returns LKST_EXIT_USAGE.
 */
int see_help(const char *command);

/* The same, after saying that the argument of option @c is not @wanted. */
int bad_argument(const char *command, const struct option *options, int c,
		 const char *wanted);

#endif /* LKST_LKST_H */
