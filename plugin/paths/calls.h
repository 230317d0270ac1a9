/* calls.h - the probes of calls, and of the ends of activations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_CALLS_H
#define CABPROF_PATHS_CALLS_H

#include "plugin/paths/body.h"

/* With the option "context", before anything comes in: give ends that stand on edges blocks of
   their own, behind what loops send on these edges. */
extern void cab_calls_prepare (struct cab_body *body);
extern void cab_calls_emit (struct cab_body *body);
/* The ends come when all else that belongs to the activation is in. */
extern void cab_calls_emit_ends (struct cab_body *body);

#endif
