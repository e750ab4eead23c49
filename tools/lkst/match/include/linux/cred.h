/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MATCH_LINUX_CRED_H
#define _MATCH_LINUX_CRED_H

#include <linux/sched.h>

#define current_uid()		(current->uid)
#define __kuid_val(uid)		(uid)

#endif /* _MATCH_LINUX_CRED_H */
