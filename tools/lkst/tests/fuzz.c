// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz: runs the tool's subcommands on damaged copies of a dump, or of a file of
 * a trace, and looks whether one crashes, hangs or takes much memory. Built with
 * the sanitizers.
 *
 *   fuzz flip DUMP MAP DIR N    N times, flip bits in the regions of MAP
 *   fuzz read DUMP MAP DIR N    the same, in packets only; babeltrace2 must be able
 *                               to read what is extracted
 *   fuzz cut DUMP MAP DIR N     cut DUMP off at N places
 *   fuzz file TRACE FILE DIR N  N times, flip bits in FILE of the trace TRACE
 *
 * DUMP and FILE are changed in place and put back, or left cut off.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lkst.h"

#define SECONDS_MAX	20
#define MEMORY_MAX_KIB	(200 * 1024)
#define FLIPS_MAX	4
#define REGIONS_MAX	4096

struct region {
	char name[32];
	u64 at;
	u64 size;
};

static struct region region[REGIONS_MAX];
static int regions;
static char *source, *dir, *trace;
static bool is_dump, packets_only;
static u64 state = 20240607;

/* Sanitizers ask for this; 1 is an exit code of the tool's own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "exitcode=99:detect_leaks=0:allocator_may_return_null=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
	return "exitcode=99";
}

static u64 number(u64 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % below;
}

static void run(int (*cmd)(int, char **), char *name, char *a, char *b, char *c)
{
	char force[] = "-f";
	char *argv[6] = { name, a, b, c };
	int n = 0;

	if (cmd == cmd_extract)
		argv[4] = force;
	while (argv[n])
		n++;
	n = cmd(n, argv);
	if (n != LKST_EXIT_OK && n != LKST_EXIT_PARTIAL)
		_exit(98);
}

/* Another reader goes through to the end, and believes all counts. */
/* A converter writes a new directory, or to nowhere. */
static void convert(char *name, char *to, bool is_dir)
{
	char top[] = "/tmp/fuzz-XXXXXX", nowhere[] = "--output=/dev/null";
	char *output;

	if (!is_dir) {
		run(cmd_convert, name, to, nowhere, trace);
		return;
	}
	if (!mkdtemp(top))
		_exit(96);
	output = xasprintf("--output=%s/out", top);
	run(cmd_convert, name, to, output, trace);
	free(output);
	output = xasprintf("rm -rf %s", top);
	if (system(output))
		_exit(96);
	free(output);
}

/* In one of the ways that there are. */
static void read_in_other_ways(char *name)
{
	char json[] = "--format=json", csv[] = "--format=csv";
	char match[] = "--match=value > 7 || current.comm ^= \"s\" && minus < 0";
	char since[] = "--since=-1", comm[] = "--comm=s*";
	char chrome[] = "--to=chrome", perfetto[] = "--to=perfetto";
	char ctf[] = "--to=ctf", lttng[] = "--to=lttng";

	switch (number(8)) {
	case 0:
		run(cmd_print, name, json, trace, NULL);
		break;
	case 1:
		run(cmd_print, name, csv, comm, trace);
		break;
	case 2:
		run(cmd_print, name, match, trace, NULL);
		break;
	case 3:
		run(cmd_print, name, since, trace, NULL);
		break;
	case 4:
		convert(name, chrome, false);
		break;
	case 5:
		convert(name, perfetto, false);
		break;
	case 6:
		convert(name, ctf, true);
		break;
	default:
		convert(name, lttng, true);
	}
}

static void read_elsewhere(void)
{
	static const char filter[] = "grep -Eq 'ERROR|may have|[0-9]{9} events'";
	char *command = xasprintf("babeltrace2 '%s' 2>&1 >/dev/null | %s", trace, filter);

	if (!system(command))
		_exit(97);
	free(command);
}

static void child(void)
{
	char name[] = "lkst", output[] = "-o", summary[] = "-s";
	int null = open("/dev/null", O_WRONLY);

	dup2(null, 1);
	dup2(null, 2);
	alarm(SECONDS_MAX);
	if (is_dump) {
		run(cmd_extract, name, source, output, dir);
		if (packets_only)
			read_elsewhere();
		run(cmd_print, name, source, NULL, NULL);
		run(cmd_status, name, source, NULL, NULL);
	}
	run(cmd_print, name, trace, NULL, NULL);
	run(cmd_print, name, summary, trace, NULL);
	read_in_other_ways(name);
	fflush(stdout);
	_exit(0);
}

/* Run them all; false if something went wrong, which is said. */
static bool survives(const char *what, int i)
{
	struct rusage use;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		child();
	if (wait4(pid, &status, 0, &use) != pid)
		return false;
	if (status)
		printf("# %s %d: %s %d\n", what, i,
		       WIFSIGNALED(status) ? "signal" : "exit code",
		       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	else if (use.ru_maxrss > MEMORY_MAX_KIB)
		printf("# %s %d: %ld KiB of memory\n", what, i, use.ru_maxrss);
	else
		return true;
	return false;
}

static void read_map(const char *path)
{
	FILE *f = fopen(path, "r");

	while (f && regions < REGIONS_MAX &&
	       fscanf(f, "%31s %llu %llu\n", region[regions].name,
		      &region[regions].at, &region[regions].size) == 3)
		regions += !packets_only || !strcmp(region[regions].name, "packet");
	if (f)
		fclose(f);
}

/* A region of a kind that is as likely as any other kind. */
static struct region *choose(void)
{
	struct region *r = &region[number(regions)];
	const char *kind;
	int i;

	for (i = 0; i < 3; i++) {
		kind = r->name;
		r = &region[number(regions)];
		if (strcmp(kind, r->name) && number(2))
			break;
	}
	return r;
}

static void flip(int fd, u64 at, u8 bit)
{
	u8 byte;

	if (pread(fd, &byte, 1, at) != 1)
		exit(2);
	byte ^= 1 << bit;
	if (pwrite(fd, &byte, 1, at) != 1)
		exit(2);
}

static bool flip_some(int fd, int i)
{
	int n = 1 + number(FLIPS_MAX), k;
	u64 at[FLIPS_MAX];
	u8 bit[FLIPS_MAX];
	bool ok;

	for (k = 0; k < n; k++) {
		struct region *r = choose();
		/* What is there is mostly at the begin. */
		u64 size = number(2) && r->size > 256 ? 256 : r->size;

		at[k] = r->at + number(size);
		bit[k] = number(8);
		flip(fd, at[k], bit[k]);
	}
	ok = survives("flip", i);
	while (k--)
		flip(fd, at[k], bit[k]);
	return ok;
}

int main(int argc, char **argv)
{
	int fd, i, n, bad = 0;
	u64 size;
	char *path;

	if (argc != 6)
		return 2;
	is_dump = strcmp(argv[1], "file");
	packets_only = !strcmp(argv[1], "read");
	source = argv[2];
	dir = argv[4];
	trace = is_dump ? xasprintf("%s/boot", dir) : source;
	path = is_dump ? source : xasprintf("%s/%s", source, argv[3]);
	n = atoi(argv[5]);
	fd = open(path, O_RDWR);
	if (fd < 0)
		return 2;
	size = lseek(fd, 0, SEEK_END);
	if (is_dump)
		read_map(argv[3]);
	else
		region[regions++] = (struct region){ "file", 0, size };
	for (i = 0; i < n && bad < 10; i++) {
		if (strcmp(argv[1], "cut")) {
			bad += !flip_some(fd, i);
		} else {
			if (ftruncate(fd, size * (n - 1 - i) / n + number(64)))
				return 2;
			bad += !survives("cut", i);
		}
	}
	printf("# %d runs, %d bad\n", i, bad);
	return bad ? 1 : 0;
}
