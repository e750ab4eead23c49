// SPDX-License-Identifier: GPL-2.0
/*
 * Do a known thing a known number of times, and find exactly that in the trace,
 * with the right values.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "expect.h"

static char *self_path;
static int self;

/*
 * Signals
 */

static void handler(int sig)
{
	(void)sig;
}

static void test_signals(void)
{
	int i, n = 1000, generated = 0, delivered = 0;
	const struct record *r;
	struct trace *trace;

	signal(SIGUSR1, handler);
	begin("signal/all", "sched/switch");
	for (i = 0; i < n; i++)
		kill(self, SIGUSR1);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "signal/generate") && num(r, "sig") == SIGUSR1) {
			generated++;
			expect("generate's tid", num(r, "tid"), self);
			expect("its code", num(r, "code"), SI_USER);
			expect("its group", num(r, "group"), 1);
			expect("its result", num(r, "result"), 0);
		}
		if (is(r, "signal/deliver") && num(r, "sig") == SIGUSR1) {
			delivered++;
			expect("deliver's code", num(r, "code"), SI_USER);
			expect("its handler", num(r, "handler"), (long)handler);
			expect("deliver after generate", delivered, generated);
		}
	}
	expect("generate", generated, n);
	expect("deliver", delivered, n);
	report(trace, "1000 signals: as many generate and deliver, in turns");
}

/* Ignored, pending, and to one thread: 1, 2 and group 0. */
static void test_signal_results(void)
{
	const struct record *r;
	struct trace *trace;
	int ignored = 0, pending = 0, thread = 0;
	sigset_t set;

	signal(SIGUSR2, SIG_IGN);
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	begin("signal/all");
	kill(self, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(self, SIGUSR1);
	kill(self, SIGUSR1);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	syscall(SYS_tgkill, self, self, SIGUSR1);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "signal/generate"))
			continue;
		ignored += num(r, "sig") == SIGUSR2 && num(r, "result") == 1;
		pending += num(r, "sig") == SIGUSR1 && num(r, "result") == 2;
		thread += !num(r, "group") && num(r, "code") == SI_TKILL;
	}
	expect("ignored", ignored, 1);
	expect("already pending", pending, 1);
	expect("sent to a thread", thread, 1);
	report(trace, "signals that are ignored, already pending, for one thread");
}

/*
 * System calls
 */

static long call6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;
	long ret;

	asm volatile("syscall" : "=a" (ret)
		     : "a" (nr), "D" (a), "S" (b), "d" (c), "r" (r10), "r" (r8), "r" (r9)
		     : "rcx", "r11", "memory");
	return ret;
}

static void test_syscalls(void)
{
	static const char * const names[] = { "enter", "args", "exit" };
	int i, n = 1000, count[3] = { }, next = 0;
	const struct record *r;
	struct trace *trace;

	begin("syscall/all", "sched/switch");
	for (i = 0; i < n; i++)
		call6(SYS_getppid, i, -1, 1L << 40, 4, 5, ~i);
	trace = record_end();
	for_each(trace, r) {
		const char *name = r->event->name;

		if (strncmp(name, "syscall/", 8) || num(r, "nr") != SYS_getppid ||
		    r->tid != self)
			continue;
		expect_text("the order", name + 8, names[next]);
		i = count[next]++;
		next = (next + 1) % 3;
		expect("compat", num(r, "compat"), 0);
		if (is(r, "syscall/enter"))
			expect("arg0", num(r, "arg0"), i);
		if (is(r, "syscall/exit"))
			expect("ret", num(r, "ret"), getppid());
		if (is(r, "syscall/args")) {
			expect("arg 0", num_at(r, "arg", 0), i);
			expect("arg 1", num_at(r, "arg", 1), -1);
			expect("arg 2", num_at(r, "arg", 2), 1L << 40);
			expect("arg 3", num_at(r, "arg", 3), 4);
			expect("arg 4", num_at(r, "arg", 4), 5);
			expect("arg 5", num_at(r, "arg", 5), ~i);
		}
	}
	for (i = 0; i < 3; i++)
		expect(names[i], count[i], n);
	report(trace, "1000 getppid(): as many enter, args and exit, six arguments");
}

/* Number 64 of the 32-bit calls is getppid(); one that does not exist fails. */
static void test_syscalls_compat(void)
{
	int i, n = 100, enter = 0, exit = 0, unknown = 0;
	const struct record *r;
	struct trace *trace;

	begin("syscall/enter", "syscall/exit", "sched/switch");
	for (i = 0; i < n; i++) {
		long ret;

		asm volatile("int $0x80" : "=a" (ret) : "a" (64), "b" (i)
			     : "memory", "r8", "r9", "r10", "r11");
	}
	call6(1000, 0, 0, 0, 0, 0, 0);
	trace = record_end();
	for_each(trace, r) {
		if (strncmp(r->event->name, "syscall/", 8) || r->tid != self)
			continue;
		if (num(r, "compat") && num(r, "nr") == 64) {
			if (is(r, "syscall/enter"))
				expect("arg0", num(r, "arg0"), enter++);
			else
				expect("ret", num(r, "ret"), getppid() + 0 * exit++);
		}
		unknown += num(r, "nr") == 1000 && is(r, "syscall/exit") &&
			   num(r, "ret") == -38;
	}
	expect("enter", enter, n);
	expect("exit", exit, n);
	expect("unknown call", unknown, 1);
	report(trace, "100 calls of the 32-bit kind, and one that does not exist");
}

/*
 * Processes
 */

#define CHILDREN	100

static void child_run(int i)
{
	char name[16], code[16];

	snprintf(name, sizeof(name), "child-%d", i);
	prctl(PR_SET_NAME, name);
	snprintf(code, sizeof(code), "%d", i);
	execl(self_path, "lkst-exec", "exit", code, NULL);
	_exit(255);
}

/* Which child is thread @tid? */
static int child_of(const pid_t *pid, long long tid)
{
	int i;

	for (i = 0; i < CHILDREN; i++)
		if (pid[i] == tid)
			return i;
	return -1;
}

static void process_check(const struct record *r, int i, pid_t pid)
{
	char name[16], comm[16];

	if (is(r, "process/fork")) {
		prctl(PR_GET_NAME, comm);
		expect("fork's parent", num(r, "parent_tid"), self);
		expect("its child's process", num(r, "child_tgid"), pid);
		expect("its child's own number", num(r, "child_ns_tid"), pid);
		expect_text("its child's name", text(r, "comm"), comm);
	}
	if (is(r, "process/exec")) {
		expect("exec's old tid", num(r, "old_tid"), pid);
		expect("its own number", num(r, "ns_tid"), pid);
		expect_text("its file", text(r, "filename"), self_path);
	}
	if (is(r, "process/rename") && !strncmp(text(r, "comm"), "child", 5)) {
		snprintf(name, sizeof(name), "child-%d", i);
		expect("rename's process", num(r, "tgid"), pid);
		expect_text("the name", text(r, "comm"), name);
	} else if (is(r, "process/rename")) {
		expect_text("the name by exec", text(r, "comm"), strrchr(self_path, '/') + 1);
	}
	if (is(r, "process/exit")) {
		expect("exit's process", num(r, "tgid"), pid);
		expect("its code", num(r, "code"), i << 8);
	}
	if (is(r, "process/reap")) {
		expect("reap's process", num(r, "tgid"), pid);
		expect("who reaps", num(r, "by_tid"), self);
		expect("the code again", num(r, "code"), i << 8);
	}
}

static void test_processes(void)
{
	static const char * const order[] = {
		"process/fork", "sched/wakeup_new", "process/rename", "process/rename",
		"process/credentials", "process/exec", "process/exit", "process/reap",
	};
	int seen[CHILDREN] = { }, i, status;
	pid_t pid[CHILDREN];
	const struct record *r;
	struct trace *trace;

	begin("process/all", "sched/wakeup_new", "sched/switch");
	for (i = 0; i < CHILDREN; i++) {
		pid[i] = fork();
		if (!pid[i])
			child_run(i);
		waitpid(pid[i], &status, 0);
		expect("exit code", WEXITSTATUS(status), i);
	}
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "sched/switch"))
			continue;
		i = child_of(pid, num(r, is(r, "process/fork") ? "child_tid" : "tid"));
		if (i < 0)
			continue;
		expect_text("the order", r->event->name, order[seen[i] % 8]);
		seen[i]++;
		process_check(r, i, pid[i]);
	}
	for (i = 0; i < CHILDREN; i++)
		expect("records of a child", seen[i], 8);
	report(trace, "100 forks, renames, execs, exits and reaps, with their names and codes");
}

static pid_t thread_tid;

static void *thread(void *arg)
{
	thread_tid = gettid();
	if (arg)
		execl(self_path, "lkst-exec", "exit", "7", NULL);
	return NULL;
}

/* A thread of this process; and one that runs another program takes its leader's
 * number.
 */
static void test_threads(void)
{
	int forked = 0, ended = 0, taken = 0, status;
	const struct record *r;
	struct trace *trace;
	pthread_t t;
	pid_t pid;

	begin("process/all", "sched/switch");
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	pid = fork();
	if (!pid) {
		pthread_create(&t, NULL, thread, self_path);
		for (;;)
			pause();
	}
	waitpid(pid, &status, 0);
	trace = record_end();
	for_each(trace, r) {
		forked += is(r, "process/fork") && num(r, "child_tid") == thread_tid &&
			  num(r, "child_tgid") == self && num(r, "parent_tid") == self;
		ended += is(r, "process/exit") && num(r, "tid") == thread_tid &&
			 num(r, "tgid") == self;
		taken += is(r, "process/exec") && num(r, "tid") == pid &&
			 num(r, "old_tid") != pid;
	}
	expect("exit code", WEXITSTATUS(status), 7);
	expect("fork of a thread", forked, 1);
	expect("its exit", ended, 1);
	expect("exec by a thread", taken, 1);
	report(trace, "a thread of a process, and one that takes its leader's number");
}

static void test_namespaces(void)
{
	const struct record *r;
	struct trace *trace;
	int forked = 0, execed = 0, killed = 0, status;
	pid_t pid;

	begin("process/all", "sched/switch");
	pid = syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		execl(self_path, "lkst-exec", "kill", "9", NULL);
		_exit(255);
	}
	waitpid(pid, &status, 0);
	trace = record_end();
	for_each(trace, r) {
		forked += is(r, "process/fork") && num(r, "child_tid") == pid &&
			  num(r, "child_ns_tid") == 1;
		execed += is(r, "process/exec") && num(r, "tid") == pid &&
			  num(r, "ns_tid") == 1;
		killed += is(r, "process/exit") && num(r, "tid") == pid &&
			  num(r, "code") == 9;
	}
	expect("fork, 1 inside", forked, 1);
	expect("exec, 1 inside", execed, 1);
	expect("exit by a signal", killed, 1);
	report(trace, "a process in a pid namespace, that a signal ends");
}

/*
 * Network
 */

static void test_packets(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int n = 300, i, in, out, sent = 0, received = 0, lo = if_nametoindex("lo");
	socklen_t size = sizeof(to);
	const struct record *r;
	struct trace *trace;
	__u64 skb = 0;
	char data[1000];

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	in = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(in, (void *)&to, size) || getsockname(in, (void *)&to, &size))
		die("cannot receive packets");
	out = socket(AF_INET, SOCK_DGRAM, 0);
	begin("net/transmit", "net/receive");
	for (i = 0; i < n; i++) {
		sendto(out, data, 100 + i, 0, (void *)&to, size);
		recv(in, data, sizeof(data), 0);
	}
	trace = record_end();
	for_each(trace, r) {
		expect("device", num(r, "ifindex"), lo);
		if (is(r, "net/transmit")) {
			expect("length sent", num(r, "len"), 14 + 20 + 8 + 100 + sent++);
			expect("what the driver said", num(r, "rc"), 0);
			skb = num(r, "skb");
		}
		if (is(r, "net/receive")) {
			expect("length received", num(r, "len"), 20 + 8 + 100 + received++);
			expect("protocol", num(r, "protocol"), 0x800);
		}
	}
	expect("transmit", sent, n);
	expect("receive", received, n);
	expect("a kernel address", skb >> 63, 1);
	report(trace, "300 packets over loopback: as many transmit and receive");
	close(in);
	close(out);
}

/*
 * Scheduler
 */

static void fifo(int priority)
{
	struct sched_param param = { .sched_priority = priority };

	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("no SCHED_FIFO");
}

/* Two threads on one CPU hand each other a byte: strictly one after the other. */
static void test_ping_pong(void)
{
	int n = 1000, i, ping[2], pong[2], status, switches = 0, wakeups[2] = { };
	const struct record *r;
	struct trace *trace;
	int last = -1, running = -1, ended = 0;
	pid_t pid;
	char c = 0;

	if (pipe(ping) || pipe(pong))
		die("no pipe");
	pin(1);
	fifo(50);
	pid = fork();
	if (!pid) {
		for (i = 0; i < n; i++)
			if (read(ping[0], &c, 1) != 1 || write(pong[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	/* It waits for the first byte. */
	sched_yield();
	begin("sched/all");
	for (i = 0; i < n; i++)
		if (write(ping[1], &c, 1) != 1 || read(pong[0], &c, 1) != 1)
			die("the other one is gone");
	trace = record_end();
	waitpid(pid, &status, 0);
	for_each(trace, r) {
		if (r->cpu != 1)
			continue;
		if (is(r, "sched/switch")) {
			if (running >= 0)
				expect("who leaves", num(r, "prev_tid"), running);
			running = num(r, "next_tid");
			if (running != pid || num(r, "prev_tid") != self)
				if (running != self || num(r, "prev_tid") != pid)
					continue;
			if (last >= 0)
				expect("who comes", running, last == pid ? self : pid);
			last = running;
			switches++;
			/* It sleeps; the child ends once, as TASK_DEAD. */
			ended += num(r, "prev_state") == 0x80;
			if (num(r, "prev_state") != 0x80)
				expect("why it leaves", num(r, "prev_state") & 0xff, 1);
			expect("its priority", num(r, "prev_prio"), 99 - 50);
			expect("the other's", num(r, "next_prio"), 99 - 50);
		}
		if (is(r, "sched/wakeup") && (num(r, "tid") == pid || num(r, "tid") == self) &&
		    (r->tid == self || r->tid == pid)) {
			wakeups[num(r, "tid") == pid]++;
			expect("its CPU", num(r, "target"), 1);
			expect("who wakes", r->tid, num(r, "tid") == pid ? self : pid);
		}
	}
	expect("switches", switches >= 2 * n - 1 && switches <= 2 * n + 1, 1);
	expect("the child ends", ended <= 1, 1);
	expect("wakeups of the child", wakeups[1], n);
	expect("wakeups of this one", wakeups[0] >= n, 1);
	report(trace, "1000 rounds of ping-pong: switches in strict turns");
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param) { });
}

static void test_migrations(void)
{
	int i, n = 50, moved = 0;
	const struct record *r;
	struct trace *trace;

	pin(0);
	begin("sched/migrate");
	for (i = 1; i <= n; i++)
		pin(i % 2);
	trace = record_end();
	for_each(trace, r) {
		if (num(r, "tid") != self)
			continue;
		expect("from", num(r, "from"), moved % 2);
		moved++;
		expect("to", num(r, "to"), moved % 2);
	}
	/* record_begin() makes two more. */
	expect("migrate", moved, n + 2);
	report(trace, "50 moves between two CPUs");
}

/*
 * Memory
 */

#define PAGES	200

/* A write, and a read, that the compiler keeps. */
static void touch(char *p)
{
	asm volatile("movb $1, %0" : "=m" (*p));
}

static void look(const char *p)
{
	asm volatile("cmpb $0, %0" : : "m" (*p) : "cc");
}

static void test_page_faults(void)
{
	int entries = 0, exits = 0, pages = 0, inside = 0;
	size_t size = 2 * PAGES * 4096;
	const struct record *r;
	struct trace *trace;
	char *p;
	int i;

	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	begin("exception/page_fault_entry", "exception/page_fault_exit",
	      "mm/page_alloc", "sched/switch");
	for (i = 0; i < PAGES; i++)
		touch(p + i * 4096);
	for (; i < 2 * PAGES; i++)
		look(p + i * 4096 + 8);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "mm/page_alloc") && inside && r->tid == self)
			pages += !num(r, "order") && num(r, "pfn") > 0;
		if (strncmp(r->event->name, "exception/", 10) ||
		    num(r, "address") < (long)p || num(r, "address") >= (long)(p + size))
			continue;
		if (is(r, "exception/page_fault_entry")) {
			expect("entry's address", num(r, "address"),
			       (long)p + entries * 4096 + (entries < PAGES ? 0 : 8));
			expect("its error", num(r, "error"), entries < PAGES ? 6 : 4);
			expect("its ip is in here",
			       llabs(num(r, "ip") - (long)test_page_faults) < 65536, 1);
			expect("its tid", r->tid, self);
			inside = entries < PAGES;
			entries++;
		} else {
			expect("exit's address", num(r, "address"),
			       (long)p + exits * 4096 + (exits < PAGES ? 0 : 8));
			exits++;
			inside = 0;
		}
		expect("exit after entry", entries - exits, is(r, "exception/page_fault_entry"));
	}
	expect("entry", entries, 2 * PAGES);
	expect("exit", exits, 2 * PAGES);
	/* Page tables take a few more. */
	expect("a page for each that was written", pages >= PAGES && pages < PAGES + 20, 1);
	report(trace, "400 page faults, 200 of which allocate a page");
	munmap(p, size);
}

struct msg {
	long type;
	char text[1000];
};

/* What was freed of @ptr, after the record @from. */
static bool freed(const struct trace *trace, const struct record *from, const char *event,
		  long long ptr)
{
	for (; from < trace->record + trace->nr; from++)
		if (is(from, event) && num(from, "ptr") == ptr)
			return true;
	return false;
}

/* A message of a System V queue has a head of 48 bytes. */
static void test_kmallocs(void)
{
	struct msg msg = { .type = 1 };
	int n = 100, i, queue, allocs = 0, frees = 0;
	const struct record *r;
	struct trace *trace;

	queue = msgget(IPC_PRIVATE, 0600);
	begin("mm/kmalloc", "mm/kfree", "sched/switch");
	for (i = 0; i < n; i++) {
		msgsnd(queue, &msg, sizeof(msg.text), 0);
		msgrcv(queue, &msg, sizeof(msg.text), 0, 0);
	}
	trace = record_end();
	msgctl(queue, IPC_RMID, NULL);
	for_each(trace, r) {
		if (!is(r, "mm/kmalloc") || num(r, "asked") != 48 + sizeof(msg.text) ||
		    r->tid != self)
			continue;
		allocs++;
		expect("at least what was asked for", num(r, "given") >= num(r, "asked"), 1);
		expect("not much more", num(r, "given") <= 4096, 1);
		expect("a kernel address", num(r, "ptr") < 0 && num(r, "site") < 0, 1);
		frees += freed(trace, r, "mm/kfree", num(r, "ptr"));
	}
	expect("kmalloc", allocs, n);
	expect("kfree of the same", frees, n);
	report(trace, "100 kmalloc() of 1048 bytes, each freed");
}

/* An open file is an object of a cache. */
static void test_caches(void)
{
	int n = 100, i, best = 0, count, frees = 0;
	const struct record *r, *s, *most = NULL;
	struct trace *trace;

	begin("mm/cache_alloc", "mm/cache_free", "sched/switch");
	for (i = 0; i < n; i++)
		close(open("/dev/null", O_RDONLY));
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "mm/cache_alloc") || r->tid != self || most)
			continue;
		count = 0;
		for_each(trace, s)
			count += is(s, "mm/cache_alloc") && s->tid == self &&
				 num(s, "site") == num(r, "site") &&
				 num(s, "size") == num(r, "size");
		/* The test's own writes open a few more. */
		if (count >= n && count < n + 5)
			most = r;
		if (count > best)
			best = count;
	}
	if (!most) {
		expect("allocations of one kind", best, n);
		return report(trace, "100 open files, an object each");
	}
	for_each(trace, r)
		if (is(r, "mm/cache_alloc") && num(r, "site") == num(most, "site") &&
		    r->tid == self)
			frees += freed(trace, r, "mm/cache_free", num(r, "ptr"));
	expect("cache_free of the same", frees >= n, 1);
	report(trace, "100 open files, an object each");
}

static void test_page_frees(void)
{
	size_t size = PAGES * 4096;
	const struct record *r, *s;
	struct trace *trace;
	int allocs = 0, frees = 0, i;
	char *p;

	begin("mm/page_alloc", "mm/page_free", "sched/switch");
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < PAGES; i++)
		touch(p + i * 4096);
	munmap(p, size);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "mm/page_alloc") || r->tid != self || num(r, "order"))
			continue;
		allocs++;
		for (s = r; s < trace->record + trace->nr; s++)
			if (is(s, "mm/page_free") && num(s, "pfn") == num(r, "pfn"))
				break;
		frees += s < trace->record + trace->nr;
	}
	expect("allocated", allocs >= PAGES && allocs < PAGES + 20, 1);
	expect("freed again", frees >= PAGES, 1);
	report(trace, "200 pages allocated, and freed");
}

/*
 * Timers and interrupts
 */

/* A socket that waits with a time limit sets a timer. */
static void test_timers(void)
{
	struct timeval limit = { .tv_usec = 8000 };
	int n = 20, i, pair[2], starts = 0, expired = 0, ended = 0;
	long long function = ksym("process_timeout");
	const struct record *r, *s;
	struct trace *trace;
	char c;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		die("no socket pair");
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	begin("timer/all", "sched/switch");
	for (i = 0; i < n; i++)
		recv(pair[0], &c, 1, 0);
	trace = record_end();
	for_each(trace, r) {
		/* An interrupt can start one in this thread too. */
		if (!is(r, "timer/start") || r->tid != self || num(r, "function") != function)
			continue;
		starts++;
		for (s = r; s < trace->record + trace->nr; s++)
			if (is(s, "timer/expire_entry") && num(s, "timer") == num(r, "timer"))
				break;
		if (s == trace->record + trace->nr)
			continue;
		expired++;
		expect("its function", num(s, "function"), num(r, "function"));
		expect("not too early", num(s, "now") >= num(r, "expires"), 1);
		for (; s < trace->record + trace->nr; s++)
			if (is(s, "timer/expire_exit") && num(s, "timer") == num(r, "timer"))
				break;
		ended += s < trace->record + trace->nr;
	}
	expect("start", starts, n);
	expect("expire_entry", expired, n);
	expect("expire_exit", ended, n);
	report(trace, "20 timers, each with its start, expiry and end");
	close(pair[0]);
	close(pair[1]);
}

/* Entry and exit on each CPU come in pairs that never overlap: their handlers do
 * not nest.
 */
static int pairs(const struct trace *trace, const char *entry, const char *exit,
		 const char *field)
{
	long long inside[CPUS_MAX];
	bool seen[CPUS_MAX] = { };
	const struct record *r;
	int n = 0;

	memset(inside, -1, sizeof(inside));
	for_each(trace, r) {
		if (is(r, entry)) {
			expect("entry while inside", inside[r->cpu], -1);
			inside[r->cpu] = num(r, field);
			seen[r->cpu] = true;
		}
		/* The first exit may be alone. */
		if (is(r, exit) && seen[r->cpu]) {
			expect("exit of what was entered", num(r, field), inside[r->cpu]);
			inside[r->cpu] = -1;
			n++;
		}
	}
	return n;
}

static void test_interrupts(void)
{
	int fd = open("/dev/ttyS0", O_WRONLY | O_NOCTTY), in, i, raised = 0;
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t size = sizeof(to);
	const struct record *r;
	struct trace *trace;

	in = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(in, (void *)&to, size) || getsockname(in, (void *)&to, &size))
		die("cannot receive packets");
	begin("irq/all");
	for (i = 0; i < 20; i++) {
		if (write(fd, "a line for an interrupt\n", 24) < 0)
			die("cannot write to the console");
		sendto(in, "x", 1, 0, (void *)&to, size);
	}
	/* The last byte has left, which an interrupt told. */
	tcdrain(fd);
	trace = record_end();
	close(in);
	close(fd);
	for_each(trace, r) {
		if (is(r, "irq/entry"))
			expect("a kernel address", num(r, "handler") < 0, 1);
		if (is(r, "irq/exit"))
			expect("what it says", num(r, "ret") >= 0 && num(r, "ret") <= 2, 1);
		if (is(r, "irq/softirq_raise")) {
			expect("its number", num(r, "vec") >= 0 && num(r, "vec") < 10, 1);
			raised++;
		}
	}
	expect("interrupts", pairs(trace, "irq/entry", "irq/exit", "irq") > 0, 1);
	expect("soft interrupts", pairs(trace, "irq/softirq_entry", "irq/softirq_exit",
					"vec") > 0, 1);
	expect("raised", raised > 0, 1);
	report(trace, "interrupts and soft interrupts come in pairs");
}

static void (* const tests[])(void) = {
	test_signals, test_signal_results, test_syscalls, test_syscalls_compat,
	test_processes, test_threads, test_namespaces, test_packets, test_ping_pong,
	test_migrations, test_page_faults, test_page_frees, test_kmallocs, test_caches,
	test_timers, test_interrupts,
};

int main(int argc, char **argv)
{
	static char path[256];

	if (argc == 3 && !strcmp(argv[1], "exit"))
		return atoi(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "kill")) {
		signal(SIGALRM, SIG_DFL);
		/* The first of a namespace can be killed by the kernel, not by itself. */
		setrlimit(RLIMIT_CPU, &(struct rlimit) { .rlim_cur = 0, .rlim_max = 0 });
		for (;;)
			getppid();
	}
	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		die("no /proc/self/exe");
	self_path = path;
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
