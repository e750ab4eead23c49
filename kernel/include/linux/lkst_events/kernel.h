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
