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
