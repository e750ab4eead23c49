// SPDX-License-Identifier: GPL-2.0
/* lkst snapshot: a buffer as it is now, while recording goes on. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live.h"
#include "lkst.h"
#include "outdir.h"

static const char help[] =
	"Usage: lkst snapshot [-o DIR] [-b BUFFER]\n"
	"Write what a buffer of the running kernel holds now to a directory, as a trace.\n"
	"Recording goes on, and the buffer stays as it is.\n"
	"\n"
	"  -b, --buffer=NAME  this buffer, not the current one\n"
	"  -f, --force        write even if DIR is not empty\n"
	"  -o, --output=DIR   where to write; lkst-DATE-TIME if it is not given\n"
	"  -h, --help         show this\n";

static const struct option options[] = {
	{ "buffer", required_argument, NULL, 'b' },
	{ "force", no_argument, NULL, 'f' },
	{ "output", required_argument, NULL, 'o' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* How often it is begun anew when the buffer is replaced meanwhile. */
#define TRIES	3

/**
 * struct copy - what is copied of a CPU's ring
 * @cpu: the CPU
 * @in: its packets
 * @out: their file
 * @seq: number of the next one, 0 before the first
 * @packets: written
 * @records: in them
 * @missed: packets that were overwritten before they could be read
 */
struct copy {
	u32 cpu;
	int in;
	int out;
	u64 seq;
	u64 packets;
	u64 records;
	u64 missed;
};

struct snapshot {
	struct live *l;
	const char *dir;
	struct copy *copy;
	void *buf;
	bool replaced;		/* a packet is of another incarnation */
	bool failed;		/* it cannot be written */
};

static void write_packet(struct snapshot *s, struct copy *c, const struct lkst_packet *p)
{
	if (!live_owns(s->l, p)) {
		s->replaced = true;
		return;
	}
	if (!write_all(c->out, p, packet_bytes(p))) {
		trouble("%s/cpu%u: %s", s->dir, c->cpu, strerror(errno));
		s->failed = true;
		return;
	}
	if (c->packets)
		c->missed += p->seq - c->seq;
	c->seq = p->seq + 1;
	c->packets++;
	c->records += p->reserved;
}

/*
 * Write what was closed before the packet that is open, which is written last if
 * @last. So there is an end, however fast the CPU records.
 */
static void copy_ring(struct snapshot *s, struct copy *c, bool last)
{
	struct lkst_packet *open = live_peek(s->l, c->cpu), *p;
	unsigned int tries = LIVE_TRIES;

	if (!open) {
		s->failed = true;
		return;
	}
	while (!s->replaced && !s->failed && c->seq < open->seq) {
		p = live_read(c->in, s->buf);
		if (p)
			write_packet(s, c, p);
		else if (!tries-- || !live_wait(c->in))
			break;
	}
	/* It may have been closed, and read, meanwhile. */
	if (last && open->reserved && c->seq <= open->seq && !s->replaced && !s->failed)
		write_packet(s, c, open);
	free(open);
}

static bool open_files(struct snapshot *s)
{
	char name[16];
	size_t i;

	s->copy = xcalloc(s->l->nr, sizeof(*s->copy));
	for (i = 0; i < s->l->nr; i++)
		s->copy[i] = (struct copy){ .cpu = s->l->cpu[i], .in = -1, .out = -1 };
	for (i = 0; i < s->l->nr; i++) {
		snprintf(name, sizeof(name), "cpu%u", s->copy[i].cpu);
		s->copy[i].in = live_cpu(s->l, s->copy[i].cpu);
		s->copy[i].out = s->copy[i].in < 0 ? -1 : make_file(s->dir, name);
		if (s->copy[i].out < 0)
			return false;
	}
	return true;
}

static void close_files(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->l->nr; i++) {
		if (s->copy[i].in >= 0)
			close(s->copy[i].in);
		if (s->copy[i].out >= 0 && close(s->copy[i].out))
			trouble("%s/cpu%u: %s", s->dir, s->copy[i].cpu, strerror(errno));
	}
	free(s->copy);
}

static bool write_texts(struct snapshot *s)
{
	size_t size, symbols_size;
	char *symbols = live_symbols(s->l->past_text, &symbols_size);
	char *tasks = s->l->past_text ? live_past_tasks(s->l, &size) : live_tasks(&size);
	bool ok = tasks && write_file(s->dir, TASKS_FILE, tasks, size) &&
		write_file(s->dir, METADATA_FILE, s->l->text, strlen(s->l->text)) &&
		(!symbols || write_file(s->dir, SYMBOLS_FILE, symbols, symbols_size));

	free(symbols);
	free(tasks);
	return ok;
}

static void print_counts(const struct snapshot *s)
{
	const struct copy *c;
	size_t i;

	printf("buffer %s\n  %-8s %10s %12s %15s\n", s->l->name, "cpu", "packets",
	       "records", "missed packets");
	for (i = 0; i < s->l->nr; i++) {
		c = &s->copy[i];
		printf("  cpu%-5u %10llu %12llu %15llu\n", c->cpu, c->packets,
		       c->records, c->missed);
	}
}

/* Twice over all CPUs, so that the open packets are copied close together. */
static void copy_rings(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->l->nr; i++)
		copy_ring(s, &s->copy[i], false);
	for (i = 0; i < s->l->nr; i++)
		copy_ring(s, &s->copy[i], true);
}

/* Returns false when the buffer was replaced meanwhile. */
static bool snapshot(const char *buffer, const char *dir)
{
	struct snapshot s = { .l = live_open(buffer), .dir = dir };

	if (!s.l)
		return true;
	clean_dir(dir);
	s.buf = xcalloc(1, LKST_PACKET_MAX);
	if (open_files(&s)) {
		copy_rings(&s);
		if (!s.replaced && !s.failed && write_texts(&s))
			print_counts(&s);
	}
	close_files(&s);
	free(s.buf);
	live_close(s.l);
	return !s.replaced;
}

static void say_if_discard(const char *buffer)
{
	char *name = buffer ? xstrdup(buffer) : live_current();
	char *mode = control_get("buffers/%s/mode", name);

	if (mode && !strcmp(mode, "discard"))
		note("buffer %s is in discard mode: closed packets that are read are taken from it",
		     name);
	free(mode);
	free(name);
}

/* Where to write; to be freed. */
static char *ready_dir(const char *buffer, const char *dir, bool force)
{
	if (!control_ready() || (buffer && !control_has("buffers", buffer)))
		return NULL;
	if (!dir)
		return live_make_dir();
	return make_dir(dir, force) ? xstrdup(dir) : NULL;
}

static int run(const char *buffer, const char *wanted, bool force)
{
	char *dir = ready_dir(buffer, wanted, force);
	int tries = TRIES;

	if (!dir)
		return LKST_EXIT_PARTIAL;
	say_if_discard(buffer);
	while (tries && !snapshot(buffer, dir))
		tries--;
	if (!tries)
		trouble("the buffer was replaced each time that it was copied; try again");
	if (exit_code() == LKST_EXIT_OK)
		printf("written to %s\n", dir);
	free(dir);
	return exit_code();
}

int cmd_snapshot(int argc, char **argv)
{
	const char *buffer = NULL, *dir = NULL;
	bool force = false;
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "b:fo:h", options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(help, stdout);
			return LKST_EXIT_OK;
		}
		if (c == '?')
			return see_help("snapshot");
		if (c == 'b')
			buffer = optarg;
		if (c == 'o')
			dir = optarg;
		if (c == 'f')
			force = true;
	}
	if (optind < argc) {
		note("snapshot: \"%s\" is one word too many", argv[optind]);
		return see_help("snapshot");
	}
	return run(buffer, dir, force);
}
