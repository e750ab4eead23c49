// SPDX-License-Identifier: GPL-2.0
/*
 * marks CPU FIRST LAST: on one CPU, send a packet over loopback for each number
 * from FIRST to LAST, up to LAST_MAX. Nothing else in the guest does, so these are
 * exactly as many net/transmit records; the number is what len is above 42.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "trace.h"

/* What still goes over loopback in one piece. */
#define LAST_MAX	65000

static char data[LAST_MAX];

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t size = sizeof(to);
	int from, fd, i;

	if (argc != 4 || atoi(argv[3]) > LAST_MAX)
		die("usage: marks CPU FIRST LAST, at most %d", LAST_MAX);
	pin(atoi(argv[1]));
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	/* Without a receiver each packet would be answered. */
	fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (bind(fd, (void *)&to, size) || getsockname(fd, (void *)&to, &size))
		die("cannot receive packets");
	from = socket(AF_INET, SOCK_DGRAM, 0);
	for (i = atoi(argv[2]); i <= atoi(argv[3]); i++) {
		if (sendto(from, data, i, 0, (void *)&to, size) != i)
			die("cannot send a packet");
		recv(fd, data, sizeof(data), MSG_DONTWAIT);
	}
	return 0;
}
