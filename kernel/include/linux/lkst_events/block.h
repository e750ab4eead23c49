/* SPDX-License-Identifier: GPL-2.0 */
/* Events of the group block; see linux/lkst_events.h. */

LKST_EVENT(block, bio_queue, LKST_ANA,
	   "A bio, a piece of I/O, is submitted",
	   LKST_PROTO(const struct bio *bio), LKST_ARGS(bio),
	   LKST_FIELDS(
		LKST_INT(u64, bio, "hex", "its address", (unsigned long)bio)
		LKST_INT(u64, sector, "", "its first sector of 512 bytes",
			 lkst_bio_sector(bio))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_bio_dev(bio))
		LKST_INT(u32, size, "bytes", "size", lkst_bio_size(bio))
		LKST_INT(u32, opf, "hex",
			 "what: 0 read, 1 write, 2 flush, 3 discard, ... in the low byte, REQ_* flags above",
			 lkst_bio_opf(bio))
		LKST_INT(u32, plugged, "",
			 "requests that the thread holds back", lkst_plugged())))

LKST_EVENT(block, bio_complete, LKST_ANA,
	   "A bio is done by a driver that makes no requests",
	   LKST_PROTO(const struct bio *bio), LKST_ARGS(bio),
	   LKST_FIELDS(
		LKST_INT(u64, bio, "hex", "its address", (unsigned long)bio)
		LKST_INT(u64, sector, "",
			 "as the driver leaves it: the first, or that behind the last",
			 lkst_bio_sector(bio))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_bio_dev(bio))
		LKST_INT(u32, size, "bytes", "as the driver leaves it: all, or 0",
			 lkst_bio_size(bio))
		LKST_INT(u32, opf, "hex", "what, as in block/bio_queue",
			 lkst_bio_opf(bio))
		LKST_INT(u32, status, "",
			 "0 done, else BLK_STS_*: 1 not supported, 2 timeout, 10 I/O error",
			 lkst_bio_status(bio))))

LKST_EVENT(block, plug, LKST_ANA,
	   "A thread begins to hold back requests",
	   LKST_PROTO(const struct request *rq), LKST_ARGS(rq),
	   LKST_FIELDS(
		LKST_INT(u32, dev, "hex", "the first one's device: major << 20 | minor",
			 lkst_rq_dev(rq))
		LKST_INT(s32, tid, "", "the thread", current->pid)))

LKST_EVENT(block, unplug, LKST_ANA,
	   "Requests that a thread held back are let go",
	   LKST_PROTO(const struct request_queue *q, unsigned int depth, bool schedule),
	   LKST_ARGS(q, depth, schedule),
	   LKST_FIELDS(
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_queue_dev(q))
		LKST_INT(u16, depth, "", "how many", depth)
		LKST_INT(u16, schedule, "", "1 because the thread goes to sleep",
			 schedule)))

LKST_EVENT(block, insert, LKST_ANA,
	   "A request is put into a queue, to be issued later",
	   LKST_PROTO(const struct request *rq), LKST_ARGS(rq),
	   LKST_FIELDS(
		LKST_INT(u64, rq, "hex", "its address", (unsigned long)rq)
		LKST_INT(u64, sector, "", "its first sector of 512 bytes",
			 lkst_rq_sector(rq))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_rq_dev(rq))
		LKST_INT(u32, size, "bytes", "size", lkst_rq_size(rq))
		LKST_INT(u32, opf, "hex", "what, as in block/bio_queue", lkst_rq_opf(rq))
		LKST_INT(u32, depth, "",
			 "requests of its hardware queue, those not issued and itself included",
			 lkst_rq_queued(rq))))

LKST_EVENT(block, issue, LKST_DFL,
	   "A request is given to the device's driver",
	   LKST_PROTO(const struct request *rq), LKST_ARGS(rq),
	   LKST_FIELDS(
		LKST_INT(u64, rq, "hex", "its address", (unsigned long)rq)
		LKST_INT(u64, sector, "", "its first sector of 512 bytes",
			 lkst_rq_sector(rq))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_rq_dev(rq))
		LKST_INT(u32, size, "bytes", "size", lkst_rq_size(rq))
		LKST_INT(u32, opf, "hex", "what, as in block/bio_queue", lkst_rq_opf(rq))
		LKST_INT(u32, depth, "",
			 "requests of its hardware queue that have a tag of the device, itself included",
			 lkst_rq_depth(rq))))

LKST_EVENT(block, complete, LKST_DFL,
	   "A request, or a part of one, is done",
	   LKST_PROTO(const struct request *rq, unsigned int status, unsigned int size),
	   LKST_ARGS(rq, status, size),
	   LKST_FIELDS(
		LKST_INT(u64, rq, "hex", "its address", (unsigned long)rq)
		LKST_INT(u64, sector, "", "the first sector that is done",
			 lkst_rq_sector(rq))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_rq_dev(rq))
		LKST_INT(u32, size, "bytes", "size of what is done", size)
		LKST_INT(u16, op, "", "what: 0 read, 1 write, 2 flush, 3 discard, ...",
			 lkst_rq_opf(rq) & 0xff)
		LKST_INT(u16, status, "", "0 done, else BLK_STS_*, as in block/bio_complete",
			 status)
		LKST_INT(u32, depth, "", "as in block/issue, itself still included",
			 lkst_rq_depth(rq))))

LKST_EVENT(block, requeue, LKST_DFL,
	   "A request that the driver could not take goes back to the queue",
	   LKST_PROTO(const struct request *rq), LKST_ARGS(rq),
	   LKST_FIELDS(
		LKST_INT(u64, rq, "hex", "its address", (unsigned long)rq)
		LKST_INT(u64, sector, "", "its first sector of 512 bytes",
			 lkst_rq_sector(rq))
		LKST_INT(u32, dev, "hex", "device: major << 20 | minor", lkst_rq_dev(rq))
		LKST_INT(u32, size, "bytes", "size", lkst_rq_size(rq))
		LKST_INT(u32, opf, "hex", "what, as in block/bio_queue", lkst_rq_opf(rq))
		LKST_INT(u32, depth, "",
			 "as in block/issue, itself no more included",
			 lkst_rq_depth(rq))))
