// SPDX-License-Identifier: GPL-2.0
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_LZO
#include <lzo/lzo1x.h>
#endif
#ifdef HAVE_SNAPPY
#include <snappy-c.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "decompress.h"

/* All return how many bytes came out, or 0; never more than @size. */

/* A byte stands for itself but 0, which a count and a byte follow, or another 0. */
static size_t rle(const u8 *in, size_t n, u8 *out, size_t size)
{
	const u8 *end = in + n;
	size_t done = 0, count;

	while (in < end) {
		u8 byte = *in++;

		count = 1;
		if (!byte) {
			if (in == end)
				return 0;
			count = *in++;
			if (count && in == end)
				return 0;
			byte = count ? *in++ : 0;
			count = max_t(size_t, count, 1);
		}
		if (count > size - done)
			return 0;
		memset(out + done, byte, count);
		done += count;
	}
	return done;
}

#ifdef HAVE_ZLIB
static size_t zlib(const u8 *in, size_t n, u8 *out, size_t size)
{
	static z_stream s;
	static bool ready;

	/* Made once: that takes longer than a page does. */
	if (!ready && inflateInit(&s) != Z_OK)
		return 0;
	ready = true;
	if (inflateReset(&s) != Z_OK)
		return 0;
	s.next_in = (u8 *)in;
	s.avail_in = n;
	s.next_out = out;
	s.avail_out = size;
	return inflate(&s, Z_FINISH) == Z_STREAM_END ? size - s.avail_out : 0;
}
#endif

#ifdef HAVE_LZO
static size_t lzo(const u8 *in, size_t n, u8 *out, size_t size)
{
	lzo_uint done = size;

	return lzo1x_decompress_safe(in, n, out, &done, NULL) == LZO_E_OK ? done : 0;
}
#endif

#ifdef HAVE_SNAPPY
static size_t snappy(const u8 *in, size_t n, u8 *out, size_t size)
{
	size_t done = size;

	return snappy_uncompress((const char *)in, n, (char *)out, &done) == SNAPPY_OK ?
		done : 0;
}
#endif

#ifdef HAVE_ZSTD
static size_t zstd(const u8 *in, size_t n, u8 *out, size_t size)
{
	static ZSTD_DCtx *context;
	size_t done;

	if (!context)
		context = ZSTD_createDCtx();
	done = context ? ZSTD_decompressDCtx(context, out, size, in, n) : 0;
	/* An error is a number that is larger than any size. */
	return done > size ? 0 : done;
}
#endif

static const struct {
	const char *name;
	size_t (*run)(const u8 *in, size_t n, u8 *out, size_t size);
} ways[] = {
	[COMPRESSION_RLE] = { "RLE", rle },
#ifdef HAVE_ZLIB
	[COMPRESSION_ZLIB] = { "zlib", zlib },
#else
	[COMPRESSION_ZLIB] = { .name = "zlib" },
#endif
#ifdef HAVE_LZO
	[COMPRESSION_LZO] = { "lzo", lzo },
#else
	[COMPRESSION_LZO] = { .name = "lzo" },
#endif
#ifdef HAVE_SNAPPY
	[COMPRESSION_SNAPPY] = { "snappy", snappy },
#else
	[COMPRESSION_SNAPPY] = { .name = "snappy" },
#endif
#ifdef HAVE_ZSTD
	[COMPRESSION_ZSTD] = { "zstd", zstd },
#else
	[COMPRESSION_ZSTD] = { .name = "zstd" },
#endif
};

static_assert(ARRAY_SIZE(ways) == COMPRESSIONS);

bool decompress(enum compression how, const void *in, size_t n, void *out, size_t size)
{
	static bool said[COMPRESSIONS];

	if (ways[how].run)
		return ways[how].run(in, n, out, size) == size;
	if (!said[how])
		trouble("pages are compressed with %s, and this lkst was built without it",
			ways[how].name);
	said[how] = true;
	return false;
}
