/* deps_verdict.h - what stands in the way of a loop's iterations running at the same time.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_DEPS_VERDICT_H
#define CAB_DEPS_VERDICT_H

#include "analyses/report/deps/deps_view.h"

/* Return the verdict on LOOP, an index; INCOMPLETE: something was not looked at. */
const char *cab_deps_verdict (const struct cab_deps_view *view, uint32_t loop, bool incomplete);
/* Return what is in the way of LOOP's iterations, "" for nothing. */
const char *cab_deps_way (const struct cab_deps_view *view, uint32_t loop);
/* Compare variables of a loop: what is most in the way comes first. */
int cab_deps_order (const struct cab_deps_variable *a, const struct cab_deps_variable *b);
/* Return what to do about VARIABLE, which must be carried. */
const char *cab_deps_remedy (const struct cab_deps_variable *variable);

#endif
