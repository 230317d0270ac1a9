/* layout_instances.h - how many instances of each structure a program has at once.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      the sum of the instances that allocations which name the structure had room for at
 *             their peak, of those in variables with static memory, and of those in arrays in other
 *             structures whose number is known.  A trace also gives the number of addresses at
 *             which instances were accessed; the larger of the two numbers counts.  It is a lower
 *             bound, except for a trace of the whole run.
 * Left out:   local variables, allocations that do not name a type, and memory that functions
 *             without probes allocate.
 * Units:      instances; CAB_UNKNOWN where no source has any.
 * Ownership:  a set is the caller's; counts are stored in at_once of the layouts.
 */
#ifndef CAB_LAYOUT_INSTANCES_H
#define CAB_LAYOUT_INSTANCES_H

#include "analyses/layout/layout.h"

/* Set at_once of all LAYOUTS from the blocks and variables of MODEL. */
void cab_layouts_count_instances (struct cab_layouts *layouts, const struct cab_model *model);

/* The number of addresses that a set remembers for each structure. */
#define CAB_INSTANCES_SEEN 4096
/* The addresses of instances that a trace accessed. */
struct cab_instances_seen;
/* Return an empty set. */
struct cab_instances_seen *cab_instances_seen_new (void);
/* Free SEEN. */
void cab_instances_seen_free (struct cab_instances_seen *seen);
/* Note that an instance of LAYOUT at BASE was accessed, and raise LAYOUT->at_once accordingly. */
void cab_instances_seen_add (struct cab_instances_seen *seen, struct cab_layout *layout,
			     uint64_t base);

#endif
