// SPDX-License-Identifier: GPL-2.0
/*
 * follow [-p] [-o] BUFFER: read the buffer while it is written, until SIGTERM,
 * then to its end. Check every packet and every lkst/mark of the module
 * lkst_stress, and print a line for each CPU:
 *
 *	cpu CPU records N gaps PACKETS lost N contexts N N N N
 *
 *	-p	pause now and then, for long enough to be overtaken
 *	-o	other events are there too
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace.h"

#define CONTEXTS	4
#define ERRORS_MAX	20

/**
 * struct stream - what was read of one CPU
 * @fd: its file
 * @next: number of the packet that should come next
 * @end: end of the one before
 * @discarded: its count
 * @records: marks
 * @gaps: packets that did not come
 * @last: sequence number of the last mark, by context
 * @got: marks by context
 */
struct stream {
	int fd;
	__u64 next;
	__u64 end;
	__u64 discarded;
	__u64 records;
	__u64 gaps;
	__u64 last[CONTEXTS];
	__u64 got[CONTEXTS];
};

static struct stream stream[CPUS_MAX];
static unsigned int cpus, errors, mark_id, nr_packets, packet_size;
static bool others, pauses;
static int ending;

static void bad(unsigned int cpu, __u64 seq, const char *what, __u64 a, __u64 b)
{
	if (errors++ < ERRORS_MAX)
		printf("# cpu %u packet %llu: %s: %llx, %llx\n", cpu, seq, what, a, b);
}

/* As the module does it. */
static __u64 mix(__u64 a)
{
	a = (a ^ a >> 30) * 0xbf58476d1ce4e5b9ULL;
	a = (a ^ a >> 27) * 0x94d049bb133111ebULL;
	return a ^ a >> 31;
}

static void mark_check(struct stream *s, unsigned int cpu, __u64 seq, const __u64 *payload)
{
	__u64 a = payload[0], n = a & ((1ULL << 48) - 1);
	unsigned int context = a >> 48 & 0xff;

	s->records++;
	if (payload[1] != mix(a)) {
		bad(cpu, seq, "torn mark", a, payload[1]);
		return;
	}
	if (a >> 56 != cpu || context >= CONTEXTS) {
		bad(cpu, seq, "mark of another CPU", a, cpu);
		return;
	}
	if (n <= s->last[context])
		bad(cpu, seq, "mark out of order", a, s->last[context]);
	s->last[context] = n;
	s->got[context]++;
}

static void head_check(struct stream *s, unsigned int cpu, const struct lkst_packet *p)
{
	if (p->magic != LKST_PACKET_MAGIC || p->packet_size != packet_size * 8ULL)
		bad(cpu, p->seq, "not a packet", p->magic, p->packet_size);
	if (p->cpu != cpu)
		bad(cpu, p->seq, "packet of another CPU", p->cpu, cpu);
	if (p->seq < s->next)
		bad(cpu, p->seq, "packet comes twice", p->seq, s->next);
	if (p->begin < s->end || (p->seq == s->next && s->end && p->begin != s->end))
		bad(cpu, p->seq, "begin is not the end before", p->begin, s->end);
	if (p->end < p->begin)
		bad(cpu, p->seq, "end before begin", p->begin, p->end);
	if (p->discarded < s->discarded)
		bad(cpu, p->seq, "discarded goes back", p->discarded, s->discarded);
	s->gaps += p->seq - s->next;
	s->next = p->seq + 1;
	s->end = p->end;
	s->discarded = p->discarded;
}

/* Full time of the record at @word, after one at @last. */
static __u64 record_time(const __u64 *word, __u64 last)
{
	if (LKST_RECORD_ID(*word) == LKST_ID_EXTENDED)
		return word[1];
	return last + (__u32)(LKST_RECORD_TIME(*word) - (__u32)last);
}

static void packet_check(struct stream *s, unsigned int cpu, const struct lkst_packet *p)
{
	const __u64 *word = (const __u64 *)p;
	unsigned int i, length, records = 0, extended, id;
	unsigned int words = p->content_size / 64;
	unsigned int lap = 1 + p->seq / nr_packets % LKST_RECORD_LAPS;
	__u64 time = p->begin, now;

	head_check(s, cpu, p);
	if (words < LKST_PACKET_WORDS || words > packet_size / 8) {
		bad(cpu, p->seq, "content size", p->content_size, 0);
		return;
	}
	for (i = LKST_PACKET_WORDS; i < words; i += length) {
		length = LKST_RECORD_WORDS(word[i]);
		extended = LKST_RECORD_ID(word[i]) == LKST_ID_EXTENDED;
		id = extended ? word[i] >> 32 : LKST_RECORD_ID(word[i]);
		records++;
		if (!length || length > words - i) {
			bad(cpu, p->seq, "length", word[i], i);
			return;
		}
		if (!(word[i] & LKST_RECORD_FINISHED) || LKST_RECORD_LAP(word[i]) != lap)
			bad(cpu, p->seq, "not finished, or of another lap", word[i], lap);
		now = record_time(word + i, time);
		if (now < time || now > p->end)
			bad(cpu, p->seq, "time", now, p->end);
		time = now;
		if (id == mark_id && length == 3 + extended)
			mark_check(s, cpu, p->seq, word + i + 1 + extended);
		else if (id == mark_id || !others)
			bad(cpu, p->seq, "no mark", word[i], i);
	}
	if (records != p->reserved)
		bad(cpu, p->seq, "records, reserved", records, p->reserved);
}

/* Some packets at once, or one in pieces. */
static bool stream_read(unsigned int cpu)
{
	static __u64 words[LKST_PACKET_MAX];
	char *bytes = (char *)words;
	struct stream *s = &stream[cpu];
	size_t size = packet_size * (1 + random() % 8), got = 0;
	ssize_t n;

	while (got < size) {
		n = read(s->fd, bytes + got, size - got);
		if (n < 0)
			die("read: %s", strerror(errno));
		got += n;
		if (!n)
			break;
	}
	if (got % packet_size)
		bad(cpu, s->next, "half a packet", got, packet_size);
	for (size = 0; size < got; size += packet_size)
		packet_check(s, cpu, (void *)(bytes + size));
	return got;
}

static void follow(void)
{
	struct pollfd fds[CPUS_MAX];
	unsigned int cpu, rounds = 0;

	for (cpu = 0; cpu < cpus; cpu++)
		fds[cpu] = (struct pollfd){ .fd = stream[cpu].fd, .events = POLLIN };
	while (!__atomic_load_n(&ending, __ATOMIC_RELAXED)) {
		if (poll(fds, cpus, 100) < 0 && errno != EINTR)
			die("poll: %s", strerror(errno));
		for (cpu = 0; cpu < cpus; cpu++)
			if (fds[cpu].revents)
				stream_read(cpu);
		if (pauses && ++rounds % 64 == 0)
			usleep(random() % 100000);
	}
	for (cpu = 0; cpu < cpus; cpu++)
		while (stream_read(cpu))
			;
}

static void end(int signal)
{
	(void)signal;
	__atomic_store_n(&ending, 1, __ATOMIC_RELAXED);
}

static void print(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < cpus; cpu++) {
		printf("cpu %u records %llu gaps %llu lost %llu contexts", cpu,
		       stream[cpu].records, stream[cpu].gaps, stream[cpu].discarded);
		for (i = 0; i < CONTEXTS; i++)
			printf(" %llu", stream[cpu].got[i]);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = end };
	const char *buffer;
	char path[256];
	int c;

	while ((c = getopt(argc, argv, "op")) != -1) {
		others |= c == 'o';
		pauses |= c == 'p';
	}
	if (optind + 1 != argc)
		die("usage: follow [-p] [-o] BUFFER");
	buffer = argv[optind];
	sigaction(SIGTERM, &action, NULL);
	mark_id = strtoul(get("events/lkst/mark/id"), NULL, 10);
	packet_size = strtoul(get("buffers/%s/packet", buffer), NULL, 10);
	nr_packets = strtoul(get("buffers/%s/size", buffer), NULL, 10) / packet_size;
	cpus = possible_cpus();
	for (c = 0; c < (int)cpus; c++) {
		snprintf(path, sizeof(path), PROC "buffers/%s/cpu%d", buffer, c);
		stream[c].fd = open(path, O_RDONLY);
		if (stream[c].fd < 0)
			die("open %s: %s", path, strerror(errno));
	}
	follow();
	print();
	if (errors)
		printf("# %u errors\n", errors);
	return errors != 0;
}
