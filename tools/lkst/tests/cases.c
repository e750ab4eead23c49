// SPDX-License-Identifier: GPL-2.0
/*
 * What is in the synthetic dumps: a writer that fills rings by the rules of the
 * kernel's, without its concurrency, and the cases made with it.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "mkdump.h"
#include "symbols.h"

enum {
	EV_UNFINISHED, EV_SWITCH, EV_FORK, EV_RENAME, EV_OPEN, EV_ARGS, EV_SEQ,
	EV_MARK, EV_EXEC, EV_LONG, EV_TIMER, EV_STACK, EV_UNKNOWN,
	EV_EXIT,
};

static const char body[] =
	"typealias integer { size = 32; align = 32; signed = false; map = clock.lkst.value; } := ts32;\n"
	"typealias integer { size = 64; align = 64; signed = false; map = clock.lkst.value; } := ts64;\n"
	"typealias integer { size = 64; align = 32; signed = false; map = clock.lkst.value; } := ts64h;\n"
	"typealias integer { size = 64; align = 128; signed = false; map = clock.lkst.value; } := ts64a;\n"
	"stream { id = 0;\n"
	"	packet.context := struct { u64 packet_seq_num; u32 cpu_id; ts64a timestamp_begin;\n"
	"		ts64 timestamp_end; u64 content_size; u64 packet_size; u64 events_discarded; };\n"
	"	event.header := struct { enum : u16 { compact = 0 ... 65534, extended = 65535 } id;\n"
	"		variant <id> { struct { ts32 timestamp; } compact; struct { u32 id; ts64h timestamp; } extended; } v; } align(64);\n"
	"};\n"
	"event { id = 0; name = \"lkst_unfinished\"; stream_id = 0; fields := struct { u32 _event; u32 __fill_len; u8 fill[__fill_len]; }; };\n"
	"event { id = 1; name = \"sched_switch\"; stream_id = 0; fields := struct {\n"
	"	s32 prev_tid; /* a thread * that leaves / */\n"
	"	s32 next_tid; /* thread that comes; \"quoted\" { braces } */\n"
	"	x32 prev_state; u16 prev_prio; u16 next_prio; }; };\n"
	"event { id = 2; name = \"process_fork\"; stream_id = 0; fields := struct { s32 parent_tid; s32 child_tid; s32 child_tgid; s32 child_ns_tid; utf8 comm[16]; }; };\n"
	"event { id = 3; name = \"process_rename\"; stream_id = 0; fields := struct { s32 tid; s32 tgid; utf8 comm[16]; }; };\n"
	"event { id = 4; name = \"fs_open\"; stream_id = 0; fields := struct { x32 flags; u32 __filename_len; utf8 filename[__filename_len]; }; };\n"
	"event { id = 5; name = \"syscall_args\"; stream_id = 0; fields := struct { s32 nr; u32 compat; x64 arg[6]; }; };\n"
	"event { id = 6; name = \"test_seq\"; stream_id = 0; fields := struct { u64 value; s64 minus; }; };\n"
	"event { id = 7; name = \"test_mark\"; stream_id = 0; fields := struct { }; };\n"
	"event { id = 8; name = \"process_exec\"; stream_id = 0; fields := struct { s32 tid; s32 old_tid; s32 ns_tid; u32 __filename_len; utf8 filename[__filename_len]; }; };\n"
	"event { id = 9; name = \"test_long\"; stream_id = 0; fields := struct { u16 a; s16 b;\n"
	"	enum : u32 { zero = 0, few = 1 ... 9, many = 10 } how;\n"
	"	u8 c; u8 _event; u16 d; u32 e; }; };\n"
	"typealias integer { size = 32; align = 32; signed = true; base = 16; } := sx32;\n"
	"event { id = 10; name = \"timer_start\"; stream_id = 0; fields := struct {\n"
	"	x64 function; x64 data; u64 number; sx32 low; u32 pad; }; };\n"
	"event { id = 11; name = \"lkst_stack\"; stream_id = 0; fields := struct {\n"
	"	u32 id; u32 __frame_len; x64 frame[__frame_len]; }; };\n"
	"event { id = 12; name = \"lkst_threads_unknown\"; stream_id = 0;\n"
	"	fields := struct { s32 tid; u32 why; }; };\n"
	"event { id = 13; name = \"syscall_exit\"; stream_id = 0;\n"
	"	fields := struct { s32 nr; u32 compat; s64 ret; }; };\n";

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 16; signed = false; } := u16;\n"
	"typealias integer { size = 16; align = 16; signed = true; } := s16;\n"
	"typealias integer { size = 32; align = 32; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 64; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 32; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 64; signed = true; } := s64;\n"
	"typealias integer { size = 32; align = 32; signed = false; base = 16; } := x32;\n"
	"typealias integer { size = 64; align = 64; signed = false; base = 16; } := x64;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := utf8;\n"
	"trace { major = 1; minor = 8; uuid = \"%s\"; byte_order = le;\n"
	"	packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; }; };\n"
	"env { domain = \"kernel\"; tracer_name = \"lkst\"; tracer_major = 1; tracer_minor = 0;\n"
	"	release = \"" RELEASE "\"; buffer = \"%s\"; };\n"
	"clock { name = \"lkst\"; freq = %llu; offset_s = 1700000000; offset = 0; };\n";

#define PACKET_WORDS	(sizeof(struct lkst_packet) / 8)

static struct options *opt;
static u8 boot_id[16];

struct buffer {
	u64 info;
	u32 incarnation;
};

/* One record that was reserved, to tell later which are still there. */
struct written {
	u64 seq;
	u64 time;
	u64 value;
};

struct ring {
	struct lkst_ring *r;
	u64 now;
	u32 tid;
	struct written *written;
	u64 nr;
	u64 room;
};

/* Options of a record. */
#define UNFINISHED	1
#define TIME_MISSING	2

static struct lkst_packet *packet(struct ring *g, u64 seq)
{
	u32 n = seq % g->r->nr_packets;
	u64 *table = at(g->r->table[n / LKST_TABLE_ENTRIES]);

	return at(table[n % LKST_TABLE_ENTRIES]);
}

static void begin_packet(struct ring *g, u64 seq)
{
	struct lkst_packet *p = packet(g, seq);

	p->magic = LKST_PACKET_MAGIC;
	memcpy(p->uuid, g->r->uuid, sizeof(p->uuid));
	p->stream = 0;
	p->tid = g->tid;
	p->reserved = 0;
	p->seq = seq;
	p->cpu = g->r->cpu;
	p->begin = g->now;
	p->end = 0;
	p->content_size = 0;
	p->packet_size = g->r->packet_size * 8ull;
	p->discarded = g->r->lost;
}

static void close_packet(struct ring *g, u64 seq)
{
	struct lkst_packet *p = packet(g, seq);

	p->reserved = g->r->pos & 0xffff;
	p->content_size = (g->r->pos >> 16 & 0xffff) * 64;
	p->discarded = g->r->lost;
	p->end = g->now;
	g->r->closed += p->reserved;
}

/* A packet switch; false when the next packet is not free. */
static bool switch_packet(struct ring *g)
{
	struct lkst_ring *r = g->r;
	u64 next = r->packets + 1;

	if ((r->oldest && next - (r->oldest - 1) >= r->nr_packets) ||
	    (r->flags & LKST_RING_DISCARD &&
	     next >= r->read + r->nr_packets))
		return false;
	if (next >= r->nr_packets) {
		r->limit = next - r->nr_packets + 1;
		if (!(r->flags & LKST_RING_DISCARD))
			r->overwritten += packet(g, next)->reserved;
	}
	begin_packet(g, next);
	close_packet(g, next - 1);
	r->packets = next;
	r->pos = next << 32 | (u64)PACKET_WORDS << 16;
	return true;
}

static void remember(struct ring *g, u64 value)
{
	if (g->nr == g->room) {
		g->room = g->room ? g->room * 2 : 64;
		g->written = realloc(g->written, g->room * sizeof(*g->written));
	}
	g->written[g->nr++] = (struct written){ g->r->packets, g->now, value };
}

/* Write a record at the ring's time. */
static void record(struct ring *g, u32 id, const void *payload, u32 size,
		   u32 flags)
{
	struct lkst_ring *r = g->r;
	bool extended = g->now - r->last >= 1ull << 32;
	u32 words = 1 + extended + size / 8, lap;
	u64 value = 0, *word;

	if ((r->pos >> 16 & 0xffff) + words > r->fit && !switch_packet(g)) {
		r->lost++;
		return;
	}
	word = (u64 *)packet(g, r->packets) + (r->pos >> 16 & 0xffff);
	lap = 1 + r->packets / r->nr_packets % LKST_RECORD_LAPS;
	*word = (extended ? LKST_ID_EXTENDED : id) | words << 16 | lap << 24 |
		(extended ? (u64)id : g->now & 0xffffffff) << 32;
	if (!(flags & UNFINISHED))
		*word |= LKST_RECORD_FINISHED;
	if (extended && !(flags & TIME_MISSING))
		word[1] = g->now;
	memcpy(word + 1 + extended, payload, size);
	r->pos += (u64)words << 16 | 1;
	if (!(flags & TIME_MISSING))
		r->last = g->now;
	memcpy(&value, payload, size < 8 ? size : 8);
	remember(g, value);
}

static void record_seq(struct ring *g, u64 step, u64 value)
{
	u64 payload[2] = { value, 0 - value };

	g->now += step;
	record(g, EV_SEQ, payload, sizeof(payload), 0);
}

static void record_switch(struct ring *g, u64 step, s32 prev, s32 next)
{
	struct { s32 prev, next; u32 state; u16 prio[2]; } payload = {
		prev, next, 0x402, { 120, 99 }
	};

	g->now += step;
	record(g, EV_SWITCH, &payload, sizeof(payload), 0);
	g->tid = next;
}

static void record_text(struct ring *g, u32 id, const u32 *before, int n,
			const char *text)
{
	u8 payload[512] = { };
	u32 len = (strlen(text) + 7) & ~7u;

	memcpy(payload, before, n * 4);
	memcpy(payload + n * 4, &len, 4);
	memcpy(payload + n * 4 + 4, text, strlen(text));
	record(g, id, payload, n * 4 + 4 + len, 0);
}

static void set_uuid(u8 *uuid, u32 incarnation)
{
	memcpy(uuid, boot_id, LKST_BOOT_ID_SIZE);
	memcpy(uuid + LKST_BOOT_ID_SIZE, &incarnation, 4);
}

static void set_head(struct lkst_buffer_info *info)
{
	char uuid[40];
	int i, n = 0;

	for (i = 0; i < LKST_UUID_SIZE; i++)
		n += sprintf(uuid + n, "%s%02x",
			     i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			     info->uuid[i]);
	info->head_size = sprintf((char *)info->head, head, uuid, info->name,
				  opt->hz);
}

static u64 make_buffer(const char *name, u32 incarnation, u32 packets, u32 size,
		       u32 flags)
{
	u64 pa = take("info", 4096, 4096);
	struct lkst_buffer_info *info = at(pa);

	info->magic = LKST_BUFFER_MAGIC;
	snprintf((char *)info->name, sizeof(info->name), "%s", name);
	set_uuid(info->uuid, incarnation);
	info->flags = flags;
	info->nr_rings = 4;
	info->packet_size = size;
	info->nr_packets = packets;
	info->table[0] = take("table", 4096, 4096);
	set_head(info);
	return pa;
}

static struct ring make_ring(u64 buffer, u32 cpu, u64 begin, u32 tid)
{
	struct lkst_buffer_info *info = at(buffer);
	u64 pa = take("ring", 4096, 4096), *table;
	struct lkst_ring *r = at(pa);
	struct ring g = { .r = r, .now = begin, .tid = tid };
	u32 i;

	((u64 *)at(info->table[0]))[cpu] = pa;
	r->magic = LKST_RING_MAGIC;
	r->cpu = cpu;
	r->flags = info->flags;
	r->nr_packets = info->nr_packets;
	r->packet_size = info->packet_size;
	memcpy(r->uuid, info->uuid, sizeof(r->uuid));
	r->fit = r->packet_size / 8 - 1;
	for (i = 0; i < r->nr_packets; i++) {
		if (i % LKST_TABLE_ENTRIES == 0)
			r->table[i / LKST_TABLE_ENTRIES] = take("table", 4096, 4096);
		table = at(r->table[i / LKST_TABLE_ENTRIES]);
		table[i % LKST_TABLE_ENTRIES] =
			take("packet", r->packet_size, r->packet_size);
	}
	r->last = begin;
	r->pos = PACKET_WORDS << 16;
	begin_packet(&g, 0);
	return g;
}

static void add_entry(u64 dir_pa, u32 valid, u64 pa, u64 size, u64 index)
{
	struct lkst_directory *dir = at(dir_pa);
	u32 i = 0;

	/* Not in order, and with free entries between. */
	while (dir->entry[i].valid)
		i += 3;
	dir->entry[i] = (struct lkst_dirent){ valid, 0, pa, size, index };
}

static u64 make_directory(void)
{
	u64 pa = take("directory", 4096, 4096);
	struct lkst_directory *dir = at(pa);

	dir->magic = LKST_DIRECTORY_MAGIC;
	dir->pa = pa;
	return pa;
}

static u32 body_text(char *text)
{
	int i, n = sprintf(text, LKST_BODY_MAGIC);

	for (i = 0; i < LKST_BOOT_ID_SIZE; i++)
		n += sprintf(text + n, "%02x", boot_id[i]);
	return n + sprintf(text + n, " */\n%s", body);
}

/* As the kernel does it. */
static void add_metadata(u64 dir)
{
	u64 pa = take("metadata", 8192, 4096);

	add_entry(dir, LKST_DIR_METADATA, pa, body_text(at(pa)), 0);
}

/* In two pieces, the second one first. */
static void add_split_metadata(u64 dir)
{
	static char text[8192];
	size_t first = 777, rest = body_text(text) - first;
	u64 a = take("metadata", first, 64), b = take("metadata", rest, 64);

	memcpy(at(a), text, first);
	memcpy(at(b), text + first, rest);
	add_entry(dir, LKST_DIR_METADATA, b, rest, 1);
	add_entry(dir, LKST_DIR_METADATA, a, first, 0);
}

static void add_tasks(u64 dir)
{
	static const struct lkst_task tasks[] = {
		{ 1, 1, 1, 1, "init" },
		{ 100, 100, 2, 1, "sh\n\033[1m\\x" },
		{ 200, 200, 5, 0, "gone" },
		{ 200, 201, 3, 1, "worker\303\2441" },
		{ 0, 0, 0, 0, "free" },
		{ 300, 100, 4, 1, "\377bad" },
		{ 300, 300, 9, 0, "dead" },
	};
	u64 pa = take("tasks", sizeof(tasks), 64);

	memcpy(at(pa), tasks, sizeof(tasks));
	add_entry(dir, LKST_DIR_TASKS, pa, sizeof(tasks), 0);
}

static u32 checksum(const void *buf, size_t n)
{
	const u8 *p = buf;
	u32 crc = ~0u;
	size_t bit;

	for (bit = 0; bit < n * 8; bit++) {
		crc ^= p[bit / 8] >> bit % 8 & 1;
		crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

static u64 make_descriptor(u64 dir, u64 current, u64 wall)
{
	u64 pa = take("descriptor", 4096, 4096);
	u64 state_pa = take("state", 4096, 4096);
	struct lkst_descriptor *d = at(pa);
	struct lkst_state *s = at(state_pa);

	s->clock = LKST_CLOCK_TSC;
	s->hz = opt->hz;
	s->pair_clock = opt->hz * 3;
	s->pair_wall_ns = 1700000003000000000ull;
	s->buffer = current;
	memcpy(s->maskset, "default", 8);
	memcpy(d->magic, LKST_DESCRIPTOR_MAGIC, LKST_MAGIC_SIZE);
	d->version = LKST_LAYOUT_VERSION;
	d->size = sizeof(*d);
	d->pa = pa;
	memcpy(d->boot_id, boot_id, sizeof(boot_id));
	d->wall_ns = wall;
	d->page_size = 4096;
	d->nr_cpus = 4;
	memcpy(d->release, RELEASE, sizeof(RELEASE));
	d->directory = dir;
	d->state = state_pa;
	d->crc = checksum(d, offsetof(struct lkst_descriptor, crc));
	return pa;
}

/* Say which records a reader has to find: those from the limit on. */
static void expect(struct ring *g)
{
	u64 i, oldest = g->r->limit;

	if (g->r->flags & LKST_RING_DISCARD && g->r->read > oldest)
		oldest = g->r->read;
	for (i = 0; opt->expect && i < g->nr; i++)
		if (g->written[i].seq >= oldest)
			fprintf(opt->expect, "%llu.%09llu cpu%u value=%llu\n",
				g->written[i].time / 1000000000,
				g->written[i].time % 1000000000, g->r->cpu,
				g->written[i].value);
	free(g->written);
}

/* The kernel's table of symbols. */

#define TEXT	0xffffffff81000000ull
/* Of a name that is made of six the length takes two bytes. */
#define LONG	"a_function_of_many_words_"

/* A byte that is no token of its own stands for two characters or more. */
static const char *token(int byte)
{
	static char one[2];

	if (byte == 1)
		return "process_";
	if (byte == 2)
		return "timeout";
	one[0] = byte > ' ' && byte < 0x7f ? byte : 0;
	return one;
}

static const struct {
	u64 at;
	const char *name;	/* its type, and the name in tokens */
} symbols[] = {
	{ 0, "Afixed_percpu_data" },
	{ TEXT, "Tstartup_64" },
	{ TEXT, "T_stext" },
	{ TEXT + 0x100, "t\1\2" },
	{ TEXT + 0x100, "t__alias" },
	{ TEXT + 0x200, "T" LONG LONG LONG LONG LONG LONG },
	{ TEXT + 0x400, "Wschedule" },
	{ TEXT + 0x800, "tunused" },
	{ TEXT + 0x900, "tunused_too" },
	{ TEXT + 0x1000, "T_etext" },
	{ TEXT + 0x2000, "dsome_data" },
	{ TEXT + 0x3000, "T_sinittext" },
	{ TEXT + 0x3040, "tsetup" },
	{ TEXT + 0x3100, "T_einittext" },
};

static u64 put_names(void)
{
	u64 pa = take("kallsyms_names", 1024, 8);
	u8 *to = at(pa);
	size_t i, n;

	for (i = opt->no_percpu; i < ARRAY_SIZE(symbols); i++) {
		n = strlen(symbols[i].name);
		*to++ = n > 0x7f ? n | 0x80 : n;
		if (n > 0x7f)
			*to++ = n >> 7;
		memcpy(to, symbols[i].name, n);
		to += n;
	}
	return pa;
}

static void put_tokens(u64 *table, u64 *index)
{
	u16 *offset;
	char *to;
	int i, n = 0;

	*table = take_behind("kallsyms_token_table", 512, 8);
	*index = take_behind("kallsyms_token_index", 512, 8);
	to = at(*table);
	offset = at(*index);
	for (i = 0; i < 256; i++) {
		offset[i] = n;
		n += sprintf(to + n, "%s", token(i)) + 1;
	}
}

static u64 put_offsets(u64 base)
{
	u64 pa = take_behind("kallsyms_offsets", 64, 8);
	u32 *to = at(pa), i;

	for (i = opt->no_percpu; i < ARRAY_SIZE(symbols); i++)
		*to++ = opt->no_percpu ? symbols[i].at - base :
			symbols[i].at < base ? symbols[i].at : base - 1 - symbols[i].at;
	return pa;
}

/* Only phys_base tells where in memory the kernel's image is. */
static void add_symbols(void)
{
	u64 names = put_names(), nr, base, table, index, offsets, phys_base, shift;

	nr = take_behind("kallsyms_num_syms", 4, 8);
	*(u32 *)at(nr) = ARRAY_SIZE(symbols) - opt->no_percpu;
	base = take_behind("kallsyms_relative_base", 8, 8);
	*(u64 *)at(base) = TEXT;
	put_tokens(&table, &index);
	offsets = put_offsets(TEXT);
	phys_base = names - 0x1004000;
	shift = KERNEL_MAP - phys_base;
	snprintf(opt->symbols, sizeof(opt->symbols),
		 "SYMBOL(kallsyms_names)=%llx\nSYMBOL(kallsyms_num_syms)=%llx\n"
		 "SYMBOL(kallsyms_token_table)=%llx\nSYMBOL(kallsyms_token_index)=%llx\n"
		 "SYMBOL(kallsyms_offsets)=%llx\nSYMBOL(kallsyms_relative_base)=%llx\n"
		 "NUMBER(phys_base)=%lld\n",
		 names + shift, nr + shift, table + shift, index + shift,
		 offsets + shift, base + shift, phys_base);
}

/* The cases: each makes its rings in a buffer, and returns. */

static void case_kinds(u64 b)
{
	struct ring g0 = make_ring(b, 0, 1000000, 100);
	struct ring g2 = make_ring(b, 2, 1000500, 0);
	struct { s32 tid[4]; char comm[16]; } fork = { { 100, 400, 400, 4 }, "new one" };
	struct { s32 tid[2]; char comm[16]; } rename = { { 400, 400 }, "\"x\"" };
	struct { s32 nr; u32 compat; u64 arg[6]; } args = {
		-1, 0, { 0, 1, 0xffffffffffffffffull, 16, 0xabcdef, 5 }
	};
	struct { u16 a; s16 b; u32 how; u8 c, event; u16 d; u32 e; } other = {
		65535, -32768, 5, 255, 7, 9, 4000000000u
	};
	static const u32 flags = 0x8241;
	static const u32 exec[] = { 400, 400, 4 };

	record_seq(&g0, 1000, 7);
	record_switch(&g2, 1000, 0, 200);
	g0.now += 1000;
	record(&g0, EV_FORK, &fork, sizeof(fork), 0);
	record_switch(&g0, 1000, 100, 400);
	g0.now += 10;
	record(&g0, EV_RENAME, &rename, sizeof(rename), 0);
	g0.now += 10;
	record_text(&g0, EV_OPEN, &flags, 1, "/etc/\001\"q\"\\\377\303\244");
	g0.now += 10;
	record(&g0, EV_ARGS, &args, sizeof(args), 0);
	g0.now += 10;
	record_text(&g0, EV_EXEC, exec, 3, "/usr/bin/true");
	g0.now += 10;
	record(&g0, EV_MARK, &args, 0, 0);
	g2.now += 1000000000;
	record(&g2, EV_LONG, &other, sizeof(other), 0);
}

/*
 * A record of an event that the metadata does not have, one too short, two too
 * long, and a text that says that it is longer.
 */
static void case_strange(u64 b)
{
	struct ring g = make_ring(b, 0, 1000000, 100);
	u64 payload[3] = { 5, 6, 7 };
	u32 text[4] = { 0, 100, 0x6f6f6f6f, 0x6f6f6f6f };

	record_seq(&g, 1000, 1);
	record(&g, 77, payload, 16, 0);
	record(&g, EV_SEQ, payload, 8, 0);
	record(&g, EV_MARK, payload, 8, 0);
	record(&g, EV_SEQ, payload, 24, 0);
	record(&g, EV_OPEN, text, sizeof(text), 0);
	g.now += 1ull << 33;
	record(&g, 77, payload, 16, 0);
	record_seq(&g, 10, 2);
	/* Without room for another event's fields: the packet ends before it. */
	g = make_ring(b, 1, 1000000, 100);
	record_seq(&g, 1000, 3);
	record(&g, 77, payload, 0, 0);
	record_seq(&g, 10, 4);
}

static void case_wrap(u64 b)
{
	struct ring g[3];
	u64 i, n = opt->records ? opt->records : 5000;
	u32 cpu;

	for (cpu = 0; cpu < 3; cpu++)
		g[cpu] = make_ring(b, cpu, 5000 + cpu, 100 * cpu);
	for (i = 0; i < n; i++)
		record_seq(&g[(i * 7 + i / 11) % 3], 1 + i * i % 97, i);
	for (cpu = 0; cpu < 3; cpu++)
		expect(&g[cpu]);
}

/* The 32-bit time wraps; and gaps that only an extended record can tell. */
static void case_times(u64 b)
{
	struct ring g = make_ring(b, 0, 0xfffffff0ull, 100);
	u64 i;

	for (i = 0; i < 600; i++)
		record_seq(&g, i % 5 == 4 ? (3ull << 32) + i : 0xf0000001ull, i);
	expect(&g);
}

static void case_unfinished(u64 b)
{
	struct ring g = make_ring(b, 0, 1000, 100);
	struct ring h = make_ring(b, 1, 2000, 200);
	u64 payload[3] = { 0x1111, 0x2222, 0x3333 };
	u64 gap = 1ull << 33;

	record_seq(&g, 10, 1);
	g.now += 10;
	record(&g, EV_SEQ, payload, 16, UNFINISHED);
	g.now += 10;
	record(&g, EV_MARK, payload, 0, UNFINISHED);
	record_seq(&g, 10, 2);
	g.now += gap;
	record(&g, EV_SEQ, payload, 24, UNFINISHED);
	g.now += 10;
	record_seq(&g, 10, 3);
	/* The time is not there yet, and what nests in it is extended too. */
	h.now += gap;
	record(&h, EV_SEQ, payload, 16, UNFINISHED | TIME_MISSING);
	record_seq(&h, 10, 4);
	h.now += 10;
	record(&h, EV_SEQ, payload, 8, UNFINISHED);
}

static void case_discard(u64 b)
{
	struct ring g = make_ring(b, 1, 1000, 100);
	struct ring h = make_ring(b, 0, 1000, 100);
	u64 i, seq;

	((struct lkst_buffer_info *)at(b))->flags = LKST_RING_DISCARD;
	g.r->flags = LKST_RING_DISCARD;
	h.r->flags = LKST_RING_DISCARD;
	/* One that was read while there was room, and is not full. */
	for (i = 0; i < 450; i++)
		record_seq(&h, 10, i);
	h.r->consumed = packet(&h, 0)->reserved;
	h.r->read = 1;
	expect(&h);
	for (i = 0; i < 400; i++)
		record_seq(&g, 10, i);
	for (seq = 0; seq < 2; seq++)
		g.r->consumed += packet(&g, seq)->reserved;
	g.r->read = 2;
	for (; i < 2000; i++)
		record_seq(&g, 10, i);
	expect(&g);
}

/* Packets that are full to the end, of records whose length is in them. */
static void case_texts(u64 b)
{
	static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	struct ring g = make_ring(b, 0, 1000, 100);
	u32 i;

	for (i = 0; i < 500; i++) {
		g.now += 10;
		record_text(&g, EV_OPEN, &i, 1, text + i % 32);
	}
}

/* Records are lost while the outermost writer holds the oldest packet. */
static void case_lost(u64 b)
{
	struct ring g = make_ring(b, 0, 1000, 100);
	u64 i;

	for (i = 0; i < 300; i++)
		record_seq(&g, 10, i);
	g.r->oldest = g.r->packets + 1;
	for (; i < 2000; i++)
		record_seq(&g, 10, i);
	g.r->oldest = 0;
	for (; i < 2050; i++)
		record_seq(&g, 10, i);
	expect(&g);
}

/* Crash between two steps of a packet switch. */
static void case_switching(u64 b)
{
	struct ring g = make_ring(b, 0, 1000, 100);
	struct ring h = make_ring(b, 1, 1000, 100);
	struct lkst_packet *old;
	u64 i, before;

	/* On CPU 0 the position has moved, but the old packet is not closed. */
	for (i = 0; i < 1200; i++)
		record_seq(&g, 10, i);
	before = g.r->packets;
	while (g.r->packets == before)
		record_seq(&g, 10, i++);
	old = packet(&g, before);
	g.r->packets--;
	g.r->switching = 1;
	g.r->closed -= old->reserved;
	old->reserved = 0;
	old->content_size = 0;
	old->end = 0;
	/* On CPU 1 the limit has moved, and the new header is half written. */
	for (i = 0; i < 1200; i++)
		record_seq(&h, 10, i);
	h.r->limit++;
	h.r->switching = 1;
	packet(&h, h.r->packets + 1)->seq = h.r->packets + 1;
	expect(&g);
	expect(&h);
}

/* Addresses of functions, and numbers that look like them. */
static void case_symbols(u64 b)
{
	struct ring g = make_ring(b, 0, 1000, 100);
	struct { u64 function, data, number; u32 low, pad; } timer[] = {
		{ TEXT + 0x100, TEXT + 0x2000, TEXT + 0x100, 0x81000100, 0 },
		{ TEXT, TEXT - 1, TEXT, 0, 0 },
	};
	/* The first two share a place in the cache of symbols_find(). */
	struct { u32 id, nr; u64 frame[8]; } stack = { 1, 8, {
		TEXT + 0x661, TEXT + 0x3ff, TEXT + 0x7ff, TEXT + 0x1000,
		TEXT + 0x3050, TEXT + 0x3100, 0xffffffffc0001234, 0x7f0012345678,
	} };

	add_symbols();
	g.now += 10;
	record(&g, EV_TIMER, &timer[0], sizeof(timer[0]), 0);
	g.now += 10;
	record(&g, EV_TIMER, &timer[1], sizeof(timer[1]), 0);
	g.now += 10;
	record(&g, EV_STACK, &stack, sizeof(stack), 0);
}

/* Up to a moment switches were not recorded. */
static void case_unknown(u64 b)
{
	static const u32 unknown[] = { 101, 1 };
	struct ring g0 = make_ring(b, 0, 1000, 100);
	struct ring g1 = make_ring(b, 1, 1000, 200);

	record_seq(&g0, 10, 1);
	record_seq(&g1, 15, 2);
	g0.now += 10;
	record(&g0, EV_UNKNOWN, unknown, sizeof(unknown), 0);
	record_seq(&g1, 10, 3);
	record_seq(&g0, 10, 4);
	record_switch(&g1, 10, 201, 300);
	record_seq(&g1, 10, 5);
	record_seq(&g0, 20, 6);
}

static void record_fork(struct ring *g, u64 step, s32 child)
{
	struct { s32 tid[4]; char comm[16]; } fork = { { 100, child, child, 4 }, "parent" };

	g->now += step;
	record(g, EV_FORK, &fork, sizeof(fork), 0);
	record_switch(g, step, 100, child);
	record_seq(g, step, child);
}

/* A thread that was renamed on a CPU of which the first packets are missing. */
static void case_renamed(u64 b)
{
	struct ring g0 = make_ring(b, 0, 1000, 100);
	struct ring g1 = make_ring(b, 1, 1000, 0);
	u64 i;

	record_fork(&g0, 10, 200);
	for (i = 0; i < 5000; i++)
		record_seq(&g1, 10, 1);
	record_fork(&g0, 1000000, 300);
}

static void record_call(struct ring *g, u64 step, u32 id, s32 nr, s64 first)
{
	struct { s32 nr; u32 compat; s64 arg[6]; } payload = { nr, 0, { first } };

	g->now += step;
	record(g, id, &payload, id == EV_EXIT ? 16 : sizeof(payload), 0);
}

/* System calls of two threads, of which one goes to another CPU meanwhile. */
static void case_calls(u64 b)
{
	struct ring g0 = make_ring(b, 0, 1000, 100);
	struct ring g1 = make_ring(b, 1, 1000, 200);

	/* It was entered before. */
	record_call(&g1, 1, EV_EXIT, 0, 8);
	record_call(&g0, 10, EV_ARGS, 3, 1);
	record_call(&g1, 10, EV_ARGS, 3, 1);
	record_call(&g1, 1000, EV_EXIT, 3, 0);
	record_switch(&g0, 2000, 100, 0);
	record_switch(&g1, 3000, 200, 100);
	record_call(&g1, 1000, EV_EXIT, 3, -9);
	record_call(&g1, 1000, EV_ARGS, 0, 1);
	record_call(&g1, 500, EV_EXIT, 0, 3);
	/* Of another kind than what it was entered as; and one that does not end. */
	record_call(&g1, 1000, EV_ARGS, 0, 1);
	record_call(&g1, 500, EV_EXIT, 1, 3);
	record_call(&g1, 500, EV_ARGS, 35, 1);
}

/* A system call that lasts for more than a packet, and one of which the begin comes twice. */
static void case_long_call(u64 b)
{
	struct ring g = make_ring(b, 0, 1000, 100);
	u64 i;

	record_call(&g, 10, EV_ARGS, 0, 1);
	for (i = 0; i < 400; i++)
		record_seq(&g, 10, i);
	record_call(&g, 10, EV_EXIT, 0, 3);
	record_call(&g, 1000, EV_ARGS, 0, 1);
	record_call(&g, 1000, EV_ARGS, 0, 1);
	record_call(&g, 500, EV_EXIT, 0, 3);
}

static const struct {
	const char *name;
	u32 packets;
	u32 size;
	void (*make)(u64 buffer);
} cases[] = {
	{ "kinds", 4, 4096, case_kinds },
	{ "strange", 4, 4096, case_strange },
	{ "wrap", 4, 4096, case_wrap },
	{ "times", 4, 4096, case_times },
	{ "unfinished", 4, 4096, case_unfinished },
	{ "discard", 4, 4096, case_discard },
	{ "texts", 4, 4096, case_texts },
	{ "lost", 4, 4096, case_lost },
	{ "switching", 4, 4096, case_switching },
	{ "symbols", 4, 4096, case_symbols },
	{ "unknown", 4, 4096, case_unknown },
	{ "calls", 4, 4096, case_calls },
	{ "long_call", 4, 4096, case_long_call },
	{ "renamed", 4, 4096, case_renamed },
	{ "big", 64, 65536, case_wrap },
	{ "huge", 1024, 65536, case_wrap },
};

/* What a stray write, or a lost page, leaves. */

static struct lkst_dirent *entry(u64 dir, u32 valid)
{
	struct lkst_dirent *e = ((struct lkst_directory *)at(dir))->entry;

	while (e->valid != valid)
		e++;
	return e;
}

/* Parts of LKST's structures; @size bytes of each are overwritten, or a bit of it. */
static void *find_part(const char *name, u64 desc, u64 dir, u64 b, size_t *size)
{
	struct lkst_buffer_info *info = at(b);
	struct lkst_ring *ring = at(((u64 *)at(info->table[0]))[1]);
	static const struct {
		const char *name;
		size_t size;
	} parts[] = {
		{ "descriptor", 64 }, { "descriptor-page", 4096 },
		{ "directory", 64 }, { "directory-page", 4096 },
		{ "info", 64 }, { "info-page", 4096 }, { "info-magic", 8 },
		{ "uuid", 16 }, { "head", 1024 }, { "head-size", 4 },
		{ "state", 4096 }, { "ring", 64 }, { "ring-page", 4096 },
		{ "position", 8 }, { "limit", 8 }, { "packets", 64 },
		{ "entry-info", 8 }, { "entry-metadata", 8 }, { "entry-size", 8 },
		{ "body", 64 },
	};
	void *place[] = {
		at(desc), at(desc), at(dir), at(dir), info, info, info, info->uuid,
		info->head, &info->head_size,
		at(((struct lkst_descriptor *)at(desc))->state), &ring->magic, ring,
		ring, &ring->limit, at(ring->table[0]),
		&entry(dir, LKST_DIR_BUFFER)->pa, &entry(dir, LKST_DIR_METADATA)->pa,
		&entry(dir, LKST_DIR_METADATA)->size,
		at(entry(dir, LKST_DIR_METADATA)->pa),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		if (strcmp(parts[i].name, name))
			continue;
		*size = parts[i].size;
		return place[i];
	}
	fprintf(stderr, "mkdump: nothing is called %s\n", name);
	exit(2);
}

/* Damage HOW:PART,PART,...: the parts are zero, or noise, or have a bit flipped. */
static void do_damage(u64 desc, u64 dir, u64 b)
{
	char *list = strdup(opt->damage), *name, *how = strsep(&list, ":");
	void *places[16];
	size_t size[16], n = 0, i;

	/* First find them all: a part leads to another. */
	while ((name = strsep(&list, ",")) && n < ARRAY_SIZE(size)) {
		places[n] = find_part(name, desc, dir, b, &size[n]);
		n++;
	}
	for (i = 0; i < n; i++) {
		if (!strcmp(how, "flip"))
			*((u8 *)places[i] + size[i] / 2) ^= 0x10;
		else
			memset(places[i], strcmp(how, "zero") ? 0x55 : 0, size[i]);
	}
	free(how);
}

static u64 make_boot(const char *name, int boot)
{
	u64 b, dir, desc;
	size_t i;

	for (i = 0; i < sizeof(boot_id); i++)
		boot_id[i] = 0x10 * boot + i;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (strcmp(cases[i].name, name))
			continue;
		dir = make_directory();
		b = make_buffer("boot", 1, cases[i].packets, cases[i].size, 0);
		add_entry(dir, LKST_DIR_BUFFER, b, sizeof(struct lkst_buffer_info), 0);
		cases[i].make(b);
		add_metadata(dir);
		add_tasks(dir);
		desc = make_descriptor(dir, b, 1700000000000000000ull + boot);
		if (opt->damage)
			do_damage(desc, dir, b);
		return desc;
	}
	return 0;
}

/* Two buffers, in a directory of two pages; "other" is the current one. */
static u64 make_two(void)
{
	u64 dir = make_directory(), dir2 = make_directory(), a, b;
	u64 timer[4] = { TEXT + 0x100 };
	struct ring g;

	((struct lkst_directory *)at(dir))->next = dir2;
	a = make_buffer("boot", 1, 4, 4096, 0);
	b = make_buffer("other", 3, 8, 8192, 0);
	g = make_ring(a, 0, 1000, 1);
	record_seq(&g, 10, 1);
	g = make_ring(b, 1, 3000, 1);
	record_seq(&g, 10, 2);
	g.now += 10;
	record(&g, EV_TIMER, timer, sizeof(timer), 0);
	add_symbols();
	add_entry(dir2, LKST_DIR_BUFFER, a, sizeof(struct lkst_buffer_info), 0);
	add_entry(dir, LKST_DIR_BUFFER, b, sizeof(struct lkst_buffer_info), 0);
	add_split_metadata(dir2);
	add_tasks(dir);
	return make_descriptor(dir, b, 1700000000000000000ull);
}

u64 make_case(const char *name, struct options *o)
{
	FILE *out = o->expect;
	u64 desc = 0;
	int boot;

	opt = o;
	if (!strcmp(name, "two"))
		return make_two();
	for (boot = 1; boot <= o->boots; boot++) {
		o->expect = boot == o->boots ? out : NULL;
		desc = make_boot(name, boot);
	}
	o->expect = out;
	return desc;
}
