// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "outdir.h"
#include "session.h"

/* Nothing that is missed by poll() stays missed for longer. */
#define WAIT_MS		500
/* How often a moment is looked for in which a CPU records nothing. */
#define QUIET_TRIES	5

/**
 * struct sample - a ring's counts at one moment
 * @open: the packet that was open, or NULL
 * @hits: records that were to be made so far
 * @exact: nothing was recorded while both were read
 */
struct sample {
	struct lkst_packet *open;
	u64 hits;
	bool exact;
};

/**
 * struct worker - follows one CPU
 * @session: what it is part of
 * @thread: runs it
 * @cpu: the CPU
 * @in: its packets
 * @pipe: what they are spliced through
 * @out: their file in a part
 * @part: number of that part from 1, or 0
 * @at: bytes in that file
 * @size: of a packet
 * @next: number of the packet that is to come
 * @known: that says so; else the first that comes does
 * @last: records in the packet before it
 * @end: when that ended
 * @early: records that were taken of packets before that of @start
 * @unwritten: records of packets that were read and could not be written
 * @written: records that were written
 * @packets: packets that were
 * @gaps: packets that were overwritten before they were read
 * @strange: a packet came that is none of this buffer's
 * @over: nothing more comes
 * @start: before the first packet
 * @buf: room for a packet
 */
struct worker {
	struct session *session;
	pthread_t thread;
	u32 cpu;
	int in;
	int pipe[2];
	int out;
	size_t part;
	u64 at;
	u32 size;
	u64 next;
	bool known;
	u32 last;
	u64 end;
	u64 early;
	u64 unwritten;
	u64 written;
	u64 packets;
	u64 gaps;
	bool strange;
	atomic_bool over;
	struct sample start;
	struct lkst_packet *buf;
};

struct session {
	struct live *l;
	struct output *out;
	struct worker *worker;
	size_t nr;
	size_t running;
	atomic_bool stop;
	int wake;		/* readable once they are to stop */
};

static bool read_hits(const struct live *l, u32 cpu, u64 *hits)
{
	char *text = control_get("buffers/%s/cpu%u/hits", l->name, cpu);
	bool ok = text && parse_u64(text, hits);

	free(text);
	return ok;
}

/* Look from another CPU, as looking is recorded too. */
static void sample_from_elsewhere(struct sample *s, const struct live *l, u32 cpu)
{
	cpu_set_t all, others;
	int tries = QUIET_TRIES;
	u64 after;

	sched_getaffinity(0, sizeof(all), &all);
	others = all;
	if (cpu < CPU_SETSIZE)
		CPU_CLR(cpu, &others);
	sched_setaffinity(0, sizeof(others), &others);
	do {
		free(s->open);
		s->exact = read_hits(l, cpu, &s->hits);
		s->open = live_peek(l, cpu);
		s->exact = s->exact && s->open && read_hits(l, cpu, &after) &&
			s->hits == after;
	} while (!s->exact && --tries);
	sched_setaffinity(0, sizeof(all), &all);
}

/* Records of packets before the open one; those that were lost are among the hits. */
static u64 reserved_before(const struct sample *s)
{
	return s->hits - s->open->discarded - s->open->reserved;
}

/* What a server could not write it may tell only now. */
static bool close_file(struct worker *w)
{
	int fd = w->out;

	w->out = -1;
	return fd < 0 || !close(fd);
}

/* Have the file of the part that is written to now; the lock is held. */
static bool have_file(struct worker *w)
{
	struct output *out = w->session->out;
	char name[16];

	if (out->full)
		return false;
	if (w->part == out->nr)
		return true;
	if (!close_file(w)) {
		output_stop(out, errno);
		return false;
	}
	snprintf(name, sizeof(name), "cpu%u", w->cpu);
	w->out = make_file(out->part[out->nr - 1].dir, name);
	w->part = out->nr;
	w->at = 0;
	if (w->out < 0)
		output_stop(out, errno ? errno : EIO);
	return w->out >= 0;
}

/* What comes before the packet was missed, or it is the last one again, with more. */
static void take_number(struct worker *w, const struct lkst_packet *p)
{
	if (w->known && p->seq > w->next)
		w->gaps += p->seq - w->next;
	if (w->start.open && p->seq < w->start.open->seq)
		w->early += p->reserved;
	w->known = true;
	w->next = p->seq + 1;
	w->last = p->reserved;
	w->end = p->end;
}

/* A packet that was open was taken as a copy, and came again: it takes its place. */
static void replace_last(struct worker *w)
{
	if (w->at < w->size || !w->buf ||
	    pread_full(w->out, w->buf, w->size, w->at) < w->size ||
	    pwrite(w->out, w->buf, w->size, w->at - w->size) != (ssize_t)w->size)
		note("cpu%u: a packet is in its file twice", w->cpu);
	else if (!ftruncate(w->out, w->at) && lseek(w->out, w->at, SEEK_SET) >= 0)
		w->at -= w->size;
}

/* A packet lies at the end of the file; the lock is held. */
static void settle(struct worker *w)
{
	struct output *out = w->session->out;
	struct part *part = &out->part[w->part - 1];
	struct lkst_packet p = { };
	u32 before = 0;

	if (pread_full(w->out, &p, sizeof(p), w->at) < sizeof(p) ||
	    p.magic != LKST_PACKET_MAGIC || packet_bytes(&p) != w->size ||
	    !live_owns(w->session->l, &p)) {
		w->strange = true;
		if (ftruncate(w->out, w->at))
			trouble("cpu%u: a strange packet is at the end of its file", w->cpu);
		return;
	}
	if (w->packets && p.seq + 1 == w->next) {
		before = w->last;
		replace_last(w);
	} else {
		w->packets++;
		out->packets++;
		out->total += w->size;
		/* A part that began meanwhile is not filled by what went to one before. */
		if (w->part == out->nr)
			out->bytes += w->size;
	}
	w->at += w->size;
	take_number(w, &p);
	w->written += p.reserved - before;
	out->written += p.reserved - before;
	if (w->part - 1 < out->first)
		out->removed += p.reserved - before;
	else
		part->records += p.reserved - before;
	/* After a full disk nothing is begun, or removed. */
	if (!out->full && out->rotate_bytes && out->bytes >= out->rotate_bytes)
		output_rotate(out);
}

/* It was read and cannot be written. */
static void give_up(struct worker *w, const struct lkst_packet *p)
{
	if (!live_owns(w->session->l, p)) {
		w->strange = true;
		return;
	}
	/* As with what is written, the last one can come again, with more in it. */
	w->unwritten += p->reserved - (p->seq + 1 == w->next ? w->last : 0);
	take_number(w, p);
}

/* What was written of the packet goes, what was written before it is kept. */
static void stop_writing(struct worker *w, int err)
{
	struct output *out = w->session->out;

	if (ftruncate(w->out, w->at))
		trouble("cpu%u: its file ends within a packet", w->cpu);
	pthread_mutex_lock(&out->lock);
	output_stop(out, err);
	pthread_mutex_unlock(&out->lock);
}

static bool read_rest(int fd, char *buf, size_t n)
{
	ssize_t got;

	for (; n; n -= got, buf += got) {
		got = read(fd, buf, n);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got <= 0)
			return false;
	}
	return true;
}

/*
 * Of the packet, @done bytes are in the file, @held in the pipe, and the rest is to be
 * read: it was taken from the ring, so it is counted.
 */
static void lose_packet(struct worker *w, size_t done, size_t held, int err)
{
	char *buf = (char *)w->buf;

	if (pread_full(w->out, buf, done, w->at) == done &&
	    read_rest(w->pipe[0], buf + done, held) &&
	    read_rest(w->in, buf + done + held, w->size - done - held))
		give_up(w, w->buf);
	stop_writing(w, err);
}

enum taken { NONE, WRITTEN, LOST };

/* One packet from the ring to the file. */
static enum taken splice_packet(struct worker *w)
{
	size_t done = 0, held = 0;
	ssize_t n;

	while (done < w->size) {
		if (held)
			n = splice(w->pipe[0], NULL, w->out, NULL, held, SPLICE_F_MOVE);
		else
			n = splice(w->in, NULL, w->pipe[1], NULL, w->size - done, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 && !held && !done)
			return NONE;
		if (n <= 0) {
			lose_packet(w, done, held, n < 0 ? errno : EIO);
			return LOST;
		}
		done += held ? n : 0;
		held = held ? held - n : (size_t)n;
	}
	return WRITTEN;
}

/* Is there a file to write to? */
static bool can_write(struct worker *w)
{
	struct output *out = w->session->out;
	bool can;

	pthread_mutex_lock(&out->lock);
	can = have_file(w);
	pthread_mutex_unlock(&out->lock);
	return can;
}

static void settle_locked(struct worker *w)
{
	struct output *out = w->session->out;

	pthread_mutex_lock(&out->lock);
	settle(w);
	pthread_mutex_unlock(&out->lock);
}

/* Take the next packet. Returns false if there is none, or never will be. */
static bool take_packet(struct worker *w)
{
	enum taken taken = LOST;

	if (w->strange)
		return false;
	if (can_write(w))
		taken = splice_packet(w);
	else if (live_read(w->in, w->buf))
		give_up(w, w->buf);
	else
		taken = NONE;
	if (taken == WRITTEN)
		settle_locked(w);
	return taken != NONE && !w->strange;
}

/* The same with a packet that is at hand. */
static void put_packet(struct worker *w, const struct lkst_packet *p)
{
	if (!can_write(w)) {
		give_up(w, p);
	} else if (write_all(w->out, p, w->size)) {
		settle_locked(w);
	} else {
		give_up(w, p);
		stop_writing(w, errno);
	}
}

/*
 * Leave out what was closed before the packet that is open, but what ends at @since or
 * later. What comes while this is read is taken.
 */
static void skip(struct worker *w, u64 since)
{
	struct lkst_packet *p;

	w->known = true;
	while (w->next < w->start.open->seq && (p = live_read(w->in, w->buf))) {
		if (p->seq >= w->start.open->seq || p->end >= since) {
			/* What was overwritten since the start is missed. */
			w->next = min_t(u64, p->seq, w->start.open->seq);
			put_packet(w, p);
			return;
		}
		w->next = p->seq + 1;
	}
	w->next = max_t(u64, w->next, w->start.open->seq);
}

/* Wait for the next packet. Returns false if there will be none. */
static bool wait_packet(struct worker *w)
{
	struct pollfd fds[] = {
		{ .fd = w->in, .events = POLLIN },
		{ .fd = w->session->wake, .events = POLLIN },
	};

	if (poll(fds, 2, WAIT_MS) <= 0 || !fds[0].revents)
		return true;
	if (take_packet(w))
		return true;
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		return false;
	poll(fds + 1, 1, LIVE_AGAIN_MS);
	return true;
}

static void *work(void *arg)
{
	struct worker *w = arg;

	while (!w->session->stop && !w->over)
		if (!take_packet(w) && (w->strange || !wait_packet(w)))
			w->over = true;
	return NULL;
}

/* The open packet goes last, or in place of a copy that has less of it. */
static void finish_worker(struct worker *w, const struct sample *end)
{
	const struct lkst_packet *open = end->open;
	bool ours = open && live_owns(w->session->l, open);
	unsigned int tries = LIVE_TRIES;

	while (!ours || w->next < open->seq)
		if (!take_packet(w) &&
		    (!ours || w->strange || !tries-- || !live_wait(w->in)))
			break;
	if (ours && open->reserved &&
	    (open->seq >= w->next || (open->seq + 1 == w->next && open->reserved != w->last)))
		put_packet(w, open);
}

static void count_worker(const struct worker *w, const struct sample *end, struct tally *t)
{
	const struct sample *start = &w->start;
	u64 taken = w->written + w->unwritten, reserved = taken;
	bool ours = end->open && live_owns(w->session->l, end->open);
	bool exact = ours && start->exact && end->exact;

	*t = (struct tally){ .cpu = w->cpu, .written = w->written, .gaps = w->gaps,
			     .packets = w->packets, };
	if (ours)
		t->lost = end->open->discarded - start->open->discarded;
	if (exact || (ours && w->gaps))
		reserved = reserved_before(end) + end->open->reserved + w->early -
			reserved_before(start);
	if (exact && !w->gaps && reserved != taken)
		trouble("cpu%u: %llu records were made and %llu read", w->cpu, reserved, taken);
	if ((s64)(reserved - taken) < 0)
		reserved = taken;
	t->about = w->gaps && !exact;
	t->missed = reserved - w->written;
	t->produced = reserved + t->lost;
}

static void close_worker(struct worker *w)
{
	int fds[] = { w->in, w->pipe[0], w->pipe[1] };
	size_t i;

	if (!close_file(w))
		trouble("the last file of cpu%u: %s", w->cpu, strerror(errno));
	for (i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(w->start.open);
	free(w->buf);
}

static void session_free(struct session *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		close_worker(&s->worker[i]);
	close(s->wake);
	free(s->worker);
	s->out->live = NULL;
	live_close(s->l);
	free(s);
}

static bool open_worker(struct worker *w)
{
	const struct live *l = w->session->l;

	w->in = live_cpu(l, w->cpu);
	if (w->in < 0)
		return false;
	sample_from_elsewhere(&w->start, l, w->cpu);
	if (!w->start.open)
		return false;
	w->size = packet_bytes(w->start.open);
	w->buf = xcalloc(1, LKST_PACKET_MAX);
	if (pipe2(w->pipe, O_CLOEXEC) || fcntl(w->pipe[0], F_SETPIPE_SZ, w->size) < 0) {
		trouble("cannot have a pipe for %u bytes: %s", w->size, strerror(errno));
		return false;
	}
	return true;
}

static bool run_worker(struct worker *w)
{
	int err = pthread_create(&w->thread, NULL, work, w);

	if (err)
		trouble("cannot have a thread for cpu%u: %s", w->cpu, strerror(err));
	return !err;
}

static void stop_workers(struct session *s)
{
	u64 one = 1;

	s->stop = true;
	if (write(s->wake, &one, sizeof(one)) != sizeof(one))
		note("threads are woken late");
	while (s->running)
		pthread_join(s->worker[--s->running].thread, NULL);
}

/* Open all, and make the first part, before anything is taken. */
static bool open_session(struct session *s, u64 since)
{
	struct worker *w;
	size_t i;

	s->wake = eventfd(0, EFD_CLOEXEC);
	for (i = 0; i < s->nr; i++) {
		w = &s->worker[i];
		*w = (struct worker){ .session = s, .cpu = s->l->cpu[i], .in = -1,
				      .out = -1, .pipe = { -1, -1 }, };
	}
	for (i = 0; i < s->nr; i++)
		if (!open_worker(&s->worker[i]))
			return false;
	s->out->live = s->l;
	if (!output_rotate(s->out))
		return false;
	for (i = 0; since && i < s->nr; i++)
		skip(&s->worker[i], since);
	return true;
}

struct session *session_start(struct output *out, const char *buffer, u64 since)
{
	struct live *l = live_open(buffer);
	struct session *s;
	bool ok;

	if (!l)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->l = l;
	s->out = out;
	s->nr = l->nr;
	s->worker = xcalloc(s->nr, sizeof(*s->worker));
	ok = open_session(s, since);
	while (ok && s->running < s->nr) {
		ok = run_worker(&s->worker[s->running]);
		s->running += ok;
	}
	if (ok)
		return s;
	stop_workers(s);
	session_free(s);
	return NULL;
}

size_t session_cpus(const struct session *s)
{
	return s->nr;
}

bool session_over(struct session *s)
{
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->worker[i].over)
			return true;
	return output_full(s->out);
}

u64 session_end(struct session *s, struct tally *tally)
{
	struct sample end;
	u64 last = 0;
	size_t i;

	stop_workers(s);
	for (i = 0; i < s->nr; i++) {
		end = (struct sample){ };
		sample_from_elsewhere(&end, s->l, s->worker[i].cpu);
		finish_worker(&s->worker[i], &end);
		count_worker(&s->worker[i], &end, &tally[i]);
		last = max_t(u64, last, s->worker[i].end);
		free(end.open);
	}
	session_free(s);
	return last;
}
