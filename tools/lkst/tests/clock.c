// SPDX-License-Identifier: GPL-2.0
/* To be loaded before the C library: a clock that goes on when it is looked at. */
#include <time.h>

#define STEP_NS	300000000l

int clock_gettime(clockid_t id, struct timespec *t)
{
	static struct timespec now;

	(void)id;
	now.tv_nsec += STEP_NS;
	now.tv_sec += now.tv_nsec / 1000000000;
	now.tv_nsec %= 1000000000;
	*t = now;
	return 0;
}
