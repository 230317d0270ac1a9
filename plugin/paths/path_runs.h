/* path_runs.h - loops that send one path many times in one event; for traces.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_PATHS_RUNS_H
#define CABPROF_PATHS_RUNS_H

#include "plugin/paths/body.h"

/* Find these loops: body->runs. */
extern void cab_path_runs_find (struct cab_body *body);
/* Append code that clears their counts at the function's entry. */
extern void cab_path_runs_start (struct cab_body *body, gimple_seq *seq);
/* Append what EDGE does for a run; SLOT is the row's path slot.  Return true if the edge is the
   run's latch, and so sends no path of its own. */
extern bool cab_path_runs_pass_over (struct cab_body *body, unsigned edge, tree slot,
				     gimple_seq *seq);
/* Return true if a run is sent on EDGE. */
extern bool cab_path_runs_end (struct cab_body *body, unsigned edge);
/* Return true if BLOCK sends nothing and is left only by its edges. */
extern bool cab_is_quiet (struct cab_body *body, unsigned block);

#endif
