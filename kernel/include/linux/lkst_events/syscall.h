/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group syscall; see linux/lkst_events.h. */

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
