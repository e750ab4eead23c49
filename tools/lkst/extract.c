// SPDX-License-Identifier: GPL-2.0
/* lkst extract: from a dump to a directory for each buffer, in CTF 1.8. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "klog.h"
#include "lkst.h"
#include "metadata.h"
#include "names.h"
#include "outdir.h"
#include "progress.h"
#include "summary.h"
#include "symbols.h"

static const char help[] =
	"Usage: lkst extract DUMP... -o DIR\n"
	"Write the trace buffers in a crash dump to DIR, one directory for each. DUMP is\n"
	"a file in any form that lkst-extract(1) names, or - for standard input; several\n"
	"are the parts of a dump that makedumpfile --split wrote, in any order.\n"
	"\n"
	"  -o, --output=DIR  where to write; made if it is not there\n"
	"  -b, --buffer=NAME write only this buffer\n"
	"  -j, --json        tell what was written, and what was wrong, as JSON\n"
	"  -f, --force       write even if DIR is not empty\n"
	"  -s, --scan        look for the trace on every page, whatever vmcoreinfo says\n"
	"  -B, --boot=ID     take the boot whose id begins so, when there are several\n"
	"  -h, --help        show this\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "buffer", required_argument, NULL, 'b' },
	{ "json", no_argument, NULL, 'j' },
	{ "force", no_argument, NULL, 'f' },
	{ "scan", no_argument, NULL, 's' },
	{ "boot", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct extract {
	struct dump *d;
	const char *dir;
	const char *buffer;	/* the only one that is wanted, or NULL */
	bool force;
	bool json;
	struct names *names;
	struct progress progress;
};

static void remove_file(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);

	unlink(path);
	free(path);
}

/* All words are looked at: what is an address of 64 bits fills one. */
static void mark_symbols(struct dump *d, const struct lkst_packet *p)
{
	const u64 *word = (const u64 *)p;
	size_t i, n = p->content_size / 64;

	for (i = sizeof(*p) / 8; i < n; i++)
		if (in_kernel_map(word[i]))
			symbols_mark(dump_symbols(d), word[i]);
}

static void write_symbols(struct dump *d, const char *dir)
{
	size_t size;
	char *text = d->symbols ? symbols_to_text(d->symbols, &size) : NULL;

	if (text)
		write_file(dir, SYMBOLS_FILE, text, size);
	free(text);
}

static bool write_cpu(struct extract *x, const char *dir, struct dump_buffer *b,
		      struct dump_cpu *c, const struct metadata *m,
		      struct dump_count *count)
{
	struct dump_reader r;
	bool ok = true;
	char name[16];
	int fd = -1;

	snprintf(name, sizeof(name), "cpu%u", c->cpu);
	dump_reader_init(&r, x->d, b, c, m);
	while (ok && dump_reader_next(&r)) {
		if (fd < 0)
			fd = make_file(dir, name);
		ok = fd >= 0 && write_all(fd, r.copy, r.size);
		mark_symbols(x->d, r.copy);
		progress_step(&x->progress, r.size);
	}
	progress_end(&x->progress);
	if (fd >= 0 && (close(fd) || !ok)) {
		trouble("%s/%s: %s", dir, name, strerror(errno));
		ok = false;
	}
	*count = r.count;
	dump_reader_free(&r);
	return ok;
}

/*
 * The counters of a ring and what was read of it must agree: what was reserved
 * was read, consumed or overwritten.
 */
static void check_count(struct dump_buffer *b, struct dump_cpu *c,
			const struct dump_count *n)
{
	const struct lkst_ring *r = c->ring;
	u64 reserved = r->closed + (r->pos & 0xffff);
	u64 found = r->consumed + r->overwritten + n->records;

	if (reserved == found)
		return;
	if (r->switching)
		note("buffer %s cpu%u: a packet switch was under way, the counters may be behind",
		     b->name, c->cpu);
	else
		trouble("buffer %s cpu%u: %llu records reserved, %llu accounted for",
			b->name, c->cpu, reserved, found);
}

static void json_count(const struct dump_cpu *c, const struct dump_count *n)
{
	json_begin(NULL, '{');
	json_number("cpu", c->cpu);
	json_number("packets", n->packets);
	json_number("records", n->records);
	json_number("unfinished", n->unfinished);
	json_number("strange", n->strange);
	if (c->ring) {
		json_number("lost", c->ring->lost);
		json_number("overwritten", c->ring->overwritten);
	}
	json_number("cut", n->cut);
	json_number("dropped", n->dropped);
	json_end();
}

static void print_count(const struct dump_cpu *c, const struct dump_count *n)
{
	printf("  cpu%-5u %8llu %10llu %10llu %8llu", c->cpu, n->packets,
	       n->records, n->unfinished, n->strange);
	if (c->ring)
		printf(" %10llu %12llu", c->ring->lost, c->ring->overwritten);
	else
		printf(" %10s %12s", "?", "?");
	printf(" %8llu %8llu\n", n->cut, n->dropped);
}

static void tell_count(struct extract *x, struct dump_buffer *b, struct dump_cpu *c,
		       const struct dump_count *n)
{
	if (x->json)
		json_count(c, n);
	else
		print_count(c, n);
	if (c->ring)
		check_count(b, c, n);
}

/* What comes before the counts of a buffer's CPUs. */
static void tell_buffer(struct extract *x, const struct dump_buffer *b)
{
	if (x->json) {
		json_begin(NULL, '{');
		json_text("name", b->name, sizeof(b->name));
		json_bool("current", b->is_current);
		json_begin("cpus", '[');
		return;
	}
	printf("buffer %s%s\n", b->name, b->is_current ? " (current)" : "");
	printf("  %-8s %8s %10s %10s %8s %10s %12s %8s %8s\n", "cpu", "packets",
	       "records", "unfinished", "strange", "lost", "overwritten", "cut", "dropped");
}

/* Return: what it says, or NULL if it cannot be had. */
static struct metadata *write_metadata(struct extract *x, const char *dir,
				       struct dump_buffer *b)
{
	struct metadata *m;
	char *text = dump_metadata(x->d, b, &m);

	if (text)
		write_file(dir, METADATA_FILE, text, strlen(text));
	else
		trouble("buffer %s: has no metadata; its packets cannot be decoded",
			b->name);
	free(text);
	return m;
}

/*
 * What comes before a name to make it that of a directory: something, where it is that of
 * another file there, or of a part of a trace; or would look like one made so.
 */
static const char *dir_prefix(const char *name)
{
	static const char prefix[] = "buffer-";
	const char *end = name;

	while (!strncmp(end, prefix, sizeof(prefix) - 1))
		end += sizeof(prefix) - 1;
	return *end == '.' || !strcmp(end, METADATA_FILE) || !strcmp(end, LOG_FILE) ||
	       !strncmp(end, PART_PREFIX, strlen(PART_PREFIX)) ? prefix : "";
}

static bool write_buffer(struct extract *x, struct dump_buffer *b)
{
	char *dir = xasprintf("%s/%s%s", x->dir, dir_prefix(b->name), b->name);
	struct metadata *m = NULL;
	struct dump_count count;
	bool ok;
	size_t i;

	tell_buffer(x, b);
	if (*dir_prefix(b->name))
		note("buffer %s: is written to %s", b->name, dir);
	ok = make_dir(dir, x->force);
	if (ok) {
		clean_dir(dir);
		m = write_metadata(x, dir, b);
		write_names(dir, x->names);
	}
	for (i = 0; ok && i < b->nr; i++) {
		ok = write_cpu(x, dir, b, b->cpu[i], m, &count);
		tell_count(x, b, b->cpu[i], &count);
	}
	if (x->json) {
		json_end();
		json_end();
	}
	if (ok)
		write_symbols(x->d, dir);
	metadata_free(m);
	free(dir);
	return ok;
}

static void write_current(struct extract *x, const char *name)
{
	char *line = xasprintf("%s%s\n", dir_prefix(name), name);

	write_file(x->dir, CURRENT_FILE, line, strlen(line));
	free(line);
}

/* The kernel's log, if it is in the dump. */
static void write_log(struct extract *x)
{
	int fd = dump_is_newest(x->d) ? make_file(x->dir, LOG_FILE) : -1;
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	u64 n = f ? klog_write(x->d->mem, f) : 0;
	bool bad = f && ferror(f);

	if (f && (fclose(f) || bad))
		trouble("%s/" LOG_FILE ": %s", x->dir, strerror(errno));
	if (!n)
		remove_file(x->dir, LOG_FILE);
	if (x->json)
		json_number("log_messages", n);
	else if (n)
		printf("%-10s %llu messages, in " LOG_FILE "\n", "log", n);
}

/* Bytes of all packets that will be written, 0 if that is not known. */
static u64 count_bytes(const struct extract *x)
{
	u64 n = 0;
	size_t i, k;

	for (i = 0; i < x->d->nr; i++) {
		const struct dump_buffer *b = x->d->buffer[i];

		if (x->buffer && strcmp(x->buffer, b->name))
			continue;
		if (!b->packet_size)
			return 0;
		for (k = 0; k < b->nr; k++)
			n += (u64)b->cpu[k]->nr * b->packet_size;
	}
	return n;
}

static void write_buffers(struct extract *x)
{
	size_t i;

	x->progress = (struct progress){ .what = "writing", .total = count_bytes(x) };
	x->names = names_new();
	dump_add_names(x->d, x->names);
	for (i = 0; i < x->d->nr; i++) {
		struct dump_buffer *b = x->d->buffer[i];

		if (x->buffer && strcmp(x->buffer, b->name))
			continue;
		if (b->is_current)
			write_current(x, b->name);
		if (!write_buffer(x, b))
			break;
	}
	names_free(x->names);
}

static bool has_buffer(const struct dump *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (!name || !strcmp(name, d->buffer[i]->name))
			return true;
	trouble("-b, --buffer: the dump has no buffer %s, but these:", name);
	for (i = 0; i < d->nr; i++)
		note("  %s", d->buffer[i]->name);
	return false;
}

static void json_messages(void)
{
	const char *s;
	size_t i;

	json_begin("messages", '[');
	for (i = 0; (s = message_kept(i)); i++)
		json_text(NULL, s, strlen(s));
	json_end();
}

static void only_messages(void)
{
	json_begin(NULL, '{');
	json_messages();
	json_end();
}

/* Tell the same in either form: lines, or members of one object. */
static void extract(struct extract *x)
{
	if (!has_buffer(x->d, x->buffer) || !make_dir(x->dir, x->force)) {
		if (x->json)
			only_messages();
		return;
	}
	if (!x->json) {
		summary_show(x->d);
		write_log(x);
		write_buffers(x);
		return;
	}
	json_begin(NULL, '{');
	summary_json(x->d);
	write_log(x);
	json_begin("buffers", '[');
	write_buffers(x);
	json_end();
	json_messages();
	json_end();
}

static bool arguments_ok(int n, const char *dir)
{
	if (n < 1)
		note("no dump is named");
	else if (!dir)
		note("-o, --output: is missing, which says where to write");
	return n >= 1 && dir;
}

int cmd_extract(int argc, char **argv)
{
	struct dump_options how = { };
	struct extract x = { };
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "o:b:jfsB:h", options, NULL)) >= 0) {
		switch (c) {
		case 'o':
			x.dir = optarg;
			break;
		case 'b':
			x.buffer = optarg;
			break;
		case 'j':
			x.json = true;
			messages_keep();
			break;
		case 'f':
			x.force = true;
			break;
		case 's':
			how.scan = true;
			break;
		case 'B':
			if (!boot_id_ok(optarg))
				return bad_argument("extract", options, c, BOOT_ID_FORM);
			how.boot = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return LKST_EXIT_OK;
		default:
			return see_help("extract");
		}
	}
	if (!arguments_ok(argc - optind, x.dir))
		return see_help("extract");
	how.part = (const char *const *)argv + optind + 1;
	how.parts = argc - optind - 1;
	x.d = dump_open(argv[optind], &how);
	if (!x.d && x.json)
		only_messages();
	if (!x.d)
		return LKST_EXIT_PARTIAL;
	extract(&x);
	dump_close(x.d);
	return exit_code();
}
