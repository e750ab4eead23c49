// SPDX-License-Identifier: GPL-2.0
/* The probes of LTTng-UST; not beside the ring's source and its stub headers. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "peer.h"
