/* SPDX-License-Identifier: GPL-2.0 */
/* LKST's files, and what is in its buffers, for the tests. */
#ifndef LKST_SELFTEST_TRACE_H
#define LKST_SELFTEST_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/lkst.h>

#include "../kselftest.h"

#define SYS	"/sys/kernel/lkst/"
#define PROC	"/proc/lkst/"

#define CPUS_MAX	8
#define FIELDS_MAX	24

/**
 * struct field - a field of an event, as its file `fields` describes it
 * @name: its name
 * @type: 'u', 's' or 'x' for a number, 't' for a text
 * @size: bytes of one number
 * @count: numbers in it, or bytes of text; 0 for a text that has its length
 * @offset: where it lies in the payload
 */
struct field {
	char name[32];
	char type;
	unsigned int size;
	unsigned int count;
	unsigned int offset;
};

/**
 * struct event - an event of the running kernel
 * @name: GROUP/EVENT
 * @id: its number
 * @nr_fields: number of @field
 * @field: its fields
 * @met: a record of it was
 */
struct event {
	char name[64];
	unsigned int id;
	unsigned int nr_fields;
	struct field field[FIELDS_MAX];
	bool met;
};

/**
 * struct record - a record
 * @time: in ticks
 * @event: its event
 * @payload: its fields
 * @size: bytes of @payload
 * @cpu: the CPU
 * @tid: the thread that ran, as far as switches were recorded; -1 if unknown
 * @packet: number of its packet
 * @extended: it has the long form of the header
 */
struct record {
	__u64 time;
	const struct event *event;
	const void *payload;
	unsigned int size;
	unsigned int cpu;
	int tid;
	__u64 packet;
	bool extended;
};

/**
 * struct ring - what was read of one CPU
 * @bytes: all packets, one after the other
 * @size: bytes of @bytes
 * @packets: how many they are
 * @records: records in them
 * @unfinished: those of them that were not finished
 * @wraps: how often the low half of the clock wrapped between two of them
 * @discarded: of the last packet
 * @first: number of the first packet
 */
struct ring {
	char *bytes;
	size_t size;
	unsigned int packets;
	unsigned int records;
	unsigned int unfinished;
	unsigned int wraps;
	__u64 discarded;
	__u64 first;
};

/**
 * struct trace - what was read of a buffer
 * @record: all records, in time order
 * @nr: how many
 * @ring: by CPU
 * @cpus: how many
 * @errors: how often the format was violated; each was printed
 */
struct trace {
	struct record *record;
	size_t nr;
	struct ring ring[CPUS_MAX];
	unsigned int cpus;
	unsigned int errors;
};

/* Give up: the test cannot go on. */
void die(const char *format, ...) __printf(1, 2) __noreturn;

/* Write to a file of LKST's, or to any by its full path: 0 or -errno. */
int try_put(const char *path, const char *text, size_t size);
void put(const char *path, const char *format, ...) __printf(2, 3);
/* Read one: the text without its last newline, valid until the next call. */
const char *get(const char *format, ...) __printf(1, 2);

/* The address of a function in the kernel or a module. */
long long ksym(const char *name);
/* A buffer's counter. */
__u64 counter(const char *buffer, unsigned int cpu, const char *name);
unsigned int possible_cpus(void);
/* Ticks of the trace clock a second. */
__u64 clock_hz(void);

/* Create buffer and maskset `test`, with these events (GROUP/all is possible), and
 * switch to both.
 */
void record_begin(const char *options, const char * const *events);
/* Switch back, read the buffer, and remove both; whatever was lost is fatal. */
struct trace *record_end(void);
void record_remove(void);

/* Read what can be read of a buffer; in discard mode that consumes it. */
struct trace *trace_read(const char *buffer);
void trace_free(struct trace *trace);
/* Read the packets in one file into @ring, from where @fd is. */
void ring_read(struct ring *ring, int fd);
/* Check what all packets of @cpu say and add their records to @trace. */
void ring_parse(struct trace *trace, unsigned int cpu, unsigned int nr_packets);
void trace_sort(struct trace *trace);

bool is(const struct record *record, const char *event);
long long num(const struct record *record, const char *field);
__u64 num_at(const struct record *record, const char *field, unsigned int index);
/* A text field, valid until the next call. */
const char *text(const struct record *record, const char *field);
void record_print(const struct record *record, __u64 hz);

/* Run on one CPU only. */
void pin(unsigned int cpu);
/* Send this thread a signal that it ignores: a signal/generate record whose code
 * is -@n.
 */
void mark(int n);
void mark_init(void);

#endif
