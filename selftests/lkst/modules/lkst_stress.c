// SPDX-License-Identifier: GPL-2.0
/*
 * Load on LKST from every context on every CPU: a thread, a tasklet, hard
 * interrupts (an hrtimer, and calls from other CPUs), and NMIs that the CPUs send
 * to one another. Each records lkst/mark in bursts, with what a reader needs to
 * check it, and can switch masksets and buffers.
 *
 * A mark has a = CPU << 56 | context << 48 | sequence number, from 1 for each CPU
 * and context, and b = mix(a). No CPU may come or go while the load runs.
 *
 * In /sys/module/lkst_stress/parameters/:
 *
 * run		1 starts, 0 stops; no mark comes after the stop
 * mark		"N": N marks in thread context, on the CPU that writes this
 * calls	for each CPU a line: marks by thread, tasklet, interrupt, NMI
 * switches	likewise: switches of maskset and buffer
 * contexts	bit mask of the contexts that run (15)
 * burst	the longest burst (800)
 * period	mean time between two of a CPU's timer interrupts, in us (100)
 * rest		the thread sleeps that long after each burst, in us (0)
 * change	1: also switch, to the masksets and buffers `held0` and `held1`, and
 *		to `lent`, of which references are held for some ms each time
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/lkst.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nmi.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/sysfs.h>
#include <asm/apic.h>

enum context { THREAD, TASKLET, HARDIRQ, NMI, CONTEXTS };

static unsigned int contexts = 15;
static unsigned int burst = 800;
static unsigned int period = 100;
static unsigned int rest;
static bool change;
module_param(contexts, uint, 0600);
module_param(burst, uint, 0600);
module_param(period, uint, 0600);
module_param(rest, uint, 0600);
module_param(change, bool, 0600);

/**
 * struct cpu_load - one CPU's part
 * @calls: marks by context; each is written in that context alone
 * @switches: likewise
 * @random: likewise
 * @timer: hard interrupts
 * @csd: hard interrupts that another CPU causes
 * @tasklet: soft interrupts, scheduled by hard ones
 * @thread: bound to the CPU
 * @nmi: an NMI is under way to this CPU
 */
struct cpu_load {
	u64 calls[CONTEXTS];
	u64 switches[CONTEXTS];
	u64 random[CONTEXTS];
	struct hrtimer timer;
	call_single_data_t csd;
	struct tasklet_struct tasklet;
	struct task_struct *thread;
	int nmi;
};

static DEFINE_PER_CPU(struct cpu_load, cpu_load);
static DEFINE_MUTEX(lock);		/* running, and what starts and stops it */
static bool running;

/*
 * What is switched to; the last of each is lent. Read with preemption off, so
 * that who takes one away waits for RCU before the reference is given back.
 */
#define TARGETS	3
#define LENT	(TARGETS - 1)
static struct lkst_maskset *set[TARGETS];
static struct lkst_buffer *buffer[TARGETS];
static const char * const target_name[TARGETS] = { "held0", "held1", "lent" };
static struct task_struct *lender;

/* splitmix64's last step: every bit of the sum depends on every bit of @a. */
static u64 mix(u64 a)
{
	a = (a ^ a >> 30) * 0xbf58476d1ce4e5b9ULL;
	a = (a ^ a >> 27) * 0x94d049bb133111ebULL;
	return a ^ a >> 31;
}

static u64 draw(struct cpu_load *load, enum context context)
{
	load->random[context] += 0x9e3779b97f4a7c15ULL;
	return mix(load->random[context]);
}

/* Most bursts are short; the long ones go round a small ring. */
static unsigned int draw_burst(struct cpu_load *load, enum context context)
{
	u64 r = draw(load, context);
	unsigned int most = r % 64 ? 4 : READ_ONCE(burst);

	return 1 + (r >> 32) % max(1u, min(most, READ_ONCE(burst)));
}

static void mark(struct cpu_load *load, enum context context)
{
	u64 a = (u64)smp_processor_id() << 56 | (u64)context << 48 |
		++load->calls[context];

	lkst_lkst_mark(a, mix(a));
}

static void switch_targets(struct cpu_load *load, enum context context)
{
	u64 r = draw(load, context);
	struct lkst_maskset *s = READ_ONCE(set[r % TARGETS]);
	struct lkst_buffer *b = READ_ONCE(buffer[(r >> 32) % TARGETS]);

	if (!s || !b)
		return;
	lkst_maskset_switch(s);
	lkst_buffer_switch(b);
	load->switches[context]++;
}

static void step(struct cpu_load *load, enum context context)
{
	unsigned int n;

	if (!(READ_ONCE(contexts) & BIT(context)))
		return;
	for (n = draw_burst(load, context); n; n--)
		mark(load, context);
	if (READ_ONCE(change))
		switch_targets(load, context);
}

/* Another CPU; this one where there is no other. */
static int other_cpu(void)
{
	int cpu = cpumask_next(smp_processor_id(), cpu_online_mask);

	return cpu < nr_cpu_ids ? cpu : cpumask_first(cpu_online_mask);
}

static void send_nmi(int cpu)
{
	struct cpu_load *other = per_cpu_ptr(&cpu_load, cpu);

	if (!(READ_ONCE(contexts) & BIT(NMI)))
		return;
	if (!cmpxchg(&other->nmi, 0, 1))
		__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}

/* No other source of NMIs is expected meanwhile: all are taken for ours. */
static int nmi_hit(unsigned int type, struct pt_regs *regs)
{
	struct cpu_load *load = this_cpu_ptr(&cpu_load);

	if (xchg(&load->nmi, 0))
		step(load, NMI);
	return NMI_HANDLED;
}

static void tasklet_hit(struct tasklet_struct *tasklet)
{
	step(container_of(tasklet, struct cpu_load, tasklet), TASKLET);
}

static void irq_hit(void *data)
{
	struct cpu_load *load = data;

	step(load, HARDIRQ);
	tasklet_schedule(&load->tasklet);
}

static enum hrtimer_restart timer_hit(struct hrtimer *timer)
{
	struct cpu_load *load = container_of(timer, struct cpu_load, timer);

	send_nmi(other_cpu());
	irq_hit(load);
	hrtimer_forward_now(timer, (1 + draw(load, HARDIRQ) % (2 * READ_ONCE(period))) *
			    NSEC_PER_USEC);
	return HRTIMER_RESTART;
}

/* What is still under way to the CPU is not sent again. */
static void disturb(int cpu, u64 random)
{
	if (random & 1)
		send_nmi(cpu);
	if ((random & 6) == 6)
		smp_call_function_single_async(cpu, &per_cpu_ptr(&cpu_load, cpu)->csd);
}

static int thread_run(void *data)
{
	struct cpu_load *load = data;

	hrtimer_start(&load->timer, period * NSEC_PER_USEC, HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		preempt_disable();
		disturb(other_cpu(), draw(load, THREAD));
		step(load, THREAD);
		preempt_enable();
		if (READ_ONCE(rest))
			usleep_range(rest, 2 * rest);
		cond_resched();
	}
	hrtimer_cancel(&load->timer);
	return 0;
}

/* Lend out what has the name @lent as long as it is there. */
static int lender_run(void *data)
{
	struct lkst_maskset *s;
	struct lkst_buffer *b;

	while (!kthread_should_stop()) {
		s = lkst_maskset_get(target_name[LENT]);
		b = lkst_buffer_get(target_name[LENT]);
		WRITE_ONCE(set[LENT], s);
		WRITE_ONCE(buffer[LENT], b);
		usleep_range(1000, 5000);
		WRITE_ONCE(set[LENT], NULL);
		WRITE_ONCE(buffer[LENT], NULL);
		synchronize_rcu();
		if (s)
			lkst_maskset_put(s);
		if (b)
			lkst_buffer_put(b);
		usleep_range(1000, 5000);
	}
	return 0;
}

static void targets_put(void)
{
	int i;

	for (i = 0; i < LENT; i++) {
		if (set[i])
			lkst_maskset_put(set[i]);
		if (buffer[i])
			lkst_buffer_put(buffer[i]);
		set[i] = NULL;
		buffer[i] = NULL;
	}
}

static int targets_get(void)
{
	int i;

	for (i = 0; i < LENT; i++) {
		set[i] = lkst_maskset_get(target_name[i]);
		buffer[i] = lkst_buffer_get(target_name[i]);
		if (!set[i] || !buffer[i]) {
			targets_put();
			return -ENOENT;
		}
	}
	lender = kthread_run(lender_run, NULL, "lkst_stress/lender");
	if (IS_ERR(lender)) {
		targets_put();
		return PTR_ERR(lender);
	}
	return 0;
}

static void load_init(int cpu)
{
	struct cpu_load *load = per_cpu_ptr(&cpu_load, cpu);
	int i;

	memset(load, 0, sizeof(*load));
	for (i = 0; i < CONTEXTS; i++)
		load->random[i] = get_random_u64();
	hrtimer_init(&load->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	load->timer.function = timer_hit;
	INIT_CSD(&load->csd, irq_hit, load);
	tasklet_setup(&load->tasklet, tasklet_hit);
}

/* smp.c unlocks it before it calls the function, with interrupts off. */
static bool csd_busy(const call_single_data_t *csd)
{
	return READ_ONCE(csd->node.u_flags) & CSD_FLAG_LOCK;
}

static void stop(void)
{
	struct cpu_load *load;
	int cpu;

	for_each_possible_cpu(cpu) {
		load = per_cpu_ptr(&cpu_load, cpu);
		if (load->thread)
			kthread_stop(load->thread);
		load->thread = NULL;
	}
	/* Nobody sends any more; what is under way comes first. */
	for_each_possible_cpu(cpu) {
		load = per_cpu_ptr(&cpu_load, cpu);
		while (READ_ONCE(load->nmi) || csd_busy(&load->csd))
			usleep_range(100, 200);
	}
	/* The last handlers may still run. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(&cpu_load, cpu)->tasklet);
	unregister_nmi_handler(NMI_LOCAL, "lkst_stress");
	if (lender)
		kthread_stop(lender);
	lender = NULL;
	targets_put();
	running = false;
}

static int start(void)
{
	struct task_struct *thread;
	int cpu, err;

	err = change ? targets_get() : 0;
	if (err)
		return err;
	for_each_possible_cpu(cpu)
		load_init(cpu);
	register_nmi_handler(NMI_LOCAL, nmi_hit, 0, "lkst_stress");
	running = true;
	for_each_online_cpu(cpu) {
		thread = kthread_create_on_cpu(thread_run, per_cpu_ptr(&cpu_load, cpu),
					       cpu, "lkst_stress/%u");
		if (IS_ERR(thread)) {
			stop();
			return PTR_ERR(thread);
		}
		per_cpu_ptr(&cpu_load, cpu)->thread = thread;
	}
	for_each_online_cpu(cpu)
		wake_up_process(per_cpu_ptr(&cpu_load, cpu)->thread);
	return 0;
}

static int run_set(const char *text, const struct kernel_param *param)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (err)
		return err;
	mutex_lock(&lock);
	if (on && !running)
		err = start();
	else if (!on && running)
		stop();
	mutex_unlock(&lock);
	return err;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int mark_set(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int err = kstrtouint(text, 0, &n);

	if (err)
		return err;
	mutex_lock(&lock);
	if (running)
		err = -EBUSY;
	preempt_disable();
	while (!err && n--)
		mark(this_cpu_ptr(&cpu_load), THREAD);
	preempt_enable();
	mutex_unlock(&lock);
	return err;
}

static const struct kernel_param_ops mark_ops = { .set = mark_set };
module_param_cb(mark, &mark_ops, NULL, 0200);

static int counts_get(char *text, size_t offset)
{
	const u64 *count;
	int cpu, n = 0;

	for_each_possible_cpu(cpu) {
		count = (void *)per_cpu_ptr(&cpu_load, cpu) + offset;
		n += sysfs_emit_at(text, n, "%llu %llu %llu %llu\n", count[THREAD],
				   count[TASKLET], count[HARDIRQ], count[NMI]);
	}
	return n;
}

static int calls_get(char *text, const struct kernel_param *param)
{
	return counts_get(text, offsetof(struct cpu_load, calls));
}

static const struct kernel_param_ops calls_ops = { .get = calls_get };
module_param_cb(calls, &calls_ops, NULL, 0400);

static int switches_get(char *text, const struct kernel_param *param)
{
	return counts_get(text, offsetof(struct cpu_load, switches));
}

static const struct kernel_param_ops switches_ops = { .get = switches_get };
module_param_cb(switches, &switches_ops, NULL, 0400);

static int __init stress_init(void)
{
	return 0;
}

static void __exit stress_exit(void)
{
	if (running)
		stop();
}

module_init(stress_init);
module_exit(stress_exit);
MODULE_DESCRIPTION("Load on LKST from every context");
MODULE_LICENSE("GPL");
