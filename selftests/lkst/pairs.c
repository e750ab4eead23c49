// SPDX-License-Identifier: GPL-2.0
/*
 * Over a mixed load, with every event on and a CPU that goes down and up: each begin
 * of a pair has its end, and pairs do not cross.
 *
 * A begin without an end is allowed of a thread that ended and at the end of the
 * trace, an end without a begin where a thread comes into sight: at the begin of
 * the trace, and when it was forked, out of the system call of its parent.
 *
 *	pairs SECONDS
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace.h"

#define ONLINE	"/sys/devices/system/cpu/cpu1/online"
/* Seconds from one look at the buffer to the next. */
#define ROUND	4
#define DEPTH	64
#define THREADS	65536

/*
 * Pairs
 */

/**
 * struct pair - two events of which the second ends what the first begins
 * @begin: the first
 * @end: the second
 * @interrupts: what is between them is done in the place of a thread
 * @again: it can begin again before it ends
 * @seen: how often one had the other
 */
struct pair {
	char begin[64];
	char end[64];
	bool interrupts;
	bool again;
	unsigned long seen;
};

static struct pair pairs[128];
static unsigned int nr_pairs;
/* By the number of an event: the pair, in which it is the first or the second. */
static struct pair *begins[512], *ends[512];

/* Not from one to the other in one context, so they have no place in its stack. */
static bool is_loose(const char *name)
{
	static const char * const loose[] = {
		"power/hotplug", "mm/swap", "timer/tick", "block/",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(loose); i++)
		if (!strncmp(name, loose[i], strlen(loose[i])))
			return true;
	return false;
}

static bool is_interrupt(const char *name)
{
	static const char * const interrupts[] = {
		"irq/entry", "irq/softirq_entry", "irq/vector_entry",
		"irq/local_timer_entry", "irq/nmi_entry",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(interrupts); i++)
		if (!strcmp(name, interrupts[i]))
			return true;
	return false;
}

/* Make pairs of the events whose names say that they are some. */
static void pairs_find(void)
{
	static const char * const words[][2] = {
		{ "entry", "exit" }, { "begin", "end" }, { "enter", "exit" },
	};
	char path[128], *name;
	FILE *f = popen("cd " SYS "events && echo */*_* */entry */begin */enter", "r");
	unsigned int i;

	while (fscanf(f, "%ms", &name) == 1) {
		for (i = 0; i < ARRAY_SIZE(words); i++) {
			struct pair *p = &pairs[nr_pairs];
			int stem = strlen(name) - strlen(words[i][0]);

			if (stem < 0 || strcmp(name + stem, words[i][0]) || is_loose(name))
				continue;
			snprintf(p->begin, sizeof(p->begin), "%s", name);
			snprintf(p->end, sizeof(p->end), "%.*s%s", stem, name, words[i][1]);
			snprintf(path, sizeof(path), SYS "events/%s", p->end);
			if (access(path, F_OK))
				continue;
			p->interrupts = is_interrupt(name);
			/* Who was woken looks whether to wait on. */
			p->again = !strcmp(name, "waitq/begin");
			begins[strtoul(get("events/%s/id", p->begin), NULL, 10)] = p;
			ends[strtoul(get("events/%s/id", p->end), NULL, 10)] = p;
			nr_pairs++;
		}
		free(name);
	}
	pclose(f);
}

/*
 * Contexts
 */

/**
 * struct context - what a thread, or an interrupted CPU, is in the middle of
 * @open: what has begun, the outermost first
 * @depth: how many
 * @signalled: the last end of a wait, if a signal was its reason
 * @whole: it is known from its begin
 * @ends: the thread is about to end
 */
struct context {
	const struct record *open[DEPTH];
	unsigned int depth;
	const struct record *signalled;
	bool whole;
	bool ends;
};

static struct context *threads[THREADS], idle[CPUS_MAX], interrupted[CPUS_MAX];
static unsigned int errors;

static struct context *thread_of(int tid, unsigned int cpu)
{
	if (!tid)
		return &idle[cpu];
	if (tid < 0 || tid >= THREADS)
		return NULL;
	if (!threads[tid])
		threads[tid] = calloc(1, sizeof(*threads[tid]));
	return threads[tid];
}

static void contexts_clear(void)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++) {
		free(threads[i]);
		threads[i] = NULL;
	}
	memset(idle, 0, sizeof(idle));
	memset(interrupted, 0, sizeof(interrupted));
}

static void complain(const struct record *r, const struct context *c, const char *what)
{
	unsigned int i;

	if (errors++ >= 10)
		return;
	printf("# %llu cpu%u tid %d %s: %s\n", r->time, r->cpu, r->tid, r->event->name, what);
	for (i = 0; i < c->depth; i++)
		printf("#	in %s of cpu%u, %llu\n", c->open[i]->event->name,
		       c->open[i]->cpu, c->open[i]->time);
}

static void begin(struct context *c, const struct record *r, const struct pair *p)
{
	if (p->again && c->depth && c->open[c->depth - 1]->event == r->event)
		return;
	if (c->depth == DEPTH)
		die("%s is nested too deeply", r->event->name);
	c->open[c->depth++] = r;
}

/*
 * Of a wait that a signal ended although what it waited for had come, there is a
 * second end.
 */
static bool is_second(struct context *c, const struct record *r)
{
	const struct record *first = c->signalled;

	if (!is(r, "waitq/end"))
		return false;
	c->signalled = num(r, "result") ? r : NULL;
	return first && !c->signalled && num(first, "queue") == num(r, "queue");
}

static void end(struct context *c, const struct record *r, struct pair *p)
{
	const struct record *top = c->depth ? c->open[c->depth - 1] : NULL;

	if (is_second(c, r) && (!top || begins[top->event->id] != p))
		return;
	if (!c->depth) {
		if (c->whole)
			complain(r, c, "ends what has not begun");
		return;
	}
	if (begins[top->event->id] != p)
		complain(r, c, "crosses what has begun after it");
	else
		p->seen++;
	c->depth--;
}

/* Another thread runs on the CPU: nothing is interrupted there any more. */
static void switched(const struct record *r)
{
	struct context *c = &interrupted[r->cpu], *prev = thread_of(r->tid, r->cpu);

	if (c->depth)
		complain(r, c, "in an interrupt");
	c->depth = 0;
	c->whole = true;
	if (prev && prev->ends && num(r, "prev_state") & 0x80) {
		prev->depth = 0;
		prev->ends = false;
	}
}

/* A CPU's idle thread begins anew when it comes up. */
static void hotplugged(const struct record *r)
{
	struct context *c = &idle[num(r, "cpu")];

	if (num(r, "up"))
		memset(c, 0, sizeof(*c));
}

static void follow(const struct record *r)
{
	struct pair *first = begins[r->event->id], *second = ends[r->event->id];
	struct context *c = &interrupted[r->cpu];
	struct context *thread = thread_of(r->tid, r->cpu);

	if (is(r, "sched/switch"))
		return switched(r);
	if (is(r, "power/hotplug_begin"))
		return hotplugged(r);
	if (is(r, "process/fork")) {
		struct context *child = thread_of(num(r, "child_tid"), r->cpu);

		memset(child, 0, sizeof(*child));
		return;
	}
	if (is(r, "process/exit") && thread)
		thread->ends = true;
	if (!c->depth && !(first && first->interrupts) && !(second && second->interrupts))
		c = thread;
	if (!c)
		return;
	if (first)
		begin(c, r, first);
	else if (second)
		end(c, r, second);
}

static __u64 first_time(const struct trace *trace, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < trace->nr; i++)
		if (trace->record[i].cpu == cpu)
			return trace->record[i].time;
	return 0;
}

/* Follow all CPUs from where there are records of each. */
static size_t check(const struct trace *trace)
{
	__u64 from = 0, time;
	unsigned int cpu;
	size_t i;

	for (cpu = 0; cpu < trace->cpus; cpu++) {
		time = first_time(trace, cpu);
		from = time > from ? time : from;
	}
	contexts_clear();
	for (i = 0; i < trace->nr && trace->record[i].time < from; i++)
		;
	for (from = i; i < trace->nr; i++)
		follow(&trace->record[i]);
	return trace->nr - from;
}

/*
 * Load
 */

static void load_fork(unsigned int n)
{
	pid_t child = n % 2 ? fork() : vfork();

	if (!child) {
		execl("/bin/busybox", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

static void load_files(unsigned int n)
{
	char name[32], data[8192] = "";
	struct pollfd fds = { .events = POLLIN };
	struct timeval now = { };
	fd_set set;
	int fd, epoll = epoll_create1(0);

	snprintf(name, sizeof(name), "/tmp/pairs.%d", getpid());
	fd = open(name, O_RDWR | O_CREAT, 0600);
	fds.fd = fd;
	if (write(fd, data, sizeof(data)) < 0 || lseek(fd, n % 100, SEEK_SET) < 0 ||
	    read(fd, data, sizeof(data)) < 0 || fsync(fd))
		_exit(2);
	poll(&fds, 1, 0);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	select(fd + 1, &set, NULL, NULL, &now);
	epoll_wait(epoll, &(struct epoll_event) { }, 1, 1);
	close(epoll);
	close(fd);
	unlink(name);
}

static void load_memory(unsigned int n)
{
	size_t i, size = (n % 64 + 1) * 4096;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (i = 0; i < size; i += 4096)
		p[i] = 1;
	mprotect(p, size, PROT_READ);
	munmap(p, size);
	if (sbrk(8192) != (void *)-1)
		sbrk(-8192);
}

static void catch(int sig)
{
	(void)sig;
}

static void load_signals(unsigned int n)
{
	struct itimerval soon = { .it_value.tv_usec = 200 };

	signal(SIGUSR1, catch);
	signal(SIGTRAP, catch);
	signal(SIGALRM, catch);
	kill(getpid(), SIGUSR1);
	asm volatile("int3");
	setitimer(ITIMER_REAL, &soon, NULL);
	usleep(300 + n % 100);
}

/* A connection, and what goes over it. */
static void load_net(unsigned int n)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t size = sizeof(to);
	char data[1000] = "";
	int peer;

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (void *)&to, size) || listen(server, 1) ||
	    getsockname(server, (void *)&to, &size) || connect(client, (void *)&to, size))
		_exit(3);
	peer = accept(server, NULL, NULL);
	if (send(client, data, n % sizeof(data) + 1, 0) < 0 || recv(peer, data, 1, 0) != 1)
		_exit(4);
	close(peer);
	close(client);
	close(server);
}

static void *contend(void *arg)
{
	pthread_mutex_t *mutex = arg;
	int i;

	for (i = 0; i < 50; i++) {
		pthread_mutex_lock(mutex);
		sched_yield();
		pthread_mutex_unlock(mutex);
	}
	return NULL;
}

static void load_threads(unsigned int n)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	struct sembuf ops[] = { { .sem_op = 1 }, { .sem_op = -1 } };
	int sem = semget(IPC_PRIVATE, 1, 0600);
	pthread_t other;

	(void)n;
	if (pthread_create(&other, NULL, contend, &mutex))
		_exit(5);
	contend(&mutex);
	pthread_join(other, NULL);
	semop(sem, ops, 2);
	semctl(sem, 0, IPC_RMID);
}

/* A process that another answers; both move between CPUs when one goes. */
static void load_pipe(unsigned int n)
{
	int there[2], back[2], i;
	char c = 0;

	if (pipe(there) || pipe(back))
		_exit(6);
	if (!fork()) {
		for (i = 0; i < 20; i++)
			if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				_exit(7);
		/* One that is killed in the middle of a call. */
		kill(getpid(), n % 2 ? SIGKILL : SIGSEGV);
	}
	for (i = 0; i < 20; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			_exit(8);
	wait(NULL);
	for (i = 0; i < 2; i++) {
		close(there[i]);
		close(back[i]);
	}
}

static void load_disk(unsigned int n)
{
	int fd = open("/dev/vda", O_RDONLY | (n % 2 ? O_DIRECT : 0));
	char *page = aligned_alloc(4096, 4096);

	if (fd < 0 || pread(fd, page, 4096, n % 1000 * 4096) < 0)
		_exit(9);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	free(page);
}

static void (*const loads[])(unsigned int n) = {
	load_fork, load_files, load_memory, load_signals, load_net, load_threads,
	load_pipe, load_disk,
};

static pid_t children[ARRAY_SIZE(loads)];

static void loads_start(void)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		children[i] = fork();
		if (children[i])
			continue;
		for (n = 0;; n++) {
			loads[i](n);
			usleep(1000);
		}
	}
}

static bool loads_end(void)
{
	unsigned int i;
	int status;
	bool good = true;

	for (i = 0; i < ARRAY_SIZE(loads); i++) {
		if (waitpid(children[i], &status, WNOHANG)) {
			printf("# load %u has ended: 0x%x\n", i, status);
			good = false;
			continue;
		}
		kill(children[i], SIGKILL);
		waitpid(children[i], &status, 0);
	}
	return good;
}

/* Record for a while; meanwhile CPU 1 goes and comes. */
static size_t round_run(bool *format)
{
	struct trace *trace;
	size_t n;

	put("buffers/test/reset", "1");
	put("masksets/current", "all");
	usleep(ROUND * 1000000 / 4);
	put(ONLINE, "0");
	usleep(ROUND * 1000000 / 4);
	put(ONLINE, "1");
	usleep(ROUND * 1000000 / 2);
	put("masksets/current", "none");
	trace = trace_read("test");
	*format = *format && !trace->errors;
	trace->cpus = possible_cpus();
	n = check(trace);
	trace_free(trace);
	return n;
}

/* What the load is made to do, in pairs that at least must have been seen. */
static bool all_seen(void)
{
	static const char * const must[] = {
		"syscall/enter", "sched/schedule_entry", "irq/local_timer_entry",
		"irq/softirq_entry", "exception/page_fault_entry", "exception/trap_entry",
		"fs/read_entry", "mm/mmap_entry", "timer/hrtimer_expire_entry",
		"waitq/begin", "workqueue/begin", "ipc/futex_wait_begin", "mm/page_alloc_entry",
	};
	bool good = true;
	unsigned int i, k;

	for (i = 0; i < nr_pairs; i++)
		printf("# %8lu %s, %s\n", pairs[i].seen, pairs[i].begin, pairs[i].end);
	for (i = 0; i < ARRAY_SIZE(must); i++) {
		for (k = 0; k < nr_pairs && strcmp(pairs[k].begin, must[i]); k++)
			;
		if (k < nr_pairs && pairs[k].seen)
			continue;
		printf("# none of %s was seen\n", must[i]);
		good = false;
	}
	return good;
}

int main(int argc, char **argv)
{
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 10);
	bool format = true, seen;
	size_t records = 0;

	ksft_print_header();
	ksft_set_plan(4);
	pairs_find();
	put("masksets/current", "none");
	put("buffers/create", "test size=16M");
	put("buffers/current", "test");
	loads_start();
	do
		records += round_run(&format);
	while (time(NULL) < end);
	put("buffers/current", "boot");
	put("masksets/current", "default");
	put("buffers/remove", "test");
	ksft_test_result(loads_end(), "the load went on\n");
	ksft_test_result(format, "packets and records are as they should be\n");
	seen = all_seen();
	ksft_test_result(seen, "there were pairs of each kind\n");
	printf("# %zu records, %u wrong\n", records, errors);
	ksft_test_result(!errors, "each end has its begin, and none cross\n");
	ksft_finished();
}
