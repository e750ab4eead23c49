// SPDX-License-Identifier: GPL-2.0
/*
 * packets [-t] BUFFER: read a buffer's packets, check all that they say, and print
 * for each CPU how many packets and records there are, and the first and last
 * number that marks gave a net/transmit record; with -t, the records, as
 * /proc/lkst/trace has them.
 */
#include <stdio.h>
#include <string.h>

#include "trace.h"

static void cpu_print(const struct trace *trace, unsigned int cpu)
{
	long long first = 0, last = 0, n = 0;
	size_t i;

	for (i = 0; i < trace->nr; i++) {
		const struct record *r = &trace->record[i];

		if (r->cpu != cpu || !is(r, "net/transmit"))
			continue;
		last = num(r, "len") - 42;
		if (!n++)
			first = last;
	}
	printf("cpu%u packets=%u records=%u unfinished=%u marks=%lld first=%lld last=%lld\n",
	       cpu, trace->ring[cpu].packets, trace->ring[cpu].records,
	       trace->ring[cpu].unfinished, n, first, last);
}

int main(int argc, char **argv)
{
	bool as_text = argc > 1 && !strcmp(argv[1], "-t");
	__u64 hz = clock_hz();
	struct trace *trace;
	unsigned int cpu;
	size_t i;

	argv += as_text;
	if (argc != 2 + as_text)
		die("usage: packets [-t] BUFFER");
	trace = trace_read(argv[1]);
	for (i = 0; as_text && i < trace->nr; i++)
		record_print(&trace->record[i], hz);
	for (cpu = 0; !as_text && cpu < possible_cpus(); cpu++)
		cpu_print(trace, cpu);
	return trace->errors ? 1 : 0;
}
