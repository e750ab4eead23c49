/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * Layout of what the Linux Kernel State Tracer leaves in memory: packets,
 * records, and the descriptor that leads a crash dump reader to them.
 *
 * A packet in memory is a Common Trace Format 1.8 packet as it lies in a file
 * (diamon.org/ctf, specification v1.8.3). All words are little endian, all
 * addresses in the descriptor and behind it are physical.
 */
#ifndef _UAPI_LINUX_LKST_H
#define _UAPI_LINUX_LKST_H

#include <linux/types.h>

/* Number of the layout below; a reader refuses one that it does not know. */
#define LKST_LAYOUT_VERSION	1

/* First word of a CTF packet (CTF 1.8, section 5.1). */
#define LKST_PACKET_MAGIC	0xC1FC1FC1u

/* Bytes of a uuid that name the boot; the rest is the incarnation number. */
#define LKST_BOOT_ID_SIZE	12
#define LKST_UUID_SIZE		16

/* In place of a thread's number. */
#define LKST_TID_UNKNOWN	0xffffffffu

/**
 * struct lkst_packet - header and context of a packet
 * @magic: %LKST_PACKET_MAGIC
 * @uuid: first 12 bytes of the boot's id, then the incarnation (u32, from 1)
 * @stream: CTF stream class, always 0
 * @tid: thread running when the packet was begun; %LKST_TID_UNKNOWN in the first
 *	one of a ring that was not made in early boot, and where the maskset did not
 *	record all switches of threads (CTF: padding)
 * @reserved: records reserved in the packet, set when it is closed (CTF:
 *	padding)
 * @seq: number of the packet in its ring, from 0
 * @cpu: the CPU whose ring it belongs to
 * @spare: 0 (CTF: padding)
 * @begin: clock at the packet's begin, in ticks
 * @end: clock at its close; below @begin while the packet is open
 * @content_size: bits in use, header included; 0 while the packet is open
 * @packet_size: bits of the whole packet
 * @discarded: records lost by this ring so far: sampled at the packet's begin
 *	and again at its close
 */
struct lkst_packet {
	__u32 magic;
	__u8 uuid[LKST_UUID_SIZE];
	__u32 stream;
	__u32 tid;
	__u32 reserved;
	__u64 seq;
	__u32 cpu;
	__u32 spare;
	__u64 begin;
	__u64 end;
	__u64 content_size;
	__u64 packet_size;
	__u64 discarded;
};

#define LKST_PACKET_WORDS	(sizeof(struct lkst_packet) / 8)

/* Bytes of a packet: a power of two in this range. */
#define LKST_PACKET_MIN		4096u
#define LKST_PACKET_MAX		262144u
/* Packets of a ring: a power of two, at least this many. */
#define LKST_RING_PACKETS_MIN	4u

/*
 * The header word of a record:
 *
 *   bits  0-15  event number, or LKST_ID_EXTENDED
 *   bits 16-23  length of the record in words of 8 bytes, this one included
 *   bits 24-30  lap of the ring, 1 + (packet number / packets) % 127
 *   bit     31  the record is finished
 *   bits 32-63  low half of the clock
 *
 * In the extended form a second word holds the full clock and the upper half
 * of the first one the event number.
 */
#define LKST_ID_UNFINISHED	0u
#define LKST_ID_EXTENDED	65535u
#define LKST_RECORD_WORDS_MAX	255u
#define LKST_RECORD_LAPS	127u
#define LKST_RECORD_FINISHED	0x80000000u

#define LKST_RECORD_ID(word)	((__u32)((word) & 0xffff))
#define LKST_RECORD_WORDS(word)	((__u32)((word) >> 16 & 0xff))
#define LKST_RECORD_LAP(word)	((__u32)((word) >> 24 & 0x7f))
#define LKST_RECORD_TIME(word)	((__u32)((word) >> 32))

/* The longest text in a record, in bytes; more is cut off. */
#define LKST_TEXT_MAX		256u
/* Bytes of a task's name in a record (the kernel's TASK_COMM_LEN). */
#define LKST_COMM_SIZE		16u
/* Bytes of the name of a maskset, handler or buffer, the final NUL included. */
#define LKST_NAME_SIZE		32u

/* Start of the descriptor; written last, so that no file contains it. */
#define LKST_DESCRIPTOR_MAGIC	"\211LKST\r\n\032\3State\n"
#define LKST_MAGIC_SIZE		16

/**
 * struct lkst_descriptor - what a dump reader starts from
 * @magic: %LKST_DESCRIPTOR_MAGIC
 * @version: %LKST_LAYOUT_VERSION
 * @size: bytes of this structure
 * @pa: its own physical address, which tells it from a copy
 * @boot_id: 16 random bytes drawn at start
 * @wall_ns: wall time at start, in ns since 1970
 * @page_size: bytes of a page
 * @nr_cpus: number of possible CPU numbers
 * @build_id: of vmlinux, zero where it has none
 * @release: the kernel's release, as uname -r prints it
 * @directory: physical address of the first &struct lkst_directory
 * @state: physical address of &struct lkst_state
 * @crc: CRC-32 (polynomial 0xEDB88320, as zlib's crc32()) of all before it
 * @spare: 0
 *
 * It lies in a page of its own and does not change after start. The reader
 * finds it by the line NUMBER(lkst_descriptor_pa) of vmcoreinfo, or by a scan
 * of page starts.
 */
struct lkst_descriptor {
	__u8 magic[LKST_MAGIC_SIZE];
	__u32 version;
	__u32 size;
	__u64 pa;
	__u8 boot_id[16];
	__u64 wall_ns;
	__u32 page_size;
	__u32 nr_cpus;
	__u8 build_id[24];
	__u8 release[64];
	__u64 directory;
	__u64 state;
	__u32 crc;
	__u32 spare;
};

/* What a directory entry leads to: the value of its valid word. */
#define LKST_DIR_FREE		0u
#define LKST_DIR_BUFFER		0x46554251u	/* struct lkst_buffer_info */
#define LKST_DIR_METADATA	0x4154454du	/* CTF metadata, after a head */
#define LKST_DIR_TASKS		0x4b534154u	/* array of struct lkst_task */
#define LKST_DIR_COUNTERS	0x544e5543u	/* of one CPU, __u64 an event */

/**
 * struct lkst_dirent - one entry of the directory
 * @valid: one of LKST_DIR_*: stored last when the entry is made, cleared before
 *	what it leads to is freed
 * @cpu: the CPU that it belongs to, or 0
 * @pa: physical address of what it leads to, contiguous
 * @size: its bytes
 * @index: orders the parts of what does not lie in one piece
 */
struct lkst_dirent {
	__u32 valid;
	__u32 cpu;
	__u64 pa;
	__u64 size;
	__u64 index;
};

#define LKST_DIRECTORY_MAGIC	0x594444545a534b4cULL
#define LKST_DIRECTORY_ENTRIES	127

/**
 * struct lkst_directory - one page of the directory
 * @magic: %LKST_DIRECTORY_MAGIC
 * @pa: its own physical address
 * @next: physical address of the next page, or 0
 * @spare: 0
 * @entry: entries, in no order
 */
struct lkst_directory {
	__u64 magic;
	__u64 pa;
	__u64 next;
	__u64 spare;
	struct lkst_dirent entry[LKST_DIRECTORY_ENTRIES];
};

/* Pages of packet addresses that a ring can have, and addresses in a page. */
#define LKST_RING_TABLES	440
#define LKST_TABLE_ENTRIES	512

#define LKST_RING_MAGIC		0x474e4952ULL

/**
 * struct lkst_slot - where the packets of an even, or an odd, number lie
 * @base: kernel virtual address of the packet
 * @lap: lap bits of its records, in place (bits 24-30)
 */
struct lkst_slot {
	__u64 base;
	__u64 lap;
};

/**
 * struct lkst_ring - one CPU's ring of packets, a page of its own
 * @pos: position: packet number << 32 | offset in words << 16 | records in
 *	this packet
 * @last: a time not above that of the ring's last record
 * @oldest: packet number + 1 of the outermost writer under way, or 0
 * @slot: by the low bit of the packet number
 * @fit: words of a packet that can be used without more ado: all but one, so that
 *	a header's place may be read before it is known to fit; or 0
 * @switching: a packet switch is under way
 * @clamp: the last time given out by the fallback clock
 * @lost: records that found no room
 * @packets: number of packets begun, less one: the current packet's full number
 * @limit: packets below this number have been, or are being, overwritten
 * @closed: records in all packets that have been closed
 * @overwritten: records in packets that were overwritten
 * @spare: 0
 * @magic: %LKST_RING_MAGIC
 * @cpu: its CPU
 * @flags: LKST_RING_*
 * @nr_packets: packets in the ring, a power of two
 * @packet_size: bytes of a packet
 * @uuid: what its packets carry
 * @spare2: 0
 * @read: packets below this one were consumed (discard mode)
 * @consumed: records in them
 * @spare3: 0
 * @table: physical addresses of pages, each of %LKST_TABLE_ENTRIES physical
 *	addresses of packets
 *
 * All but @read and @consumed are written by the owning CPU alone, all from
 * @magic to @uuid and @table only before the ring is used.
 */
struct lkst_ring {
	__u64 pos;
	__u64 last;
	__u64 oldest;
	struct lkst_slot slot[2];
	__u32 fit;
	__u32 switching;

	__u64 clamp;
	__u64 lost;
	__u64 packets;
	__u64 limit;
	__u64 closed;
	__u64 overwritten;
	__u64 spare[2];

	__u64 magic;
	__u32 cpu;
	__u32 flags;
	__u32 nr_packets;
	__u32 packet_size;
	__u8 uuid[LKST_UUID_SIZE];
	__u64 spare2[3];

	__u64 read;
	__u64 consumed;
	__u64 spare3[6];

	__u64 table[LKST_RING_TABLES];
};

/* In lkst_ring.flags: a full ring loses new records instead of the oldest. */
#define LKST_RING_DISCARD	1u

/*
 * The second part of the metadata begins with this comment, at the start of a
 * page, and ends with a NUL. The comment goes on with the first LKST_BOOT_ID_SIZE
 * bytes of the boot's id, in hexadecimal.
 */
#define LKST_BODY_MAGIC		"/* LKST metadata 1, boot "

#define LKST_BUFFER_MAGIC	0x464655425453ULL
/* Pages of ring addresses that a buffer can have, and bytes of its head. */
#define LKST_BUFFER_TABLES	16
#define LKST_HEAD_SIZE		3072

/**
 * struct lkst_buffer_info - one buffer, a page of its own
 * @magic: %LKST_BUFFER_MAGIC
 * @name: the buffer's name, NUL-terminated
 * @uuid: what its packets carry
 * @flags: LKST_RING_*
 * @nr_rings: CPU numbers that @table has room for
 * @packet_size: bytes of a packet
 * @nr_packets: packets in each ring
 * @head_size: bytes of @head in use
 * @spare: 0
 * @table: physical addresses of pages, each of %LKST_TABLE_ENTRIES physical
 *	addresses of &struct lkst_ring, by CPU; 0 for a CPU that is not possible
 * @head: first part of the buffer's CTF metadata: uuid, environment, clock;
 *	the rest is the same for all buffers and found by %LKST_DIR_METADATA
 */
struct lkst_buffer_info {
	__u64 magic;
	__u8 name[LKST_NAME_SIZE];
	__u8 uuid[LKST_UUID_SIZE];
	__u32 flags;
	__u32 nr_rings;
	__u32 packet_size;
	__u32 nr_packets;
	__u32 head_size;
	__u32 spare;
	__u64 table[LKST_BUFFER_TABLES];
	__u8 head[LKST_HEAD_SIZE];
};

/* How clock ticks are made. */
#define LKST_CLOCK_TSC		1u
#define LKST_CLOCK_FALLBACK	2u

/**
 * struct lkst_state - what changes while LKST runs, a page of its own
 * @clock: LKST_CLOCK_*
 * @enabled: 1 while a maskset is in force, 0 after a stop
 * @hz: ticks of the clock a second
 * @offset: what the clock adds to the time-stamp counter
 * @pair_clock: the clock, in ticks, when @pair_wall_ns was read
 * @pair_wall_ns: wall time then, in ns since 1970
 * @buffer: physical address of the current buffer's &struct lkst_buffer_info
 * @task_fallen: names of live tasks that fell out of the table of names
 * @maskset: name of the chosen maskset, NUL-terminated
 */
struct lkst_state {
	__u32 clock;
	__u32 enabled;
	__u64 hz;
	__u64 offset;
	__u64 pair_clock;
	__u64 pair_wall_ns;
	__u64 buffer;
	__u64 task_fallen;
	__u8 maskset[LKST_NAME_SIZE];
};

/**
 * struct lkst_task - one entry of the table of task names
 * @tid: thread, in the initial pid namespace; 0 when the entry is free
 * @tgid: its process
 * @stamp: orders the entries of a bucket by age
 * @alive: 0 once the task is gone
 * @comm: its name, NUL-terminated
 */
struct lkst_task {
	__s32 tid;
	__s32 tgid;
	__u32 stamp;
	__u32 alive;
	__u8 comm[LKST_COMM_SIZE];
};

#endif /* _UAPI_LINUX_LKST_H */
