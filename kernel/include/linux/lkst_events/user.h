/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group user: what programs write to /proc/lkst/marker; see linux/lkst_events.h. */

LKST_EVENT(user, text, LKST_DFL,
	   "A program wrote a text to /proc/lkst/marker",
	   LKST_PROTO(const char *text), LKST_ARGS(text),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that wrote it", current->pid)
		LKST_TEXT(text, "the text", text)))

LKST_EVENT(user, number, LKST_DFL,
	   "A program wrote a number to /proc/lkst/marker",
	   LKST_PROTO(s64 value), LKST_ARGS(value),
	   LKST_FIELDS(
		LKST_INT(s32, tid, "", "thread that wrote it", current->pid)
		LKST_INT(s32, tgid, "", "its process", current->tgid)
		LKST_INT(s64, value, "", "the number", value)))
