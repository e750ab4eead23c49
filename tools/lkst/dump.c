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

#include "dump.h"
#include "names.h"

#define DIRECTORIES_MAX	4096u
#define BUFFERS_MAX	1024u
#define PIECES_MAX	16384u
#define METADATA_MAX	(4u << 20)
#define TASKS_MAX	(32u << 20)

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

/* Give a buffer a name that no other has: it becomes the name of a directory. */
static void set_name(struct dump *d, struct dump_buffer *b, const u8 *name)
{
	size_t i;
	u32 n;

	memcpy(&n, b->uuid + LKST_BOOT_ID_SIZE, sizeof(n));
	if (name && name_ok(name, LKST_NAME_SIZE))
		snprintf(b->name, sizeof(b->name), "%s", (const char *)name);
	else
		snprintf(b->name, sizeof(b->name), "unknown-%u", n);
	for (i = 0; i < d->nr; i++)
		if (d->buffer[i] != b && !strcmp(d->buffer[i]->name, b->name))
			snprintf(b->name + strlen(b->name),
				 sizeof(b->name) - strlen(b->name), "-%u", n);
}

static void load_rings(struct dump *d, struct dump_buffer *b,
		       const struct lkst_buffer_info *info)
{
	u64 page[LKST_TABLE_ENTRIES];
	u32 cpu, rings = info->nr_rings;

	if (rings > LKST_BUFFER_TABLES * LKST_TABLE_ENTRIES) {
		trouble("buffer %s: impossible number of rings, %u", b->name, rings);
		d->damaged = true;
		rings = LKST_BUFFER_TABLES * LKST_TABLE_ENTRIES;
	}
	for (cpu = 0; cpu < rings; cpu++) {
		u32 at = cpu % LKST_TABLE_ENTRIES;
		u64 table = info->table[cpu / LKST_TABLE_ENTRIES];

		if (!at && table && !memsrc_read_all(d->mem, table, page, sizeof(page))) {
			trouble("buffer %s: its table of rings is not in the dump",
				b->name);
			d->damaged = true;
			table = 0;
		}
		if (!table)
			cpu |= LKST_TABLE_ENTRIES - 1;
		else if (page[at] && !ring_load(d, b, cpu, page[at]))
			d->damaged = true;
	}
}

static bool load_buffer(struct dump *d, u64 pa)
{
	struct lkst_buffer_info info;
	struct dump_buffer *b;

	if (!memsrc_read_all(d->mem, pa, &info, sizeof(info)) ||
	    info.magic != LKST_BUFFER_MAGIC ||
	    !name_ok(info.name, sizeof(info.name))) {
		trouble("there is no buffer at %#llx, where one should be", pa);
		return false;
	}
	if (d->have_boot_id &&
	    memcmp(info.uuid, d->boot_id, sizeof(d->boot_id))) {
		trouble("buffer %s at %#llx is of another boot", info.name, pa);
		return false;
	}
	if (find_buffer(d, info.uuid) || d->nr == BUFFERS_MAX)
		return true;
	b = add_buffer(d, info.uuid);
	set_name(d, b, info.name);
	memcpy(d->boot_id, info.uuid, sizeof(d->boot_id));
	d->have_boot_id = true;
	b->is_current = d->have_state && d->state.buffer == pa;
	b->flags = info.flags;
	b->packet_size = info.packet_size;
	b->nr_packets = info.nr_packets;
	if (info.head_size <= sizeof(info.head))
		b->head = strndup((char *)info.head, info.head_size);
	else
		trouble("buffer %s: the head of its metadata is damaged", b->name);
	load_rings(d, b, &info);
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
		return load_buffer(d, e->pa);
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

/* Follow a chain of directory pages. */
static void load_directory(struct dump *d, u64 pa)
{
	struct lkst_directory dir;
	u32 pages = 0;
	int i;

	for (; pa; pa = dir.next) {
		if (!memsrc_read_all(d->mem, pa, &dir, sizeof(dir)) ||
		    dir.magic != LKST_DIRECTORY_MAGIC || dir.pa != pa ||
		    pages++ == DIRECTORIES_MAX) {
			trouble("there is no directory at %#llx, where one should be",
				pa);
			d->damaged = true;
			return;
		}
		for (i = 0; i < LKST_DIRECTORY_ENTRIES; i++)
			if (!load_entry(d, &dir.entry[i]))
				d->damaged = true;
	}
}

static struct scan *need_scan(struct dump *d)
{
	if (!d->scan)
		d->scan = scan_memory(d->mem);
	return d->scan;
}

static bool boot_matches(const struct lkst_descriptor *desc, const char *boot)
{
	char hex[33];
	int i;

	for (i = 0; i < 16; i++)
		sprintf(hex + 2 * i, "%02x", desc->boot_id[i]);
	return !boot || !strncmp(hex, boot, strlen(boot));
}

/* The descriptor that vmcoreinfo names. */
static bool named_descriptor(struct dump *d)
{
	static const char key[] = "NUMBER(lkst_descriptor_pa)=";
	const char *line = d->mem->vmcoreinfo;
	u64 pa;

	while (line && strncmp(line, key, sizeof(key) - 1)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return false;
	pa = strtoull(line + sizeof(key) - 1, NULL, 0);
	if (memsrc_read_all(d->mem, pa, &d->desc, sizeof(d->desc)) &&
	    descriptor_ok(&d->desc, pa))
		return true;
	trouble("there is no good descriptor at %#llx, which vmcoreinfo names", pa);
	return false;
}

static void say_boots(const struct scan *s, const struct lkst_descriptor *chosen)
{
	size_t i;
	int k;

	note("the dump has descriptors of %zu boots (an earlier one may be damaged):",
	     s->descs);
	for (i = 0; i < s->descs; i++) {
		char hex[33];

		for (k = 0; k < 16; k++)
			sprintf(hex + 2 * k, "%02x", s->desc[i].boot_id[k]);
		note("  boot %s, started %llu.%09llu s after 1970%s", hex,
		     s->desc[i].wall_ns / 1000000000, s->desc[i].wall_ns % 1000000000,
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
		if (boot_matches(&s->desc[i], boot) &&
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

static void find_descriptor(struct dump *d, const struct dump_options *opt)
{
	d->have_desc = !opt->scan && !opt->boot && named_descriptor(d);
	if (!d->have_desc)
		d->have_desc = scanned_descriptor(d, opt->boot);
	if (!d->have_desc)
		return;
	memcpy(d->boot_id, d->desc.boot_id, sizeof(d->boot_id));
	d->have_boot_id = true;
	d->have_state = memsrc_read_all(d->mem, d->desc.state, &d->state,
					sizeof(d->state));
	d->state.maskset[LKST_NAME_SIZE - 1] = 0;
	if (!d->have_state)
		trouble("the page of LKST's state is not in the dump");
}

/* Is this page of a directory the first, as far as the others say? */
static bool is_first(struct dump *d, u64 pa)
{
	struct lkst_directory dir;
	size_t i;

	for (i = 0; i < d->scan->dirs; i++)
		if (memsrc_read_all(d->mem, d->scan->dir[i], &dir, sizeof(dir)) &&
		    dir.next == pa)
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

/* Without a descriptor: what the pages that tell what they are lead to. */
static void load_scanned(struct dump *d)
{
	const struct scan *s = need_scan(d);
	size_t i;

	for (i = 0; i < s->dirs; i++)
		if (!is_first(d, s->dir[i]))
			continue;
		else if (is_foreign(d, s->dir[i]))
			note("the directory of another boot at %#llx is left out",
			     s->dir[i]);
		else
			load_directory(d, s->dir[i]);
	for (i = 0; i < s->infos; i++)
		load_buffer(d, s->info[i]);
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
			b = find_buffer(d, f->uuid);
		if (!b && d->nr < BUFFERS_MAX) {
			b = add_buffer(d, f->uuid);
			set_name(d, b, NULL);
			b->packet_size = f->size;
		}
		c = b ? dump_buffer_cpu(d, b, f->cpu) : NULL;
		if (!c || c->ring)
			continue;
		if (c->nr && c->packet[c->nr - 1].seq == f->at.seq)
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

/* Read pieces that are in order into one text; NULL if one is missing. */
static char *join(struct dump *d, struct dump_pieces *p, size_t max_size,
		  size_t *size)
{
	size_t i, n = 0;
	char *text;

	for (i = 0; i < p->nr; i++) {
		if (p->piece[i].size > max_size - n)
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

static void load_metadata(struct dump *d)
{
	struct dump_pieces *p = &d->metadata;
	size_t size = 0;

	if (p->nr) {
		sort(p->piece, p->nr, sizeof(*p->piece), by_index);
		d->body = join(d, p, METADATA_MAX, &size);
	}
	if (d->body && (!size || strlen(d->body) != size)) {
		free(d->body);
		d->body = NULL;
	}
	if (!d->body)
		trouble("the metadata %s: packets can be extracted, but not decoded",
			p->nr ? "is damaged" : "cannot be found");
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
	struct memsrc *mem = memsrc_open(path);
	struct dump *d;

	if (!mem)
		return NULL;
	d = xcalloc(1, sizeof(*d));
	d->mem = mem;
	find_descriptor(d, opt);
	if (d->have_desc)
		load_directory(d, d->desc.directory);
	if (!d->have_desc || d->damaged) {
		if (!d->have_desc)
			trouble("no descriptor found; looking for packets in all of the dump");
		else
			note("looking for what is missing in all of the dump");
		load_scanned(d);
		load_stray_packets(d);
	}
	if (!has_packets(d)) {
		trouble("%s: no trace found in it", path);
		dump_close(d);
		return NULL;
	}
	load_metadata(d);
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
	free(d->metadata.piece);
	free(d->tasks.piece);
	free(d->body);
	scan_free(d->scan);
	memsrc_close(d->mem);
	free(d);
}

/* The head of another buffer of the boot, made into one for this buffer. */
static char *borrow_head(struct dump *d, struct dump_buffer *b)
{
	char from[37], to[37], *head, *at;
	size_t i;

	for (i = 0; i < d->nr; i++) {
		if (!d->buffer[i]->head)
			continue;
		head = xstrdup(d->buffer[i]->head);
		uuid_text(d->buffer[i]->uuid, from);
		uuid_text(b->uuid, to);
		at = strstr(head, from);
		if (at) {
			memcpy(at, to, strlen(to));
			trouble("buffer %s: its clock is taken to be that of buffer %s",
				b->name, d->buffer[i]->name);
			return head;
		}
		free(head);
	}
	return NULL;
}

char *dump_metadata(struct dump *d, struct dump_buffer *b)
{
	if (!b->head)
		b->head = borrow_head(d, b);
	if (!b->head || !d->body)
		return NULL;
	return xasprintf("%s%s", b->head, d->body);
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
				trouble("a part of the table of task names is not in the dump");
				break;
			}
			names_add_task(names, &t);
		}
	}
}
