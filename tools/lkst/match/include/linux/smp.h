/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MATCH_LINUX_SMP_H
#define _MATCH_LINUX_SMP_H

#include <linux/sched.h>

#define raw_smp_processor_id()	(current->cpu)

#endif /* _MATCH_LINUX_SMP_H */
