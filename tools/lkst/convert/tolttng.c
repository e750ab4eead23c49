// SPDX-License-Identifier: GPL-2.0
/*
 * CTF with the events, names and fields of LTTng's kernel tracer, as the analyses of
 * Trace Compass look for them. What LTTng does not have goes by its own name behind
 * "lkst_". A state dump at the begin tells the threads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "ctfout.h"
#include "lkst.h"
#include "values.h"

/* Numbers of events: those of the table, of the state dump, system calls, the rest. */
#define ID_TABLE	1u
#define ID_DUMP_START	200u
#define ID_DUMP_TASK	201u
#define ID_DUMP_END	202u
#define ID_SYSCALL	1000u
#define ID_OTHER	4000u
#define ID_MAX		65534u

/* System calls that there can be: more have no names. */
#define SYSCALLS	512u

/* Codes of the state dump: the thread waits, in its system call. */
#define DUMP_MODE_SYSCALL	2
#define DUMP_STATUS_WAIT	5

/* How a field is made of the record's field @from. */
enum lttng_how {
	LTTNG_END,
	LTTNG_S32,
	LTTNG_U32,
	LTTNG_S64,
	LTTNG_U64,
	LTTNG_X64,
	LTTNG_COMM,		/* the name of that thread */
	LTTNG_STATE,		/* TASK_* bits, preempted being runnable */
	LTTNG_PRIO,		/* 65535, for deadline, is -1 */
	LTTNG_SECTORS,		/* of so many bytes */
	LTTNG_ERROR,		/* of BLK_STS_* */
	LTTNG_AWAKE,		/* the state that stands for none */
	LTTNG_RWBS,		/* of the operation */
	LTTNG_SYMBOL,		/* the name of that function: the last field */
	LTTNG_TEXT,		/* a text: the last field */
};

struct lttng_field {
	enum lttng_how how;
	const char *name;
	const char *from;
};

struct lttng_event {
	const char *name;
	const char *theirs;
	struct lttng_field field[9];
};

static const struct lttng_event events[] = {
	{ "sched/switch", "sched_switch", {
		{ LTTNG_COMM, "prev_comm", "prev_tid" },
		{ LTTNG_S32, "prev_tid", "prev_tid" },
		{ LTTNG_PRIO, "prev_prio", "prev_prio" },
		{ LTTNG_STATE, "prev_state", "prev_state" },
		{ LTTNG_COMM, "next_comm", "next_tid" },
		{ LTTNG_S32, "next_tid", "next_tid" },
		{ LTTNG_PRIO, "next_prio", "next_prio" } } },
	{ "sched/wakeup", "sched_wakeup", {
		{ LTTNG_COMM, "comm", "tid" }, { LTTNG_S32, "tid", "tid" },
		{ LTTNG_PRIO, "prio", "prio" }, { LTTNG_S32, "target_cpu", "target" } } },
	{ "sched/wakeup_new", "sched_wakeup_new", {
		{ LTTNG_COMM, "comm", "tid" }, { LTTNG_S32, "tid", "tid" },
		{ LTTNG_PRIO, "prio", "prio" }, { LTTNG_S32, "target_cpu", "target" } } },
	{ "sched/migrate", "sched_migrate_task", {
		{ LTTNG_COMM, "comm", "tid" }, { LTTNG_S32, "tid", "tid" },
		{ LTTNG_S32, "orig_cpu", "from" }, { LTTNG_S32, "dest_cpu", "to" } } },
	{ "process/fork", "sched_process_fork", {
		{ LTTNG_COMM, "parent_comm", "parent_tid" },
		{ LTTNG_S32, "parent_tid", "parent_tid" },
		{ LTTNG_COMM, "child_comm", "child_tid" },
		{ LTTNG_S32, "child_tid", "child_tid" },
		{ LTTNG_S32, "child_pid", "child_tgid" } } },
	{ "process/exec", "sched_process_exec", {
		{ LTTNG_S32, "tid", "tid" }, { LTTNG_S32, "old_tid", "old_tid" },
		{ LTTNG_TEXT, "filename", "filename" } } },
	{ "process/exit", "sched_process_exit", {
		{ LTTNG_COMM, "comm", "tid" }, { LTTNG_S32, "tid", "tid" } } },
	{ "process/reap", "sched_process_free", {
		{ LTTNG_COMM, "comm", "tid" }, { LTTNG_S32, "tid", "tid" } } },
	{ "irq/entry", "irq_handler_entry", {
		{ LTTNG_S32, "irq", "irq" }, { LTTNG_SYMBOL, "name", "handler" } } },
	{ "irq/exit", "irq_handler_exit", {
		{ LTTNG_S32, "irq", "irq" }, { LTTNG_S32, "ret", "ret" } } },
	{ "irq/softirq_raise", "irq_softirq_raise", { { LTTNG_U32, "vec", "vec" } } },
	{ "irq/softirq_entry", "irq_softirq_entry", { { LTTNG_U32, "vec", "vec" } } },
	{ "irq/softirq_exit", "irq_softirq_exit", { { LTTNG_U32, "vec", "vec" } } },
	{ "timer/hrtimer_start", "timer_hrtimer_start", {
		{ LTTNG_X64, "hrtimer", "timer" }, { LTTNG_X64, "function", "function" },
		{ LTTNG_S64, "expires", "expires" },
		{ LTTNG_S64, "softexpires", "expires" } } },
	{ "timer/hrtimer_cancel", "timer_hrtimer_cancel", {
		{ LTTNG_X64, "hrtimer", "timer" } } },
	{ "timer/hrtimer_expire_entry", "timer_hrtimer_expire_entry", {
		{ LTTNG_X64, "hrtimer", "timer" }, { LTTNG_S64, "now", "now" },
		{ LTTNG_X64, "function", "function" } } },
	{ "timer/hrtimer_expire_exit", "timer_hrtimer_expire_exit", {
		{ LTTNG_X64, "hrtimer", "timer" } } },
	{ "mm/page_alloc", "kmem_mm_page_alloc", {
		{ LTTNG_U64, "pfn", "pfn" }, { LTTNG_U32, "order", "order" },
		{ LTTNG_U32, "gfp_flags", "gfp" } } },
	{ "mm/page_free", "kmem_mm_page_free", {
		{ LTTNG_U64, "pfn", "pfn" }, { LTTNG_U32, "order", "order" } } },
	{ "block/insert", "block_rq_insert", {
		{ LTTNG_U32, "dev", "dev" }, { LTTNG_U64, "sector", "sector" },
		{ LTTNG_SECTORS, "nr_sector", "size" }, { LTTNG_U32, "bytes", "size" },
		{ LTTNG_RWBS, "rwbs", "opf" } } },
	{ "block/issue", "block_rq_issue", {
		{ LTTNG_U32, "dev", "dev" }, { LTTNG_U64, "sector", "sector" },
		{ LTTNG_SECTORS, "nr_sector", "size" }, { LTTNG_U32, "bytes", "size" },
		{ LTTNG_RWBS, "rwbs", "opf" } } },
	{ "block/complete", "block_rq_complete", {
		{ LTTNG_U32, "dev", "dev" }, { LTTNG_U64, "sector", "sector" },
		{ LTTNG_SECTORS, "nr_sector", "size" }, { LTTNG_ERROR, "error", "status" },
		{ LTTNG_RWBS, "rwbs", "op" } } },
	{ "power/idle_begin", "power_cpu_idle", {
		{ LTTNG_U32, "state", "state" }, { LTTNG_U32, "cpu_id", "cpu" } } },
	{ "power/idle_end", "power_cpu_idle", {
		{ LTTNG_AWAKE, "state", "cpu" }, { LTTNG_U32, "cpu_id", "cpu" } } },
	{ "power/frequency", "power_cpu_frequency", {
		{ LTTNG_U32, "state", "khz" }, { LTTNG_U32, "cpu_id", "cpu" } } },
};

/**
 * struct lttng - what is being written
 * @out: where to
 * @payload: the record's
 * @meta: the metadata's text, made at the end, as it has what there was only
 * @dumped: the state dump was written
 * @table: which events of the table there are
 * @syscall: which system calls, by number, and of those compat, and exit
 */
struct lttng {
	struct ctfout *out;
	struct text payload;
	struct text meta;
	bool dumped;
	bool table[ARRAY_SIZE(events)];
	bool syscall[SYSCALLS][2][2];
};

/* Metadata. */

static void put_meta(struct lttng *s, const char *text)
{
	text_need(&s->meta, strlen(text));
	text_string(&s->meta, text);
}

/* The parts of the format that do not depend on the trace. */
static const char types[] =
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 16; signed = false; } := u16;\n"
	"typealias integer { size = 32; align = 32; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 64; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 32; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 64; signed = true; } := s64;\n"
	"typealias integer { size = 64; align = 64; signed = false; base = 16; } := x64;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := utf8;\n";

static const char stream[] =
	"typealias integer { size = 32; align = 32; signed = false; map = clock.monotonic.value; } := ts32;\n"
	"typealias integer { size = 64; align = 64; signed = false; map = clock.monotonic.value; } := ts64;\n"
	"typealias integer { size = 64; align = 32; signed = false; map = clock.monotonic.value; } := ts64h;\n"
	"typealias integer { size = 64; align = 128; signed = false; map = clock.monotonic.value; } := ts64a;\n"
	"stream {\n"
	"	id = 0;\n"
	"	packet.context := struct {\n"
	"		u64 packet_seq_num;\n"
	"		u32 cpu_id;\n"
	"		ts64a timestamp_begin;\n"
	"		ts64 timestamp_end;\n"
	"		u64 content_size;\n"
	"		u64 packet_size;\n"
	"		u64 events_discarded;\n"
	"	};\n"
	"	event.header := struct {\n"
	"		enum : u16 { compact = 0 ... 65534, extended = 65535 } id;\n"
	"		variant <id> {\n"
	"			struct { ts32 timestamp; } compact;\n"
	"			struct { u32 id; ts64h timestamp; } extended;\n"
	"		} v;\n"
	"	} align(64);\n"
	"};\n";

static void put_head(struct convert *c)
{
	const struct metadata *m = c->view.m;
	struct lttng *s = c->state;
	char uuid[40];
	char *text;

	uuid_text(m->uuid, uuid);
	put_meta(s, "/* CTF 1.8 */\n");
	put_meta(s, types);
	text = xasprintf("trace {\n"
		"	major = 1; minor = 8; byte_order = le;\n"
		"	uuid = \"%s\";\n"
		"	packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };\n"
		"};\n"
		"env {\n"
		"	domain = \"kernel\"; sysname = \"Linux\"; kernel_release = \"%s\";\n"
		"	tracer_name = \"lttng-modules\"; tracer_major = 2; tracer_minor = 13;\n"
		"	lkst_version = \"" LKST_VERSION "\";\n"
		"};\n"
		"clock {\n"
		"	name = \"monotonic\"; uuid = \"%s\";\n"
		"	freq = %llu; offset_s = %lld; offset = %llu;\n"
		"};\n", uuid, m->release ? m->release : "", uuid, m->hz, m->offset_s,
		m->offset);
	put_meta(s, text);
	free(text);
	put_meta(s, stream);
}

static void put_event(struct lttng *s, u32 id, const char *prefix, const char *name)
{
	char *text = xasprintf("event {\n\tid = %u; name = \"%s%s\"; stream_id = 0;\n"
			       "\tfields := struct {\n", id, prefix, name);

	put_meta(s, text);
	free(text);
}

/* LTTng's names begin with a line, so that they cannot be words of the language. */
static void put_declaration(struct lttng *s, const char *type, const char *name,
			    const char *array)
{
	char *text = xasprintf("\t\t%s _%s%s;\n", type, name, array);

	put_meta(s, text);
	free(text);
}

static void put_close(struct lttng *s)
{
	put_meta(s, "\t};\n};\n");
}

static const char *type_name(enum lttng_how how)
{
	switch (how) {
	case LTTNG_S32:
	case LTTNG_PRIO:
	case LTTNG_ERROR:
		return "s32";
	case LTTNG_S64:
	case LTTNG_STATE:
		return "s64";
	case LTTNG_U64:
		return "u64";
	case LTTNG_X64:
		return "x64";
	case LTTNG_COMM:
		return "utf8";
	case LTTNG_SYMBOL:
	case LTTNG_TEXT:
		return "string";
	default:
		return "u32";
	}
}

static void declare_table(struct lttng *s)
{
	const struct lttng_field *f;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		if (!s->table[i])
			continue;
		put_event(s, ID_TABLE + i, "", events[i].theirs);
		for (f = events[i].field; f->how; f++)
			put_declaration(s, type_name(f->how), f->name,
					f->how == LTTNG_COMM ? "[16]" : "");
		put_close(s);
	}
}

static u32 syscall_id(u32 nr, bool compat, bool exit)
{
	return ID_SYSCALL + nr * 4 + compat * 2 + exit;
}

static void declare_syscalls(struct lttng *s)
{
	static const char *const prefix[2][2] = {
		{ "syscall_entry_", "syscall_exit_" },
		{ "compat_syscall_entry_", "compat_syscall_exit_" },
	};
	u32 nr, k;

	for (nr = 0; nr < SYSCALLS; nr++) {
		for (k = 0; k < 4; k++) {
			if (!s->syscall[nr][k / 2][k % 2])
				continue;
			put_event(s, syscall_id(nr, k / 2, k % 2),
				  prefix[k / 2][k % 2], values_syscall(nr, k / 2));
			put_declaration(s, k % 2 ? "s64" : "x64", k % 2 ? "ret" : "arg0", "");
			put_close(s);
		}
	}
}

static void declare_dump(struct lttng *s)
{
	static const char *const numbers[] = {
		"tid", "pid", "ppid", "vtid", "vpid", "vppid", "type", "mode",
		"submode", "status", "ns_level", "cpu",
	};
	size_t i;

	put_event(s, ID_DUMP_START, "", "lttng_statedump_start");
	put_close(s);
	put_event(s, ID_DUMP_TASK, "", "lttng_statedump_process_state");
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		put_declaration(s, "s32", numbers[i], "");
	put_declaration(s, "utf8", "name", "[16]");
	put_close(s);
	put_event(s, ID_DUMP_END, "", "lttng_statedump_end");
	put_close(s);
}

/* The type of a field as it was in the trace's own metadata. */
static void put_type(struct lttng *s, const struct field *f)
{
	char *text = xasprintf("\t\tinteger { size = %u; align = %u; signed = %s; base = %u;%s } ",
			       f->size * 8, f->align * 8,
			       f->is_signed ? "true" : "false", f->base,
			       f->is_text ? " encoding = UTF8;" : "");

	put_meta(s, text);
	free(text);
}

/* A name without the line that keeps it from being a word of the language. */
static const char *plain(const struct field *f)
{
	return f->name + (f->name[0] == '_');
}

/* All others, as they are. */
static void declare_others(struct convert *c)
{
	struct lttng *s = c->state;
	const struct event *e;
	const struct field *f;
	char *text, *bar;
	u32 id, i;

	for (id = 0; id < c->view.m->nr_events; id++) {
		e = c->view.m->event[id];
		if (!e || ID_OTHER + id > ID_MAX)
			continue;
		text = xstrdup(e->name);
		bar = strchr(text, '/');
		if (bar)
			*bar = '_';
		put_event(s, ID_OTHER + id, "lkst_", text);
		free(text);
		for (i = 0; i < e->nr_fields; i++) {
			f = &e->fields[i];
			put_type(s, f);
			if (f->kind == FIELD_INTEGER)
				text = xasprintf("_%s;\n", plain(f));
			else if (f->kind == FIELD_ARRAY)
				text = xasprintf("_%s[%u];\n", plain(f), f->count);
			else
				text = xasprintf("_%s[_%s];\n", plain(f), plain(f - 1));
			put_meta(s, text);
			free(text);
		}
		put_close(s);
	}
}

/* Records. */

static void put_bytes(struct lttng *s, const void *bytes, size_t n)
{
	if (!n)
		return;
	text_need(&s->payload, n);
	text_bytes(&s->payload, bytes, n);
}

static void put_number(struct lttng *s, u64 v, size_t size)
{
	while (s->payload.len % size)
		put_bytes(s, "", 1);
	put_bytes(s, &v, size);
}

static void put_string(struct lttng *s, const void *text, size_t n)
{
	put_bytes(s, text, n);
	put_bytes(s, "", 1);
}

/* Read is 4, and write 1 alone is odd. */
static u64 to_rwbs(u64 opf)
{
	switch (opf & 0xff) {
	case 0:
		return 4;
	case 3:
		return 2;
	default:
		return opf & 1;
	}
}

/* BLK_STS_* of 6.12's include/linux/blk_types.h as block/blk-core.c has them. */
static int to_errno(u64 status)
{
	static const int errnos[] = {
		0, EOPNOTSUPP, ETIMEDOUT, ENOSPC, ENOLINK, EREMOTEIO, EBADE, ENODATA,
		EILSEQ, ENOMEM, EIO, EREMCHG, EAGAIN, EBUSY, ETOOMANYREFS, EOVERFLOW,
		ENODEV, ETIME, EIO, EINVAL,
	};

	return status < ARRAY_SIZE(errnos) ? errnos[status] : EIO;
}

static void put_value(struct convert *c, const struct merge_item *i,
		      const struct event *e, const struct lttng_field *f)
{
	u64 v = convert_number(e, &i->record, f->from);
	struct lttng *s = c->state;
	char comm[LKST_COMM_SIZE];
	struct text name = { };
	const u8 *text;
	size_t len = 0;

	switch (f->how) {
	case LTTNG_COMM:
		convert_comm(c, v, i->cpu, comm);
		put_bytes(s, comm, sizeof(comm));
		break;
	case LTTNG_TEXT:
		text = record_text(e, &i->record, f->from, &len);
		put_string(s, text, text ? strnlen((const char *)text, len) : 0);
		break;
	case LTTNG_SYMBOL:
		convert_symbol(c, v, &name);
		put_string(s, name.buf, name.len);
		free(name.buf);
		break;
	case LTTNG_STATE:
		put_number(s, v & 0xffff, 8);
		break;
	case LTTNG_PRIO:
		put_number(s, v == 0xffff ? ~0ull : v, 4);
		break;
	case LTTNG_SECTORS:
		put_number(s, v / 512, 4);
		break;
	case LTTNG_ERROR:
		put_number(s, -(u64)to_errno(v), 4);
		break;
	case LTTNG_AWAKE:
		put_number(s, 0xffffffff, 4);
		break;
	case LTTNG_RWBS:
		put_number(s, to_rwbs(v), 4);
		break;
	default:
		put_number(s, v, f->how == LTTNG_S32 || f->how == LTTNG_U32 ? 4 : 8);
	}
}

static void write_record(struct convert *c, const struct merge_item *i, u32 id)
{
	struct lttng *s = c->state;
	struct ctfout_record r = {
		i->cpu, i->tid, i->tid, i->time, id, s->payload.buf, s->payload.len, true,
	};

	ctfout_record(s->out, &r);
	s->payload.len = 0;
}

/* A system call by its name; false where it has none. */
static bool write_syscall(struct convert *c, const struct merge_item *i,
			  const struct event *e)
{
	bool exit = !strcmp(e->name, "syscall/exit");
	u64 nr = convert_number(e, &i->record, "nr");
	bool compat = convert_number(e, &i->record, "compat");
	struct lttng *s = c->state;

	if (!exit && strcmp(e->name, "syscall/enter"))
		return false;
	if (nr >= SYSCALLS || !values_syscall(nr, compat))
		return false;
	s->syscall[nr][compat][exit] = true;
	put_number(s, convert_number(e, &i->record, exit ? "ret" : "arg0"), 8);
	write_record(c, i, syscall_id(nr, compat, exit));
	return true;
}

static bool write_known(struct convert *c, const struct merge_item *i,
			const struct event *e)
{
	struct lttng *s = c->state;
	const struct lttng_field *f;
	size_t k;

	for (k = 0; k < ARRAY_SIZE(events); k++)
		if (!strcmp(events[k].name, e->name))
			break;
	if (k == ARRAY_SIZE(events))
		return false;
	s->table[k] = true;
	for (f = events[k].field; f->how; f++)
		put_value(c, i, e, f);
	write_record(c, i, ID_TABLE + k);
	return true;
}

/* What is where the state dump is. */
struct state_dump {
	struct convert *c;
	const struct merge_item *i;
};

static void dump_task(const struct who *who, void *arg)
{
	u32 tgid = who->tgid ? who->tgid : who->tid;
	s32 numbers[12] = {
		who->tid, tgid, 0, who->tid, tgid, 0, 0, DUMP_MODE_SYSCALL,
		0, DUMP_STATUS_WAIT, 0, 0,
	};
	struct state_dump *d = arg;
	struct lttng *s = d->c->state;

	put_bytes(s, numbers, sizeof(numbers));
	put_bytes(s, who->comm, sizeof(who->comm));
	write_record(d->c, d->i, ID_DUMP_TASK);
}

static void dump_state(struct convert *c, const struct merge_item *i)
{
	struct lttng *s = c->state;
	struct state_dump d = { c, i };

	s->dumped = true;
	write_record(c, i, ID_DUMP_START);
	names_all(c->view.names, dump_task, &d);
	write_record(c, i, ID_DUMP_END);
}

static bool lttng_begin(struct convert *c)
{
	struct lttng *s = xcalloc(1, sizeof(*s));

	c->state = s;
	s->out = ctfout_new(c->path, c->view.m->uuid, false);
	text_need(&s->payload, 256);
	return true;
}

static void lttng_item(struct convert *c, const struct merge_item *i, struct event *e)
{
	u32 strange[2] = { i->record.id };
	struct lttng *s = c->state;

	if (i->kind == ITEM_LOST) {
		ctfout_lost(s->out, i->cpu, i->tid, i->time, i->count);
		return;
	}
	if (i->kind != ITEM_RECORD) {
		ctfout_missing(s->out, i->cpu, i->count);
		return;
	}
	if (!s->dumped)
		dump_state(c, i);
	if (!e || !record_fits(c->view.m, &i->record) || ID_OTHER + e->id > ID_MAX) {
		put_bytes(s, strange, sizeof(strange));
		write_record(c, i, ID_OTHER + LKST_ID_UNFINISHED);
		return;
	}
	if (write_syscall(c, i, e) || write_known(c, i, e))
		return;
	put_bytes(s, i->record.payload, i->record.size);
	write_record(c, i, ID_OTHER + e->id);
}

static void lttng_end(struct convert *c)
{
	struct lttng *s = c->state;

	ctfout_end(s->out);
	put_head(c);
	declare_dump(s);
	declare_table(s);
	declare_syscalls(s);
	declare_others(c);
	convert_file(c, METADATA_FILE, s->meta.buf, s->meta.len);
	free(s->payload.buf);
	free(s->meta.buf);
	free(s);
}

const struct converter to_lttng = {
	.name = "lttng",
	.is_dir = true,
	.begin = lttng_begin,
	.item = lttng_item,
	.end = lttng_end,
};
