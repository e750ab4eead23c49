/* SPDX-License-Identifier: GPL-2.0 */
/* The log is what the including program makes of it. */
#ifndef _MATCH_LINUX_PRINTK_H
#define _MATCH_LINUX_PRINTK_H

void match_log(const char *form, ...) __attribute__((format(printf, 1, 2)));

#define pr_notice(form, ...)	match_log(pr_fmt(form), ##__VA_ARGS__)

#endif /* _MATCH_LINUX_PRINTK_H */
