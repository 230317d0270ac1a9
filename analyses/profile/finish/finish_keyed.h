/* finish_keyed.h - feed the parts of states that are sharded by key, and serial states, what they
 * have not had.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the number of parts is that of the states that the process has left for the ring.
 *             Rows are split as in the process (analyses/wire/keyed.h), and each part skips those
 *             that it has counted beyond what it had been fed at the ring's tail.  A serial state
 *             gets the events of the ring that it was fed last first, and skips some of those only.
 */
#ifndef CAB_FINISH_KEYED_H
#define CAB_FINISH_KEYED_H

#include <stdbool.h>
#include "analyses/profile/finish/finish_rest.h"

/* Feed BATCH to the parts of ANALYSIS for this ring, or to its serial state.  Return false if its
   state is whole. */
bool cab_finish_keyed (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
		       const struct cab_batch *batch);
/* Prepare the serial states that were fed events of this ring last. */
void cab_finish_serial (struct cab_finish_rest *rest);
void cab_finish_keyed_free (struct cab_finish_keyed *keyed);

#endif
