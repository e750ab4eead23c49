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

LKST_EVENT(irq, thread_entry, LKST_DFL,
	   "The part of an interrupt's handler that runs in a thread begins",
	   LKST_PROTO(unsigned int irq, const void *handler),
	   LKST_ARGS(irq, handler),
	   LKST_FIELDS(
		LKST_INT(u64, irq, "", "interrupt number", irq)
		LKST_INT(u64, handler, "hex", "address of the handler",
			 (unsigned long)handler)))

LKST_EVENT(irq, thread_exit, LKST_DFL,
	   "The part of an interrupt's handler that runs in a thread ends",
	   LKST_PROTO(unsigned int irq, int ret), LKST_ARGS(irq, ret),
	   LKST_FIELDS(
		LKST_INT(u32, irq, "", "interrupt number", irq)
		LKST_INT(s32, ret, "", "0 not its own, 1 handled", ret)))

LKST_EVENT(irq, tasklet_entry, LKST_DFL,
	   "A tasklet's function is called",
	   LKST_PROTO(const void *tasklet, const void *function),
	   LKST_ARGS(tasklet, function),
	   LKST_FIELDS(
		LKST_INT(u64, tasklet, "hex", "address of the tasklet",
			 (unsigned long)tasklet)
		LKST_INT(u64, function, "hex", "address of its function",
			 (unsigned long)function)))

LKST_EVENT(irq, tasklet_exit, LKST_DFL,
	   "A tasklet's function returned",
	   LKST_PROTO(const void *tasklet), LKST_ARGS(tasklet),
	   LKST_FIELDS(
		LKST_INT(u64, tasklet, "hex", "address of the tasklet",
			 (unsigned long)tasklet)))

LKST_EVENT(irq, ipi_send, LKST_ANA,
	   "An interrupt is sent to other CPUs, or to this one",
	   LKST_PROTO(unsigned int vector, int cpu, const struct cpumask *mask),
	   LKST_ARGS(vector, cpu, mask),
	   LKST_FIELDS(
		LKST_INT(u32, vector, "", "its vector, as in irq/vector_entry", vector)
		LKST_INT(s32, target, "", "CPU that gets it, -1 for several", cpu)
		LKST_INT(u64, targets, "hex", "of CPUs 0 to 63 those that get it, a bit each",
			 lkst_cpu_bits(cpu, mask))))

LKST_EVENT(irq, vector_entry, LKST_ANA,
	   "An interrupt that has no number, from another CPU for the most part, begins to be handled",
	   LKST_PROTO(unsigned int vector), LKST_ARGS(vector),
	   LKST_FIELDS(
		LKST_INT(u32, vector, "",
			 "246 irq_work, 251 a function call, 252 one for several CPUs, 253 reschedule",
			 vector)
		LKST_INT(u32, pending, "hex", "soft interrupts that are pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, vector_exit, LKST_ANA,
	   "An interrupt that has no number was handled",
	   LKST_PROTO(unsigned int vector), LKST_ARGS(vector),
	   LKST_FIELDS(
		LKST_INT(u32, vector, "", "its vector, as in irq/vector_entry", vector)
		LKST_INT(u32, pending, "hex", "soft interrupts that are pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, local_timer_entry, LKST_DFL,
	   "The interrupt of the CPU's own timer begins to be handled",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction that it interrupted",
			 instruction_pointer((struct pt_regs *)regs))))

LKST_EVENT(irq, local_timer_exit, LKST_DFL,
	   "The interrupt of the CPU's own timer was handled",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(u32, resched, "", "1 if another thread is to run", tif_need_resched())
		LKST_INT(u32, pending, "hex", "soft interrupts that are pending, a bit each",
			 local_softirq_pending())))

LKST_EVENT(irq, nmi_entry, LKST_DFL,
	   "An NMI, or a trap in the kernel that can come at any time as one can, begins to be handled",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction that it interrupted",
			 instruction_pointer((struct pt_regs *)regs))))

LKST_EVENT(irq, nmi_exit, LKST_DFL,
	   "What irq/nmi_entry began was handled",
	   LKST_PROTO(const struct pt_regs *regs), LKST_ARGS(regs),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction that goes on",
			 instruction_pointer((struct pt_regs *)regs))))
