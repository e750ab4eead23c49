// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "notes.h"

#define NOTES_MAX	65536u

char *image_text(struct image *im, u64 at, u64 size)
{
	char *text;

	size = min_t(u64, size, VMCOREINFO_MAX);
	text = xcalloc(size + 1, 1);
	image_read(im, text, size, at);
	return text;
}

char *notes_vmcoreinfo(struct image *im, u64 at, u64 end)
{
	static const char name[] = VMCOREINFO_NOTE;
	char got[sizeof(name)];
	struct elf64_note n;
	u64 desc;

	/* Of the whole file, as any number of headers can lead to the same ones. */
	while (im->notes++ < NOTES_MAX) {
		if (at > end || end - at < sizeof(n) || !image_read_all(im, &n, sizeof(n), at))
			return NULL;
		desc = at + sizeof(n) + ((n.n_namesz + 3ull) & ~3ull);
		if (n.n_namesz == sizeof(name) &&
		    image_read_all(im, got, sizeof(got), at + sizeof(n)) &&
		    !memcmp(got, name, sizeof(name)))
			return image_text(im, desc, n.n_descsz);
		at = desc + ((n.n_descsz + 3ull) & ~3ull);
	}
	return NULL;
}
