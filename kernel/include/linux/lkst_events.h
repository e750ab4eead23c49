/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of events: the one place where an event is defined.
 *
 * The includer defines LKST_EVENT(), and the field macros where it uses them;
 * this file undefines them at its end, so it has no include guard.
 *
 *   LKST_EVENT(group, name, sets, description, proto, args, fields)
 *   LKST_EVENT_NR(...)
 *
 * makes the event group/name. The second is the same, but for a hook that returns
 * its argument nr: a caller that goes on with what comes back need not keep it
 * in a register of its own while the hook is off.
 * Its hook is lkst_<group>_<name>() with the
 * parameters LKST_PROTO(), handed on as LKST_ARGS(). @sets says which built-in
 * masksets hold it. Fields follow in the order in which they lie in the record:
 *
 *   LKST_INT(type, field, unit, description, value)
 *	an integer; unit is "" for a plain number, "hex" for one that reads
 *	better so, else what it counts
 *   LKST_NAME(field, description, value)
 *	a task's name, LKST_COMM_SIZE bytes
 *   LKST_TEXT(field, description, value)
 *	a text of up to LKST_TEXT_MAX bytes, in the last place; the fields
 *	before it end 4 bytes short of a multiple of 8
 *   LKST_WORDS(field, count, description, fill)
 *	count 64-bit numbers; fill is a statement that writes to `words`
 *
 * An event without LKST_TEXT() fills a multiple of 8 bytes. Values are computed
 * out of line, in kernel/lkst/hook.c, and only when the event is recorded.
 *
 * An event that is in no set has no hook: it is made by copies of packets, or by a
 * handler.
 */

#ifndef LKST_EVENT_NR
#define LKST_EVENT_NR	LKST_EVENT
#endif

/* In built-in masksets: all events but those with LKST_OWN are in `all`. */
#define LKST_DFL	1	/* default and analysis */
#define LKST_ANA	2	/* analysis */
#define LKST_ALL	4	/* all only */
#define LKST_OWN	8	/* in every built-in but `none` */

/* lkst: the tracer's own; number 0 is never recorded, copies of packets have it */
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

/* sched */
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

/* process */
LKST_EVENT(process, fork, LKST_DFL,
	   "A process or thread was made",
	   LKST_PROTO(struct task_struct *parent, struct task_struct *child),
	   LKST_ARGS(parent, child),
	   LKST_FIELDS(
		LKST_INT(s32, parent_tid, "", "thread that forked", parent->pid)
		LKST_INT(s32, child_tid, "", "the new thread", child->pid)
		LKST_INT(s32, child_tgid, "", "its process", child->tgid)
		LKST_INT(s32, child_ns_tid, "",
			 "the new thread's number in its own pid namespace",
			 lkst_ns_tid(child))
		LKST_NAME(comm, "its name", child->comm)))

LKST_EVENT(process, exec, LKST_DFL,
	   "A process runs another program",
	   LKST_PROTO(struct task_struct *p, int old_tid, const char *filename),
	   LKST_ARGS(p, old_tid, filename),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(s32, old_tid, "", "its number before the exec", old_tid)
		LKST_INT(s32, ns_tid, "",
			 "its number in its own pid namespace", lkst_ns_tid(p))
		LKST_TEXT(filename, "the program", filename)))

LKST_EVENT(process, exit, LKST_DFL,
	   "A thread ends",
	   LKST_PROTO(const struct task_struct *p, long code), LKST_ARGS(p, code),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(s32, tgid, "", "its process", p->tgid)
		LKST_INT(s64, code, "hex", "exit code << 8 | signal, as wait(2) has it",
			 code)))

LKST_EVENT(process, rename, LKST_DFL,
	   "A thread gets another name",
	   LKST_PROTO(const struct task_struct *p, const char *name),
	   LKST_ARGS(p, name),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(s32, tgid, "", "its process", p->tgid)
		LKST_NAME(comm, "its new name", name)))

/* signal */
LKST_EVENT(signal, generate, LKST_DFL,
	   "A signal is sent",
	   LKST_PROTO(int sig, const struct kernel_siginfo *info,
		      const struct task_struct *p, int group, int result),
	   LKST_ARGS(sig, info, p, group, result),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread it is sent to", p->pid)
		LKST_INT(s32, code, "", "si_code", lkst_siginfo_code(info))
		LKST_INT(u32, sig, "", "signal number", sig)
		LKST_INT(u16, group, "", "1 for the whole process", group)
		LKST_INT(u16, result, "",
			 "0 delivered, 1 ignored, 2 already pending, 3 overflow, 4 information lost",
			 result)))

LKST_EVENT(signal, deliver, LKST_DFL,
	   "A signal is handed to the thread that it was sent to",
	   LKST_PROTO(int sig, const struct kernel_siginfo *info,
		      const struct k_sigaction *ka),
	   LKST_ARGS(sig, info, ka),
	   LKST_FIELDS(
		LKST_INT(u32, sig, "", "signal number", sig)
		LKST_INT(s32, code, "", "si_code", lkst_siginfo_code(info))
		LKST_INT(u64, handler, "hex", "user address, 0 default, 1 ignore",
			 (unsigned long)ka->sa.sa_handler)))

/* irq */
LKST_EVENT(irq, entry, LKST_DFL,
	   "A handler of a hard interrupt begins",
	   LKST_PROTO(unsigned int irq, const void *handler),
	   LKST_ARGS(irq, handler),
	   LKST_FIELDS(
		LKST_INT(u64, irq, "", "interrupt number", irq)
		LKST_INT(u64, handler, "hex", "address of the handler",
			 (unsigned long)handler)))

LKST_EVENT(irq, exit, LKST_DFL,
	   "A handler of a hard interrupt ends",
	   LKST_PROTO(unsigned int irq, int ret), LKST_ARGS(irq, ret),
	   LKST_FIELDS(
		LKST_INT(u32, irq, "", "interrupt number", irq)
		LKST_INT(s32, ret, "", "0 not its own, 1 handled, 2 wakes its thread",
			 ret)))

LKST_EVENT(irq, softirq_raise, LKST_DFL,
	   "A soft interrupt is asked for",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those already pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, softirq_entry, LKST_DFL,
	   "A soft interrupt's handler begins",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those raised meanwhile, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, softirq_exit, LKST_DFL,
	   "A soft interrupt's handler ends",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those raised meanwhile, a bit each",
			 local_softirq_pending())))

/* syscall */
LKST_EVENT_NR(syscall, enter, LKST_DFL, "A system call begins",
	      LKST_PROTO(const struct pt_regs *regs, long nr), LKST_ARGS(regs, nr),
	      LKST_FIELDS(
		LKST_INT(s32, nr, "", "its number", nr)
		LKST_INT(u32, compat, "", "1 for a 32-bit call", lkst_syscall_compat())
		LKST_INT(u64, arg0, "hex", "its first argument",
			 lkst_first_arg(regs))))

LKST_EVENT_NR(syscall, args, LKST_ALL,
	      "All arguments of a system call that begins",
	      LKST_PROTO(const struct pt_regs *regs, long nr), LKST_ARGS(regs, nr),
	      LKST_FIELDS(
		LKST_INT(s32, nr, "", "its number", nr)
		LKST_INT(u32, compat, "", "1 for a 32-bit call", lkst_syscall_compat())
		LKST_WORDS(arg, 6, "its arguments",
			   lkst_all_args(regs, words))))

LKST_EVENT(syscall, exit, LKST_DFL,
	   "A system call ends",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(s32, nr, "", "its number", lkst_syscall_nr(regs))
		LKST_INT(u32, compat, "", "1 for a 32-bit call", lkst_syscall_compat())
		LKST_INT(s64, ret, "", "its result, or -errno",
			 regs_return_value((struct pt_regs *)regs))))

/* exception */
LKST_EVENT(exception, page_fault_entry, LKST_DFL,
	   "A page fault begins to be handled",
	   LKST_PROTO(const struct pt_regs *regs, unsigned long error_code,
		      unsigned long address),
	   LKST_ARGS(regs, error_code, address),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "what was accessed", address)
		LKST_INT(u64, ip, "hex", "the instruction that did",
			 instruction_pointer((struct pt_regs *)regs))
		LKST_INT(u64, error, "hex",
			 "1 present, 2 write, 4 user, 16 instruction fetch", error_code)))

LKST_EVENT(exception, page_fault_exit, LKST_DFL,
	   "A page fault was handled",
	   LKST_PROTO(unsigned long address), LKST_ARGS(address),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "what was accessed", address)))

/* timer */
LKST_EVENT(timer, start, LKST_ANA,
	   "A timer is set",
	   LKST_PROTO(const struct timer_list *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)timer->function)
		LKST_INT(u64, expires, "jiffies", "when it is to expire",
			 timer->expires)))

LKST_EVENT(timer, expire_entry, LKST_DFL,
	   "An expired timer's function is called",
	   LKST_PROTO(const struct timer_list *timer, const void *function),
	   LKST_ARGS(timer, function),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)
		LKST_INT(u64, now, "jiffies", "the time now", jiffies)))

LKST_EVENT(timer, expire_exit, LKST_DFL,
	   "An expired timer's function returned",
	   LKST_PROTO(const struct timer_list *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)))

/* mm */
LKST_EVENT(mm, page_alloc, LKST_ANA,
	   "Pages are allocated",
	   LKST_PROTO(const struct page *page, unsigned int order, gfp_t gfp),
	   LKST_ARGS(page, order, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page, all ones if none",
			 page ? page_to_pfn(page) : ~0ull)
		LKST_INT(u32, order, "", "log2 of the pages", order)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, page_free, LKST_ANA,
	   "Pages are freed",
	   LKST_PROTO(const struct page *page, unsigned int order),
	   LKST_ARGS(page, order),
	   LKST_FIELDS(
		LKST_INT(u64, pfn, "", "number of the first page", page_to_pfn(page))
		LKST_INT(u64, order, "", "log2 of the pages", order)))

LKST_EVENT(mm, kmalloc, LKST_ANA,
	   "Memory is allocated by size",
	   LKST_PROTO(unsigned long site, const void *ptr, size_t asked,
		      size_t given, gfp_t gfp),
	   LKST_ARGS(site, ptr, asked, given, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)
		LKST_INT(u64, asked, "bytes", "size asked for", asked)
		LKST_INT(u64, given, "bytes", "size given", given)
		LKST_INT(u64, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, kfree, LKST_ANA,
	   "Memory that was allocated by size is freed",
	   LKST_PROTO(unsigned long site, const void *ptr), LKST_ARGS(site, ptr),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the memory", (unsigned long)ptr)))

LKST_EVENT(mm, cache_alloc, LKST_ANA,
	   "An object is allocated from a slab cache",
	   LKST_PROTO(unsigned long site, const void *ptr, size_t size, gfp_t gfp),
	   LKST_ARGS(site, ptr, size, gfp),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)
		LKST_INT(u32, size, "bytes", "its size", size)
		LKST_INT(u32, gfp, "hex", "how: GFP bits", (__force u32)gfp)))

LKST_EVENT(mm, cache_free, LKST_ANA,
	   "An object of a slab cache is freed",
	   LKST_PROTO(unsigned long site, const void *ptr), LKST_ARGS(site, ptr),
	   LKST_FIELDS(
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u64, ptr, "hex", "the object", (unsigned long)ptr)))

/* net */
LKST_EVENT(net, transmit, LKST_DFL,
	   "A packet was handed to a device's driver",
	   LKST_PROTO(const struct sk_buff *skb, const struct net_device *dev,
		      const struct netdev_queue *txq, unsigned int len, int rc),
	   LKST_ARGS(skb, dev, txq, len, rc),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u32, len, "bytes", "its length", len)
		LKST_INT(u32, ifindex, "", "number of the device", dev->ifindex)
		LKST_INT(u32, queue, "", "number of the device's queue", txq - dev->_tx)
		LKST_INT(s32, rc, "", "0 if the driver took it", rc)))

LKST_EVENT(net, receive, LKST_DFL,
	   "A packet comes from a device",
	   LKST_PROTO(const struct sk_buff *skb), LKST_ARGS(skb),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u32, len, "bytes", "its length", skb->len)
		LKST_INT(u32, ifindex, "", "number of the device", skb->dev->ifindex)
		LKST_INT(u32, protocol, "hex", "EtherType", ntohs(skb->protocol))
		LKST_INT(u32, hash, "hex", "of the flow, 0 if nobody made one", skb->hash)))

/* kernel */
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

#undef LKST_EVENT
#undef LKST_EVENT_NR
#undef LKST_FIELDS
#undef LKST_INT
#undef LKST_NAME
#undef LKST_TEXT
#undef LKST_WORDS
