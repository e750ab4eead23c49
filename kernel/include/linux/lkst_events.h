/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of events: the one place where an event is defined.
 *
 * The includer defines LKST_EVENT(), and the field macros where it uses them;
 * this file undefines them at its end, so it has no include guard.
 *
 *   LKST_EVENT(group, name, sets, description, proto, args, fields)
 *   LKST_EVENT_NR(...)
 *   LKST_EVENT_SITE(...)
 *   LKST_EVENT_LOCK(...)
 *
 * makes the event group/name. Its hook is lkst_<group>_<name>() with the parameters
 * LKST_PROTO(), handed on as LKST_ARGS(). The second is the same, but for a hook
 * that returns its argument nr: a caller that goes on with what comes back need not
 * keep it in a register of its own while the hook is off. The third has in its
 * fields besides the parameters `site`, whom the function with the hook returns to;
 * it is read only where the hook is on. The fourth has it too, and returns its
 * argument lock, as the second does nr. @sets says which built-in masksets hold the
 * event. Fields follow in the order in which they lie in the record:
 *
 *   LKST_INT(type, field, unit, description, value)
 *	an integer; unit is "" for a plain number, "hex" for one that reads
 *	better so, else what it counts
 *   LKST_NAME(field, description, value)
 *	a task's name, LKST_COMM_SIZE bytes
 *   LKST_TEXT(field, description, value)
 *	a text of up to LKST_TEXT_MAX bytes, in the last place; the fields
 *	before it end 4 bytes short of a multiple of 8
 *   LKST_TEXT_N(field, description, value, n)
 *	the same of a text that ends after n bytes if not before
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
#ifndef LKST_EVENT_SITE
#define LKST_EVENT_SITE(group, name, sets, description, proto, args, fields) \
	LKST_EVENT(group, name, sets, description,			\
		   LKST_PROTO(proto, unsigned long site), LKST_ARGS(args, site), \
		   LKST_FIELDS(fields))
#endif
#ifndef LKST_EVENT_LOCK
#define LKST_EVENT_LOCK	LKST_EVENT_SITE
#endif
#ifndef LKST_TEXT_N
#define LKST_TEXT_N(field, description, value, n)	LKST_TEXT(field, description, value)
#endif

/* In built-in masksets: all events but those with LKST_OWN are in `all`. */
#define LKST_DFL	1	/* default and analysis */
#define LKST_ANA	2	/* analysis */
#define LKST_ALL	4	/* all only */
#define LKST_OWN	8	/* in every built-in but `none` */
#define LKST_LCK	16	/* locks and all */

#include <linux/lkst_events/lkst.h>
#include <linux/lkst_events/sched.h>
#include <linux/lkst_events/waitq.h>
#include <linux/lkst_events/process.h>
#include <linux/lkst_events/signal.h>
#include <linux/lkst_events/irq.h>
#include <linux/lkst_events/syscall.h>
#include <linux/lkst_events/exception.h>
#include <linux/lkst_events/timer.h>
#include <linux/lkst_events/workqueue.h>
#include <linux/lkst_events/mm.h>
#include <linux/lkst_events/fs.h>
#include <linux/lkst_events/block.h>
#include <linux/lkst_events/net.h>
#include <linux/lkst_events/ipc.h>
#include <linux/lkst_events/lock.h>
#include <linux/lkst_events/power.h>
#include <linux/lkst_events/kernel.h>
#include <linux/lkst_events/user.h>

#undef LKST_EVENT
#undef LKST_EVENT_NR
#undef LKST_EVENT_SITE
#undef LKST_EVENT_LOCK
#undef LKST_FIELDS
#undef LKST_INT
#undef LKST_NAME
#undef LKST_TEXT
#undef LKST_TEXT_N
#undef LKST_WORDS
