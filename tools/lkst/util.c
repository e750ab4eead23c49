// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "text.h"
#include "util.h"

static int status = LKST_EXIT_OK;

#define MESSAGES_MAX	1000u

static bool keep;
static char **message;
static size_t messages, message_room;

static void keep_message(const char *fmt, va_list args)
{
	char *s;

	if (!keep || messages == MESSAGES_MAX || vasprintf(&s, fmt, args) < 0)
		return;
	message = grow(message, messages, &message_room, sizeof(*message));
	message[messages++] = s;
}

void messages_keep(void)
{
	keep = true;
}

const char *message_kept(size_t i)
{
	return i < messages ? message[i] : NULL;
}

/* What others named is in it: of files, of a dump, of an archive. */
static void put_escaped(const char *s)
{
	size_t n = strlen(s), i;
	char *shown = malloc(n * ESCAPE_MAX + 1);

	for (i = 0; !shown && i < n; i++)
		putc(s[i] >= ' ' && s[i] <= '~' ? s[i] : '?', stderr);
	if (shown)
		fwrite(shown, 1, text_escape(shown, s, n, ""), stderr);
	free(shown);
}

/* Whoever has more to do about an error still finds it in errno. */
static void say(const char *fmt, va_list args)
{
	int err = errno;
	va_list again;
	char *s;

	va_copy(again, args);
	keep_message(fmt, again);
	va_end(again);
	if (vasprintf(&s, fmt, args) < 0)
		s = NULL;
	progress_hide();
	fflush(stdout);
	flockfile(stderr);	/* threads too have something to say */
	fputs("lkst: ", stderr);
	put_escaped(s ? s : fmt);
	fputc('\n', stderr);
	funlockfile(stderr);
	free(s);
	errno = err;
}

void note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
}

void trouble(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(fmt, args);
	va_end(args);
	status = LKST_EXIT_PARTIAL;
}

static struct rlimit files;

void files_raise(void)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	most = files;
	most.rlim_cur = most.rlim_max;
	setrlimit(RLIMIT_NOFILE, &most);
}

void files_restore(void)
{
	if (files.rlim_max)
		setrlimit(RLIMIT_NOFILE, &files);
}

int exit_code(void)
{
	return status;
}

static void *must(void *p)
{
	if (p)
		return p;
	note("out of memory");
	exit(LKST_EXIT_PARTIAL);
}

void *xcalloc(size_t n, size_t size)
{
	return must(calloc(n ? n : 1, size));
}

void *xrealloc(void *p, size_t n, size_t size)
{
	return must(reallocarray(p, n ? n : 1, size));
}

char *xstrdup(const char *s)
{
	return must(strdup(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list args;
	char *s;
	int n;

	va_start(args, fmt);
	n = vasprintf(&s, fmt, args);
	va_end(args);
	return must(n < 0 ? NULL : s);
}

void *grow(void *array, size_t used, size_t *room, size_t size)
{
	if (used < *room)
		return array;
	*room = *room ? *room * 2 : 16;
	return xrealloc(array, *room, size);
}

u64 hash_secret[2];

static void __attribute__((__constructor__)) choose_secret(void)
{
	if (getrandom(hash_secret, sizeof(hash_secret), GRND_NONBLOCK) < 0)
		hash_secret[0] = getpid();
	hash_secret[1] |= 1;
}

void sort(void *array, size_t n, size_t size,
	  int (*order)(const void *a, const void *b))
{
	if (n)
		qsort(array, n, size, order);
}

int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st = { };

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode) && !fcntl(fd, F_SETFL, 0)))
		return fd;
	close(fd);
	errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
	return -1;
}

char *read_file(const char *path, size_t max, size_t *len)
{
	return read_whole(open_file(path), max, len);
}

char *read_whole(int fd, size_t max, size_t *len)
{
	size_t room = 0, used = 0;
	char *text = NULL;
	ssize_t n;

	if (fd < 0)
		return NULL;
	do {
		if (room - used < 4096) {
			room = room ? room * 2 : 16384;
			text = xrealloc(text, room, 1);
		}
		n = read(fd, text + used, min(room - used - 1, max + 1 - used));
		if (n > 0)
			used += n;
	} while ((n > 0 && used <= max) || (n < 0 && errno == EINTR));
	if (n < 0 || used > max) {
		errno = n < 0 ? errno : EFBIG;
		free(text);
		text = NULL;
	} else {
		text[used] = 0;
		*len = used;
	}
	close(fd);
	return text;
}

size_t pread_full(int fd, void *buf, size_t n, u64 at)
{
	size_t done = 0;
	ssize_t got;

	while (done < n) {
		got = pread(fd, (char *)buf + done, n - done, at + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += got;
	}
	return done;
}

u32 lkst_crc32(const void *buf, size_t n)
{
	const u8 *p = buf;
	u32 crc = ~0u;
	int bit;

	while (n--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return ~crc;
}

bool parse_u64(const char *s, u64 *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*value = strtoull(s, &end, 10);
	return !errno && !*end;
}

/* Digits up to 10^9, or NULL. */
static const char *read_digits(const char *s, u64 *n)
{
	const char *from = s;

	for (*n = 0; *s >= '0' && *s <= '9' && *n < NSEC; s++)
		*n = *n * 10 + (*s - '0');
	return s > from ? s : NULL;
}

bool parse_duration(const char *s, u64 *ns)
{
	static const struct {
		const char *name;
		u64 ns;
	} units[] = {
		{ "", NSEC }, { "s", NSEC }, { "ms", NSEC / 1000 }, { "min", 60 * NSEC },
		{ "h", 3600 * NSEC },
	};
	const char *point, *rest = s = read_digits(s, ns);
	size_t i = 0;
	u64 unit;

	if (!s)
		return false;
	point = *s == '.' ? s : NULL;
	if (point)
		rest = s + 1 + strspn(s + 1, "0123456789");
	while (i < ARRAY_SIZE(units) && strcmp(rest, units[i].name))
		i++;
	if (i == ARRAY_SIZE(units) || *ns >= ~0ull / units[i].ns)
		return false;
	unit = units[i].ns;
	for (*ns *= unit; point && ++point < rest; )
		*ns += (unit /= 10) * (*point - '0');
	return true;
}

const char *day_text(u64 seconds, char day[DAY_SIZE])
{
	time_t t = seconds;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(day, DAY_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(day, DAY_SIZE, "%llu s after 1970", seconds);
	return day;
}

const char *sysroot(void)
{
	const char *root = getenv("LKST_ROOT");

	return root ? root : "";
}
