// SPDX-License-Identifier: GPL-2.0
/*
 * Do a known thing with files a known number of times, and find exactly that in the
 * trace, with the right values.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "expect.h"

#define PATH	"/tmp/counts-fs"
#define TIMES	100
/* What the kernel sets; the C library has 0 for it. */
#define KERNEL_LARGEFILE	0100000

static int self;
/* An address that is none, which the compiler does not see. */
static char * volatile nowhere = (char *)8;

/* Longer than the text that a record can hold. */
static void long_path(char *path, size_t size)
{
	size_t n;

	for (n = 0; n + 2 < size; n += 2)
		memcpy(path + n, "/.", 3);
}

static void test_open(void)
{
	int i, fd[TIMES], dir = open("/", O_PATH | O_DIRECTORY);
	int opened = 0, closed = 0, failed = 0, cut = 0;
	const struct record *entry, *exit;
	static char path[600];
	struct trace *trace;

	long_path(path, sizeof(path));
	begin("fs/open_entry", "fs/open_exit", "fs/close_entry", "fs/close_exit",
	      "sched/switch");
	for (i = 0; i < TIMES; i++) {
		fd[i] = open(PATH, O_RDWR | O_CREAT | O_CLOEXEC, 0640);
		if (i % 2) {
			close(fd[i]);
			close(fd[i - 1]);
		}
	}
	openat(dir, "no/such/file", O_RDONLY);
	open(path, O_RDONLY);
	open(nowhere, O_RDONLY);
	close(-1);
	trace = record_end();
	for_each_pair(trace, "fs/open", self, entry, exit) {
		if (!strcmp(text(entry, "path"), PATH)) {
			expect("flags", num(entry, "flags") & ~KERNEL_LARGEFILE,
			       O_RDWR | O_CREAT | O_CLOEXEC);
			expect("mode", num(entry, "mode"), 0640);
			expect("directory", num(entry, "dfd"), AT_FDCWD);
			expect("descriptor", num(exit, "ret"), fd[opened++]);
		} else if (!strcmp(text(entry, "path"), "no/such/file")) {
			expect("its directory", num(entry, "dfd"), dir);
			expect("its error", num(exit, "ret"), -ENOENT);
			failed++;
		} else if (!strncmp(text(entry, "path"), path, LKST_TEXT_MAX)) {
			expect("length", strlen(text(entry, "path")), LKST_TEXT_MAX);
			cut++;
		}
	}
	for_each_pair(trace, "fs/close", self, entry, exit) {
		if (num(entry, "fd") != fd[closed ^ 1])
			continue;
		expect("close's descriptor", num(exit, "fd"), fd[closed++ ^ 1]);
		expect("its result", num(exit, "ret"), 0);
		if (closed == TIMES)
			break;
	}
	expect("open", opened, TIMES);
	expect("open that fails", failed, 1);
	expect("open of a long path", cut, 1);
	expect("close", closed, TIMES);
	report(trace, "100 files opened and closed, with their path");
	close(dir);
}

static void test_read_write(void)
{
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600), i, written = 0, got = 0;
	static const int sizes[] = { 1000, 1000, 3000, 3000 };
	const struct record *entry, *exit;
	struct trace *trace;
	char data[3000] = "";
	struct iovec iov[3];

	for (i = 0; i < 3; i++)
		iov[i] = (struct iovec) { data + 1000 * i, 1000 };
	begin("fs/write_entry", "fs/write_exit", "fs/read_entry", "fs/read_exit",
	      "sched/switch");
	for (i = 0; i < TIMES; i++) {
		bool ok = write(fd, data, 1000) == 1000 &&
			  pwrite(fd, data, 1000, 9) == 1000 &&
			  writev(fd, iov, 3) == 3000 && pwritev(fd, iov, 3, 9) == 3000 &&
			  /* It is at the end. */
			  read(fd, data, 1000) == 0 && pread(fd, data, 1000, 0) == 1000 &&
			  readv(fd, iov, 3) == 0 && preadv(fd, iov, 3, 0) == 3000;

		if (!ok)
			die("cannot read and write");
	}
	if (write(fd, nowhere, 77) >= 0 || read(-1, data, 1) >= 0)
		die("can write from nowhere, or read it");
	trace = record_end();
	for_each_pair(trace, "fs/write", self, entry, exit) {
		if (num(entry, "fd") != fd)
			continue;
		i = written++ % 4;
		expect("write's descriptor at its end", num(exit, "fd"), fd);
		if (written == 4 * TIMES + 1) {
			expect("size", num(entry, "size"), 77);
			expect("error", num(exit, "ret"), -EFAULT);
			continue;
		}
		expect("size", num(entry, "size"), i < 2 ? 1000 : 0);
		expect("pieces", num(entry, "pieces"), i < 2 ? 0 : 3);
		expect("written", num(exit, "ret"), sizes[i]);
	}
	for_each_pair(trace, "fs/read", self, entry, exit) {
		if (num(entry, "fd") != fd)
			continue;
		i = got++ % 4;
		expect("read's descriptor at its end", num(exit, "fd"), fd);
		expect("size", num(entry, "size"), i < 2 ? 1000 : 0);
		expect("pieces", num(entry, "pieces"), i < 2 ? 0 : 3);
		expect("read", num(exit, "ret"), i % 2 ? sizes[i] : 0);
	}
	expect("write", written, 4 * TIMES + 1);
	expect("read", got, 4 * TIMES);
	report(trace, "400 reads and 400 writes, in one piece and in several");
	close(fd);
}

static void test_seek(void)
{
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600), i, n = 0, low;
	const struct record *entry, *exit;
	struct trace *trace;

	begin("fs/seek_entry", "fs/seek_exit", "sched/switch");
	for (i = 0; i < TIMES; i++)
		lseek(fd, (1LL << 40) + i, SEEK_SET);
	lseek(fd, -5, SEEK_CUR);
	lseek(fd, -5, SEEK_SET);
	/* llseek() of the 32-bit calls, whose result lies where it can write it. */
	asm volatile("int $0x80" : "=a" (low)
		     : "a" (140), "b" (fd), "c" (1), "d" (2), "S" (0L), "D" (SEEK_SET)
		     : "memory", "r8", "r9", "r10", "r11");
	trace = record_end();
	for_each_pair(trace, "fs/seek", self, entry, exit) {
		if (num(entry, "fd") != fd)
			continue;
		expect("its descriptor at the end", num(exit, "fd"), fd);
		if (n < TIMES) {
			expect("offset", num(entry, "offset"), (1LL << 40) + n);
			expect("position", num(exit, "ret"), (1LL << 40) + n);
		} else if (n == TIMES) {
			expect("whence", num(entry, "whence"), SEEK_CUR);
			expect("offset back", num(entry, "offset"), -5);
			expect("position", num(exit, "ret"), (1LL << 40) + TIMES - 6);
		} else if (n == TIMES + 1) {
			expect("error", num(exit, "ret"), -EINVAL);
		} else {
			expect("64-bit offset", num(entry, "offset"), (1LL << 32) + 2);
			expect("error", num(exit, "ret"), -EFAULT);
		}
		n++;
	}
	expect("seek", n, TIMES + 3);
	report(trace, "100 seeks, back, before the beginning, and by a 32-bit call");
	close(fd);
}

static void test_ioctl(void)
{
	int i, pipes[2], left, n = 0;
	const struct record *entry, *exit;
	struct trace *trace;

	if (pipe(pipes) || write(pipes[1], "abc", 3) != 3)
		die("no pipe");
	begin("fs/ioctl_entry", "fs/ioctl_exit", "sched/switch");
	for (i = 0; i < TIMES; i++)
		ioctl(pipes[0], FIONREAD, &left);
	ioctl(pipes[0], TIOCGWINSZ, 5);
	/* FIONBIO, by a 32-bit call. */
	asm volatile("int $0x80" : "=a" (i)
		     : "a" (54), "b" (pipes[0]), "c" (FIONBIO), "d" (8L)
		     : "memory", "r8", "r9", "r10", "r11");
	trace = record_end();
	for_each_pair(trace, "fs/ioctl", self, entry, exit) {
		if (num(entry, "fd") != pipes[0])
			continue;
		expect("its descriptor at the end", num(exit, "fd"), pipes[0]);
		if (n < TIMES) {
			expect("command", num(entry, "cmd"), FIONREAD);
			expect("argument", num(entry, "argument"), (long)&left);
			expect("result", num(exit, "ret"), 0);
		} else if (n == TIMES) {
			expect("command", num(entry, "cmd"), TIOCGWINSZ);
			expect("argument", num(entry, "argument"), 5);
			expect("error", num(exit, "ret"), -ENOTTY);
		} else {
			expect("command of 32 bits", num(entry, "cmd"), FIONBIO);
			expect("error", num(exit, "ret"), -EFAULT);
		}
		n++;
	}
	expect("ioctl", n, TIMES + 2);
	report(trace, "100 ioctls, one that fails, and one by a 32-bit call");
	close(pipes[0]);
	close(pipes[1]);
}

static void test_fsync(void)
{
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600), i, n = 0;
	const struct record *entry, *exit;
	struct trace *trace;

	begin("fs/fsync_entry", "fs/fsync_exit", "sched/switch");
	for (i = 0; i < TIMES; i++)
		if (i % 2 ? fdatasync(fd) : fsync(fd))
			die("cannot fsync");
	fsync(-1);
	trace = record_end();
	for_each_pair(trace, "fs/fsync", self, entry, exit) {
		expect("descriptor", num(entry, "fd"), fd);
		expect("data only", num(entry, "datasync"), n++ % 2);
		expect("descriptor at the end", num(exit, "fd"), fd);
	}
	expect("fsync", n, TIMES);
	report(trace, "100 fsyncs, every other of data only");
	close(fd);
}

/* CLOCK_MONOTONIC, to which LKST's time of the end of a wait is compared. */
static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void test_waits(void)
{
	const struct record *entry, *exit;
	int pipes[2], ep, i, n[3] = { };
	long long before, until;
	struct epoll_event event[7] = { { .events = EPOLLIN } };
	struct trace *trace;
	struct pollfd p;

	ep = epoll_create1(0);
	if (pipe(pipes) || epoll_ctl(ep, EPOLL_CTL_ADD, pipes[0], event))
		die("no pipe");
	p = (struct pollfd) { .fd = pipes[0], .events = POLLIN };
	before = now_ns();
	begin("fs/poll_entry", "fs/poll_exit", "fs/select_entry", "fs/select_exit",
	      "fs/epoll_wait_entry", "fs/epoll_wait_exit", "sched/switch");
	/* Not at all, for 3 ms, and without end for what is there. */
	for (i = 0; i < 3; i++) {
		struct timeval limit = { .tv_usec = i * 3000 };
		fd_set set;

		FD_ZERO(&set);
		FD_SET(pipes[0], &set);
		if (i == 2 && write(pipes[1], "", 1) != 1)
			die("cannot write to a pipe");
		poll(&p, 1, i < 2 ? i * 3 : -1);
		select(pipes[0] + 1, &set, NULL, NULL, i < 2 ? &limit : NULL);
		epoll_wait(ep, event, 7, i < 2 ? i * 3 : -1);
	}
	trace = record_end();
	for_each_pair(trace, "fs/poll", self, entry, exit) {
		until = num(entry, "until");
		expect("poll's descriptors", num(entry, "nr"), 1);
		expect("its end", !n[0] ? !until : n[0] == 1 ?
		       until > before + 3000000 && until < before + 60000000000 :
		       until == -1, 1);
		expect("its result", num(exit, "ret"), n[0]++ == 2);
	}
	for_each_pair(trace, "fs/select", self, entry, exit) {
		until = num(entry, "until");
		expect("select's descriptors", num(entry, "nr"), pipes[0] + 1);
		expect("its end", !n[1] ? !until : n[1] == 1 ?
		       until > before + 6000000 && until < before + 60000000000 :
		       until == -1, 1);
		expect("its result", num(exit, "ret"), n[1]++ == 2);
	}
	for_each_pair(trace, "fs/epoll_wait", self, entry, exit) {
		until = num(entry, "until");
		expect("epoll_wait's descriptor", num(entry, "fd"), ep);
		expect("its room", num(entry, "max"), 7);
		expect("its descriptor at the end", num(exit, "fd"), ep);
		expect("its end", !n[2] ? !until : n[2] == 1 ?
		       until > before + 9000000 && until < before + 60000000000 :
		       until == -1, 1);
		expect("its result", num(exit, "ret"), n[2]++ == 2);
	}
	for (i = 0; i < 3; i++)
		expect("waits", n[i], 3);
	report(trace, "waits by poll, select and epoll: none, 3 ms, and without end");
}

static void (* const tests[])(void) = {
	test_open, test_read_write, test_seek, test_ioctl, test_fsync, test_waits,
};

int main(void)
{
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	unlink(PATH);
	ksft_finished();
}
