// SPDX-License-Identifier: GPL-2.0
/*
 * From a dump to the buffers in it. The usual way is the vmcoreinfo line, the
 * descriptor, the directory, the rings. Where a link of that chain is missing,
 * a scan of all memory stands in for what it would have led to.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "dump.h"
#include "names.h"
#include "symbols.h"

#define DIRECTORIES_MAX	4096u
#define BUFFERS_MAX	1024u
#define PIECES_MAX	16384u
#define PAGE		4096u
#define TASKS_MAX	(32u << 20)
/* Rings of a buffer that are said to be damaged, one by one. */
#define BAD_RINGS_MAX	8u
/* No clock ticks faster. */
#define HZ_MAX		1000000000000ull

static bool name_ok(const u8 *name, size_t room)
{
	const char *s = (const char *)name;
	size_t n = strnlen(s, room), i;

	for (i = 0; i < n; i++)
		if (!isalnum(name[i]) && !strchr("_.-", name[i]))
			return false;
	return n && n < room && strcmp(s, ".") && strcmp(s, "..");
}

static struct dump_buffer *add_buffer(struct dump *d, const u8 *uuid)
{
	struct dump_buffer *b = xcalloc(1, sizeof(*b));

	memcpy(b->uuid, uuid, sizeof(b->uuid));
	d->buffer = grow(d->buffer, d->nr, &d->room, sizeof(*d->buffer));
	d->buffer[d->nr++] = b;
	return b;
}

static struct dump_buffer *find_buffer(struct dump *d, const u8 *uuid)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (!memcmp(d->buffer[i]->uuid, uuid, LKST_UUID_SIZE))
			return d->buffer[i];
	return NULL;
}

static bool name_is_used(const struct dump *d, const struct dump_buffer *b)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (d->buffer[i] != b && !strcmp(d->buffer[i]->name, b->name))
			return true;
	return false;
}

/* Give a buffer a name that no other has: it becomes the name of a directory. */
static void set_name(struct dump *d, struct dump_buffer *b, const u8 *name)
{
	u8 also[LKST_NAME_SIZE];
	size_t len;
	u32 n;

	if (!name_ok(name, LKST_NAME_SIZE))
		name = b->head && head_name(b->head, (char *)also, sizeof(also)) ?
			also : (const u8 *)"";

	memcpy(&n, b->uuid + LKST_BOOT_ID_SIZE, sizeof(n));
	if (name_ok(name, LKST_NAME_SIZE))
		snprintf(b->name, sizeof(b->name), "%s", (const char *)name);
	else
		snprintf(b->name, sizeof(b->name), "unknown-%u", n);
	len = strlen(b->name);
	for (; name_is_used(d, b); n++)
		snprintf(b->name + len, sizeof(b->name) - len, "-%u", n);
}

/* The buffer of a ring or packet that a scan found, or NULL to leave it out. */
static struct dump_buffer *buffer_of(struct dump *d, const u8 *uuid)
{
	struct dump_buffer *b = find_buffer(d, uuid);

	if (b || d->have_dir || d->nr == BUFFERS_MAX || !d->have_boot_id ||
	    memcmp(uuid, d->boot_id, sizeof(d->boot_id)))
		return b;
	b = add_buffer(d, uuid);
	set_name(d, b, (const u8 *)"");
	trouble("buffer %s: its page is lost", b->name);
	return b;
}

static void load_rings(struct dump *d, struct dump_buffer *b,
		       const struct lkst_buffer_info *info)
{
	u64 page[LKST_TABLE_ENTRIES];
	u32 cpu, rings = info->nr_rings, bad = 0;

	if (!rings || rings > LKST_BUFFER_TABLES * LKST_TABLE_ENTRIES) {
		trouble("buffer %s: impossible number of rings, %u", b->name, rings);
		rings = LKST_BUFFER_TABLES * LKST_TABLE_ENTRIES;
		d->damaged = true;
	}
	for (cpu = 0; cpu < rings && bad < BAD_RINGS_MAX; cpu++) {
		u32 at = cpu % LKST_TABLE_ENTRIES;
		u64 table = info->table[cpu / LKST_TABLE_ENTRIES];

		if (!at && table && !memsrc_read_all(d->mem, table, page, sizeof(page))) {
			trouble("buffer %s: its table of rings at %#llx %s", b->name,
				table, memsrc_why(d->mem, table));
			d->damaged = true;
			table = 0;
		}
		if (!table)
			cpu |= LKST_TABLE_ENTRIES - 1;
		else if (page[at] && !ring_load(d, b, cpu, page[at]))
			bad++;
	}
	if (!b->nr || bad)
		d->damaged = true;
	if (bad == BAD_RINGS_MAX)
		trouble("buffer %s: there may be more", b->name);
}

static bool info_whole(const struct lkst_buffer_info *info, const char *head,
		       const u8 *uuid)
{
	return info->magic == LKST_BUFFER_MAGIC &&
	       name_ok(info->name, sizeof(info->name)) &&
	       !memcmp(info->uuid, uuid, sizeof(info->uuid)) &&
	       info->flags <= LKST_RING_DISCARD &&
	       ring_sizes_ok(info->nr_packets, info->packet_size) &&
	       head && info->head_size == strlen(head);
}

static bool uuid_is_used(struct dump *d, const u8 *uuid)
{
	const struct scan *s = need_scan(d);
	size_t low = 0, high = s->packets, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (memcmp(s->packet[mid].uuid, uuid, LKST_UUID_SIZE) >= 0)
			high = mid;
		else
			low = mid + 1;
	}
	return low < s->packets && !memcmp(s->packet[low].uuid, uuid, LKST_UUID_SIZE);
}

/* A buffer's page has its uuid twice; where they differ, the packets decide. */
static void choose_uuid(struct dump *d, const struct lkst_buffer_info *info,
			const char *head, u8 *uuid)
{
	u8 also[LKST_UUID_SIZE];

	memcpy(uuid, info->uuid, LKST_UUID_SIZE);
	if (head && head_uuid(head, also) && memcmp(uuid, also, sizeof(also)) &&
	    uuid_is_used(d, also))
		memcpy(uuid, also, sizeof(also));
}

static void make_buffer(struct dump *d, u64 pa, const struct lkst_buffer_info *info,
			char *head, const u8 *uuid)
{
	struct dump_buffer *b = add_buffer(d, uuid);

	b->head = head;
	set_name(d, b, info->name);
	memcpy(d->boot_id, uuid, sizeof(d->boot_id));
	d->have_boot_id = true;
	b->is_current = d->have_state && d->state.buffer == pa;
	if (info_whole(info, head, uuid)) {
		b->flags = info->flags;
		b->packet_size = info->packet_size;
		b->nr_packets = info->nr_packets;
	} else {
		trouble("buffer %s: its page at %#llx is damaged", b->name, pa);
		d->damaged = true;
	}
	load_rings(d, b, info);
}

/* From a buffer's page, which @listed says is in the directory. */
static bool load_buffer(struct dump *d, u64 pa, bool listed)
{
	struct lkst_buffer_info info;
	u8 uuid[LKST_UUID_SIZE];
	char *head = NULL;

	if (memsrc_read_all(d->mem, pa, &info, sizeof(info)))
		head = head_read(&info);
	else
		info.magic = 0;
	if (!head && info.magic != LKST_BUFFER_MAGIC) {
		trouble("there is no buffer at %#llx, where one should be", pa);
		return false;
	}
	choose_uuid(d, &info, head, uuid);
	if (d->have_boot_id && memcmp(uuid, d->boot_id, sizeof(d->boot_id))) {
		if (listed)
			trouble("the buffer at %#llx is of another boot", pa);
		free(head);
		return false;
	}
	if (find_buffer(d, uuid) || d->nr == BUFFERS_MAX)
		free(head);
	else
		make_buffer(d, pa, &info, head, uuid);
	return true;
}

static void add_piece(struct dump_pieces *p, const struct lkst_dirent *e)
{
	size_t i;

	/* A scan comes to pages that were seen before. */
	for (i = 0; i < p->nr; i++)
		if (p->piece[i].pa == e->pa)
			return;
	if (p->nr == PIECES_MAX)
		return;
	p->piece = grow(p->piece, p->nr, &p->room, sizeof(*p->piece));
	p->piece[p->nr++] = (struct dump_piece){
		.index = e->index, .pa = e->pa, .size = e->size,
	};
}

static bool load_entry(struct dump *d, const struct lkst_dirent *e)
{
	switch (e->valid) {
	case LKST_DIR_FREE:
	case LKST_DIR_COUNTERS:
		return true;
	case LKST_DIR_BUFFER:
		return load_buffer(d, e->pa, true);
	case LKST_DIR_METADATA:
		add_piece(&d->metadata, e);
		return true;
	case LKST_DIR_TASKS:
		add_piece(&d->tasks, e);
		return true;
	}
	trouble("the directory has an entry of unknown kind %#x", e->valid);
	return false;
}

/* Which of the pages of directories that were read one is: the next if it is new. */
static size_t note_directory(struct dump *d, u64 pa)
{
	size_t i;

	for (i = 0; i < d->dirs; i++)
		if (d->dir[i] == pa)
			return i;
	d->dir = grow(d->dir, d->dirs, &d->dir_room, sizeof(*d->dir));
	d->dir[d->dirs++] = pa;
	return i;
}

/*
 * Follow a chain of directory pages, each of which is read once, whatever leads to it;
 * false if something was amiss.
 */
static bool load_directory(struct dump *d, u64 pa)
{
	size_t before = d->dirs, nr, at;
	struct lkst_directory dir;
	bool whole = true;
	int i;

	for (; pa; pa = dir.next) {
		if (d->dirs == DIRECTORIES_MAX ||
		    !memsrc_read_all(d->mem, pa, &dir, sizeof(dir)) ||
		    dir.magic != LKST_DIRECTORY_MAGIC || dir.pa != pa) {
			trouble("there is no directory at %#llx, where one should be",
				pa);
			whole = false;
			break;
		}
		nr = d->dirs;
		at = note_directory(d, pa);
		if (at < before)
			break;
		if (at < nr) {
			trouble("the directory comes to its page at %#llx again", pa);
			whole = false;
			break;
		}
		for (i = 0; i < LKST_DIRECTORY_ENTRIES; i++)
			whole &= load_entry(d, &dir.entry[i]);
	}
	d->damaged |= !whole;
	return whole;
}

struct scan *need_scan(struct dump *d)
{
	if (!d->scan)
		d->scan = scan_memory(d->mem);
	return d->scan;
}

/* Does a boot's id begin so, as far as it is known? */
static bool boot_matches(const u8 *id, size_t n, const char *boot)
{
	char hex[33];

	hex_text(id, n, hex);
	return !boot || !strncasecmp(hex, boot, min(strlen(boot), 2 * n));
}

bool boot_id_ok(const char *boot)
{
	size_t n = strspn(boot, "0123456789abcdefABCDEF");

	return n >= 1 && n <= 32 && !boot[n];
}

/* The descriptor that vmcoreinfo names. */
static bool named_descriptor(struct dump *d)
{
	const char *number = memsrc_vmcoreinfo(d->mem, DESCRIPTOR_KEY);
	u64 pa;

	if (!number)
		return false;
	pa = strtoull(number, NULL, 0);
	if (memsrc_read_all(d->mem, pa, &d->desc, sizeof(d->desc)) &&
	    descriptor_ok(&d->desc, pa))
		return true;
	trouble("there is no good descriptor at %#llx, which vmcoreinfo names", pa);
	return false;
}

static void say_boots(const struct scan *s, const struct lkst_descriptor *chosen)
{
	size_t i;

	note("the dump has descriptors of %zu boots (an earlier one may be damaged):",
	     s->descs);
	for (i = 0; i < s->descs; i++) {
		char hex[33], day[DAY_SIZE];

		hex_text(s->desc[i].boot_id, sizeof(s->desc[i].boot_id), hex);
		note("  boot %s, started %s%s", hex,
		     day_text(s->desc[i].wall_ns / 1000000000, day),
		     &s->desc[i] == chosen ? ": this one is taken" : "");
	}
}

/* The newest descriptor that a scan finds, or the one that was asked for. */
static bool scanned_descriptor(struct dump *d, const char *boot)
{
	const struct scan *s = need_scan(d);
	const struct lkst_descriptor *best = NULL;
	size_t i;

	for (i = 0; i < s->descs; i++)
		if (boot_matches(s->desc[i].boot_id, sizeof(s->desc[i].boot_id), boot) &&
		    (!best || s->desc[i].wall_ns > best->wall_ns))
			best = &s->desc[i];
	if (s->descs > 1)
		say_boots(s, best);
	if (!best && boot && s->descs)
		trouble("no descriptor in the dump is of boot %s", boot);
	if (best)
		d->desc = *best;
	return best;
}

/* The text at an address, up to its NUL or the end of its page. */
static char *read_vmcoreinfo(struct dump *d, u64 pa)
{
	char *text = xcalloc(PAGE + 1, 1);

	memsrc_read(d->mem, pa, text, PAGE - pa % PAGE);
	return text;
}

/*
 * The dump has no vmcoreinfo, but the memory may have it: that which names the
 * descriptor, if there is one.
 */
static void find_vmcoreinfo(struct dump *d)
{
	const struct scan *s = need_scan(d);
	const char *line;
	size_t i;

	for (i = 0; i < s->texts && !d->mem->vmcoreinfo; i++) {
		d->mem->vmcoreinfo = read_vmcoreinfo(d, s->text[i]);
		line = memsrc_vmcoreinfo(d->mem, DESCRIPTOR_KEY);
		if (line && (!d->have_desc || strtoull(line, NULL, 0) == d->desc.pa))
			return;
		free(d->mem->vmcoreinfo);
		d->mem->vmcoreinfo = NULL;
	}
}

static bool state_ok(const struct lkst_state *s)
{
	return (s->clock == LKST_CLOCK_TSC || s->clock == LKST_CLOCK_FALLBACK) &&
	       s->enabled <= 1 && s->hz && s->hz <= HZ_MAX;
}

static void find_descriptor(struct dump *d, const struct dump_options *opt)
{
	bool here;

	d->have_desc = !opt->scan && !opt->boot && named_descriptor(d);
	if (!d->have_desc)
		d->have_desc = scanned_descriptor(d, opt->boot);
	if (!d->mem->vmcoreinfo && !d->mem->ops->vmcoreinfo)
		find_vmcoreinfo(d);
	if (d->have_desc) {
		memcpy(d->boot_id, d->desc.boot_id, sizeof(d->boot_id));
		d->have_boot_id = true;
	}
	/* Even a damaged descriptor may lead to the state, which has no copy. */
	here = d->desc.state && memsrc_read_all(d->mem, d->desc.state, &d->state,
						sizeof(d->state));
	d->have_state = here && state_ok(&d->state);
	d->state.maskset[LKST_NAME_SIZE - 1] = 0;
	if (!d->have_state)
		trouble("the page of LKST's state %s", here ? "is damaged" :
			d->have_desc ? memsrc_why(d->mem, d->desc.state) : "is lost");
}

/* How many packets are of the same boot as the one at @i? They are in order. */
static size_t count_boot(const struct scan *s, size_t i)
{
	size_t k = i;

	while (k < s->packets && !memcmp(s->packet[k].uuid, s->packet[i].uuid,
					 LKST_BOOT_ID_SIZE))
		k++;
	return k - i;
}

/* Without a descriptor: the boot of which most packets are there. */
static void choose_boot(struct dump *d, const char *boot)
{
	const struct scan *s = need_scan(d);
	char hex[LKST_BOOT_ID_SIZE * 2 + 1];
	size_t i, n, best = 0;

	for (i = 0; i < s->packets; i += n) {
		const u8 *id = s->packet[i].uuid;

		n = count_boot(s, i);
		hex_text(id, LKST_BOOT_ID_SIZE, hex);
		if (n < s->packets)
			note("%zu packets are of boot %s (-B chooses)", n, hex);
		if (n <= best || !boot_matches(id, LKST_BOOT_ID_SIZE, boot))
			continue;
		best = n;
		memcpy(d->boot_id, id, sizeof(d->boot_id));
		d->have_boot_id = true;
	}
	if (boot && !best)
		trouble("no packet in the dump is of boot %s", boot);
}

/* Is this page of a directory the first, as far as the others say? */
static bool is_first(const struct scan *s, u64 pa)
{
	size_t i;

	for (i = 0; i < s->dirs; i++)
		if (s->dir[i].next == pa)
			return false;
	return true;
}

/* Does the first buffer that a page of a directory names say another boot? */
static bool is_foreign(struct dump *d, u64 pa)
{
	struct lkst_buffer_info info;
	struct lkst_directory dir;
	int i;

	if (!d->have_boot_id || !memsrc_read_all(d->mem, pa, &dir, sizeof(dir)))
		return false;
	for (i = 0; i < LKST_DIRECTORY_ENTRIES; i++) {
		if (dir.entry[i].valid == LKST_DIR_BUFFER &&
		    memsrc_read_all(d->mem, dir.entry[i].pa, &info, sizeof(info)) &&
		    info.magic == LKST_BUFFER_MAGIC)
			return memcmp(info.uuid, d->boot_id, sizeof(d->boot_id));
	}
	return false;
}

/* Rings that no buffer's page leads to. */
static void load_found_rings(struct dump *d)
{
	const struct scan *s = need_scan(d);
	struct dump_buffer *b;
	size_t i;

	for (i = 0; i < s->rings; i++) {
		b = buffer_of(d, s->ring[i].uuid);
		if (b)
			ring_load_found(d, b, &s->ring[i]);
	}
}

/*
 * What pages that tell what they are lead to. Where all of the directory was read,
 * a buffer that is not in it was removed.
 */
static bool load_scanned(struct dump *d, const char *boot)
{
	const struct scan *s = need_scan(d);
	size_t i;

	if (!d->have_boot_id)
		choose_boot(d, boot);
	/* Another boot's trace is not what was asked for. */
	if (boot && !d->have_boot_id)
		return false;
	for (i = 0; i < s->dirs && !d->have_dir; i++)
		if (!is_first(s, s->dir[i].pa))
			continue;
		else if (is_foreign(d, s->dir[i].pa))
			note("the directory of another boot at %#llx is left out",
			     s->dir[i].pa);
		else
			load_directory(d, s->dir[i].pa);
	for (i = 0; i < s->infos && !d->have_dir; i++)
		load_buffer(d, s->info[i], false);
	load_found_rings(d);
	return true;
}

/* Packets that no ring leads to. */
static void load_stray_packets(struct dump *d)
{
	const struct scan *s = need_scan(d);
	struct dump_buffer *b = NULL;
	struct dump_cpu *c;
	size_t i, twice = 0, foreign = 0;

	for (i = 0; i < s->packets; i++) {
		const struct found_packet *f = &s->packet[i];

		if (d->have_boot_id &&
		    memcmp(f->uuid, d->boot_id, sizeof(d->boot_id))) {
			foreign++;
			continue;
		}
		if (!b || memcmp(b->uuid, f->uuid, sizeof(b->uuid)))
			b = buffer_of(d, f->uuid);
		c = b ? dump_buffer_cpu(d, b, f->cpu) : NULL;
		if (!c)
			continue;
		if (c->ring)
			ring_mend(d, c, f);
		else if (c->nr && c->packet[c->nr - 1].seq == f->at.seq)
			twice++;
		else
			dump_cpu_add(c, f->at.pa, f->at.seq);
	}
	if (twice)
		trouble("%zu packets are in the dump more than once; the copies are dropped",
			twice);
	if (foreign)
		note("%zu packets of other boots are left out", foreign);
}

static bool has_packets(const struct dump *d)
{
	size_t i, k;

	for (i = 0; i < d->nr; i++)
		for (k = 0; k < d->buffer[i]->nr; k++)
			if (d->buffer[i]->cpu[k]->nr)
				return true;
	return false;
}

struct dump *dump_open(const char *path, const struct dump_options *opt)
{
	struct memsrc *mem = memsrc_open(path, opt->part, opt->parts);
	struct dump *d;

	if (!mem)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->mem = mem;
	find_descriptor(d, opt);
	if (d->have_desc)
		d->have_dir = load_directory(d, d->desc.directory);
	if (!d->have_desc || d->damaged) {
		if (!d->have_desc)
			trouble("no descriptor found; looking for packets in all of the dump");
		else
			note("looking for what is missing in all of the dump");
		if (!load_scanned(d, opt->boot)) {
			dump_close(d);
			return NULL;
		}
		load_stray_packets(d);
	}
	if (!has_packets(d)) {
		trouble("%s: no trace found in it", path);
		dump_close(d);
		return NULL;
	}
	dump_load_body(d);
	if (!d->have_dir && !d->tasks.nr)
		trouble("the table of task names cannot be found");
	/* All that it tells was taken. */
	scan_free(d->scan);
	d->scan = NULL;
	return d;
}

void dump_close(struct dump *d)
{
	size_t i, k;

	for (i = 0; i < d->nr; i++) {
		for (k = 0; k < d->buffer[i]->nr; k++) {
			free(d->buffer[i]->cpu[k]->packet);
			free(d->buffer[i]->cpu[k]->ring);
			free(d->buffer[i]->cpu[k]);
		}
		free(d->buffer[i]->cpu);
		free(d->buffer[i]->head);
		free(d->buffer[i]);
	}
	free(d->buffer);
	free(d->dir);
	free(d->metadata.piece);
	free(d->tasks.piece);
	free(d->body);
	symbols_free(d->symbols);
	scan_free(d->scan);
	memsrc_close(d->mem);
	free(d);
}

void dump_add_names(struct dump *d, struct names *names)
{
	struct lkst_task t;
	size_t i, total = 0;
	u64 at;

	for (i = 0; i < d->tasks.nr; i++) {
		const struct dump_piece *p = &d->tasks.piece[i];

		for (at = 0; at + sizeof(t) <= p->size && total < TASKS_MAX;
		     at += sizeof(t), total += sizeof(t)) {
			if (!memsrc_read_all(d->mem, p->pa + at, &t, sizeof(t))) {
				trouble("a part of the table of task names %s",
					memsrc_why(d->mem, p->pa + at));
				break;
			}
			names_add_task(names, &t);
		}
	}
}
