// SPDX-License-Identifier: GPL-2.0
/*
 * Do a known thing with memory a known number of times, and find exactly that in the
 * trace, with the right values.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

#define TIMES	100
#define PAGE	4096UL
/* What the module lkst_memory allocates. */
#define ORDER	5
#define KMALLOC	3001
#define VMALLOC	13

static int self;
static const char *disk, *swap, *module;
static unsigned int dev;

/*
 * Addresses
 */

static void test_mmap(void)
{
	const struct record *entry, *exit;
	int i, mapped = 0, unmapped = 0;
	struct trace *trace;
	void *at[TIMES];

	begin("mm/mmap_entry", "mm/mmap_exit", "mm/munmap_entry", "mm/munmap_exit",
	      "sched/switch");
	for (i = 0; i < TIMES; i++)
		at[i] = mmap(NULL, (7 + i) * PAGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	mmap(NULL, 1UL << 60, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < TIMES; i++)
		munmap(at[i], (7 + i) * PAGE);
	munmap((void *)1, PAGE);
	trace = record_end();
	for_each_pair(trace, "mm/mmap", self, entry, exit) {
		if (num(entry, "length") == 1LL << 60)
			expect("error", num(exit, "ret"), -ENOMEM);
		if (num(entry, "flags") != (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE))
			continue;
		expect("length", num(entry, "length"), (7 + mapped) * PAGE);
		expect("address asked for", num(entry, "address"), 0);
		expect("prot", num(entry, "prot"), PROT_READ | PROT_WRITE);
		expect("address", num(exit, "ret"), (long)at[mapped++]);
	}
	for_each_pair(trace, "mm/munmap", self, entry, exit) {
		if (num(entry, "address") == 1)
			expect("error", num(exit, "ret"), -EINVAL);
		if (unmapped == TIMES || num(entry, "address") != (long)at[unmapped])
			continue;
		expect("length", num(entry, "length"), (7 + unmapped++) * PAGE);
		expect("result", num(exit, "ret"), 0);
	}
	expect("mmap", mapped, TIMES);
	expect("munmap", unmapped, TIMES);
	report(trace, "100 ranges mapped and unmapped");
}

static void test_brk(void)
{
	const struct record *entry, *exit;
	struct trace *trace;
	long old, at;
	int i, n = 0;

	begin("mm/brk_entry", "mm/brk_exit", "sched/switch");
	old = syscall(SYS_brk, 0);
	at = old;
	for (i = 1; i <= TIMES; i++)
		syscall(SYS_brk, old + i * PAGE);
	/* Not to be had, and back. */
	syscall(SYS_brk, 1L << 50);
	syscall(SYS_brk, old);
	trace = record_end();
	for_each_pair(trace, "mm/brk", self, entry, exit) {
		long to = n <= TIMES ? (long)(old + n * PAGE) :
			  n == TIMES + 1 ? 1L << 50 : old;

		/* The C library's own comes after. */
		if (n == TIMES + 3)
			break;
		if (!n)
			to = 0;
		expect("where it was", num(entry, "old"), at);
		expect("where it shall be", num(entry, "brk"), to);
		if (n && n != TIMES + 1)
			at = to;
		expect("where it is", num(exit, "brk"), at);
		n++;
	}
	expect("brk", n, TIMES + 3);
	report(trace, "100 moves of the end of data, one refused, and back");
}

static void test_mprotect(void)
{
	char *p = mmap(NULL, 3 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct record *entry, *exit;
	struct trace *trace;
	int i, n = 0;

	begin("mm/mprotect_entry", "mm/mprotect_exit", "sched/switch");
	for (i = 0; i < TIMES; i++)
		mprotect(p + PAGE, 2 * PAGE - 5, i % 2 ? PROT_READ : PROT_READ | PROT_WRITE);
	munmap(p, 3 * PAGE);
	mprotect(p + PAGE, PAGE, PROT_READ);
	trace = record_end();
	for_each_pair(trace, "mm/mprotect", self, entry, exit) {
		if (num(entry, "address") != (long)(p + PAGE))
			continue;
		expect("key", num(entry, "pkey"), -1);
		if (n++ == TIMES) {
			expect("error", num(exit, "ret"), -ENOMEM);
			continue;
		}
		expect("length", num(entry, "length"), 2 * PAGE);
		expect("prot", num(entry, "prot"), n % 2 ? PROT_READ | PROT_WRITE : PROT_READ);
		expect("result", num(exit, "ret"), 0);
	}
	expect("mprotect", n, TIMES + 1);
	report(trace, "100 changes of protection, and one of what is not mapped");
}

/*
 * Allocation by the kernel
 */

static void module_load(void)
{
	int fd = open(module, O_RDONLY);

	if (syscall(SYS_finit_module, fd, "", 0))
		die("cannot load %s: %s", module, strerror(errno));
	close(fd);
	syscall(SYS_delete_module, "lkst_memory", O_NONBLOCK);
}

static void test_pages(void)
{
	static const char * const order[] = {
		"mm/page_alloc_entry", "mm/page_alloc", "mm/page_alloc_exit",
		"mm/page_free_entry", "mm/page_free", "mm/page_free_exit",
	};
	const struct record *r;
	struct trace *trace;
	long long pfn = -1;
	int n = 0;

	begin("mm/page_alloc_entry", "mm/page_alloc", "mm/page_alloc_exit",
	      "mm/page_free_entry", "mm/page_free", "mm/page_free_exit", "sched/switch");
	module_load();
	trace = record_end();
	for_each(trace, r) {
		bool is_exit = is(r, "mm/page_alloc_exit") || is(r, "mm/page_free_exit");

		if (is(r, "sched/switch") || r->tid != self)
			continue;
		/* Those of an order that nobody else uses here, and what ends them. */
		if (is_exit ? n % 3 != 2 || num(r, "pfn") != pfn : num(r, "order") != ORDER)
			continue;
		expect_text("the order", r->event->name, order[n % 6]);
		if (is(r, "mm/page_alloc"))
			pfn = num(r, "pfn");
		else if (!is(r, "mm/page_alloc_entry"))
			expect("page", num(r, "pfn"), pfn);
		n++;
	}
	expect("records", n, 6 * TIMES);
	report(trace, "100 times 32 pages allocated and freed, with entry and exit");
}

/* What the kmalloc() that begins at @r gets. */
static long long object_of(const struct trace *trace, const struct record *r)
{
	long long asked = num(r, "asked");

	for (; r < trace->record + trace->nr; r++)
		if (is(r, "mm/kmalloc") && num(r, "asked") == asked)
			return num(r, "ptr");
	return 0;
}

/* Bytes of an object of that size with what a checker puts around it. */
static long long object_size(void)
{
	FILE *file = fopen("/sys/kernel/slab/kmalloc-4k/slab_size", "r");
	long long size = 0;

	if (!file || fscanf(file, "%lld", &size) != 1)
		printf("# there is no size of kmalloc-4k\n");
	if (file)
		fclose(file);
	return size;
}

static void test_objects(void)
{
	static const char * const order[] = {
		"mm/slab_alloc_entry", "mm/slab_alloc_exit", "mm/kmalloc", "mm/kfree",
		"mm/slab_free_entry", "mm/slab_free_exit",
	};
	long long ptr = 0, site = 0, given = object_size();
	const struct record *r;
	struct trace *trace;
	int n = 0, i;

	begin("mm/kmalloc", "mm/kfree", "mm/slab_alloc_entry", "mm/slab_alloc_exit",
	      "mm/slab_free_entry", "mm/slab_free_exit", "sched/switch");
	module_load();
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "sched/switch") || r->tid != self || n == 6 * TIMES)
			continue;
		i = n % 6;
		/* What an interrupt allocates or frees meanwhile is another's. */
		if (is(r, order[0]) ? i || num(r, "asked") != KMALLOC + n / 6 :
		    !i || num(r, "ptr") != ptr)
			continue;
		expect_text("the order", r->event->name, order[i]);
		n++;
		if (!i) {
			site = num(r, "site");
			ptr = object_of(trace, r);
			continue;
		}
		if (i == 2) {
			expect("site", num(r, "site"), site);
			expect("asked", num(r, "asked"), KMALLOC + n / 6);
			expect("given", num(r, "given"), given);
		}
	}
	expect("an address of the kernel", ptr < 0, 1);
	expect("records", n, 6 * TIMES);
	report(trace, "100 objects allocated and freed, with entry and exit");
}

static void test_vmalloc(void)
{
	const struct record *r;
	struct trace *trace;
	int allocs = 0, frees = 0;
	long long ptr = 0;

	begin("mm/vmalloc", "mm/vfree", "sched/switch");
	module_load();
	trace = record_end();
	for_each(trace, r) {
		if (r->tid != self)
			continue;
		if (is(r, "mm/vmalloc") && num(r, "size") == VMALLOC * PAGE) {
			ptr = num(r, "ptr");
			expect("an address of the kernel", ptr < 0 && !(ptr % PAGE), 1);
			expect("a site in a module", num(r, "site") < 0, 1);
			allocs++;
		} else if (is(r, "mm/vfree") && num(r, "ptr") == ptr) {
			frees++;
			ptr = 0;
		}
	}
	expect("vmalloc", allocs, TIMES);
	expect("vfree", frees, TIMES);
	report(trace, "100 times 13 pages mapped into the kernel");
}

/*
 * Files
 */

static int disk_open(void)
{
	int fd = open(disk, O_RDWR);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		die("no disk %s", disk);
	dev = major(st.st_rdev) << 20 | minor(st.st_rdev);
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return fd;
}

static void test_page_cache(void)
{
	long long pfn[TIMES], ino = 0;
	int fd = disk_open(), i, added = 0, removed = 0;
	const struct record *r;
	struct trace *trace;
	char data[PAGE];

	begin("mm/page_cache_add", "mm/page_cache_remove");
	for (i = 0; i < TIMES; i++)
		if (pread(fd, data, PAGE, (100 + i) * PAGE) != PAGE)
			die("cannot read %s", disk);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	trace = record_end();
	for_each(trace, r) {
		if (num(r, "dev") != dev)
			continue;
		expect("one page", num(r, "order"), 0);
		if (is(r, "mm/page_cache_add")) {
			expect("added too much", added < TIMES, 1);
			expect("index", num(r, "index"), 100 + added);
			pfn[added++ % TIMES] = num(r, "pfn");
			ino = num(r, "ino");
		} else {
			expect("index", num(r, "index"), 100 + removed);
			expect("page", num(r, "pfn"), pfn[removed++ % TIMES]);
			expect("the same file", num(r, "ino"), ino);
		}
	}
	expect("added", added, TIMES);
	expect("removed", removed, TIMES);
	report(trace, "100 pages of a file come into the page cache, and leave it");
	close(fd);
}

static void test_writeback(void)
{
	int fd = disk_open(), i, n = 0;
	const struct record *b, *end;
	struct trace *trace;
	char data[PAGE];

	memset(data, 'x', sizeof(data));
	begin("mm/writeback_begin", "mm/writeback_end", "sched/switch");
	for (i = 0; i < TIMES; i++)
		if (pwrite(fd, data, PAGE, i * PAGE) != PAGE || fdatasync(fd))
			die("cannot write %s", disk);
	trace = record_end();
	for_each_pair(trace, "mm/writeback", self, b, end) {
		if (num(b, "dev") != dev)
			continue;
		expect("waits", num(b, "sync"), 1);
		expect("at most", num(b, "pages"), __LONG_MAX__);
		expect("written", num(b, "pages") - num(end, "pages"), 1);
		expect("result", num(end, "ret"), 0);
		expect("of the same file", num(end, "ino"), num(b, "ino"));
		n++;
	}
	expect("writeback", n, TIMES);
	report(trace, "a page written back, 100 times");
	close(fd);
}

/*
 * Too little memory
 */

static void test_swap(void)
{
	long long entry[TIMES];
	int i, out = 0, in = 0;
	const struct record *r;
	struct trace *trace;
	char *p;

	if (swapon(swap, 0))
		die("cannot swap to %s: %s", swap, strerror(errno));
	p = mmap(NULL, TIMES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	memset(p, 'x', TIMES * PAGE);
	begin("mm/swap_out", "mm/swap_in", "sched/switch");
	if (madvise(p, TIMES * PAGE, MADV_PAGEOUT))
		die("cannot page out");
	for (i = 0; i < TIMES; i++)
		if (*(volatile char *)(p + i * PAGE) != 'x')
			die("memory has changed");
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "sched/switch") || r->tid != self)
			continue;
		expect("pages", num(r, "pages"), 1);
		if (is(r, "mm/swap_out")) {
			expect("out too much", out < TIMES, 1);
			entry[out++ % TIMES] = num(r, "swap");
			continue;
		}
		/* In whatever order they went out. */
		for (i = 0; i < out && entry[i] != num(r, "swap"); i++)
			;
		expect("it went out before", i < out, 1);
		in++;
	}
	expect("out", out, TIMES);
	expect("in", in, TIMES);
	report(trace, "100 pages go out into swap, and come in again");
	munmap(p, TIMES * PAGE);
	swapoff(swap);
}

/* Zones that have memory, in /proc/zoneinfo. */
static int zones(void)
{
	char *text = strdup(get("/proc/zoneinfo")), *line;
	int n = 0;

	for (line = text; (line = strstr(line, " present ")); line++)
		n += atoi(line + 9) > 0;
	free(text);
	return n;
}

static void test_compaction(void)
{
	int times = 10, i, n = 0, wanted = zones() * times;
	const struct record *b, *end;
	struct trace *trace;

	begin("mm/compaction_begin", "mm/compaction_end", "sched/switch");
	for (i = 0; i < times; i++)
		put("/proc/sys/vm/compact_memory", "1");
	trace = record_end();
	for_each_pair(trace, "mm/compaction", self, b, end) {
		expect("order", num(b, "order"), -1);
		expect("waits", num(b, "sync"), 1);
		expect("first page", num(b, "start") < num(b, "end"), 1);
		expect("result", num(end, "result") == 5 || num(end, "result") == 6, 1);
		n++;
	}
	expect("compaction", n, wanted);
	report(trace, "all zones compacted 10 times");
}

/* A child that takes memory until it is killed for that. */
static void child_run(void)
{
	char *p;

	prctl(PR_SET_NAME, "hungry");
	put("/proc/self/oom_score_adj", "999");
	for (;;) {
		p = mmap(NULL, 256 * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (p == MAP_FAILED)
			_exit(1);
	}
}

static void test_no_memory(void)
{
	int i, status, killed = 0, reclaimed = 0, woken = 0, asleep = 0;
	const struct record *r, *b, *end;
	struct trace *trace;
	pid_t pid;

	begin("mm/oom_kill", "mm/reclaim_begin", "mm/reclaim_end", "mm/kswapd_wake",
	      "mm/kswapd_sleep", "sched/switch");
	pid = fork();
	if (!pid)
		child_run();
	waitpid(pid, &status, 0);
	/* It goes to sleep when there is enough memory, which takes a while. */
	for (i = 0; i < 100 && system("grep -q mm/kswapd_sleep /proc/lkst/trace"); i++)
		usleep(50000);
	expect("the signal", WTERMSIG(status), SIGKILL);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "mm/oom_kill")) {
			killed++;
			expect("who is killed", num(r, "tgid"), pid);
			expect("the thread", num(r, "tid"), pid);
			expect("its name", !strcmp(text(r, "comm"), "hungry"), 1);
			expect("its adj", num(r, "adj"), 999);
			expect("its pages", num(r, "rss") > 10000 &&
			       num(r, "rss") <= num(r, "total"), 1);
		}
		if (is(r, "mm/kswapd_wake") || is(r, "mm/kswapd_sleep"))
			expect("node", num(r, "node"), 0);
		woken += is(r, "mm/kswapd_wake");
		asleep += is(r, "mm/kswapd_sleep");
	}
	for_each_pair(trace, "mm/reclaim", pid, b, end) {
		expect("order", num(b, "order") <= 10, 1);
		expect("pages", num(end, "pages") >= 0 && num(end, "pages") < 100000, 1);
		reclaimed++;
	}
	expect("killed", killed, 1);
	expect("reclaims", reclaimed > 0, 1);
	expect("kswapd wakes", woken > 0, 1);
	expect("kswapd sleeps", asleep > 0, 1);
	report(trace, "memory runs out: reclaim, kswapd, and one process is killed");
}

static void (* const tests[])(void) = {
	test_mmap, test_brk, test_mprotect, test_pages, test_objects, test_vmalloc,
	test_page_cache, test_writeback, test_swap, test_compaction, test_no_memory,
};

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: counts-mm DISK SWAP MODULE");
	disk = argv[1];
	swap = argv[2];
	module = argv[3];
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
