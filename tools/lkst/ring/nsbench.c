// SPDX-License-Identifier: GPL-2.0
/*
 * What a record costs natively: the clock alone, a record of two 64-bit fields
 * with the clock read in it, and with PEER the same from LTTng-UST.
 *
 * Rounds of all of them take turns, and the median of each counts. Prints lines
 * of "name nanoseconds".
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <asm/page.h>

#include "ring.h"
#ifdef PEER
#include "peer.h"
#endif

#define ROUNDS		31
#define TURNS		200000
#define PACKETS		64u
#define PACKET_SIZE	65536u

struct task_struct ring_task = { .pid = 1 };
struct static_key_false lkst_clock_tsc = { .on = true };
u64 lkst_clock_offset;

static alignas(4096) struct lkst_ring ring;
static u64 table[LKST_TABLE_ENTRIES];

u64 lkst_clock_fallback(struct lkst_ring *unused)
{
	(void)unused;
	abort();
}

u32 lkst_ring_tid(void)
{
	return current->pid;
}

void lkst_ring_wake(void)
{
}

unsigned long ring_irq_save(void)
{
	return 0;
}

void ring_irq_restore(unsigned long flags)
{
	(void)flags;
}

static void run_rdtsc(void)
{
	u64 i, time;

	for (i = 0; i < TURNS; i++) {
		time = rdtsc();
		__asm__ __volatile__("" : : "r" (time));
	}
}

static void run_record(void)
{
	struct lkst_resv resv;
	u64 i, *payload;

	for (i = 0; i < TURNS; i++) {
		if (!lkst_ring_reserve(&ring, 1, 3, &resv))
			continue;
		payload = resv.payload;
		payload[0] = i;
		payload[1] = ~i;
		lkst_ring_commit(&resv);
	}
}

#ifdef PEER
static void run_lttng(void)
{
	u64 i;

	for (i = 0; i < TURNS; i++)
		lttng_ust_tracepoint(lkst_peer, pair, i, ~i);
}
#endif

static const struct figure {
	const char *name;
	void (*run)(void);
} figures[] = {
	{ "rdtsc", run_rdtsc },
	{ "record", run_record },
#ifdef PEER
	{ "lttng", run_lttng },
#endif
};

#define FIGURES	(sizeof(figures) / sizeof(*figures))

static double seconds(void)
{
	struct timespec t;

	/* Of this thread: what else the machine does is not counted. */
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void ring_init(void)
{
	u32 i;

	ring.nr_packets = PACKETS;
	ring.packet_size = PACKET_SIZE;
	for (i = 0; i < PACKETS; i++)
		table[i] = __pa(aligned_alloc(PACKET_SIZE, PACKET_SIZE));
	ring.table[0] = __pa(table);
	lkst_ring_start(&ring, 0);
}

int main(void)
{
	static double ns[FIGURES][ROUNDS];
	size_t f;
	int r;

	ring_init();
	/* The first round brings everything into memory. */
	for (r = -1; r < ROUNDS; r++)
		for (f = 0; f < FIGURES; f++) {
			double start = seconds();

			figures[f].run();
			if (r >= 0)
				ns[f][r] = (seconds() - start) * 1e9 / TURNS;
		}
	for (f = 0; f < FIGURES; f++) {
		qsort(ns[f], ROUNDS, sizeof(double), compare);
		printf("%s %.2f\n", figures[f].name, ns[f][ROUNDS / 2]);
	}
	return 0;
}
