/* an_tree.h - the calling-context tree: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_TREE_H
#define CAB_AN_TREE_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_tree;
/* Its `feed'. */
void cab_tree_feed (struct cab_arena *arena, const struct cab_batch *batch,
		    const struct cab_functions *functions);

/* A node: calls of CALLEE at SITE in the context PARENT.  Nodes are numbered 1 .. cab_tree_n - 1;
   node 0 is the root, which stands for the thread's start.  A parent's number is less than its
   children's.  A process that was killed may leave a node twice, one of the two with count 0. */
struct cab_tree_node
{
  uint32_t callee, site;
  uint32_t parent;
  uint32_t place;             /* private to the tree: depth + 1 of the node's first activation, with
				 bit 1 << 31 set if that was UNDER */
  uint64_t count;
};
/* Return the number of nodes, with the root; 0 before the first event. */
uint32_t cab_tree_n (const struct cab_arena *arena);
/* Return node NODE, which must be less than cab_tree_n.  It is valid until the arena changes. */
const struct cab_tree_node *cab_tree_at (const struct cab_arena *arena, uint32_t node);
/* Return the node on top of the stack, for callers that give events their contexts; 0 if there is
   none. */
uint32_t cab_tree_top (const struct cab_arena *arena);
/* Return how many of TOP frames stay below an activation that an event at DEPTH, which is known
   modulo 2^20, enters. */
static inline uint64_t
cab_tree_below (uint64_t top, uint32_t depth)
{
  uint64_t back = (top - depth) & CAB_EV_ID_MASK;
  return back <= top ? top - back : depth;
}
/* Make the stack THREAD's from here on.  It becomes empty if it was another thread's. */
void cab_tree_begin (struct cab_arena *arena, uint32_t thread);
/* Apply a RESUME event at DEPTH to the stack, as event.h says. */
void cab_tree_resume (struct cab_arena *arena, uint32_t depth);
/* Return where the stack stands, as a number for cab_tree_rewind; from bit 32 on, how many frames
   it has. */
uint64_t cab_tree_mark (const struct cab_arena *arena);
/* Put THREAD's stack back to where MARK was taken.  Nodes made since then stay. */
void cab_tree_rewind (struct cab_arena *arena, uint32_t thread, uint64_t mark);
/* Enter N events that have been counted before: the stack changes, the counts do not. */
void cab_tree_replay (struct cab_arena *arena, const uint64_t *events, uint32_t n);
/* Give ARENA, a tree of the same ring that is about to replace FROM, the nodes of FROM under their
   numbers, without counts.  If it is called before each change from one tree of a ring to another,
   a number means the same context in all of them.  A tree that has no room for a node makes no
   further nodes: its events of new contexts are lost. */
void cab_tree_number_as (struct cab_arena *arena, const struct cab_arena *from);
/* Merge FROM into INTO as `merge' of struct cab_analysis does, or, without COUNTS, only the
   contexts.  If BECAME is not null, it has cab_tree_n (FROM) elements, and gets the node of INTO
   that each node of FROM has become. */
int cab_tree_merge (struct cab_arena *into, const struct cab_arena *from,
		    const struct cab_idmap *map, uint32_t *became, bool counts,
		    struct cab_diag *diag);

#endif
