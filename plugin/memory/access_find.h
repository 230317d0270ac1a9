/* access_find.h - the accesses of a statement.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_FIND_H
#define CABPROF_MEMORY_ACCESS_FIND_H

#include "plugin/memory/plan.h"

/* Append the accesses of STMT that are to be recorded to FOUND, in program order.  ORIGINAL is STMT
   or the statement that it is a copy of; it decides their names and which are recorded. */
extern void cab_access_of (gimple *stmt, gimple *original, vec<struct cab_memory_access> *found);
/* Append all accesses of STMT to FOUND, whether or not they are to be recorded. */
extern void cab_access_all_of (gimple *stmt, vec<struct cab_memory_access> *found);

#endif
