// SPDX-License-Identifier: GPL-2.0
/*
 * races SECONDS: buffers are created, switched to, resized, reset and removed in
 * a loop while threads open, poll and read their files, and others read all that
 * describes them. What is open goes on to be read; whatever comes is whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define BUFFERS	4
#define READERS	4
#define PACKET	4096

static unsigned int cpus, errors, opened, packets, outlived, changes;
static int ending;

static unsigned int draw(unsigned int *seed, unsigned int below)
{
	return rand_r(seed) % below;
}

static bool over(void)
{
	return __atomic_load_n(&ending, __ATOMIC_RELAXED);
}

static void count(unsigned int *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

static void bad(const char *what, __u64 a, __u64 b)
{
	count(&errors);
	ksft_print_msg("%s: %llx, %llx\n", what, a, b);
}

static void packet_check(const char *bytes, unsigned int cpu, __u64 *next)
{
	const struct lkst_packet *p = (const void *)bytes;

	count(&packets);
	if (p->magic != LKST_PACKET_MAGIC || p->packet_size != PACKET * 8 || p->cpu != cpu)
		bad("not a packet of this CPU", p->magic, p->cpu);
	if (p->content_size < sizeof(*p) * 8 || p->content_size > p->packet_size)
		bad("content size", p->content_size, p->seq);
	if (p->end < p->begin)
		bad("end before begin", p->begin, p->end);
	/* What was shown while it was open comes again when it is closed. */
	if (p->seq + 1 < *next)
		bad("packet comes twice", p->seq, *next);
	*next = p->seq + 1;
}

/* Read @fd for a while; @cpu is whose it is. */
static void stream_read(int fd, unsigned int cpu, unsigned int *seed)
{
	unsigned int rounds = 1 + draw(seed, 20), have = 0;
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
	__u64 words[PACKET / 8], next = 0;
	char *bytes = (char *)words;
	bool hup = false;
	ssize_t n;

	while (rounds-- && !over()) {
		if (poll(&poll_fd, 1, 20) == 1 && poll_fd.revents & POLLHUP && !hup) {
			hup = true;
			count(&outlived);
		}
		while ((n = read(fd, bytes + have, PACKET - have)) > 0) {
			have += n;
			if (have < PACKET)
				continue;
			packet_check(bytes, cpu, &next);
			have = 0;
		}
		if (n < 0)
			bad("read fails", errno, hup);
		if (hup)
			usleep(draw(seed, 20000));
	}
}

static void *reader_run(void *data)
{
	unsigned int seed = (unsigned long)data, cpu;
	char path[128];
	int fd;

	while (!over()) {
		cpu = draw(&seed, cpus);
		snprintf(path, sizeof(path), PROC "buffers/race%u/cpu%u%s",
			 draw(&seed, BUFFERS), cpu, draw(&seed, 4) ? "" : ".open");
		fd = open(path, O_RDONLY);
		if (fd >= 0) {
			count(&opened);
			stream_read(fd, cpu, &seed);
			close(fd);
		} else if (errno != ENOENT && errno != EBUSY) {
			bad("open fails", errno, 0);
		}
		usleep(draw(&seed, 1000));
	}
	return NULL;
}

/* What describes the buffers; any of it may be gone. */
static void *onlooker_run(void *data)
{
	static const char * const files[] = {
		SYS "buffers/race%u/size", SYS "buffers/race%u/mode",
		SYS "buffers/race%u/cpu0/hits", SYS "buffers/race%u/cpu1/readable",
		SYS "buffers/race%u/cpu0/unfinished", PROC "buffers/race%u/metadata",
		PROC "status", PROC "trace", PROC "metadata",
	};
	unsigned int seed = (unsigned long)data;
	char path[128], bytes[16384];
	int fd;

	while (!over()) {
		snprintf(path, sizeof(path), files[draw(&seed, ARRAY_SIZE(files))],
			 draw(&seed, BUFFERS));
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		while (read(fd, bytes, sizeof(bytes)) > 0 && draw(&seed, 8))
			;
		close(fd);
	}
	return NULL;
}

/* One change to one of the buffers: 0, or why it cannot be. */
static int change(unsigned int i, unsigned int *seed)
{
	static const char * const modes[] = { "overwrite", "discard" };
	const char *mode = modes[draw(seed, 2)];
	unsigned int size = 16 << draw(seed, 4);
	char path[64], text[64];
	const char *file;

	snprintf(text, sizeof(text), "race%u", i);
	switch (draw(seed, 8)) {
	case 0:
	case 1:
		snprintf(text, sizeof(text), "race%u packet=4K size=%uK mode=%s", i,
			 size, mode);
		return try_put("buffers/create", text, strlen(text));
	case 2:
	case 3:
		return try_put("buffers/current", text, strlen(text));
	case 4:
		return try_put("buffers/remove", text, strlen(text));
	case 5:
		file = "size";
		snprintf(text, sizeof(text), "%uK", size);
		break;
	case 6:
		file = "mode";
		snprintf(text, sizeof(text), "%s", mode);
		break;
	default:
		file = "reset";
		snprintf(text, sizeof(text), "1");
	}
	snprintf(path, sizeof(path), "buffers/race%u/%s", i, file);
	return try_put(path, text, strlen(text));
}

static void change_some(unsigned int *seed)
{
	unsigned int i = draw(seed, BUFFERS);
	int err = change(i, seed);

	if (!err)
		changes++;
	else if (err != -EBUSY && err != -EEXIST && err != -ENOENT && err != -ENODEV)
		bad("cannot be changed", -err, i);
}

int main(int argc, char **argv)
{
	pthread_t thread[READERS + 1];
	unsigned int i, seed = time(NULL);
	time_t end;

	if (argc != 2)
		die("usage: races SECONDS");
	end = time(NULL) + atoi(argv[1]);
	cpus = possible_cpus();
	for (i = 0; i < READERS; i++)
		pthread_create(&thread[i], NULL, reader_run, (void *)(seed + i + 1UL));
	pthread_create(&thread[i], NULL, onlooker_run, (void *)(seed + i + 1UL));
	while (time(NULL) < end)
		change_some(&seed);
	__atomic_store_n(&ending, 1, __ATOMIC_RELAXED);
	for (i = 0; i <= READERS; i++)
		pthread_join(thread[i], NULL);
	ksft_print_msg("%u changes, %u opens, %u packets read, %u files outlived their buffer\n",
		       changes, opened, packets, outlived);
	return errors || !packets || !outlived;
}
