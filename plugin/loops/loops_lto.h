/* loops_lto.h - tables of loops, kept for a link.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOPS_LTO_H
#define CAB_LOOPS_LTO_H

#include "plugin/loops/loops.h"

/* Attach TABLE to its function FNDECL, for the link. */
extern void cab_loops_attach (const cab_source_loops *table, tree fndecl);
/* Return the table that is attached to FNDECL, or null if there is none. */
extern cab_source_loops *cab_loops_attached (tree fndecl);

#endif
