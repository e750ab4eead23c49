/* SPDX-License-Identifier: GPL-2.0 */
/* What every part of the tool uses: types, messages, memory. */
#ifndef LKST_UTIL_H
#define LKST_UTIL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;

/* Structures of the dump are used as they lie in the file. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the host must be little endian, as the trace is");

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define min(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))

#define BIT_ULL(n)	(1ull << (n))

#define noinline	__attribute__((__noinline__))
#define __packed	__attribute__((__packed__))
#define __printf(fmt, args)	__attribute((__format__(__printf__, fmt, args)))

/* Exit codes, also what the subcommands return. */
#define LKST_EXIT_OK		0
#define LKST_EXIT_PARTIAL	1	/* an error, or not all could be had */
#define LKST_EXIT_USAGE		2

static inline bool is_power_of_2(u64 n)
{
	return n && !(n & (n - 1));
}

/* A line on stderr, in which what is not fit to be shown is escaped. */
void __printf(1, 2) note(const char *fmt, ...);

/* The same, and the exit code will be LKST_EXIT_PARTIAL. */
void __printf(1, 2) trouble(const char *fmt, ...);

/* From now on keep what is said, for message_kept(): the first of it, if it is much. */
void messages_keep(void);
/* The message of that number, or NULL. */
const char *message_kept(size_t i);

/* LKST_EXIT_PARTIAL once there was trouble, else LKST_EXIT_OK. */
int exit_code(void);

/* These end the program when there is no memory. */
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
__printf(1, 2) char *xasprintf(const char *fmt, ...);

/* Room for one more in an array that is doubled when full. */
void *grow(void *array, size_t used, size_t *room, size_t size);

/*
 * Which of @slots, a power of two above 1, a key belongs to: no one who chooses keys
 * knows which of them share one.
 */
static inline u32 hash_slot(u64 key, u32 slots)
{
	extern u64 hash_secret[2];

	key = (key + hash_secret[0]) * hash_secret[1];
	key = (key ^ key >> 32) * 0x9e3779b97f4a7c15ull;
	return key >> (__builtin_clzll(slots) + 1);
}

/* As qsort(3), which takes no NULL for an empty array. */
void sort(void *array, size_t n, size_t size,
	  int (*order)(const void *a, const void *b));

/*
 * As open(2) to read, but it has to be a regular file: nobody waits for a pipe that lies
 * where a trace's file should.
 */
int open_file(const char *path);

/* Read a whole file of at most @max bytes, with a NUL behind them, or NULL with errno. */
char *read_file(const char *path, size_t max, size_t *len);

/* The same of what is open, which is closed, or was not opened, which errno tells. */
char *read_whole(int fd, size_t max, size_t *len);

/* Let as many files be open as may be: some a CPU, and those of all parts of an archive. */
void files_raise(void);
/* The limit as it was before, for another program. */
void files_restore(void);

/* As pread(2), but short only at the end of the file or at an error. */
size_t pread_full(int fd, void *buf, size_t n, u64 at);

/* CRC-32 with polynomial 0xEDB88320. */
u32 lkst_crc32(const void *buf, size_t n);

/* A decimal number that fills the whole of a string. */
bool parse_u64(const char *s, u64 *value);

#define NSEC		1000000000ull

/* A duration in ns: "10", "1.5s", "200ms", "5min", "1h"; without a unit it is in seconds. */
bool parse_duration(const char *s, u64 *ns);

/* A time in seconds since 1970 as 2023-11-14T22:13:20Z. */
#define DAY_SIZE	32
const char *day_text(u64 seconds, char day[DAY_SIZE]);

/* The prefix of /proc and /sys: empty but for tests. */
const char *sysroot(void);

#endif /* LKST_UTIL_H */
