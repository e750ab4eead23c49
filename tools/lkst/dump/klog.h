/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel's log in a dump. */
#ifndef LKST_KLOG_H
#define LKST_KLOG_H

#include <stdio.h>

#include "memsrc.h"

/*
 * Write the log as dmesg(1) shows it. Return: how many messages there were; 0 also if
 * vmcoreinfo does not tell where they are.
 */
u64 klog_write(struct memsrc *mem, FILE *f);

#endif /* LKST_KLOG_H */
