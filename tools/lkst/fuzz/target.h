/* SPDX-License-Identifier: GPL-2.0 */
/* What libFuzzer calls; and main() without it: the files that are named, as they are. */
#ifndef LKST_FUZZ_TARGET_H
#define LKST_FUZZ_TARGET_H

#include <stdlib.h>

#include "util.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t n);

#ifdef REPLAY
int main(int argc, char **argv)
{
	size_t len;
	char *data;
	int i;

	for (i = 1; i < argc; i++) {
		data = read_file(argv[i], 64u << 20, &len);
		if (!data)
			return 2;
		LLVMFuzzerTestOneInput((u8 *)data, len);
		free(data);
	}
	return 0;
}
#endif

#endif /* LKST_FUZZ_TARGET_H */
