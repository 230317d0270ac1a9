/* linked_plainly.h - was a program compiled to tell its accesses, with -flto, and then linked
 * without the plugin, so that it tells none?
 *
 * Source:     the probes come in at the link then, and only the records of the units say what was
 *             wanted.  These are in the program, not in the profile, since nothing of that module
 *             was executed with probes; so it is looked at where it was run, if it is still there.
 * Errors:     none: a program that cannot be read was not.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LINKED_PLAINLY_H
#define CAB_LINKED_PLAINLY_H

#include "analyses/profile/model.h"

/* One of MODEL's programs was. */
bool cab_linked_plainly (const struct cab_model *model);
/* Likewise: filters left accesses of one of MODEL's programs out when it was compiled, and none
   tells any. */
bool cab_filtered_wholly (const struct cab_model *model);

#endif
