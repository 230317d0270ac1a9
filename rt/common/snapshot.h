/* snapshot.h - copies of a part while its process runs.
 *
 * Model:      DIR/snapshots/NAME/PID-START.part is the part at that moment, in the form of a
 *             process that has ended: it includes what its rings hold, and excludes what was
 *             counted in pauses.  It is made under another name and renamed when it is whole; an
 *             earlier one of the same process and name is replaced.  The same in the process and in
 *             `cabprof ctl'.
 * Threads:    nothing may be fed to the states meanwhile; one call at a time in a process.
 * Errors:     -errno; -EINVAL: NAME cannot be a snapshot's.  There is no new snapshot.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_SNAPSHOT_H
#define CAB_RT_SNAPSHOT_H

#include <stdbool.h>
#include "cabprof/control.h"

#define CAB_SNAPSHOT_NAME_MOST 64u

/* Return true if NAME consists of letters, digits, '.', '_' and '-' alone, and does not begin with
   '.'. */
bool cab_snapshot_is_name (const char *name);

/* Copy PART, a path that ends in PID-START.part, to the snapshot NAME of its directory.  PAUSE is
   the word of its control page.  Return 0 or -errno. */
int cab_snapshot_take (const char *part, uint64_t pause, const char *name);

#endif
