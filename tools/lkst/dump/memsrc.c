// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "memsrc.h"

size_t memsrc_read_pages(struct memsrc *m, size_t size,
			 const u8 *(*load)(struct memsrc *m, u64 pfn), u64 pa, void *buf,
			 size_t n)
{
	size_t done = 0, part, from;
	const u8 *page;

	while (done < n && (page = load(m, pa / size))) {
		from = pa % size;
		part = min_t(size_t, n - done, size - from);
		memcpy((char *)buf + done, page + from, part);
		done += part;
		pa += part;
	}
	return done;
}

const char *memsrc_vmcoreinfo(const struct memsrc *m, const char *key)
{
	const char *line = m->vmcoreinfo;
	size_t n = strlen(key);

	if (m->ops->vmcoreinfo)
		return m->ops->vmcoreinfo(m, key);
	while (line && (strncmp(line, key, n) || line[n] != '=')) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line ? line + n + 1 : NULL;
}
