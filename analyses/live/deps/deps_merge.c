/* deps_merge.c - add the counts of one state of `deps' to another.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Nodes are found again by the loops on their way to node 0.  The shadow, the stack of loops and
 * the live blocks stay those of the target, which is not fed any more.
 */
#include "analyses/live/deps/deps_merge.h"
#include "analyses/live/deps/deps_loops.h"
#include "analyses/live/deps/deps_rows.h"

/* Store the node of INTO that is NODE of FROM to *TO.  Return false if there is no room. */
static bool
map_node (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	  uint32_t node, uint32_t *to)
{
  uint32_t loop[CAB_DEPS_LEVELS], n = 0;
  struct cab_deps_place place;
  for (uint64_t cursor; (cursor = node) && cab_deps_next_place (from, &cursor, &place)
			&& n < CAB_DEPS_LEVELS;
       node = place.parent)
    loop[n++] = map ? cab_space_mapped (map->access, map->n_access, place.loop) : place.loop;
  *to = 0;
  while (n-- > 0)
    if (!(*to = cab_deps_node_in (into, *to, loop[n])))
      return false;
  return true;
}

/* Add the counts of PLACE of FROM.  Return false if there is no room. */
static bool
add_place (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	   const struct cab_deps_place *place)
{
  uint32_t node;
  if (!map_node (into, from, map, place->node, &node))
    return false;
  struct cab_deps_node *to
    = (struct cab_deps_node *) cab_space_elements (into, cab_deps_state_of (into)->nodes) + node;
  to->executions += place->executions;
  to->iterations += place->iterations;
  to->accesses += place->accesses;
  return true;
}

/* Add ROW of FROM.  Return false if there is no room. */
static bool
add_row (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	 struct cab_deps_row row)
{
  uint64_t sites, place;
  if (!map_node (into, from, map, row.node, &row.node)
      || !map_node (into, from, map, row.from_node, &row.from_node))
    return false;
  if (map)
    {
      row.from = cab_space_mapped (map->access, map->n_access, row.from);
      row.to = cab_space_mapped (map->access, map->n_access, row.to);
    }
  cab_deps_pack (&row, &sites, &place);
  struct cab_deps_entry *entry = cab_deps_entry_of (into, sites, place);
  if (!entry)
    return false;
  entry->count += row.count;
  return true;
}

void
cab_deps_add (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map)
{
  const struct cab_deps_state *s = cab_deps_state_of (from);
  struct cab_deps_place place;
  struct cab_deps_row row;
  uint64_t lost = 0, cut = 0;
  if (!s)
    return;
  if (!cab_deps_root (into))
    {
      cab_deps_state_of (into)->lost += cab_deps.applied (from) + s->lost;
      return;
    }
  for (uint64_t cursor = 0; cab_deps_next_place (from, &cursor, &place);)
    lost += add_place (into, from, map, &place) ? 0 : place.accesses;
  for (uint64_t cursor = 0; cab_deps_next (from, &cursor, &row);)
    cut += !add_row (into, from, map, row);
  struct cab_deps_state *to = cab_deps_state_of (into);
  to->marks += s->marks;
  to->others += s->others;
  to->deep += s->deep;
  to->lost += s->lost + lost;
  to->n_cut += s->n_cut + cut;
}
