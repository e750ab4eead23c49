// SPDX-License-Identifier: GPL-2.0
/*
 * bench-guest getppid|pingpong none|lkst|count|ftrace
 *	Run a loop in a guest whose time-stamp counter counts instructions, and
 *	print, for one iteration, instructions and what the tracer counted as
 *	events and bytes; then the iterations that this is the mean of.
 * bench-guest load forkexec|messages|files BUFFER
 *	Do so many units of work, and print instructions, and bytes of trace in
 *	BUFFER, for one; "-" where there is none.
 * bench-guest reader CALLS FILE WORD COMMAND...
 *	Run COMMAND, which reads what is recorded. Once FILE holds WORD make CALLS
 *	system calls, and then end it by SIGINT. Print what processor time it took
 *	with all its threads and processes, in us.
 * bench-guest usage COMMAND...
 *	Run COMMAND and print seconds and MiB that were resident.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/types.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define ROUNDS	150

#define BUFFER	"/sys/kernel/lkst/buffers/boot/cpu0/"
#define COUNT	"/sys/kernel/lkst/handlers/count/count"
#define STATS	"/sys/kernel/tracing/per_cpu/cpu0/stats"

struct sample {
	__u64 ticks;
	__u64 events;
	__s64 bytes;
	__u64 interrupts;
	__u64 switches;
};

static int to_child[2], to_parent[2];

/* The file @path, at one moment. */
static const char *contents(const char *path)
{
	static char text[8192];
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		err(1, "%s", path);
	n = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[n] = '\0';
	return text;
}

static __u64 number_after(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	if (!at)
		errx(1, "no \"%s\" in a file of numbers", word);
	return strtoull(at + strlen(word), NULL, 10);
}

/* Events and bytes so far, by what the tracer says itself. */
static void count(const char *tracer, struct sample *sample)
{
	const char *text;

	if (!strcmp(tracer, "lkst")) {
		sample->events = number_after(contents(BUFFER "hits"), "");
		sample->bytes = number_after(contents(BUFFER "bytes"), "");
	} else if (!strcmp(tracer, "count")) {
		sample->events = number_after(contents(COUNT), "");
	} else if (!strcmp(tracer, "ftrace")) {
		text = contents(STATS);
		sample->events = number_after(text, "entries: ") +
				 number_after(text, "overrun: ");
	}
}

/* What must not disturb: interrupts, and other tasks. */
static void count_others(struct sample *sample)
{
	const char *text = contents("/proc/stat");

	sample->interrupts = number_after(text, "intr ");
	sample->switches = number_after(text, "ctxt ");
}

static void getppid_loop(unsigned int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void pass(int to, int from)
{
	char c = 0;

	if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
		_exit(1);
}

/* Two switches and two wakeups an iteration, as both tasks are SCHED_FIFO. */
static void pingpong_loop(unsigned int n)
{
	while (n--)
		pass(to_child[1], to_parent[0]);
}

static void pingpong_start(void)
{
	char c;

	if (pipe(to_child) || pipe(to_parent))
		err(1, "pipe");
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (read(to_child[0], &c, 1) != 1)
			_exit(1);
		for (;;)
			pass(to_parent[1], to_child[0]);
	}
}

static struct sample measure(void (*loop)(unsigned int n), unsigned int n,
			     const char *tracer)
{
	struct sample before = {}, after = {};

	count(tracer, &before);
	count_others(&before);
	before.ticks = __rdtsc();
	loop(n);
	after.ticks = __rdtsc();
	count_others(&after);
	count(tracer, &after);
	return (struct sample) {
		.ticks = after.ticks - before.ticks,
		.events = after.events - before.events,
		.bytes = after.bytes - before.bytes,
		.interrupts = after.interrupts - before.interrupts,
		.switches = after.switches - before.switches,
	};
}

/*
 * The mean over rounds of @n iterations into which no interrupt fell and no
 * task but those that make @switches an iteration: so packet switches are in it
 * and clock ticks are not. Counting makes events too: those of an empty round
 * are subtracted.
 */
static void run(void (*loop)(unsigned int n), unsigned int n,
		unsigned int switches, const char *tracer)
{
	struct sample sum = {}, s, empty;
	unsigned int i, rounds = 0;
	__s64 bytes = 0;
	double all;

	loop(n);
	do {
		empty = measure(loop, 0, tracer);
	} while (empty.interrupts || empty.switches);
	for (i = 0; i < ROUNDS; i++) {
		s = measure(loop, n, tracer);
		if (s.interrupts || s.switches != n * switches)
			continue;
		rounds++;
		sum.ticks += s.ticks - empty.ticks;
		sum.events += s.events - empty.events;
		/* The least is that of a round without a packet's head. */
		s.bytes -= empty.bytes;
		if (!bytes || s.bytes < bytes)
			bytes = s.bytes;
	}
	if (!rounds)
		errx(1, "every round was disturbed");
	all = (double)rounds * n;
	printf("%.3f %.4f %.3f %.0f\n", sum.ticks / all, sum.events / all,
	       (double)bytes / n, all);
}

/* A process is made, runs another program, and is waited for. */
static void load_forkexec(unsigned int n)
{
	int status;
	pid_t pid;

	while (n--) {
		pid = fork();
		if (!pid) {
			execl("/host/bench-guest", "bench-guest", "nothing", NULL);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
			errx(1, "fork and exec");
	}
}

#define MESSAGE	100
#define GROUP	4

static void message_send(int fd, unsigned int n)
{
	char data[MESSAGE] = "";

	while (n--)
		if (write(fd, data, MESSAGE) != MESSAGE)
			_exit(1);
	_exit(0);
}

static void message_receive(int fd, unsigned int n)
{
	char data[MESSAGE];
	size_t got = 0, size = (size_t)n * MESSAGE;
	ssize_t part;

	for (; got < size; got += part) {
		part = read(fd, data, MESSAGE);
		if (part <= 0)
			_exit(1);
	}
	_exit(0);
}

/* Messages go through sockets between pairs of processes, all at once. */
static void load_messages(unsigned int n)
{
	int fds[2], status, i;

	for (i = 0; i < GROUP; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
			err(1, "socketpair");
		if (!fork())
			message_send(fds[0], n / GROUP);
		if (!fork())
			message_receive(fds[1], n / GROUP);
		close(fds[0]);
		close(fds[1]);
	}
	for (i = 0; i < 2 * GROUP; i++)
		if (wait(&status) < 0 || status)
			errx(1, "messages");
}

/* A file is made, written, read and removed. */
static void load_files(unsigned int n)
{
	char data[4096] = "", name[32];
	int fd, i;

	while (n--) {
		snprintf(name, sizeof(name), "/tmp/bench.%u", n % 16);
		fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
		for (i = 0; i < 4; i++)
			if (write(fd, data, sizeof(data)) != sizeof(data))
				err(1, "%s", name);
		lseek(fd, 0, SEEK_SET);
		for (i = 0; i < 4; i++)
			if (read(fd, data, sizeof(data)) != sizeof(data))
				err(1, "%s", name);
		close(fd);
		unlink(name);
	}
}

static int load_run(const char *name, const char *buffer)
{
	static const struct {
		const char *name;
		void (*run)(unsigned int n);
		unsigned int n;
	} loads[] = {
		{ "forkexec", load_forkexec, 200 },
		{ "messages", load_messages, 8000 },
		{ "files", load_files, 1000 },
	};
	char path[128] = "";
	__u64 bytes = 0, ticks;
	unsigned int i;

	for (i = 0; i < 3 && strcmp(loads[i].name, name); i++)
		;
	if (i == 3)
		errx(2, "%s: there is no such load", name);
	if (strcmp(buffer, "-"))
		snprintf(path, sizeof(path), "/sys/kernel/lkst/buffers/%s/cpu0/bytes",
			 buffer);
	loads[i].run(loads[i].n / 10);
	if (*path)
		bytes = number_after(contents(path), "");
	ticks = __rdtsc();
	loads[i].run(loads[i].n);
	ticks = __rdtsc() - ticks;
	if (*path)
		bytes = number_after(contents(path), "") - bytes;
	printf("%.1f %.1f\n", (double)ticks / loads[i].n, (double)bytes / loads[i].n);
	return 0;
}

static bool holds(const char *path, const char *word)
{
	const char *text = contents(path);
	size_t n = strlen(word);

	return !strncmp(text, word, n) && (!text[n] || text[n] == '\n');
}

static int reader_run(unsigned int calls, const char *file, const char *word, char **command)
{
	struct rusage usage;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		dup2(2, 1);
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	while (pid > 0 && !holds(file, word) && waitpid(pid, &status, WNOHANG) != pid)
		usleep(1000);
	getppid_loop(calls);
	kill(pid, SIGINT);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		err(1, "%s", command[0]);
	printf("%lld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL +
	       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	return status ? 1 : 0;
}

static int usage_of(char **command)
{
	struct timespec from, to;
	struct rusage usage;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &from);
	pid = fork();
	if (!pid) {
		dup2(2, 1);
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		err(1, "%s", command[0]);
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("%.2f %.1f\n",
	       to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9,
	       usage.ru_maxrss / 1024.0);
	return status ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 50 };
	cpu_set_t cpu0;

	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	if (argc > 5 && !strcmp(argv[1], "reader"))
		return reader_run(atoi(argv[2]), argv[3], argv[4], argv + 5);
	if (argc > 2 && !strcmp(argv[1], "usage"))
		return usage_of(argv + 2);
	if (argc == 4 && !strcmp(argv[1], "load"))
		return load_run(argv[2], argv[3]);
	if (argc != 3)
		errx(2, "usage: bench-guest getppid|pingpong TRACER");

	CPU_ZERO(&cpu0);
	CPU_SET(0, &cpu0);
	if (sched_setaffinity(0, sizeof(cpu0), &cpu0) ||
	    sched_setscheduler(0, SCHED_FIFO, &fifo))
		err(1, "scheduler");
	if (!strcmp(argv[1], "getppid")) {
		run(getppid_loop, 1000, 0, argv[2]);
	} else {
		pingpong_start();
		run(pingpong_loop, 100, 2, argv[2]);
	}
	return 0;
}
