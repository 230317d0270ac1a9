/* model_part.h - one process, added to a profile in memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_MODEL_PART_H
#define CAB_MODEL_PART_H

#include "analyses/profile/model.h"

/* Add the process that left PART.  What is wrong with it is added to the model's problems. */
int cab_model_add_part (struct cab_model *model, struct cab_part *part);

#endif
