// SPDX-License-Identifier: GPL-2.0
/*
 * The streams: what poll, read and splice of cpuN give, to its end and
 * after its buffer is gone. Marks come from the module lkst_stress.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trace.h"

#define MODULE	"/sys/module/lkst_stress/parameters/"
#define PACKET	4096
#define MARKS	166	/* that fill a packet */
#define ROOM	(64 << 20)

static unsigned int cpus;

/* A buffer `NAME` that is current, and takes nothing but marks. */
static void buffer_begin(const char *name, const char *options)
{
	put("buffers/create", "%s packet=4K %s", name, options);
	put("buffers/current", "%s", name);
}

static void buffer_end(const char *name)
{
	put("buffers/current", "boot");
	put("buffers/remove", "%s", name);
}

static int stream_open(const char *name, unsigned int cpu, const char *suffix)
{
	char path[128];

	snprintf(path, sizeof(path), PROC "buffers/%s/cpu%u%s", name, cpu, suffix);
	return open(path, O_RDONLY);
}

static void marks(unsigned int cpu, unsigned int n)
{
	pin(cpu);
	put(MODULE "mark", "%u", n);
}

/* To the end, @piece bytes at once, or random pieces where that is 0. */
static size_t read_all(int fd, char *to, size_t piece)
{
	size_t size = 0;
	ssize_t n;

	while ((n = read(fd, to + size, piece ?: 1 + (size_t)random() % 700)) > 0)
		size += n;
	if (n < 0)
		die("read: %s", strerror(errno));
	return size;
}

static char *room(void)
{
	char *bytes = malloc(ROOM);

	if (!bytes)
		die("no memory");
	return bytes;
}

static const struct lkst_packet *packet(const char *bytes, unsigned int i)
{
	return (const void *)(bytes + (size_t)i * PACKET);
}

/* Whole packets in a row from number 0 on, with @records in them. */
static bool whole(const char *bytes, size_t size, __u64 records)
{
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < size / PACKET; i++) {
		if (packet(bytes, i)->seq != i)
			return false;
		sum += packet(bytes, i)->reserved;
	}
	return size % PACKET == 0 && sum == records;
}

/* Closed packets, then 0; more once there is more. */
static bool end_of_current(void)
{
	char *bytes = room();
	size_t first, none, more;
	int fd;

	buffer_begin("stream", "size=64K");
	fd = stream_open("stream", 0, "");
	marks(0, 2 * MARKS + 1);
	first = read_all(fd, bytes, PACKET);
	none = read_all(fd, bytes + first, PACKET);
	marks(0, MARKS);
	more = read_all(fd, bytes + first, ROOM / 2);
	close(fd);
	buffer_end("stream");
	ksft_print_msg("%zu, %zu, %zu bytes\n", first, none, more);
	return first == 2 * PACKET && !none && more == PACKET &&
	       whole(bytes, first + more, 3 * MARKS);
}

/* The open packet last, as a copy; once. */
static bool end_of_other(void)
{
	char *bytes = room();
	size_t size, none;
	int fd;

	buffer_begin("stream", "size=64K");
	fd = stream_open("stream", 0, "");
	marks(0, MARKS + 7);
	put("buffers/current", "boot");
	size = read_all(fd, bytes, 1000);
	none = read_all(fd, bytes + size, PACKET);
	close(fd);
	buffer_end("stream");
	return size == 2 * PACKET && !none && whole(bytes, size, MARKS + 7) &&
	       packet(bytes, 1)->end >= packet(bytes, 1)->begin &&
	       packet(bytes, 1)->content_size == 64 * (LKST_PACKET_WORDS + 7 * 3);
}

/* cpuN.open: what is in the open packet, once. */
static bool open_packet(void)
{
	char *bytes = room();
	size_t size;
	int fd;

	buffer_begin("stream", "size=64K");
	marks(0, MARKS + 5);
	fd = stream_open("stream", 0, ".open");
	size = read_all(fd, bytes, 300);
	close(fd);
	buffer_end("stream");
	return size == PACKET && packet(bytes, 0)->seq == 1 &&
	       packet(bytes, 0)->reserved == 5;
}

/**
 * struct waiter - a thread that polls
 * @fd: files to poll, one a CPU
 * @packets: packets read of each; written by the thread
 * @revents: what poll() said of the first, for a thread that polls once
 * @stop: ends the thread
 * @thread: the thread
 */
struct waiter {
	int fd[CPUS_MAX];
	unsigned int packets[CPUS_MAX];
	short revents;
	bool stop;
	volatile pid_t tid;
	pthread_t thread;
};

/* Reads only what poll() announces, and waits for ever. */
static void *wait_and_read(void *data)
{
	struct pollfd fds[CPUS_MAX];
	struct waiter *w = data;
	static char bytes[16 * PACKET];
	unsigned int cpu;

	for (cpu = 0; cpu < cpus; cpu++)
		fds[cpu] = (struct pollfd){ .fd = w->fd[cpu], .events = POLLIN };
	while (!__atomic_load_n(&w->stop, __ATOMIC_RELAXED)) {
		poll(fds, cpus, -1);
		for (cpu = 0; cpu < cpus; cpu++) {
			if (!(fds[cpu].revents & POLLIN))
				continue;
			__atomic_add_fetch(&w->packets[cpu],
					   read(w->fd[cpu], bytes, sizeof(bytes)) / PACKET,
					   __ATOMIC_RELEASE);
		}
	}
	return NULL;
}

static bool packets_come(const struct waiter *w, unsigned int cpu, unsigned int n)
{
	unsigned int ms;

	for (ms = 0; ms < 20000; ms++) {
		if (__atomic_load_n(&w->packets[cpu], __ATOMIC_ACQUIRE) == n)
			return true;
		usleep(1000);
	}
	ksft_print_msg("cpu %u: %u packets of %u after 20 s\n", cpu, w->packets[cpu], n);
	return false;
}

/* A closed packet wakes who sleeps, each time. */
static bool wakes(void)
{
	unsigned int cpu, i, total[CPUS_MAX] = { };
	struct waiter w = { };
	bool ok = true;

	buffer_begin("stream", "size=64K");
	for (cpu = 0; cpu < cpus; cpu++)
		w.fd[cpu] = stream_open("stream", cpu, "");
	pthread_create(&w.thread, NULL, wait_and_read, &w);
	for (i = 0; ok && i < 500; i++) {
		unsigned int n = 1 + random() % (3 * MARKS);

		cpu = random() % cpus;
		marks(cpu, n);
		total[cpu] += n;
		ok = packets_come(&w, cpu, (total[cpu] - 1) / MARKS);
	}
	__atomic_store_n(&w.stop, true, __ATOMIC_RELAXED);
	/* Wakes it: there is an open packet to read. */
	marks(0, 1);
	buffer_end("stream");
	pthread_join(w.thread, NULL);
	for (cpu = 0; cpu < cpus; cpu++)
		close(w.fd[cpu]);
	return ok;
}

/* At a high rate nobody sleeps for long. */
static bool wakes_under_load(void)
{
	struct pollfd fds[CPUS_MAX];
	static char bytes[16 * PACKET];
	unsigned int cpu, i, asleep = 0, idle = 0;

	buffer_begin("stream", "size=16K");
	for (cpu = 0; cpu < cpus; cpu++)
		fds[cpu] = (struct pollfd){ .fd = stream_open("stream", cpu, ""),
					    .events = POLLIN };
	put(MODULE "run", "1");
	for (i = 0; i < 2000; i++) {
		cpu = i % cpus;
		asleep += poll(&fds[cpu], 1, 20000) != 1;
		idle += !read(fds[cpu].fd, bytes, sizeof(bytes));
	}
	put(MODULE "run", "0");
	for (cpu = 0; cpu < cpus; cpu++)
		close(fds[cpu].fd);
	buffer_end("stream");
	ksft_print_msg("2000 polls, %u timed out, %u with nothing to read yet\n",
		       asleep, idle);
	return !asleep;
}

static void *wait_once(void *data)
{
	struct waiter *w = data;
	struct pollfd fd = { .fd = w->fd[0], .events = POLLIN };

	w->tid = syscall(SYS_gettid);
	w->revents = poll(&fd, 1, 20000) == 1 ? fd.revents : 0;
	return NULL;
}

/* What poll() on @fd says when @text is written to @path. */
static short poll_while(int fd, const char *path, const char *text)
{
	struct waiter w = { .fd = { fd } };

	pthread_create(&w.thread, NULL, wait_once, &w);
	do
		usleep(1000);
	while (!w.tid || !strstr(get("/proc/self/task/%d/stat", w.tid), ") S "));
	put(path, "%s", text);
	pthread_join(w.thread, NULL);
	return w.revents;
}

/* Who waits hears that the buffer was left, replaced, removed. */
static bool hangs_up(void)
{
	char *bytes = room();
	short left, replaced, removed;
	size_t size;
	int fd;

	buffer_begin("stream", "size=64K");
	fd = stream_open("stream", 0, "");
	marks(0, 3);
	left = poll_while(fd, "buffers/current", "boot");
	put("buffers/current", "stream");
	replaced = poll_while(fd, "buffers/stream/size", "32K");
	size = read_all(fd, bytes, PACKET);
	close(fd);
	put("buffers/current", "boot");
	fd = stream_open("stream", 0, "");
	removed = poll_while(fd, "buffers/remove", "stream");
	ksft_print_msg("poll: left %#x replaced %#x removed %#x\n", left, replaced, removed);
	ksft_print_msg("read: %zu %d\n", size, (int)read(fd, bytes, PACKET));
	close(fd);
	return left == POLLIN && replaced == (POLLIN | POLLHUP) && removed == POLLHUP &&
	       size == PACKET && packet(bytes, 0)->reserved >= 3 &&
	       packet(bytes, 0)->reserved <= 4;	/* that it is current again */
}

/* What is open when its buffer is removed stays readable. */
static bool outlives(void)
{
	char *bytes = room();
	size_t size, open_size;
	int fd, open_fd;

	buffer_begin("stream", "size=64K");
	marks(0, 2 * MARKS + 9);
	fd = stream_open("stream", 0, "");
	open_fd = stream_open("stream", 0, ".open");
	if (read(fd, bytes, 1000) != 1000)
		return false;
	buffer_end("stream");
	/* Memory that is free by now would be in use again. */
	put("buffers/create", "other size=64K packet=4K");
	size = 1000 + read_all(fd, bytes + 1000, 1000);
	open_size = read_all(open_fd, bytes + size, 1000);
	close(fd);
	close(open_fd);
	put("buffers/remove", "other");
	return size == 3 * PACKET && whole(bytes, size, 2 * MARKS + 9) &&
	       open_size == PACKET && packet(bytes, 3)->reserved == 9;
}

/* The file `/tmp/stream`, empty. */
static int file_begin(void)
{
	int fd = open("/tmp/stream", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0)
		die("/tmp/stream: %s", strerror(errno));
	return fd;
}

static size_t file_end(int fd, char *bytes)
{
	size_t size;

	lseek(fd, 0, SEEK_SET);
	size = read_all(fd, bytes, ROOM / 2);
	close(fd);
	unlink("/tmp/stream");
	return size;
}

static size_t get_splice(int fd, char *bytes)
{
	int file = file_begin(), pipes[2];
	ssize_t n;

	if (pipe(pipes))
		die("pipe: %s", strerror(errno));
	while ((n = splice(fd, NULL, pipes[1], NULL, 3 * PACKET + 100, 0)) > 0)
		while (n > 0)
			n -= splice(pipes[0], NULL, file, NULL, n, 0);
	close(pipes[0]);
	close(pipes[1]);
	return file_end(file, bytes);
}

static size_t get_pieces(int fd, char *bytes)
{
	return read_all(fd, bytes, 0);
}

/* Every way to read gives the same bytes. */
static bool same_bytes(void)
{
	static size_t (* const get[])(int fd, char *bytes) = {
		get_pieces, get_splice,
	};
	char *bytes = room(), *others = room();
	size_t size, other;
	bool ok = true;
	unsigned int i;
	int fd;

	buffer_begin("stream", "size=64K");
	marks(0, 9 * MARKS + 11);
	put("buffers/current", "boot");
	fd = stream_open("stream", 0, "");
	size = read_all(fd, bytes, ROOM / 2);
	close(fd);
	for (i = 0; i < ARRAY_SIZE(get); i++) {
		fd = stream_open("stream", 0, "");
		other = get[i](fd, others);
		close(fd);
		ksft_print_msg("%u: %zu bytes, as read %zu\n", i, other, size);
		ok = ok && other == size && !memcmp(bytes, others, size);
	}
	buffer_end("stream");
	return ok && whole(bytes, size, 9 * MARKS + 11);
}

/* Any number of followers of an overwrite buffer get everything. */
static bool followers(void)
{
	char *bytes[3] = { room(), room(), room() };
	size_t size[3] = { };
	unsigned int i, round;
	bool ok;
	int fd[3];

	buffer_begin("stream", "size=1M");
	for (i = 0; i < 3; i++)
		fd[i] = stream_open("stream", 0, "");
	put(MODULE "rest", "1000");
	put(MODULE "period", "1000");
	put(MODULE "burst", "100");
	put(MODULE "run", "1");
	for (round = 0; round < 200; round++) {
		usleep(10000);
		for (i = 0; i < 3; i++)
			if (random() % 4 == 0)
				size[i] += read_all(fd[i], bytes[i] + size[i], i * PACKET);
	}
	put(MODULE "run", "0");
	put(MODULE "rest", "0");
	put(MODULE "period", "100");
	put(MODULE "burst", "800");
	put("buffers/current", "boot");
	for (i = 0; i < 3; i++) {
		size[i] += read_all(fd[i], bytes[i] + size[i], 0);
		close(fd[i]);
	}
	ksft_print_msg("%zu, %zu, %zu bytes\n", size[0], size[1], size[2]);
	ok = size[0] == size[1] && size[0] == size[2] &&
	     !memcmp(bytes[0], bytes[1], size[0]) && !memcmp(bytes[0], bytes[2], size[0]) &&
	     whole(bytes[0], size[0], strtoull(get("buffers/stream/cpu0/hits"), NULL, 10) -
		   strtoull(get("buffers/stream/cpu0/lost"), NULL, 10));
	buffer_end("stream");
	return ok;
}

/* One reader at a time, who takes away what he has read in full. */
static bool discard(void)
{
	char *bytes = room();
	size_t size, again;
	int fd, second, error;

	buffer_begin("stream", "size=16K mode=discard");
	marks(0, 10 * MARKS);
	fd = stream_open("stream", 0, "");
	second = stream_open("stream", 0, "");
	error = errno;
	size = read(fd, bytes, PACKET + 100);
	close(fd);
	fd = stream_open("stream", 0, "");
	again = read_all(fd, bytes + PACKET, PACKET);
	close(fd);
	buffer_end("stream");
	ksft_print_msg("%zu, then %zu bytes\n", size, again);
	/* The fourth packet is full, and open as long as there is no room for a next. */
	return second < 0 && error == EBUSY && size == PACKET + 100 &&
	       again == 2 * PACKET && whole(bytes, PACKET + again, 3 * MARKS);
}

static const struct {
	const char *name;
	bool (*run)(void);
} tests[] = {
	{ "the current buffer gives closed packets, then 0", end_of_current },
	{ "another buffer gives its open packet last", end_of_other },
	{ "cpuN.open gives the open packet", open_packet },
	{ "a closed packet wakes who polls", wakes },
	{ "nobody sleeps under load", wakes_under_load },
	{ "who polls hears that the buffer was left, replaced, removed", hangs_up },
	{ "open files outlive their buffer", outlives },
	{ "splice and small reads give the same bytes", same_bytes },
	{ "three followers each get everything", followers },
	{ "a discard buffer has one reader, who consumes whole packets", discard },
};

int main(void)
{
	unsigned int i;

	setlinebuf(stdout);
	ksft_print_header();
	ksft_set_plan(ARRAY_SIZE(tests));
	cpus = possible_cpus();
	put("masksets/create", "stream");
	put("masksets/stream/lkst/mark", "record");
	put("masksets/current", "stream");
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		ksft_test_result(tests[i].run(), "%s\n", tests[i].name);
	put("masksets/current", "default");
	put("masksets/remove", "stream");
	ksft_finished();
}
