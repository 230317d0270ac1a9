/* access_acyclic_emit.h - the code of acyclic regions.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_TRACT_EMIT_H
#define CABPROF_MEMORY_ACCESS_TRACT_EMIT_H

#include "plugin/memory/plan.h"

/* Emit the code of all acyclic regions of M. */
extern void cab_acyclics_emit (struct cab_memory *m);

#endif
