/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LKST_CRASH_RUN_H
#define LKST_CRASH_RUN_H

/*
 * Run the command that argv[0] names, as the lkst command does, on the memory that
 * crash has open, which is that of @dump. Return: the exit code.
 */
int run_command(const char *dump, int argc, char **argv);

#endif /* LKST_CRASH_RUN_H */
