// SPDX-License-Identifier: GPL-2.0
/*
 * A cpufreq driver of CPUs that have no frequency: what is asked for is said to be so.
 * One policy for all CPUs, from 1 to 3 GHz.
 */
#include <linux/cpufreq.h>
#include <linux/module.h>

static struct cpufreq_frequency_table table[] = {
	{ .frequency = 1000000 }, { .frequency = 2000000 }, { .frequency = 3000000 },
	{ .frequency = CPUFREQ_TABLE_END },
};

static int freq_init(struct cpufreq_policy *policy)
{
	policy->freq_table = table;
	policy->cur = table[0].frequency;
	cpumask_copy(policy->cpus, cpu_possible_mask);
	return 0;
}

/* The core tells of the change, as the driver does not say that it does so later. */
static int freq_target(struct cpufreq_policy *policy, unsigned int index)
{
	return 0;
}

static struct cpufreq_driver driver = {
	.name = "lkst",
	/* Else the TSC would be said to be unstable. */
	.flags = CPUFREQ_CONST_LOOPS,
	.init = freq_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = freq_target,
};

static int __init lkst_freq_init(void)
{
	return cpufreq_register_driver(&driver);
}
module_init(lkst_freq_init);

static void __exit lkst_freq_exit(void)
{
	cpufreq_unregister_driver(&driver);
}
module_exit(lkst_freq_exit);

MODULE_DESCRIPTION("A cpufreq driver without hardware, for tests");
MODULE_LICENSE("GPL");
