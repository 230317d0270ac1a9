/* access_filter.h - which accesses are told.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_FILTER_H
#define CABPROF_MEMORY_ACCESS_FILTER_H

#include "plugin/memory/memory.h"

/* Return why ACCESS is not told, a constant string; null if it is. */
extern const char *cab_access_unwanted (const struct cab_access *access);
/* Write records that say how many accesses of FN, which is cfun, are not told, for each reason.
   Before its body changes. */
extern void cab_accesses_record_left_out (function *fn);

#endif
