/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group sched; see linux/lkst_events.h. */

LKST_EVENT(sched, switch, LKST_DFL,
	   "A CPU switches to another thread",
	   LKST_PROTO(bool preempt, const struct task_struct *prev,
		      const struct task_struct *next, unsigned int state),
	   LKST_ARGS(preempt, prev, next, state),
	   LKST_FIELDS(
		LKST_INT(s32, prev_tid, "", "thread that leaves", prev->pid)
		LKST_INT(s32, next_tid, "", "thread that comes", next->pid)
		LKST_INT(u32, prev_state, "hex",
			 "why it leaves: 0 is runnable, 0x10000 preempted, else TASK_* bits",
			 preempt ? TASK_STATE_MAX : state)
		LKST_INT(u16, prev_prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", prev->prio)
		LKST_INT(u16, next_prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", next->prio)))

LKST_EVENT(sched, wakeup, LKST_DFL,
	   "A thread became runnable",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(u16, prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", p->prio)
		LKST_INT(u16, target, "", "CPU on which it waits to run", task_cpu(p))))

LKST_EVENT(sched, wakeup_new, LKST_DFL,
	   "A new thread became runnable for the first time",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(u16, prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", p->prio)
		LKST_INT(u16, target, "", "CPU on which it waits to run", task_cpu(p))))

LKST_EVENT(sched, migrate, LKST_DFL,
	   "A thread moves to another CPU",
	   LKST_PROTO(const struct task_struct *p, int dest), LKST_ARGS(p, dest),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(u16, from, "", "CPU that it leaves", task_cpu(p))
		LKST_INT(u16, to, "", "CPU that it goes to", dest)))
