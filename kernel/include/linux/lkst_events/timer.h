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

LKST_EVENT(timer, cancel, LKST_ANA,
	   "A timer is no longer set: it was cancelled, is set anew, or expires",
	   LKST_PROTO(const struct timer_list *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)))

LKST_EVENT(timer, hrtimer_start, LKST_ANA,
	   "A high-resolution timer is set",
	   LKST_PROTO(const struct hrtimer *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)timer->function)
		LKST_INT(u64, expires, "ns",
			 "earliest time at which it is to expire, on its own clock",
			 timer->_softexpires)))

LKST_EVENT(timer, hrtimer_cancel, LKST_ANA,
	   "A high-resolution timer is cancelled",
	   LKST_PROTO(const struct hrtimer *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)))

LKST_EVENT(timer, hrtimer_expire_entry, LKST_DFL,
	   "An expired high-resolution timer's function is called",
	   LKST_PROTO(const struct hrtimer *timer, const void *function, s64 now),
	   LKST_ARGS(timer, function, now),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)
		LKST_INT(u64, now, "ns", "the time now, on its own clock", now)))

LKST_EVENT(timer, hrtimer_expire_exit, LKST_DFL,
	   "An expired high-resolution timer's function returned",
	   LKST_PROTO(const struct hrtimer *timer), LKST_ARGS(timer),
	   LKST_FIELDS(
		LKST_INT(u64, timer, "hex", "address of the timer",
			 (unsigned long)timer)))

LKST_EVENT(timer, itimer_set, LKST_DFL,
	   "A process sets an interval timer of its own",
	   LKST_PROTO(int which, const struct itimerspec64 *spec),
	   LKST_ARGS(which, spec),
	   LKST_FIELDS(
		LKST_INT(s32, tgid, "", "process", current->tgid)
		LKST_INT(u32, which, "", "0 real time, 1 user CPU time, 2 CPU time", which)
		LKST_INT(u64, value, "ns", "when it is to expire, from now; 0 is never",
			 timespec64_to_ns(&spec->it_value))
		LKST_INT(u64, interval, "ns", "and then again after each; 0 is never",
			 timespec64_to_ns(&spec->it_interval))))

LKST_EVENT(timer, itimer_expire, LKST_DFL,
	   "A process's interval timer expires",
	   LKST_PROTO(int which, const struct pid *pid), LKST_ARGS(which, pid),
	   LKST_FIELDS(
		LKST_INT(s32, tgid, "", "process", pid->numbers[0].nr)
		LKST_INT(u32, which, "", "0 real time, 1 user CPU time, 2 CPU time", which)))

LKST_EVENT(timer, tick_stop, LKST_ANA,
	   "A CPU stops its periodic tick",
	   LKST_PROTO(u64 expires), LKST_ARGS(expires),
	   LKST_FIELDS(
		LKST_INT(u64, expires, "ns",
			 "CLOCK_MONOTONIC at its next timer; 2^63 - 1 where it has none",
			 expires)))

LKST_EVENT(timer, tick_restart, LKST_ANA,
	   "A CPU starts its periodic tick again",
	   LKST_PROTO(u64 now), LKST_ARGS(now),
	   LKST_FIELDS(
		LKST_INT(u64, now, "ns", "CLOCK_MONOTONIC", now)))
