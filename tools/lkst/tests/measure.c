// SPDX-License-Identifier: GPL-2.0
/* measure COMMAND...: runs it, then says how long it took, and in what memory. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec a, b;
	struct rusage use;
	int status = 0;
	pid_t pid;

	if (argc < 2)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (!pid) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &use) != pid)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &b);
	fprintf(stderr, "%.2f s, %.1f MiB resident\n",
		b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) / 1e9,
		use.ru_maxrss / 1024.0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
