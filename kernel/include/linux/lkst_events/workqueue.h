/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group workqueue; see linux/lkst_events.h. */

LKST_EVENT(workqueue, queue, LKST_ANA,
	   "Work is queued for a worker",
	   LKST_PROTO(const struct work_struct *work, int cpu, int active),
	   LKST_ARGS(work, cpu, active),
	   LKST_FIELDS(
		LKST_INT(u64, work, "hex", "address of the work", (unsigned long)work)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)work->func)
		LKST_INT(u32, target, "", "CPU whose queue it is", cpu)
		LKST_INT(u32, active, "works",
			 "of its workqueue begun or waiting for a worker there",
			 active)))

LKST_EVENT(workqueue, begin, LKST_DFL,
	   "A worker begins with a work",
	   LKST_PROTO(const struct work_struct *work, const void *function),
	   LKST_ARGS(work, function),
	   LKST_FIELDS(
		LKST_INT(u64, work, "hex", "address of the work", (unsigned long)work)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)))

LKST_EVENT(workqueue, end, LKST_DFL,
	   "A worker is done with a work",
	   LKST_PROTO(const struct work_struct *work), LKST_ARGS(work),
	   LKST_FIELDS(
		LKST_INT(u64, work, "hex", "address of the work, which may be gone",
			 (unsigned long)work)))
