// SPDX-License-Identifier: GPL-2.0
/* lkst status: what the tracer does, or did when the dump was made. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "control.h"
#include "lkst.h"
#include "summary.h"
#include "text.h"

#define VALUE_MAX	65536u

static const char help[] =
	"Usage: lkst status [OPTION...] [DUMP...]\n"
	"Show the state of the tracer: of the running kernel, or of a crash dump.\n"
	"\n"
	"  -s, --scan     in a dump: look for the trace on every page\n"
	"  -B, --boot=ID  in a dump: take the boot whose id begins so\n"
	"  -h, --help     show this\n";

static const struct option options[] = {
	{ "scan", no_argument, NULL, 's' },
	{ "boot", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* The counters in a CPU's directory, in the order of the columns. */
static const char *const counters[] = {
	"hits", "lost", "readable", "consumed", "overwritten", "unfinished", "bytes",
};

/* The first line of a file below a directory, or "?"; to be freed. */
static char *get_value(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	size_t len;
	char *value = read_file(path, VALUE_MAX, &len);

	if (!value)
		control_failed(path);
	else
		value[strcspn(value, "\n")] = 0;
	free(path);
	return value ? value : xstrdup("?");
}

static void show_cpu(const char *dir, const char *cpu)
{
	char *path = xasprintf("%s/%s", dir, cpu);
	char *value;
	size_t i;

	printf("  %-8s", cpu);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		value = get_value(path, counters[i]);
		printf(" %12s", value);
		free(value);
	}
	putchar('\n');
	free(path);
}

static int is_cpu(const struct dirent *e)
{
	u64 n;

	return !strncmp(e->d_name, "cpu", 3) && parse_u64(e->d_name + 3, &n);
}

static int is_dir(const struct dirent *e)
{
	return e->d_name[0] != '.' && e->d_type == DT_DIR;
}

void show_buffer(const char *buffers, const char *name)
{
	char *dir = xasprintf("%s/%s", buffers, name);
	char *size = get_value(dir, "size"), *packet = get_value(dir, "packet");
	char *mode = get_value(dir, "mode");
	struct dirent **cpu;
	size_t k;
	int i, n;

	printf("\nbuffer %s: %s a CPU, packets of %s, %s\n  %-8s", name, size,
	       packet, mode, "cpu");
	for (k = 0; k < ARRAY_SIZE(counters); k++)
		printf(" %12s", counters[k]);
	putchar('\n');
	n = scandir(dir, &cpu, is_cpu, versionsort);
	for (i = 0; i < n; i++) {
		show_cpu(dir, cpu[i]->d_name);
		free(cpu[i]);
	}
	if (n >= 0)
		free(cpu);
	free(size);
	free(packet);
	free(mode);
	free(dir);
}

static int show_live(void)
{
	char *buffers = xasprintf("%s/sys/kernel/lkst/buffers", sysroot());
	char *path = xasprintf("%s/proc/lkst/status", sysroot());
	struct dirent **buffer;
	size_t len;
	char *text = read_file(path, VALUE_MAX, &len);
	int i, n;

	if (text)
		fputs(text, stdout);
	else
		control_failed(path);
	n = text ? scandir(buffers, &buffer, is_dir, alphasort) : 0;
	if (n < 0)
		control_failed(buffers);
	for (i = 0; i < n; i++) {
		show_buffer(buffers, buffer[i]->d_name);
		free(buffer[i]);
	}
	if (n > 0)
		free(buffer);
	free(text);
	free(path);
	free(buffers);
	return exit_code();
}

static void show_state(const struct lkst_state *s)
{
	printf("%-10s %s, %llu Hz\n", "clock",
	       s->clock == LKST_CLOCK_TSC ? "time-stamp counter" :
	       s->clock == LKST_CLOCK_FALLBACK ? "kernel's fast clock" : "unknown",
	       s->hz);
	printf("%-10s %s\n", "recording", s->enabled ? "on" : "stopped");
	show_text("maskset", s->maskset, sizeof(s->maskset));
	printf("%-10s %llu names of live threads fell out\n", "tasks",
	       s->task_fallen);
}

static void show_ring(const struct dump_cpu *c)
{
	const struct lkst_ring *r = c->ring;
	u64 reserved;

	printf("  cpu%-5u", c->cpu);
	if (!r) {
		printf(" its ring is damaged; %zu packets were found\n", c->nr);
		return;
	}
	reserved = r->closed + (r->pos & 0xffff);
	printf(" %12llu %12llu %12llu %12llu %12llu %12llu\n", c->current + 1,
	       reserved, r->lost, reserved - r->consumed - r->overwritten,
	       r->consumed, r->overwritten);
}

static void show_dump_buffer(const struct dump_buffer *b)
{
	size_t i;

	printf("\nbuffer %s%s: %u packets of %u bytes a CPU, %s\n", b->name,
	       b->is_current ? " (current)" : "", b->nr_packets, b->packet_size,
	       b->flags & LKST_RING_DISCARD ? "discard" : "overwrite");
	printf("  %-8s %12s %12s %12s %12s %12s %12s\n", "cpu", "packets",
	       "reserved", "lost", "readable", "consumed", "overwritten");
	for (i = 0; i < b->nr; i++)
		show_ring(b->cpu[i]);
}

static int show_dump(const char *path, const struct dump_options *how)
{
	struct dump *d = dump_open(path, how);
	size_t i;

	if (!d)
		return LKST_EXIT_PARTIAL;
	summary_show(d);
	if (d->have_state)
		show_state(&d->state);
	for (i = 0; i < d->nr; i++)
		show_dump_buffer(d->buffer[i]);
	dump_close(d);
	return exit_code();
}

int cmd_status(int argc, char **argv)
{
	struct dump_options how = { };
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "sB:h", options, NULL)) >= 0) {
		switch (c) {
		case 's':
			how.scan = true;
			break;
		case 'B':
			if (!boot_id_ok(optarg))
				return bad_argument("status", options, c, BOOT_ID_FORM);
			how.boot = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return LKST_EXIT_OK;
		default:
			return see_help("status");
		}
	}
	if (argc > optind) {
		how.part = (const char *const *)argv + optind + 1;
		how.parts = argc - optind - 1;
		return show_dump(argv[optind], &how);
	}
	if (how.scan || how.boot) {
		note("--scan and --boot are for a dump, and none is named");
		return see_help("status");
	}
	return show_live();
}
