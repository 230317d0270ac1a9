/* join_held.h - accesses that wait for the end of the path that they belong to.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a stack.  An activation is known by its depth, and the one on top has its accesses
 *             last.  A path that ends takes those of its activation; those of activations that were
 *             left before their path ended belong to no known path, as do those beyond
 *             CAB_JOIN_HELD_EACH of one activation or CAB_JOIN_HELD_MOST of all.
 * Shapes:     equal accesses that follow each other closely are held as one with a count.
 * Threads:    as the arena: one at a time.
 * Errors:     an access is counted without its path where it cannot be held, and is lost where
 *             there is no room for that.  Whenever the process dies, each access is held or is in a
 *             row; what was cut off is to be called again.
 */
#ifndef CAB_JOIN_HELD_H
#define CAB_JOIN_HELD_H

#include "analyses/live/join/join_state.h"

#define CAB_JOIN_HELD_EACH UINT64_C (4096)
#define CAB_JOIN_HELD_MOST (UINT64_C (1) << 18)

/* Leave the activations at DEPTH or above, for those that are to be called before anything else of
   a batch. */
void cab_join_leave (struct cab_arena *arena, uint64_t depth);
/* Count an access of the activation at DEPTH, which is on top.  Return false if there is no
   room. */
bool cab_join_hold (struct cab_arena *arena, uint64_t depth, const struct cab_join_facts *facts);
/* Let what the activation at DEPTH, which is on top, holds belong to PATH. */
void cab_join_end_path (struct cab_arena *arena, uint64_t depth, uint64_t path);
/* Store the words of a change that was cut off. */
void cab_join_settle (struct cab_arena *arena);
/* Return true if what the state, which may come from a file, holds lies within the arena, and its
   change that was cut off is one of it. */
bool cab_join_held_ok (const struct cab_arena *arena);

#endif
