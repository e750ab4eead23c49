// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "summary.h"
#include "text.h"

#define NSEC		1000000000ull
/* Of the SHA-1 that is the build id. */
#define BUILD_ID_SIZE	20u

void show_text(const char *what, const void *s, size_t n)
{
	char text[256 * ESCAPE_MAX];

	n = strnlen(s, min_t(size_t, n, 256));
	printf("%-10s %.*s\n", what, (int)text_escape(text, s, n, ""), text);
}

/* The time of the crash in seconds since 1970, 0 if it is not known. */
static u64 crash_time(const struct dump *d)
{
	const char *line = memsrc_vmcoreinfo(d->mem, "CRASHTIME");

	return line && dump_is_newest(d) ? strtoull(line, NULL, 10) : 0;
}

void summary_show(const struct dump *d)
{
	char hex[2 * BUILD_ID_SIZE + 1], day[DAY_SIZE];

	if (d->have_desc) {
		show_text("kernel", d->desc.release, sizeof(d->desc.release));
		hex_text(d->desc.build_id, BUILD_ID_SIZE, hex);
		printf("%-10s %s\n", "build id", hex);
		hex_text(d->desc.boot_id, sizeof(d->desc.boot_id), hex);
		printf("%-10s %s\n", "boot", hex);
		printf("%-10s %s\n", "started", day_text(d->desc.wall_ns / NSEC, day));
	}
	if (crash_time(d))
		printf("%-10s %s\n", "crashed", day_text(crash_time(d), day));
	if (d->have_desc)
		printf("%-10s %u\n", "cpus", d->desc.nr_cpus);
}

void summary_json(const struct dump *d)
{
	char hex[2 * BUILD_ID_SIZE + 1], day[DAY_SIZE];

	if (d->have_desc) {
		json_text("kernel", d->desc.release, sizeof(d->desc.release));
		hex_text(d->desc.build_id, BUILD_ID_SIZE, hex);
		json_text("build_id", hex, sizeof(hex));
		hex_text(d->desc.boot_id, sizeof(d->desc.boot_id), hex);
		json_text("boot", hex, sizeof(hex));
		json_text("started", day_text(d->desc.wall_ns / NSEC, day), sizeof(day));
	}
	if (crash_time(d))
		json_text("crashed", day_text(crash_time(d), day), sizeof(day));
	if (d->have_desc)
		json_number("cpus", d->desc.nr_cpus);
	json_number("memory", d->mem->present);
}
