// SPDX-License-Identifier: GPL-2.0
/*
 * Write what is wrong to every file that can be written: each write must fail with
 * the errno that fits, and change nothing at all that can be read.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace.h"

enum kind {
	FLAG, RESET, NAME, MASK, MASK_BUILTIN, SIZE, MODE,
	CREATE_SET, CREATE_HANDLER, CREATE_BUFFER, PHRASE, NUMBER, DETAIL, MARKER, KINDS
};

static const char * const kind_names[KINDS] = {
	"enabled, armed and fired", "reset", "current, next and remove", "events of a maskset",
	"events of a built-in maskset", "size and packet", "mode",
	"masksets/create", "handlers/create", "buffers/create",
	"match, action and then", "after, every, limit and ratelimit", "detail", "marker",
};

static char long_text[5000];

/* What is wrong for all files, but in different ways; 0 where it is right. */
static const struct {
	const char *what;
	const char *text;
	size_t size;
	int err[KINDS];
} inputs[] = {
#define INPUT(what, text)	what, text, sizeof(text) - 1
#define SYSFS(e)	e, e, e, e, e, e, e, e, e, e, e, e, e
#define ALL(e)	{ SYSFS(e), e }
	{ INPUT("a lone newline", "\n"), ALL(EINVAL) },
	{ INPUT("a blank", " "), { EINVAL, EINVAL, ENOENT, ENOENT, EPERM, EINVAL, EINVAL,
				   EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL } },
	{ "5000 bytes", long_text, 5000, ALL(E2BIG) },
	{ "100 bytes", long_text, 100, { E2BIG, E2BIG, E2BIG, E2BIG, E2BIG, E2BIG, E2BIG,
					 E2BIG, E2BIG, EINVAL, EINVAL, EINVAL, E2BIG } },
	{ INPUT("a negative number", "-1\n"), { EINVAL, EINVAL, ENOENT, ENOENT, EPERM,
						EINVAL, EINVAL, 0, EINVAL, 0, EINVAL,
						EINVAL, EINVAL } },
	{ INPUT("2^64", "18446744073709551616\n"), { E2BIG, E2BIG, ENOENT, ENOENT, EPERM,
						     ERANGE, EINVAL, 0, EINVAL, 0, EINVAL,
						     ERANGE, EINVAL } },
	{ INPUT("no UTF-8", "\xff\xfe\n"), { SYSFS(EINVAL) } },
	{ INPUT("UTF-8", "\xc3\xa9\n"), { SYSFS(EINVAL) } },
	{ INPUT("a NUL", "a\0b"), ALL(EINVAL) },
	{ INPUT("two lines", "a\nb"), ALL(EINVAL) },
	{ INPUT("a tab", "\t1"), ALL(EINVAL) },
	{ INPUT("a slash", "a/b\n"), { EINVAL, EINVAL, ENOENT, ENOENT, EPERM, EINVAL,
				       EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL,
				       EINVAL } },
	{ INPUT("..", "..\n"), { EINVAL, EINVAL, ENOENT, ENOENT, EPERM, EINVAL, EINVAL,
				 EINVAL, EINVAL, EINVAL, EINVAL, EINVAL, EINVAL } },
	{ INPUT("an unknown name", "nobody"), { E2BIG, E2BIG, ENOENT, ENOENT, EPERM, EINVAL,
						EINVAL, 0, EINVAL, 0, EINVAL, EINVAL,
						EINVAL } },
};

/* What is wrong for one file. */
static const struct {
	const char *path;
	const char *text;
	int err;
} cases[] = {
	{ "enabled", "2", EINVAL },
	{ "enabled", "01", EINVAL },
	{ "enabled", "on", EINVAL },
	{ "masksets/create", "busy", EEXIST },
	{ "masksets/create", "default", EEXIST },
	{ "masksets/create", "none", EINVAL },
	{ "masksets/create", "current", EINVAL },
	{ "masksets/create", "create", EINVAL },
	{ "masksets/create", "previous", EINVAL },
	{ "masksets/create", ".", EINVAL },
	{ "masksets/create", "abcdefghijabcdefghijabcdefghijab", EINVAL },
	{ "masksets/create", "a from nobody", ENOENT },
	{ "masksets/create", "a from", EINVAL },
	{ "masksets/create", "a from  busy", EINVAL },
	{ "masksets/create", "a  from busy", EINVAL },
	{ "masksets/create", "busy from default", EEXIST },
	{ "masksets/create", "a from default x", EINVAL },
	{ "masksets/remove", "busy", EBUSY },
	{ "masksets/remove", "default", EPERM },
	{ "masksets/remove", "none", EPERM },
	{ "masksets/busy/armed", "0", EBUSY },
	{ "masksets/default/irq/all", "count", EPERM },
	{ "masksets/default/irq/entry", "none", EPERM },
	{ "handlers/create", "count used", EEXIST },
	{ "handlers/create", "count count", EEXIST },
	{ "handlers/create", "count a/b", EINVAL },
	{ "handlers/create", "count ..", EINVAL },
	{ "handlers/create", "count none", EINVAL },
	{ "handlers/create", "count ", EINVAL },
	{ "handlers/create", "count a b", EINVAL },
	{ "handlers/create", "nothing a", EINVAL },
	{ "handlers/create", "count abcdefghijabcdefghijabcdefghijab", EINVAL },
	{ "handlers/create", "trigger sharp", EEXIST },
	{ "handlers/create", "detail near", EEXIST },
	{ "handlers/create", "trigger near", EEXIST },
	{ "handlers/create", "trigger", EINVAL },
	{ "handlers/create", "trigger ", EINVAL },
	{ "handlers/create", "trigger a b", EINVAL },
	{ "handlers/create", "detail next", EINVAL },
	{ "handlers/create", "module a", EINVAL },
	{ "handlers/create", "Trigger a", EINVAL },
	{ "handlers/remove", "sharp", EBUSY },
	{ "handlers/remove", "near", EBUSY },
	{ "handlers/remove", "named", EBUSY },
	{ "handlers/sharp/match", "a", EINVAL },
	{ "handlers/sharp/match", "a ==", EINVAL },
	{ "handlers/sharp/match", "a = 1", EINVAL },
	{ "handlers/sharp/match", "a == 1 &&", EINVAL },
	{ "handlers/sharp/match", "a == 1 & b == 1", EINVAL },
	{ "handlers/sharp/match", "(a == 1", EINVAL },
	{ "handlers/sharp/match", "a == 1)", EINVAL },
	{ "handlers/sharp/match", "a == \"1\"", EINVAL },
	{ "handlers/sharp/match", "a ^= 1", EINVAL },
	{ "handlers/sharp/match", "a[0] == 1", EINVAL },
	{ "handlers/sharp/match", "a == 18446744073709551616", ERANGE },
	{ "handlers/sharp/match", "nothing == 1", ENOENT },
	{ "handlers/sharp/match", "current.nothing == 1", ENOENT },
	{ "handlers/sharp/match", "a == 1 && len == 2", ENOENT },
	/* Others have it, but not what it is mapped to. */
	{ "handlers/sharp/match", "len == 2", EINVAL },
	{ "handlers/sharp/after", "1.5", EINVAL },
	{ "handlers/sharp/after", "0x5", EINVAL },
	{ "handlers/sharp/every", "1 2", EINVAL },
	{ "handlers/sharp/every", "none", EINVAL },
	{ "handlers/sharp/limit", "1K", EINVAL },
	{ "handlers/sharp/ratelimit", "4294967296", ERANGE },
	{ "handlers/sharp/then", "Record", EINVAL },
	{ "handlers/sharp/then", "record none", EINVAL },
	{ "handlers/sharp/fired", "1", EINVAL },
	{ "handlers/sharp/fired", "00", EINVAL },
	{ "handlers/sharp/action", "maskset", EINVAL },
	{ "handlers/sharp/action", "maskset nobody", ENOENT },
	{ "handlers/sharp/action", "maskset busy none", EINVAL },
	{ "handlers/sharp/action", "buffer", EINVAL },
	{ "handlers/sharp/action", "buffer nobody", ENOENT },
	{ "handlers/sharp/action", "buffer next after", EINVAL },
	{ "handlers/sharp/action", "buffer next after x", EINVAL },
	{ "handlers/sharp/action", "buffer next after -1", EINVAL },
	{ "handlers/sharp/action", "buffer next after 4294967296", ERANGE },
	{ "handlers/sharp/action", "buffer next after 1 2", EINVAL },
	{ "handlers/sharp/action", "buffer next before 3", EINVAL },
	{ "handlers/sharp/action", "buffer after 3", EINVAL },
	{ "handlers/sharp/action", "keep nobody", ENOENT },
	{ "handlers/sharp/action", "keep after", EINVAL },
	{ "handlers/sharp/action", "keep after 3 busy", EINVAL },
	{ "handlers/sharp/action", "handler", EINVAL },
	{ "handlers/sharp/action", "handler nobody", ENOENT },
	{ "handlers/sharp/action", "handler sharp", EINVAL },
	{ "handlers/sharp/action", "notify now", EINVAL },
	{ "handlers/sharp/action", "notify;", EINVAL },
	{ "handlers/sharp/action", ";notify", EINVAL },
	{ "handlers/sharp/action", "notify;;log", EINVAL },
	{ "handlers/sharp/action", "notify, log", EINVAL },
	{ "handlers/sharp/action", "notify; none", EINVAL },
	{ "handlers/sharp/action", "maskset busy; maskset nobody", ENOENT },
	{ "handlers/sharp/action", "buffer busy; keep busy after 2; reboot", EINVAL },
	{ "handlers/sharp/action", "log;log;log;log;log;log;log;log;log;log;log;log;log;log;"
				   "log;log;log", E2BIG },
	{ "handlers/near/detail", "regs,stack", EINVAL },
	{ "handlers/near/detail", "regs  stack", EINVAL },
	{ "handlers/near/detail", "regs none", EINVAL },
	{ "handlers/near/detail", "all", EINVAL },
	{ "handlers/remove", "used", EBUSY },
	{ "masksets/default/lkst/mark", "sharp", EPERM },
	{ "masksets/busy/net/transmit", "sharp", EINVAL },
	{ "masksets/busy/lkst/all", "sharp", EINVAL },
	{ "masksets/busy/lkst/unfinished", "record", EINVAL },
	{ "masksets/busy/lkst/stack", "near", EINVAL },
	{ "buffers/remove", "named", EBUSY },
	{ "buffers/remove", "linked", EBUSY },
	{ "buffers/busy/next", "busy", EINVAL },
	{ "buffers/busy/next", "next", ENOENT },
	{ "buffers/busy/next", "boot linked", ENOENT },
	{ "handlers/remove", "record", EPERM },
	{ "handlers/remove", "count", EPERM },
	{ "buffers/create", "busy", EEXIST },
	{ "buffers/create", "boot", EEXIST },
	{ "buffers/create", "current", EINVAL },
	{ "buffers/create", "abcdefghijabcdefghijabcdefghijab", EINVAL },
	{ "buffers/create", "a size", EINVAL },
	{ "buffers/create", "a size=", EINVAL },
	{ "buffers/create", "a size=-1", EINVAL },
	{ "buffers/create", "a size=+4M", EINVAL },
	{ "buffers/create", "a size=0", EINVAL },
	{ "buffers/create", "a size=4Q", EINVAL },
	{ "buffers/create", "a size=1024G", ERANGE },
	{ "buffers/create", "a size=1024G packet=256K", ERANGE },
	{ "buffers/create", "a size=32G packet=256K", ENOMEM },
	{ "buffers/create", "a size=9223372036854775808", ERANGE },
	{ "buffers/create", "a size=18446744073709551615", ERANGE },
	{ "buffers/create", "a size=17179869184G", ERANGE },
	{ "buffers/create", "a size=12K packet=4K", EINVAL },
	{ "buffers/create", "a size=192K", EINVAL },
	{ "buffers/create", "a packet=5000", EINVAL },
	{ "buffers/create", "a packet=512K", EINVAL },
	{ "buffers/create", "a packet=2K", EINVAL },
	{ "buffers/create", "a packet=0", EINVAL },
	{ "buffers/create", "a mode=", EINVAL },
	{ "buffers/create", "a mode=Discard", EINVAL },
	{ "buffers/create", "a colour=red", EINVAL },
	{ "buffers/create", "a  size=4M", EINVAL },
	{ "buffers/remove", "busy", EBUSY },
	{ "buffers/busy/size", "0", EINVAL },
	{ "buffers/busy/size", "8K", EINVAL },
	{ "buffers/busy/size", "4294967296G", ERANGE },
	{ "buffers/busy/size", "0x", EINVAL },
	{ "buffers/busy/size", "1 M", EINVAL },
	{ "buffers/busy/packet", "5000", EINVAL },
	{ "buffers/busy/packet", "512K", EINVAL },
	{ "buffers/busy/packet", "32K", EINVAL },
	{ "buffers/busy/mode", "both", EINVAL },
	{ "buffers/busy/reset", "0", EINVAL },
	{ "buffers/busy/reset", "yes", EINVAL },
};

/* All names, and what can be read in them. */
struct state {
	size_t nr;
	char *path[4096];
	char *value[4096];
};

static struct state *walking;
static char *writable[4096];
static size_t nr_writable;

static bool ends(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return n >= m && !strcmp(path + n - m, end);
}

static char *value_of(const char *path)
{
	static char buf[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n, size = 0;
	char *hz;

	if (fd < 0)
		return strdup(strerror(errno));
	while ((n = read(fd, buf + size, sizeof(buf) - 1 - size)) > 0)
		size += n;
	buf[size] = '\0';
	close(fd);
	/* The kernel refines the counter's frequency once it has run a while. */
	hz = strstr(buf, " Hz\n");
	while (hz && hz > buf && isdigit(hz[-1]))
		*--hz = '#';
	return strdup(n < 0 ? strerror(errno) : buf);
}

/*
 * Under /proc the names are enough, and the one screen; of a maskset's events, what
 * the file `all` of their group says.
 */
static bool is_read(const char *path)
{
	if (strncmp(path, SYS, strlen(SYS)))
		return strstr(path, "status");
	return fnmatch(SYS "masksets/*/*/*", path, FNM_PATHNAME) || ends(path, "/all");
}

static int walk(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (walking->nr == ARRAY_SIZE(walking->path))
		die("too many files");
	walking->path[walking->nr] = strdup(path);
	walking->value[walking->nr++] = type == FTW_F && st->st_mode & 0400 &&
		is_read(path) ? value_of(path) : strdup("");
	if (type == FTW_F && st->st_mode & 0200 && nr_writable < ARRAY_SIZE(writable))
		writable[nr_writable++] = strdup(path);
	return 0;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char * const *)a, *(char * const *)b);
}

static struct state *state_take(void)
{
	struct state *state = calloc(1, sizeof(*state));

	walking = state;
	nr_writable = 0;
	nftw("/sys/kernel/lkst", walk, 16, FTW_PHYS);
	nftw("/proc/lkst", walk, 16, FTW_PHYS);
	qsort(writable, nr_writable, sizeof(*writable), by_path);
	return state;
}

static bool state_same(const struct state *before)
{
	struct state *now = state_take();
	bool same = now->nr == before->nr;
	size_t i;

	for (i = 0; i < now->nr && i < before->nr; i++) {
		if (strcmp(now->path[i], before->path[i])) {
			printf("# %s came or went\n", before->path[i]);
			return false;
		}
		if (strcmp(now->value[i], before->value[i])) {
			printf("# %s was %s# and is %s", now->path[i], before->value[i],
			       now->value[i]);
			same = false;
		}
		free(now->path[i]);
		free(now->value[i]);
	}
	free(now);
	return same;
}

static enum kind kind_of(const char *path)
{
	if (ends(path, "/enabled") || ends(path, "/armed") || ends(path, "/fired"))
		return FLAG;
	if (ends(path, "/match") || ends(path, "/action") || ends(path, "/then"))
		return PHRASE;
	if (ends(path, "/after") || ends(path, "/every") || ends(path, "limit"))
		return NUMBER;
	if (ends(path, "/detail"))
		return DETAIL;
	if (ends(path, "/marker"))
		return MARKER;
	if (ends(path, "/reset"))
		return RESET;
	if (ends(path, "/current") || ends(path, "/remove") || ends(path, "/next"))
		return NAME;
	if (ends(path, "/size") || ends(path, "/packet"))
		return SIZE;
	if (ends(path, "/mode"))
		return MODE;
	if (ends(path, "masksets/create"))
		return CREATE_SET;
	if (ends(path, "handlers/create"))
		return CREATE_HANDLER;
	if (ends(path, "buffers/create"))
		return CREATE_BUFFER;
	return strstr(path, "/busy/") ? MASK : MASK_BUILTIN;
}

/* Is the error of this write the right one? */
static bool refused(const char *path, const char *what, const char *bytes, size_t size,
		    int err)
{
	int got = -try_put(path, bytes, size);

	if (got == err)
		return true;
	printf("# %s, %s: %s, not %s\n", path, what, got ? strerrorname_np(got) : "accepted",
	       strerrorname_np(err));
	return false;
}

/* The error of input @i; a list of system calls is longer than a name. */
static int error_of(size_t i, enum kind kind, const char *path)
{
	int err = inputs[i].err[kind];

	if (ends(path, "/syscalls") && inputs[i].size == 100)
		err = kind == MASK ? ENOENT : EPERM;
	if (ends(path, "/syscalls") && kind == MASK && !strcmp(inputs[i].text, " "))
		err = EINVAL;
	return err;
}

static void kind_test(enum kind kind, const struct state *before)
{
	size_t i, j, files = 0, writes = 0;
	bool ok = true;

	for (i = 0; i < nr_writable; i++) {
		if (kind_of(writable[i]) != kind)
			continue;
		files++;
		for (j = 0; j < ARRAY_SIZE(inputs); j++) {
			if (!inputs[j].err[kind])
				continue;
			ok &= refused(writable[i], inputs[j].what, inputs[j].text,
				      inputs[j].size, error_of(j, kind, writable[i]));
			writes++;
		}
	}
	ok &= state_same(before);
	ksft_test_result(ok && files, "%s: %zu files, %zu writes, nothing changed\n",
			 kind_names[kind], files, writes);
}

static void cases_test(const struct state *before)
{
	bool ok = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		ok &= refused(cases[i].path, cases[i].text, cases[i].text,
			      strlen(cases[i].text), cases[i].err);
	ok &= state_same(before);
	ksft_test_result(ok, "%zu names, sizes and values, nothing changed\n",
			 ARRAY_SIZE(cases));
}

/* A list of actions that is refused for its last one holds nothing of the others. */
static void actions_test(const struct state *before)
{
	static const char text[] = "maskset a; buffer a; handler a; keep a after 5; buffer nobody";
	int err;

	put("masksets/create", "a");
	put("buffers/create", "a size=16K packet=4K");
	put("handlers/create", "count a");
	err = try_put("handlers/sharp/action", text, strlen(text));
	put("masksets/remove", "a");
	put("buffers/remove", "a");
	put("handlers/remove", "a");
	ksft_test_result(err == -ENOENT && state_same(before),
			 "refused actions hold nothing\n");
}

/* A name that is as long as one may be works, so that a byte more is what failed. */
static void right_test(const struct state *before)
{
	static const char name[] = "abcdefghijabcdefghijabcdefghija";

	put("masksets/create", "%s", name);
	put("masksets/remove", "%s", name);
	put("buffers/create", "%s size=16K packet=4K", name);
	put("buffers/remove", "%s", name);
	put("handlers/create", "count %s", name);
	put("handlers/remove", "%s", name);
	put("handlers/create", "trigger %s", name);
	put("handlers/remove", "%s", name);
	put("masksets/create", "-1");
	put("masksets/remove", "-1");
	ksft_test_result(state_same(before), "the longest name, and what was only odd\n");
}

int main(void)
{
	static const char tainted[] = "/proc/sys/kernel/tainted";
	struct state *before;
	char *taint;
	int kind;

	ksft_print_header();
	ksft_set_plan(KINDS + 4);
	memset(long_text, 'a', sizeof(long_text));
	taint = strdup(get(tainted));
	/* Something of each kind is in use, and nothing is recorded meanwhile. */
	put("handlers/create", "count used");
	put("masksets/create", "busy");
	put("masksets/busy/kernel/panic", "used");
	put("masksets/current", "busy");
	put("handlers/create", "detail near");
	put("masksets/busy/kernel/oops", "near");
	put("buffers/create", "busy size=64K packet=16K");
	put("buffers/create", "linked size=16K packet=4K");
	put("buffers/create", "named size=16K packet=4K");
	put("buffers/busy/next", "linked");
	put("handlers/create", "count named");
	put("handlers/create", "trigger sharp");
	put("handlers/sharp/match", "a == 1 || b != 0x2");
	put("handlers/sharp/after", "7");
	put("handlers/sharp/action", "maskset busy; buffer named after 3; handler named; notify");
	put("masksets/busy/lkst/mark", "sharp");
	put("buffers/current", "busy");
	before = state_take();

	for (kind = 0; kind < KINDS; kind++)
		kind_test(kind, before);
	cases_test(before);
	actions_test(before);
	right_test(before);
	ksft_test_result(!strcmp(taint, get(tainted)), "no warning\n");
	ksft_finished();
}
