// SPDX-License-Identifier: GPL-2.0
/*
 * The metadata in a dump: a head for each buffer, in the buffer's page, and a body
 * for all. What is lost of a head can be made anew, from another one or from the
 * state; the body is the only place that tells of events.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "metadata.h"

#define METADATA_MAX	(4u << 20)
#define BODY_PIECE	4096u
/* Texts that are read, of which the first that ends is taken. */
#define BODIES_MAX	16u
#define NSEC		1000000000ull

static const char head_begin[] = "/* CTF 1.8 */\n";
static const char uuid_key[] = "uuid = \"";
static const char name_key[] = "buffer = \"";

/* The types of the header that all packets have, and those that fields can have. */
static const char head_types[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 16; align = 16; signed = false; } := u16;\n"
	"typealias integer { size = 32; align = 32; signed = false; } := u32;\n"
	"typealias integer { size = 64; align = 64; signed = false; } := u64;\n"
	"typealias integer { size = 16; align = 16; signed = true; } := s16;\n"
	"typealias integer { size = 32; align = 32; signed = true; } := s32;\n"
	"typealias integer { size = 64; align = 64; signed = true; } := s64;\n"
	"typealias integer { size = 16; align = 16; signed = false; base = 16; } := x16;\n"
	"typealias integer { size = 32; align = 32; signed = false; base = 16; } := x32;\n"
	"typealias integer { size = 64; align = 64; signed = false; base = 16; } := x64;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := utf8;\n";

/* Heads. */

char *head_read(const struct lkst_buffer_info *info)
{
	const char *head = (const char *)info->head;

	if (strncmp(head, head_begin, sizeof(head_begin) - 1))
		return NULL;
	return xasprintf("%.*s", (int)sizeof(info->head), head);
}

bool head_uuid(const char *head, u8 *uuid)
{
	const char *s = strstr(head, uuid_key);
	int i;

	if (!s)
		return false;
	s += sizeof(uuid_key) - 1;
	for (i = 0; i < LKST_UUID_SIZE; i++, s += 2) {
		s += *s == '-';
		if (sscanf(s, "%2hhx", &uuid[i]) != 1 || !s[1])
			return false;
	}
	return true;
}

bool head_name(const char *head, char *name, size_t room)
{
	const char *s = strstr(head, name_key);
	size_t n;

	if (!s)
		return false;
	s += sizeof(name_key) - 1;
	n = strcspn(s, "\"");
	if (n >= room)
		return false;
	memcpy(name, s, n);
	name[n] = 0;
	return true;
}

/* The head of another buffer of the boot, made into one for this buffer. */
static char *head_borrow(struct dump *d, struct dump_buffer *b)
{
	char to[37], *head, *at;
	u8 uuid[LKST_UUID_SIZE];
	size_t i;

	uuid_text(b->uuid, to);
	for (i = 0; i < d->nr; i++) {
		if (d->buffer[i] == b || !d->buffer[i]->head ||
		    !head_uuid(d->buffer[i]->head, uuid))
			continue;
		head = xstrdup(d->buffer[i]->head);
		at = strstr(head, uuid_key) + sizeof(uuid_key) - 1;
		memcpy(at, to, strlen(to));
		trouble("buffer %s: its clock is taken to be that of buffer %s",
			b->name, d->buffer[i]->name);
		return head;
	}
	return NULL;
}

/* Wall time is clock * 10^9 / hz + the offset, as the kernel's head says it. */
static char *clock_text(const struct lkst_state *s)
{
	u64 seconds = s->pair_wall_ns / NSEC, hz = s->hz;
	u64 ticks = (__uint128_t)(s->pair_wall_ns % NSEC) * hz / NSEC;
	u64 clock = s->pair_clock % hz;

	seconds -= s->pair_clock / hz;
	if (ticks < clock) {
		ticks += hz;
		seconds--;
	}
	if ((s64)seconds < 0) {
		seconds = 0;
		ticks = clock;
	}
	return xasprintf("clock {\n\tname = \"lkst\";\n"
			 "\tfreq = %llu; offset_s = %llu; offset = %llu;\n};\n",
			 hz, seconds, ticks - clock);
}

/* A head made anew. */
static char *head_make(struct dump *d, struct dump_buffer *b)
{
	static const struct lkst_state unknown = { .hz = NSEC };
	char *clock = clock_text(d->have_state ? &d->state : &unknown);
	char uuid[37], *head;

	uuid_text(b->uuid, uuid);
	if (d->have_state)
		trouble("buffer %s: the head of its metadata is lost; made anew from the state",
			b->name);
	else
		trouble("buffer %s: nothing tells its clock; its times are ticks, shown as ns",
			b->name);
	head = xasprintf("%strace {\n\tmajor = 1; minor = 8; byte_order = le;\n"
			 "\tuuid = \"%s\";\n\tpacket.header := struct {\n"
			 "\t\tu32 magic; u8 uuid[16]; u32 stream_id;\n\t};\n};\n"
			 "env {\n\tdomain = \"kernel\"; tracer_name = \"lkst\";\n"
			 "\ttracer_major = 1; tracer_minor = 0;\n\tbuffer = \"%s\";\n};\n%s",
			 head_types, uuid, b->name, clock);
	free(clock);
	return head;
}

/* The body. */

/* Read pieces that are in order into one text; NULL if one is missing. */
static char *join(struct dump *d, struct dump_pieces *p, size_t *size)
{
	size_t i, n = 0;
	char *text;

	for (i = 0; i < p->nr; i++) {
		if (p->piece[i].size > METADATA_MAX - n)
			return NULL;
		n += p->piece[i].size;
	}
	text = xcalloc(n + 1, 1);
	for (i = 0, n = 0; i < p->nr; n += p->piece[i++].size) {
		if (!memsrc_read_all(d->mem, p->piece[i].pa, text + n,
				     p->piece[i].size)) {
			free(text);
			return NULL;
		}
	}
	*size = n;
	return text;
}

static int by_index(const void *a, const void *b)
{
	const struct dump_piece *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

/* Is it all of the body? It ends as one, and nothing comes after. */
static bool is_whole(struct dump *d, const char *text, size_t size)
{
	const struct dump_pieces *p = &d->metadata;
	const struct dump_piece *last = &p->piece[p->nr - 1];
	char after = 0;

	memsrc_read(d->mem, last->pa + last->size, &after, 1);
	return strlen(text) == size && size > 3 && !strcmp(text + size - 3, "};\n") &&
	       (p->nr > 1 || !after);
}

/* Where the directory says that it is. */
static char *listed_body(struct dump *d)
{
	struct dump_pieces *p = &d->metadata;
	size_t size = 0;
	char *text;

	if (!p->nr)
		return NULL;
	sort(p->piece, p->nr, sizeof(*p->piece), by_index);
	text = join(d, p, &size);
	if (text && is_whole(d, text, size))
		return text;
	free(text);
	trouble("the metadata is not as the directory says");
	return NULL;
}

/* The text at an address, up to its NUL; NULL if that is not in the dump. */
static char *text_at(struct dump *d, u64 pa)
{
	char *text = NULL;
	size_t n = 0, got;

	do {
		text = xrealloc(text, n + BODY_PIECE + 1, 1);
		got = memsrc_read(d->mem, pa + n, text + n, BODY_PIECE);
		text[n + got] = 0;
		if (strlen(text + n) < got)
			return text;
		n += got;
	} while (got == BODY_PIECE && n < METADATA_MAX);
	free(text);
	return NULL;
}

/* The one of this boot on any page. */
static char *found_body(struct dump *d)
{
	const struct scan *s = need_scan(d);
	char boot[LKST_BOOT_ID_SIZE * 2 + 1];
	u32 tries = 0;
	char *text;
	size_t i;

	hex_text(d->boot_id, sizeof(d->boot_id), boot);
	for (i = 0; i < s->bodies && tries < BODIES_MAX; i++) {
		if (memcmp(boot, s->body[i].boot, sizeof(s->body[i].boot)))
			continue;
		tries++;
		text = text_at(d, s->body[i].pa);
		if (text)
			return text;
		trouble("the metadata at %#llx is cut off", s->body[i].pa);
	}
	return NULL;
}

void dump_load_body(struct dump *d)
{
	d->body = listed_body(d);
	if (!d->body)
		d->body = found_body(d);
	if (!d->body)
		trouble("the metadata cannot be found: packets can be extracted, but not decoded");
}

char *dump_metadata(struct dump *d, struct dump_buffer *b, struct metadata **m)
{
	char *text;

	*m = NULL;
	if (!d->body)
		return NULL;
	if (b->head) {
		text = xasprintf("%s%s", b->head, d->body);
		*m = metadata_parse(text, b->name);
		if (*m)
			return text;
		free(text);
		free(b->head);
	}
	b->head = head_borrow(d, b);
	if (!b->head)
		b->head = head_make(d, b);
	text = xasprintf("%s%s", b->head, d->body);
	*m = metadata_parse(text, b->name);
	return text;
}
