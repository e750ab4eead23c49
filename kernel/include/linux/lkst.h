/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Linux Kernel State Tracer: the hooks.
 *
 * A hook is one line at its site, lkst_<group>_<event>(arguments), compiled to
 * one NOP while no armed maskset maps the event to a handler, and to nothing
 * without CONFIG_LKST. The events are in linux/lkst_events.h.
 *
 * Context of every hook unless its site says more: any, NMI included; RCU must
 * be watching; it never sleeps, locks, allocates or prints. Arguments are
 * scalars and pointers that the site has at hand: they may be evaluated while
 * the hook is off, what is computed from them is not.
 */
#ifndef _LINUX_LKST_H
#define _LINUX_LKST_H

#include <linux/compiler.h>
#include <linux/instruction_pointer.h>
#include <linux/static_key.h>
#include <linux/types.h>

struct Qdisc;
struct address_space;
struct bio;
struct cgroup;
struct cpumask;
struct cred;
struct folio;
struct hrtimer;
struct itimerspec64;
struct k_sigaction;
struct kernel_siginfo;
struct lkst_buffer;
struct lkst_handler;
struct lkst_maskset;
struct mm_struct;
struct msg_msg;
struct msghdr;
struct napi_struct;
struct net_device;
struct netdev_queue;
struct page;
struct pid;
struct pipe_inode_info;
struct pt_regs;
struct request;
struct request_queue;
struct sembuf;
struct sk_buff;
struct sock;
struct socket;
struct task_struct;
struct timer_list;
struct timespec64;
struct work_struct;

/* What a page fault asks for. */
enum lkst_fault {
	LKST_FAULT_ANONYMOUS = 1,
	LKST_FAULT_FILE = 2,
	LKST_FAULT_SHARED = 3,
	LKST_FAULT_SWAPPED = 4,
};

/* Kinds of locks, for the events of the group lock. */
enum lkst_lock_kind {
	LKST_LOCK_MUTEX = 1, LKST_LOCK_RWSEM_READ, LKST_LOCK_RWSEM_WRITE,
	LKST_LOCK_RTMUTEX, LKST_LOCK_SEMAPHORE,
	LKST_LOCK_SPIN, LKST_LOCK_READ, LKST_LOCK_WRITE
};

#define LKST_PROTO(...)		__VA_ARGS__
#define LKST_ARGS(...)		__VA_ARGS__

#ifdef CONFIG_LKST

/* Numbers of the events, in the order of the table. */
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	LKST_EV_##group##_##name,
enum {
#include <linux/lkst_events.h>
	LKST_NR_EVENTS
};

extern struct lkst_maskset *lkst_maskset_now;

/*
 * Does the current maskset, which begins with its table of handlers, map event
 * @id to one? Without preemption off it may have been removed meanwhile: the
 * memory is a maskset's for ever, and the entry is only compared here.
 */
static __always_inline bool lkst_is_mapped(unsigned int id)
{
	return ((void *const *)READ_ONCE(lkst_maskset_now))[id];
}

#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	extern struct static_key_false lkst_key_##group##_##name;		\
	void __lkst_##group##_##name(proto);					\
	static __always_inline void lkst_##group##_##name(proto)		\
	{									\
		if (static_branch_unlikely(&lkst_key_##group##_##name) &&	\
		    lkst_is_mapped(LKST_EV_##group##_##name))			\
			__lkst_##group##_##name(args);				\
	}
#define LKST_EVENT_NR(group, name, sets, description, proto, args, fields)	\
	extern struct static_key_false lkst_key_##group##_##name;		\
	long __lkst_##group##_##name(proto);					\
	static __always_inline long lkst_##group##_##name(proto)		\
	{									\
		if (static_branch_unlikely(&lkst_key_##group##_##name) &&	\
		    lkst_is_mapped(LKST_EV_##group##_##name))			\
			nr = __lkst_##group##_##name(args);			\
		return nr;							\
	}
#define LKST_EVENT_SITE(group, name, sets, description, proto, args, fields)	\
	extern struct static_key_false lkst_key_##group##_##name;		\
	void __lkst_##group##_##name(proto, unsigned long site);		\
	static __always_inline void lkst_##group##_##name(proto)		\
	{									\
		if (static_branch_unlikely(&lkst_key_##group##_##name) &&	\
		    lkst_is_mapped(LKST_EV_##group##_##name))			\
			__lkst_##group##_##name(args, _RET_IP_);		\
	}
#define LKST_EVENT_LOCK(group, name, sets, description, proto, args, fields)	\
	extern struct static_key_false lkst_key_##group##_##name;		\
	void *__lkst_##group##_##name(proto, unsigned long site);		\
	static __always_inline void *lkst_##group##_##name(proto)		\
	{									\
		if (static_branch_unlikely(&lkst_key_##group##_##name) &&	\
		    lkst_is_mapped(LKST_EV_##group##_##name))			\
			return __lkst_##group##_##name(args, _RET_IP_);		\
		return (void *)lock;						\
	}
#include <linux/lkst_events.h>

/**
 * lkst_is_on() - Is the begin or the end of something recorded?
 * @begin: the one event, <group>_<name>
 * @end: the other
 *
 * For a site that goes on with a call, and would keep nothing over it but for the
 * second hook: both hooks are put with a call of their own behind this, which is all
 * that remains while they are off, two NOPs.
 */
#define lkst_is_on(begin, end)						\
	(static_branch_unlikely(&lkst_key_##begin) ||			\
	 static_branch_unlikely(&lkst_key_##end))

void __lkst_spin(void *lock, u32 kind, u32 val, unsigned long site);

/**
 * lkst_spin() - Spin for a lock that is held, if that is recorded
 * @lock: the lock, as the architecture has it
 * @kind: which kind of them
 * @val: what its slow path gets
 *
 * Context: the lock's.
 * Return: true if it has the lock now; false if this is not recorded, and the slow
 * path is still to be called.
 */
static __always_inline bool lkst_spin(void *lock, u32 kind, u32 val)
{
	if (!lkst_is_on(lock_spin_begin, lock_spin_end))
		return false;
	__lkst_spin(lock, kind, val, _RET_IP_);
	return true;
}

struct lkst_scope_mutex {
	const void *lock;
	const void *owner;
};

void __lkst_mutex_taken(const void *lock, const void *owner, unsigned long site);

static __always_inline void lkst_scope_mutex_end(const struct lkst_scope_mutex *scope)
{
	if (static_branch_unlikely(&lkst_key_lock_acquire) &&
	    lkst_is_mapped(LKST_EV_lock_acquire))
		__lkst_mutex_taken(scope->lock, scope->owner, _RET_IP_);
}

/**
 * lkst_scope_mutex() - Record lock/acquire where a block took a mutex
 * @_lock: the mutex
 * @_owner: its word that holds the owner, in the low bits something else
 *
 * A declaration. However the block is left, the mutex was taken in it if it is
 * this thread's by then.
 */
#define lkst_scope_mutex(_lock, _owner)					\
	const struct lkst_scope_mutex __lkst_scope			\
		__cleanup(lkst_scope_mutex_end) =			\
		{ .lock = (_lock), .owner = (_owner) }

extern struct static_key_false lkst_task_key;
void __lkst_task_name(const struct task_struct *p, const char *name);
void __lkst_task_gone(const struct task_struct *p);

/**
 * lkst_task_name() - Keep a thread's name in the table for crash dumps
 * @p: the thread, of which nobody else is the writer: a child that does not run
 *	yet, or one whose task_lock() is held
 * @name: its name, of at most TASK_COMM_LEN bytes, terminated
 *
 * Context: any but NMI.
 */
static __always_inline void lkst_task_name(const struct task_struct *p,
					   const char *name)
{
	if (static_branch_unlikely(&lkst_task_key))
		__lkst_task_name(p, name);
}

/**
 * lkst_task_gone() - Say that a thread was released
 * @p: the thread
 *
 * Its name stays in the table until the room is wanted. Context: any but NMI.
 */
static __always_inline void lkst_task_gone(const struct task_struct *p)
{
	if (static_branch_unlikely(&lkst_task_key))
		__lkst_task_gone(p);
}

/**
 * lkst_init() - Begin to record, as early as there is memory
 *
 * Context: boot CPU, once, interrupts off, after rcu_init().
 */
void lkst_init(void);

/**
 * lkst_crash_stop() - Stop recording for good
 *
 * Context: any, NMI included. One store; a writer under way on another CPU
 * still finishes its record.
 */
void lkst_crash_stop(void);

/**
 * lkst_vmcoreinfo_setup() - Say in vmcoreinfo where the descriptor lies
 *
 * Context: crash_save_vmcoreinfo_init(), before the note is made.
 */
void lkst_vmcoreinfo_setup(void);

/**
 * lkst_clock_was_set() - Say that wall time was stepped
 *
 * Context: process.
 */
void lkst_clock_was_set(void);

/**
 * lkst_clock_suspend() - Say that the clocks are about to stop
 *
 * Context: interrupts off, one CPU runs.
 */
void lkst_clock_suspend(void);

/**
 * lkst_clock_resume() - Say that the clocks run again
 *
 * Context: as lkst_clock_suspend(), after wall time is right again.
 */
void lkst_clock_resume(void);

/**
 * lkst_clock_unstable() - Say that the time-stamp counter is not to be trusted
 *
 * Context: any but NMI. The clock is changed, and the current buffer replaced,
 * by deferred work.
 */
void lkst_clock_unstable(void);

/**
 * lkst_maskset_get() - Take a reference, so that any context can switch
 * @name: the maskset's name
 *
 * Context: process, may sleep.
 * Return: the maskset, which cannot be removed until lkst_maskset_put(); NULL if
 * there is none of that name.
 */
struct lkst_maskset *lkst_maskset_get(const char *name);

/**
 * lkst_maskset_put() - Give a reference back
 * @set: from lkst_maskset_get()
 *
 * Context: process, may sleep; nothing switches to @set by this reference any
 * more.
 */
void lkst_maskset_put(struct lkst_maskset *set);

/**
 * lkst_maskset_switch() - Make a maskset the current one
 * @set: from lkst_maskset_get()
 *
 * One store: the next event on any CPU goes through @set. If its hooks are not
 * all on, deferred work turns them on. While recording is stopped only the
 * choice changes.
 *
 * Context: any, NMI included.
 */
void lkst_maskset_switch(struct lkst_maskset *set);

/**
 * lkst_buffer_get() - Take a reference, so that any context can switch
 * @name: the buffer's name
 *
 * Context: process, may sleep.
 * Return: the buffer, which cannot be removed until lkst_buffer_put(); NULL if
 * there is none of that name.
 */
struct lkst_buffer *lkst_buffer_get(const char *name);

/**
 * lkst_buffer_put() - Give a reference back
 * @buffer: from lkst_buffer_get()
 *
 * Context: process, may sleep; nothing switches to @buffer by this reference any
 * more.
 */
void lkst_buffer_put(struct lkst_buffer *buffer);

/**
 * lkst_buffer_switch() - Make a buffer the current one
 * @buffer: from lkst_buffer_get()
 *
 * One store: the next event on any CPU goes into @buffer; a writer under way
 * still finishes in the one before.
 *
 * Context: any, NMI included.
 */
void lkst_buffer_switch(struct lkst_buffer *buffer);

/**
 * struct lkst_hit - an event for which a module's handler is called
 * @handler: the handler
 * @id: number of the event
 * @words: of @payload
 * @payload: what a record of the event would hold
 */
struct lkst_hit {
	struct lkst_handler *handler;
	u32 id;
	u32 words;
	const u64 *payload;
};

/**
 * struct lkst_value - where a number lies in the records of an event
 * @id: number of the event
 * @offset: byte of the payload
 * @bits: of the number
 * @is_signed: it has a sign
 */
struct lkst_value {
	u32 id;
	u32 offset;
	u32 bits;
	bool is_signed;
};

/**
 * lkst_handler_register() - Add a handler that masksets can map events to
 * @name: its name, as of any handler
 * @hit: called for each event that the current maskset maps to it; in any context,
 *	NMI and the run queue's lock included, with preemption off: it must not
 *	sleep, take a lock that is not its own and NMI-safe, allocate or print. It
 *	is not called while a handler acts on the CPU, so what it does cannot call
 *	it again
 * @data: for @hit
 *
 * Context: process, may sleep.
 * Return: the handler, or an ERR_PTR(): -EINVAL for the name, -EEXIST, -ENOMEM, or
 * -ENODEV where LKST does not run in this boot.
 */
struct lkst_handler *
lkst_handler_register(const char *name,
		      void (*hit)(const struct lkst_hit *hit, void *data), void *data);

/**
 * lkst_handler_unregister() - Take a handler away
 * @handler: from lkst_handler_register()
 *
 * Events that are mapped to it are mapped to none, and actions that name it name
 * none. When this returns no CPU runs it.
 *
 * Context: process, may sleep.
 */
void lkst_handler_unregister(struct lkst_handler *handler);

/**
 * lkst_handler_notify() - Wake who polls the handler's file `fired`
 * @hit: what the handler was called for
 *
 * Counts a firing. Wakes coalesce, the count loses none.
 *
 * Context: a handler.
 */
void lkst_handler_notify(const struct lkst_hit *hit);

/**
 * lkst_hit_record() - Record the event, as the handler `record` would
 * @hit: what the handler was called for
 *
 * Context: a handler.
 * Return: false when the record is lost, which is counted.
 */
bool lkst_hit_record(const struct lkst_hit *hit);

/**
 * lkst_value_find() - Find a number in the records of an event
 * @event: "group/event"
 * @field: name of the field
 * @value: set to where it lies
 *
 * Context: any.
 * Return: 0; -ENOENT if there is no such event or field, -EINVAL if the field is no
 * number.
 */
int lkst_value_find(const char *event, const char *field, struct lkst_value *value);

/**
 * lkst_value_get() - Get a number of an event
 * @hit: what the handler was called for
 * @value: from lkst_value_find()
 *
 * Context: a handler.
 * Return: the number, extended by its sign; 0 if it is another event's.
 */
u64 lkst_value_get(const struct lkst_hit *hit, const struct lkst_value *value);

#else /* !CONFIG_LKST */

#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static __always_inline void lkst_##group##_##name(proto) { }
#define LKST_EVENT_NR(group, name, sets, description, proto, args, fields)	\
	static __always_inline long lkst_##group##_##name(proto) { return nr; }
#define LKST_EVENT_SITE	LKST_EVENT
#define LKST_EVENT_LOCK(group, name, sets, description, proto, args, fields)	\
	static __always_inline void *lkst_##group##_##name(proto)		\
	{									\
		return (void *)lock;						\
	}
#include <linux/lkst_events.h>

#define lkst_is_on(begin, end)	false
static __always_inline bool lkst_spin(void *lock, u32 kind, u32 val)
{
	return false;
}

#define lkst_scope_mutex(_lock, _owner)	do { } while (0)

static inline void lkst_task_name(const struct task_struct *p,
				  const char *name) { }
static inline void lkst_task_gone(const struct task_struct *p) { }
static inline void lkst_init(void) { }
static inline void lkst_crash_stop(void) { }
static inline void lkst_vmcoreinfo_setup(void) { }
static inline void lkst_clock_was_set(void) { }
static inline void lkst_clock_suspend(void) { }
static inline void lkst_clock_resume(void) { }
static inline void lkst_clock_unstable(void) { }
static inline void lkst_maskset_put(struct lkst_maskset *set) { }
static inline void lkst_maskset_switch(struct lkst_maskset *set) { }
static inline void lkst_buffer_put(struct lkst_buffer *buffer) { }
static inline void lkst_buffer_switch(struct lkst_buffer *buffer) { }

static inline struct lkst_maskset *lkst_maskset_get(const char *name)
{
	return NULL;
}

static inline struct lkst_buffer *lkst_buffer_get(const char *name)
{
	return NULL;
}

#endif /* CONFIG_LKST */

#ifndef CONFIG_LKST_SPINLOCKS
static __always_inline void lkst_lock_spin_acquire(const void *lock, u32 kind) { }
static __always_inline void lkst_lock_spin_release(const void *lock, u32 kind) { }
#endif

/*
 * lkst_scope(name, var) is for a function with many returns: a declaration that
 * calls the hook lkst_<name>(var) on every way out of its block, with what the
 * variable @var holds then. That is the function's result only where every return
 * after it names @var. What the hook gets there need not be at hand before, so the
 * entry is a hook of its own. Scopes that are left together end in the reverse of
 * their order, those of guards and classes too.
 *
 * LKST_SCOPE(name, type), once below, makes it for an event whose hook has one
 * parameter, and variables of @type. All of it is inlined: @var stays in a register.
 */
#define LKST_SCOPE(name, type)						\
	static __always_inline void lkst_scope_##name(type const **var)	\
	{								\
		lkst_##name(**var);					\
	}
#define lkst_scope(name, var)						\
	typeof(var) const *__lkst_##name __maybe_unused			\
		__cleanup(lkst_scope_##name) = &(var)

LKST_SCOPE(fs_fsync_exit, unsigned int)
LKST_SCOPE(mm_page_free_exit, unsigned long)

/* A trap's handler has one declaration for both, as it has the number as a constant. */
static __always_inline void lkst_exception_trap_leave(const unsigned int *nr)
{
	lkst_exception_trap_exit(*nr);
}

/**
 * lkst_scope_exception_trap() - Record a trap's entry, and its exit on every way out
 * @regs: of who was interrupted
 * @nr: number of the trap
 * @error_code: error code
 */
#define lkst_scope_exception_trap(regs, nr, error_code)			\
	const unsigned int __lkst_trap __cleanup(lkst_exception_trap_leave) = \
		({ lkst_exception_trap_entry(regs, nr, error_code); (nr); })

#endif /* _LINUX_LKST_H */
