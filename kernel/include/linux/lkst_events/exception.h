/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group exception; see linux/lkst_events.h. */

LKST_EVENT(exception, page_fault_entry, LKST_DFL,
	   "A page fault begins to be handled",
	   LKST_PROTO(const struct pt_regs *regs, unsigned long error_code,
		      unsigned long address),
	   LKST_ARGS(regs, error_code, address),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "what was accessed", address)
		LKST_INT(u64, ip, "hex", "the instruction that did",
			 instruction_pointer((struct pt_regs *)regs))
		LKST_INT(u64, error, "hex",
			 "1 present, 2 write, 4 user, 16 instruction fetch", error_code)))

LKST_EVENT(exception, page_fault_exit, LKST_DFL,
	   "A page fault was handled",
	   LKST_PROTO(unsigned long address), LKST_ARGS(address),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "what was accessed", address)))
