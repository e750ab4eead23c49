/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where packets come from: the running kernel, a directory, or a dump. All of
 * them give one stream of finished packets for each CPU.
 */
#ifndef LKST_SOURCE_H
#define LKST_SOURCE_H

#include "control.h"
#include "dump.h"
#include "metadata.h"
#include "names.h"

/**
 * struct packet_source - the packets of one CPU
 * @next: get the next one into @packet; false at the end
 * @check: do to @packet what packet_finish() does; there is something left of it
 * @over: when following: does nothing come but what there is?
 * @free: free it
 * @packet: the one at hand, to be read only
 * @cpu: its CPU
 * @skip: words of @packet that were given out before, or 0
 * @torn: the packet before it was given out in part, and the rest overwritten
 * @open: more of it may come
 * @since: ticks; what was before that is left out
 * @unchecked: @packet seems sound; at the first record that is not, @check is to be called
 */
struct packet_source {
	bool (*next)(struct packet_source *s);
	void (*check)(struct packet_source *s);
	bool (*over)(struct packet_source *s);
	void (*free)(struct packet_source *s);
	struct lkst_packet *packet;
	u32 cpu;
	u32 skip;
	bool torn;
	bool open;
	u64 since;
	bool unchecked;
};

/**
 * struct trace - a buffer that was opened to be read
 * @metadata: how to read it
 * @text: that as text
 * @names: names of threads
 * @source: one for each CPU, in their order
 * @nr: how many
 * @dump: the dump that it is in, or NULL
 * @symbols: names of functions, NULL until they were needed
 * @symbols_file: where those are if it is in no dump
 * @past_text: where the kernel's text began, if it is of the boot before; or 0
 * @parts: directories of the parts that it is read from, if it is in parts
 * @unpacked: from an archive: its files are removed once they are open
 * @consumed: what is read is gone then
 * @buffer: the running kernel's buffer that was opened, or is followed by now
 * @uuid: of what was in it then
 * @now: when following, the clock when that was looked at
 * @since: the clock when it was looked at first: what was before that is left out of
 *	buffers that come later
 * @opt: the options for the running kernel
 */
struct trace {
	struct metadata *metadata;
	char *text;
	struct names *names;
	struct packet_source **source;
	size_t nr;
	size_t room;
	struct dump *dump;
	struct symbols *symbols;
	char *symbols_file;
	u64 past_text;
	struct strings parts;
	bool unpacked;
	bool consumed;
	char *buffer;
	u8 uuid[LKST_UUID_SIZE];
	u64 now;
	u64 since;
	const struct trace_options *opt;
};

/**
 * struct trace_options - which buffer to open
 * @buffer: its name, or NULL for the current, or only one
 * @wanted: says whether a CPU is wanted
 * @arg: for @wanted
 * @dump: how to look in a dump
 * @follow: the running kernel: packets end where there is nothing new by now, and
 *	go on when they are asked for again
 */
struct trace_options {
	const char *buffer;
	bool (*wanted)(u32 cpu, void *arg);
	void *arg;
	struct dump_options dump;
	bool follow;
};

/* Is a source a dump? Else it is a directory, an archive of one, or the running kernel. */
bool source_is_dump(const char *path);

/* Open a directory, an archive or a dump, or the running kernel's trace if @path is NULL. */
struct trace *trace_open(const char *path, const struct trace_options *opt);
void trace_close(struct trace *t);

/*
 * When following, see where the kernel records by now: what is there is read too from
 * now on. Return: false if nothing will come any more.
 */
bool trace_look(struct trace *t);

/* Have the rings with this uuid been opened? */
bool trace_has_rings(const struct trace *t, const u8 *uuid);

/* Open what is in t->buffer by now, beside what is open. */
void trace_add_rings(struct trace *t);

/* Is a buffer of the running kernel in discard mode? */
bool is_discard(const char *buffer);

/* Begin again with the packets of a trace in a dump. */
void trace_rewind(struct trace *t);

/* Names of functions, as far as they can be had. */
struct symbols *trace_symbols(struct trace *t);

#endif /* LKST_SOURCE_H */
