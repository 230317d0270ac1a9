/* alias.h - tells the optimisers that counters alias nothing of the program's.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_ALIAS_H
#define CABPROF_PATHS_ALIAS_H

#include "plugin/emit/plugin.h"

/* Mark the counters' accesses in cfun.  This is called after the probes are inserted, for functions
   that count in place. */
extern void cab_alias_mark (void);

#endif
