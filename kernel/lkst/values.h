/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fields of events are computed by, and the headers that it takes.
 *
 * Context: that of the hook, so any. What is followed here is known to be there:
 * no user's address, and nothing that the site does not hold.
 */
#ifndef _LKST_VALUES_H
#define _LKST_VALUES_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kdev_t.h>
#include <linux/mm.h>
#include <linux/mm_types.h>
#include <linux/msg.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/pid.h>
#include <linux/pipe_fs_i.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/sem.h>
#include <linux/slab.h>
#include <linux/socket.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timer.h>
#include <linux/uidgid.h>
#include <linux/uio.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <net/inet_sock.h>
#include <net/sch_generic.h>
#include <net/sock.h>
#include <net/tcp.h>
#ifdef CONFIG_X86
#include <asm/irq_vectors.h>
#endif
#include <asm/syscall.h>

/* The kernel's own SEND_SIG_NOINFO and SEND_SIG_PRIV are no addresses. */
static __always_inline s32 lkst_siginfo_code(const struct kernel_siginfo *info)
{
	if (info == SEND_SIG_NOINFO)
		return SI_USER;
	if (info == SEND_SIG_PRIV)
		return SI_KERNEL;
	return info->si_code;
}

/* The number by which a thread knows itself. */
static __always_inline s32 lkst_ns_tid(struct task_struct *p)
{
	struct pid *pid = READ_ONCE(p->thread_pid);

	return pid ? pid->numbers[pid->level].nr : 0;
}

static __always_inline u32 lkst_syscall_compat(void)
{
#if defined(CONFIG_X86) && defined(CONFIG_IA32_EMULATION)
	return !!(current_thread_info()->status & TS_COMPAT);
#else
	return 0;
#endif
}

static __always_inline s32 lkst_syscall_nr(const struct pt_regs *regs)
{
	return syscall_get_nr(current, (struct pt_regs *)regs);
}

static __always_inline u64 lkst_caps(const struct cred *cred)
{
	u64 caps;

	BUILD_BUG_ON(sizeof(cred->cap_effective) != sizeof(caps));
	memcpy(&caps, &cred->cap_effective, sizeof(caps));
	return caps;
}

/* What is moved to a group keeps cgroup_mutex, which keeps the name. */
#ifdef CONFIG_CGROUPS
static __always_inline u64 lkst_cgroup_id(const struct cgroup *cgrp)
{
	return cgrp->kn->id;
}

static __always_inline const char *lkst_cgroup_name(const struct cgroup *cgrp)
{
	return cgrp->kn->name;
}
#else
static __always_inline u64 lkst_cgroup_id(const struct cgroup *cgrp)
{
	return 0;
}

static __always_inline const char *lkst_cgroup_name(const struct cgroup *cgrp)
{
	return NULL;
}
#endif

/* One CPU, or those of @mask. */
static __always_inline u64 lkst_cpu_bits(int cpu, const struct cpumask *mask)
{
	if (mask)
		return cpumask_bits(mask)[0];
	return cpu < 64 ? BIT_ULL(cpu) : 0;
}

static __always_inline bool lkst_is_irq_work_vector(u32 vector)
{
#ifdef IRQ_WORK_VECTOR
	return vector == IRQ_WORK_VECTOR;
#else
	return false;
#endif
}

/* What only x86 has. */
#ifdef CONFIG_X86
#define REG(regs, reg)	((regs)->reg)
#else
#define REG(regs, reg)	0
#endif

static __always_inline u64 lkst_user_ip(void)
{
	if (current->flags & PF_KTHREAD)
		return 0;
	return instruction_pointer(task_pt_regs(current));
}

static __always_inline void lkst_all_args(const struct pt_regs *regs, u64 *words)
{
	BUILD_BUG_ON(sizeof(unsigned long) != sizeof(u64));
	syscall_get_arguments(current, (struct pt_regs *)regs, (unsigned long *)words);
}

static __always_inline u32 lkst_hung_seconds(const struct task_struct *p)
{
#ifdef CONFIG_DETECT_HUNG_TASK
	return (jiffies - p->last_switch_time) / HZ;
#else
	return 0;	/* nothing calls the hook */
#endif
}

static __always_inline u64 lkst_first_arg(const struct pt_regs *regs)
{
	unsigned long args[6];

	syscall_get_arguments(current, (struct pt_regs *)regs, args);
	return args[0];
}

/* IPv4 and IPv6 have it in the same place. */
static __always_inline u16 lkst_sockaddr_port(const struct sockaddr_in *to)
{
	if (to->sin_family != AF_INET && to->sin_family != AF_INET6)
		return 0;
	return ntohs(to->sin_port);
}

static __always_inline u32 lkst_sock_daddr(const struct sock *sk)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		return ntohl(sk->sk_v6_daddr.s6_addr32[3]);
#endif
	return ntohl(sk->sk_daddr);
}

/* An absolute time that a wait ends at. */
static __always_inline s64 lkst_until(const struct timespec64 *until)
{
	return until ? timespec64_to_ns(until) : -1;
}

/* A block device's own pages are on the device, not where its node is. */
static __always_inline u32 lkst_mapping_dev(const struct address_space *mapping)
{
	const struct inode *inode = mapping->host;

	return S_ISBLK(inode->i_mode) ? inode->i_rdev : inode->i_sb->s_dev;
}

static __always_inline u64 lkst_folio_swap(const struct folio *folio)
{
	return folio->swap.val;
}

#ifdef CONFIG_BLOCK

static __always_inline u64 lkst_bio_sector(const struct bio *bio)
{
	return bio->bi_iter.bi_sector;
}

static __always_inline u32 lkst_bio_size(const struct bio *bio)
{
	return bio->bi_iter.bi_size;
}

static __always_inline u32 lkst_bio_dev(const struct bio *bio)
{
	return bio_dev(bio);
}

static __always_inline u32 lkst_bio_opf(const struct bio *bio)
{
	return (__force u32)bio->bi_opf;
}

static __always_inline u32 lkst_bio_status(const struct bio *bio)
{
	return (__force u32)bio->bi_status;
}

static __always_inline u32 lkst_plugged(void)
{
	return current->plug ? current->plug->rq_count : 0;
}

static __always_inline u32 lkst_queue_dev(const struct request_queue *q)
{
	return q->disk ? disk_devt(q->disk) : 0;
}

static __always_inline u32 lkst_rq_dev(const struct request *rq)
{
	return lkst_queue_dev(rq->q);
}

static __always_inline u64 lkst_rq_sector(const struct request *rq)
{
	return blk_rq_pos(rq);
}

static __always_inline u32 lkst_rq_size(const struct request *rq)
{
	return blk_rq_bytes(rq);
}

static __always_inline u32 lkst_rq_opf(const struct request *rq)
{
	return (__force u32)rq->cmd_flags;
}

/*
 * How many tags are in use, without a call of what may be traced. A tag is a bit;
 * those of one word share a cache line, and there are at most some dozen words.
 */
static __always_inline u32 lkst_tags_used(const struct blk_mq_tags *tags)
{
	const struct sbitmap *map;
	u32 i, n = 0;

	if (!tags)
		return 0;
	map = &tags->bitmap_tags.sb;
	for (i = 0; i < map->map_nr; i++)
		n += hweight_long(READ_ONCE(map->map[i].word) &
				  ~READ_ONCE(map->map[i].cleared));
	return n;
}

static __always_inline u32 lkst_rq_depth(const struct request *rq)
{
	return lkst_tags_used(rq->mq_hctx->tags);
}

/* A scheduler has tags of its own, for all requests. */
static __always_inline u32 lkst_rq_queued(const struct request *rq)
{
	return lkst_tags_used(rq->mq_hctx->sched_tags ?: rq->mq_hctx->tags);
}

#else /* !CONFIG_BLOCK: nothing calls the hooks of these. */

#define lkst_bio_sector(bio)	0
#define lkst_bio_size(bio)	0
#define lkst_bio_dev(bio)	0
#define lkst_bio_opf(bio)	0
#define lkst_bio_status(bio)	0
#define lkst_plugged()		0
#define lkst_queue_dev(q)	0
#define lkst_rq_dev(rq)		0
#define lkst_rq_sector(rq)	0
#define lkst_rq_size(rq)	0
#define lkst_rq_opf(rq)		0
#define lkst_rq_depth(rq)	0
#define lkst_rq_queued(rq)	0

#endif /* CONFIG_BLOCK */

#endif /* _LKST_VALUES_H */
