/* access_acyclic_ends.h - which ends of acyclic regions are worth keeping.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ACCESS_ACYCLIC_ENDS_H
#define CAB_ACCESS_ACYCLIC_ENDS_H

#include "plugin/memory/access_acyclic.h"

/* Hand the acyclic regions of more than one block over to M, as long as there are numbers for the
   accesses of their paths: settle their words, and make regions of their ends and paths. */
extern void cab_acyclics_keep (struct cab_acyclic_finder *f);

#endif
