/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group ipc; see linux/lkst_events.h. */

LKST_EVENT(ipc, semop, LKST_ANA,
	   "Operations on a System V semaphore set were done",
	   LKST_PROTO(int id, const struct sembuf *ops, unsigned int nr, int ret),
	   LKST_ARGS(id, ops, nr, ret),
	   LKST_FIELDS(
		LKST_INT(s32, id, "", "the set", id)
		LKST_INT(s32, ret, "", "0, or -errno", ret)
		LKST_INT(u16, num, "", "semaphore of the first operation", ops->sem_num)
		LKST_INT(u16, nr, "", "operations", nr)
		LKST_INT(s32, op, "", "what the first adds", ops->sem_op)))

LKST_EVENT(ipc, msg_send, LKST_ANA,
	   "A System V message was sent",
	   LKST_PROTO(int id, long type, size_t size, int ret),
	   LKST_ARGS(id, type, size, ret),
	   LKST_FIELDS(
		LKST_INT(s32, id, "", "the queue", id)
		LKST_INT(s32, ret, "", "0, or -errno", ret)
		LKST_INT(s64, type, "", "the message's type", type)
		LKST_INT(u64, size, "bytes", "its size", size)))

LKST_EVENT(ipc, msg_receive, LKST_ANA,
	   "A System V message was received",
	   LKST_PROTO(int id, const struct msg_msg *msg), LKST_ARGS(id, msg),
	   LKST_FIELDS(
		LKST_INT(s32, id, "", "the queue", id)
		LKST_INT(s32, ret, "", "0, or -errno", IS_ERR(msg) ? PTR_ERR(msg) : 0)
		LKST_INT(s64, type, "", "the message's type", IS_ERR(msg) ? 0 : msg->m_type)
		LKST_INT(u64, size, "bytes", "its size", IS_ERR(msg) ? 0 : msg->m_ts)))

LKST_EVENT(ipc, shm_attach, LKST_ANA,
	   "System V shared memory was attached",
	   LKST_PROTO(int id, unsigned long address, unsigned long size, int ret),
	   LKST_ARGS(id, address, size, ret),
	   LKST_FIELDS(
		LKST_INT(s32, id, "", "the segment", id)
		LKST_INT(s32, ret, "", "0, or -errno", ret)
		LKST_INT(u64, address, "hex", "where", address)
		LKST_INT(u64, size, "bytes", "its size", size)))

LKST_EVENT(ipc, shm_detach, LKST_ANA,
	   "System V shared memory was detached",
	   LKST_PROTO(unsigned long address, int ret), LKST_ARGS(address, ret),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "where it was", address)
		LKST_INT(s64, ret, "", "0, or -errno", ret)))

LKST_EVENT(ipc, futex_wait_begin, LKST_ANA,
	   "A thread is about to sleep on a futex",
	   LKST_PROTO(unsigned long address, u32 value, u32 bitset),
	   LKST_ARGS(address, value, bitset),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "the futex, of several the first", address)
		LKST_INT(u32, value, "", "what it holds", value)
		LKST_INT(u32, bitset, "hex", "which wakes it waits for", bitset)))

LKST_EVENT(ipc, futex_wait_end, LKST_ANA,
	   "A thread slept on a futex",
	   LKST_PROTO(unsigned long address), LKST_ARGS(address),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "the futex, of several the first", address)))

LKST_EVENT(ipc, futex_wake, LKST_ANA,
	   "Threads that sleep on a futex are woken, or moved to another",
	   LKST_PROTO(unsigned long address, int asked, int ret),
	   LKST_ARGS(address, asked, ret),
	   LKST_FIELDS(
		LKST_INT(u64, address, "hex", "the futex", address)
		LKST_INT(s32, asked, "", "how many at most", asked)
		LKST_INT(s32, ret, "", "how many, or -errno", ret)))

LKST_EVENT(ipc, pipe_read, LKST_ANA,
	   "A pipe was read",
	   LKST_PROTO(const struct pipe_inode_info *pipe, long ret), LKST_ARGS(pipe, ret),
	   LKST_FIELDS(
		LKST_INT(u64, pipe, "hex", "address of the pipe", (unsigned long)pipe)
		LKST_INT(s32, ret, "bytes", "how much, or -errno", ret)
		LKST_INT(u32, used, "", "buffers of the pipe that are in use now",
			 pipe->head - pipe->tail)))

LKST_EVENT(ipc, pipe_write, LKST_ANA,
	   "A pipe was written to",
	   LKST_PROTO(const struct pipe_inode_info *pipe, long ret), LKST_ARGS(pipe, ret),
	   LKST_FIELDS(
		LKST_INT(u64, pipe, "hex", "address of the pipe", (unsigned long)pipe)
		LKST_INT(s32, ret, "bytes", "how much, or -errno", ret)
		LKST_INT(u32, used, "", "buffers of the pipe that are in use now",
			 pipe->head - pipe->tail)))
