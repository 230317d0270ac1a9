/* loops_record.h - the L1 records of a unit.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOOPS_RECORD_H
#define CAB_LOOPS_RECORD_H

#include "plugin/loops/loops.h"

/* Emit all L1 records; called once per unit. */
extern void cab_loops_record (void);

#endif
