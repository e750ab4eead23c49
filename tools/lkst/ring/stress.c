// SPDX-License-Identifier: GPL-2.0
/*
 * Rings under load: a thread stands for a CPU, signals for interrupts and NMIs,
 * and one more thread reads all rings meanwhile.
 *
 * Every record carries its number and a checksum. None is torn, none comes
 * twice, and what is read, lost, consumed and overwritten adds up; in a ring
 * that discards each number is either read or lost.
 *
 * With RING_STEP writers nest by a call from the steps of the ring's source, at
 * random: for ThreadSanitizer, which keeps signals back.
 *
 * usage: stress discard|overwrite [HITS]
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <asm/page.h>

#include "ring.h"

#define CPUS		2
#define PACKETS		4u
#define PACKET_WORDS	(LKST_PACKET_MIN / 8)
#define WORDS_MIN	4u
#define LEVELS		3	/* of interrupts; one more signal is the NMI */
#define TICK_NS		53000

struct cpu {
	alignas(4096) struct lkst_ring ring;
	alignas(4096) u64 memory[PACKETS][PACKET_WORDS];
	u64 table[LKST_TABLE_ENTRIES];
	u64 hits;		/* the next record's number */
	u64 lost;
	u64 nested, nmis;
	u8 *is_lost, *is_read;	/* a bit for each number */
	/* The reader's. */
	u64 next, read, missed, open_copies, stale;
	int depth;
	bool in_nmi;
	bool irqs_off, pending;
	u64 random;
};

struct task_struct ring_task = { .pid = 1 };
struct static_key_false lkst_clock_tsc = { .on = true };
u64 lkst_clock_offset;

static struct cpu cpus[CPUS];
static __thread struct cpu *this_cpu;
static bool discard, stop;
static u64 numbers = 500000;

static void fail(const char *what, u64 a, u64 b)
{
	printf("# %s (%llu, %llu)\n", what, a, b);
	fflush(stdout);
	_exit(1);
}

u64 ktime_get_mono_fast_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

u32 lkst_ring_tid(void)
{
	return current->pid;
}

void lkst_ring_wake(void)
{
}

static void set_bit(u8 *bits, u64 nr)
{
	bits[nr / 8] |= 1 << nr % 8;
}

static bool get_bit(const u8 *bits, u64 nr)
{
	return bits[nr / 8] >> nr % 8 & 1;
}

/* Counters and bits that nested writers share, as the ring does it. */
static u64 count_up(u64 *counter)
{
	u64 old = READ_ONCE(*counter);

	while (!try_cmpxchg_local(counter, &old, old + 1))
		;
	return old;
}

static void note_lost(struct cpu *cpu, u64 nr)
{
	u64 *word = (u64 *)cpu->is_lost + nr / 64, old = READ_ONCE(*word);

	while (!try_cmpxchg_local(word, &old, old | 1ull << nr % 64))
		;
	count_up(&cpu->lost);
}

static u64 mix(u64 sum, u64 word)
{
	sum ^= word;
	return sum * 0x9e3779b97f4a7c15ull;
}

static u32 words_of(u64 nr)
{
	return WORDS_MIN + (nr * 0x9e3779b97f4a7c15ull >> 60);
}

/* Number, words made from it, checksum. Return: false when it is lost. */
static bool write_record(struct cpu *cpu)
{
	u64 nr = count_up(&cpu->hits), sum = nr + 1, *payload;
	u32 words = words_of(nr), i;
	struct lkst_resv resv;

	if (!lkst_ring_reserve(&cpu->ring, 1, words, &resv)) {
		note_lost(cpu, nr);
		return false;
	}
	payload = resv.payload;
	payload[0] = nr;
	for (i = 1; i < words - 2; i++) {
		payload[i] = nr * i;
		sum = mix(sum, payload[i]);
	}
	payload[words - 2] = sum;
	lkst_ring_commit(&resv);
	return true;
}

static void nested_writer(struct cpu *cpu)
{
	int i, n = cpu->hits % 7;

	for (i = 0; i <= n && READ_ONCE(cpu->hits) < numbers - 1000; i++)
		write_record(cpu);
	cpu->nested++;
}

unsigned long ring_irq_save(void)
{
	struct cpu *cpu = this_cpu;
	unsigned long flags = READ_ONCE(cpu->irqs_off);

	WRITE_ONCE(cpu->irqs_off, true);
	barrier();
	return flags;
}

#ifdef RING_STEP
/* Calls in place of signals. */
static void *timers_start(void)
{
	return NULL;
}

static void timers_stop(void *timers)
{
	(void)timers;
}

static void handlers_install(void)
{
}

u64 rdtsc(void)
{
	u32 low, high;

	__asm__ __volatile__("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}

void ring_step(const char *what, const void *at)
{
	struct cpu *cpu = this_cpu;

	(void)what;
	(void)at;
	if (!cpu || cpu->in_nmi || cpu->depth > LEVELS)
		return;
	cpu->random = cpu->random * 6364136223846793005ull + 1442695040888963407ull;
	if (cpu->random >> 32 & 0xff)
		return;
	cpu->depth++;
	cpu->in_nmi = cpu->irqs_off;
	nested_writer(cpu);
	cpu->in_nmi = false;
	cpu->depth--;
}

void ring_stored(const void *at)
{
	(void)at;
}

void ring_irq_restore(unsigned long flags)
{
	this_cpu->irqs_off = flags;
}
#else
static int nmi_signal(void)
{
	return SIGRTMIN + LEVELS;
}

/* What came while interrupts were off comes when they are on again. */
void ring_irq_restore(unsigned long flags)
{
	struct cpu *cpu = this_cpu;

	barrier();
	WRITE_ONCE(cpu->irqs_off, flags);
	if (!flags && READ_ONCE(cpu->pending)) {
		WRITE_ONCE(cpu->pending, false);
		nested_writer(cpu);
	}
}

static void on_signal(int signal)
{
	struct cpu *cpu = this_cpu;
	int error = errno;

	if (signal != nmi_signal() && READ_ONCE(cpu->irqs_off)) {
		WRITE_ONCE(cpu->pending, true);
	} else {
		if (READ_ONCE(cpu->irqs_off))
			cpu->nmis++;
		nested_writer(cpu);
	}
	errno = error;
}

static void handlers_install(void)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	int i;

	for (i = 0; i <= LEVELS; i++) {
		sigemptyset(&action.sa_mask);
		if (i == LEVELS)
			sigfillset(&action.sa_mask);
		if (sigaction(SIGRTMIN + i, &action, NULL))
			fail("sigaction", errno, 0);
	}
}

static void *timers_start(void)
{
	timer_t *timers = calloc(LEVELS + 1, sizeof(*timers));
	int i;

	for (i = 0; i <= LEVELS; i++) {
		long ns = TICK_NS + 7001 * i;
		struct itimerspec every = { { 0, ns }, { 0, ns } };
		struct sigevent event = {
			.sigev_notify = SIGEV_THREAD_ID,
			.sigev_signo = SIGRTMIN + i,
		};

		event._sigev_un._tid = syscall(SYS_gettid);
		if (timer_create(CLOCK_MONOTONIC, &event, &timers[i]) ||
		    timer_settime(timers[i], 0, &every, NULL))
			fail("timer", errno, 0);
	}
	return timers;
}

static void timers_stop(void *timers)
{
	int i;

	for (i = 0; i <= LEVELS; i++)
		timer_delete(((timer_t *)timers)[i]);
	free(timers);
}
#endif

static void *writer_thread(void *arg)
{
	struct cpu *cpu = arg;
	void *timers;

	this_cpu = cpu;
	timers = timers_start();
	while (READ_ONCE(cpu->hits) < numbers - 2000)
		/* A reader that shares the CPU with the writer gets its turn. */
		if (!write_record(cpu) || cpu->hits % 1024 == 0)
			sched_yield();
	timers_stop(timers);
	return NULL;
}

/* One record of a copy: @once that it may come only once. */
static void read_record(struct cpu *cpu, const u64 *payload, u32 words, bool once)
{
	u64 nr = payload[0], sum = nr + 1;
	u32 i;

	for (i = 1; i < words - 2; i++)
		sum = mix(sum, payload[i]);
	if (words != words_of(nr) || nr >= numbers || payload[words - 2] != sum)
		fail("torn", nr, words);
	if (!once)
		return;
	if (get_bit(cpu->is_read, nr))
		fail("twice", nr, words);
	set_bit(cpu->is_read, nr);
}

/* Return: finished records in the copy of a packet. */
static u32 read_packet(struct cpu *cpu, const struct lkst_packet *packet, bool once)
{
	const u64 *word = (const u64 *)packet;
	u32 i, length, id, finished = 0, records = 0, words = packet->content_size / 64;
	u64 time = packet->begin, last;
	bool extended;

	for (i = LKST_PACKET_WORDS; i < words; i += length) {
		length = LKST_RECORD_WORDS(word[i]);
		if (!length || i + length > words || !(word[i] & LKST_RECORD_FINISHED))
			fail("broken chain", packet->seq, i);
		id = LKST_RECORD_ID(word[i]);
		extended = id == LKST_ID_EXTENDED;
		last = time;
		if (extended)
			time = word[i + 1];
		else
			time += (u32)(LKST_RECORD_TIME(word[i]) - (u32)time);
		if (time < last || time > packet->end)
			fail("time", packet->seq, i);
		if (extended)
			id = word[i] >> 32;
		if (id == 1) {
			read_record(cpu, &word[i + 1 + extended], length - extended, once);
			finished++;
		} else if (once || id != LKST_ID_UNFINISHED) {
			fail("event", id, i);
		}
		records++;
	}
	if (records != packet->reserved)
		fail("records", records, packet->reserved);
	return finished;
}

/* Return: false when there is nothing more to be had now. */
static bool read_next(struct cpu *cpu)
{
	u64 copy[PACKET_WORDS];
	struct lkst_packet *packet = (struct lkst_packet *)copy;
	int err = lkst_ring_copy(&cpu->ring, cpu->next, packet);

	if (err == -EAGAIN)
		return false;
	if (err == -ESTALE) {
		u64 limit = READ_ONCE(cpu->ring.limit);

		if (discard || limit <= cpu->next)
			fail("stale", cpu->next, limit);
		cpu->stale++;
		cpu->next = limit;
		return true;
	}
	cpu->read += read_packet(cpu, packet, true);
	if (discard)
		lkst_ring_consume(&cpu->ring, cpu->next, packet->reserved);
	cpu->next++;
	return true;
}

static void read_open(struct cpu *cpu)
{
#ifndef __SANITIZE_THREAD__
	u64 copy[PACKET_WORDS];
	struct lkst_packet *packet = (struct lkst_packet *)copy;

	if (lkst_ring_copy_open(&cpu->ring, packet))
		return;
	read_packet(cpu, packet, false);
	cpu->open_copies++;
#endif
}

static void *reader_thread(void *arg)
{
	int i, turns = 0;
	bool more;

	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		more = false;
		for (i = 0; i < CPUS; i++) {
			more |= read_next(&cpus[i]);
			read_open(&cpus[i]);
		}
		/* It stops for a while now and then. */
		if (++turns % 5000 == 0)
			usleep(20000);
		else if (!more)
			sched_yield();
	}
	return NULL;
}

static void cpu_init(struct cpu *cpu, int nr)
{
	struct lkst_ring *ring = &cpu->ring;
	u32 i;

	cpu->is_lost = calloc(numbers / 8 + 8, 1);
	cpu->is_read = calloc(numbers / 8 + 8, 1);
	cpu->random = nr + 1;
	ring->flags = discard ? LKST_RING_DISCARD : 0;
	ring->cpu = nr;
	ring->nr_packets = PACKETS;
	ring->packet_size = LKST_PACKET_MIN;
	for (i = 0; i < PACKETS; i++)
		cpu->table[i] = __pa(cpu->memory[i]);
	ring->table[0] = __pa(cpu->table);
	/* Packet numbers pass 32 bits on the way. */
	lkst_ring_start(ring, 0xffffff00);
	cpu->next = 0xffffff00;
}

static void check_accounts(struct cpu *cpu)
{
	struct lkst_ring *ring = &cpu->ring;
	u64 reserved = ring->closed + LKST_POS_RECORDS(ring->pos);
	u64 readable = LKST_POS_RECORDS(ring->pos), seq, nr;
	u64 first = discard ? ring->read : ring->limit;
	u64 copy[PACKET_WORDS];
	struct lkst_packet *packet = (struct lkst_packet *)copy;

	for (seq = first; seq < lkst_ring_current(ring); seq++) {
		if (lkst_ring_copy(ring, seq, packet))
			fail("not readable", seq, first);
		readable += packet->reserved;
	}
	if (ring->lost != cpu->lost || cpu->hits != reserved + cpu->lost)
		fail("hits", cpu->hits, reserved);
	if (reserved != readable + ring->consumed + ring->overwritten)
		fail("reserved", reserved, readable);
	while (read_next(cpu))
		;
	if (lkst_ring_copy_open(ring, packet))
		fail("open", 0, 0);
	cpu->read += read_packet(cpu, packet, true);
	for (nr = 0; discard && nr < cpu->hits; nr++)
		if (get_bit(cpu->is_read, nr) == get_bit(cpu->is_lost, nr))
			fail("neither read nor lost, or both", nr, cpu->hits);
	if (discard && cpu->read != reserved)
		fail("read", cpu->read, reserved);
	printf("# cpu %u: %llu hits, %llu lost, %llu overwritten, %llu read; ", ring->cpu,
	       cpu->hits, cpu->lost, ring->overwritten, cpu->read);
	printf("nested %llu times, in a switch %llu; %llu open copies, overtaken %llu times\n",
	       cpu->nested, cpu->nmis, cpu->open_copies, cpu->stale);
	if (!cpu->nested || !cpu->read)
		fail("nothing nested, or nothing read", cpu->nested, cpu->read);
}

int main(int argc, char **argv)
{
	pthread_t reader, writers[CPUS];
	int i;

	discard = argc > 1 && !strcmp(argv[1], "discard");
	if (argc > 2)
		numbers = strtoull(argv[2], NULL, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < CPUS; i++)
		cpu_init(&cpus[i], i);
	handlers_install();
	for (i = 0; i < CPUS; i++)
		if (pthread_create(&writers[i], NULL, writer_thread, &cpus[i]))
			fail("pthread_create", errno, i);
	if (pthread_create(&reader, NULL, reader_thread, NULL))
		fail("pthread_create", errno, i);
	for (i = 0; i < CPUS; i++)
		pthread_join(writers[i], NULL);
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(reader, NULL);
	for (i = 0; i < CPUS; i++)
		check_accounts(&cpus[i]);
	return 0;
}
