/* memory.h - the passes that insert memory probes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_H
#define CABPROF_MEMORY_H

#include "plugin/emit/plugin.h"

/* Mark FNDECL, at the early stage, as a function that is to have memory probes. */
extern void cab_memory_choose (tree fndecl);
/* Return the first late pass, over the unit, which removes knowledge that is no longer true. */
extern opt_pass *cab_memory_unit_pass (void);
/* Return the second late pass, over each function.  It is registered once where the loop optimisers
   run next, and once for functions where they do not run. */
extern opt_pass *cab_memory_pass (void);

#endif
