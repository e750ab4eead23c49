/* SPDX-License-Identifier: GPL-2.0 */
/* Interrupts are what the including program has for them. */
#ifndef _RING_LINUX_IRQFLAGS_H
#define _RING_LINUX_IRQFLAGS_H

unsigned long ring_irq_save(void);
void ring_irq_restore(unsigned long flags);

#define raw_local_irq_save(flags)	((flags) = ring_irq_save())
#define raw_local_irq_restore(flags)	ring_irq_restore(flags)

#endif /* _RING_LINUX_IRQFLAGS_H */
