/* SPDX-License-Identifier: GPL-2.0 */
/* The ways in which pages of a dump are compressed. */
#ifndef LKST_DECOMPRESS_H
#define LKST_DECOMPRESS_H

#include "util.h"

enum compression {
	COMPRESSION_RLE,
	COMPRESSION_ZLIB,
	COMPRESSION_LZO,
	COMPRESSION_SNAPPY,
	COMPRESSION_ZSTD,
	COMPRESSIONS
};

/*
 * Decompress @n bytes, which must give @size bytes at @out. Says once if lkst was
 * built without the library that this needs.
 */
bool decompress(enum compression how, const void *in, size_t n, void *out, size_t size);

#endif /* LKST_DECOMPRESS_H */
