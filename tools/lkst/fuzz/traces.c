// SPDX-License-Identifier: GPL-2.0
/*
 * What print, stat and convert do with the directory of a trace. The first byte of an
 * input chooses what is done. Then come files: a byte that chooses the name, three with
 * the number of bytes, and these. All is written below the current directory.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lkst.h"
#include "target.h"

#define ARGS_MAX	4

struct way {
	int (*command)(int argc, char **argv);
	const char *arg[ARGS_MAX];
};

static const struct way ways[] = {
	{ cmd_print, { } },
	{ cmd_print, { "--format=json", "--time=wall" } },
	{ cmd_print, { "--format=csv", "--time=delta" } },
	{ cmd_print, { "--raw", "--last=3", "--addresses" } },
	{ cmd_print, { "--match=value > 7 || current.comm ^= \"s\" && minus < 0" } },
	{ cmd_print, { "--match=arg[1] & 3 || nr == -1" } },
	{ cmd_print, { "--since=-1", "--comm=s*", "--tgid=1-9", "--cpu=0" } },
	{ cmd_stat, { } },
	{ cmd_convert, { "--to=text", "-o/dev/null" } },
	{ cmd_convert, { "--to=chrome", "-o/dev/null" } },
	{ cmd_convert, { "--to=perfetto", "-o/dev/null" } },
	{ cmd_convert, { "--to=ctf", "-oout" } },
	{ cmd_convert, { "--to=lttng", "-oout" } },
};

/* As check.sh counts them. */
static const char *const names[] = {
	METADATA_FILE, "cpu0", "cpu1", "cpu2", TASKS_FILE, SYMBOLS_FILE, COUNTS_FILE,
};

static void remove_all(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	char path[512];

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (e->d_type == DT_REG)
			unlink(path);
	}
	if (d)
		closedir(d);
	rmdir(dir);
}

static void make_trace(const u8 *data, size_t n)
{
	char path[64];
	size_t size;
	FILE *f;

	if (mkdir("trace", 0700))
		abort();
	while (n >= 4) {
		snprintf(path, sizeof(path), "trace/%s",
			 names[data[0] % ARRAY_SIZE(names)]);
		size = min_t(size_t, data[1] | data[2] << 8 | data[3] << 16, n - 4);
		f = fopen(path, "w");
		if (!f || fwrite(data + 4, 1, size, f) != size || fclose(f))
			abort();
		data += 4 + size;
		n -= 4 + size;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t n)
{
	char *argv[ARGS_MAX + 3] = { };
	const struct way *w;
	int argc = 0, i;

	if (!n)
		return 0;
	/* One that crashed may have left its own. */
	remove_all("trace");
	remove_all("out");
	make_trace(data + 1, n - 1);
	argv[argc++] = strdup("lkst");
	w = &ways[data[0] % ARRAY_SIZE(ways)];
	for (i = 0; i < ARGS_MAX && w->arg[i]; i++)
		argv[argc++] = strdup(w->arg[i]);
	argv[argc++] = strdup("trace");
	if (w->command(argc, argv) == LKST_EXIT_USAGE)
		abort();
	fflush(stdout);
	for (i = 0; i < argc; i++)
		free(argv[i]);
	return 0;
}
