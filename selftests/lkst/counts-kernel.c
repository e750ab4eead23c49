// SPDX-License-Identifier: GPL-2.0
/*
 * What programs write to the marker, messages and modules: do a known thing a known
 * number of times, and find exactly that in the trace, with the right values.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "expect.h"

static int self;

/*
 * Marks of programs
 */

static const struct {
	const char *written;
	const char *text;
	long long number;
} marks[] = {
#define MARK(written, text)	{ written, text, 0 }
#define NUMBER(written, n)	{ written, NULL, n }
	MARK("a", "a"), MARK("two words\n", "two words"), MARK(" ", " "), MARK("-", "-"),
	MARK("\xc3\xa9", "\xc3\xa9"), MARK("0x", "0x"), MARK("1 ", "1 "), MARK("+1", "+1"),
	MARK("0x1g", "0x1g"), MARK("--1", "--1"), MARK("1\\n", "1\\n"),
	MARK("9223372036854775808", "9223372036854775808"),
	MARK("0x10000000000000000", "0x10000000000000000"),
	NUMBER("0", 0), NUMBER("-1\n", -1), NUMBER("007", 7),
	NUMBER("9223372036854775807", 0x7fffffffffffffff),
	NUMBER("-9223372036854775808", -0x7fffffffffffffff - 1),
	NUMBER("0x10", 16), NUMBER("-0x10", -16),
	NUMBER("0xffffffffffffffff", -1),
};

static pid_t mark_tid;

static void *mark_thread(void *arg)
{
	(void)arg;
	mark_tid = gettid();
	put(PROC "marker", "from a thread");
	put(PROC "marker", "12345");
	return NULL;
}

static void test_marks(void)
{
	size_t n = ARRAY_SIZE(marks), i = 0, threads = 0;
	const struct record *r;
	struct trace *trace;
	pthread_t t;

	begin("user/all");
	for (i = 0; i < n; i++)
		if (try_put(PROC "marker", marks[i].written, strlen(marks[i].written)))
			die("cannot write '%s' to the marker", marks[i].written);
	pthread_create(&t, NULL, mark_thread, NULL);
	pthread_join(t, NULL);
	trace = record_end();
	i = 0;
	for_each(trace, r) {
		if (num(r, "tid") == mark_tid) {
			if (is(r, "user/number")) {
				expect("the thread's process", num(r, "tgid"), self);
				expect("its number", num(r, "value"), 12345);
			} else {
				expect_text("its text", text(r, "text"), "from a thread");
			}
			threads++;
			continue;
		}
		expect("who wrote it", num(r, "tid"), self);
		if (i == n)
			break;
		expect_text(marks[i].written, r->event->name,
			    marks[i].text ? "user/text" : "user/number");
		if (marks[i].text && is(r, "user/text"))
			expect_text("the text", text(r, "text"), marks[i].text);
		if (!marks[i].text && is(r, "user/number"))
			expect(marks[i].written, num(r, "value"), marks[i].number);
		i++;
	}
	expect("marks", i, n);
	expect("of a thread", threads, 2);
	report(trace, "texts and numbers that programs write, each a record");
}

/* The longest text is recorded whole; what is not one line is refused. */
static void test_marks_bounds(void)
{
	static const struct {
		const char *text;
		size_t size;
		int err;
	} bad[] = {
		{ "\n", 1, EINVAL }, { "a\nb", 3, EINVAL }, { "a\n\n", 3, EINVAL },
		{ "a\0b", 3, EINVAL }, { "\t", 1, EINVAL }, { "\x7f", 1, EINVAL },
		{ (void *)8, 4, EFAULT },
	};
	static char page[4096];
	char big[258], *wanted;
	const struct record *r;
	struct trace *trace;
	size_t i;
	int n = 0;

	memset(big, 'x', sizeof(big));
	big[256] = '\n';
	begin("user/all");
	expect("256 bytes", try_put(PROC "marker", big, 256), 0);
	expect("256 bytes and a newline", try_put(PROC "marker", big, 257), 0);
	expect("258 bytes", try_put(PROC "marker", big, 258), -E2BIG);
	big[256] = 'x';
	expect("257 bytes", try_put(PROC "marker", big, 257), -E2BIG);
	expect("a page", try_put(PROC "marker", page, sizeof(page)), -E2BIG);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		expect("what is no line", try_put(PROC "marker", bad[i].text, bad[i].size),
		       -bad[i].err);
	trace = record_end();
	wanted = strndup(big, 256);
	for_each(trace, r) {
		expect_text("what was written", text(r, "text"), wanted);
		n++;
	}
	expect("records", n, 2);
	free(wanted);
	report(trace, "the longest text, and what is refused");
}

/* Where the event is not recorded a write succeeds all the same. */
static void test_marks_off(void)
{
	struct trace *trace;

	begin("user/text");
	put(PROC "marker", "77");
	trace = record_end();
	expect("records", trace->nr, 0);
	report(trace, "a number while only texts are recorded");
}

/*
 * Messages and modules
 */

static void test_messages(void)
{
	int n = 100, i, seen = 0, cut = 0;
	char line[400], wanted[400];
	const struct record *r;
	struct trace *trace;

	begin("kernel/printk");
	for (i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "<%d>lkst test message %d\n", i % 8, i);
		put("/dev/kmsg", "%s", line);
	}
	memset(line, 'm', 300);
	memcpy(line, "<6>lkst", 7);
	expect("a long message", try_put("/dev/kmsg", line, 300), 0);
	trace = record_end();
	for_each(trace, r) {
		/* LOG_USER is what the kernel makes of messages from programs. */
		if (num(r, "facility") != 1 || num(r, "tid") != self)
			continue;
		if (num(r, "len") == 297) {
			snprintf(wanted, sizeof(wanted), "%.256s", line + 3);
			expect_text("as much as there is room", text(r, "text"), wanted);
			cut++;
			continue;
		}
		snprintf(wanted, sizeof(wanted), "lkst test message %d", seen);
		expect_text("the message", text(r, "text"), wanted);
		expect("its length", num(r, "len"), strlen(wanted));
		expect("its level", num(r, "level"), seen++ % 8);
	}
	expect("messages", seen, n);
	expect("a long one", cut, 1);
	report(trace, "100 messages of each level, and a long one");
}

static void module_load(const char *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("cannot load %s: %s", path, strerror(errno));
	close(fd);
}

static void test_modules(void)
{
	int n = 3, i, loads = 0, unloads = 0;
	const struct record *r;
	struct trace *trace;
	unsigned long long at[3];

	begin("kernel/module_load", "kernel/module_unload");
	for (i = 0; i < n; i++) {
		module_load("/modules/lkst_linger.ko");
		at[i] = strtoull(get("/sys/module/lkst_linger/sections/.text"), NULL, 16);
		if (syscall(SYS_delete_module, "lkst_linger", O_NONBLOCK))
			die("cannot remove the module: %s", strerror(errno));
	}
	trace = record_end();
	for_each(trace, r) {
		unsigned long long base = num(r, "base");

		expect_text("its name", text(r, "name"), "lkst_linger");
		if (is(r, "kernel/module_load"))
			expect("loaded in turn", loads++, unloads);
		else
			expect("removed in turn", ++unloads, loads);
		if (loads && loads <= n)
			expect("its code lies there", at[loads - 1] >= base &&
			       at[loads - 1] < base + num(r, "size"), 1);
	}
	expect("loaded", loads, n);
	expect("removed", unloads, n);
	report(trace, "a module, loaded and removed 3 times");
}

/*
 * Locks
 */

#define ROUNDS	10

/* What a thread did to a lock: as one letter, big where it does not get it at once. */
static char lock_letter(const struct record *r)
{
	static const struct {
		const char *name;
		char letter;
	} letters[] = {
		{ "lock/wait_begin", 'W' }, { "lock/wait_end", 'E' },
		{ "lock/spin_begin", 'S' }, { "lock/spin_end", 'N' },
		{ "lock/acquire", 'a' }, { "lock/release", 'r' },
		{ "lock/spin_acquire", 'a' }, { "lock/spin_release", 'r' },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(letters); i++)
		if (is(r, letters[i].name))
			return letters[i].letter;
	return '?';
}

/* With CONFIG_LKST_SPINLOCKS also those that are free are recorded. */
static bool all_spinlocks(void)
{
	return !access(SYS "events/lock/spin_acquire", F_OK);
}

/*
 * Two threads and a lock. The first, on CPU 0, has it, which is '0', until it gives it
 * back, 'A'; the other, on CPU 1, waits meanwhile, and then has it.
 */
static void lock_check(const struct trace *trace, const char *what, unsigned long long lock,
		       int kind_first, int kind_other, unsigned long long text)
{
	bool spins = kind_other >= 6, free = !spins || all_spinlocks();
	const char *wanted = !spins ? "0WAEar" : free ? "0SANar" : "SN";
	int first = 0, other = 0, rounds = 0;
	const struct record *r;
	char got[64] = "";
	size_t n = 0;

	for_each(trace, r) {
		bool waits;

		if (is(r, "sched/switch") || is(r, "kernel/module_load") ||
		    (unsigned long long)num(r, "lock") != lock)
			continue;
		waits = num(r, "kind") == kind_other && r->cpu == 1;
		if (!waits && (num(r, "kind") != kind_first || r->cpu || !free))
			continue;
		if (!first && !waits)
			first = num(r, "tid");
		if (!other && waits)
			other = num(r, "tid");
		expect("the thread", num(r, "tid"), waits ? other : first);
		/* Debug kernels spin in a function of their own. */
		if (!strchr("SN", lock_letter(r)) || !all_spinlocks())
			expect("its site is in the module", (unsigned long long)
			       num(r, "site") - text < 65536, 1);
		if (is(r, "lock/wait_end"))
			expect("it has the lock", num(r, "err"), 0);
		/* With lockdep mutexes that are free are waited for, too. */
		if (!waits && strchr("WE", lock_letter(r)))
			continue;
		got[n++] = waits ? lock_letter(r) : lock_letter(r) - 'a' + '0';
		if (n < strlen(wanted))
			continue;
		got[n] = '\0';
		n = 0;
		rounds++;
		expect_text(what, got, wanted);
	}
	expect(what, rounds, ROUNDS);
}

static unsigned long long lock_address(const char *name)
{
	return strtoull(get("/sys/module/lkst_locks/parameters/%s", name), NULL, 10);
}

static void test_locks(void)
{
	unsigned long long mutex, rwsem, rtmutex, semaphore, spin, rwlock, text;
	struct trace *trace;

	begin("lock/all", "sched/switch");
	module_load("/modules/lkst_locks.ko");
	trace = record_end();
	mutex = lock_address("mutex");
	rwsem = lock_address("rwsem");
	rtmutex = lock_address("rtmutex");
	semaphore = lock_address("semaphore");
	spin = lock_address("spinlock");
	rwlock = lock_address("rwlock");
	text = strtoull(get("/sys/module/lkst_locks/sections/.text"), NULL, 16);
	if (syscall(SYS_delete_module, "lkst_locks", O_NONBLOCK))
		die("cannot remove the module: %s", strerror(errno));
	lock_check(trace, "mutex", mutex, 1, 1, text);
	lock_check(trace, "rwsem, a reader waits", rwsem, 3, 2, text);
	lock_check(trace, "rwsem, a writer waits", rwsem, 2, 3, text);
	lock_check(trace, "rtmutex", rtmutex, 4, 4, text);
	lock_check(trace, "semaphore", semaphore, 5, 5, text);
	lock_check(trace, "spinlock", spin, 6, 6, text);
	lock_check(trace, "rwlock, a reader waits", rwlock, 8, 7, text);
	lock_check(trace, "rwlock, a writer waits", rwlock, 7, 8, text);
	report(trace, "locks of each kind that a thread has and another waits for");
}

/*
 * Power
 */

static void test_hotplug(void)
{
	static const char online[] = "/sys/devices/system/cpu/cpu1/online";
	int n = 2, i, begins = 0, ends = 0;
	const struct record *r;
	struct trace *trace;

	pin(0);
	begin("power/hotplug_begin", "power/hotplug_end");
	for (i = 0; i < n; i++) {
		put(online, "0");
		put(online, "1");
	}
	trace = record_end();
	for_each(trace, r) {
		expect("the CPU", num(r, "cpu"), 1);
		if (is(r, "power/hotplug_begin")) {
			expect("begins after the end", begins, ends);
			expect("up or down", num(r, "up"), begins++ % 2);
		} else {
			expect("up or down", num(r, "up"), ends++ % 2);
			expect("ends after the begin", ends, begins);
			expect("result", num(r, "err"), 0);
		}
	}
	expect("begins", begins, 2 * n);
	expect("ends", ends, 2 * n);
	report(trace, "a CPU, twice down and up");
}

/* While this thread sleeps its CPU does. */
static void test_idle(void)
{
	int n = 20, i, begins[2] = { }, ends[2] = { }, slept = 0;
	bool asleep[2] = { };
	const struct record *r;
	struct trace *trace;

	begin("power/idle_begin", "power/idle_end", "sched/switch");
	for (i = 0; i < n; i++)
		usleep(1000);
	trace = record_end();
	for_each(trace, r) {
		if (r->cpu > 1)
			continue;
		if (is(r, "sched/switch")) {
			slept += r->cpu == 1 && num(r, "prev_tid") == self;
			expect("who is switched is awake", asleep[r->cpu], false);
			continue;
		}
		expect("its CPU", num(r, "cpu"), r->cpu);
		expect("a state", num(r, "state") >= 0 && num(r, "state") < 10, 1);
		if (is(r, "power/idle_begin")) {
			expect("begins awake", asleep[r->cpu], false);
			begins[r->cpu]++;
		} else if (begins[r->cpu]) {
			expect("ends asleep", asleep[r->cpu], true);
			ends[r->cpu]++;
		}
		asleep[r->cpu] = is(r, "power/idle_begin");
	}
	expect("slept", slept >= n, 1);
	expect("the CPU slept", begins[1] >= n, 1);
	expect("and was woken", ends[1] >= n, 1);
	report(trace, "a CPU that sleeps while its thread does");
}

static void (* const tests[])(void) = {
	test_marks, test_marks_bounds, test_marks_off, test_messages, test_modules,
	test_locks, test_hotplug, test_idle,
};

int main(void)
{
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
