/* cmd_layout_affinity.h - `cabprof layout --affinity'; for cmd_layout.c.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_CMD_LAYOUT_AFFINITY_H
#define CAB_CMD_LAYOUT_AFFINITY_H

#include <stdint.h>
#include "analyses/layout/layout.h"

/* Take from the sequence of accesses in the file TRACE which members of LAYOUTS are used together,
   and make plans from that.  Set *N to the number of accesses that were used, also for a truncated
   trace.  Return the exit status. */
int cab_layout_affinity_trace (struct cab_layouts *layouts, const char *trace, uint64_t *n);

#endif
