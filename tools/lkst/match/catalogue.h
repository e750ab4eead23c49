/* SPDX-License-Identifier: GPL-2.0 */
/* In place of lkst.h, most of which is for the kernel: the catalogue of events. */
#ifndef _MATCH_CATALOGUE_H
#define _MATCH_CATALOGUE_H

#include <linux/kernel.h>
#include <uapi/linux/lkst.h>

#define _LKST_INTERNAL_H	/* lkst.h has nothing more to say */

#define LKST_EVENT(group, name, ...)	LKST_EV_##group##_##name,
enum {
#include <linux/lkst_events.h>
	LKST_NR_EVENTS
};

/* Its own text, by the Makefile. */
#include "fields.h"

#endif /* _MATCH_CATALOGUE_H */
