// SPDX-License-Identifier: GPL-2.0
#include <fnmatch.h>

#include "values.h"

/* A single value, or bits of it, those that have a name together before others. */
struct value_name {
	u64 value;
	const char *name;
};

enum value_kind {
	VALUE_ONE,		/* has the name of its number */
	VALUE_BITS,		/* has the names of its bits */
	VALUE_RESULT,		/* below zero it is an errno */
	VALUE_SYSCALL,		/* of its field "compat" too */
};

/**
 * struct values - names of the values of fields
 * @event: pattern for the events
 * @field: of them, this
 * @kind: how they are named
 * @name: the names
 * @nr: how many
 */
struct values {
	const char *event;
	const char *field;
	enum value_kind kind;
	const struct value_name *name;
	size_t nr;
};

/* By number, made from the C library's headers; NULL where there is no call. */
static const char *const syscalls_64[] = {
#include "syscalls_64.h"
};

static const char *const syscalls_32[] = {
#include "syscalls_32.h"
};

/* The newest of both, which those headers need not have. */
static const struct value_name new_syscalls[] = {
	{ 451, "cachestat" }, { 452, "fchmodat2" }, { 453, "map_shadow_stack" },
	{ 454, "futex_wake" }, { 455, "futex_wait" }, { 456, "futex_requeue" },
	{ 457, "statmount" }, { 458, "listmount" }, { 459, "lsm_get_self_attr" },
	{ 460, "lsm_set_self_attr" }, { 461, "lsm_list_modules" }, { 462, "mseal" },
};

static const char *const errnos[] = {
#include "errnos.h"
};

static const struct value_name states[] = {
	{ 0x402, "I" }, { 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, { 0x8, "t" }, { 0x10, "X" },
	{ 0x20, "Z" }, { 0x40, "P" }, { 0x80, "dead" }, { 0x100, "wakekill" },
	{ 0x200, "waking" }, { 0x400, "noload" }, { 0x800, "new" },
	{ 0x1000, "rtlock" }, { 0x2000, "freezable" }, { 0x8000, "frozen" },
	{ 0x10000, "R+" }, { 0, "R" },
};

static const struct value_name gfp[] = {
	{ 0x1, "DMA" }, { 0x2, "HIGHMEM" }, { 0x4, "DMA32" }, { 0x8, "MOVABLE" },
	{ 0x10, "RECLAIMABLE" }, { 0x20, "HIGH" }, { 0x40, "IO" }, { 0x80, "FS" },
	{ 0x100, "ZERO" }, { 0x400, "DIRECT_RECLAIM" },
	{ 0x800, "KSWAPD_RECLAIM" }, { 0x1000, "WRITE" }, { 0x2000, "NOWARN" },
	{ 0x4000, "RETRY_MAYFAIL" }, { 0x8000, "NOFAIL" }, { 0x10000, "NORETRY" },
	{ 0x20000, "MEMALLOC" }, { 0x40000, "COMP" }, { 0x80000, "NOMEMALLOC" },
	{ 0x100000, "HARDWALL" }, { 0x200000, "THISNODE" }, { 0x400000, "ACCOUNT" },
	{ 0, "NOWAIT" },
};

static const struct value_name opens[] = {
	{ 0x1, "O_WRONLY" }, { 0x2, "O_RDWR" }, { 0x40, "O_CREAT" },
	{ 0x80, "O_EXCL" }, { 0x100, "O_NOCTTY" }, { 0x200, "O_TRUNC" },
	{ 0x400, "O_APPEND" }, { 0x800, "O_NONBLOCK" }, { 0x1000, "O_DSYNC" },
	{ 0x2000, "O_ASYNC" }, { 0x4000, "O_DIRECT" }, { 0x8000, "O_LARGEFILE" },
	{ 0x10000, "O_DIRECTORY" }, { 0x20000, "O_NOFOLLOW" },
	{ 0x40000, "O_NOATIME" }, { 0x80000, "O_CLOEXEC" }, { 0x100000, "__O_SYNC" },
	{ 0x200000, "O_PATH" }, { 0x400000, "__O_TMPFILE" }, { 0, "O_RDONLY" },
};

static const struct value_name signals[] = {
	{ 1, "HUP" }, { 2, "INT" }, { 3, "QUIT" }, { 4, "ILL" }, { 5, "TRAP" },
	{ 6, "ABRT" }, { 7, "BUS" }, { 8, "FPE" }, { 9, "KILL" }, { 10, "USR1" },
	{ 11, "SEGV" }, { 12, "USR2" }, { 13, "PIPE" }, { 14, "ALRM" },
	{ 15, "TERM" }, { 16, "STKFLT" }, { 17, "CHLD" }, { 18, "CONT" },
	{ 19, "STOP" }, { 20, "TSTP" }, { 21, "TTIN" }, { 22, "TTOU" },
	{ 23, "URG" }, { 24, "XCPU" }, { 25, "XFSZ" }, { 26, "VTALRM" },
	{ 27, "PROF" }, { 28, "WINCH" }, { 29, "IO" }, { 30, "PWR" }, { 31, "SYS" },
};

static const struct value_name signal_results[] = {
	{ 0, "delivered" }, { 1, "ignored" }, { 2, "pending" }, { 3, "overflow" },
	{ 4, "lost info" },
};

static const struct value_name softirqs[] = {
	{ 0, "HI" }, { 1, "TIMER" }, { 2, "NET_TX" }, { 3, "NET_RX" }, { 4, "BLOCK" },
	{ 5, "IRQ_POLL" }, { 6, "TASKLET" }, { 7, "SCHED" }, { 8, "HRTIMER" },
	{ 9, "RCU" },
};

static const struct value_name softirq_bits[] = {
	{ 0x1, "HI" }, { 0x2, "TIMER" }, { 0x4, "NET_TX" }, { 0x8, "NET_RX" },
	{ 0x10, "BLOCK" }, { 0x20, "IRQ_POLL" }, { 0x40, "TASKLET" },
	{ 0x80, "SCHED" }, { 0x100, "HRTIMER" }, { 0x200, "RCU" },
};

static const struct value_name irq_results[] = {
	{ 0, "none" }, { 1, "handled" }, { 2, "wake thread" },
};

static const struct value_name faults[] = {
	{ 0x1, "present" }, { 0x2, "write" }, { 0x4, "user" }, { 0x8, "reserved bit" },
	{ 0x10, "fetch" }, { 0x20, "pkey" }, { 0x40, "shadow stack" },
	{ 0, "not present" },
};

static const struct value_name fault_kinds[] = {
	{ 1, "anonymous" }, { 2, "file" }, { 3, "write to shared" }, { 4, "swap" },
};

static const struct value_name protections[] = {
	{ 0x1, "READ" }, { 0x2, "WRITE" }, { 0x4, "EXEC" }, { 0, "NONE" },
};

static const struct value_name maps[] = {
	{ 0x1, "SHARED" }, { 0x2, "PRIVATE" }, { 0x10, "FIXED" },
	{ 0x20, "ANONYMOUS" }, { 0x100, "GROWSDOWN" }, { 0x2000, "LOCKED" },
	{ 0x4000, "NORESERVE" }, { 0x8000, "POPULATE" }, { 0x10000, "NONBLOCK" },
	{ 0x20000, "STACK" }, { 0x40000, "HUGETLB" }, { 0x100000, "FIXED_NOREPLACE" },
};

static const struct value_name block_ops[] = {
	{ 0, "READ" }, { 1, "WRITE" }, { 2, "FLUSH" }, { 3, "DISCARD" },
	{ 5, "SECURE_ERASE" }, { 9, "WRITE_ZEROES" },
};

static const struct value_name traps[] = {
	{ 0, "divide error" }, { 1, "debug" }, { 3, "breakpoint" }, { 4, "overflow" },
	{ 5, "bounds" }, { 6, "invalid opcode" }, { 7, "no device" },
	{ 8, "double fault" }, { 10, "invalid TSS" }, { 11, "no segment" },
	{ 12, "stack segment" }, { 13, "general protection" }, { 14, "page fault" },
	{ 16, "x87" }, { 17, "alignment" }, { 18, "machine check" }, { 19, "SIMD" },
	{ 21, "control protection" },
};

static const struct value_name vectors[] = {
	{ 246, "irq_work" }, { 251, "call one" }, { 252, "call" },
	{ 253, "reschedule" },
};

static const struct value_name seeks[] = {
	{ 0, "SET" }, { 1, "CUR" }, { 2, "END" }, { 3, "DATA" }, { 4, "HOLE" },
};

#define NAMES(kind, names)	kind, names, ARRAY_SIZE(names)

/* The first that fits is taken. */
static const struct values table[] = {
	{ "syscall/*", "nr", VALUE_SYSCALL, NULL, 0 },
	{ "sched/*", "prev_state", NAMES(VALUE_BITS, states) },
	{ "signal/*", "sig", NAMES(VALUE_ONE, signals) },
	{ "signal/generate", "result", NAMES(VALUE_ONE, signal_results) },
	{ "irq/softirq_*", "vec", NAMES(VALUE_ONE, softirqs) },
	{ "irq/*", "pending", NAMES(VALUE_BITS, softirq_bits) },
	{ "irq/*", "vector", NAMES(VALUE_ONE, vectors) },
	{ "irq/exit", "ret", NAMES(VALUE_ONE, irq_results) },
	{ "irq/thread_exit", "ret", NAMES(VALUE_ONE, irq_results) },
	{ "mm/*", "gfp", NAMES(VALUE_BITS, gfp) },
	{ "mm/*", "prot", NAMES(VALUE_BITS, protections) },
	{ "mm/mmap_entry", "flags", NAMES(VALUE_BITS, maps) },
	{ "fs/open*", "flags", NAMES(VALUE_BITS, opens) },
	{ "fs/seek_entry", "whence", NAMES(VALUE_ONE, seeks) },
	{ "exception/page_fault_entry", "error", NAMES(VALUE_BITS, faults) },
	{ "exception/page_fault_kind", "kind", NAMES(VALUE_ONE, fault_kinds) },
	{ "exception/trap_*", "nr", NAMES(VALUE_ONE, traps) },
	{ "block/complete", "op", NAMES(VALUE_ONE, block_ops) },
	{ "*", "ret", VALUE_RESULT, NULL, 0 },
};

static const char *find_name(const struct value_name *name, size_t nr, u64 v)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (name[i].value == v)
			return name[i].name;
	return NULL;
}

const char *values_syscall(u64 nr, bool compat)
{
	const char *name = NULL;

	if (compat && nr < ARRAY_SIZE(syscalls_32))
		name = syscalls_32[nr];
	else if (!compat && nr < ARRAY_SIZE(syscalls_64))
		name = syscalls_64[nr];
	return name ? name :
		find_name(new_syscalls, ARRAY_SIZE(new_syscalls), nr);
}

const char *values_errno(u64 error)
{
	return error < ARRAY_SIZE(errnos) ? errnos[error] : NULL;
}

const char *values_softirq(u64 vec)
{
	return find_name(softirqs, ARRAY_SIZE(softirqs), vec);
}

static const struct values *find_values(const struct event *e, const struct field *f)
{
	size_t i;

	if (f->kind != FIELD_INTEGER || f->hidden || f->nr_labels)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(table[i].field, f->name) &&
		    !fnmatch(table[i].event, e->name, 0))
			return &table[i];
	return NULL;
}

void values_attach(struct metadata *m)
{
	u32 id, i;

	for (id = 0; id < m->nr_events; id++)
		for (i = 0; m->event[id] && i < m->event[id]->nr_fields; i++)
			m->event[id]->fields[i].values =
				find_values(m->event[id], &m->event[id]->fields[i]);
}

/* Names of bits; those without a name come as one number at the end. */
static bool put_bits(const struct values *a, u64 v, struct text *out)
{
	bool first = true;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		u64 bits = a->name[i].value;

		if (bits ? (v & bits) != bits : v || !first)
			continue;
		if (!first)
			text_char(out, '|');
		text_string(out, a->name[i].name);
		v &= ~bits;
		first = false;
	}
	if (v && !first) {
		text_char(out, '|');
		text_hex(out, v);
	}
	return !first;
}

bool values_put(const struct field *f, const struct event *e,
		const struct record *r, u64 v, struct text *out)
{
	const struct values *a = f->values;
	const char *name = NULL;
	u64 compat = 0;

	if (!a)
		return false;
	if (a->kind == VALUE_BITS)
		return put_bits(a, v, out);
	if (a->kind == VALUE_ONE)
		name = find_name(a->name, a->nr, v);
	else if (a->kind == VALUE_RESULT)
		name = (s64)v < 0 ? values_errno(0 - v) : NULL;
	else
		name = values_syscall(v, record_number(e, r, "compat", &compat) &&
				      compat);
	if (name)
		text_string(out, name);
	return name;
}
