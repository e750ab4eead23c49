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
