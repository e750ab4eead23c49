// SPDX-License-Identifier: GPL-2.0
/*
 * Order and accounts in every ring. trace.c checks what each packet says; here
 * marks with numbers tell that none is missing, none comes twice, and when each
 * was made.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define CPUS	2
/* Marks on each CPU, of which 166 fill a packet of 4096 bytes: for the lap number
 * of 4 packets to go around, and for the rest.
 */
#define MANY	100000
#define MARKS	20000
/* Marks that are made slowly. */
#define SLOW	7

static __u64 hz;
static bool tsc;
/* How far the trace clock may be from the one read here. */
static __u64 slack;

/* The trace clock, read here. */
static __u64 ticks(void)
{
	struct timespec now;
	__u32 low, high;

	if (tsc) {
		asm volatile("rdtsc" : "=a" (low), "=d" (high));
		return (__u64)high << 32 | low;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int marks = MARKS;

/**
 * struct load - a thread that makes marks on one CPU
 * @thread: the thread
 * @cpu: its CPU
 * @gap: ticks between two marks; 0 for many without
 * @before: before each slow one
 * @after: after it
 */
struct load {
	pthread_t thread;
	unsigned int cpu;
	__u64 gap;
	__u64 before[SLOW];
	__u64 after[SLOW];
};

static void *load_run(void *arg)
{
	struct load *load = arg;
	struct timespec gap;
	int i;

	pin(load->cpu);
	for (i = 0; !load->gap && i < marks; i++)
		mark(i + 1);
	gap.tv_sec = load->gap / hz;
	gap.tv_nsec = load->gap % hz * 1000000000ull / hz;
	for (i = 0; load->gap && i < SLOW; i++) {
		nanosleep(&gap, NULL);
		load->before[i] = ticks();
		mark(i + 1);
		load->after[i] = ticks();
	}
	return NULL;
}

static void loads_start(struct load *loads)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		loads[cpu].cpu = cpu;
		if (pthread_create(&loads[cpu].thread, NULL, load_run, &loads[cpu]))
			die("no thread");
	}
}

static void loads_end(struct load *loads)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		pthread_join(loads[cpu].thread, NULL);
}

static void begin(const char *options)
{
	record_begin(options, (const char * const []) { "signal/generate", NULL });
}

/* Stop recording into the test's buffer. */
static void end(void)
{
	put("buffers/current", "boot");
	put("masksets/current", "default");
}

static bool good;

static void expect(const char *what, unsigned int cpu, __u64 got, __u64 wanted)
{
	if (got == wanted)
		return;
	printf("# cpu%u: %s: %llu, not %llu\n", cpu, what, got, wanted);
	good = false;
}

static void report(struct trace *trace, const char *name)
{
	ksft_test_result(good && !trace->errors, "%s\n", name);
	trace_free(trace);
	good = true;
}

/* Check that the marks of a CPU are those from @first to @last, if @all each one. */
static void marks_check(const struct trace *trace, unsigned int cpu, __u64 first,
			__u64 last, bool all)
{
	__u64 next = first, n = 0;
	size_t i;

	for (i = 0; i < trace->nr; i++) {
		const struct record *r = &trace->record[i];

		if (r->cpu != cpu)
			continue;
		if (all ? -num(r, "code") != (long long)next :
		    -num(r, "code") < (long long)next)
			return expect("next mark", cpu, -num(r, "code"), next);
		next = -num(r, "code") + 1;
		n++;
	}
	expect("records", cpu, n, trace->ring[cpu].records);
	if (all)
		expect("last mark", cpu, next - 1, last);
	else if (next - 1 > last)
		expect("last mark", cpu, next - 1, last);
}

static void accounts_check(const char *buffer, unsigned int cpu)
{
	expect("hits == readable + consumed + overwritten + lost", cpu,
	       counter(buffer, cpu, "hits"),
	       counter(buffer, cpu, "readable") + counter(buffer, cpu, "consumed") +
	       counter(buffer, cpu, "overwritten") + counter(buffer, cpu, "lost"));
	expect("hits", cpu, counter(buffer, cpu, "hits"), marks);
	expect("unfinished", cpu, counter(buffer, cpu, "unfinished"), 0);
}

/* The lap number of records wraps too. */
static void test_overwrite(void)
{
	struct load loads[CPUS] = { };
	struct trace *trace;
	unsigned int cpu;

	marks = MANY;
	begin("size=16K packet=4K");
	loads_start(loads);
	loads_end(loads);
	end();
	trace = trace_read("test");
	for (cpu = 0; cpu < CPUS; cpu++) {
		struct ring *ring = &trace->ring[cpu];

		accounts_check("test", cpu);
		expect("lost", cpu, counter("test", cpu, "lost"), 0);
		expect("readable", cpu, counter("test", cpu, "readable"), ring->records);
		expect("overwritten", cpu, counter("test", cpu, "overwritten"),
		       marks - ring->records);
		expect("packets", cpu, ring->packets, 4);
		expect("laps", cpu, ring->first / 4 > LKST_RECORD_LAPS, 1);
		marks_check(trace, cpu, marks - ring->records + 1, marks, true);
	}
	marks = MARKS;
	report(trace, "overwrite: the last records, each once");
	record_remove();
}

static void test_discard(void)
{
	struct load loads[CPUS] = { };
	struct trace *trace;
	unsigned int cpu;
	__u64 lost;

	begin("size=16K packet=4K mode=discard");
	loads_start(loads);
	loads_end(loads);
	end();
	for (cpu = 0; cpu < CPUS; cpu++)
		accounts_check("test", cpu);
	trace = trace_read("test");
	for (cpu = 0; cpu < CPUS; cpu++) {
		struct ring *ring = &trace->ring[cpu];

		accounts_check("test", cpu);
		lost = counter("test", cpu, "lost");
		expect("lost", cpu, lost, MARKS - ring->records);
		expect("lost, as the last packet says", cpu, ring->discarded, lost);
		expect("overwritten", cpu, counter("test", cpu, "overwritten"), 0);
		expect("packets", cpu, ring->packets, 4);
		marks_check(trace, cpu, 1, ring->records, true);
	}
	report(trace, "discard: the first records, each once");
	record_remove();
}

/**
 * struct follower - a thread that reads while records are made
 * @thread: the thread
 * @trace: what it reads
 * @stop: nothing more is recorded
 * @slow: it pauses, so that a ring fills up
 */
struct follower {
	pthread_t thread;
	struct trace *trace;
	bool stop;
	bool slow;
};

/* Until each ring has lost some more, or nothing is recorded any more. */
static void losses_await(const struct follower *f)
{
	__u64 before[CPUS];
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		before[cpu] = counter("test", cpu, "lost");
	for (cpu = 0; cpu < CPUS; cpu++)
		while (counter("test", cpu, "lost") == before[cpu] &&
		       !__atomic_load_n(&f->stop, __ATOMIC_ACQUIRE))
			usleep(1000);
}

static void *follower_run(void *arg)
{
	struct follower *f = arg;
	struct pollfd fds[CPUS];
	unsigned int cpu, turns = 0;
	char path[64];
	bool last;

	for (cpu = 0; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), PROC "buffers/test/cpu%u", cpu);
		fds[cpu].fd = open(path, O_RDONLY);
		fds[cpu].events = POLLIN;
		if (fds[cpu].fd < 0)
			die("cannot open %s", path);
	}
	do {
		last = __atomic_load_n(&f->stop, __ATOMIC_ACQUIRE);
		poll(fds, CPUS, 100);
		for (cpu = 0; cpu < CPUS; cpu++)
			ring_read(&f->trace->ring[cpu], fds[cpu].fd);
		if (f->slow && turns++ % 8 == 0)
			losses_await(f);
	} while (!last);
	for (cpu = 0; cpu < CPUS; cpu++)
		close(fds[cpu].fd);
	return NULL;
}

static struct trace *follow(const char *options, bool slow)
{
	struct follower f = { .slow = slow };
	struct load loads[CPUS] = { };
	unsigned int cpu, packets;

	f.trace = calloc(1, sizeof(*f.trace));
	begin(options);
	packets = strtoul(get("buffers/test/size"), NULL, 10) /
		  strtoul(get("buffers/test/packet"), NULL, 10);
	if (pthread_create(&f.thread, NULL, follower_run, &f))
		die("no thread");
	loads_start(loads);
	loads_end(loads);
	end();
	__atomic_store_n(&f.stop, true, __ATOMIC_RELEASE);
	pthread_join(f.thread, NULL);
	for (cpu = 0; cpu < CPUS; cpu++)
		ring_parse(f.trace, cpu, packets);
	trace_sort(f.trace);
	return f.trace;
}

static void test_discard_reader(void)
{
	struct trace *trace = follow("size=16K packet=4K mode=discard", true);
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		struct ring *ring = &trace->ring[cpu];

		accounts_check("test", cpu);
		expect("read", cpu, ring->records, counter("test", cpu, "consumed") +
		       counter("test", cpu, "readable"));
		expect("read and lost", cpu, ring->records + counter("test", cpu, "lost"),
		       MARKS);
		expect("something was lost", cpu, counter("test", cpu, "lost") > 0, 1);
		expect("first packet", cpu, ring->first, 0);
		marks_check(trace, cpu, 1, MARKS, false);
	}
	report(trace, "discard, with a reader that stops now and then");
	record_remove();
}

static void test_overwrite_reader(void)
{
	struct trace *trace = follow("size=8M packet=4K", false);
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		accounts_check("test", cpu);
		expect("read", cpu, trace->ring[cpu].records, MARKS);
		expect("first packet", cpu, trace->ring[cpu].first, 0);
		marks_check(trace, cpu, 1, MARKS, true);
	}
	report(trace, "overwrite, with a reader that follows: all records, each once");
	record_remove();
}

/* The open packet, as a copy. */
static void test_open_packet(void)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	char path[] = PROC "buffers/test/cpu0.open";
	int fd, i;

	begin("size=64K packet=4K");
	pin(0);
	for (i = 1; i <= 200; i++)
		mark(i);
	fd = open(path, O_RDONLY);
	ring_read(&trace->ring[0], fd);
	close(fd);
	ring_parse(trace, 0, 16);
	trace_sort(trace);
	expect("packets", 0, trace->ring[0].packets, 1);
	expect("its number", 0, trace->ring[0].first, 1);
	marks_check(trace, 0, 200 - trace->ring[0].records + 1, 200, true);
	end();
	report(trace, "the open packet is at hand in full");
	record_remove();
}

/* One CPU makes marks that are closer than the low half of the clock is long, the
 * other one such that are not.
 */
static void test_slow(bool quick)
{
	struct load loads[CPUS] = { { .gap = 3ull << 30 }, { .gap = 5ull << 30 } };
	__u64 early, late, n = 0, extended = 0;
	struct trace *trace;
	unsigned int cpu;
	size_t i;

	for (cpu = 0; quick && cpu < CPUS; cpu++)
		loads[cpu].gap = hz / 100;
	early = ticks();
	begin("size=64K packet=4K");
	late = ticks();
	for (cpu = 0; cpu < CPUS; cpu++)
		loads[cpu].after[0] = late;
	loads_start(loads);
	loads_end(loads);
	end();
	trace = trace_read("test");
	for (cpu = 0; cpu < CPUS; cpu++) {
		const struct load *load = &loads[cpu];
		__u64 last_early = early, last_late = late;

		marks_check(trace, cpu, 1, SLOW, true);
		for (i = 0, n = 0; i < trace->nr; i++) {
			const struct record *r = &trace->record[i];

			if (r->cpu != cpu || n == SLOW)
				continue;
			expect("not earlier than its mark", cpu, r->time + slack >= load->before[n],
			       1);
			expect("not later than its mark", cpu,
			       r->time <= load->after[n] + slack, 1);
			if (load->after[n] - last_early < 1ull << 32)
				expect("the long form", cpu, r->extended, 0);
			if (load->before[n] - last_late > 1ull << 32)
				expect("the long form", cpu, r->extended, 1);
			extended += r->extended;
			last_early = load->before[n];
			last_late = load->after[n++];
		}
		expect("unfinished", cpu, trace->ring[cpu].unfinished, 0);
	}
	if (!quick) {
		expect("wraps", 0, trace->ring[0].wraps >= 4, 1);
		expect("long forms", 1, extended >= SLOW, 1);
	}
	report(trace, quick ? "times are right" :
	       "times are right across wraps of the 32-bit clock field, and idle times");
	record_remove();
}

/* order [quick]: without the test that takes a dozen seconds. */
int main(int argc, char **argv)
{
	bool quick = argc == 2 && !strcmp(argv[1], "quick");

	ksft_print_header();
	ksft_set_plan(6);
	mark_init();
	hz = clock_hz();
	tsc = !strcmp(get("clock"), "tsc");
	slack = tsc ? 0 : 1000;
	good = true;
	test_overwrite();
	test_discard();
	test_discard_reader();
	test_overwrite_reader();
	test_open_packet();
	test_slow(quick);
	ksft_finished();
}
