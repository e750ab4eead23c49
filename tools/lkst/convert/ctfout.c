// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctfout.h"

/* A packet is closed before it has more than this, but for a record that is longer. */
#define PACKET_FULL	65536u

/*
 * The packet that is being filled for one CPU. All records are of the compact form:
 * where the time between two does not fit in that, another packet begins.
 */
struct out_cpu {
	u32 cpu;
	FILE *file;
	struct lkst_packet *packet;	/* has room for LKST_PACKET_MAX */
	u32 len;			/* bytes in it; 0 if none was begun */
	u32 used;			/* less what pads its last record */
	u64 time;			/* of what was last written */
	u32 tid;			/* the thread that a reader takes to run then */
	u64 seq;
	u64 packets;			/* that were written */
	u64 discarded;
};

struct ctfout {
	const char *dir;
	u8 uuid[LKST_UUID_SIZE];
	struct out_cpu *cpu;
	size_t nr;
	size_t room;
	bool threads;
	bool failed;
};

struct ctfout *ctfout_new(const char *dir, const u8 *uuid, bool threads)
{
	struct ctfout *o = xcalloc(1, sizeof(*o));

	o->dir = dir;
	o->threads = threads;
	memcpy(o->uuid, uuid, sizeof(o->uuid));
	return o;
}

static void say(struct ctfout *o, const char *path)
{
	if (!o->failed)
		trouble("%s: %s", path, strerror(errno));
	o->failed = true;
}

static struct out_cpu *find_cpu(struct ctfout *o, u32 cpu)
{
	struct out_cpu *c;
	char *path;
	size_t i;

	for (i = 0; i < o->nr; i++)
		if (o->cpu[i].cpu == cpu)
			return &o->cpu[i];
	o->cpu = grow(o->cpu, o->nr, &o->room, sizeof(*o->cpu));
	c = &o->cpu[o->nr++];
	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	c->packet = xcalloc(1, LKST_PACKET_MAX);
	path = xasprintf("%s/cpu%u", o->dir, cpu);
	c->file = fopen(path, "w");
	if (!c->file)
		say(o, path);
	free(path);
	return c;
}

static void close_packet(struct ctfout *o, struct out_cpu *c)
{
	struct lkst_packet *p = c->packet;
	u32 size = LKST_PACKET_MIN;

	if (!c->len)
		return;
	while (size < c->len)
		size *= 2;
	memset((u8 *)p + c->len, 0, size - c->len);
	p->end = c->time;
	p->content_size = c->used * 8ull;
	p->packet_size = size * 8ull;
	p->discarded = c->discarded;
	c->len = 0;
	c->packets++;
	if (c->file && fwrite(p, size, 1, c->file) != 1)
		say(o, o->dir);
}

static void begin_packet(struct ctfout *o, struct out_cpu *c, u32 tid, u64 time)
{
	struct lkst_packet *p = c->packet;

	memset(p, 0, sizeof(*p));
	p->magic = LKST_PACKET_MAGIC;
	memcpy(p->uuid, o->uuid, sizeof(p->uuid));
	p->tid = tid;
	p->seq = c->seq++;
	p->cpu = c->cpu;
	p->begin = time;
	c->time = time;
	c->tid = tid;
	c->len = sizeof(*p);
	c->used = c->len;
}

void ctfout_record(struct ctfout *o, const struct ctfout_record *r)
{
	struct out_cpu *c = find_cpu(o, r->cpu);
	u32 words = 1 + (r->size + 7) / 8;
	u64 *to;

	if (c->len && ((r->time - c->time) >> 32 || (o->threads && c->tid != r->tid) ||
		       c->len + words * 8 > PACKET_FULL))
		close_packet(o, c);
	if (!c->len)
		begin_packet(o, c, r->tid, r->time);
	to = (u64 *)((u8 *)c->packet + c->len);
	to[words - 1] = 0;
	to[0] = (r->time << 32) | 1 << 24 | words << 16 | r->id |
		(r->finished ? LKST_RECORD_FINISHED : 0);
	memcpy(to + 1, r->payload, r->size);
	c->used = c->len + 8 + r->size;
	c->len += words * 8;
	c->packet->reserved++;
	c->time = r->time;
	c->tid = r->next;
}

void ctfout_lost(struct ctfout *o, u32 cpu, u32 tid, u64 time, u64 count)
{
	struct out_cpu *c = find_cpu(o, cpu);
	u64 last = c->time;

	/* A reader that compares two packets does not see what the first has lost. */
	if (c->len && !c->packets)
		close_packet(o, c);
	if (!c->len)
		begin_packet(o, c, tid, c->packets ? last : time);
	c->time = max(c->time, time);
	c->discarded += count;
	close_packet(o, c);
}

void ctfout_missing(struct ctfout *o, u32 cpu, u64 count)
{
	struct out_cpu *c = find_cpu(o, cpu);

	close_packet(o, c);
	c->seq += count;
}

bool ctfout_end(struct ctfout *o)
{
	bool ok;
	size_t i;

	for (i = 0; i < o->nr; i++) {
		close_packet(o, &o->cpu[i]);
		if (o->cpu[i].file && fclose(o->cpu[i].file))
			say(o, o->dir);
		free(o->cpu[i].packet);
	}
	ok = !o->failed;
	free(o->cpu);
	free(o);
	return ok;
}
