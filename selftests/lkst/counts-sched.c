// SPDX-License-Identifier: GPL-2.0
/*
 * Known counts: scheduler, waits, processes, signals, interrupts, traps, timers and
 * works. As counts.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "expect.h"

#define DEFER	"/sys/module/lkst_defer/defer"
#define FIRE	"/sys/module/lkst_fire/fire"

static pid_t self;

static void set_policy(int which, int priority)
{
	if (sched_setscheduler(0, which, &(struct sched_param) { priority }))
		die("no policy %d", which);
}

/* The next record of @event from @r on whose @field is @value; NULL if none is. */
static const struct record *next(const struct trace *trace, const struct record *r,
				 const char *event, const char *field, long long value)
{
	for (; r < trace->record + trace->nr; r++)
		if (is(r, event) && num(r, field) == value)
			return r;
	return NULL;
}

/* On each CPU entries and exits take turns; how many pairs there were. What has
 * no field to compare has NULL for it. The first exit may be alone.
 */
static int pairs(const struct trace *trace, const char *entry, const char *exit,
		 const char *field)
{
	long long value[CPUS_MAX];
	int inside[CPUS_MAX] = { };
	const struct record *r;
	int n = 0;

	for_each(trace, r) {
		if (is(r, entry)) {
			expect("entry while inside", inside[r->cpu] > 0, 0);
			value[r->cpu] = field ? num(r, field) : 0;
			inside[r->cpu] = 1;
		} else if (is(r, exit)) {
			expect("exit while outside", inside[r->cpu] < 0, 0);
			if (inside[r->cpu] > 0 && field)
				expect("exit of what was entered", num(r, field), value[r->cpu]);
			n += inside[r->cpu] > 0;
			inside[r->cpu] = -1;
		}
	}
	return n;
}

/*
 * Scheduler
 */

#define ROUNDS	200

/* Two threads on CPU 1 that wake each other, by pipes. */
static pid_t partner_start(int *ping, int *pong)
{
	pid_t pid;
	char c;
	int i;

	if (pipe(ping) || pipe(pong))
		die("no pipe");
	set_policy(SCHED_FIFO, 50);
	pid = fork();
	if (!pid) {
		for (i = 0; i < ROUNDS; i++)
			if (read(ping[0], &c, 1) != 1 || write(pong[1], &c, 1) != 1)
				_exit(1);
		pause();
	}
	/* It waits for the first byte. */
	sched_yield();
	return pid;
}

static void partner_play(const int *ping, const int *pong)
{
	char c = 0;
	int i;

	for (i = 0; i < ROUNDS; i++)
		if (write(ping[1], &c, 1) != 1 || read(pong[0], &c, 1) != 1)
			die("the other one is gone");
}

static void partner_stop(pid_t pid, const int *ping, const int *pong)
{
	int i;

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (i = 0; i < 2; i++) {
		close(ping[i]);
		close(pong[i]);
	}
	set_policy(SCHED_OTHER, 0);
}

static void queue_check(const struct trace *trace, pid_t pid)
{
	long long length = -1, running = -1;
	int changes = 0, asked = 0, waking = 0;
	const struct record *r;

	for_each(trace, r) {
		if (is(r, "sched/queue") && num(r, "target") == 1) {
			length = num(r, "running");
			changes++;
		}
		if (is(r, "sched/waking") && num(r, "tid") == pid && r->tid == self) {
			waking++;
			expect("where it ran", num(r, "last"), 1);
			expect("its priority", num(r, "prio"), 99 - 50);
		}
		if (r->cpu != 1)
			continue;
		if (is(r, "sched/schedule_entry") || is(r, "sched/schedule_exit"))
			if (length >= 0)
				expect("length of the queue", num(r, "running"), length);
		if (is(r, "sched/schedule_entry"))
			asked += (r->tid == self || r->tid == pid) && num(r, "mode") == 0;
		if (is(r, "sched/switch"))
			running = num(r, "next_tid");
		if (is(r, "sched/schedule_exit") && running >= 0)
			expect("who goes on", num(r, "tid"), running);
	}
	expect("waking", waking, ROUNDS);
	expect("changes of the queue", changes >= 4 * ROUNDS - 4, 1);
	expect("asked for", asked >= 2 * ROUNDS - 1, 1);
}

static void test_queue(void)
{
	int ping[2], pong[2];
	struct trace *trace;
	pid_t pid;

	pid = partner_start(ping, pong);
	begin("sched/all");
	partner_play(ping, pong);
	trace = record_end();
	partner_stop(pid, ping, pong);
	queue_check(trace, pid);
	expect("entries and exits", pairs(trace, "sched/schedule_entry", "sched/schedule_exit",
					  NULL) >= 2 * ROUNDS, 1);
	report(trace, "200 rounds: waking, run queue's length, entry and exit of the scheduler");
}

/*
 * Records of waits in @queue: where it is left each time the thread is woken, the
 * begin comes twice, before and after.
 */
static void waits_check(const struct trace *trace, long long queue, int begins, int wakes)
{
	const struct record *r;
	int begun = 0, ended = 0, woken = 0;

	for_each(trace, r) {
		if (strncmp(r->event->name, "waitq/", 6) || num(r, "queue") != queue)
			continue;
		if (is(r, "waitq/begin"))
			begun++;
		if (is(r, "waitq/end")) {
			expect("its result", num(r, "result"), 0);
			ended++;
		}
		if (is(r, "waitq/wake")) {
			expect("how many", num(r, "nr"), 1);
			expect("who wakes", r->tid, self);
			woken++;
		}
	}
	expect("begin", begun, begins);
	expect("end", ended, (begins + 1) / 2);
	expect("wake", woken, wakes);
}

/* The child waits in the pipe each time; the first wait began before. */
static void test_waits(void)
{
	const struct record *r, *first = NULL;
	int ping[2], pong[2];
	struct trace *trace;
	pid_t pid;

	pid = partner_start(ping, pong);
	begin("waitq/all", "sched/switch");
	partner_play(ping, pong);
	trace = record_end();
	partner_stop(pid, ping, pong);
	for_each(trace, r)
		if (is(r, "waitq/begin") && r->tid == pid && !first)
			first = r;
	expect("a queue and a caller", first && num(first, "queue") < 0 &&
	       num(first, "site") < 0, 1);
	if (first) {
		expect("its state", num(first, "state"), 1);
		expect("woken one at a time", num(first, "exclusive"), 1);
		waits_check(trace, num(first, "queue"), 2 * ROUNDS - 1, ROUNDS);
	}
	report(trace, "200 waits in a pipe: begin, wake and end");
}

/* A wait that a module has, by a function that has a name; and completions. */
static void test_wait_queue(void)
{
	int n = 20, waits = 0, completions = 0;
	long long site = ksym("lkst_defer_wait"), queue = 0;
	const struct record *r;
	struct trace *trace;

	begin("waitq/all", "sched/switch");
	put(DEFER, "wait %d", n);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "waitq/begin"))
			continue;
		if (num(r, "site") - site >= 0 && num(r, "site") - site < 512) {
			expect("its state", num(r, "state"), 2);
			expect("woken with others", num(r, "exclusive"), 0);
			queue = num(r, "queue");
			waits++;
		}
		completions += r->tid == self && num(r, "exclusive") &&
			       next(trace, r, "waitq/end", "queue", num(r, "queue"));
	}
	expect("waits", waits, 2 * n);
	waits_check(trace, queue, 2 * n, n);
	/* For kthreadd each time, and mostly for the thread. */
	expect("completions", completions >= n, 1);
	report(trace, "20 waits in a queue that is known, and completions");
}

static void test_yields(void)
{
	int i, n = 100, yields = 0;
	const struct record *r;
	struct trace *trace;

	begin("sched/yield", "sched/switch");
	for (i = 0; i < n; i++)
		sched_yield();
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "sched/yield") || num(r, "tid") != self)
			continue;
		yields++;
		expect("to whom", num(r, "to_tid"), 0);
	}
	expect("yield", yields, n);
	report(trace, "100 yields");
}

/* Nothing else runs on CPU 1, so it is idle during each sleep, without its tick. */
static void test_idle(void)
{
	int i, n = 20, enters = 0, stops = 0;
	const struct record *r, *s;
	struct trace *trace;

	begin("sched/idle_enter", "sched/idle_exit", "timer/tick_stop", "timer/tick_restart",
	      "sched/switch");
	for (i = 0; i < n; i++)
		usleep(30000);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "sched/idle_enter") || is(r, "sched/idle_exit"))
			expect("the CPU", num(r, "idle"), r->cpu);
		enters += is(r, "sched/idle_enter") && r->cpu == 1;
		if (!is(r, "timer/tick_stop"))
			continue;
		for (s = r + 1; s < trace->record + trace->nr; s++)
			if (s->cpu == r->cpu && !strncmp(s->event->name, "timer/tick", 10))
				break;
		if (s == trace->record + trace->nr)
			continue;
		expect("it starts again", is(s, "timer/tick_restart"), 1);
		expect("after a while", num(s, "now") > 0, 1);
		expect("a time in the future", num(r, "expires") > 0, 1);
		stops += r->cpu == 1;
	}
	expect("idle_enter", enters >= n, 1);
	expect("pairs", pairs(trace, "sched/idle_enter", "sched/idle_exit", "idle") >= n, 1);
	expect("tick_stop", stops >= n / 2, 1);
	report(trace, "20 sleeps: the CPU is idle, and stops its tick");
}

static void policy_check(const struct record *r, int step)
{
	static const int wanted[4][4] = {
		{ SCHED_FIFO, 99 - 7, 7, 0 }, { SCHED_RR, 99 - 9, 9, 0 },
		{ SCHED_OTHER, 120, 0, 0 }, { SCHED_OTHER, 120 + 5, 0, 5 },
	};
	const int *w = wanted[step];

	expect("policy", num(r, "policy"), w[0]);
	expect("prio", num(r, "prio"), w[1]);
	expect("rt_priority", num(r, "rt_priority"), w[2]);
	expect("nice", num(r, "nice"), w[3]);
}

static void test_policies(void)
{
	int i, n = 25, seen = 0;
	const struct record *r;
	struct trace *trace;

	begin("sched/policy");
	for (i = 0; i < n; i++) {
		set_policy(SCHED_FIFO, 7);
		set_policy(SCHED_RR, 9);
		set_policy(SCHED_OTHER, 0);
		setpriority(PRIO_PROCESS, 0, 5);
		/* Back by a policy of the same kind, which resets nothing else. */
		setpriority(PRIO_PROCESS, 0, 0);
	}
	trace = record_end();
	for_each(trace, r) {
		if (num(r, "tid") != self)
			continue;
		if (seen % 5 < 4)
			policy_check(r, seen % 5);
		else
			expect("nice again", num(r, "nice"), 0);
		seen++;
	}
	expect("policy", seen, 5 * n);
	report(trace, "125 changes of policy, priority and nice value");
}

static pthread_mutex_t mutex;
static sem_t go;
static pid_t high;

static void *high_run(void *arg)
{
	int i;

	pin(1);
	set_policy(SCHED_FIFO, 50);
	__atomic_store_n(&high, gettid(), __ATOMIC_RELEASE);
	for (i = 0; i < *(int *)arg; i++) {
		while (sem_wait(&go))
			;
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* The other thread, above this one on the same CPU, waits for what this one holds. */
static void test_inheritance(void)
{
	int i, n = 20, gets = 0, gives = 0;
	pthread_mutexattr_t attr;
	const struct record *r;
	struct trace *trace;
	pthread_t t;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attr);
	sem_init(&go, 0, 0);
	set_policy(SCHED_FIFO, 10);
	pthread_create(&t, NULL, high_run, &n);
	while (!__atomic_load_n(&high, __ATOMIC_ACQUIRE))
		sched_yield();
	begin("sched/pi", "sched/switch");
	for (i = 0; i < n; i++) {
		pthread_mutex_lock(&mutex);
		sem_post(&go);
		pthread_mutex_unlock(&mutex);
	}
	trace = record_end();
	pthread_join(t, NULL);
	set_policy(SCHED_OTHER, 0);
	for_each(trace, r) {
		if (!is(r, "sched/pi") || num(r, "tid") != self)
			continue;
		if (num(r, "donor_tid")) {
			gets++;
			expect("from whom", num(r, "donor_tid"), high);
			expect("so far", num(r, "old_prio"), 99 - 10);
			expect("from now on", num(r, "prio"), 99 - 50);
		} else {
			gives++;
			expect("until now", num(r, "old_prio"), 99 - 50);
			expect("its own again", num(r, "prio"), 99 - 10);
		}
	}
	expect("inherits", gets, n);
	expect("gives back", gives, n);
	report(trace, "20 times a priority is inherited, and given back");
}

/*
 * Processes and signals
 */

static void test_credentials(void)
{
	int n = 20, i, seen = 0;
	const struct record *r;
	struct trace *trace;
	pid_t pid[20];

	begin("process/credentials");
	for (i = 0; i < n; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			if (syscall(SYS_setresgid, 5, 6, 7) || syscall(SYS_setresuid, 1, 2, 3))
				_exit(1);
			_exit(0);
		}
		waitpid(pid[i], NULL, 0);
	}
	trace = record_end();
	for_each(trace, r) {
		if (seen / 2 >= n || num(r, "tid") != pid[seen / 2])
			continue;
		expect("old euid", num(r, "old_euid"), 0);
		expect("uid", num(r, "uid"), seen % 2 ? 1 : 0);
		expect("euid", num(r, "euid"), seen % 2 ? 2 : 0);
		expect("gid", num(r, "gid"), 5);
		expect("egid", num(r, "egid"), 6);
		expect("capabilities", num(r, "caps") != 0, !(seen % 2));
		seen++;
	}
	expect("credentials", seen, 2 * n);
	report(trace, "40 changes of group and user");
}

#define CGROUP	"/tmp/lkst-cgroup"

static void test_cgroups(void)
{
	int n = 10, i, seen = 0;
	const struct record *r;
	struct trace *trace;
	struct stat st;

	mkdir(CGROUP, 0700);
	if (mount("none", CGROUP, "cgroup2", 0, NULL) || mkdir(CGROUP "/lkst", 0700) ||
	    stat(CGROUP "/lkst", &st))
		die("no control groups: %s", strerror(errno));
	begin("process/cgroup");
	for (i = 0; i < n; i++) {
		put(CGROUP "/lkst/cgroup.procs", "0");
		put(CGROUP "/cgroup.procs", "0");
	}
	trace = record_end();
	rmdir(CGROUP "/lkst");
	umount(CGROUP);
	for_each(trace, r) {
		expect("thread", num(r, "tid"), self);
		expect("by whom", num(r, "by_tid"), self);
		expect("all of it", num(r, "all"), 1);
		expect("the group", num(r, "cgroup") == (long long)st.st_ino, !(seen % 2));
		expect_text("its name", text(r, "name"), seen % 2 ? "" : "lkst");
		seen++;
	}
	expect("cgroup", seen, 2 * n);
	report(trace, "20 moves between control groups");
}

static void test_kernel_threads(void)
{
	long long function = ksym("lkst_defer_thread");
	int n = 10, made = 0, reaped = 0;
	const struct record *r;
	struct trace *trace;

	begin("process/kthread", "process/reap");
	put(DEFER, "thread %d", n);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "process/kthread") || num(r, "function") != function)
			continue;
		made++;
		expect("who asked", num(r, "by_tid"), self);
		reaped += !!next(trace, r, "process/reap", "tid", num(r, "tid"));
	}
	expect("kthread", made, n);
	/* The last one may still be about to end. */
	expect("reap", reaped >= n - 1, 1);
	report(trace, "10 kernel threads");
}

static void dump_core(int limit)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_CORE, &(struct rlimit) { limit, limit });
		raise(SIGQUIT);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	expect("whether wait(2) knows of it", !!WCOREDUMP(status), !!limit);
}

static void test_core_dumps(void)
{
	int n = 5, i, entries = 0, exits = 0;
	char before[256];
	const struct record *r;
	struct trace *trace;

	snprintf(before, sizeof(before), "%s", get("/proc/sys/kernel/core_pattern"));
	put("/proc/sys/kernel/core_pattern", "/tmp/lkst-%%s.core");
	begin("signal/coredump_entry", "signal/coredump_exit");
	for (i = 0; i < n; i++) {
		dump_core(1 << 24);
		dump_core(0);
	}
	trace = record_end();
	put("/proc/sys/kernel/core_pattern", "%s", before);
	unlink("/tmp/lkst-3.core");
	for_each(trace, r) {
		expect("signal", num(r, "sig"), SIGQUIT);
		if (is(r, "signal/coredump_entry")) {
			expect("to a program", num(r, "is_pipe"), 0);
			expect_text("its name", text(r, "name"), "/tmp/lkst-3.core");
			entries++;
		} else {
			expect("written", num(r, "dumped"), !(exits++ % 2));
			expect("an exit for each entry", exits, entries);
		}
	}
	expect("coredump_entry", entries, 2 * n);
	expect("coredump_exit", exits, 2 * n);
	report(trace, "10 core dumps, 5 of which are not written");
}

/*
 * Interrupts
 */

static volatile bool spinning, stop;

static void *spin(void *arg)
{
	pin(*(unsigned int *)arg);
	spinning = true;
	while (!stop)
		;
	return NULL;
}

/* Interrupts that call functions, as the kernel counts them: how many came to a CPU. */
static long calls_to(unsigned int cpu)
{
	const char *p = strstr(get("/proc/interrupts"), "CAL:");
	char *end = (char *)p + 4;
	long n;

	if (!p)
		die("no CAL in /proc/interrupts");
	do
		n = strtol(end, &end, 10);
	while (cpu--);
	return n;
}

/*
 * A barrier in all threads of a process is an interrupt to the CPU of the other, if
 * that one runs.
 */
static void test_ipis(void)
{
	int n = 50, tries = 0, sent = 0, came = 0;
	long before, calls;
	unsigned int there = 0;
	const struct record *r;
	struct trace *trace;
	pthread_t t;

	if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		die("no membarrier");
	spinning = false;
	stop = false;
	pthread_create(&t, NULL, spin, &there);
	while (!spinning)
		;
	begin("irq/ipi_send", "irq/vector_entry", "irq/vector_exit", "sched/switch");
	/* There is none while something else runs there. */
	before = calls_to(there);
	do
		syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	while ((calls = calls_to(there) - before) < n && ++tries < 100000);
	trace = record_end();
	stop = true;
	pthread_join(t, NULL);
	for_each(trace, r) {
		if (is(r, "irq/ipi_send") && r->tid == self && num(r, "target") == there) {
			expect("its target", num(r, "targets"), 1 << there);
			sent += num(r, "vector") == 251;
		}
		came += is(r, "irq/vector_entry") && r->cpu == there && num(r, "vector") == 251;
	}
	/* What the test writes to LKST's files may send some more. */
	expect("interrupts", calls >= n, 1);
	expect("ipi_send", sent > n / 2 && sent < n + 20, 1);
	expect("vector_entry", came >= calls && came < calls + 20, 1);
	expect("pairs", pairs(trace, "irq/vector_entry", "irq/vector_exit", "vector") >= calls,
	       1);
	report(trace, "50 barriers: an interrupt to another CPU each");
}

/* Local timer interrupts of CPU 1, as the kernel counts them. */
static long ticks(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[256];
	long n = 0;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " LOC: %*d %ld", &n) == 1)
			break;
	if (file)
		fclose(file);
	return n;
}

static void test_local_timer(void)
{
	time_t end = time(NULL) + 20;
	const struct record *r;
	struct trace *trace;
	int here = 0, n;
	long from;

	begin("irq/local_timer_entry", "irq/local_timer_exit");
	from = ticks();
	while (ticks() < from + 10 && time(NULL) < end)
		;
	trace = record_end();
	n = pairs(trace, "irq/local_timer_entry", "irq/local_timer_exit", NULL);
	for_each(trace, r) {
		if (is(r, "irq/local_timer_exit"))
			expect("resched", num(r, "resched") & ~1LL, 0);
		else
			here += r->cpu == 1;
	}
	expect("ticks on this CPU", here >= 10, 1);
	expect("pairs", n >= here - 1, 1);
	report(trace, "10 of the local timer's interrupts");
}

static void test_nmis(void)
{
	int i, n = 20, entries = 0;
	const struct record *r;
	struct trace *trace;

	begin("irq/nmi_entry", "irq/nmi_exit");
	for (i = 0; i < n; i++)
		put(FIRE, "1 nmi 1");
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "irq/nmi_entry") || r->cpu != 1)
			continue;
		expect("a kernel address", num(r, "ip") < 0, 1);
		entries++;
	}
	expect("nmi_entry", entries, n);
	expect("pairs", pairs(trace, "irq/nmi_entry", "irq/nmi_exit", "ip") >= n, 1);
	report(trace, "20 NMIs");
}

static void test_tasklets(void)
{
	long long function = ksym("tasklet_hit");
	int i, n = 20, entries = 0;
	const struct record *r;
	struct trace *trace;

	begin("irq/tasklet_entry", "irq/tasklet_exit");
	for (i = 0; i < n; i++)
		put(FIRE, "1 softirq 1");
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "irq/tasklet_entry") || num(r, "function") != function)
			continue;
		expect("its CPU", r->cpu, 1);
		entries++;
	}
	expect("tasklet_entry", entries, n);
	expect("pairs", pairs(trace, "irq/tasklet_entry", "irq/tasklet_exit",
			      "tasklet") >= n, 1);
	report(trace, "20 tasklets");
}

/*
 * Traps and faults
 */

static sigjmp_buf back;

static void jump_back(int sig)
{
	siglongjmp(back, sig);
}

static __attribute__((noinline)) void divide(void)
{
	asm volatile("xor %%ecx, %%ecx; xor %%edx, %%edx; mov $1, %%eax; div %%ecx"
		     : : : "eax", "ecx", "edx");
}

static __attribute__((noinline)) void invalid(void)
{
	asm volatile("ud2");
}

static __attribute__((noinline)) void privileged(void)
{
	asm volatile("hlt");
}

static __attribute__((noinline)) void breakpoint(void)
{
	asm volatile("int3");
}

/* The trap comes after the instruction that follows popf. */
static __attribute__((noinline)) void step(void)
{
	asm volatile("sub $128, %%rsp; pushf; orl $0x100, (%%rsp); popf; nop; add $128, %%rsp"
		     : : : "memory", "cc");
}

static const struct {
	void (*raise)(void);
	int nr;
	int sig;
} traps[] = {
	{ divide, 0, SIGFPE }, { step, 1, SIGTRAP }, { breakpoint, 3, SIGTRAP },
	{ invalid, 6, SIGILL }, { privileged, 13, SIGSEGV },
};

static void trap_check(const struct trace *trace, unsigned int i, int n)
{
	const struct record *r, *s;
	int entries = 0;

	for_each(trace, r) {
		if (!is(r, "exception/trap_entry") || r->tid != self ||
		    num(r, "nr") != traps[i].nr)
			continue;
		expect("its ip", num(r, "ip") - (long)traps[i].raise >= 0 &&
		       num(r, "ip") - (long)traps[i].raise < 64, 1);
		expect("its error", num(r, "error"), 0);
		s = next(trace, r, "exception/trap_exit", "nr", traps[i].nr);
		expect("its exit", s && s->tid == self, 1);
		entries++;
	}
	expect("trap_entry", entries, n);
}

static void test_traps(void)
{
	struct trace *trace;
	volatile unsigned int i;
	volatile int j;
	int n = 20;

	begin("exception/trap_entry", "exception/trap_exit", "sched/switch");
	for (i = 0; i < ARRAY_SIZE(traps); i++) {
		signal(traps[i].sig, jump_back);
		for (j = 0; j < n; j++)
			if (!sigsetjmp(back, 1))
				traps[i].raise();
		signal(traps[i].sig, SIG_DFL);
	}
	trace = record_end();
	for (i = 0; i < ARRAY_SIZE(traps); i++)
		trap_check(trace, i, n);
	report(trace, "20 traps each of five kinds");
}

#define PAGE	4096
#define PAGES	50

static char *map_pages(int flags, int fd)
{
	char *p = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (p == MAP_FAILED)
		die("cannot map");
	madvise(p, PAGES * PAGE, MADV_NOHUGEPAGE);
	return p;
}

static void touch(char *p)
{
	int i;

	for (i = 0; i < PAGES; i++)
		asm volatile("movb $1, %0" : "=m" (p[i * PAGE]));
}

static void look(const char *p)
{
	int i;

	for (i = 0; i < PAGES; i++)
		asm volatile("cmpb $0, %0" : : "m" (p[i * PAGE]) : "cc");
}

/* Faults of @kind in what is at @p, each between its entry and exit. */
static void kind_check(const struct trace *trace, const char *what, const char *p, int kind,
		       int write)
{
	const struct record *r;
	bool inside = false;
	int n = 0;

	for_each(trace, r) {
		if (r->tid != self || strncmp(r->event->name, "exception/", 10) ||
		    num(r, "address") < (long)p || num(r, "address") >= (long)p + PAGES * PAGE)
			continue;
		if (!is(r, "exception/page_fault_kind")) {
			inside = is(r, "exception/page_fault_entry");
			continue;
		}
		expect("inside of the fault", inside, 1);
		if (num(r, "kind") != kind)
			continue;
		expect("a write", num(r, "flags") & 1, write);
		n++;
	}
	expect(what, n, PAGES);
}

static void test_fault_kinds(void)
{
	int fd = open("/tmp/lkst-pages", O_RDWR | O_CREAT, 0600);
	char *anon, *file, *zero, *swapped;
	struct trace *trace;

	if (ftruncate(fd, PAGES * PAGE))
		die("no file");
	anon = map_pages(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	zero = map_pages(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	swapped = map_pages(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	file = map_pages(MAP_SHARED, fd);
	look(zero);
	touch(swapped);
	if (madvise(swapped, PAGES * PAGE, MADV_PAGEOUT))
		die("cannot swap out");
	begin("exception/page_fault_entry", "exception/page_fault_exit",
	      "exception/page_fault_kind", "sched/switch");
	touch(anon);
	touch(file);
	touch(zero);
	look(swapped);
	trace = record_end();
	kind_check(trace, "anonymous", anon, 1, 1);
	kind_check(trace, "of a file", file, 2, 1);
	kind_check(trace, "shared", zero, 3, 1);
	kind_check(trace, "swapped", swapped, 4, 0);
	report(trace, "50 page faults each of four kinds");
	munmap(anon, PAGES * PAGE);
	munmap(zero, PAGES * PAGE);
	munmap(swapped, PAGES * PAGE);
	munmap(file, PAGES * PAGE);
	close(fd);
	unlink("/tmp/lkst-pages");
}

/*
 * Timers and works
 */

static void test_sleeps(void)
{
	long long function = ksym("hrtimer_wakeup");
	const struct record *r, *s;
	int i, n = 20, starts = 0, expired = 0, ended = 0;
	struct trace *trace;

	begin("timer/all", "sched/switch");
	for (i = 0; i < n; i++)
		nanosleep(&(struct timespec) { .tv_nsec = 1000000 }, NULL);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "timer/hrtimer_start") || r->tid != self ||
		    num(r, "function") != function)
			continue;
		starts++;
		s = next(trace, r, "timer/hrtimer_expire_entry", "timer", num(r, "timer"));
		if (!s)
			continue;
		expired++;
		expect("its function", num(s, "function"), function);
		expect("not too early", num(s, "now") >= num(r, "expires"), 1);
		expect("not too late", num(s, "now") - num(r, "expires") < 1000000000, 1);
		ended += !!next(trace, s, "timer/hrtimer_expire_exit", "timer",
				num(r, "timer"));
	}
	expect("hrtimer_start", starts, n);
	expect("hrtimer_expire_entry", expired, n);
	expect("hrtimer_expire_exit", ended, n);
	report(trace, "20 sleeps: start, expiry and end of a timer");
}

static volatile int alarms;

static void count_alarm(int sig)
{
	(void)sig;
	alarms++;
}

static void set_interval(int which, long us, long again_us)
{
	struct itimerval value = { .it_value = { us / 1000000, us % 1000000 },
				   .it_interval = { again_us / 1000000, again_us % 1000000 } };

	if (setitimer(which, &value, NULL))
		die("no interval timer");
}

/* Set and cancelled; then each kind once, until it expires. */
static void test_interval_timers(void)
{
	static const int signals[] = { SIGALRM, SIGVTALRM, SIGPROF };
	int n = 20, i, sets = 0, cancels = 0, expires[3] = { };
	long long function = ksym("it_real_fn");
	const struct record *r, *s;
	struct trace *trace;

	for (i = 0; i < 3; i++)
		signal(signals[i], count_alarm);
	begin("timer/all", "sched/switch");
	for (i = 0; i < n; i++) {
		set_interval(ITIMER_REAL, 100000000, 3000000);
		set_interval(ITIMER_REAL, 0, 0);
	}
	for (i = 0; i < 3; i++) {
		alarms = 0;
		set_interval(i, 5000, 0);
		while (!alarms)
			;
	}
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "timer/itimer_set") && num(r, "tgid") == self) {
			if (sets < 2 * n) {
				expect("value", num(r, "value"), sets % 2 ? 0 : 100000000000);
				expect("interval", num(r, "interval"), sets % 2 ? 0 : 3000000000);
				expect("which", num(r, "which"), 0);
			} else {
				expect("its value", num(r, "value"), 5000000);
				expect("which one", num(r, "which"), sets - 2 * n);
			}
			sets++;
		}
		if (is(r, "timer/itimer_expire") && num(r, "tgid") == self)
			expires[num(r, "which") % 3]++;
		if (is(r, "timer/hrtimer_start") && r->tid == self &&
		    num(r, "function") == function) {
			s = next(trace, r, "timer/hrtimer_cancel", "timer", num(r, "timer"));
			cancels += s && s->tid == self;
		}
	}
	expect("itimer_set", sets, 2 * n + 3);
	expect("hrtimer_cancel", cancels, n);
	for (i = 0; i < 3; i++)
		expect("itimer_expire", expires[i], 1);
	report(trace, "43 interval timers, 20 of them cancelled, 3 expire");
}

/* Until a thread sleeps. */
static void sleep_await(pid_t pid)
{
	const char *state;

	do {
		usleep(500);
		state = strrchr(get("/proc/%d/stat", pid), ')');
	} while (!state || state[2] != 'S');
}

/* A wait with a limit, which is over before: its timer is cancelled. */
static void test_timer_cancels(void)
{
	struct timeval limit = { .tv_sec = 60 };
	int n = 20, i, pair[2], started = 0, cancelled = 0;
	long long function = ksym("process_timeout");
	const struct record *r;
	struct trace *trace;
	pid_t pid;
	char c;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		die("no socket pair");
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	pid = fork();
	if (!pid) {
		while (recv(pair[1], &c, 1, 0) == 1) {
			sleep_await(self);
			if (send(pair[1], &c, 1, 0) != 1)
				break;
		}
		_exit(0);
	}
	begin("timer/start", "timer/cancel", "sched/switch");
	for (i = 0; i < n; i++)
		if (send(pair[0], "x", 1, 0) != 1 || recv(pair[0], &c, 1, 0) != 1)
			die("no answer");
	trace = record_end();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(pair[0]);
	close(pair[1]);
	for_each(trace, r) {
		if (!is(r, "timer/start") || r->tid != self || num(r, "function") != function)
			continue;
		started++;
		cancelled += !!next(trace, r, "timer/cancel", "timer", num(r, "timer"));
	}
	expect("start", started, n);
	expect("cancel", cancelled, n);
	report(trace, "20 timers that are cancelled");
}

static void test_works(void)
{
	long long function = ksym("lkst_defer_work");
	int n = 50, queued = 0, begun = 0, ended = 0;
	const struct record *r, *s;
	struct trace *trace;

	begin("workqueue/all", "sched/switch");
	put(DEFER, "work %d", n);
	trace = record_end();
	for_each(trace, r) {
		if (!is(r, "workqueue/queue") || num(r, "function") != function)
			continue;
		queued++;
		expect("its CPU", num(r, "target"), 1);
		expect("who queues", r->tid, self);
		expect("works before it", num(r, "active") >= 0 && num(r, "active") < 256, 1);
		s = next(trace, r, "workqueue/begin", "work", num(r, "work"));
		if (!s)
			continue;
		begun++;
		expect("function", num(s, "function"), function);
		expect("where", s->cpu, 1);
		ended += !!next(trace, s, "workqueue/end", "work", num(r, "work"));
	}
	expect("queue", queued, n);
	expect("begin", begun, n);
	expect("end", ended, n);
	report(trace, "50 works: queued, begun and done");
}

static void (* const tests[])(void) = {
	test_queue, test_yields, test_idle, test_policies, test_inheritance, test_waits,
	test_wait_queue, test_credentials, test_cgroups, test_kernel_threads,
	test_core_dumps, test_ipis, test_local_timer, test_nmis, test_tasklets, test_traps,
	test_fault_kinds, test_sleeps, test_interval_timers, test_timer_cancels, test_works,
};

int main(void)
{
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
