/* walk.h - map a path's number to the edges that it takes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "Decoding path n" in include/cabprof/info.h.
 * Model:      pure functions over a parsed record.
 * Ownership:  a walk's edges belong to the walk until cab_walk_fini; it can be reused for any
 *             number of paths.
 * Errors:     -1: the record's graph does not have the path (a mangled record).
 */
#ifndef CAB_WALK_H
#define CAB_WALK_H

#include "analyses/profile/info.h"

struct cab_walk
{
  uint32_t start;                  /* block where the path starts */
  uint32_t n_edges, room;
  const struct cab_edge **edges;   /* in order; the last one is cut or leads to EXIT */
};

/* Set WALK to the edges of path PATH. */
int cab_walk_path (struct cab_walk *walk, const struct cab_record *record, uint64_t path);
void cab_walk_fini (struct cab_walk *walk);

/* Return the number below which the paths of start line S are. */
uint64_t cab_walk_start_end (const struct cab_record *record, uint32_t s);

/* Return true if the path ends with the return of its activation. */
bool cab_walk_returns (const struct cab_walk *walk);

#endif
