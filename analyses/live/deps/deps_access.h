/* deps_access.h - one access, or one allocation or release: see deps_state.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      Lines are applied one after the other, each as a change, but for those that another
 *             state has.  A call that is cut off goes on after the lines that are done.
 */
#ifndef CAB_DEPS_ACCESS_H
#define CAB_DEPS_ACCESS_H

#include "analyses/live/deps/deps_state.h"

/* Apply an access of FORM by SITE to BYTES bytes at START.  Return false if there is no room for
   all of it; then it is not counted. */
bool cab_deps_apply_access (struct cab_arena *arena, unsigned form, uint32_t site, uint64_t start,
			    uint64_t bytes);
/* Apply row I of BATCH, which is an allocation, a release, or both.  Return false if there is no
   room. */
bool cab_deps_apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i);

#endif
