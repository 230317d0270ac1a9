/* access_scalar.h - values of statements that are not accesses: values:all.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_SCALAR_H
#define CABPROF_MEMORY_ACCESS_SCALAR_H

#include "plugin/memory/plan.h"

/* Append the values of STMT that are known before it to FOUND. */
extern void cab_scalars_before (gimple *stmt, vec<struct cab_memory_access> *found);
/* Append the values of STMT that are known after it to FOUND. */
extern void cab_scalars_after (gimple *stmt, vec<struct cab_memory_access> *found);

#endif
