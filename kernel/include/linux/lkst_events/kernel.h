/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group kernel; see linux/lkst_events.h. */

LKST_EVENT(kernel, panic, LKST_DFL,
	   "The kernel panics",
	   LKST_PROTO(const char *text), LKST_ARGS(text),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_TEXT(text, "why", text)))

LKST_EVENT(kernel, oops, LKST_DFL,
	   "The kernel met an error in its own code",
	   LKST_PROTO(const struct pt_regs *regs, long error, const char *text),
	   LKST_ARGS(regs, error, text),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction", regs ?
			 instruction_pointer((struct pt_regs *)regs) : 0)
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_INT(u32, error, "hex", "error code", error)
		LKST_INT(u32, cpu, "", "CPU", raw_smp_processor_id())
		LKST_TEXT(text, "what", text)))

LKST_EVENT(kernel, crash_kexec, LKST_DFL,
	   "The crash kernel is about to be started",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction, 0 if not known", regs ?
			 instruction_pointer((struct pt_regs *)regs) : 0)))

LKST_EVENT(kernel, warn, LKST_DFL,
	   "The kernel warns of an error in its own code",
	   LKST_PROTO(const char *file, int line, const void *caller, unsigned int taint),
	   LKST_ARGS(file, line, caller, taint),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the place", (unsigned long)caller)
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_INT(u32, line, "", "line of the source", line)
		LKST_INT(u32, taint, "", "number of the taint", taint)
		LKST_TEXT(file, "file of the source, empty if not known", file)))

LKST_EVENT(kernel, printk, LKST_DFL,
	   "A message goes to the kernel log",
	   LKST_PROTO(int facility, int level, const char *text, unsigned int len),
	   LKST_ARGS(facility, level, text, len),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_INT(u16, facility, "", "syslog facility, 0 is the kernel", facility)
		LKST_INT(u16, level, "", "0 emergency to 7 debug", level)
		LKST_INT(u32, len, "bytes", "length of all of it", len)
		LKST_TEXT_N(text, "the message, without its time and newline", text, len)))

LKST_EVENT(kernel, module_load, LKST_DFL,
	   "A module is loaded, and about to be initialised",
	   LKST_PROTO(const char *name, const void *base, unsigned int size),
	   LKST_ARGS(name, base, size),
	   LKST_FIELDS(
		LKST_INT(u64, base, "hex", "address of its code", (unsigned long)base)
		LKST_INT(u32, size, "bytes", "of code", size)
		LKST_TEXT(name, "its name", name)))

LKST_EVENT(kernel, module_unload, LKST_DFL,
	   "A module is removed, or could not be initialised",
	   LKST_PROTO(const char *name, const void *base, unsigned int size),
	   LKST_ARGS(name, base, size),
	   LKST_FIELDS(
		LKST_INT(u64, base, "hex", "address that its code had",
			 (unsigned long)base)
		LKST_INT(u32, size, "bytes", "of code", size)
		LKST_TEXT(name, "its name", name)))

LKST_EVENT(kernel, hung_task, LKST_DFL,
	   "A thread has slept uninterruptibly for too long",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "the thread", p->pid)
		LKST_INT(u32, seconds, "s", "for how long", lkst_hung_seconds(p))
		LKST_NAME(comm, "its name", p->comm)))

LKST_EVENT(kernel, soft_lockup, LKST_DFL,
	   "A CPU has not scheduled for too long",
	   LKST_PROTO(const struct pt_regs *regs, int seconds), LKST_ARGS(regs, seconds),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction, 0 if not known", regs ?
			 instruction_pointer((struct pt_regs *)regs) : 0)
		LKST_INT(s32, tid, "", "thread running", current->pid)
		LKST_INT(u32, seconds, "s", "for how long", seconds)))

LKST_EVENT(kernel, hard_lockup, LKST_DFL,
	   "A CPU has not taken interrupts for too long",
	   LKST_PROTO(unsigned int cpu, const struct pt_regs *regs), LKST_ARGS(cpu, regs),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex",
			 "the instruction, 0 if not known, as when another CPU noticed",
			 regs && cpu == raw_smp_processor_id() ?
			 instruction_pointer((struct pt_regs *)regs) : 0)
		LKST_INT(u32, cpu, "", "the CPU", cpu)
		LKST_INT(u32, by, "", "CPU that noticed", raw_smp_processor_id())))

LKST_EVENT(kernel, rcu_stall, LKST_DFL,
	   "A grace period of RCU has been held up for too long",
	   LKST_PROTO(int kind, unsigned long since), LKST_ARGS(kind, since),
	   LKST_FIELDS(
		LKST_INT(u32, kind, "",
			 "0 others hold it up, 1 this CPU does, 2 an expedited one",
			 kind)
		LKST_INT(u32, seconds, "s", "for how long", (jiffies - since) / HZ)))
