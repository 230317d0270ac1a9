/* calls.h - the probes of calls, and of the ends of activations.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_CALLS_H
#define CABPROF_PATHS_CALLS_H

#include "plugin/paths/body.h"

/* Return true if each activation sends its end: with the option "context", or with times. */
extern bool cab_calls_tell_ends (void);
/* If activations send their ends, before any code is inserted: give ends that are on edges blocks
   of their own, after what loops send on these edges. */
extern void cab_calls_prepare (struct cab_body *body);
/* Emit the probes of the function's entry and of its calls. */
extern void cab_calls_emit (struct cab_body *body);
/* Emit the ends of activations.  This is called after all other code of the activation is
   inserted. */
extern void cab_calls_emit_ends (struct cab_body *body);

#endif
