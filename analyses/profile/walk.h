/* walk.h - from a path's number to the edges that it takes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "Decoding path n" in include/cabprof/info.h.
 * Model:      pure functions over a parsed record.
 * Ownership:  a walk's edges belong to the walk until cab_walk_fini; it may be used for any number
 *             of paths.
 * Errors:     -1: the record's graph does not have the path (a mangled record).
 */
#ifndef CAB_WALK_H
#define CAB_WALK_H

#include "analyses/profile/info.h"

struct cab_walk
{
  uint32_t start;                  /* block at which the path starts */
  uint32_t n_edges, room;
  const struct cab_edge **edges;   /* in order; the last one is cut or leads to EXIT */
};

int cab_walk_path (struct cab_walk *walk, const struct cab_record *record, uint64_t path);
void cab_walk_fini (struct cab_walk *walk);

/* Paths of start line S have numbers below this. */
uint64_t cab_walk_start_end (const struct cab_record *record, uint32_t s);

/* Does the path end with its activation? */
bool cab_walk_returns (const struct cab_walk *walk);

#endif
