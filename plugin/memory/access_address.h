/* access_address.h - addresses for probes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_MEMORY_ACCESS_ADDRESS_H
#define CABPROF_MEMORY_ACCESS_ADDRESS_H

#include "plugin/memory/plan.h"

/* Return the address of VARIABLE for a probe. */
extern tree cab_access_address (tree variable);
/* A callback after a function's passes: restore the variables whose addresses only probes have
   taken. */
extern void cab_access_give_back (void *gcc_data, void *user_data);
/* Set COMBINATION to the sum that ADDRESS is. */
extern void cab_access_combine (tree address, aff_tree *combination,
				hash_map<tree, name_expansion *> **expansions);

#endif
