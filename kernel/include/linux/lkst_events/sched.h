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

LKST_EVENT(sched, waking, LKST_ANA,
	   "A thread is about to be woken",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(u16, prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", p->prio)
		LKST_INT(u16, last, "", "CPU on which it ran last", task_cpu(p))))

LKST_EVENT(sched, queue, LKST_ANA,
	   "A run queue has become longer or shorter; real-time threads can leave it for a moment",
	   LKST_PROTO(unsigned int cpu, unsigned int nr), LKST_ARGS(cpu, nr),
	   LKST_FIELDS(
		LKST_INT(u32, target, "", "CPU whose queue it is", cpu)
		LKST_INT(u32, running, "threads",
			 "threads that run or wait to, the idle one not counted", nr)))

LKST_EVENT(sched, schedule_entry, LKST_ANA,
	   "The scheduler begins to choose what runs next",
	   LKST_PROTO(int mode, unsigned int nr), LKST_ARGS(mode, nr),
	   LKST_FIELDS(
		LKST_INT(s32, mode, "",
			 "-1 idle, 0 asked for, 1 preempted, 2 waits for a lock of PREEMPT_RT",
			 mode)
		LKST_INT(u32, running, "threads", "length of the CPU's run queue", nr)))

LKST_EVENT(sched, schedule_exit, LKST_ANA,
	   "The scheduler is done, on the CPU where it began: the chosen thread goes on",
	   LKST_PROTO(const struct task_struct *p, unsigned int nr), LKST_ARGS(p, nr),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that goes on", p->pid)
		LKST_INT(u32, running, "threads", "length of the CPU's run queue", nr)))

LKST_EVENT(sched, yield, LKST_ANA,
	   "A thread lets others run",
	   LKST_PROTO(const struct task_struct *p, const struct task_struct *to),
	   LKST_ARGS(p, to),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(s32, to_tid, "", "thread that is to run, 0 for any",
			 to ? to->pid : 0)))

LKST_EVENT(sched, pi, LKST_DFL,
	   "A thread inherits the priority of one that waits for it, or loses it again",
	   LKST_PROTO(const struct task_struct *p, const struct task_struct *donor,
		      int prio),
	   LKST_ARGS(p, donor, prio),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that holds the lock", p->pid)
		LKST_INT(s32, donor_tid, "",
			 "thread whose priority it inherits, 0 when it has its own again",
			 donor ? donor->pid : 0)
		LKST_INT(s32, old_prio, "",
			 "kernel priority so far: 0 to 140, -1 is deadline", p->prio)
		LKST_INT(s32, prio, "",
			 "kernel priority from now on: 0 to 140, -1 is deadline", prio)))

LKST_EVENT(sched, policy, LKST_DFL,
	   "A thread's policy, priority or nice value is set",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(u16, policy, "",
			 "0 other, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline, 7 ext",
			 p->policy)
		LKST_INT(u16, prio, "",
			 "kernel priority: 0 to 140, 65535 is deadline", p->prio)
		LKST_INT(u32, rt_priority, "", "priority of FIFO and RR: 1 to 99, else 0",
			 p->rt_priority)
		LKST_INT(s32, nice, "", "nice value", p->static_prio - DEFAULT_PRIO)))

LKST_EVENT(sched, idle_enter, LKST_ANA,
	   "A CPU has nothing to run",
	   LKST_PROTO(unsigned int cpu), LKST_ARGS(cpu),
	   LKST_FIELDS(
		LKST_INT(u32, idle, "", "the CPU", cpu)
		LKST_INT(u32, pending, "hex", "soft interrupts that are pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(sched, idle_exit, LKST_ANA,
	   "A CPU that had nothing to run has it again",
	   LKST_PROTO(unsigned int cpu), LKST_ARGS(cpu),
	   LKST_FIELDS(
		LKST_INT(u32, idle, "", "the CPU", cpu)
		LKST_INT(u32, pending, "hex", "soft interrupts that are pending, a bit each",
			 local_softirq_pending())))
