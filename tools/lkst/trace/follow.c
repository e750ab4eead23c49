// SPDX-License-Identifier: GPL-2.0
/* Following the running kernel: where it records by now, when there is more, and the end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lkst.h"
#include "view.h"

/* What tells buffers and moments apart lies at the begin of the metadata. */
#define HEAD_SIZE	4096
#define UUID		"uuid = \""
#define CLOCK		"description = \""
#define MOMENT		"freq = %llu; offset_s = %llu; offset = %llu;"

/* How long to wait for news; and if much comes. */
#define WAIT_MS		100
#define WAIT_BUSY_MS	10
/* Two rounds tell all that there was at the first of them. */
#define ENDING_ROUNDS	2

static volatile sig_atomic_t ended;

/* The begin of a buffer's metadata; false if there is no such buffer. */
static bool read_head(const char *buffer, char head[HEAD_SIZE + 1])
{
	char *path = xasprintf("%s/proc/lkst/buffers/%s/" METADATA_FILE, sysroot(), buffer);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	if (fd < 0)
		return false;
	head[pread_full(fd, head, HEAD_SIZE, 0)] = 0;
	close(fd);
	return true;
}

/* The trace's clock at this moment, as a head that was just read tells it. */
static void tell_time(struct trace *t, const char *head)
{
	const char *at = strstr(head, "freq = ");
	u64 hz, offset_s, offset;
	struct timespec now;
	__int128_t ticks;

	if (!at || sscanf(at, MOMENT, &hz, &offset_s, &offset) < 3)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	ticks = ((__int128_t)now.tv_sec - offset_s) * hz - offset +
		(__int128_t)now.tv_nsec * hz / NSEC;
	t->now = ticks > 0 ? ticks : 0;
}

static bool same_clock(const char *a, const char *b)
{
	a = strstr(a, CLOCK);
	b = strstr(b, CLOCK);
	return a && b ? !strncmp(a, b, strcspn(a + strlen(CLOCK), "\"") + strlen(CLOCK) + 1) :
		a == b;
}

/* Other rings are recorded into: those of another buffer, or others of the same one. */
static void go_on(struct trace *t, const char *buffer, const u8 *uuid)
{
	bool anew = !strcmp(buffer, t->buffer);

	if (!anew) {
		free(t->buffer);
		t->buffer = xstrdup(buffer);
	}
	memcpy(t->uuid, uuid, sizeof(t->uuid));
	if (!t->consumed && is_discard(buffer)) {
		note("buffer %s is in discard mode, and left to its reader (-b follows it)",
		     buffer);
		return;
	}
	note(anew ? "buffer %s begins anew" : "going on with buffer %s", buffer);
	if (!trace_has_rings(t, uuid))
		trace_add_rings(t);
}

bool trace_look(struct trace *t)
{
	const char *wanted = t->opt->buffer;
	char *name = wanted ? xstrdup(wanted) : control_get("buffers/current");
	char head[HEAD_SIZE + 1], *at = NULL;
	u8 uuid[LKST_UUID_SIZE];
	bool more = true;

	if (name && read_head(name, head))
		at = strstr(head, UUID);
	if (!at || !uuid_parse(at + strlen(UUID), uuid)) {
		/* The current one may have been removed since its name was read. */
		more = !wanted;
		if (wanted)
			note("buffer %s is no more", wanted);
	} else if (!same_clock(head, t->text)) {
		trouble("the kernel has another clock now: what it records is not followed");
		more = false;
	} else {
		tell_time(t, head);
		if (memcmp(uuid, t->uuid, sizeof(uuid)))
			go_on(t, name, uuid);
	}
	free(name);
	return more;
}

static void end(int signal)
{
	ended = signal;
}

/* Another one does what it does by default. */
void view_end_by_signals(void)
{
	struct sigaction action = {
		.sa_handler = end,
		.sa_flags = SA_RESTART | SA_RESETHAND,
	};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

/* False if nobody reads what is printed: that ends it as printing does. */
static bool wait_moment(struct view *v)
{
	bool busy = v->merge->whole > v->whole;
	struct pollfd out = { .fd = STDOUT_FILENO };

	v->whole = v->merge->whole;
	if (ended || poll(&out, 1, busy ? WAIT_BUSY_MS : WAIT_MS) <= 0)
		return true;
	raise(SIGPIPE);
	trouble("cannot write to standard output: %s", strerror(EPIPE));
	return false;
}

/* What a signal ends is ended at that moment: what was recorded until then is wanted. */
static bool is_end(struct view *v)
{
	bool more = trace_look(v->trace);

	if (ended && v->trace->now < v->to) {
		v->to = v->trace->now;
		view_choose_at_once(v);
	}
	return !more || v->trace->now >= v->to;
}

/*
 * A CPU may have been about to finish a record when it was asked. So what is given out
 * is what was recorded before all were asked the last time.
 */
bool view_go_on(struct view *v)
{
	u64 ready = v->trace->now;

	if (v->over || v->ending == ENDING_ROUNDS)
		return false;
	if (!v->ending && !wait_moment(v))
		return false;
	if (v->ending || is_end(v))
		v->ending++;
	merge_refresh(v->merge, ready);
	return true;
}
