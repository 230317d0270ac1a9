/* register.h - gives a function's row its number, its counters and its call sites, at the
 * function's first execution.
 *
 * Threads:    under the runtime's lock.  The row's slots are stored last (release), each when what
 *             it stands for exists in all threads: the reader is the plugin's code, a plain load,
 *             which on x86-64 acquires.
 * Errors:     a row that cannot be registered gets slots that make its probes harmless (counters
 *             that nobody reads, events of function 0, which the analyses drop and count), so that
 *             it is not tried again.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_REGISTER_H
#define CAB_RT_REGISTER_H

#include <stdbool.h>
#include "cabprof/abi.h"

/* Return true if ROW is of this ABI, with no more counters than there may be. */
static inline bool
cab_row_is_sound (const struct cab_row *row)
{
  return row->magic == CAB_ROW_MAGIC && row->abi == CAB_ABI_VERSION
      && row->n_counters <= CAB_MAX_COUNTERS + 2;
}

/* Register ROW, unless that has been done.  Stores its slots with release.  Under the lock. */
void cab_register_row (struct cab_row *row);

/* Register every row of every loaded module.  Return the union of their flags.  Under the lock. */
unsigned cab_register_all (void);

#endif
