// SPDX-License-Identifier: GPL-2.0
/*
 * For LD_PRELOAD: the first splice(2) to a file comes back late, and others find a full
 * disk meanwhile.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FULL_US	50000
#define LATE_US	200000

ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned int flags)
{
	static atomic_int calls;
	struct stat st;
	ssize_t done;

	if (!fstat(out, &st) && S_ISREG(st.st_mode) && atomic_fetch_add(&calls, 1)) {
		usleep(FULL_US);
		errno = ENOSPC;
		return -1;
	}
	done = syscall(SYS_splice, in, in_at, out, out_at, n, flags);
	if (S_ISREG(st.st_mode))
		usleep(LATE_US);
	return done;
}
