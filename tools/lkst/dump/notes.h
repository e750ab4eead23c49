/* SPDX-License-Identifier: GPL-2.0 */
/* ELF notes, which dumps of several kinds have. */
#ifndef LKST_NOTES_H
#define LKST_NOTES_H

#include <linux/elf.h>

#include "image.h"

/* What vmcoreinfo begins with, and what its note in memory does: name, then text. */
#define VMCOREINFO_BEGIN	"OSRELEASE="
#define VMCOREINFO_NOTE		"VMCOREINFO"
#define NOTE_TEXT		(sizeof(struct elf64_note) + 12)

/* More than any kernel writes. */
#define VMCOREINFO_MAX	65536u

/* The text of the vmcoreinfo note between two offsets, to be freed, or NULL. */
char *notes_vmcoreinfo(struct image *im, u64 at, u64 end);

/* The text of @size bytes at @at, to be freed. */
char *image_text(struct image *im, u64 at, u64 size);

#endif /* LKST_NOTES_H */
