/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group net; see linux/lkst_events.h. */

LKST_EVENT(net, transmit, LKST_DFL,
	   "A packet was handed to a device's driver",
	   LKST_PROTO(const struct sk_buff *skb, const struct net_device *dev,
		      const struct netdev_queue *txq, unsigned int len, int rc),
	   LKST_ARGS(skb, dev, txq, len, rc),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u32, len, "bytes", "its length", len)
		LKST_INT(u32, ifindex, "", "number of the device", dev->ifindex)
		LKST_INT(u32, queue, "", "number of the device's queue", txq - dev->_tx)
		LKST_INT(s32, rc, "", "0 if the driver took it", rc)))

LKST_EVENT(net, receive, LKST_DFL,
	   "A packet comes from a device",
	   LKST_PROTO(const struct sk_buff *skb), LKST_ARGS(skb),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u32, len, "bytes", "its length", skb->len)
		LKST_INT(u32, ifindex, "", "number of the device", skb->dev->ifindex)
		LKST_INT(u32, protocol, "hex", "EtherType", ntohs(skb->protocol))
		LKST_INT(u32, hash, "hex", "of the flow, 0 if nobody made one", skb->hash)))

LKST_EVENT(net, qdisc_enqueue, LKST_ANA,
	   "A packet was handed to a queueing discipline",
	   LKST_PROTO(const struct Qdisc *q, const struct netdev_queue *txq,
		      const struct sk_buff *skb, int rc),
	   LKST_ARGS(q, txq, skb, rc),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u32, ifindex, "", "number of the device", txq->dev->ifindex)
		LKST_INT(u32, queue, "", "number of the device's queue",
			 txq - txq->dev->_tx)
		LKST_INT(u32, qlen, "", "packets that wait now", qdisc_qlen_sum(q))
		LKST_INT(s32, rc, "", "0 queued, 1 dropped, 2 congestion", rc)))

LKST_EVENT(net, qdisc_dequeue, LKST_ANA,
	   "Packets were taken from a queueing discipline",
	   LKST_PROTO(const struct Qdisc *q, const struct netdev_queue *txq,
		      const struct sk_buff *skb, int packets),
	   LKST_ARGS(q, txq, skb, packets),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the first", (unsigned long)skb)
		LKST_INT(u32, len, "bytes", "its length", skb->len)
		LKST_INT(u32, ifindex, "", "number of the device", txq->dev->ifindex)
		LKST_INT(u16, queue, "", "number of the device's queue",
			 txq - txq->dev->_tx)
		LKST_INT(u16, packets, "", "how many", packets)
		LKST_INT(u32, qlen, "", "packets that still wait", qdisc_qlen_sum(q))))

LKST_EVENT(net, napi_poll, LKST_DFL,
	   "A driver was asked for the packets that came",
	   LKST_PROTO(const struct napi_struct *napi, int work, int budget),
	   LKST_ARGS(napi, work, budget),
	   LKST_FIELDS(
		LKST_INT(u64, napi, "hex", "address of its queue", (unsigned long)napi)
		LKST_INT(u32, ifindex, "", "number of the device, 0 if it is no device's",
			 napi->dev ? napi->dev->ifindex : 0)
		LKST_INT(u16, work, "", "packets that it had", work)
		LKST_INT(u16, budget, "", "packets that it could have had", budget)))

LKST_EVENT(net, drop, LKST_DFL,
	   "A packet was dropped",
	   LKST_PROTO(const struct sk_buff *skb, const void *site, unsigned int reason),
	   LKST_ARGS(skb, site, reason),
	   LKST_FIELDS(
		LKST_INT(u64, skb, "hex", "address of the packet", (unsigned long)skb)
		LKST_INT(u64, site, "hex", "the caller", (unsigned long)site)
		LKST_INT(u32, reason, "", "enum skb_drop_reason: 2 not specified, ...", reason)
		LKST_INT(u32, len, "bytes", "its length", skb->len)))

LKST_EVENT(net, sock_create, LKST_DFL,
	   "A socket was made",
	   LKST_PROTO(const struct socket *sock, int family, int protocol),
	   LKST_ARGS(sock, family, protocol),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sock->sk)
		LKST_INT(u16, family, "", "address family", family)
		LKST_INT(u16, type, "", "1 stream, 2 datagram, ...", sock->type)
		LKST_INT(u32, protocol, "", "protocol", protocol)))

LKST_EVENT(net, sock_connect, LKST_DFL,
	   "A socket was connected, or begins to be",
	   LKST_PROTO(const struct socket *sock, const void *to, int ret),
	   LKST_ARGS(sock, to, ret),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sock->sk)
		LKST_INT(s32, ret, "", "0, or -errno", ret)
		LKST_INT(u16, family, "", "address family",
			 ((const struct sockaddr *)to)->sa_family)
		LKST_INT(u16, port, "", "port of the other, 0 where there is none",
			 lkst_sockaddr_port(to))))

LKST_EVENT(net, sock_accept, LKST_DFL,
	   "A connection was accepted",
	   LKST_PROTO(const struct socket *sock, const struct socket *newsock),
	   LKST_ARGS(sock, newsock),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket that listens",
			 (unsigned long)sock->sk)
		LKST_INT(u64, new_sk, "hex", "address of the new socket",
			 (unsigned long)newsock->sk)))

LKST_EVENT(net, sock_send, LKST_ANA,
	   "Data was sent by a socket",
	   LKST_PROTO(const struct socket *sock, const struct msghdr *msg, int ret),
	   LKST_ARGS(sock, msg, ret),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sock->sk)
		LKST_INT(s32, ret, "bytes", "how much, or -errno", ret)
		LKST_INT(u32, left, "bytes", "what was not taken", iov_iter_count(&msg->msg_iter))))

LKST_EVENT(net, sock_receive, LKST_ANA,
	   "Data was received from a socket",
	   LKST_PROTO(const struct socket *sock, const struct msghdr *msg, int ret),
	   LKST_ARGS(sock, msg, ret),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sock->sk)
		LKST_INT(s32, ret, "bytes", "how much, or -errno", ret)
		LKST_INT(u32, left, "bytes", "room that was left over",
			 iov_iter_count(&msg->msg_iter))))

LKST_EVENT(net, sock_close, LKST_DFL,
	   "A socket is about to be closed",
	   LKST_PROTO(const struct socket *sock), LKST_ARGS(sock),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sock->sk)
		LKST_INT(u32, family, "", "address family",
			 sock->sk ? sock->sk->sk_family : 0)
		LKST_INT(u32, type, "", "1 stream, 2 datagram, ...", sock->type)))

LKST_EVENT(net, sock_state, LKST_DFL,
	   "An internet socket changes its state",
	   LKST_PROTO(const struct sock *sk, int state), LKST_ARGS(sk, state),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sk)
		LKST_INT(u16, old, "",
			 "1 established, 2 SYN sent, 3 SYN received, 7 closed, 10 listens, ...",
			 sk->sk_state)
		LKST_INT(u16, new, "", "what it becomes", state)
		LKST_INT(u16, sport, "", "its own port",
			 ntohs(inet_sk(sk)->inet_sport))
		LKST_INT(u16, dport, "", "port of the other",
			 ntohs(inet_sk(sk)->inet_dport))
		LKST_INT(u32, daddr, "hex", "address of the other, of IPv6 the last part",
			 lkst_sock_daddr(sk))
		LKST_INT(u16, family, "", "2 IPv4, 10 IPv6", sk->sk_family)
		LKST_INT(u16, protocol, "", "6 TCP, ...", sk->sk_protocol)))

LKST_EVENT(net, tcp_retransmit, LKST_DFL,
	   "TCP sent a segment again",
	   LKST_PROTO(const struct sock *sk, const struct sk_buff *skb, int err),
	   LKST_ARGS(sk, skb, err),
	   LKST_FIELDS(
		LKST_INT(u64, sk, "hex", "address of the socket", (unsigned long)sk)
		LKST_INT(u32, seq, "", "its first sequence number", TCP_SKB_CB(skb)->seq)
		LKST_INT(u32, len, "bytes", "of data", TCP_SKB_CB(skb)->end_seq -
			 TCP_SKB_CB(skb)->seq)
		LKST_INT(u16, sport, "", "port of this side",
			 ntohs(inet_sk(sk)->inet_sport))
		LKST_INT(u16, dport, "", "port of the other",
			 ntohs(inet_sk(sk)->inet_dport))
		LKST_INT(s32, err, "", "0, or -errno where it could not be sent", err)))
