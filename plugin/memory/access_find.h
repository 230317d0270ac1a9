/* access_find.h - the accesses of a statement.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_FIND_H
#define CABPROF_MEMORY_ACCESS_FIND_H

#include "plugin/memory/memory.h"

/* Append the accesses of STMT that are told to FOUND, in program order.  ORIGINAL, which STMT is or
   is a copy of, says what they are called and which are told. */
extern void cab_access_of (gimple *stmt, gimple *original, vec<struct cab_access> *found);
/* Append all of them, told or not. */
extern void cab_access_all_of (gimple *stmt, vec<struct cab_access> *found);

#endif
