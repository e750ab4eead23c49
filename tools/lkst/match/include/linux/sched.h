/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MATCH_LINUX_SCHED_H
#define _MATCH_LINUX_SCHED_H

#include <linux/types.h>

/* The CPU and the user, which the kernel has elsewhere, are the task's too. */
struct task_struct {
	int pid;
	int tgid;
	char comm[16];
	u32 uid;
	int cpu;
};

extern struct task_struct match_task;

#define current	(&match_task)

#endif /* _MATCH_LINUX_SCHED_H */
