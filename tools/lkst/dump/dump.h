/* SPDX-License-Identifier: GPL-2.0 */
/* The trace in a dump: descriptor, directory, buffers, rings, packets. */
#ifndef LKST_DUMP_H
#define LKST_DUMP_H

#include "memsrc.h"
#include "packet.h"

struct metadata;
struct names;
struct symbols;

/* The line of vmcoreinfo that says where the descriptor is. */
#define DESCRIPTOR_KEY	"NUMBER(lkst_descriptor_pa)"

struct dump_packet {
	u64 pa;
	u64 seq;
};

/**
 * struct dump_cpu - the packets of one CPU in one buffer
 * @cpu: its number
 * @ring: a copy of its ring, or NULL if the packets were found by a scan
 * @open_words: words in use in the last packet, 0 if not known
 * @current: number of the ring's current packet
 * @packet: the packets there are, in order
 */
struct dump_cpu {
	u32 cpu;
	u32 open_words;
	u64 current;
	struct lkst_ring *ring;
	struct dump_packet *packet;
	size_t nr;
	size_t room;
};

struct dump_buffer {
	char name[48];
	u8 uuid[LKST_UUID_SIZE];
	bool is_current;
	u32 flags;
	u32 packet_size;
	u32 nr_packets;
	char *head;		/* first part of its metadata, or NULL */
	struct dump_cpu **cpu;
	size_t nr;
	size_t room;
};

/* A piece of what does not lie in one piece: see struct lkst_dirent. */
struct dump_piece {
	u64 index;
	u64 pa;
	u64 size;
};

struct dump_pieces {
	struct dump_piece *piece;
	size_t nr;
	size_t room;
};

/**
 * struct dump - an open dump
 * @mem: its memory
 * @scan: what is on all of its pages, NULL until that was needed
 * @damaged: something did not lead to where it should
 * @have_desc: @desc is good
 * @have_dir: all of the directory that it leads to was read
 * @have_state: @state is good
 * @have_boot_id: @boot_id is that of the boot to look for
 * @desc: the descriptor
 * @state: what the descriptor leads to
 * @boot_id: part of the boot's id that all of its uuids begin with
 * @metadata: pieces of the second part of all metadata
 * @tasks: pieces of the table of task names
 * @body: the second part of all metadata, or NULL
 * @symbols: names of functions, NULL until they were needed
 * @buffer: the buffers
 * @nr: how many
 * @cpus: CPUs in all buffers together
 * @listed: packets in all rings together
 * @copies: bytes of packets that readers have at hand
 * @left_out: CPUs were, as there are too many, which was said
 * @dir: pages of directories that were read
 * @dirs: how many
 */
struct dump {
	struct memsrc *mem;
	struct scan *scan;
	bool damaged;
	bool have_desc;
	bool have_dir;
	bool have_state;
	bool have_boot_id;
	struct lkst_descriptor desc;
	struct lkst_state state;
	u8 boot_id[LKST_BOOT_ID_SIZE];
	struct dump_pieces metadata;
	struct dump_pieces tasks;
	char *body;
	struct symbols *symbols;
	struct dump_buffer **buffer;
	size_t nr;
	size_t room;
	size_t cpus;
	size_t listed;
	size_t copies;
	bool left_out;
	u64 *dir;
	size_t dirs;
	size_t dir_room;
};

/**
 * struct dump_options - how to look for the trace
 * @scan: look at every page, even if vmcoreinfo says where the descriptor is
 * @boot: begin of a boot id in hex: take that boot, if there are several
 * @part: the other files, if the dump is in several parts
 * @parts: how many
 */
struct dump_options {
	bool scan;
	const char *boot;
	const char *const *part;
	size_t parts;
};

/* Can a boot's id begin so? */
#define BOOT_ID_FORM	"the begin of a boot's id, 1 to 32 hexadecimal digits"
bool boot_id_ok(const char *boot);

/* Open a dump and find all there is; NULL if there is nothing, which is said. */
struct dump *dump_open(const char *path, const struct dump_options *opt);
void dump_close(struct dump *d);

/*
 * The metadata of a buffer as text, to be freed, or NULL if it cannot be had. @m
 * is what it says, or NULL if it makes no sense.
 */
char *dump_metadata(struct dump *d, struct dump_buffer *b, struct metadata **m);

/* Add what is in the table of task names. */
void dump_add_names(struct dump *d, struct names *names);

/*
 * In dumpsyms.c: names of the functions of the kernel that the trace is of. There
 * are none in it if the dump does not have them.
 */
struct symbols *dump_symbols(struct dump *d);

/* Is the trace that of the kernel that vmcoreinfo is of, not of a boot before? */
bool dump_is_newest(const struct dump *d);

/* What happened to the packets of one CPU while they were read. */
struct dump_count {
	u64 packets;
	u64 records;
	u64 unfinished;
	u64 strange;		/* records that fit no event, shown as unfinished */
	u64 dropped;		/* packets */
	u64 cut;		/* packets of which the end was dropped */
};

/**
 * struct dump_reader - reads the packets of one CPU one by one
 * @m: what the records have to agree with, or NULL
 * @next: the packet to read next
 * @after: end of the packet read last
 * @lost: records lost up to there
 * @said: what is left to say at the end was said
 * @bad: damaged packets
 * @copy: the packet read last, finished
 * @size: its bytes
 */
struct dump_reader {
	const struct metadata *m;
	struct dump *d;
	struct dump_buffer *b;
	struct dump_cpu *c;
	size_t next;
	u64 after;
	u64 lost;
	bool said;
	u64 bad;
	struct lkst_packet *copy;
	u32 size;
	struct dump_count count;
};

void dump_reader_init(struct dump_reader *r, struct dump *d,
		      struct dump_buffer *b, struct dump_cpu *c,
		      const struct metadata *m);
/* Read the next packet that is fit to be read; says which are not. */
bool dump_reader_next(struct dump_reader *r);
void dump_reader_free(struct dump_reader *r);

/* In scan.c: what a look at every page of the dump brings. */
struct found_packet {
	struct dump_packet at;
	u32 cpu;
	u32 size;
	u8 uuid[LKST_UUID_SIZE];
};

struct found_ring {
	u64 pa;
	u32 cpu;
	u8 uuid[LKST_UUID_SIZE];
};

/* The begin of the second part of metadata. */
struct found_body {
	u64 pa;
	char boot[LKST_BOOT_ID_SIZE * 2];	/* in hexadecimal */
};

/* A page of a directory, and the one that it says comes next. */
struct found_dir {
	u64 pa;
	u64 next;
};

/* Packets and rings by uuid and CPU, the rest by address. */
struct scan {
	struct lkst_descriptor *desc;
	size_t descs, desc_room;
	struct found_dir *dir;
	size_t dirs, dir_room;
	u64 *info;
	size_t infos, info_room;
	struct found_body *body;
	size_t bodies, body_room;
	struct found_ring *ring;
	size_t rings, ring_room;
	struct found_packet *packet;
	size_t packets, packet_room;
	u64 *text;		/* of vmcoreinfo */
	size_t texts, text_room;
};

struct scan *scan_memory(struct memsrc *mem);
void scan_free(struct scan *s);

/* In dump.c: the scan, made if need be. */
struct scan *need_scan(struct dump *d);

/* Is it a descriptor that lies at @pa, of a layout that is known? */
bool descriptor_ok(const struct lkst_descriptor *desc, u64 pa);

/* Can there be a ring of these sizes? */
bool ring_sizes_ok(u32 nr_packets, u32 packet_size);

/* In ring.c: list the packets of a ring. False when it makes no sense. */
bool ring_load(struct dump *d, struct dump_buffer *b, u32 cpu, u64 pa);
/* The same, with what a scan found; rings of which nothing is left are skipped. */
void ring_load_found(struct dump *d, struct dump_buffer *b, const struct found_ring *f);
/* Where a ring's tables do not lead to this packet any more, lead there. */
void ring_mend(struct dump *d, struct dump_cpu *c, const struct found_packet *f);

void dump_cpu_add(struct dump_cpu *c, u64 pa, u64 seq);
/* The packets of a CPU, made if need be; NULL if there are too many CPUs. */
struct dump_cpu *dump_buffer_cpu(struct dump *d, struct dump_buffer *b, u32 cpu);

/* In dumpmeta.c: find the second part of all metadata. */
void dump_load_body(struct dump *d);
/* The first part of metadata as it lies in a buffer's page, or NULL; to be freed. */
char *head_read(const struct lkst_buffer_info *info);
/* Its uuid, and its buffer's name if there is room for it. */
bool head_uuid(const char *head, u8 *uuid);
bool head_name(const char *head, char *name, size_t room);

#endif /* LKST_DUMP_H */
