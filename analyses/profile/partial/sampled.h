/* sampled.h - how many of the accesses were recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_SAMPLED_H
#define CAB_SAMPLED_H

#include "analyses/profile/model.h"

/* How many of the accesses were recorded, where programs were compiled with "memory-sample" and did
   not record all. */
struct cab_sampled
{
  uint64_t pieces, recorded;
  uint64_t least, most;              /* the N of sample=N, over the processes; 0: none are
					recorded */
};

/* Set SAMPLED.  Return false if all accesses that were asked for were recorded. */
bool cab_model_sampled (const struct cab_model *model, struct cab_sampled *sampled);

/* Return a note on sampling to show with counts of accesses, in the model's names, or null if none
   is needed. */
const char *cab_model_sampled_text (struct cab_model *model);

#endif
