/* lto_unlinked.h - tell whether a program was compiled with -flto to record its accesses, but
 * linked without the plugin, so that it records none.
 *
 * Source:     the probes are inserted at the link then, and only the records of the units say what
 *             was wanted.  These are in the program, not in the profile, since nothing of that
 *             module was executed with probes; so the program is examined where it was run, if it
 *             is still there.
 * Errors:     none: a program that cannot be read is taken as not linked like that.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LTO_UNLINKED_H
#define CAB_LTO_UNLINKED_H

#include "analyses/profile/model.h"

/* Return true if one of MODEL's programs was linked like that. */
bool cab_lto_unlinked (const struct cab_model *model);
/* Return true if filters left accesses of one of MODEL's programs out when it was compiled, and no
   function of MODEL records any. */
bool cab_filtered_wholly (const struct cab_model *model);

#endif
