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

LKST_EVENT(process, reap, LKST_DFL,
	   "What was left of a thread that ended is taken away",
	   LKST_PROTO(const struct task_struct *p), LKST_ARGS(p),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", p->pid)
		LKST_INT(s32, tgid, "", "its process", p->tgid)
		LKST_INT(s32, by_tid, "", "thread that does it", current->pid)
		LKST_INT(u32, code, "hex", "exit code << 8 | signal, as wait(2) has it",
			 p->exit_code)))

LKST_EVENT(process, kthread, LKST_DFL,
	   "A kernel thread was made",
	   LKST_PROTO(const struct task_struct *p, const void *function),
	   LKST_ARGS(p, function),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "the new thread", p->pid)
		LKST_INT(s32, by_tid, "", "thread that asked for it", current->pid)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)))

LKST_EVENT(process, credentials, LKST_DFL,
	   "A thread gets other credentials",
	   LKST_PROTO(const struct cred *old, const struct cred *cred),
	   LKST_ARGS(old, cred),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread", current->pid)
		LKST_INT(u32, old_euid, "", "effective user so far", __kuid_val(old->euid))
		LKST_INT(u32, uid, "", "user", __kuid_val(cred->uid))
		LKST_INT(u32, euid, "", "effective user", __kuid_val(cred->euid))
		LKST_INT(u32, gid, "", "group", __kgid_val(cred->gid))
		LKST_INT(u32, egid, "", "effective group", __kgid_val(cred->egid))
		LKST_INT(u64, caps, "hex", "effective capabilities, a bit each",
			 lkst_caps(cred))))

LKST_EVENT(process, cgroup, LKST_DFL,
	   "A thread or process is moved to a control group",
	   LKST_PROTO(const struct task_struct *p, const struct cgroup *cgrp, bool all),
	   LKST_ARGS(p, cgrp, all),
	   LKST_FIELDS(
		LKST_INT(u64, cgroup, "", "the group's number, which is its inode's",
			 lkst_cgroup_id(cgrp))
		LKST_INT(s32, tid, "", "thread, or the process's first", p->pid)
		LKST_INT(u32, all, "", "1 if its whole process is", all)
		LKST_INT(s32, by_tid, "", "thread that does it", current->pid)
		LKST_TEXT(name, "last part of the group's path", lkst_cgroup_name(cgrp))))
