/* access_scalar.h - values of statements that are no accesses: values:all.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_SCALAR_H
#define CABPROF_MEMORY_ACCESS_SCALAR_H

#include "plugin/memory/memory.h"

/* Append to FOUND those that are known before STMT; and those that are known behind it. */
extern void cab_scalars_before (gimple *stmt, vec<struct cab_access> *found);
extern void cab_scalars_after (gimple *stmt, vec<struct cab_access> *found);

#endif
