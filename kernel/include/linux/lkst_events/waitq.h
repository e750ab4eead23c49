/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group waitq; see linux/lkst_events.h. */

LKST_EVENT_SITE(waitq, begin, LKST_ANA,
		"A thread is about to wait in a queue, or was woken and looks whether to wait on",
		LKST_PROTO(const void *queue, unsigned int state,
			   unsigned int flags),
		LKST_ARGS(queue, state, flags),
		LKST_FIELDS(
		LKST_INT(u64, queue, "hex",
			 "address of the queue, 0 where it is not known",
			 (unsigned long)queue)
		LKST_INT(u64, site, "hex", "who waits: the caller's address", site)
		LKST_INT(u32, state, "hex", "TASK_* bits: 1 interruptible, 2 not", state)
		LKST_INT(u32, exclusive, "", "1 if those like it are woken one at a time",
			 !!(flags & WQ_FLAG_EXCLUSIVE))))

LKST_EVENT(waitq, end, LKST_ANA,
	   "A thread has waited",
	   LKST_PROTO(const void *queue, long result), LKST_ARGS(queue, result),
	   LKST_FIELDS(
		LKST_INT(u64, queue, "hex",
			 "address of the queue, 0 where it is not known",
			 (unsigned long)queue)
		LKST_INT(s64, result, "",
			 "0, or -512: for a signal, unless a 0 of the same follows", result)))

LKST_EVENT(waitq, wake, LKST_ANA,
	   "Threads that wait in a queue are woken",
	   LKST_PROTO(const void *queue, unsigned int mode, int nr),
	   LKST_ARGS(queue, mode, nr),
	   LKST_FIELDS(
		LKST_INT(u64, queue, "hex", "address of the queue", (unsigned long)queue)
		LKST_INT(u32, mode, "hex", "TASK_* bits: those in such a state", mode)
		LKST_INT(s32, nr, "", "how many of those that want to be alone; 0 is all", nr)))
