// SPDX-License-Identifier: GPL-2.0
/*
 * The out-of-line half of every hook, from the one table: dispatch, and the
 * record.
 *
 * Context: any, NMI included. Nothing here may be traced or probed, or take a
 * lock, sleep, allocate or print.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>

#include "lkst.h"
#include "match.h"
#include "ring.h"
#include "values.h"

/* struct lkst_rec_<group>_<event>: the payload of a record */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)	type field;
#define LKST_NAME(field, description, value)	char field[LKST_COMM_SIZE];
#define LKST_TEXT(field, description, value)	u32 field##_len; char field[];
#define LKST_WORDS(field, count, description, fill)	u64 field[count];
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	struct lkst_rec_##group##_##name { fields };
#include <linux/lkst_events.h>

/* No field is padded, and the last one ends on a multiple of 8 bytes. */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)	+ sizeof(type)
#define LKST_NAME(field, description, value)	+ LKST_COMM_SIZE
#define LKST_TEXT(field, description, value)	+ sizeof(u32)
#define LKST_WORDS(field, count, description, fill)	+ (count) * sizeof(u64)
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static_assert(sizeof(struct lkst_rec_##group##_##name) == (0 fields)); \
	static_assert(sizeof(struct lkst_rec_##group##_##name) % 8 == 0);
#include <linux/lkst_events.h>

/* Bytes of the longest payload. */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)
#define LKST_NAME(field, description, value)
#define LKST_TEXT(field, description, value)	+ LKST_TEXT_MAX
#define LKST_WORDS(field, count, description, fill)
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	enum {								\
		ROOM_##group##_##name =					\
			sizeof(struct lkst_rec_##group##_##name) fields	\
	};								\
	/* Either form of header goes before it. */			\
	static_assert(ROOM_##group##_##name / 8 + 2 <= LKST_RECORD_WORDS_MAX);
#include <linux/lkst_events.h>

/* text_<group>_<event>(): the text of a record, NULL where it has none */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)
#define LKST_NAME(field, description, value)
#define LKST_TEXT(field, description, value)	__text = (value);
#define LKST_WORDS(field, count, description, fill)
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static __always_inline const char *text_##group##_##name(proto)	\
	{								\
		const char *__text = NULL;				\
									\
		fields							\
		return __text;						\
	}
#include <linux/lkst_events.h>

/* text_max_<group>_<event>(): after how many bytes it ends if not before */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)
#define LKST_NAME(field, description, value)
#define LKST_TEXT(field, description, value)
#define LKST_TEXT_N(field, description, value, n)	__max = min_t(u32, n, __max);
#define LKST_WORDS(field, count, description, fill)
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static __always_inline u32 text_max_##group##_##name(proto)	\
	{								\
		u32 __max = LKST_TEXT_MAX;				\
									\
		fields							\
		return __max;						\
	}
#include <linux/lkst_events.h>

/* Bytes that a text takes in a record, the padding to whole words included. */
static __always_inline u32 text_room(const char *text, u32 max)
{
	u32 n = 0;

	if (!text)
		return 0;
	while (n < max && text[n])
		n++;
	return (n + 7) & ~7u;
}

/* A text that changes meanwhile may end early, never late. */
static __always_inline void text_copy(char *to, const char *text, u32 room, u32 max)
{
	u32 n = 0;

	for (; n < room && n < max && text[n]; n++)
		to[n] = text[n];
	for (; n < room; n++)
		to[n] = 0;
}

/* fill_<group>_<event>(): write the payload of a record */
#define LKST_FIELDS(...)	__VA_ARGS__
#define LKST_INT(type, field, unit, description, value)	__rec->field = (value);
#define LKST_NAME(field, description, value)				\
	__rec->field[LKST_COMM_SIZE - 1] = '\0';				\
	text_copy(__rec->field, value, LKST_COMM_SIZE - 1, LKST_COMM_SIZE);
#define LKST_TEXT(field, description, value)				\
	__rec->field##_len = __room;					\
	text_copy(__rec->field, __text, __room, __max);
#define LKST_WORDS(field, count, description, fill)			\
	{								\
		u64 *words = __rec->field;				\
									\
		fill;							\
	}
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static __always_inline void					\
	fill_##group##_##name(struct lkst_rec_##group##_##name *__rec,	\
			      const char *__text, u32 __max, u32 __room, proto) \
	{								\
		fields							\
	}
#include <linux/lkst_events.h>

static __always_inline struct lkst_ring *this_ring(void)
{
	return READ_ONCE(lkst_rings_now)->ring[raw_smp_processor_id()];
}

static __always_inline struct lkst_handler *this_handler(u32 id)
{
	return READ_ONCE(READ_ONCE(lkst_maskset_now)->handler[id]);
}

/* What lkst_ring_try() does not. A ring without room there may have to be counted. */
static bool reserve(u32 id, u32 words, struct lkst_resv *resv)
{
	struct lkst_ring *ring = this_ring();
	bool counted = !READ_ONCE(ring->fit), ok;

	if (counted)
		ring = lkst_ring_counted(ring);
	ok = lkst_ring_reserve_slow(ring, id, words, resv);
	if (counted)
		lkst_ring_count_done(ring);
	return ok;
}

NOKPROBE_SYMBOL(reserve);

/**
 * lkst_record_payload() - Record an event of which there is the payload
 * @id: number of the event
 * @payload: the payload
 * @words: of it
 *
 * Context: any, preemption off.
 * Return: false when the record is lost.
 */
bool lkst_record_payload(u32 id, const u64 *payload, u32 words)
{
	struct lkst_resv resv;

	if (!reserve(id, 1 + words, &resv))
		return false;
	memcpy(resv.payload, payload, words * sizeof(u64));
	lkst_ring_commit(&resv);
	return true;
}

NOKPROBE_SYMBOL(lkst_record_payload);

/* It is only compared, so how the compiler reads it does not matter. */
static __always_inline bool handler_is_record(u32 id)
{
	return READ_ONCE(lkst_maskset_now)->handler[id] == &lkst_record;
}

/*
 * Most conditions are false, and most of them by their first comparison: that is
 * seen here, without a call.
 */
static __always_inline bool handler_refuses(const struct lkst_handler *handler, u32 id,
					    const u64 *payload)
{
	const struct lkst_term *const *programs = READ_ONCE(handler->programs);

	return programs && lkst_match_refuses(programs[id], payload);
}

/*
 * What the kernel says, it may say where RCU does not watch: lkst_synchronize()
 * waits for such hooks too, as it visits each CPU.
 */
static __always_inline void check_context(u32 id)
{
	if (IS_ENABLED(CONFIG_LKST_DEBUG) && id != LKST_EV_kernel_printk &&
	    id != LKST_EV_kernel_warn)
		WARN_ON_ONCE(!rcu_is_watching());
}

/*
 * HOOK(type, result, ...) makes two functions that return @type by the statement
 * @result:
 *
 * handle_<group>_<event>(): all that is not the usual case, with preemption off,
 * which it turns on. The handler gets the payload on the stack.
 *
 * __lkst_<group>_<event>(): one function from hook to record in the usual case.
 * It calls nothing but, last, the function above: so it needs no stack.
 */
#define HOOK(type, result, group, name, proto, args)			\
static noinline type handle_##group##_##name(proto)			\
{									\
	struct lkst_maskset *__set = READ_ONCE(lkst_maskset_now);	\
	const u32 __id = LKST_EV_##group##_##name;			\
	struct lkst_handler *__handler = READ_ONCE(__set->handler[__id]); \
	const char *__text = text_##group##_##name(args);		\
	u32 __max = text_max_##group##_##name(args);			\
	u32 __room = text_room(__text, __max);				\
	u32 __words = (sizeof(struct lkst_rec_##group##_##name) + __room) / 8; \
	u64 __hit[ROOM_##group##_##name / 8];				\
									\
	if (__handler) {						\
		fill_##group##_##name((void *)__hit, __text, __max, __room, args); \
		if (!handler_refuses(__handler, __id, __hit))		\
			__handler->hit(__handler, __set, __id, __hit, __words); \
	}								\
	preempt_enable_notrace();					\
	result;								\
}									\
NOKPROBE_SYMBOL(handle_##group##_##name);				\
									\
type __lkst_##group##_##name(proto)					\
{									\
	const char *__text = text_##group##_##name(args);		\
	const u32 __id = LKST_EV_##group##_##name;			\
	u32 __max = text_max_##group##_##name(args);			\
	u32 __room = text_room(__text, __max);				\
	u32 __words = (sizeof(struct lkst_rec_##group##_##name) + __room) / 8; \
	const struct lkst_handler *__handler;				\
	struct lkst_resv __resv;					\
									\
	check_context(__id);						\
	preempt_disable_notrace();					\
	if (likely(handler_is_record(__id) &&				\
		   lkst_ring_try(this_ring(), __id, 1 + __words, &__resv))) { \
		fill_##group##_##name(__resv.payload, __text, __max, __room, args); \
		lkst_ring_commit(&__resv);				\
		preempt_enable_notrace();				\
		result;							\
	}								\
	/* No handler, or one that counts, needs no payload made for it. */ \
	__handler = this_handler(__id);					\
	if (__handler && !__handler->count)				\
		return handle_##group##_##name(args);			\
	if (__handler)							\
		this_cpu_inc(__handler->count[__id]);			\
	preempt_enable_notrace();					\
	result;								\
}									\
NOKPROBE_SYMBOL(__lkst_##group##_##name);

#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	HOOK(void, return, group, name, LKST_PROTO(proto), LKST_ARGS(args))
#define LKST_EVENT_NR(group, name, sets, description, proto, args, fields) \
	HOOK(long, return nr, group, name, LKST_PROTO(proto), LKST_ARGS(args))
#define LKST_EVENT_LOCK(group, name, sets, description, proto, args, fields) \
	HOOK(void *, return (void *)lock, group, name,			\
	     LKST_PROTO(proto, unsigned long site), LKST_ARGS(args, site))
#include <linux/lkst_events.h>

/*
 * direct_<group>_<event>(): a record that no hook makes, whatever the masksets say;
 * for events without LKST_DFL and the like.
 */
#define LKST_EVENT(group, name, sets, description, proto, args, fields)	\
	static __always_inline void direct_##group##_##name(proto)	\
	{								\
		const u32 words = sizeof(struct lkst_rec_##group##_##name) / 8; \
		struct lkst_resv resv;					\
									\
		if (!reserve(LKST_EV_##group##_##name, 1 + words, &resv)) \
			return;						\
		fill_##group##_##name(resv.payload, NULL, 0, 0, args);	\
		lkst_ring_commit(&resv);				\
	}
#include <linux/lkst_events.h>

/**
 * lkst_detail_regs() - Record registers
 * @id: number of the event that they belong to
 * @regs: the registers, or NULL where there are none
 *
 * Context: any, preemption off.
 */
void lkst_detail_regs(u32 id, const struct pt_regs *regs)
{
	if (regs)
		direct_lkst_regs(id, regs);
}

NOKPROBE_SYMBOL(lkst_detail_regs);

/**
 * lkst_detail_stack() - Record a kernel stack
 * @id: number of the event that it belongs to
 * @frames: LKST_STACK_FRAMES return addresses, 0 after the last
 *
 * Context: any, preemption off.
 */
void lkst_detail_stack(u32 id, const u64 *frames)
{
	direct_lkst_stack(id, frames);
}

NOKPROBE_SYMBOL(lkst_detail_stack);

/**
 * lkst_detail_task() - Record who runs
 * @id: number of the event that it belongs to
 * @task: the current task
 *
 * Context: any, preemption off.
 */
void lkst_detail_task(u32 id, const struct task_struct *task)
{
	direct_lkst_task(id, task);
}

NOKPROBE_SYMBOL(lkst_detail_task);

/**
 * lkst_threads_unknown() - Tell readers that they do not know which threads run
 * @why: LKST_UNKNOWN_*
 *
 * The switches of threads up to now were not recorded here, or those from now on will
 * not be.
 *
 * Context: any.
 */
void lkst_threads_unknown(u32 why)
{
	preempt_disable_notrace();
	if (lkst_enabled())
		direct_lkst_threads_unknown(why);
	preempt_enable_notrace();
}

NOKPROBE_SYMBOL(lkst_threads_unknown);

/* In the low bits of a mutex's owner are flags; a task's address has 0 there. */
#define MUTEX_FLAGS	7ul

void __lkst_mutex_taken(const void *lock, const void *owner, unsigned long site)
{
	unsigned long now = READ_ONCE(*(const unsigned long *)owner);

	if ((now & ~MUTEX_FLAGS) == (unsigned long)current)
		__lkst_lock_acquire(lock, LKST_LOCK_MUTEX, site);
}

NOKPROBE_SYMBOL(__lkst_mutex_taken);

#ifdef CONFIG_QUEUED_SPINLOCKS
/* Of rwlocks there is a slow path to call only where they are queued too. */
void __lockfunc __lkst_spin(void *lock, u32 kind, u32 val, unsigned long site)
{
	lkst_lock_spin_begin(lock, kind, site);
	if (kind == LKST_LOCK_SPIN)
		queued_spin_lock_slowpath(lock, val);
	else if (IS_ENABLED(CONFIG_QUEUED_RWLOCKS) && kind == LKST_LOCK_READ)
		queued_read_lock_slowpath(lock);
	else if (IS_ENABLED(CONFIG_QUEUED_RWLOCKS))
		queued_write_lock_slowpath(lock);
	lkst_lock_spin_end(lock, kind, site);
}
EXPORT_SYMBOL_GPL(__lkst_spin);

NOKPROBE_SYMBOL(__lkst_spin);
#endif

/* Of a hook: what its site looks at, and what that calls. */
#define EXPORT_PART(name)	EXPORT_SYMBOL_GPL(name)
#define EXPORT_HOOK(name)	EXPORT_PART(lkst_key_##name); EXPORT_PART(__lkst_##name)

/* The one hook that any module can have. */
EXPORT_HOOK(lkst_mark);

/* Headers may put the code of spinlocks into modules. */
EXPORT_PART(lkst_key_lock_spin_begin);
EXPORT_PART(lkst_key_lock_spin_end);
#ifdef CONFIG_LKST_SPINLOCKS
EXPORT_HOOK(lock_spin_acquire);
EXPORT_HOOK(lock_spin_release);
#endif

/* I/O schedulers can be modules. */
EXPORT_HOOK(block_insert);
