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

/* Nodes 1 .. cab_tree_n - 1; node 0 is the root, which stands for the thread's start.  A
   parent's number is less than its children's.  A process that was killed may leave a node twice,
   one of them with count 0. */
struct cab_tree_node
{
  uint32_t callee, site;
  uint32_t parent;
  uint32_t place;             /* of its first activation: depth + 1, and 1 << 31 if it was UNDER;
				 the tree's own */
  uint64_t count;
};
uint32_t cab_tree_n (const struct cab_arena *arena);
const struct cab_tree_node *cab_tree_at (const struct cab_arena *arena, uint32_t node);
/* Its stack, for who gives events their contexts.  Top: the node on top, 0: none.  Begin: from here
   on it is THREAD's, and empty if it was another's. Resume: at DEPTH, as event.h says.  Mark: where
   it stands, as a number; rewind: back to where a mark was taken (the nodes made since stay);
   replay: enter N events that have been counted before. */
uint32_t cab_tree_top (const struct cab_arena *arena);
void cab_tree_begin (struct cab_arena *arena, uint32_t thread);
void cab_tree_resume (struct cab_arena *arena, uint32_t depth);
uint64_t cab_tree_mark (const struct cab_arena *arena);
void cab_tree_rewind (struct cab_arena *arena, uint32_t thread, uint64_t mark);
void cab_tree_replay (struct cab_arena *arena, const uint64_t *events, uint32_t n);
/* As its merge; and BECAME, which has cab_tree_n (FROM) elements, tells which node each has
   become. */
int cab_tree_merge (struct cab_arena *into, const struct cab_arena *from,
		    const struct cab_idmap *map, uint32_t *became, struct cab_diag *diag);

#endif
