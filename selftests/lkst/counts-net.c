// SPDX-License-Identifier: GPL-2.0
/*
 * Packets, sockets, System V IPC, futexes and pipes: do a known thing a known number
 * of times, and find exactly that in the trace, with the right values.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

static int self;

static struct sockaddr_in loopback(int port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return to;
}

/* A socket that is bound to a port of its own, which is stored in @port. */
static int bound(int type, int *port)
{
	struct sockaddr_in to = loopback(0);
	int fd = socket(AF_INET, type, 0);
	socklen_t size = sizeof(to);

	if (bind(fd, (void *)&to, size) || getsockname(fd, (void *)&to, &size))
		die("cannot bind a socket");
	*port = ntohs(to.sin_port);
	return fd;
}

/*
 * A network device whose other end is this program: what the kernel sends is queued,
 * as nobody reads, and what is written is received by polling.
 */

static int tun_ifindex;

static int tun_open(void)
{
	struct ifreq req = { .ifr_flags = IFF_TUN | IFF_NO_PI | IFF_NAPI };
	struct sockaddr_in *address = (void *)&req.ifr_addr;
	int fd = open("/dev/net/tun", O_RDWR), s = socket(AF_INET, SOCK_DGRAM, 0);

	/* Of the disciplines there are the default one is bypassed by single packets. */
	put("/proc/sys/net/core/default_qdisc", "fq");
	snprintf(req.ifr_name, sizeof(req.ifr_name), "lkst0");
	if (fd < 0 || ioctl(fd, TUNSETIFF, &req))
		die("no tun device: %s", strerror(errno));
	address->sin_family = AF_INET;
	address->sin_port = 0;
	address->sin_addr.s_addr = htonl(0x0a090901);
	if (ioctl(s, SIOCSIFADDR, &req))
		die("no address for the device: %s", strerror(errno));
	address->sin_addr.s_addr = htonl(0xffffff00);
	if (ioctl(s, SIOCSIFNETMASK, &req))
		die("no mask for the device: %s", strerror(errno));
	req.ifr_flags = IFF_UP | IFF_RUNNING;
	if (ioctl(s, SIOCSIFFLAGS, &req))
		die("the device does not go up: %s", strerror(errno));
	put("/proc/sys/net/core/default_qdisc", "pfifo_fast");
	close(s);
	tun_ifindex = if_nametoindex("lkst0");
	return fd;
}

static struct sockaddr_in behind_tun(void)
{
	struct sockaddr_in to = loopback(9);

	to.sin_addr.s_addr = htonl(0x0a090902);
	return to;
}

static void test_queue(void)
{
	int n = 200, i, in = 0, out = 0, sent = 0, tun = tun_open();
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in to = behind_tun();
	const struct record *r;
	struct trace *trace;
	char data[500] = "";
	long long skb = 0;

	begin("net/qdisc_enqueue", "net/qdisc_dequeue", "net/transmit");
	for (i = 0; i < n; i++)
		sendto(s, data, 10 + i, 0, (void *)&to, sizeof(to));
	trace = record_end();
	for_each(trace, r) {
		if (num(r, "ifindex") != tun_ifindex)
			continue;
		expect("queue", num(r, "queue"), 0);
		if (is(r, "net/qdisc_enqueue")) {
			expect("who comes in", in++, sent);
			expect("length of the queue with it", num(r, "qlen"), 1);
			expect("what the queue says", num(r, "rc"), 0);
			skb = num(r, "skb");
		}
		if (is(r, "net/qdisc_dequeue")) {
			expect("who goes out", num(r, "skb"), skb);
			expect("its length", num(r, "len"), 20 + 8 + 10 + out++);
			expect("how many", num(r, "packets"), 1);
			expect("length of the queue without it", num(r, "qlen"), 0);
		}
		if (is(r, "net/transmit"))
			expect("length sent", num(r, "len"), 20 + 8 + 10 + sent++);
	}
	expect("enqueue", in, n);
	expect("dequeue", out, n);
	expect("transmit", sent, n);
	report(trace, "200 packets through a queue: in, out, and to the driver");
	close(s);
	close(tun);
}

static __u16 checksum(const void *data, size_t size)
{
	const __u16 *word = data;
	__u32 sum = 0;

	for (; size; size -= 2)
		sum += *word++;
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/* An IPv4 packet of protocol 253, for experiments, that nobody here wants. */
static void test_poll(void)
{
	int n = 100, i, polls = 0, received = 0, dropped = 0, tun = tun_open();
	__u8 packet[200] = { 0x45, 0, 0, 0, 0, 0, 0, 0, 64, 253, 0, 0, 10, 9, 9, 2,
			     10, 9, 9, 1 };
	const struct record *r;
	struct trace *trace;
	long long skb = 0;

	begin("net/napi_poll", "net/receive", "net/drop");
	for (i = 0; i < n; i++) {
		size_t size = 40 + i;

		*(__u16 *)(packet + 2) = htons(size);
		*(__u16 *)(packet + 10) = 0;
		*(__u16 *)(packet + 10) = checksum(packet, 20);
		if (write(tun, packet, size) != (ssize_t)size)
			die("cannot send to the device");
	}
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "net/napi_poll") && num(r, "ifindex") == tun_ifindex) {
			polls++;
			expect("packets it had", num(r, "work"), 1);
			expect("that it could have had", num(r, "budget"), 64);
		}
		if (is(r, "net/receive") && num(r, "ifindex") == tun_ifindex) {
			expect("length", num(r, "len"), 40 + received++);
			skb = num(r, "skb");
		}
		if (is(r, "net/drop") && num(r, "skb") == skb && dropped < received) {
			dropped++;
			/* SKB_DROP_REASON_IP_NOPROTO */
			expect("why", num(r, "reason"), 18);
			expect("where", num(r, "site") < 0, 1);
		}
	}
	expect("polls", polls, n);
	expect("received", received, n);
	expect("dropped", dropped, n);
	report(trace, "100 packets from a device: polled, received, and dropped");
	close(tun);
}

/* A port where nobody listens. */
static void test_drops(void)
{
	int n = 100, i, port, s = socket(AF_INET, SOCK_DGRAM, 0), drops = 0;
	struct sockaddr_in to;
	const struct record *r;
	struct trace *trace;
	char data[200] = "";

	close(bound(SOCK_DGRAM, &port));
	to = loopback(port);
	begin("net/drop");
	for (i = 0; i < n; i++)
		sendto(s, data, 50 + i, 0, (void *)&to, sizeof(to));
	trace = record_end();
	for_each(trace, r) {
		/* SKB_DROP_REASON_NO_SOCKET */
		if (num(r, "reason") != 3)
			continue;
		expect("length", num(r, "len"), 8 + 50 + drops++);
		expect("where", num(r, "site") < 0, 1);
	}
	expect("drops", drops, n);
	report(trace, "100 packets for a port without a socket: dropped for that");
	close(s);
}

/*
 * Sockets
 */

static void test_sockets(void)
{
	int n = 100, i, made = 0, closed = 0;
	const struct record *r;
	struct trace *trace;
	long long sk = 0;

	begin("net/sock_create", "net/sock_close", "sched/switch");
	for (i = 0; i < n; i++)
		close(socket(AF_UNIX, SOCK_DGRAM, 0));
	close(socket(AF_INET, SOCK_STREAM, IPPROTO_TCP));
	trace = record_end();
	for_each(trace, r) {
		if (r->tid != self)
			continue;
		if (is(r, "net/sock_create")) {
			expect("made when the one before was closed", made++, closed);
			expect("its type", num(r, "type"), made <= n ? SOCK_DGRAM : SOCK_STREAM);
			expect("its protocol", num(r, "protocol"), made <= n ? 0 : IPPROTO_TCP);
			sk = num(r, "sk");
		}
		if (is(r, "net/sock_close")) {
			closed++;
			expect("the same", num(r, "sk"), sk);
			expect("its type", num(r, "type"), made <= n ? SOCK_DGRAM : SOCK_STREAM);
		}
		if (!is(r, "sched/switch"))
			expect("its family", num(r, "family"), made <= n ? AF_UNIX : AF_INET);
	}
	expect("made", made, n + 1);
	expect("closed", closed, n + 1);
	report(trace, "101 sockets, made and closed");
}

/* Sizes of what goes over a pair; a message that is cut, an empty queue. */
static void test_sizes(void)
{
	int n = 200, i, pair[2], sent = 0, received = 0, again = 0;
	const struct record *r;
	struct trace *trace;
	char data[300] = "";
	long long a = 0;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		die("no socket pair");
	begin("net/sock_send", "net/sock_receive", "sched/switch");
	for (i = 0; i < n; i++) {
		send(pair[0], data, 1 + i, 0);
		recv(pair[1], data, 300, 0);
	}
	recv(pair[1], data, 300, MSG_DONTWAIT);
	trace = record_end();
	for_each(trace, r) {
		if (r->tid != self)
			continue;
		if (is(r, "net/sock_send")) {
			expect("sent", num(r, "ret"), 1 + sent++);
			expect("not taken", num(r, "left"), 0);
			a = num(r, "sk");
		}
		if (is(r, "net/sock_receive") && num(r, "ret") < 0) {
			again++;
			expect("nothing there", num(r, "ret"), -EAGAIN);
		} else if (is(r, "net/sock_receive")) {
			expect("received", num(r, "ret"), 1 + received++);
			expect("room left", num(r, "left"), 300 - received);
			expect("by the other", num(r, "sk") != a, 1);
		}
	}
	expect("sent", sent, n);
	expect("received", received, n);
	expect("an empty queue", again, 1);
	report(trace, "200 messages of a socket pair, with their sizes");
	close(pair[0]);
	close(pair[1]);
}

/* The states of one side, in turn. */
static void test_connections(void)
{
	/* closed, SYN sent, established, FIN wait 1, FIN wait 2, closed */
	static const int states[] = { 7, 2, 1, 4, 5, 7 };
	int n = 50, i, port, in = bound(SOCK_STREAM, &port), connected = 0, accepted = 0;
	int refused = 0, next = 0, rounds = 0, server = 0;
	struct sockaddr_in to = loopback(port), nobody;
	const struct record *r;
	struct trace *trace;
	long long sk = 0, listens = 0;
	char c;

	listen(in, 8);
	close(bound(SOCK_STREAM, &port));
	nobody = loopback(port);
	begin("net/sock_connect", "net/sock_accept", "net/sock_state");
	for (i = 0; i < n; i++) {
		int out = socket(AF_INET, SOCK_STREAM, 0), got;

		if (connect(out, (void *)&to, sizeof(to)))
			die("cannot connect");
		got = accept(in, NULL, NULL);
		close(out);
		/* Its end has arrived. */
		if (read(got, &c, 1))
			die("data that nobody sent");
		close(got);
	}
	i = socket(AF_INET, SOCK_STREAM, 0);
	if (!connect(i, (void *)&nobody, sizeof(nobody)))
		die("somebody listens");
	close(i);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "net/sock_state") && num(r, "dport") == ntohs(to.sin_port)) {
			expect("protocol", num(r, "protocol"), IPPROTO_TCP);
			expect("family", num(r, "family"), AF_INET);
			expect("address", num(r, "daddr"), INADDR_LOOPBACK);
			if (!next)
				sk = num(r, "sk");
			expect("of one socket", num(r, "sk"), sk);
			expect("old state", num(r, "old"), states[next]);
			expect("new state", num(r, "new"), states[next + 1]);
			next = (next + 1) % 5;
			rounds += !next;
		}
		/* SYN received to established, with the port of this side. */
		server += is(r, "net/sock_state") && num(r, "sport") == ntohs(to.sin_port) &&
			  num(r, "new") == 1;
		if (is(r, "net/sock_connect") && num(r, "ret")) {
			refused++;
			expect("why", num(r, "ret"), -ECONNREFUSED);
			expect("its port", num(r, "port"), port);
		} else if (is(r, "net/sock_connect")) {
			connected++;
			expect("the port", num(r, "port"), ntohs(to.sin_port));
			expect("its family", num(r, "family"), AF_INET);
			expect("the socket", num(r, "sk"), sk);
		}
		if (is(r, "net/sock_accept")) {
			if (accepted++)
				expect("who listens", num(r, "sk"), listens);
			listens = num(r, "sk");
			expect("a new socket", num(r, "new_sk") != listens, 1);
		}
	}
	expect("connected", connected, n);
	expect("refused", refused, 1);
	expect("accepted", accepted, n);
	expect("all states", rounds, n);
	expect("established at the other end", server, n);
	report(trace, "50 connections, each through all its states, and one refused");
	close(in);
}

/* So many waits for an answer to a SYN are of one length; 4 is the default. */
#define LINEAR	"/proc/sys/net/ipv4/tcp_syn_linear_timeouts"

/*
 * Nobody answers behind the device: the SYN is sent again after a second, and then, as
 * each wait is twice the one before, after two more.
 */
static void test_retransmits(void)
{
	int tun = tun_open(), s = socket(AF_INET, SOCK_STREAM, 0), again = 0;
	struct timeval limit = { .tv_sec = 1, .tv_usec = 700000 };
	struct sockaddr_in to = behind_tun();
	const struct record *r;
	struct trace *trace;

	setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	put(LINEAR, "0");
	begin("net/tcp_retransmit");
	if (!connect(s, (void *)&to, sizeof(to)) || errno != EINPROGRESS)
		die("somebody answers");
	trace = record_end();
	for_each(trace, r) {
		again++;
		expect("port", num(r, "dport"), 9);
		expect("length of a SYN", num(r, "len"), 1);
		expect("sent", num(r, "err"), 0);
	}
	expect("sent again", again, 1);
	report(trace, "a SYN that nobody answers is sent again");
	put(LINEAR, "4");
	close(s);
	close(tun);
}

/*
 * System V IPC
 */

static void test_semaphores(void)
{
	struct sembuf up = { .sem_num = 2, .sem_op = 3 };
	struct sembuf down[2] = { { .sem_num = 2, .sem_op = -3, .sem_flg = IPC_NOWAIT },
				  { .sem_num = 1 } };
	int n = 100, i, id = semget(IPC_PRIVATE, 3, 0600), ups = 0, downs = 0, fails = 0;
	const struct record *r;
	struct trace *trace;

	begin("ipc/semop");
	for (i = 0; i < n; i++) {
		semop(id, &up, 1);
		semop(id, down, 2);
		semop(id, down, 2);
	}
	trace = record_end();
	for_each(trace, r) {
		expect("the set", num(r, "id"), id);
		expect("the semaphore", num(r, "num"), 2);
		if (num(r, "ret") == -EAGAIN) {
			expect("in turn", fails++, downs - 1);
		} else if (num(r, "op") > 0) {
			expect("in turn", ups++, downs);
			expect("operations", num(r, "nr"), 1);
			expect("what is added", num(r, "op"), 3);
		} else {
			downs++;
			expect("operations", num(r, "nr"), 2);
			expect("what is taken", num(r, "op"), -3);
			expect("result", num(r, "ret"), 0);
		}
	}
	expect("up", ups, n);
	expect("down", downs, n);
	expect("no more", fails, n);
	report(trace, "300 semaphore operations, a third of which would block");
	semctl(id, 0, IPC_RMID);
}

static void test_messages(void)
{
	struct { long type; char data[200]; } msg = { };
	int n = 100, i, id = msgget(IPC_PRIVATE, 0600), sent = 0, received = 0, none = 0;
	const struct record *r;
	struct trace *trace;

	begin("ipc/msg_send", "ipc/msg_receive");
	for (i = 0; i < n; i++) {
		msg.type = 1 + i;
		msgsnd(id, &msg, i, 0);
		msgrcv(id, &msg, sizeof(msg.data), 0, 0);
	}
	msgrcv(id, &msg, sizeof(msg.data), 0, IPC_NOWAIT);
	trace = record_end();
	for_each(trace, r) {
		bool is_send = is(r, "ipc/msg_send");

		expect("the queue", num(r, "id"), id);
		if (num(r, "ret")) {
			none++;
			expect("why", num(r, "ret"), -ENOMSG);
			continue;
		}
		i = is_send ? sent++ : received++;
		expect("type", num(r, "type"), 1 + i);
		expect("size", num(r, "size"), i);
		expect("in turn", sent - received, is_send);
	}
	expect("sent", sent, n);
	expect("received", received, n);
	expect("none there", none, 1);
	report(trace, "100 messages of a queue, with their types and sizes");
	msgctl(id, IPC_RMID, NULL);
}

static void test_shared_memory(void)
{
	int n = 50, i, id = shmget(IPC_PRIVATE, 12345, 0600), on = 0, off = 0;
	const struct record *r;
	struct trace *trace;
	void *at[50];

	begin("ipc/shm_attach", "ipc/shm_detach");
	for (i = 0; i < n; i++) {
		at[i] = shmat(id, NULL, 0);
		shmdt(at[i]);
	}
	shmdt(at);
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "ipc/shm_attach")) {
			expect("the segment", num(r, "id"), id);
			expect("where", num(r, "address"), (long)at[on++]);
			expect("its size", num(r, "size"), 12345);
			expect("result", num(r, "ret"), 0);
		} else {
			expect("where it was", num(r, "address"), (long)at[off++]);
			expect("result", num(r, "ret"), 0);
		}
	}
	expect("attached", on, n);
	expect("detached", off, n);
	report(trace, "50 times shared memory attached and detached");
	shmctl(id, IPC_RMID, NULL);
}

/*
 * Futexes and pipes
 */

static long futex(__u32 *address, int op, __u32 value, const struct timespec *limit,
		  __u32 bits)
{
	return syscall(SYS_futex, address, op, value, limit, NULL, bits);
}

/* Wait for a wake; nothing else changes the value. */
static void *futex_thread(void *arg)
{
	__u32 *word = arg;

	while (futex(word, FUTEX_WAIT_BITSET_PRIVATE, 5, NULL, 0x30))
		if (errno != EINTR)
			die("cannot wait for a futex: %s", strerror(errno));
	return NULL;
}

static void test_futexes(void)
{
	int n = 50, i, begins = 0, ends = 0, wakes = 0, woken = 0;
	struct timespec past = { };
	const struct record *r;
	struct trace *trace;
	__u32 word = 5;

	begin("ipc/futex_wait_begin", "ipc/futex_wait_end", "ipc/futex_wake");
	for (i = 0; i < n; i++) {
		pthread_t t;

		pthread_create(&t, NULL, futex_thread, &word);
		/* Who waits for other bits is not woken. */
		while (futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 7, NULL, 0x10) != 1)
			sched_yield();
		pthread_join(t, NULL);
	}
	if (!futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 5, &past, ~0) || errno != ETIMEDOUT)
		die("no timeout");
	trace = record_end();
	for_each(trace, r) {
		if (num(r, "address") != (long)&word)
			continue;
		if (is(r, "ipc/futex_wait_begin")) {
			expect("begins when the one before ended", begins++, ends);
			expect("value", num(r, "value"), 5);
			expect("bits", num(r, "bitset"), begins <= n ? 0x30 : 0xffffffff);
		}
		if (is(r, "ipc/futex_wait_end"))
			expect("ends when it has begun", ++ends, begins);
		if (is(r, "ipc/futex_wake")) {
			wakes++;
			woken += num(r, "ret");
			expect("asked for", num(r, "asked"), 7);
		}
	}
	expect("begins", begins, n + 1);
	expect("ends", ends, n + 1);
	expect("wakes", wakes >= n, 1);
	expect("woken", woken, n);
	report(trace, "50 threads wait for a futex and are woken, one in vain");
}

static void test_pipes(void)
{
	int n = 100, i, fd[2], reads = 0, writes = 0, again = 0;
	const struct record *r;
	struct trace *trace;
	static char data[8192];
	long long pipe = 0;

	if (pipe2(fd, O_NONBLOCK))
		die("no pipe");
	begin("ipc/pipe_read", "ipc/pipe_write", "sched/switch");
	/* Two buffers are in use, one is left over by each read. */
	for (i = 0; i < n; i++) {
		if (write(fd[1], data, 4097 + i) != 4097 + i ||
		    read(fd[0], data, 4096) != 4096 || read(fd[0], data, 200) != 1 + i)
			die("the pipe does not work");
	}
	if (read(fd[0], data, 1) > 0)
		die("the pipe has more");
	trace = record_end();
	for_each(trace, r) {
		if (is(r, "sched/switch") || r->tid != self)
			continue;
		if (is(r, "ipc/pipe_write")) {
			expect("written", num(r, "ret"), 4097 + writes++);
			expect("in use", num(r, "used"), 2);
			pipe = num(r, "pipe");
			continue;
		}
		expect("the same pipe", num(r, "pipe"), pipe);
		if (num(r, "ret") < 0) {
			again++;
			expect("nothing there", num(r, "ret"), -EAGAIN);
			continue;
		}
		expect("read", num(r, "ret"), reads % 2 ? 1 + reads / 2 : 4096);
		expect("still in use", num(r, "used"), reads % 2 ? 0 : 1);
		reads++;
	}
	expect("writes", writes, n);
	expect("reads", reads, 2 * n);
	expect("empty", again, 1);
	report(trace, "100 writes to a pipe, each read in two pieces");
	close(fd[0]);
	close(fd[1]);
}

static void (* const tests[])(void) = {
	test_queue, test_poll, test_drops, test_sockets, test_sizes, test_connections,
	test_retransmits, test_semaphores, test_messages, test_shared_memory, test_futexes,
	test_pipes,
};

int main(void)
{
	self = getpid();
	run_tests(tests, ARRAY_SIZE(tests));
	ksft_finished();
}
