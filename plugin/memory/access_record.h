/* access_record.h - the lines of a function's record that describe its accesses.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_RECORD_H
#define CABPROF_MEMORY_ACCESS_RECORD_H

#include "plugin/memory/plan.h"

/* Write the lines of M's regions and accesses into m->lines. */
extern void cab_accesses_record (struct cab_memory *m);

#endif
