// SPDX-License-Identifier: GPL-2.0
/*
 * firings HANDLER TOTAL [MS]: poll the handler's file `fired` for POLLPRI, and read it
 * whenever that comes, until it has been TOTAL; then for MS ms more (0) see that
 * nothing comes. Prints "TOTAL WAKEUPS": the last number and how often it woke.
 *
 * A wakeup that does not come in 10 s, a number that falls, and one that has not
 * grown by a wakeup's next, are failures. With TOTAL 0 it polls for MS, whatever
 * comes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define WAIT_MS	10000

static long long fired(int fd)
{
	char text[32] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) <= 0)
		die("cannot read: %s", strerror(errno));
	return atoll(text);
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* Wait for a wakeup. Return: false when none came. */
static bool wait_for(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLPRI };
	int n = poll(&p, 1, ms);

	if (n < 0)
		die("cannot poll: %s", strerror(errno));
	if (n && !(p.revents & POLLPRI))
		die("poll says %x", p.revents);
	return n;
}

/* Whatever comes in @ms. Return: how often it woke. */
static long long watch(int fd, long long ms, long long *last)
{
	long long end = now_ms() + ms, wakeups = 0, left;

	while ((left = end - now_ms()) > 0) {
		if (!wait_for(fd, left))
			break;
		*last = fired(fd);
		wakeups++;
	}
	return wakeups;
}

int main(int argc, char **argv)
{
	long long total, last, next, ms, wakeups = 0;
	char path[256];
	int fd;

	if (argc < 3)
		die("usage: firings HANDLER TOTAL [MS]");
	total = atoll(argv[2]);
	ms = argc > 3 ? atoll(argv[3]) : 0;
	snprintf(path, sizeof(path), SYS "handlers/%s/fired", argv[1]);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		die("cannot open %s: %s", path, strerror(errno));
	last = fired(fd);
	/* Whoever starts the firing waits for this. */
	close(creat("/tmp/polling", 0600));
	while (last < total) {
		if (!wait_for(fd, WAIT_MS))
			die("asleep at %lld, and it is %lld", last, fired(fd));
		next = fired(fd);
		if (next < last)
			die("%lld after %lld", next, last);
		last = next;
		wakeups++;
	}
	if (total && last > total)
		die("%lld are too many", last);
	if (ms) {
		long long more = watch(fd, ms, &last);

		/* One may have been under way to what was seen already. */
		if (total && (more > 1 || last != total))
			die("woken %lld times for nothing, at %lld", more, last);
		wakeups += more;
	}
	printf("%lld %lld\n", last, wakeups);
	return 0;
}
