// SPDX-License-Identifier: GPL-2.0
/* calls COUNT NUMBER...: make each system call, by its number, COUNT times. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int i, n;

	if (argc < 3)
		return 2;
	for (i = 2; i < argc; i++)
		for (n = 0; n < atoi(argv[1]); n++)
			syscall(atol(argv[i]), 0, 0, 0, 0, 0, 0);
	return 0;
}
