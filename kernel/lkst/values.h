/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fields of events are computed by, and the headers that it takes.
 *
 * Context: that of the hook, so any. What is followed here is known to be there:
 * no user's address, and nothing that the site does not hold.
 */
#ifndef _LKST_VALUES_H
#define _LKST_VALUES_H

#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
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

#endif /* _LKST_VALUES_H */
