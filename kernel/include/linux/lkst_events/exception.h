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

LKST_EVENT(exception, page_fault_kind, LKST_ANA,
	   "It was found what a page fault asks for; one that is tried again comes here again",
	   LKST_PROTO(unsigned long address, unsigned int flags, enum lkst_fault kind),
	   LKST_ARGS(address, flags, kind),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "what was accessed, rounded down to a page", address)
		LKST_INT(u32, kind, "",
			 "1 an anonymous page, 2 a file's, 3 to write to a shared one, 4 one in the swap",
			 kind)
		LKST_INT(u32, flags, "hex", "FAULT_FLAG_*: 1 is a write", flags)))

LKST_EVENT(exception, trap_entry, LKST_DFL,
	   "A trap or fault begins to be handled",
	   LKST_PROTO(const struct pt_regs *regs, unsigned int nr, long error_code),
	   LKST_ARGS(regs, nr, error_code),
	   LKST_FIELDS(
		LKST_INT(u64, ip, "hex", "the instruction",
			 instruction_pointer((struct pt_regs *)regs))
		LKST_INT(u32, nr, "", "number of the trap", nr)
		LKST_INT(u32, error, "hex", "error code", error_code)))

LKST_EVENT(exception, trap_exit, LKST_DFL,
	   "A trap or fault was handled",
	   LKST_PROTO(unsigned int nr), LKST_ARGS(nr),
	   LKST_FIELDS(
		LKST_INT(u64, nr, "", "number of the trap", nr)))
