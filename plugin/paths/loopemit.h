/* loopemit.h - the probes of loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_LOOPEMIT_H
#define CABPROF_PATHS_LOOPEMIT_H

#include "plugin/paths/body.h"

/* Emit the probes of loops.  This precedes the other probes, whose code on the same edges is then
   placed first. */
extern void cab_loops_emit (struct cab_body *body);

#endif
