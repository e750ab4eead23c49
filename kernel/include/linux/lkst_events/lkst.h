/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the group lkst, the tracer's own; see linux/lkst_events.h. Number 0 is
 * never recorded: copies of packets have it.
 */

LKST_EVENT(lkst, unfinished, 0,
	   "A record that was being written when the packet was copied",
	   LKST_PROTO(u32 event), LKST_ARGS(event),
	   LKST_FIELDS(
		LKST_INT(u32, id, "", "number of the event", event)
		LKST_TEXT(fill, "what had been written", "")))

LKST_EVENT(lkst, start, LKST_OWN,
	   "Recording began",
	   LKST_PROTO(u64 wall_ns, u64 mono_ns, u64 hz),
	   LKST_ARGS(wall_ns, mono_ns, hz),
	   LKST_FIELDS(
		LKST_INT(u64, wall, "ns", "wall time, since 1970; 0 in early boot", wall_ns)
		LKST_INT(u64, mono, "ns", "CLOCK_MONOTONIC; 0 in early boot", mono_ns)
		LKST_INT(u64, hz, "Hz",
			 "ticks of the trace clock a second; 0 in early boot", hz)))

LKST_EVENT(lkst, stop, LKST_OWN,
	   "Recording is about to stop",
	   LKST_PROTO(u64 wall_ns), LKST_ARGS(wall_ns),
	   LKST_FIELDS(
		LKST_INT(u64, wall, "ns", "wall time, since 1970", wall_ns)))

LKST_EVENT(lkst, maskset, LKST_OWN,
	   "Another maskset became the current one",
	   LKST_PROTO(const char *name), LKST_ARGS(name),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that switched", current->pid)
		LKST_TEXT(name, "the maskset's name", name)))

LKST_EVENT(lkst, buffer, LKST_OWN,
	   "Another buffer became the current one",
	   LKST_PROTO(const char *name), LKST_ARGS(name),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that switched", current->pid)
		LKST_TEXT(name, "the buffer's name", name)))

LKST_EVENT(lkst, clock, LKST_OWN,
	   "All clocks at one moment: at start, resume, and a step of wall time",
	   LKST_PROTO(u64 wall_ns, u64 mono_ns, u64 boot_ns),
	   LKST_ARGS(wall_ns, mono_ns, boot_ns),
	   LKST_FIELDS(
		LKST_INT(u64, wall, "ns", "wall time, since 1970", wall_ns)
		LKST_INT(u64, mono, "ns", "CLOCK_MONOTONIC", mono_ns)
		LKST_INT(u64, boot, "ns", "CLOCK_BOOTTIME", boot_ns)))

LKST_EVENT(lkst, mark, LKST_OWN,
	   "A module marks a place with two numbers of its own",
	   LKST_PROTO(u64 a, u64 b), LKST_ARGS(a, b),
	   LKST_FIELDS(
		LKST_INT(u64, a, "hex", "the first", a)
		LKST_INT(u64, b, "hex", "the second", b)))

LKST_EVENT(lkst, trigger, LKST_OWN,
	   "A trigger fired",
	   LKST_PROTO(u64 nr, u32 event, const char *name), LKST_ARGS(nr, event, name),
	   LKST_FIELDS(
		LKST_INT(u64, nr, "", "how often it has fired", nr)
		LKST_INT(u32, id, "", "number of the event", event)
		LKST_TEXT(name, "the trigger's name", name)))

LKST_EVENT(lkst, regs, 0,
	   "Registers, by a handler of type detail: those of what an interrupt interrupted, else those with which the thread came from user mode",
	   LKST_PROTO(u32 event, const struct pt_regs *regs), LKST_ARGS(event, regs),
	   LKST_FIELDS(
		LKST_INT(u32, id, "", "number of the event that was recorded before", event)
		LKST_INT(u32, user, "", "1 if they are of user mode",
			 user_mode((struct pt_regs *)regs))
		LKST_INT(u64, user_ip, "hex",
			 "where the thread left user mode, 0 for a thread of the kernel",
			 lkst_user_ip())
		LKST_INT(u64, ip, "hex", "instruction",
			 instruction_pointer((struct pt_regs *)regs))
		LKST_INT(u64, sp, "hex", "stack", REG(regs, sp))
		LKST_INT(u64, flags, "hex", "flags", REG(regs, flags))
		LKST_INT(u64, ax, "hex", "ax", REG(regs, ax))
		LKST_INT(u64, bx, "hex", "bx", REG(regs, bx))
		LKST_INT(u64, cx, "hex", "cx", REG(regs, cx))
		LKST_INT(u64, dx, "hex", "dx", REG(regs, dx))
		LKST_INT(u64, si, "hex", "si", REG(regs, si))
		LKST_INT(u64, di, "hex", "di", REG(regs, di))
		LKST_INT(u64, bp, "hex", "bp", REG(regs, bp))
		LKST_INT(u64, r8, "hex", "r8", REG(regs, r8))
		LKST_INT(u64, r9, "hex", "r9", REG(regs, r9))
		LKST_INT(u64, r10, "hex", "r10", REG(regs, r10))
		LKST_INT(u64, r11, "hex", "r11", REG(regs, r11))
		LKST_INT(u64, r12, "hex", "r12", REG(regs, r12))
		LKST_INT(u64, r13, "hex", "r13", REG(regs, r13))
		LKST_INT(u64, r14, "hex", "r14", REG(regs, r14))
		LKST_INT(u64, r15, "hex", "r15", REG(regs, r15))))

LKST_EVENT(lkst, stack, 0,
	   "The kernel's stack, by a handler of type detail",
	   LKST_PROTO(u32 event, const u64 *frames), LKST_ARGS(event, frames),
	   LKST_FIELDS(
		LKST_INT(u32, id, "", "number of the event that was recorded before", event)
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_WORDS(frame, 16, "return addresses, from the hook's site on, 0 after the last",
			   memcpy(words, frames, 16 * sizeof(u64)))))

LKST_EVENT(lkst, task, 0,
	   "The running thread, by a handler of type detail",
	   LKST_PROTO(u32 event, const struct task_struct *task), LKST_ARGS(event, task),
	   LKST_FIELDS(
		LKST_INT(u32, id, "", "number of the event that was recorded before", event)
		LKST_INT(s32, tid, "", "the thread", task->pid)
		LKST_INT(s32, tgid, "", "its process", task->tgid)
		LKST_INT(u32, uid, "", "its user", from_kuid(&init_user_ns, current_uid()))
		LKST_NAME(comm, "its name", task->comm)))

LKST_EVENT(lkst, threads_unknown, 0,
	   "Nothing told which threads ran: from here on that is known again after the next switch on each CPU",
	   LKST_PROTO(u32 why), LKST_ARGS(why),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "the thread that runs on this CPU", current->pid)
		LKST_INT(u32, why, "",
			 "1 sched/switch is not recorded any more, 2 recording began, 3 the buffer is the current one again",
			 why)))
