// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "memsrc.h"

/* What a file begins with, and what that makes it. */
static const struct {
	const char *bytes;
	size_t n;
	const char *what;
} kinds[] = {
	{ "KDUMP   ", 8, "a compressed dump of makedumpfile" },
	{ "DISKDUMP", 8, "a diskdump" },
	{ "makedumpfile", 12, "a flattened dump of makedumpfile or QEMU" },
	{ "\xed\x23\x8f\x61\x73\x01\x19\xa8", 8, "an LKCD dump" },
	{ "QEVM", 4, "a QEMU migration stream" },
	{ "LibvirtQemudSave", 16, "a libvirt memory image" },
};

static void say_what_it_is(const char *path, const char *head, size_t n)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (n >= kinds[i].n && !memcmp(head, kinds[i].bytes, kinds[i].n)) {
			trouble("%s: is %s; only ELF dumps can be read",
				path, kinds[i].what);
			return;
		}
	}
	trouble("%s: %s", path, n ? "is no dump of a kind that can be read" :
		"is empty");
}

struct memsrc *memsrc_open(const char *path)
{
	char head[16];
	size_t n;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		trouble("%s: %s", path, strerror(errno));
		return NULL;
	}
	errno = 0;
	n = pread_full(fd, head, sizeof(head), 0);
	if (n >= 4 && !memcmp(head, "\177ELF", 4))
		return elf_open(fd, path);
	if (!n && errno == EISDIR)
		trouble("%s: is a directory, not a dump; `lkst print' reads what was extracted",
			path);
	else if (!n && errno)
		trouble("%s: %s", path, strerror(errno));
	else
		say_what_it_is(path, head, n);
	close(fd);
	return NULL;
}

const char *memsrc_vmcoreinfo(const struct memsrc *m, const char *key)
{
	const char *line = m->vmcoreinfo;
	size_t n = strlen(key);

	while (line && (strncmp(line, key, n) || line[n] != '=')) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line ? line + n + 1 : NULL;
}
