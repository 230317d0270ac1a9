/* finish_keyed.h - feed the parts of states that are sharded by key what they have not had.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the number of parts is that of the states that the process has left for the ring.
 *             Rows are split as in the process (analyses/wire/keyed.h), and each part skips those
 *             that it has counted beyond what it had been fed at the ring's tail.
 */
#ifndef CAB_FINISH_KEYED_H
#define CAB_FINISH_KEYED_H

#include <stdbool.h>
#include "analyses/profile/finish/finish_rest.h"

/* Feed BATCH to the parts of ANALYSIS for this ring.  Return false if its state is whole. */
bool cab_finish_keyed (struct cab_finish_rest *rest, const struct cab_analysis *analysis,
		       const struct cab_batch *batch);
void cab_finish_keyed_free (struct cab_finish_keyed *keyed);

#endif
