/* segments.c - check sparse tables that come from a file.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/segments.h"

int
cab_state_segments_ok (const struct cab_arena *arena, const struct cab_state_segments *tables,
		       int n, size_t bytes)
{
  struct cab_state_table all[CAB_STATE_SEGMENTED * CAB_SEGMENTS];
  int n_all = 0;
  if (n > CAB_STATE_SEGMENTED)
    return 0;
  for (int i = 0; i < n; i++)
    for (unsigned k = 0; k < CAB_SEGMENTS; k++)
      {
	uint64_t table = tables[i].segments->segment[k];
	if (!cab_space_table_ok (arena, table, tables[i].element)
	    || (table && cab_space_capacity (arena, table) != cab_segment_capacity (k)))
	  return 0;
	all[n_all++] = (struct cab_state_table) { table, tables[i].element };
      }
  return cab_state_apart (arena, all, n_all, bytes);
}
