/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group lock; see linux/lkst_events.h. A kind is one of enum lkst_lock_kind. */

LKST_EVENT(lock, wait_begin, LKST_LCK,
	   "A thread begins to wait for a lock that is held",
	   LKST_PROTO(const void *lock, u32 kind, unsigned long site),
	   LKST_ARGS(lock, kind, site),
	   LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", lkst_sched_caller(site))
		LKST_INT(u32, kind, "",
			 "1 mutex, 2 rwsem to read, 3 to write, 4 rtmutex, 5 semaphore",
			 kind)
		LKST_INT(s32, tid, "", "the thread", current->pid)))

LKST_EVENT(lock, wait_end, LKST_LCK,
	   "A thread no longer waits for a lock",
	   LKST_PROTO(const void *lock, u32 kind, unsigned long site, int ret),
	   LKST_ARGS(lock, kind, site, ret),
	   LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", lkst_sched_caller(site))
		LKST_INT(u16, kind, "", "as of wait_begin", kind)
		LKST_INT(u16, err, "", "0 if it has the lock, or an errno", -ret)
		LKST_INT(s32, tid, "", "the thread", current->pid)))

LKST_EVENT_LOCK(lock, acquire, LKST_LCK,
		"A thread has got a lock",
		LKST_PROTO(const void *lock, u32 kind),
		LKST_ARGS(lock, kind),
		LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", lkst_sched_caller(site))
		LKST_INT(u32, kind, "", "as of wait_begin", kind)
		LKST_INT(s32, tid, "", "the thread", current->pid)))

LKST_EVENT_LOCK(lock, release, LKST_LCK,
		"A thread is about to release a lock",
		LKST_PROTO(const void *lock, u32 kind),
		LKST_ARGS(lock, kind),
		LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, kind, "", "as of wait_begin", kind)
		LKST_INT(s32, tid, "", "the thread", current->pid)))

LKST_EVENT(lock, spin_begin, LKST_LCK,
	   "A CPU begins to spin for a lock that is held",
	   LKST_PROTO(const void *lock, u32 kind, unsigned long site),
	   LKST_ARGS(lock, kind, site),
	   LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, kind, "", "6 spinlock, 7 rwlock to read, 8 to write", kind)
		LKST_INT(s32, tid, "", "thread running", current->pid)))

LKST_EVENT(lock, spin_end, LKST_LCK,
	   "A CPU has got the lock for which it spun",
	   LKST_PROTO(const void *lock, u32 kind, unsigned long site),
	   LKST_ARGS(lock, kind, site),
	   LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, kind, "", "as of spin_begin", kind)
		LKST_INT(s32, tid, "", "thread running", current->pid)))

#ifdef CONFIG_LKST_SPINLOCKS
LKST_EVENT_LOCK(lock, spin_acquire, LKST_LCK,
		"A CPU has got a spinlock or rwlock (CONFIG_LKST_SPINLOCKS)",
		LKST_PROTO(const void *lock, u32 kind),
		LKST_ARGS(lock, kind),
		LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, kind, "", "as of spin_begin", kind)
		LKST_INT(s32, tid, "", "thread running", current->pid)))

LKST_EVENT_LOCK(lock, spin_release, LKST_LCK,
		"A CPU is about to release a spinlock or rwlock (CONFIG_LKST_SPINLOCKS)",
		LKST_PROTO(const void *lock, u32 kind),
		LKST_ARGS(lock, kind),
		LKST_FIELDS(
		LKST_INT(u64, lock, "hex", "address of the lock", (unsigned long)lock)
		LKST_INT(u64, site, "hex", "the caller", site)
		LKST_INT(u32, kind, "", "as of spin_begin", kind)
		LKST_INT(s32, tid, "", "thread running", current->pid)))
#endif
