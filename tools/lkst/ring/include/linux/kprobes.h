/* SPDX-License-Identifier: GPL-2.0 */
/* There are no probes here. */
#ifndef _LINUX_KPROBES_H
#define _LINUX_KPROBES_H

#define NOKPROBE_SYMBOL(name)	extern const int nokprobe_##name

#endif /* _LINUX_KPROBES_H */
