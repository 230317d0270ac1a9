/* deps_loops.c - see deps_loops.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Rows of loops are nested except where control leaves a loop by an exception or a jump: then no
 * row says that it has ended.  So a row of a loop that is in progress ends those within it.
 */
#include "analyses/live/deps/deps_loops.h"

#define LEAST_NODES 64
#define LEAST_INDEX 128

struct cab_deps_position
cab_deps_position_outside (const struct cab_deps_state *s, const struct cab_deps_now *now,
			   uint64_t time)
{
  for (unsigned level = now->level; level-- > 1;)
    {
      const struct cab_deps_frame *frame = &s->frame[level - 1];
      if (time >= frame->begin)
	return (struct cab_deps_position) { level, time < cab_deps_start (frame, frame->n) };
    }
  return (struct cab_deps_position) { 0, false };
}

unsigned
cab_deps_distance (const struct cab_deps_state *s, const struct cab_deps_now *now, unsigned level,
		   uint64_t time)
{
  const struct cab_deps_frame *frame = &s->frame[level - 1];
  uint64_t n = level == now->level ? now->n : frame->n;
  unsigned low = 0, high = n < CAB_DEPS_PAST ? n : CAB_DEPS_PAST;
  if (frame->n <= frame->even)   /* and so are those that NOW has more */
    {
      uint64_t distance = n - (time - frame->begin);
      return distance < high ? distance : high;
    }
  /* The answer is the least distance whose iteration had begun by TIME. */
  while (low < high)
    {
      unsigned middle = (low + high) / 2;
      if (cab_deps_start (frame, n - middle) <= time)
	high = middle;
      else
	low = middle + 1;
    }
  return low;
}

static struct cab_deps_node *
nodes_of (const struct cab_arena *arena)
{
  return cab_space_elements (arena, cab_deps_state_of (arena)->nodes);
}

/* Return the entry of node KEY in the hash table INDEX, or the free one where it belongs; null if
   there is neither. */
static uint32_t *
probe (const struct cab_arena *arena, uint64_t index, uint64_t key)
{
  uint32_t *entries = cab_space_elements (arena, index);
  uint64_t capacity = cab_space_capacity (arena, index), i = cab_space_hash (key >> 32, key, 5);
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      uint32_t *entry = &entries[i & (capacity - 1)];
      if (!*entry || (*entry < s->n_nodes && nodes_of (arena)[*entry].key == key))
	return entry;
    }
  return NULL;
}

/* Make the index twice as large. */
static bool
double_index (struct cab_arena *arena)
{
  uint64_t capacity = cab_space_capacity (arena, cab_deps_state_of (arena)->index);
  uint64_t table = cab_space_table (arena, capacity ? 2 * capacity : LEAST_INDEX,
				    sizeof (uint32_t));
  if (!table)
    return false;
  for (uint32_t i = 1; i < cab_deps_state_of (arena)->n_nodes; i++)
    *probe (arena, table, nodes_of (arena)[i].key) = i;
  cab_space_order ();
  cab_deps_state_of (arena)->index = table;
  return true;
}

/* Make room for one more node.  Return false if there is none. */
static bool
make_room (struct cab_arena *arena)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t table = s->n_nodes > CAB_DEPS_NODE_MOST
		   ? 0
		   : cab_space_table_for (arena, s->nodes, s->n_nodes, LEAST_NODES,
					  sizeof (struct cab_deps_node));
  if (!table)
    return false;
  s = cab_deps_state_of (arena);
  s->nodes = table;
  return s->n_nodes < cab_space_capacity (arena, s->index) / 2 || double_index (arena);
}

bool
cab_deps_root (struct cab_arena *arena)
{
  if (cab_deps_state_of (arena)->n_nodes)
    return true;
  if (!make_room (arena))
    return false;
  cab_deps_state_of (arena)->n_nodes = 1;
  return true;
}

uint32_t
cab_deps_node_in (struct cab_arena *arena, uint32_t parent, uint32_t loop)
{
  uint64_t key = (uint64_t) parent << 32 | loop;
  uint32_t *entry = probe (arena, cab_deps_state_of (arena)->index, key);
  if (entry && *entry)
    return *entry;
  if (!make_room (arena))
    return 0;
  struct cab_deps_state *s = cab_deps_state_of (arena);
  uint32_t node = s->n_nodes;
  nodes_of (arena)[node] = (struct cab_deps_node) { .key = key };
  cab_space_order ();
  s->n_nodes = node + 1;
  cab_space_order ();
  *probe (arena, s->index, key) = node;
  return node;
}

/* Return the depth of the innermost execution of LOOP in progress, from 1; 0 if there is none. */
static unsigned
find (const struct cab_deps_state *s, uint32_t loop)
{
  unsigned depth = s->depth;
  while (depth && s->loop[depth - 1] != loop)
    depth--;
  return depth;
}

/* Return the offset of the frame at LEVEL, from 1. */
static uint64_t
frame_at (unsigned level)
{
  return CAB_DEPS_AT (frame) + (level - 1) * sizeof (struct cab_deps_frame);
}

/* Begin an execution of LOOP at NODE within CHANGE; NODE 0: too many loops are in each other. */
static void
begin (struct cab_change *c, uint32_t loop, uint32_t node, uint64_t now)
{
  uint64_t depth = cab_undo_get (c, CAB_DEPS_AT (depth)), frame = frame_at (depth + 1);
  bool counts = !cab_deps_state_of (c->arena)->share;
  if (node)
    {
      cab_undo_put (c, frame + offsetof (struct cab_deps_frame, node), node);
      cab_undo_put (c, frame + offsetof (struct cab_deps_frame, begin), now);
      cab_undo_put (c, frame + offsetof (struct cab_deps_frame, n), 0);
      cab_undo_put (c, frame + offsetof (struct cab_deps_frame, even), 0);
      if (counts)
	cab_deps_count (c, cab_deps_node_at (cab_deps_state_of (c->arena), node)
			     + offsetof (struct cab_deps_node, executions));
    }
  else if (counts)
    cab_deps_count (c, CAB_DEPS_AT (deep));
  if (depth >= CAB_DEPS_DEEPEST)
    return;
  cab_undo_put (c, CAB_DEPS_AT (loop) + depth * sizeof (uint64_t), loop);
  cab_undo_put (c, CAB_DEPS_AT (depth), depth + 1);
}

/* Begin an iteration of the innermost loop within CHANGE. */
static void
iterate (struct cab_change *c, uint64_t now)
{
  uint64_t depth = cab_undo_get (c, CAB_DEPS_AT (depth)), frame = frame_at (depth);
  if (!depth || depth > CAB_DEPS_LEVELS)
    return;
  uint64_t n = cab_undo_get (c, frame + offsetof (struct cab_deps_frame, n)) + 1,
	   node = cab_undo_get (c, frame + offsetof (struct cab_deps_frame, node)),
	   even = cab_undo_get (c, frame + offsetof (struct cab_deps_frame, even)),
	   begin = cab_undo_get (c, frame + offsetof (struct cab_deps_frame, begin));
  cab_undo_put (c, frame + offsetof (struct cab_deps_frame, n), n);
  if (even == n - 1 && now == begin + n)
    cab_undo_put (c, frame + offsetof (struct cab_deps_frame, even), n);
  else
    cab_undo_put (c, frame + offsetof (struct cab_deps_frame, start)
		       + n % CAB_DEPS_PAST * sizeof (uint64_t), now);
  if (node < cab_deps_state_of (c->arena)->n_nodes
      && !cab_deps_state_of (c->arena)->share)
    cab_deps_count (c, cab_deps_node_at (cab_deps_state_of (c->arena), node)
			 + offsetof (struct cab_deps_node, iterations));
}

bool
cab_deps_mark (struct cab_arena *arena, unsigned form, uint32_t loop)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  unsigned found = form == CAB_ROW_BEGINS ? 0 : find (s, loop);
  bool begins = !found && form != CAB_ROW_ENDS, shallow = s->depth < CAB_DEPS_LEVELS;
  uint64_t now = s->time + 1;
  uint32_t node = begins && shallow ? cab_deps_node_in (arena, cab_deps_here (s), loop) : 0;
  if ((begins && shallow && !node) || now > CAB_DEPS_TIME_MOST)
    return false;
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  cab_undo_put (&change, CAB_DEPS_AT (time), now);
  if (found)
    cab_undo_put (&change, CAB_DEPS_AT (depth), found - (form == CAB_ROW_ENDS));
  if (begins)
    begin (&change, loop, node, now);
  if (form == CAB_ROW_ITERATES)
    iterate (&change, now);
  cab_deps_count_events (&change, CAB_DEPS_AT (marks), 1);
  return cab_undo_end (&change) == 0;
}
