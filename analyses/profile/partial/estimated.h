/* estimated.h - what the counts of a run are worth that read only some of its events.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ESTIMATED_H
#define CAB_ESTIMATED_H

#include "analyses/live/bursts/an_estimates.h"
#include "analyses/profile/model.h"

/* Return true if nothing was read of any process that reads only some events. */
bool cab_model_is_unread (const struct cab_model *model);
/* Return a sentence that says how much was read, and what the counts are worth, in MODEL's names;
   null if all events were read. */
const char *cab_model_estimated_text (struct cab_model *model);
/* Return why a report that needs all events cannot be made, and what to do; null if it can. */
const char *cab_model_needs_all (struct cab_model *model);

/* Return half the length of the interval around COUNT that holds the true count in 95 of 100 cases:
   that of the row OF, A, B (an_estimates.h), in MODEL's numbers.  0: it is exact. */
uint64_t cab_model_within (const struct cab_model *model, enum cab_estimate_of of, uint32_t a,
			   uint32_t b, uint64_t count);
/* Return the same from the VARIANCE of COUNT. */
uint64_t cab_estimate_within (double variance, uint64_t count);

/* The intervals of sums of paths are no shorter than they have to be, but may be longer: events of
   one burst vary together, and how those of different paths do is not recorded.  So an interval is
   the sum of those of the paths, or that of all paths of the function if that is shorter. */

/* Return half the lengths of the intervals of FUNCTION's paths (free), or null if all are exact. */
uint64_t *cab_model_paths_within (const struct cab_model *model,
				  const struct cab_function *function);
/* Return that of the number of all its paths together. */
uint64_t cab_model_all_paths_within (const struct cab_model *model,
				     const struct cab_function *function);
/* Return that of cab_model_calls. */
uint64_t cab_model_calls_within (const struct cab_model *model,
				 const struct cab_function *function);

#endif
