// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace as a witness: both run at the same time, and record by record, in order
 * within one event and thread (for switches and interrupts: and CPU), they must
 * say the same.
 *
 * LKST runs before ftrace begins and after it ends. So each list of ftrace's is
 * part of LKST's, in one piece, and no more of LKST's lies in the time in which
 * ftrace certainly ran.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "trace.h"

#define TRACING	"/sys/kernel/tracing/"
#define VALUES	8
#define CHILDREN	8
#define ROUNDS	50

/**
 * struct item - a record of either
 * @time: TSC
 * @key: what order is kept in: a thread or a CPU
 * @value: its fields
 */
struct item {
	__u64 time;
	long long key;
	long long value[VALUES];
};

/* Whose order is compared. */
enum order { BY_CPU, BY_TASK, BY_VALUE };

/* A field of LKST's, and what is before the same in a line of ftrace's. */
struct pair {
	const char *ours;
	const char *theirs;
	int base;
};

/* An event that both have: numbers that agree, by pairs of fields or by functions. */
struct kind {
	const char *event;
	const char *witness;
	enum order order;
	struct pair pair[VALUES];
	void (*ours)(const struct record *r, long long *value);
	void (*theirs)(const char *line, long long *value);
	/* The first value of those of ours that the witness sees; 0 for all. */
	long long only;
	size_t nr[2];
	struct item *item[2];
};

enum { OURS, THEIRS };

static pid_t children[CHILDREN];

/* The number behind NAME= in a line. */
static long long after(const char *line, const char *name, int base)
{
	const char *at = strstr(line, name);

	return at ? (long long)strtoull(at + strlen(name), NULL, base) : -12345;
}

/* Why a thread leaves: as a letter, with X for one that ends. */
static int state_letter(unsigned int state)
{
	static const char letters[] = "SDTtXZP";
	unsigned int i;

	if (state == 0x10000)
		return '+';
	if ((state & 0x402) == 0x402)
		return 'I';
	if (state & 0x9000)
		return 'D';
	if (state & 0x80)
		return 'X';
	for (i = 0; letters[i]; i++)
		if (state & 1 << i)
			return letters[i];
	return 'R';
}

static void switch_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "prev_tid");
	value[1] = num(r, "prev_prio");
	value[2] = state_letter(num(r, "prev_state"));
	value[3] = num(r, "next_tid");
	value[4] = num(r, "next_prio");
}

static void switch_theirs(const char *line, long long *value)
{
	const char *state = strstr(line, "prev_state=");

	value[0] = after(line, "prev_pid=", 10);
	value[1] = after(line, "prev_prio=", 10);
	value[2] = state ? state[11] : 0;
	if (state && state[12] == '+')
		value[2] = '+';
	if (value[2] == 'Z')
		value[2] = 'X';
	value[3] = after(line, "next_pid=", 10);
	value[4] = after(line, "next_prio=", 10);
}

static void irq_exit_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "irq");
	value[1] = num(r, "ret") != 0;
}

static void irq_exit_theirs(const char *line, long long *value)
{
	value[0] = after(line, " irq=", 10);
	value[1] = !!strstr(line, "ret=handled");
}

static void args_ours(const struct record *r, long long *value)
{
	int i;

	value[0] = num(r, "nr");
	for (i = 0; i < 6; i++)
		value[i + 1] = num_at(r, "arg", i);
}

static void args_theirs(const char *line, long long *value)
{
	const char *at = strstr(line, " (");
	int i;

	value[0] = after(line, " NR ", 10);
	for (i = 0; at && i < 6; i++) {
		value[i + 1] = strtoull(at + 2, NULL, 16);
		at = strstr(at + 1, ", ");
	}
}

static void return_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "nr");
	value[1] = num(r, "ret");
}

static void return_theirs(const char *line, long long *value)
{
	const char *at = strstr(line, " = ");

	value[0] = after(line, " NR ", 10);
	value[1] = at ? strtoll(at + 3, NULL, 10) : 0;
}

/* A line that tells of something else than the event. */
#define OTHER	-98765

/* Why, ftrace says by name, and what, by a hashed address. */
static void drop_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "site") < 0;
}

static void drop_theirs(const char *line, long long *value)
{
	value[0] = !!strstr(line, "location=");
}

static void socket_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "ret") > 0 ? num(r, "ret") : 0;
}

static void socket_theirs(const char *line, long long *value)
{
	value[0] = after(line, " length = ", 10);
}

static void idle_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "state");
}

static void idle_theirs(const char *line, long long *value)
{
	value[0] = after(line, " state=", 10);
	if (value[0] == 0xffffffff)
		value[0] = OTHER;
}

static void woken_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "cpu");
}

static void woken_theirs(const char *line, long long *value)
{
	value[0] = after(line, " cpu_id=", 10);
	if (after(line, " state=", 10) != 0xffffffff)
		value[0] = OTHER;
}

static void message_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "len");
	value[1] = text(r, "text")[0];
}

static void message_theirs(const char *line, long long *value)
{
	const char *message = strstr(line, ": ") + 2;

	value[0] = strcspn(message, "\n");
	value[1] = *message;
}

/* "253,0 R 4096 () 800 + 8 none,0,0 [COMM]", the size only where it is issued. */
static void block_theirs(const char *line, long long *value)
{
	const char *dev = strstr(line, ": "), *sectors = strstr(line, " + ");
	const char *sector = sectors;

	if (!dev || !sectors)
		return;
	value[0] = strtoull(dev + 2, NULL, 10) << 20 | strtoull(strchr(dev, ',') + 1, NULL, 10);
	while (sector[-1] != ' ')
		sector--;
	value[1] = strtoull(sector, NULL, 10);
	value[2] = strtoull(sectors + 3, NULL, 10);
}

static void block_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "dev");
	value[1] = num(r, "sector");
	value[2] = num(r, "size") / 512;
}

static void cache_theirs(const char *line, long long *value)
{
	value[0] = after(line, " pfn=0x", 16);
	value[1] = after(line, " ino ", 16);
	value[2] = after(line, " ofs=", 10) / 4096;
	value[3] = after(line, " order=", 10);
}

static void cache_ours(const struct record *r, long long *value)
{
	value[0] = num(r, "pfn");
	value[1] = num(r, "ino");
	value[2] = num(r, "index");
	value[3] = num(r, "order");
}

#define DEC(_ours, _theirs)	{ _ours, _theirs, 10 }
#define HEX(_ours, _theirs)	{ _ours, _theirs, 16 }

#define KIND(_event, _witness, _order, ...)				\
	{ .event = (_event), .witness = (_witness), .order = (_order),	\
	  .pair = { __VA_ARGS__ } }

#define VECTOR(_event, _witness, _vector)				\
	{ .event = (_event), .witness = (_witness), .order = BY_CPU,	\
	  .pair = { DEC("vector", " vector=") }, .only = (_vector) }

/* By functions; see above. */
#define SPECIAL(_event, _witness, _order, stem)				\
	{ .event = (_event), .witness = (_witness), .order = (_order),	\
	  .ours = stem##_ours, .theirs = stem##_theirs }

static struct kind kinds[] = {
	SPECIAL("sched/switch", "sched/sched_switch", BY_CPU, switch),
	KIND("sched/wakeup", "sched/sched_wakeup", BY_VALUE,
	     DEC("tid", " pid="), DEC("prio", " prio="), DEC("target", " target_cpu=")),
	KIND("sched/wakeup_new", "sched/sched_wakeup_new", BY_VALUE,
	     DEC("tid", " pid="), DEC("prio", " prio="), DEC("target", " target_cpu=")),
	KIND("sched/migrate", "sched/sched_migrate_task", BY_VALUE,
	     DEC("tid", " pid="), DEC("from", " orig_cpu="), DEC("to", " dest_cpu=")),
	KIND("process/fork", "sched/sched_process_fork", BY_VALUE,
	     DEC("parent_tid", " pid="), DEC("child_tid", " child_pid=")),
	KIND("process/exit", "sched/sched_process_exit", BY_VALUE, DEC("tid", " pid=")),
	KIND("signal/generate", "signal/signal_generate", BY_VALUE,
	     DEC("tid", " pid="), DEC("sig", " sig="), DEC("code", " code="),
	     DEC("group", " grp="), DEC("result", " res=")),
	KIND("signal/deliver", "signal/signal_deliver", BY_TASK,
	     DEC("sig", " sig="), DEC("code", " code="), HEX("handler", " sa_handler=")),
	KIND("irq/entry", "irq/irq_handler_entry", BY_CPU, DEC("irq", " irq=")),
	SPECIAL("irq/exit", "irq/irq_handler_exit", BY_CPU, irq_exit),
	KIND("irq/softirq_raise", "irq/softirq_raise", BY_CPU, DEC("vec", " vec=")),
	KIND("irq/softirq_entry", "irq/softirq_entry", BY_CPU, DEC("vec", " vec=")),
	KIND("irq/softirq_exit", "irq/softirq_exit", BY_CPU, DEC("vec", " vec=")),
	KIND("syscall/enter", "raw_syscalls/sys_enter", BY_TASK,
	     DEC("nr", " NR "), HEX("arg0", " (")),
	SPECIAL("syscall/args", "raw_syscalls/sys_enter", BY_TASK, args),
	SPECIAL("syscall/exit", "raw_syscalls/sys_exit", BY_TASK, return),
	KIND("exception/page_fault_entry", "exceptions/page_fault_user", BY_TASK,
	     HEX("address", " address="), HEX("ip", " ip="), HEX("error", " error_code=")),
	KIND("net/transmit", "net/net_dev_xmit", BY_CPU,
	     DEC("len", " len="), DEC("rc", " rc=")),
	KIND("net/receive", "net/netif_receive_skb", BY_CPU, DEC("len", " len=")),
	KIND("net/napi_poll", "napi/napi_poll", BY_CPU,
	     DEC("work", " work "), DEC("budget", " budget ")),
	SPECIAL("net/drop", "skb/kfree_skb", BY_CPU, drop),
	SPECIAL("net/sock_send", "sock/sock_send_length", BY_TASK, socket),
	SPECIAL("net/sock_receive", "sock/sock_recv_length", BY_TASK, socket),
	KIND("net/sock_state", "sock/inet_sock_set_state", BY_VALUE,
	     DEC("sport", " sport="), DEC("dport", " dport=")),
	SPECIAL("power/idle_begin", "power/cpu_idle", BY_CPU, idle),
	SPECIAL("power/idle_end", "power/cpu_idle", BY_CPU, woken),
	SPECIAL("kernel/printk", "printk/console", BY_CPU, message),
	KIND("timer/start", "timer/timer_start", BY_CPU, DEC("expires", " expires=")),
	KIND("timer/cancel", "timer/timer_cancel", BY_CPU, HEX("timer", "timer=")),
	KIND("timer/hrtimer_start", "timer/hrtimer_start", BY_CPU,
	     HEX("timer", "hrtimer="), DEC("expires", " softexpires=")),
	KIND("timer/hrtimer_cancel", "timer/hrtimer_cancel", BY_CPU,
	     HEX("timer", "timer=")),
	KIND("timer/hrtimer_expire_entry", "timer/hrtimer_expire_entry", BY_CPU,
	     HEX("timer", "hrtimer="), DEC("now", " now=")),
	KIND("timer/hrtimer_expire_exit", "timer/hrtimer_expire_exit", BY_CPU,
	     HEX("timer", "timer=")),
	KIND("workqueue/queue", "workqueue/workqueue_queue_work", BY_CPU,
	     HEX("work", "work struct=")),
	KIND("workqueue/begin", "workqueue/workqueue_execute_start", BY_CPU,
	     HEX("work", "work struct ")),
	KIND("workqueue/end", "workqueue/workqueue_execute_end", BY_CPU,
	     HEX("work", "work struct ")),
	KIND("sched/waking", "sched/sched_waking", BY_VALUE,
	     DEC("tid", " pid="), DEC("prio", " prio=")),
	KIND("irq/local_timer_entry", "irq_vectors/local_timer_entry", BY_CPU),
	KIND("irq/local_timer_exit", "irq_vectors/local_timer_exit", BY_CPU),
	VECTOR("irq/vector_entry", "irq_vectors/call_function_single_entry", 251),
	VECTOR("irq/vector_exit", "irq_vectors/call_function_single_exit", 251),
	VECTOR("irq/vector_entry", "irq_vectors/reschedule_entry", 253),
	VECTOR("irq/vector_exit", "irq_vectors/reschedule_exit", 253),
	SPECIAL("block/bio_queue", "block/block_bio_queue", BY_CPU, block),
	SPECIAL("block/bio_complete", "block/block_bio_complete", BY_CPU, block),
	SPECIAL("block/issue", "block/block_rq_issue", BY_CPU, block),
	SPECIAL("block/complete", "block/block_rq_complete", BY_CPU, block),
	SPECIAL("mm/page_cache_add", "filemap/mm_filemap_add_to_page_cache", BY_CPU,
		cache),
	SPECIAL("mm/page_cache_remove", "filemap/mm_filemap_delete_from_page_cache", BY_CPU,
		cache),
};

static bool is_child(int tid)
{
	int i;

	for (i = 0; i < CHILDREN; i++)
		if (children[i] == tid)
			return true;
	return false;
}

static void ours_get(const struct kind *kind, const struct record *r, long long *value)
{
	const struct pair *pair;

	if (kind->ours)
		kind->ours(r, value);
	for (pair = kind->pair; pair->ours; pair++)
		*value++ = num(r, pair->ours);
}

static void theirs_get(const struct kind *kind, const char *line, long long *value)
{
	const struct pair *pair;

	if (kind->theirs)
		kind->theirs(line, value);
	for (pair = kind->pair; pair->ours; pair++)
		*value++ = after(line, pair->theirs, pair->base);
}

/* Only the children's whole life is seen by both, which what a thread does needs. */
static void item_add(struct kind *kind, int who, struct item *item, unsigned int cpu, int tid)
{
	size_t n = kind->nr[who];

	if (item->value[0] == OTHER)
		return;
	kind->nr[who]++;
	item->key = kind->order == BY_CPU ? cpu : kind->order == BY_TASK ? tid : item->value[0];
	if (kind->order == BY_TASK && !is_child(tid)) {
		kind->nr[who]--;
		return;
	}
	if (!(n & (n + 1)))
		kind->item[who] = realloc(kind->item[who], (n + 1) * 2 * sizeof(*item));
	kind->item[who][n] = *item;
}

static void ours_read(const struct trace *trace)
{
	struct kind *kind;
	size_t i;

	for (i = 0; i < trace->nr; i++) {
		const struct record *r = &trace->record[i];

		for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++) {
			struct item item = { .time = r->time };

			if (!is(r, kind->event))
				continue;
			/* The witness tells faults of user mode apart. */
			if (is(r, "exception/page_fault_entry") && !(num(r, "error") & 4))
				continue;
			ours_get(kind, r, item.value);
			if (kind->only && item.value[0] != kind->only)
				continue;
			item_add(kind, OURS, &item, r->cpu, r->tid);
		}
	}
}

/* "  COMM-TID  [CPU] FLAGS TIME: NAME: FIELDS" */
static void line_read(const char *line)
{
	const char *cpu = line, *tid, *colon, *name;
	struct kind *kind;
	__u64 time;

	do
		cpu = strchr(cpu + 1, '[');
	while (cpu && cpu[4] != ']');
	if (!cpu)
		return;
	for (tid = cpu; tid > line && tid[-1] != '-'; tid--)
		;
	colon = strstr(cpu, ": ");
	if (!colon)
		return;
	for (name = colon; name[-1] != ' '; name--)
		;
	time = strtoull(name, NULL, 10);
	name = colon + 2;
	for (kind = kinds; kind < kinds + ARRAY_SIZE(kinds); kind++) {
		const char *event = strchr(kind->witness, '/') + 1;
		struct item item = { .time = time };

		if (strncmp(name, event, strlen(event)) || name[strlen(event)] != ':')
			continue;
		theirs_get(kind, name, item.value);
		item_add(kind, THEIRS, &item, atoi(cpu + 1), atoi(tid));
	}
}

static void theirs_read(void)
{
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	f = fopen(TRACING "trace", "r");
	if (!f)
		die("no trace of ftrace's");
	while (getline(&line, &size, f) > 0)
		if (*line != '#')
			line_read(line);
	fclose(f);
}

static void item_print(const char *who, const struct item *item)
{
	int i;

	printf("# %s: time %llu, of %lld:", who, item->time, item->key);
	for (i = 0; i < VALUES; i++)
		printf(item->value[i] >> 32 ? " 0x%llx" : " %lld", item->value[i]);
	printf("\n");
}

static bool same_values(const struct item *a, const struct item *b)
{
	return !memcmp(a->value, b->value, sizeof(a->value));
}

/* One thread's, or CPU's, items of a kind. */
struct list {
	struct item *item;
	size_t nr;
};

static struct list list_of(const struct kind *kind, int who, long long key)
{
	struct list list = { };
	size_t i;

	list.item = malloc((kind->nr[who] + 1) * sizeof(*list.item));
	for (i = 0; i < kind->nr[who]; i++)
		if (kind->item[who][i].key == key)
			list.item[list.nr++] = kind->item[who][i];
	return list;
}

/* How many items from @at on agree. */
static size_t agree(const struct list *ours, size_t at, const struct list *theirs)
{
	size_t n = 0;

	while (n < theirs->nr && at + n < ours->nr &&
	       same_values(&ours->item[at + n], &theirs->item[n]))
		n++;
	return n;
}

static __u64 distance(const struct list *ours, size_t at, const struct list *theirs)
{
	__u64 a = ours->item[at].time, b = theirs->item[0].time;

	return a > b ? a - b : b - a;
}

/* The two read the clock at slightly different moments. Where all records are
 * alike, the nearest is the right one.
 */
static size_t best_start(const struct list *ours, const struct list *theirs)
{
	size_t near = 0, at, best, to;

	while (near < ours->nr && ours->item[near].time < theirs->item[0].time)
		near++;
	best = near > 2 ? near - 2 : 0;
	to = near + 2;
	for (at = best; at <= to && at < ours->nr; at++) {
		size_t now = agree(ours, at, theirs), so_far = agree(ours, best, theirs);

		if (now > so_far || (now == so_far &&
				     distance(ours, at, theirs) < distance(ours, best, theirs)))
			best = at;
	}
	return best;
}

/* Does a list of ours that @theirs does not cover lie outside its time? */
static bool outside(const struct list *ours, size_t start, size_t nr, __u64 on, __u64 off)
{
	size_t i;

	for (i = 0; i < ours->nr; i++) {
		if (i >= start && i < start + nr)
			continue;
		if (ours->item[i].time <= on || ours->item[i].time >= off)
			continue;
		item_print("only LKST", &ours->item[i]);
		return false;
	}
	return true;
}

static bool list_compare(struct list *ours, struct list *theirs, __u64 on, __u64 off)
{
	size_t start = theirs->nr ? best_start(ours, theirs) : 0;
	size_t n = agree(ours, start, theirs);

	if (n < theirs->nr) {
		item_print("ftrace", &theirs->item[n]);
		if (start + n < ours->nr)
			item_print("LKST", &ours->item[start + n]);
		return false;
	}
	return outside(ours, start, n, on, off);
}

/* All keys of one kind, each once: those up to @i are done. */
static bool key_is_new(const struct kind *kind, int who, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (kind->item[who][j].key == kind->item[who][i].key)
			return false;
	return true;
}

static bool kind_compare(const struct kind *kind, __u64 on, __u64 off)
{
	bool ok = true;
	size_t i;
	int who;

	for (who = OURS; who <= THEIRS && ok; who++) {
		for (i = 0; i < kind->nr[who] && ok; i++) {
			struct list ours, theirs;

			if (!key_is_new(kind, who, i))
				continue;
			ours = list_of(kind, OURS, kind->item[who][i].key);
			theirs = list_of(kind, THEIRS, kind->item[who][i].key);
			ok = list_compare(&ours, &theirs, on, off);
			free(ours.item);
			free(theirs.item);
		}
	}
	return ok;
}

/*
 * What both see
 */

static void handler(int sig)
{
	(void)sig;
}

/* A connection and a packet that nobody wants, to a port that was @in's once. */
static void refuse(const struct sockaddr_in *in)
{
	struct sockaddr_in to = *in;
	int s = socket(AF_INET, SOCK_STREAM, 0), d = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_port = htons(1);
	if (!connect(s, (void *)&to, sizeof(to)))
		_exit(253);
	sendto(d, "x", 1, 0, (void *)&to, sizeof(to));
	close(s);
	close(d);
}

/* Read some pages of the disk, through the page cache. */
static void disk_read(const char *path, int from)
{
	int i, disk = open(path, O_RDONLY);
	char data[4096];

	posix_fadvise(disk, 0, 0, POSIX_FADV_RANDOM);
	for (i = 0; i < ROUNDS; i++)
		if (pread(disk, data, sizeof(data), (from + i) * 4096L) < 0)
			_exit(253);
	posix_fadvise(disk, from * 4096L, ROUNDS * 4096L, POSIX_FADV_DONTNEED);
	close(disk);
}

/* Packets, signals, faults, calls, sleep, a log, a disk, and a console that interrupts. */
static void child_run(int i)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	int in, out, console, log, round, pair[2], status;
	socklen_t size = sizeof(to);
	char data[2000] = "";
	char *p;

	signal(SIGUSR1, handler);
	if (i % 4)
		pin(i % 2);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	in = socket(AF_INET, SOCK_DGRAM, 0);
	bind(in, (void *)&to, size);
	getsockname(in, (void *)&to, &size);
	out = socket(AF_INET, SOCK_DGRAM, 0);
	console = open("/dev/ttyS0", O_WRONLY | O_NOCTTY);
	log = open("/dev/kmsg", O_WRONLY);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	if (!fork()) {
		while (read(pair[1], data, 1) == 1 && write(pair[1], data, 1) == 1)
			if (*data == 'q')
				break;
		_exit(i);
	}
	for (round = 0; round < ROUNDS; round++) {
		sendto(out, data, i * 100 + round, 0, (void *)&to, size);
		recv(in, data, sizeof(data), 0);
		/* Nobody listens there. */
		refuse(&to);
		kill(getpid(), SIGUSR1);
		*data = round == ROUNDS - 1 ? 'q' : 'a';
		if (write(pair[0], data, 1) == 1 && read(pair[0], data, 1) < 0)
			_exit(255);
		p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
		*p = 1;
		munmap(p, 8192);
		if (round % 8 == 0 && (write(console, "witness\n", 8) < 0 ||
				       write(log, "<7>a witness\n", 13) < 0))
			_exit(254);
		usleep(100);
	}
	tcdrain(console);
	/* One that has requests, and one that has none. */
	disk_read("/dev/vda", i * 2 * ROUNDS);
	disk_read("/dev/ram0", i * 2 * ROUNDS);
	wait(&status);
	_exit(i);
}

static __u64 rdtsc(void)
{
	__u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (__u64)high << 32 | low;
}

/* Whatever a CPU was in the middle of is done when another thread has run there. */
static void visit_all(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < possible_cpus(); cpu++)
		pin(cpu);
}

static void ftrace_prepare(bool on)
{
	char path[128];
	size_t i;

	put(TRACING "tracing_on", "0");
	put(TRACING "trace_clock", on ? "x86-tsc" : "local");
	put(TRACING "options/hash-ptr", on ? "0" : "1");
	put(TRACING "buffer_size_kb", on ? "8192" : "1");
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		snprintf(path, sizeof(path), TRACING "events/%s/enable", kinds[i].witness);
		put(path, on ? "1" : "0");
	}
	if (!on)
		put(TRACING "tracing_on", "1");
}

static void ftrace_check_complete(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < possible_cpus(); cpu++)
		if (!strstr(get(TRACING "per_cpu/cpu%u/stats", cpu), "\noverrun: 0\n"))
			die("ftrace has lost events");
}

static void run(__u64 *on, __u64 *off)
{
	int i, status;

	put(TRACING "tracing_on", "1");
	visit_all();
	*on = rdtsc();
	for (i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		if (!children[i])
			child_run(i);
	}
	for (i = 0; i < CHILDREN; i++)
		wait(&status);
	*off = rdtsc();
	visit_all();
	put(TRACING "tracing_on", "0");
	/* One that ftrace saw at the last moment may not have come to LKST's hook yet. */
	visit_all();
}

int main(void)
{
	static const char *events[ARRAY_SIZE(kinds) + 1];
	struct trace *trace;
	size_t i, total = 0;
	__u64 on, off;

	ksft_print_header();
	if (access(TRACING "events/raw_syscalls/sys_enter/enable", F_OK) ||
	    strcmp(get("clock"), "tsc"))
		ksft_exit_skip("no ftrace here, or not the same clock\n");
	ksft_set_plan(ARRAY_SIZE(kinds) + 1);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		events[i] = kinds[i].event;
	ftrace_prepare(true);
	record_begin("size=32M packet=64K", events);
	run(&on, &off);
	trace = record_end();
	ours_read(trace);
	theirs_read();
	ftrace_check_complete();
	ftrace_prepare(false);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		total += kinds[i].nr[THEIRS];
		ksft_test_result(kind_compare(&kinds[i], on, off) && kinds[i].nr[THEIRS],
				 "%s and %s agree in %zu records\n", kinds[i].event,
				 kinds[i].witness, kinds[i].nr[THEIRS]);
	}
	ksft_test_result(total > 15000, "%zu records were compared\n", total);
	ksft_finished();
}
