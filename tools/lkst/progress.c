// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

#define NSEC		1000000000ull
#define DRAW_EVERY	(NSEC / 5)
#define WIDTH		40

/* The one whose bar is on the terminal, or NULL. */
static struct progress *shown;

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

void progress_look(struct progress *p)
{
	u64 t = now();

	p->looked = p->done;
	if (!p->start)
		p->start = t;
	if (t - p->start < NSEC || t - p->drawn < DRAW_EVERY || p->hidden ||
	    !isatty(STDERR_FILENO))
		return;
	draw(p);
	p->drawn = t;
	shown = p;
}

void progress_end(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = 0;
	if (shown == p)
		shown = NULL;
}

void progress_hide(void)
{
	if (shown)
		progress_end(shown);
}

bool progress_beside_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && (S_ISREG(st.st_mode) || S_ISCHR(st.st_mode)) &&
	       !isatty(STDOUT_FILENO);
}
