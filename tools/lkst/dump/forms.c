// SPDX-License-Identifier: GPL-2.0
/* The forms of dumps, and what opens a file of each. */
#include <string.h>
#include <sys/stat.h>

#include "archive.h"
#include "image.h"
#include "memsrc.h"

#define PARTS_MAX	1024u
/* Less memory than a kernel needs is none. */
#define RAW_MIN		1048576u

static struct memsrc *open_diskdump(struct image *im)
{
	return diskdump_open(&im, 1);
}

/* What a file has at its begin, and what that makes it; or what it is called at least. */
static const struct {
	const char *bytes;
	size_t n;
	size_t at;
	struct memsrc *(*open)(struct image *im);
	const char *what;
} kinds[] = {
	{ "\177ELF", 4, 0, .open = elf_open },
	{ DISKDUMP_SIGNATURE, 8, 0, .open = open_diskdump },
	{ "DISKDUMP", 8, 0, .what = "a diskdump, of before kdump, which cannot be read" },
	{ "\xed\x23\x8f\x61\x73\x01\x19\xa8", 8, 0, .open = lkcd_open },
	{ MIGRATION_SIGNATURE, 4, 0, .open = migration_open },
	{ LIBVIRT_SIGNATURE, 16, 0, .open = migration_open },
};

static struct memsrc *open_one(struct image *im)
{
	char head[512] = "";
	size_t n = image_read(im, head, sizeof(head), 0), i;
	const char *what = n ? "no dump of a kind that can be read" : "empty";

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (n >= kinds[i].at + kinds[i].n &&
		    !memcmp(head + kinds[i].at, kinds[i].bytes, kinds[i].n))
			break;
	if (i < ARRAY_SIZE(kinds) && kinds[i].open)
		return kinds[i].open(im);
	if (i < ARRAY_SIZE(kinds))
		what = kinds[i].what;
	else if (archive_option(head, n))
		what = "packed: unpack a dump first; a packed trace is printed from a file";
	else if (im->size >= RAW_MIN)	/* Memory as it is begins with anything. */
		return raw_open(im);
	trouble("%s: is %s", im->path, what);
	image_close(im);
	return NULL;
}

/* Is the last one a file that was given before? Then it is said. */
static bool is_twice(struct image *const *im, size_t last)
{
	struct stat a, b;
	size_t i;

	for (i = 0; i < last; i++) {
		if (fstat(im[i]->fd, &a) || fstat(im[last]->fd, &b) ||
		    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
			continue;
		trouble("%s: is given twice", im[last]->path);
		return true;
	}
	return false;
}

struct memsrc *memsrc_open(const char *path, const char *const *part, size_t parts)
{
	struct image *im[PARTS_MAX];
	bool twice = false;
	size_t n;

	if (parts >= PARTS_MAX) {
		trouble("%zu are too many parts of a dump", parts + 1);
		return NULL;
	}
	for (n = 0; n <= parts && !twice; n++) {
		im[n] = image_open(n ? part[n - 1] : path);
		if (!im[n])
			break;
		twice = is_twice(im, n);
	}
	if (n > parts && !twice)
		return parts ? diskdump_open(im, n) : open_one(im[0]);
	while (n)
		image_close(im[--n]);
	return NULL;
}
