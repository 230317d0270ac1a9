/* tune_nest.h - compare loops as one nest where an inner one vanishes in a variant.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_TUNE_NEST_H
#define CAB_TUNE_NEST_H

#include "loopfb/tune/tune_stage.h"

/* Find the nests of which a loop vanishes in a column of STAGE, and set each loop's leader. */
void cab_tune_nest_find (struct cab_tune *tune, const struct cab_tune_stage *stage);
/* Return the runs of STAGE with the figures of each nest in its leader's place and 0 in the
   others'.  They are one block, for the caller to free. */
struct cab_figures *cab_tune_nest_figures (const struct cab_tune *tune,
					   const struct cab_tune_stage *stage);

#endif
