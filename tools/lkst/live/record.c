// SPDX-License-Identifier: GPL-2.0
/* lkst record: streams what is recorded to a directory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lkst.h"
#include "outdir.h"
#include "session.h"

static const char help[] =
	"Usage: lkst record [OPTION...] [-- COMMAND [ARGUMENT...]]\n"
	"Stream what is recorded from now on to a directory, as a trace, until COMMAND\n"
	"ends, or until a signal such as that of Ctrl-C. It follows the current buffer and\n"
	"does not disturb it.\n"
	"\n"
	"  -d, --duration=TIME     end after so long, as in 10s, 5min, 1h\n"
	"  -f, --force             write even if DIR is not empty\n"
	"  -k, --keep=N            keep the last N parts and remove those before\n"
	"  -m, --maskset=NAME      make NAME the current maskset meanwhile\n"
	"  -o, --output=DIR        where to write; lkst-DATE-TIME if it is not given\n"
	"  -O, --own               record into a buffer of its own, in discard mode\n"
	"  -r, --rotate=SIZE|TIME  begin a new part after so much, as in 64M or 10s\n"
	"  -s, --size=SIZE         bytes of each CPU's ring of its own buffer (4M)\n"
	"  -h, --help              show this\n";

static const struct option options[] = {
	{ "duration", required_argument, NULL, 'd' },
	{ "force", no_argument, NULL, 'f' },
	{ "keep", required_argument, NULL, 'k' },
	{ "maskset", required_argument, NULL, 'm' },
	{ "output", required_argument, NULL, 'o' },
	{ "own", no_argument, NULL, 'O' },
	{ "rotate", required_argument, NULL, 'r' },
	{ "size", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ }
};

/* How long a change of the current buffer can go unseen. */
#define LOOK_MS		100
#define OWN_PREFIX	"record."

/**
 * struct recording - what is recorded, and what is to be put back then
 * @out: where it goes
 * @maskset: to be current meanwhile, or NULL
 * @size: of a buffer of its own, or NULL
 * @duration_ms: how long, or 0
 * @rotate_ms: when a new part is begun, or 0
 * @own: into a buffer of its own
 * @force: into a directory that is not empty
 * @command: to run, or NULL
 * @child: runs it, or 0
 * @child_status: as waitpid(2) gives it
 * @buffer: the one that is followed
 * @previous: the buffer that was current, for @own
 * @old_maskset: the maskset that was, or NULL
 * @lock: held while @maskset is current, or -1
 * @running: locked by all who record, or -1
 * @was_stopped: nothing was recorded before
 * @end_ms: when the duration is over
 * @cut: that ended the command
 * @next_ms: when a part is
 * @made: the directory, if none was asked for
 * @tally: what became of the records, by CPU
 * @nr: CPUs
 */
struct recording {
	struct output out;
	const char *maskset;
	const char *size;
	u64 duration_ms;
	u64 rotate_ms;
	bool own;
	bool force;
	char **command;
	pid_t child;
	int child_status;
	char *buffer;
	char *previous;
	char *old_maskset;
	int lock;
	int running;
	bool was_stopped;
	u64 end_ms;
	bool cut;
	u64 next_ms;
	char *made;
	struct tally *tally;
	size_t nr;
};

enum reason { GO_ON, STOP, CHANGED };

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

/* A duration of at least a millisecond. */
static bool parse_time(const char *s, u64 *ms)
{
	u64 ns;

	if (!parse_duration(s, &ns))
		return false;
	*ms = ns / (NSEC / 1000);
	return *ms;
}

/* "64M"; the unit must be there. */
static bool parse_size(const char *s, u64 *bytes)
{
	const char *units = "KMG", *unit;
	u64 n;
	char *end;

	errno = 0;
	n = strtoull(s, &end, 10);
	unit = *end && !end[1] ? strchr(units, *end) : NULL;
	if (*s < '0' || *s > '9' || errno || !unit || !n || n >> 24)
		return false;
	*bytes = n << (10 * (unit - units + 1));
	return true;
}

static void run_child(char **command)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGXFSZ, SIG_DFL);
	files_restore();
	execvp(command[0], command);
	note("%s: %s", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

static bool start_child(struct recording *r)
{
	fflush(stdout);
	r->child = r->command ? fork() : 0;
	if (r->child < 0) {
		trouble("%s: %s", r->command[0], strerror(errno));
		return false;
	}
	if (r->command && !r->child)
		run_child(r->command);
	return true;
}

static bool is_gone(const char *name)
{
	u64 pid;

	return !strncmp(name, OWN_PREFIX, strlen(OWN_PREFIX)) &&
		parse_u64(name + strlen(OWN_PREFIX), &pid) && pid <= 0x7fffffff &&
		kill(pid, 0) && errno == ESRCH;
}

/*
 * Buffers that a killed lkst left. One's next names the buffer that was current before:
 * that becomes current again, so that they can be removed.
 */
static void clear_up(void)
{
	struct strings names = { };
	char *current, *next;
	size_t i;

	control_dirs(&names, "buffers");
	for (i = 0; i < names.nr; i++) {
		if (!is_gone(names.at[i]))
			continue;
		note("removing buffer %s, which an lkst that was killed has left", names.at[i]);
		current = live_current();
		next = control_see("buffers/%s/next", names.at[i]);
		if (!strcmp(current, names.at[i]))
			control_put(strcmp(next, "none") ? next : "boot", "buffers/current");
		control_put(names.at[i], "buffers/remove");
		free(next);
		free(current);
	}
	strings_free(&names);
}

/* Decide what to follow; make it if it is its own. */
static bool choose_buffer(struct recording *r)
{
	char *line;
	bool ok;

	if (!r->own) {
		r->buffer = live_current();
		return true;
	}
	clear_up();
	r->previous = live_current();
	r->buffer = xasprintf(OWN_PREFIX "%d", getpid());
	line = xasprintf("%s mode=discard%s%s", r->buffer, r->size ? " size=" : "",
			 r->size ? r->size : "");
	ok = control_put(line, "buffers/create") &&
		control_put(r->previous, "buffers/%s/next", r->buffer);
	free(line);
	return ok;
}

static int open_control(const char *name)
{
	char *path = xasprintf("%s/sys/kernel/lkst/%s", sysroot(), name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	return fd;
}

/* Of two that change the maskset none could put back what was there. */
static bool lock_maskset(struct recording *r)
{
	bool ok;

	r->lock = open_control("masksets/current");
	ok = r->lock >= 0 && !flock(r->lock, LOCK_EX | LOCK_NB);
	if (!ok && errno == EWOULDBLOCK)
		trouble("another `lkst record -m' is at work: wait for it, or record without -m");
	else if (!ok)
		trouble("masksets/current: %s", strerror(errno));
	return ok;
}

/* Stop again, unless others record who began when all was running. */
static void stop_again(struct recording *r)
{
	if (r->running >= 0 && flock(r->running, LOCK_EX | LOCK_NB))
		note("another `lkst record' is at work: recording goes on, it was stopped before");
	else
		control_put("0", "enabled");
}

/* Let the records come: its own buffer, the maskset, recording at all, the command. */
static bool begin(struct recording *r)
{
	char *enabled;

	/* First, so that nobody stops what this finds running. */
	r->running = open_control("enabled");
	if (r->running >= 0)
		flock(r->running, LOCK_SH);
	enabled = control_see("enabled");
	r->was_stopped = !strcmp(enabled, "0");
	free(enabled);
	if (r->own && !control_put(r->buffer, "buffers/current"))
		return false;
	if (r->maskset) {
		if (!lock_maskset(r))
			return false;
		r->old_maskset = control_see("masksets/current");
		if (!control_put(r->maskset, "masksets/current"))
			return false;
	}
	if (r->was_stopped && !control_put("1", "enabled"))
		return false;
	r->end_ms = now_ms() + r->duration_ms;
	r->next_ms = now_ms() + r->rotate_ms;
	return start_child(r);
}

/* A name is put back if what is there is still what was put there. */
static void put_back(const char *what, const char *ours, const char *old)
{
	char *now = control_see("%s/current", what);

	if (!strcmp(now, ours))
		control_put(old, "%s/current", what);
	else if (strcmp(now, old))
		note("%s/current is %s by now, and stays so; it was %s before", what, now, old);
	free(now);
}

static void end(struct recording *r)
{
	if (r->was_stopped)
		stop_again(r);
	if (r->old_maskset)
		put_back("masksets", r->maskset, r->old_maskset);
	if (r->own && r->previous)
		put_back("buffers", r->buffer, r->previous);
	if (r->lock >= 0)
		close(r->lock);
	if (r->running >= 0)
		close(r->running);
}

/* Wait a moment for a signal. */
static enum reason wait_signal(struct recording *r)
{
	struct timespec moment = { .tv_nsec = LOOK_MS * 1000000 };
	sigset_t set;
	int got;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	got = sigtimedwait(&set, NULL, &moment);
	if (got < 0)
		return GO_ON;
	if (got != SIGCHLD) {
		/* The terminal's goes to the command too. */
		if (r->child && got != SIGINT)
			kill(r->child, got);
		return STOP;
	}
	if (!r->child || waitpid(r->child, &r->child_status, WNOHANG) != r->child)
		return GO_ON;
	r->child = 0;
	return STOP;
}

static enum reason look(struct recording *r, struct session *s)
{
	enum reason reason = wait_signal(r);
	char *current;

	if (reason != GO_ON)
		return reason;
	if (r->duration_ms && now_ms() >= r->end_ms) {
		r->cut = r->child && !kill(r->child, SIGTERM);
		return STOP;
	}
	if (output_full(&r->out))
		return STOP;
	if (session_over(s) && !r->own)
		return CHANGED;
	if (session_over(s)) {
		note("buffer %s was replaced: recording ends", r->buffer);
		return STOP;
	}
	current = control_get("buffers/current");
	if (current && strcmp(current, r->buffer))
		reason = r->own ? STOP : CHANGED;
	free(current);
	if (reason == STOP)
		note("another buffer was made current: recording ends");
	return reason;
}

static enum reason follow(struct recording *r, struct session *s)
{
	enum reason reason;

	for (;;) {
		reason = look(r, s);
		if (reason != GO_ON)
			return reason;
		if (!r->rotate_ms || now_ms() < r->next_ms)
			continue;
		/* Parts that a stopped machine or reader left out are not made up for. */
		r->next_ms += r->rotate_ms;
		if (r->next_ms <= now_ms())
			r->next_ms = now_ms() + r->rotate_ms;
		pthread_mutex_lock(&r->out.lock);
		if (!r->out.full)
			output_rotate(&r->out);
		pthread_mutex_unlock(&r->out.lock);
	}
}

static void add_tallies(struct recording *r, const struct tally *t, size_t nr)
{
	size_t i;

	if (r->nr < nr) {
		r->tally = xrealloc(r->tally, nr, sizeof(*r->tally));
		memset(r->tally + r->nr, 0, (nr - r->nr) * sizeof(*r->tally));
		r->nr = nr;
	}
	for (i = 0; i < nr; i++) {
		r->tally[i].cpu = t[i].cpu;
		r->tally[i].produced += t[i].produced;
		r->tally[i].written += t[i].written;
		r->tally[i].missed += t[i].missed;
		r->tally[i].lost += t[i].lost;
		r->tally[i].packets += t[i].packets;
		r->tally[i].gaps += t[i].gaps;
		r->tally[i].about |= t[i].about;
	}
}

/* Of a buffer in discard mode all is taken, as it would be in nobody's way. */
static u64 begin_with(const char *buffer)
{
	char *mode = control_see("buffers/%s/mode", buffer);
	bool discard = !strcmp(mode, "discard");

	free(mode);
	return discard ? 0 : ~0ull;
}

static void stream(struct recording *r)
{
	u64 since = begin_with(r->buffer), last;
	enum reason reason = CHANGED;
	bool begun = false;
	struct session *s;
	struct tally *t;
	size_t nr;

	while (reason == CHANGED) {
		s = session_start(&r->out, r->buffer, since);
		if (s && !begun)
			reason = begin(r) ? GO_ON : STOP;
		begun = true;
		if (s && reason != STOP)
			reason = follow(r, s);
		if (!s || reason == STOP)
			end(r);
		if (!s)
			return;
		nr = session_cpus(s);
		t = xcalloc(nr, sizeof(*t));
		last = session_end(s, t);
		add_tallies(r, t, nr);
		free(t);
		if (reason != CHANGED)
			return;
		free(r->buffer);
		r->buffer = live_current();
		since = begin_with(r->buffer);
		if (since && last)
			since = last;
		note("going on with buffer %s", r->buffer);
	}
}

static struct tally sum_tallies(const struct recording *r)
{
	struct tally sum = { };
	size_t i;

	for (i = 0; i < r->nr; i++) {
		sum.produced += r->tally[i].produced;
		sum.written += r->tally[i].written;
		sum.missed += r->tally[i].missed;
		sum.lost += r->tally[i].lost;
		sum.gaps += r->tally[i].gaps;
		sum.about |= r->tally[i].about;
	}
	return sum;
}

static void write_tally(FILE *f, const struct tally *t)
{
	fprintf(f, "cpu%u produced %llu written %llu missed %llu lost %llu", t->cpu,
		t->produced, t->written, t->missed, t->lost);
	fprintf(f, " packets %llu gaps %llu\n", t->packets, t->gaps);
}

static void write_counts(const struct recording *r)
{
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	for (i = 0; f && i < r->nr; i++)
		write_tally(f, &r->tally[i]);
	if (f && !fclose(f) && !r->out.full)
		write_file(r->out.dir, COUNTS_FILE, text, size);
	free(text);
}

static void print_counts(const struct recording *r, FILE *f)
{
	const struct tally *t;
	size_t i;

	fprintf(f, "  %-8s %10s %12s %12s %12s %12s\n", "cpu", "packets", "produced",
		"written", "missed", "lost");
	for (i = 0; i < r->nr; i++) {
		t = &r->tally[i];
		fprintf(f, "  cpu%-5u %10llu %12llu %12llu %s%*llu %12llu\n", t->cpu,
			t->packets, t->produced, t->written, t->about ? "~" : "",
			t->about ? 11 : 12, t->missed, t->lost);
	}
}

/* What is left to say; what is not in the trace is trouble. */
static void report(const struct recording *r)
{
	struct tally sum = sum_tallies(r);

	print_counts(r, r->command ? stderr : stdout);
	write_counts(r);
	if (sum.gaps)
		trouble("missed%s %llu records: %llu packets were overwritten unread",
			sum.about ? " about" : "", sum.missed, sum.gaps);
	else if (sum.missed)
		trouble("missed %llu records that could not be written", sum.missed);
	if (sum.lost)
		trouble("lost %llu records that found no room in the ring", sum.lost);
	if (r->out.removed)
		note("%llu records were in parts that were removed, as --keep says",
		     r->out.removed);
	note("%llu records, %llu bytes in %s", r->out.written, r->out.total, r->out.dir);
}

/* The command's own exit code, as a shell tells it; 0 if it was ended as was asked for. */
static int wait_child(struct recording *r)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	while (r->child && waitpid(r->child, &r->child_status, 0) < 0 && errno == EINTR)
		;
	if (r->cut)
		return 0;
	if (WIFSIGNALED(r->child_status))
		return 128 + WTERMSIG(r->child_status);
	return WEXITSTATUS(r->child_status);
}

static void block_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* A file that may not become larger is as a full disk. */
	signal(SIGXFSZ, SIG_IGN);
}

/* Is there a file to be run in a directory of PATH, or at a path? Else errno says why. */
static bool can_run(const char *dir, size_t len, const char *name)
{
	char *path = xasprintf("%.*s%s%s", (int)len, dir, len ? "/" : "", name);
	struct stat st;
	bool can = !stat(path, &st);

	if (can && (!S_ISREG(st.st_mode) || access(path, X_OK))) {
		can = false;
		errno = EACCES;
	}
	free(path);
	return can;
}

/* The exit code of a command that cannot be run, which is said; else 0. */
static int check_command(const char *name)
{
	const char *at = getenv("PATH");
	int err = ENOENT;
	size_t n;

	if (strchr(name, '/'))
		at = "";
	else if (!at)
		at = "/bin:/usr/bin";
	for (;; at += n + 1) {
		n = strcspn(at, ":");
		if (can_run(at, n, name))
			return 0;
		if (errno == EACCES)
			err = errno;
		if (!at[n])
			break;
	}
	note("%s: %s", name, strerror(err));
	return err == ENOENT ? 127 : 126;
}

static bool choose_dir(struct recording *r)
{
	if (r->out.dir)
		return make_dir(r->out.dir, r->force);
	r->made = live_make_dir();
	r->out.dir = r->made;
	return r->made;
}

static int record(struct recording *r)
{
	int code = 0;

	if (!control_ready() || (r->maskset && !control_has("masksets", r->maskset)))
		return LKST_EXIT_PARTIAL;
	code = r->command ? check_command(r->command[0]) : 0;
	if (code)
		return code;
	if (!choose_dir(r))
		return LKST_EXIT_PARTIAL;
	clean_dir(r->out.dir);
	block_signals();
	pthread_mutex_init(&r->out.lock, NULL);
	r->out.symbols = live_symbols(0, &r->out.symbols_size);
	if (choose_buffer(r))
		stream(r);
	if (r->own && r->buffer)
		control_put(r->buffer, "buffers/remove");
	report(r);
	output_finish(&r->out);
	if (r->command)
		code = wait_child(r);
	free(r->tally);
	free(r->buffer);
	free(r->previous);
	free(r->old_maskset);
	free(r->made);
	return exit_code() ? exit_code() : code;
}

/* Return: what the argument should have been, or NULL when it is that. */
static const char *parse_option(struct recording *r, int c, const char *arg)
{
	u64 bytes;

	switch (c) {
	case 'd':
		return parse_time(arg, &r->duration_ms) ? NULL :
			"a time from 1ms such as 10s or 5min";
	case 'f':
		r->force = true;
		break;
	case 'k':
		return parse_u64(arg, &r->out.keep) && r->out.keep ? NULL :
			"a number of parts from 1";
	case 'm':
		r->maskset = arg;
		break;
	case 'o':
		r->out.dir = arg;
		return *arg ? NULL : "a directory";
	case 'O':
		r->own = true;
		break;
	case 'r':
		r->out.in_parts = true;
		return parse_size(arg, &r->out.rotate_bytes) || parse_time(arg, &r->rotate_ms) ?
			NULL : "a size from 1K in K, M or G, or a time from 1ms such as 10s";
	case 's':
		r->size = arg;
		return parse_size(arg, &bytes) ? NULL : "a size from 1K in K, M or G";
	}
	return NULL;
}

static const char *wrong_together(const struct recording *r)
{
	if (r->out.keep && !r->out.in_parts)
		return "--keep is for parts: say with --rotate when one begins";
	if (r->size && !r->own)
		return "--size is that of a buffer of its own: say --own";
	return NULL;
}

int cmd_record(int argc, char **argv)
{
	struct recording r = { .lock = -1, .running = -1 };
	const char *wanted;
	int c;

	optind = 0;
	while ((c = getopt_long(argc, argv, "+d:fk:m:o:Or:s:h", options, NULL)) >= 0) {
		if (c == 'h') {
			fputs(help, stdout);
			return LKST_EXIT_OK;
		}
		if (c == '?')
			return see_help("record");
		wanted = parse_option(&r, c, optarg);
		if (wanted)
			return bad_argument("record", options, c, wanted);
	}
	if (wrong_together(&r)) {
		note("record: %s", wrong_together(&r));
		return see_help("record");
	}
	r.command = optind < argc ? argv + optind : NULL;
	return record(&r);
}
