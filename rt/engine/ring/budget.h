/* budget.h - overhead=PERCENT: lowers the share of the events that is read until the run keeps to
 * its overhead, and says so if no share does.
 *
 * Model:      rt/common/overhead.h judges what was measured since it last did, 20 ms of processor
 *             time and more.  The ring that is being read then reads half as much; others follow
 *             if that is not enough.  Once the program has had 0.2 s, it judges the whole run by
 *             the events alone.  If these take too much, one line says so, and from then on the
 *             run is as without overhead=.  What storing a word takes is measured before, in the
 *             analysis thread, in less than 1 ms.
 * Threads:    note: under the ring's consumer lock.  fork: the only one of a forked child.
 * Errors:     none.  Rings that no analysis thread serves have no budget.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_BUDGET_H
#define CAB_RT_BUDGET_H

#include <stdint.h>

#include "rt/common/overhead.h"

/* Take into account that WORDS words of ring RING were read or passed.  Return OVER if its rate is
   to be halved now, and ROOM if it may be raised; else FULL. */
enum cab_overhead cab_budget_note (uint32_t ring, uint64_t words);
/* Begin anew in a forked child, but for a refusal, which is not said again. */
void cab_budget_fork (void);

#endif
