// SPDX-License-Identifier: GPL-2.0
/* LKST's files, and what is in its buffers, for the tests. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trace.h"

#define EVENTS_MAX	512

static struct event events[EVENTS_MAX];
static unsigned int nr_events;

void die(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	printf("Bail out! ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	exit(1);
}

/* Paths are LKST's in sysfs unless they say more. */
static const char *full(const char *path)
{
	static char buf[512];

	snprintf(buf, sizeof(buf), "%s%s", *path == '/' ? "" : SYS, path);
	return buf;
}

int try_put(const char *path, const char *text, size_t size)
{
	int fd = open(full(path), O_WRONLY), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, size) < 0)
		err = -errno;
	close(fd);
	return err;
}

void put(const char *path, const char *format, ...)
{
	char text[256];
	va_list args;
	int err;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	err = try_put(path, text, strlen(text));
	if (err)
		die("cannot write '%s' to %s: %s", text, path, strerror(-err));
}

long long ksym(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	unsigned long long address;
	char symbol[128];

	while (file && fscanf(file, "%llx %*c %127s%*[^\n]", &address, symbol) == 2) {
		if (!strcmp(symbol, name)) {
			fclose(file);
			return address;
		}
	}
	die("no symbol %s", name);
}

const char *get(const char *format, ...)
{
	static char text[65536];
	char path[256];
	va_list args;
	ssize_t n, size = 0;
	int fd;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	fd = open(full(path), O_RDONLY);
	if (fd < 0)
		die("cannot open %s: %s", path, strerror(errno));
	while ((n = read(fd, text + size, sizeof(text) - 1 - size)) > 0)
		size += n;
	if (n < 0)
		die("cannot read %s: %s", path, strerror(errno));
	close(fd);
	if (size && text[size - 1] == '\n')
		size--;
	text[size] = '\0';
	return text;
}

__u64 counter(const char *buffer, unsigned int cpu, const char *name)
{
	return strtoull(get("buffers/%s/cpu%u/%s", buffer, cpu, name), NULL, 10);
}

unsigned int possible_cpus(void)
{
	char path[64];
	unsigned int n;

	for (n = 0; n < CPUS_MAX; n++) {
		snprintf(path, sizeof(path), SYS "buffers/boot/cpu%u", n);
		if (access(path, F_OK))
			break;
	}
	return n;
}

__u64 clock_hz(void)
{
	const char *line = strstr(get(PROC "status"), "clock");
	__u64 hz;

	if (!line || sscanf(line, "clock %*[a-z], %llu Hz", &hz) != 1)
		die("no clock in status");
	return hz;
}

/*
 * The catalogue of events
 */

/* "TYPE NAME[COUNT] UNIT: text" */
static void field_parse(struct event *event, const char *line, unsigned int *offset)
{
	struct field *f = &event->field[event->nr_fields++];
	char type[16], name[64], *bracket;

	if (event->nr_fields > FIELDS_MAX ||
	    sscanf(line, "%15s %63[^ :]", type, name) != 2)
		die("%s: a field that is not understood: %s", event->name, line);
	bracket = strchr(name, '[');
	f->count = bracket ? strtoul(bracket + 1, NULL, 10) : 1;
	if (bracket)
		*bracket = '\0';
	snprintf(f->name, sizeof(f->name), "%.31s", name);
	f->offset = *offset;
	if (!strcmp(type, "utf8")) {
		f->type = 't';
		if (f->count == LKST_TEXT_MAX)
			f->count = 0;
		*offset += f->count ?: 4;
	} else {
		f->type = *type;
		f->size = strtoul(type + 1, NULL, 10) / 8;
		*offset += f->size * f->count;
	}
}

static void event_load(const char *group, const char *name)
{
	struct event *event = &events[nr_events++];
	unsigned int offset = 0;
	char *lines, *line;

	if (nr_events > EVENTS_MAX)
		die("too many events");
	snprintf(event->name, sizeof(event->name), "%s/%s", group, name);
	event->id = strtoul(get("events/%s/id", event->name), NULL, 10);
	lines = strdup(get("events/%s/fields", event->name));
	for (line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		field_parse(event, line, &offset);
	free(lines);
}

static void catalogue_load(void)
{
	static const char find[] = "cd " SYS "events && ls -d */*";
	char group[32], name[32];
	FILE *f;

	if (nr_events)
		return;
	f = popen(find, "r");
	while (f && fscanf(f, " %31[^/]/%31[^\n]", group, name) == 2)
		event_load(group, name);
	if (!f || pclose(f) || !nr_events)
		die("no events in " SYS "events");
}

/* The names of the events that were met, for what finish() of functions.sh says. */
static void events_met(void)
{
	FILE *file = fopen("/tmp/fired", "a");
	unsigned int i;

	for (i = 0; file && i < nr_events; i++)
		if (events[i].met)
			fprintf(file, "%s\n", events[i].name);
	if (file)
		fclose(file);
}

static const struct event *event_by_id(unsigned int id)
{
	static bool told;
	unsigned int i;

	if (!told)
		atexit(events_met);
	told = true;
	for (i = 0; i < nr_events; i++)
		if (events[i].id == id) {
			events[i].met = true;
			return &events[i];
		}
	return NULL;
}

static const struct field *field_find(const struct event *event, const char *name)
{
	unsigned int i;

	for (i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->field[i].name, name))
			return &event->field[i];
	die("%s has no field %s", event->name, name);
}

bool is(const struct record *record, const char *event)
{
	return !strcmp(record->event->name, event);
}

static long long number(const struct record *record, const struct field *f,
			unsigned int index)
{
	const void *at = (const char *)record->payload + f->offset + index * f->size;

	if (f->offset + (index + 1) * f->size > record->size)
		die("%s: %s is cut off", record->event->name, f->name);
	switch (f->size) {
	case 2:
		return *(const __u16 *)at;
	case 4:
		if (f->type == 's')
			return *(const __s32 *)at;
		return *(const __u32 *)at;
	default:
		return *(const __u64 *)at;
	}
}

long long num(const struct record *record, const char *field)
{
	return number(record, field_find(record->event, field), 0);
}

__u64 num_at(const struct record *record, const char *field, unsigned int index)
{
	return number(record, field_find(record->event, field), index);
}

static const char *text_of(const struct record *record, const struct field *f)
{
	static char buf[LKST_TEXT_MAX + 1];
	const char *at = (const char *)record->payload + f->offset;
	unsigned int size = f->count;

	if (!size) {
		size = *(const __u32 *)at;
		at += 4;
	}
	if (size > LKST_TEXT_MAX || at + size > (const char *)record->payload + record->size)
		die("%s: %s is cut off", record->event->name, f->name);
	memcpy(buf, at, size);
	buf[size] = '\0';
	return buf;
}

const char *text(const struct record *record, const char *field)
{
	return text_of(record, field_find(record->event, field));
}

/* As a line of /proc/lkst/trace. */
void record_print(const struct record *record, __u64 hz)
{
	unsigned __int128 ns = (unsigned __int128)record->time * 1000000000 / hz;
	const struct event *event = record->event;
	unsigned int i, j;

	printf("%5llu.%09llu cpu%-3u %6d %s", (__u64)ns / 1000000000,
	       (__u64)ns % 1000000000, record->cpu, record->tid, event->name);
	for (i = 0; i < event->nr_fields; i++) {
		const struct field *f = &event->field[i];

		printf(" %s=", f->name);
		if (f->type == 't')
			printf("\"%s\"", text_of(record, f));
		for (j = 0; f->type != 't' && j < f->count; j++)
			printf(f->type == 'x' ? "%s0x%llx" : f->type == 'u' ? "%s%llu" :
			       "%s%lld", j ? "," : "", number(record, f, j));
	}
	printf("\n");
}

/*
 * Packets
 */

static void wrong(struct trace *trace, unsigned int cpu, const struct lkst_packet *packet,
		  const char *what)
{
	trace->errors++;
	printf("# cpu%u packet %llu: %s\n", cpu, packet->seq, what);
}

static void record_add(struct trace *trace, const struct record *record)
{
	if (!(trace->nr & (trace->nr + 1)))
		trace->record = realloc(trace->record, (trace->nr + 1) * 2 *
					sizeof(*trace->record));
	if (!trace->record)
		die("no memory");
	trace->record[trace->nr++] = *record;
}

static void header_check(struct trace *trace, unsigned int cpu,
			 const struct lkst_packet *p, const struct lkst_packet *last)
{
	if (p->magic != LKST_PACKET_MAGIC || p->stream || p->cpu != cpu || p->spare)
		wrong(trace, cpu, p, "bad header");
	if (p->end < p->begin)
		wrong(trace, cpu, p, "end before begin");
	if (p->content_size > p->packet_size || p->content_size < sizeof(*p) * 8 ||
	    p->content_size % 64)
		wrong(trace, cpu, p, "bad content size");
	if (!last)
		return;
	if (memcmp(p->uuid, last->uuid, sizeof(p->uuid)))
		wrong(trace, cpu, p, "another uuid");
	if (p->packet_size != last->packet_size)
		wrong(trace, cpu, p, "another packet size");
	if (p->seq != last->seq + 1)
		wrong(trace, cpu, p, "sequence number does not rise by one");
	if (p->begin < last->end)
		wrong(trace, cpu, p, "begins before the one before ends");
	if (p->discarded < last->discarded)
		wrong(trace, cpu, p, "discarded falls");
}

/* Take the record at @word apart. Return: its length, 0 if it is none. */
static unsigned int record_parse(const __u64 *word, unsigned int left, __u64 time,
				 struct record *r)
{
	unsigned int length = LKST_RECORD_WORDS(*word), head = 1;
	__u32 id = LKST_RECORD_ID(*word);

	r->extended = id == LKST_ID_EXTENDED;
	if (!length || length > left || length < 1u + r->extended)
		return 0;
	if (r->extended) {
		id = *word >> 32;
		r->time = word[1];
		head = 2;
	} else {
		r->time = time + (__u32)(LKST_RECORD_TIME(*word) - (__u32)time);
	}
	r->event = event_by_id(id);
	r->payload = word + head;
	r->size = (length - head) * 8;
	return r->event ? length : 0;
}

static void packet_parse(struct trace *trace, const struct lkst_packet *p,
			 unsigned int nr_packets, int *tid)
{
	struct ring *ring = &trace->ring[p->cpu];
	const __u64 *word = (const __u64 *)p;
	unsigned int words = p->content_size / 64, i, length, n = 0;
	unsigned int lap = 1 + p->seq / nr_packets % LKST_RECORD_LAPS;
	struct record r = { .cpu = p->cpu, .packet = p->seq };
	__u64 time = p->begin;

	for (i = LKST_PACKET_WORDS; i < words; i += length) {
		length = record_parse(&word[i], words - i, time, &r);
		if (!length)
			return wrong(trace, p->cpu, p, "a record that is none");
		if (nr_packets && LKST_RECORD_LAP(word[i]) != lap)
			wrong(trace, p->cpu, p, "wrong lap");
		if (!(word[i] & LKST_RECORD_FINISHED) || is(&r, "lkst/unfinished"))
			ring->unfinished++;
		if (r.time < time)
			wrong(trace, p->cpu, p, "time goes back");
		if (!r.extended && r.time >> 32 != time >> 32)
			ring->wraps++;
		time = r.time;
		r.tid = *tid;
		record_add(trace, &r);
		if (is(&r, "sched/switch"))
			*tid = num(&r, "next_tid");
		n++;
	}
	if (time > p->end)
		wrong(trace, p->cpu, p, "ends before its last record");
	if (n != p->reserved)
		wrong(trace, p->cpu, p, "another number of records than it says");
	ring->records += n;
}

void ring_read(struct ring *ring, int fd)
{
	size_t room = ring->size;
	ssize_t n;

	do {
		if (room < ring->size + 65536) {
			room = 2 * (ring->size + 65536);
			ring->bytes = realloc(ring->bytes, room);
			if (!ring->bytes)
				die("no memory");
		}
		n = read(fd, ring->bytes + ring->size, room - ring->size);
		if (n > 0)
			ring->size += n;
	} while (n > 0);
	if (n < 0)
		die("cannot read packets: %s", strerror(errno));
}

void ring_parse(struct trace *trace, unsigned int cpu, unsigned int nr_packets)
{
	struct ring *ring = &trace->ring[cpu];
	const struct lkst_packet *p, *last = NULL;
	size_t at;
	int tid = -1;

	catalogue_load();
	for (at = 0; at < ring->size; at += p->packet_size / 8) {
		p = (void *)(ring->bytes + at);
		if (ring->size - at < sizeof(*p) || p->packet_size / 8 > ring->size - at ||
		    p->packet_size / 8 < LKST_PACKET_MIN)
			return wrong(trace, cpu, p, "not a whole packet");
		header_check(trace, cpu, p, last);
		if (!last)
			ring->first = p->seq;
		/* A ring's first one was begun on whatever CPU made the ring. */
		if (p->seq)
			tid = p->tid;
		packet_parse(trace, p, nr_packets, &tid);
		ring->discarded = p->discarded;
		ring->packets++;
		last = p;
	}
}

static int record_compare(const void *a, const void *b)
{
	const struct record *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->payload < y->payload ? -1 : x->payload > y->payload;
}

void trace_sort(struct trace *trace)
{
	unsigned int cpu;

	/* Where packets lie in memory is their order in the ring. */
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		if (trace->ring[cpu].size)
			trace->cpus = cpu + 1;
	qsort(trace->record, trace->nr, sizeof(*trace->record), record_compare);
}

struct trace *trace_read(const char *buffer)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	unsigned int cpu, nr_packets;
	char path[128];
	int fd;

	nr_packets = strtoull(get("buffers/%s/size", buffer), NULL, 10) /
		     strtoull(get("buffers/%s/packet", buffer), NULL, 10);
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		snprintf(path, sizeof(path), PROC "buffers/%s/cpu%u", buffer, cpu);
		fd = open(path, O_RDONLY);
		if (fd < 0 && errno == ENOENT)
			break;
		if (fd < 0)
			die("cannot open %s: %s", path, strerror(errno));
		ring_read(&trace->ring[cpu], fd);
		close(fd);
		ring_parse(trace, cpu, nr_packets);
	}
	trace_sort(trace);
	return trace;
}

void trace_free(struct trace *trace)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		free(trace->ring[cpu].bytes);
	free(trace->record);
	free(trace);
}

/*
 * Recording
 */

/* Whose records a CPU has is known from its first switch on: leave it, come back. */
static void arrive(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	pin(CPU_ISSET(0, &set) && CPU_COUNT(&set) == 1);
	sched_setaffinity(0, sizeof(set), &set);
}

void record_begin(const char *options, const char * const *events)
{
	char path[128];

	put("masksets/create", "test");
	for (; *events; events++) {
		snprintf(path, sizeof(path), "masksets/test/%s", *events);
		put(path, "record");
	}
	put("buffers/create", "test %s", options);
	/* In this order the buffer gets only these events. */
	put("masksets/current", "test");
	put("buffers/current", "test");
	arrive();
}

void record_remove(void)
{
	put("buffers/current", "boot");
	put("masksets/current", "default");
	put("masksets/remove", "test");
	put("buffers/remove", "test");
}

struct trace *record_end(void)
{
	struct trace *trace;
	unsigned int cpu;

	put("buffers/current", "boot");
	put("masksets/current", "default");
	for (cpu = 0; cpu < possible_cpus(); cpu++)
		if (counter("test", cpu, "lost") || counter("test", cpu, "overwritten"))
			die("cpu%u lost records", cpu);
	trace = trace_read("test");
	record_remove();
	if (trace->errors)
		die("%u errors in the format", trace->errors);
	return trace;
}

/*
 * Load
 */

void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("cannot run on CPU %u: %s", cpu, strerror(errno));
}

void mark_init(void)
{
	signal(SIGRTMIN, SIG_IGN);
}

void mark(int n)
{
	siginfo_t info = { .si_signo = SIGRTMIN, .si_code = -n };

	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGRTMIN, &info))
		die("cannot send a signal: %s", strerror(errno));
}
