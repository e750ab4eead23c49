/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _RING_LINUX_SCHED_H
#define _RING_LINUX_SCHED_H

struct task_struct {
	int pid;
};

extern struct task_struct ring_task;

#define current	(&ring_task)

#endif /* _RING_LINUX_SCHED_H */
