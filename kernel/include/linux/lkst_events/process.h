/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group process; see linux/lkst_events.h. */

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
