/* SPDX-License-Identifier: GPL-2.0 */
/* A file that a dump, or a part of one, is in. */
#ifndef LKST_IMAGE_H
#define LKST_IMAGE_H

#include "util.h"

struct flat;

/**
 * struct image - an open file
 * @path: its name, for messages
 * @fd: it, or a copy of it if it was a pipe
 * @size: its bytes, once put in order
 * @live: it is of the running kernel, and has no end
 * @notes: how many notes in it were looked at
 * @flat: how to put it in order, or NULL
 */
struct image {
	char *path;
	int fd;
	u64 size;
	bool live;
	u32 notes;
	struct flat *flat;
};

/*
 * Open a file, or standard input for "-"; what cannot be read at will is copied to
 * a file without a name in $TMPDIR. Says what is wrong and returns NULL otherwise.
 */
struct image *image_open(const char *path);
void image_close(struct image *im);

/* Read @n bytes at @at; short only at the end of the file or at an error. */
size_t image_read(struct image *im, void *buf, size_t n, u64 at);

/*
 * The first bytes of the file, at @at or behind, that are not in a hole of it; false if
 * there are none. A hole reads as zeros.
 */
bool image_data(struct image *im, u64 at, u64 *start, u64 *end);

/* Read all of it or nothing. */
static inline bool image_read_all(struct image *im, void *buf, size_t n, u64 at)
{
	return image_read(im, buf, n, at) == n;
}

/**
 * struct window - a part of a file that is at hand, for many small reads
 * @im: the file
 * @at: where the part is
 * @n: its bytes
 * @bytes: what is there
 */
struct window {
	struct image *im;
	u64 at;
	size_t n;
	u8 bytes[65536];
};

/* @n bytes at @at, good until the next call, or NULL if they are not in the file. */
const void *window_get(struct window *w, u64 at, size_t n);

/* In flat.c: what a file begins with that is to be put in order. */
#define FLAT_SIGNATURE	"makedumpfile"

/*
 * Learn how to put a file in order; false if it makes no sense, which is said. A
 * file that is cut off is read as far as it goes.
 */
bool flat_load(struct image *im);
size_t flat_read(struct image *im, void *buf, size_t n, u64 at);
bool flat_data(struct image *im, u64 at, u64 *start, u64 *end);
void flat_free(struct flat *f);

#endif /* LKST_IMAGE_H */
