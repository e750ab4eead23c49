/* SPDX-License-Identifier: GPL-2.0 */
/* The same record for LTTng-UST: its headers include this file many times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lkst_peer

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "peer.h"

#if !defined(_RING_PEER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define _RING_PEER_H

#include <stdint.h>
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(lkst_peer, pair,
			   LTTNG_UST_TP_ARGS(uint64_t, first, uint64_t, second),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, first, first)
					       lttng_ust_field_integer(uint64_t, second, second))
)

#endif /* _RING_PEER_H */

#include <lttng/tracepoint-event.h>
