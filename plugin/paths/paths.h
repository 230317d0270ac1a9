/* paths.h - number a function's paths, and emit the code that counts or sends them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     pathnum.h.
 */
#ifndef CABPROF_PATHS_PATHS_H
#define CABPROF_PATHS_PATHS_H

#include "plugin/paths/body.h"

/* Number the paths: body->graph.  Return false with *REASON, a constant string, if that is not
   possible. */
extern bool cab_paths_plan (struct cab_body *body, const char **reason);
/* Emit the code that counts or sends the paths. */
extern void cab_paths_emit (struct cab_body *body);
/* Return true if control can return into the middle of cfun (setjmp, nonlocal goto). */
extern bool cab_has_landings (void);
/* Return the edge of cfun's graph that is edge INDEX of body->graph, or null. */
extern edge cab_graph_edge (struct cab_body *body, unsigned index);

#endif
