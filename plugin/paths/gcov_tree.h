/* gcov_tree.h - the spanning tree of a function's graph that GCC's own edge profile leaves out.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     branch_prob and find_spanning_tree of GCC's profile.cc.
 */
#ifndef CABPROF_PATHS_GCOV_TREE_H
#define CABPROF_PATHS_GCOV_TREE_H

#include "plugin/emit/plugin.h"

/* Prepare the graph of cfun as GCC's profiling does, with fake edges, which the caller removes, and
   number its blocks anew.  Append the edges that are counted to COUNTERS, in the order of the
   counters.  Of a THUNK only the edge out of the entry is. */
extern void cab_gcov_tree (bool thunk, vec<edge> *counters);

#endif
