/* gcov.h - which edges of a function GCC's own edge profile counts, for `cabprof export gcda'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     branch_prob and tree_profiling of GCC's profile.cc and tree-profile.cc.
 * Model:      the unit's functions are looked at as GCC's profiling pass would find them, before
 *             any probe: edges that split by a place of their own are split, blocks are numbered
 *             anew, and a spanning tree of the graph with fake edges is found.  Edges off the tree
 *             are counters; the order is that of the blocks and their successors.  All this takes
 *             place only where paths are cut at calls, since other paths do not say how often each
 *             edge was taken.
 * Ownership:  what is planned lives until cab_gcov_end.
 */
#ifndef CABPROF_PATHS_GCOV_H
#define CABPROF_PATHS_GCOV_H

#include "plugin/paths/body.h"

/* Return true if the options ask for what GCC's own profile needs. */
extern bool cab_gcov_wanted (void);
/* Plan the counters of all functions of the unit, before the body of any is changed. */
extern void cab_gcov_begin (void);
/* Return true if FN has counters, so that its graph must not be cleaned up any more. */
extern bool cab_gcov_has (function *fn);
/* Return how many cells (cabprof/value_cell.h) the planned body of cfun has, after its other
   counters; 0 if values are not recorded. */
extern unsigned cab_gcov_cells (struct cab_body *body);
/* Emit the code that counts values in these cells. */
extern void cab_gcov_emit_values (struct cab_body *body);
/* Append the G line of the planned body of cfun to OB. */
extern void cab_gcov_put (struct cab_body *body, struct obstack *ob);
/* Emit the unit's record, of all functions that have a G line. */
extern void cab_gcov_end (void);

#endif
