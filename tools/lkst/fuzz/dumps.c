// SPDX-License-Identifier: GPL-2.0
/*
 * What extract does with a dump, up to writing it. An input that begins with PARTS has
 * a dump in two parts.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump.h"
#include "klog.h"
#include "metadata.h"
#include "names.h"
#include "symbols.h"
#include "target.h"

/* Then comes the number of bytes in the first part, in 4 bytes. */
#define PARTS	"PARTS"

static FILE *nowhere;

static int make_file(const u8 *data, size_t n)
{
	int fd = memfd_create("dump", 0);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	return fd;
}

static void read_buffer(struct dump *d, struct dump_buffer *b)
{
	struct metadata *m = NULL;
	struct dump_reader r;
	size_t i, k;

	free(dump_metadata(d, b, &m));
	for (i = 0; i < b->nr; i++) {
		dump_reader_init(&r, d, b, b->cpu[i], m);
		while (dump_reader_next(&r))
			for (k = 0; k < r.size / 8; k++)
				if (in_kernel_map(((u64 *)r.copy)[k]))
					symbols_mark(dump_symbols(d), ((u64 *)r.copy)[k]);
		dump_reader_free(&r);
	}
	metadata_free(m);
}

static void read_dump(const char *const *path, size_t nr)
{
	struct dump_options how = { .part = path + 1, .parts = nr - 1 };
	struct dump *d = dump_open(path[0], &how);
	struct names *names;
	size_t i;

	if (!d)
		return;
	names = names_new();
	dump_add_names(d, names);
	names_free(names);
	klog_write(d->mem, nowhere);
	for (i = 0; i < d->nr; i++)
		read_buffer(d, d->buffer[i]);
	dump_close(d);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char path[2][32];
	const char *list[2] = { path[0], path[1] };
	size_t nr = 1, i;
	u32 first = n;
	int fd[2];

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (n > sizeof(PARTS) + 3 && !memcmp(data, PARTS, sizeof(PARTS) - 1)) {
		memcpy(&first, data + sizeof(PARTS) - 1, sizeof(first));
		data += sizeof(PARTS) + 3;
		n -= sizeof(PARTS) + 3;
		first = min_t(size_t, first, n);
		nr = 2;
	}
	fd[0] = make_file(data, first);
	fd[1] = make_file(data + first, n - first);
	for (i = 0; i < 2; i++)
		snprintf(path[i], sizeof(path[i]), "/proc/self/fd/%d", fd[i]);
	read_dump(list, nr);
	close(fd[0]);
	close(fd[1]);
	return 0;
}
