// SPDX-License-Identifier: GPL-2.0
/* lkst extract: from a dump to a directory for each buffer, in CTF 1.8. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lkst.h"
#include "metadata.h"
#include "names.h"
#include "symbols.h"

static const char help[] =
	"Usage: lkst extract DUMP... -o DIR\n"
	"Write the trace buffers in a crash dump to DIR, one directory for each. DUMP is\n"
	"a file in any form that lkst-extract(1) names, or - for standard input; several\n"
	"are the parts of a dump that makedumpfile --split wrote, in any order.\n"
	"\n"
	"  -o, --output=DIR  where to write; made if it is not there\n"
	"  -f, --force       write even if DIR is not empty\n"
	"  -s, --scan        look for the trace on every page, whatever vmcoreinfo says\n"
	"  -B, --boot=ID     take the boot whose id begins so, when there are several\n"
	"  -h, --help        show this\n";

static const struct option options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "force", no_argument, NULL, 'f' },
	{ "scan", no_argument, NULL, 's' },
	{ "boot", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

struct extract {
	struct dump *d;
	const char *dir;
	bool force;
	char *tasks;		/* text of the file of names */
	size_t tasks_size;
};

static bool is_hidden(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Make a directory; one that is there must be empty unless forced. */
static bool make_dir(const char *path, bool force)
{
	struct dirent *e;
	bool ok = true;
	DIR *dir;

	if (!mkdir(path, 0777))
		return true;
	dir = errno == EEXIST ? opendir(path) : NULL;
	if (!dir) {
		trouble("%s: %s", path, strerror(errno));
		return false;
	}
	while (ok && (e = readdir(dir)))
		ok = force || is_hidden(e->d_name);
	closedir(dir);
	if (!ok)
		trouble("%s: is not empty; -f writes there all the same", path);
	return ok;
}

/* Remove what an earlier run left in the directory of a buffer. */
static void clean_dir(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (!strncmp(e->d_name, "cpu", 3) ||
		    !strcmp(e->d_name, METADATA_FILE) ||
		    !strcmp(e->d_name, TASKS_FILE) ||
		    !strcmp(e->d_name, SYMBOLS_FILE))
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

static bool write_all(int fd, const void *buf, size_t n)
{
	const char *p = buf;
	ssize_t done;

	while (n) {
		done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= done;
	}
	return true;
}

/* A new file, never one that a link leads to. */
static int make_file(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		trouble("%s: %s", path, strerror(errno));
	free(path);
	return fd;
}

static bool write_file(const char *dir, const char *name, const char *text,
		       size_t n)
{
	int fd = make_file(dir, name);
	bool ok = fd >= 0 && write_all(fd, text, n);

	if (fd >= 0 && (close(fd) || !ok)) {
		trouble("%s/%s: %s", dir, name, strerror(errno));
		ok = false;
	}
	return ok;
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
	}
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

static void print_count(struct dump_buffer *b, struct dump_cpu *c,
			const struct dump_count *n)
{
	printf("  cpu%-5u %8llu %10llu %10llu %8llu", c->cpu, n->packets,
	       n->records, n->unfinished, n->strange);
	if (c->ring)
		printf(" %10llu %12llu", c->ring->lost, c->ring->overwritten);
	else
		printf(" %10s %12s", "?", "?");
	printf(" %8llu %8llu\n", n->cut, n->dropped);
	if (c->ring)
		check_count(b, c, n);
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

static bool write_buffer(struct extract *x, struct dump_buffer *b)
{
	char *dir = xasprintf("%s/%s", x->dir, b->name);
	struct metadata *m = NULL;
	struct dump_count count;
	bool ok;
	size_t i;

	ok = make_dir(dir, x->force);
	if (ok) {
		clean_dir(dir);
		printf("buffer %s%s\n", b->name, b->is_current ? " (current)" : "");
		printf("  %-8s %8s %10s %10s %8s %10s %12s %8s %8s\n", "cpu",
		       "packets", "records", "unfinished", "strange", "lost",
		       "overwritten", "cut", "dropped");
		m = write_metadata(x, dir, b);
		write_file(dir, TASKS_FILE, x->tasks, x->tasks_size);
	}
	for (i = 0; ok && i < b->nr; i++) {
		ok = write_cpu(x, dir, b, b->cpu[i], m, &count);
		print_count(b, b->cpu[i], &count);
	}
	if (ok)
		write_symbols(x->d, dir);
	metadata_free(m);
	free(dir);
	return ok;
}

static void write_current(struct extract *x, const char *name)
{
	char *line = xasprintf("%s\n", name);

	write_file(x->dir, CURRENT_FILE, line, strlen(line));
	free(line);
}

static int extract(struct extract *x)
{
	struct names *names = names_new();
	size_t i;

	if (!make_dir(x->dir, x->force))
		return LKST_EXIT_PARTIAL;
	dump_add_names(x->d, names);
	x->tasks = names_to_text(names, &x->tasks_size);
	names_free(names);
	for (i = 0; i < x->d->nr; i++) {
		struct dump_buffer *b = x->d->buffer[i];

		if (b->is_current)
			write_current(x, b->name);
		if (!write_buffer(x, b))
			break;
	}
	free(x->tasks);
	return exit_code();
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
	while ((c = getopt_long(argc, argv, "o:fsB:h", options, NULL)) >= 0) {
		switch (c) {
		case 'o':
			x.dir = optarg;
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
	x.d = dump_open((const char *const *)argv + optind, argc - optind, &how);
	if (!x.d)
		return LKST_EXIT_PARTIAL;
	c = extract(&x);
	dump_close(x.d);
	return c;
}
