/* access_filter.h - which accesses are recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_FILTER_H
#define CABPROF_MEMORY_ACCESS_FILTER_H

#include "plugin/memory/plan.h"

/* Return why ACCESS is not recorded, a constant string, or null if it is. */
extern const char *cab_access_unwanted (const struct cab_memory_access *access);
/* Emit records of how many accesses of FN, which is cfun, are not recorded, for each reason.  This
   is called before its body changes. */
extern void cab_accesses_record_left_out (function *fn);

#endif
