/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group signal; see linux/lkst_events.h. */

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

LKST_EVENT(signal, coredump_entry, LKST_DFL,
	   "A core dump begins",
	   LKST_PROTO(int sig, bool is_pipe, const char *name),
	   LKST_ARGS(sig, is_pipe, name),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that got the signal", current->pid)
		LKST_INT(u32, sig, "", "signal number", sig)
		LKST_INT(u32, is_pipe, "", "1 if a program gets it", is_pipe)
		LKST_TEXT(name, "file or program", name)))

LKST_EVENT(signal, coredump_exit, LKST_DFL,
	   "A core dump ends",
	   LKST_PROTO(int sig, bool dumped), LKST_ARGS(sig, dumped),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that got the signal", current->pid)
		LKST_INT(u16, sig, "", "signal number", sig)
		LKST_INT(u16, dumped, "", "1 if it was written", dumped)))
