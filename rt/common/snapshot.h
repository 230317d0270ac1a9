/* snapshot.h - copies of a part while its process runs.
 *
 * Model:      DIR/snapshots/NAME/PID-START.part is the part as it was, as that of a process that
 *             has ended: what its rings hold is in it, what was counted in pauses is not.  It is
 *             made under another name and renamed when it is whole; an earlier one of the same
 *             process and name is replaced. In the process and in `cabprof ctl', the same.
 * Threads:    nobody may feed the states meanwhile; one call at a time in a process.
 * Errors:     -errno; -EINVAL: NAME cannot be a snapshot's.  There is no new snapshot.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SNAPSHOT_H
#define CAB_RT_SNAPSHOT_H

#include <stdbool.h>
#include "cabprof/control.h"

#define CAB_SNAPSHOT_NAME_MOST 64u

/* Return true if it has letters, digits, '.', '_' and '-' alone, and no '.' in front. */
bool cab_snapshot_is_name (const char *name);

/* Copy PART, a path that ends in PID-START.part, to the snapshot NAME of its directory.  PAUSE: the
   word of its control page. */
int cab_snapshot_take (const char *part, uint64_t pause, const char *name);

#endif
