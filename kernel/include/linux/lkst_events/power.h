/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group power; see linux/lkst_events.h. */

LKST_EVENT(power, idle_begin, LKST_ANA,
	   "An idle CPU is about to be put to sleep",
	   LKST_PROTO(u32 state, u32 cpu), LKST_ARGS(state, cpu),
	   LKST_FIELDS(
		LKST_INT(u32, state, "",
			 "how deep, as cpuidle numbers it: 0 polls, 1 where there is no cpuidle",
			 state)
		LKST_INT(u32, cpu, "", "the CPU", cpu)))

LKST_EVENT(power, idle_end, LKST_ANA,
	   "An idle CPU was woken",
	   LKST_PROTO(int state, u32 cpu), LKST_ARGS(state, cpu),
	   LKST_FIELDS(
		LKST_INT(s32, state, "", "in which it was, -errno if in none", state)
		LKST_INT(u32, cpu, "", "the CPU", cpu)))

LKST_EVENT(power, frequency, LKST_DFL,
	   "CPUs run at another frequency",
	   LKST_PROTO(u32 khz, u32 cpu, u32 cpus), LKST_ARGS(khz, cpu, cpus),
	   LKST_FIELDS(
		LKST_INT(u32, khz, "kHz", "the frequency", khz)
		LKST_INT(u16, cpu, "", "the first of them", cpu)
		LKST_INT(u16, cpus, "", "how many they are", cpus)))

LKST_EVENT(power, hotplug_begin, LKST_DFL,
	   "A CPU is about to be brought up or taken down",
	   LKST_PROTO(u32 cpu, u32 up), LKST_ARGS(cpu, up),
	   LKST_FIELDS(
		LKST_INT(u32, cpu, "", "the CPU", cpu)
		LKST_INT(u32, up, "", "1 up, 0 down", up)))

LKST_EVENT(power, hotplug_end, LKST_DFL,
	   "A CPU was brought up or taken down, or could not be",
	   LKST_PROTO(u32 cpu, u32 up, int ret), LKST_ARGS(cpu, up, ret),
	   LKST_FIELDS(
		LKST_INT(u32, cpu, "", "the CPU", cpu)
		LKST_INT(u16, up, "", "1 up, 0 down", up)
		LKST_INT(u16, err, "", "0, or an errno", -ret)))

LKST_EVENT(power, phase, LKST_DFL,
	   "A phase of going to sleep or waking up begins or ends",
	   LKST_PROTO(const char *name, u32 what, u32 begin), LKST_ARGS(name, what, begin),
	   LKST_FIELDS(
		LKST_INT(u16, begin, "", "1 it begins, 0 it ends", begin)
		LKST_INT(u16, what, "", "kind of sleep, event of power management, or CPU",
			 what)
		LKST_TEXT(name, "the phase", name)))
