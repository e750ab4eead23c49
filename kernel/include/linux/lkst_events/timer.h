/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group timer; see linux/lkst_events.h. */

LKST_EVENT(timer, start, LKST_ANA,
	   "A timer is set",
	   LKST_PROTO(const struct timer_list *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)timer->function)
		LKST_INT(u64, expires, "jiffies", "when it is to expire",
			 timer->expires)))

LKST_EVENT(timer, expire_entry, LKST_DFL,
	   "An expired timer's function is called",
	   LKST_PROTO(const struct timer_list *timer, const void *function),
	   LKST_ARGS(timer, function),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)
		LKST_INT(u64, now, "jiffies", "the time now", jiffies)))

LKST_EVENT(timer, expire_exit, LKST_DFL,
	   "An expired timer's function returned",
	   LKST_PROTO(const struct timer_list *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)))
