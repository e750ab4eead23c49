/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group irq; see linux/lkst_events.h. */

LKST_EVENT(irq, entry, LKST_DFL,
	   "A handler of a hard interrupt begins",
	   LKST_PROTO(unsigned int irq, const void *handler),
	   LKST_ARGS(irq, handler),
	   LKST_FIELDS(
		LKST_INT(u64, irq, "", "interrupt number", irq)
		LKST_INT(u64, handler, "hex", "address of the handler",
			 (unsigned long)handler)))

LKST_EVENT(irq, exit, LKST_DFL,
	   "A handler of a hard interrupt ends",
	   LKST_PROTO(unsigned int irq, int ret), LKST_ARGS(irq, ret),
	   LKST_FIELDS(
		LKST_INT(u32, irq, "", "interrupt number", irq)
		LKST_INT(s32, ret, "", "0 not its own, 1 handled, 2 wakes its thread",
			 ret)))

LKST_EVENT(irq, softirq_raise, LKST_DFL,
	   "A soft interrupt is asked for",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those already pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, softirq_entry, LKST_DFL,
	   "A soft interrupt's handler begins",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those raised meanwhile, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, softirq_exit, LKST_DFL,
	   "A soft interrupt's handler ends",
	   LKST_PROTO(unsigned int vec), LKST_ARGS(vec),
	   LKST_FIELDS(
		LKST_INT(u32, vec, "", "its number", vec)
		LKST_INT(u32, pending, "hex", "those raised meanwhile, a bit each",
			 local_softirq_pending())))
