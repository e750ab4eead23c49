// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define NSEC		1000000000ull
#define LOOK_EVERY	(4u << 20)
#define DRAW_EVERY	(NSEC / 5)
#define WIDTH		40

static u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

static void draw(const struct progress *p)
{
	char bar[WIDTH + 1];
	int n;

	if (!p->total) {
		fprintf(stderr, "\rlkst: %s: %llu MiB", p->what, p->done >> 20);
		return;
	}
	n = min(p->done, p->total) * (double)WIDTH / p->total;
	memset(bar, ' ', WIDTH);
	memset(bar, '#', n);
	bar[WIDTH] = 0;
	fprintf(stderr, "\rlkst: %s [%s] %3d%%", p->what, bar, n * 100 / WIDTH);
}

void progress_step(struct progress *p, u64 bytes)
{
	u64 t;

	p->done += bytes;
	if (p->start && p->done - p->looked < LOOK_EVERY)
		return;
	p->looked = p->done;
	t = now();
	if (!p->start)
		p->start = t;
	if (t - p->start < NSEC || t - p->drawn < DRAW_EVERY || !isatty(STDERR_FILENO))
		return;
	draw(p);
	p->drawn = t;
}

void progress_end(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = 0;
}
