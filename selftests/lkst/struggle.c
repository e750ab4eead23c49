// SPDX-License-Identifier: GPL-2.0
/*
 * struggle SECONDS: masksets, handlers with conditions and actions, and buffers with
 * links are created, changed and removed by several processes at once, in any order,
 * while marks come from all contexts. What cannot be is refused, with an errno that
 * fits; nothing else is checked here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define PROCESSES	4
#define NAMES	3

/* Errors that come of what the others do meanwhile. */
static const int usual[] = { EBUSY, EEXIST, ENOENT, ENODEV, EINVAL, EACCES };

static unsigned int seed;

static unsigned int draw(unsigned int below)
{
	return rand_r(&seed) % below;
}

static const char *pick(const char * const *list)
{
	unsigned int n = 0;

	while (list[n])
		n++;
	return list[draw(n)];
}

/* Replace each # by a number of a name. */
static char *fill(char *to, const char *from)
{
	char *at = to;

	for (; *from; from++)
		*at++ = *from == '#' ? (char)('0' + draw(NAMES)) : *from;
	*at = '\0';
	return to;
}

static const char * const masksets[] = {
	"create", "s# from s#", "create", "s#", "remove", "s#", "current", "s#",
	"current", "s#", "s#/armed", "1", "s#/armed", "0", "s#/lkst/all", "t#",
	"s#/lkst/mark", "t#", "s#/lkst/mark", "d#", "s#/lkst/mark", "record",
	"s#/lkst/mark", "t#", "s#/lkst/mark", "c#", "s#/lkst/maskset", "t#",
	"s#/lkst/buffer", "t#", "s#/lkst/trigger", "t#", "s#/sched/switch", "d#",
	"s#/sched/wakeup", "t#", "s#/irq/softirq_entry", "t#", "s#/syscall/enter", "t#",
	"s#/syscall/exit", "t#", "s#/syscalls", "all", "s#/syscalls", "write getpid",
	"s#/syscalls", "read", NULL
};

static const char * const handlers[] = {
	"create", "trigger t#", "create", "detail d#", "create", "count c#",
	"create", "trigger t#", "remove", "t#", "remove", "d#", "remove", "c#",
	"t#/match", "a & 0x7", "t#/match", "none", "t#/match", "b >= 0 && current.cpu == #",
	"t#/match", "current.comm == \"struggle\" || current.tid == 0",
	"t#/after", "##", "t#/every", "#", "t#/limit", "###", "t#/ratelimit", "##0",
	"t#/then", "record", "t#/then", "none", "t#/fired", "0", "d#/detail", "stack task",
	"d#/detail", "regs", "t#/action", "none", NULL
};

static const char * const actions[] = {
	"maskset s#", "buffer b#", "buffer next", "keep after 1#", "buffer b# after #0",
	"handler t#", "handler d#", "handler c#", "handler none", "notify", "stop; start",
	"keep b#", NULL
};

static const char * const buffers[] = {
	"create", "b# size=16K packet=4K", "create", "b# size=32K packet=4K mode=discard",
	"remove", "b#", "current", "b#", "current", "next", "b#/next", "b#", "b#/next",
	"none", "b#/next", "b#", "b#/reset", "1", "b#/size", "64K", NULL
};

static const char * const files[] = {
	"handlers/t#/fired", "handlers/t#/last", "handlers/t#/action", "handlers/t#/match",
	"handlers/t#/seen", "masksets/s#/lkst/all", "masksets/current", "buffers/b#/next",
	"buffers/b#/cpu0/hits", PROC "status", PROC "buffers/b#/cpu1", "handlers/c#/count",
	NULL
};

static int write_pair(const char *dir, const char * const *list)
{
	char path[128], text[128], name[64];
	unsigned int n = 0, i;

	while (list[n])
		n += 2;
	i = draw(n / 2) * 2;
	snprintf(path, sizeof(path), "%s/%s", dir, fill(name, list[i]));
	fill(text, list[i + 1]);
	return try_put(path, text, strlen(text));
}

/* One to three actions. */
static int write_actions(void)
{
	char path[64], name[64], text[256] = "";
	unsigned int i, nr = 1 + draw(3);

	for (i = 0; i < nr; i++) {
		strcat(text, i ? "; " : "");
		strcat(text, fill(name, pick(actions)));
	}
	return try_put(fill(path, "handlers/t#/action"), text, strlen(text));
}

static void read_some(void)
{
	char name[64], path[128], bytes[16384];
	FILE *f;

	fill(name, pick(files));
	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : SYS, name);
	f = fopen(path, "r");
	if (!f)
		return;
	while (fread(bytes, 1, sizeof(bytes), f) == sizeof(bytes) && draw(8))
		;
	fclose(f);
}

static int step(void)
{
	switch (draw(6)) {
	case 0:
		return write_pair("masksets", masksets);
	case 1:
	case 2:
		return write_pair("handlers", handlers);
	case 3:
		return write_actions();
	case 4:
		return write_pair("buffers", buffers);
	default:
		read_some();
		return 0;
	}
}

static bool is_usual(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(usual); i++)
		if (err == -usual[i])
			return true;
	return false;
}

static int process_run(time_t end)
{
	unsigned int done = 0, refused = 0, bad = 0;
	int err;

	while (time(NULL) < end) {
		err = step();
		if (!err) {
			done++;
		} else if (is_usual(err)) {
			refused++;
		} else {
			ksft_print_msg("%s\n", strerrorname_np(-err));
			bad++;
		}
		if (!draw(16))
			usleep(draw(3000));
	}
	ksft_print_msg("%u changes, %u refused\n", done, refused);
	return bad || !done || !refused;
}

int main(int argc, char **argv)
{
	int i, status, bad = 0;
	time_t end;

	if (argc != 2)
		die("usage: struggle SECONDS");
	end = time(NULL) + atoi(argv[1]);
	for (i = 0; i < PROCESSES; i++) {
		if (fork())
			continue;
		seed = time(NULL) * PROCESSES + i;
		setvbuf(stdout, NULL, _IOLBF, 0);
		return process_run(end);
	}
	while (wait(&status) > 0)
		bad |= status;
	return !!bad;
}
