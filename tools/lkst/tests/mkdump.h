/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LKST_MKDUMP_H
#define LKST_MKDUMP_H

#include <stdio.h>

#include "../util.h"
#include "linux/lkst.h"

#define RELEASE	"6.12.0-test"

/**
 * struct options - what the command line asks for
 * @mib: size of the memory
 * @high_start: where its upper half begins
 * @qemu: in QEMU's form, not in that of /proc/vmcore
 * @no_note: without vmcoreinfo
 * @info_in_memory: it is in memory, as the kernel has it there
 * @log: there is a kernel's log
 * @expect: where to write which records a reader has to find, or NULL
 * @boots: how many boots have left a trace
 * @records: how many to write, where the case lets that be chosen
 * @damage: HOW:PART,PART,...: what to destroy, and how: zero, noise, flip; or NULL
 * @hz: ticks of the clock a second
 * @no_percpu: the table of symbols is that of a kernel for one CPU
 * @symbols: lines of vmcoreinfo about that table
 */
struct options {
	unsigned int mib;
	u64 high_start;
	bool qemu;
	bool no_note;
	bool info_in_memory;
	bool log;
	FILE *expect;
	int boots;
	u64 records;
	const char *damage;
	u64 hz;
	bool no_percpu;
	char symbols[2048];
};

/* Memory at a physical address. */
void *at(u64 pa);
/* Take some, zeroed; and some that lies behind what was taken last. */
u64 take(const char *name, u64 size, u64 align);
u64 take_behind(const char *name, u64 size, u64 align);

/* A kernel's log, and the lines of vmcoreinfo about it. */
void make_log(struct options *o);

/* Make the memory of a case; return the descriptor's address, or 0. */
u64 make_case(const char *name, struct options *o);

#endif /* LKST_MKDUMP_H */
