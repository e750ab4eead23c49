// SPDX-License-Identifier: GPL-2.0
/*
 * A look at the start of every page of a dump: for what the descriptor would
 * lead to, when there is no descriptor or it does not lead there.
 */
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "notes.h"
#include "progress.h"

#define SCAN_PAGE	4096u
#define SCAN_CHUNK	1048576u
#define SCAN_CPUS_MAX	8192u
/* Packets that are kept: 40 MiB of list. */
#define SCAN_PACKETS_MAX	1000000u
#define SCAN_RINGS_MAX		65536u
#define SCAN_OTHERS_MAX		4096u

bool descriptor_ok(const struct lkst_descriptor *desc, u64 pa)
{
	return !memcmp(desc->magic, LKST_DESCRIPTOR_MAGIC, LKST_MAGIC_SIZE) &&
	       desc->pa == pa && desc->version == LKST_LAYOUT_VERSION &&
	       desc->size == sizeof(*desc) &&
	       desc->crc == lkst_crc32(desc, offsetof(struct lkst_descriptor, crc));
}

static void found_descriptor(struct scan *s, const void *page, u64 pa)
{
	const struct lkst_descriptor *desc = page;

	if (!memcmp(desc->magic, LKST_DESCRIPTOR_MAGIC, LKST_MAGIC_SIZE) &&
	    desc->pa == pa && desc->version != LKST_LAYOUT_VERSION)
		trouble("descriptor at %#llx: layout version %u is not known", pa,
			desc->version);
	if (!descriptor_ok(desc, pa) || s->descs == SCAN_OTHERS_MAX)
		return;
	s->desc = grow(s->desc, s->descs, &s->desc_room, sizeof(*s->desc));
	s->desc[s->descs++] = *desc;
}

static void found_directory(struct scan *s, const void *page, u64 pa)
{
	const struct lkst_directory *dir = page;

	if (dir->pa != pa || s->dirs == SCAN_OTHERS_MAX)
		return;
	s->dir = grow(s->dir, s->dirs, &s->dir_room, sizeof(*s->dir));
	s->dir[s->dirs++] = (struct found_dir){ .pa = pa, .next = dir->next };
}

static void found_info(struct scan *s, u64 pa)
{
	if (s->infos == SCAN_OTHERS_MAX)
		return;
	s->info = grow(s->info, s->infos, &s->info_room, sizeof(*s->info));
	s->info[s->infos++] = pa;
}

static void found_body(struct scan *s, const u8 *page, u64 pa)
{
	struct found_body *f;

	if (s->bodies == SCAN_OTHERS_MAX)
		return;
	s->body = grow(s->body, s->bodies, &s->body_room, sizeof(*s->body));
	f = &s->body[s->bodies++];
	f->pa = pa;
	memcpy(f->boot, page + sizeof(LKST_BODY_MAGIC) - 1, sizeof(f->boot));
}

static void found_ring(struct scan *s, const void *page, u64 pa)
{
	const struct lkst_ring *r = page;
	struct found_ring *f;

	if (r->cpu >= SCAN_CPUS_MAX || r->flags > LKST_RING_DISCARD ||
	    !ring_sizes_ok(r->nr_packets, r->packet_size) ||
	    s->rings == SCAN_RINGS_MAX)
		return;
	s->ring = grow(s->ring, s->rings, &s->ring_room, sizeof(*s->ring));
	f = &s->ring[s->rings++];
	f->pa = pa;
	f->cpu = r->cpu;
	memcpy(f->uuid, r->uuid, sizeof(f->uuid));
}

static void found_packet(struct scan *s, const void *page, u64 pa)
{
	const struct lkst_packet *p = page;
	u32 size = packet_bytes(p);
	struct found_packet *f;

	if (!size || pa % size || p->stream || p->cpu >= SCAN_CPUS_MAX ||
	    p->content_size > p->packet_size || s->packets == SCAN_PACKETS_MAX)
		return;
	s->packet = grow(s->packet, s->packets, &s->packet_room,
			 sizeof(*s->packet));
	f = &s->packet[s->packets++];
	f->at.pa = pa;
	f->at.seq = p->seq;
	f->cpu = p->cpu;
	f->size = size;
	memcpy(f->uuid, p->uuid, sizeof(f->uuid));
}

/* vmcoreinfo, as the kernel gathers it; of the text itself only the begin is known. */
static void found_text(struct scan *s, u64 pa)
{
	if (s->texts == SCAN_OTHERS_MAX)
		return;
	s->text = grow(s->text, s->texts, &s->text_room, sizeof(*s->text));
	s->text[s->texts++] = pa;
}

static bool begins(const u8 *at, const char *what)
{
	return !memcmp(at, what, strlen(what));
}

static void look_at(struct scan *s, const u8 *page, u64 pa)
{
	static const u8 desc_magic[] = LKST_DESCRIPTOR_MAGIC;
	u64 word, ring_word;

	memcpy(&word, page, sizeof(word));
	memcpy(&ring_word, page + offsetof(struct lkst_ring, magic), sizeof(word));
	if ((u32)word == LKST_PACKET_MAGIC)
		found_packet(s, page, pa);
	else if (word == LKST_DIRECTORY_MAGIC)
		found_directory(s, page, pa);
	else if (!memcmp(&word, desc_magic, sizeof(word)))
		found_descriptor(s, page, pa);
	else if (word == LKST_BUFFER_MAGIC ||
		 begins(page + offsetof(struct lkst_buffer_info, head), "/* CTF 1.8 */\n"))
		found_info(s, pa);
	else if (ring_word == LKST_RING_MAGIC)
		found_ring(s, page, pa);
	else if (begins(page, LKST_BODY_MAGIC))
		found_body(s, page, pa);
	else if (begins(page, VMCOREINFO_BEGIN))
		found_text(s, pa);
	else if (begins(page + sizeof(struct elf64_note), VMCOREINFO_NOTE) &&
		 begins(page + NOTE_TEXT, VMCOREINFO_BEGIN))
		found_text(s, pa + NOTE_TEXT);
}

static int by_ring(const void *a, const void *b)
{
	const struct found_ring *x = a, *y = b;
	int order = memcmp(x->uuid, y->uuid, sizeof(x->uuid));

	if (order)
		return order;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->pa < y->pa ? -1 : x->pa > y->pa;
}

static int by_packet(const void *a, const void *b)
{
	const struct found_packet *x = a, *y = b;
	int order = memcmp(x->uuid, y->uuid, sizeof(x->uuid));

	if (order)
		return order;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->at.seq != y->at.seq)
		return x->at.seq < y->at.seq ? -1 : 1;
	return x->at.pa < y->at.pa ? -1 : x->at.pa > y->at.pa;
}

struct scan *scan_memory(struct memsrc *mem)
{
	u8 *chunk = xcalloc(SCAN_CHUNK, 1);
	struct scan *s = xcalloc(1, sizeof(*s));
	struct progress progress = { .what = "searching", .total = mem->present };
	u64 start, end, pa = 0;
	size_t n, i;

	while (memsrc_next_range(mem, pa, &start, &end)) {
		pa = (start + SCAN_PAGE - 1) & ~(u64)(SCAN_PAGE - 1);
		while (pa >= start && pa < end) {
			/* Whole pages, as a range may go on in the next one. */
			n = min_t(u64, end - pa, SCAN_CHUNK);
			n = (n + SCAN_PAGE - 1) & ~(size_t)(SCAN_PAGE - 1);
			n = memsrc_read(mem, pa, chunk, n);
			for (i = 0; i + SCAN_PAGE <= n; i += SCAN_PAGE)
				look_at(s, chunk + i, pa + i);
			/* A page that cannot be read is skipped. */
			n = max_t(size_t, n & ~(size_t)(SCAN_PAGE - 1), SCAN_PAGE);
			pa += n;
			progress_step(&progress, n);
		}
		if (pa < start)
			break;
		pa = max(pa, end);
	}
	progress_end(&progress);
	free(chunk);
	sort(s->ring, s->rings, sizeof(*s->ring), by_ring);
	sort(s->packet, s->packets, sizeof(*s->packet), by_packet);
	if (s->packets == SCAN_PACKETS_MAX)
		trouble("more than %u packets in the dump; the rest is left out",
			SCAN_PACKETS_MAX);
	return s;
}

void scan_free(struct scan *s)
{
	if (!s)
		return;
	free(s->desc);
	free(s->dir);
	free(s->info);
	free(s->body);
	free(s->ring);
	free(s->packet);
	free(s->text);
	free(s);
}
