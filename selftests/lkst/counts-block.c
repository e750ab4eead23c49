// SPDX-License-Identifier: GPL-2.0
/*
 * Do I/O to a block device that nobody else uses a known number of times, and find
 * exactly that in the trace, with the right values.
 */
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "expect.h"

#define TIMES	100
#define PAGE	4096
#define READ	0
#define WRITE	1
#define FLUSH	2

static const char *disk;
static int fd;
static unsigned int dev;
static char *pages;

static bool ours(const struct record *r)
{
	return !strncmp(r->event->name, "block/", 6) && num(r, "dev") == dev;
}

static void schedule_by(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/block/%s/queue/scheduler", strrchr(disk, '/') + 1);
	put(path, name);
}

/* Where the @i-th piece of I/O goes, in pages: two never touch. */
static off_t place(int i)
{
	return (100 + 2 * i) * (off_t)PAGE;
}

/*
 * One after the other: each passes all of @steps in turn, and is alone. Every other
 * one is a write.
 */
static void check_steps(struct trace *trace, const char * const *steps, int nr, const char *name)
{
	long long rq = 0, bio = 0, sector;
	const struct record *r;
	bool inserted = nr == 6, bios = nr == 2;
	int n = 0, op;

	for_each(trace, r) {
		if (!ours(r))
			continue;
		expect_text("the order", r->event->name, steps[n % nr]);
		op = n / nr % 2 ? WRITE : READ;
		sector = place(n++ / nr) / 512;
		if (is(r, "block/bio_queue")) {
			bio = num(r, "bio");
			expect("held back", num(r, "plugged"), 0);
		}
		if (is(r, "block/plug")) {
			expect("who holds back", num(r, "tid"), getpid());
			continue;
		}
		if (is(r, "block/unplug")) {
			expect("how many", num(r, "depth"), 1);
			expect("because it sleeps", num(r, "schedule"), 0);
			continue;
		}
		if (is(r, "block/insert") || (is(r, "block/issue") && !inserted))
			rq = num(r, "rq");
		if (is(r, "block/bio_complete")) {
			expect("the same bio", num(r, "bio"), bio);
			expect("bio's status", num(r, "status"), 0);
		}
		expect("sector", num(r, "sector"), sector);
		expect("size", num(r, "size"), PAGE);
		if (is(r, "block/complete")) {
			expect("what is complete", num(r, "op"), op);
			expect("status", num(r, "status"), 0);
		} else {
			expect("what", num(r, "opf") & 0xff, op);
		}
		if (is(r, "block/bio_queue") || is(r, "block/bio_complete"))
			continue;
		expect("the same request", num(r, "rq"), rq);
		expect("depth", num(r, "depth"), 1);
	}
	expect("kernel addresses", (bios || rq < 0) && bio < 0, 1);
	expect("records", n, TIMES * nr);
	report(trace, name);
}

static void do_steps(void)
{
	int i;

	for (i = 0; i < TIMES; i++)
		if ((i % 2 ? pwrite(fd, pages, PAGE, place(i)) :
		     pread(fd, pages, PAGE, place(i))) != PAGE)
			die("no I/O");
}

static void test_direct(void)
{
	static const char * const steps[] = {
		"block/bio_queue", "block/plug", "block/unplug", "block/issue",
		"block/complete",
	};

	begin("block/all");
	do_steps();
	check_steps(record_end(), steps, ARRAY_SIZE(steps),
		    "100 reads and writes: queued, issued, complete");
}

static void test_scheduler(void)
{
	static const char * const steps[] = {
		"block/bio_queue", "block/plug", "block/unplug", "block/insert",
		"block/issue", "block/complete",
	};

	schedule_by("mq-deadline");
	begin("block/all");
	do_steps();
	schedule_by("none");
	check_steps(record_end(), steps, ARRAY_SIZE(steps),
		    "100 reads and writes with a scheduler: inserted too");
}

static void disk_open(const char *path)
{
	struct stat st;

	disk = path;
	fd = open(disk, O_RDWR | O_DIRECT);
	if (fd < 0 || fstat(fd, &st))
		die("no disk %s", disk);
	dev = major(st.st_rdev) << 20 | minor(st.st_rdev);
}

/* A driver that takes bios and makes no requests of them. */
static void test_bios(void)
{
	static const char * const steps[] = { "block/bio_queue", "block/bio_complete" };
	const char *was = disk;

	close(fd);
	disk_open("/dev/ram0");
	begin("block/all");
	do_steps();
	check_steps(record_end(), steps, ARRAY_SIZE(steps),
		    "100 reads and writes of a ram disk: bios that are complete");
	close(fd);
	disk_open(was);
}

static void test_flush(void)
{
	int i, issued = 0, complete = 0;
	const struct record *r;
	struct trace *trace;

	begin("block/all");
	for (i = 0; i < TIMES; i++)
		if (fsync(fd))
			die("cannot fsync");
	trace = record_end();
	for_each(trace, r) {
		if (!ours(r))
			continue;
		if (is(r, "block/issue") && (num(r, "opf") & 0xff) == FLUSH)
			issued++;
		if (is(r, "block/complete") && num(r, "op") == FLUSH) {
			complete++;
			expect("size", num(r, "size"), 0);
		}
	}
	expect("issued", issued, TIMES);
	expect("complete", complete, TIMES);
	report(trace, "100 flushes");
}

/* So many at once that a thread holds them back, and each so scattered that the
 * queue has room for one.
 */
#define AT_ONCE	4
#define PIECES	6

static void submit(aio_context_t ctx, int round)
{
	static struct iovec iov[AT_ONCE][PIECES];
	struct iocb cb[AT_ONCE], *list[AT_ONCE];
	struct io_event event[AT_ONCE];
	int i, j;

	memset(cb, 0, sizeof(cb));
	for (i = 0; i < AT_ONCE; i++) {
		for (j = 0; j < PIECES; j++)
			iov[i][j] = (struct iovec) {
				pages + (i * PIECES + j) * 2 * PAGE, PAGE
			};
		cb[i].aio_lio_opcode = IOCB_CMD_PREADV;
		cb[i].aio_fildes = fd;
		cb[i].aio_buf = (unsigned long)iov[i];
		cb[i].aio_nbytes = PIECES;
		cb[i].aio_offset = place((round * AT_ONCE + i) * PIECES);
		list[i] = &cb[i];
	}
	if (syscall(SYS_io_submit, ctx, AT_ONCE, list) != AT_ONCE ||
	    syscall(SYS_io_getevents, ctx, AT_ONCE, AT_ONCE, event, NULL) != AT_ONCE)
		die("no I/O at once");
	for (i = 0; i < AT_ONCE; i++)
		expect("read", event[i].res, PIECES * PAGE);
}

static void test_at_once(void)
{
	int rounds = 25, i, plug = 0, unplug = 0, issue = 0, requeue = 0, complete = 0;
	aio_context_t ctx = 0;
	const struct record *r;
	struct trace *trace;
	int held = 0, queued = 0, deepest = 0;

	if (syscall(SYS_io_setup, AT_ONCE, &ctx))
		die("no AIO");
	begin("block/all");
	for (i = 0; i < rounds; i++)
		submit(ctx, i);
	trace = record_end();
	syscall(SYS_io_destroy, ctx);
	for_each(trace, r) {
		if (!ours(r))
			continue;
		if (is(r, "block/plug")) {
			plug++;
			expect("who holds back", num(r, "tid"), getpid());
		}
		if (is(r, "block/bio_queue")) {
			expect("held back", num(r, "plugged"), held++);
			queued++;
		}
		if (is(r, "block/unplug")) {
			unplug++;
			expect("let go", num(r, "depth"), AT_ONCE);
			expect("because it sleeps", num(r, "schedule"), 0);
			held = 0;
		}
		if (is(r, "block/issue") || is(r, "block/requeue")) {
			expect("where", num(r, "sector") % (2 * PIECES * PAGE / 512),
			       place(0) / 512 % (2 * PIECES * PAGE / 512));
			expect("size", num(r, "size"), PIECES * PAGE);
			expect("what", num(r, "opf") & 0xff, READ);
			expect("depth", num(r, "depth") <= AT_ONCE, 1);
			if (is(r, "block/issue") && num(r, "depth") > deepest)
				deepest = num(r, "depth");
			issue += is(r, "block/issue");
			requeue += is(r, "block/requeue");
		}
		complete += is(r, "block/complete");
	}
	expect("held back", plug, rounds);
	expect("let go", unplug, rounds);
	expect("bio_queue", queued, rounds * AT_ONCE);
	expect("complete", complete, rounds * AT_ONCE);
	expect("some do not fit", requeue > 0, 1);
	expect("each is issued until it fits", issue, rounds * AT_ONCE + requeue);
	expect("all at once", deepest, AT_ONCE);
	report(trace, "4 at once, 25 times: held back, let go, and requeued by a full queue");
}

static void (* const tests[])(void) = {
	test_direct, test_scheduler, test_flush, test_at_once, test_bios,
};

int main(int argc, char **argv)
{
	if (argc != 2)
		die("which disk?");
	disk_open(argv[1]);
	pages = mmap(NULL, 2 * AT_ONCE * PIECES * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	schedule_by("none");
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
