// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD: the first splice(2) to a file comes back only when others have found a
 * full disk.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is done about the full disk takes less than this, and each wait. */
#define STEP_US	100000
#define STEPS	100

static atomic_int calls;
static atomic_bool full;

ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned int flags)
{
	struct stat st;
	bool file = !fstat(out, &st) && S_ISREG(st.st_mode);
	ssize_t done;
	int i;

	if (file && atomic_fetch_add(&calls, 1)) {
		full = true;
		errno = ENOSPC;
		return -1;
	}
	done = syscall(SYS_splice, in, in_at, out, out_at, n, flags);
	for (i = 0; file && !full && i < STEPS; i++)
		usleep(STEP_US);
	if (file)
		usleep(2 * STEP_US);
	return done;
}
