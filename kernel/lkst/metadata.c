// SPDX-License-Identifier: GPL-2.0
/*
 * CTF 1.8 metadata, from the table of events: all that a reader needs to know.
 *
 * It is a head, which names one buffer's uuid and the clock, and a body, which is
 * the same for all. Both lie in memory, where a dump reader finds them: the body
 * at the start of a page, with a NUL behind it.
 */
#include <linux/gfp.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/seq_buf.h>
#include <linux/utsname.h>
#include <linux/uuid.h>

#include "lkst.h"

static char *body;
static size_t body_size;

static const char head_types[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 16; signed = false; } := u16;\n"
	"typealias integer { size = 32; align = 32; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 64; signed = false; } := u64;\n"
	"typealias integer { size = 32; align = 32; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 64; signed = true; } := s64;\n"
	"typealias integer { size = 16; align = 16; signed = false; base = 16; } := x16;\n"
	"typealias integer { size = 32; align = 32; signed = false; base = 16; } := x32;\n"
	"typealias integer { size = 64; align = 64; signed = false; base = 16; } := x64;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := utf8;\n";

/*
 * What other readers would print on every line lies in alignment padding: the
 * thread and the count of records in front of the sequence number, length and
 * state of a record between its id and its time.
 */
static const char body_stream[] =
	"typealias integer { size = 32; align = 32; signed = false; map = clock.lkst.value; } := ts32;\n"
	"typealias integer { size = 64; align = 64; signed = false; map = clock.lkst.value; } := ts64;\n"
	"typealias integer { size = 64; align = 32; signed = false; map = clock.lkst.value; } := ts64h;\n"
	"typealias integer { size = 64; align = 128; signed = false; map = clock.lkst.value; } := ts64a;\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tpacket.context := struct {\n"
	"\t\tu64 packet_seq_num;\n"
	"\t\tu32 cpu_id;\n"
	"\t\tts64a timestamp_begin;\n"
	"\t\tts64 timestamp_end;\n"
	"\t\tu64 content_size;\n"
	"\t\tu64 packet_size;\n"
	"\t\tu64 events_discarded;\n"
	"\t};\n"
	"\tevent.header := struct {\n"
	"\t\tenum : u16 { compact = 0 ... 65534, extended = 65535 } id;\n"
	"\t\tvariant <id> {\n"
	"\t\t\tstruct { ts32 timestamp; } compact;\n"
	"\t\t\tstruct { u32 id; ts64h timestamp; } extended;\n"
	"\t\t} v;\n"
	"\t} align(64);\n"
	"};\n";

/*
 * Wall time is clock * 10^9 / hz + the offset: whole seconds and the rest in
 * ticks, as CTF wants it.
 */
static void head_clock(struct seq_buf *s, const struct lkst_moment *moment)
{
	u64 clock = moment->ticks, seconds, ticks, hz = moment->hz ?: NSEC_PER_SEC;
	u32 rest;

	seconds = div_u64_rem(moment->wall_ns, NSEC_PER_SEC, &rest);
	ticks = mul_u64_u64_div_u64(rest, hz, NSEC_PER_SEC);
	seconds -= div64_u64_rem(clock, hz, &clock);
	if (ticks < clock) {
		ticks += hz;
		seconds--;
	}
	/* Before wall time is known the offset would be negative. */
	if ((s64)seconds < 0) {
		seconds = 0;
		ticks = clock;
	}
	seq_buf_printf(s, "clock {\n\tname = \"lkst\"; description = \"%s\";\n",
		       lkst_clock_kind_name(moment->clock));
	seq_buf_printf(s, "\tfreq = %llu; offset_s = %llu; offset = %llu;\n};\n", hz,
		       seconds, ticks - clock);
}

/**
 * lkst_metadata_head() - Write the first part of a buffer's metadata
 * @rings: the buffer's rings; name, uuid and sizes are set
 * @text: where it goes
 * @size: bytes of @text
 *
 * Context: process.
 * Return: bytes written.
 */
u32 lkst_metadata_head(const struct lkst_rings *rings, u8 *text, u32 size)
{
	const struct lkst_buffer_info *info = rings->info;
	struct lkst_moment moment;
	struct seq_buf s;

	if (rings->past)
		moment = rings->past->moment;
	else
		lkst_clock_moment(&moment);
	seq_buf_init(&s, (char *)text, size);
	seq_buf_puts(&s, head_types);
	seq_buf_printf(&s, "trace {\n\tmajor = 1; minor = 8; byte_order = le;\n"
		       "\tuuid = \"%pUb\";\n"
		       "\tpacket.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };\n};\n",
		       info->uuid);
	seq_buf_printf(&s, "env {\n\tdomain = \"kernel\"; tracer_name = \"lkst\";\n"
		       "\ttracer_major = 1; tracer_minor = 0;\n"
		       "\trelease = \"%s\"; buffer = \"%s\";\n};\n",
		       init_utsname()->release, info->name);
	head_clock(&s, &moment);
	return seq_buf_used(&s);
}

static void body_field(struct seq_buf *s, const struct lkst_field *field)
{
	const char *type = lkst_type_name(field);

	seq_buf_puts(s, "\t\t");
	if (field->type == LKST_TYPE_TEXT)
		seq_buf_printf(s, "u32 __%s_len; %s %s[__%s_len];", field->name, type,
			       field->name, field->name);
	else if (field->count > 1)
		seq_buf_printf(s, "%s %s[%u];", type, field->name, field->count);
	else
		seq_buf_printf(s, "%s %s;", type, field->name);
	seq_buf_puts(s, " /* ");
	if (field->unit[0] && strcmp(field->unit, "hex"))
		seq_buf_printf(s, "%s: ", field->unit);
	seq_buf_printf(s, "%s */\n", field->text);
}

static void body_event(struct seq_buf *s, unsigned int id)
{
	const struct lkst_event *event = &lkst_events[id];
	unsigned int i;

	seq_buf_printf(s, "/* %s */\n", event->text);
	seq_buf_printf(s, "event {\n\tid = %u; name = \"%s_%s\"; stream_id = 0;\n", id,
		       event->group, event->name);
	seq_buf_puts(s, "\tfields := struct {\n");
	for (i = 0; i < event->nr_fields; i++)
		body_field(s, &event->fields[i]);
	seq_buf_puts(s, "\t};\n};\n");
}

/**
 * lkst_metadata_body() - The second part of every buffer's metadata
 * @size: set to its bytes
 *
 * Return: the text, not terminated.
 */
const char *lkst_metadata_body(size_t *size)
{
	*size = body_size;
	return body;
}

/**
 * lkst_metadata_init() - Write the body
 *
 * Context: boot, lkst_lock held.
 * Return: 0 or -ENOMEM.
 */
int __init lkst_metadata_init(void)
{
	size_t size = 4096 + LKST_NR_EVENTS * 1024;
	struct seq_buf s;
	unsigned int id;

	body = alloc_pages_exact(size, GFP_KERNEL | __GFP_ZERO);
	if (!body)
		return -ENOMEM;
	seq_buf_init(&s, body, size);
	seq_buf_printf(&s, LKST_BODY_MAGIC "%*phN */\n", LKST_BOOT_ID_SIZE, lkst_boot_id);
	seq_buf_puts(&s, body_stream);
	for (id = 0; id < LKST_NR_EVENTS; id++)
		body_event(&s, id);
	if (WARN_ON(seq_buf_has_overflowed(&s)))
		return -ENOMEM;
	body_size = seq_buf_used(&s);
	return lkst_dir_add(LKST_DIR_METADATA, 0, 0, __pa(body), body_size) ? 0 : -ENOMEM;
}

#if IS_ENABLED(CONFIG_LKST_KUNIT_TEST)
#include "tests/metadata_kunit.h"
#endif
