/* tree_state.h - the state of the analysis `tree': how it lies in an arena.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      an_tree.c says what the tables are.
 */
#ifndef CAB_TREE_STATE_H
#define CAB_TREE_STATE_H

#include "analyses/live/an_tree.h"
#include "analyses/live/space.h"

#define CAB_TREE_NAME "tree"
#define CAB_TREE_MAGIC 0x74726533u
#define CAB_TREE_MOST (UINT32_C (1) << 31)

struct cab_tree_slot
{
  uint32_t node, base;
  uint64_t hash;           /* hash of the calls up to this one; used only as the index of steps */
};

/* The cache of steps: at an index made from a context's hash it has the node that was entered there
   last.  It is small, because the node itself, which has to be fetched anyway, tells whether it is
   the right one. */
#define CAB_TREE_STEP_BITS 14
#define CAB_TREE_STEPS (1u << CAB_TREE_STEP_BITS)

struct cab_tree_state
{
  uint32_t magic;
  uint32_t top;            /* frames on the stack */
  uint64_t lost;
  uint64_t nodes;          /* table of struct cab_tree_node */
  uint64_t hash;           /* table of uint32_t, 0 = free; capacity: a power of two */
  uint64_t stack;          /* table of struct cab_tree_slot */
  uint64_t steps;          /* table of CAB_TREE_STEPS uint32_t */
  uint64_t n_nodes;        /* including the root; 0 before the first event */
  uint32_t thread;         /* whose stack this is */
  uint32_t note_node;      /* the note of a TAIL or UNDER: the node that it enters, 0 = no note */
  uint32_t note_slot;      /* index of the slot that the event is about to write */
  uint32_t note_top;       /* frames before the event; below: the slot and the node's count before
			      it */
  struct cab_tree_slot note_old;
  uint64_t note_count;
  uint64_t known;          /* nodes that another tree of the ring has: none is made before this one
			      has as many, or its number would be that of another context */
};

/* Return the state in ARENA, or null if there is none yet. */
static inline struct cab_tree_state *
cab_tree_state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_tree_state), CAB_TREE_MAGIC)
	 ? (struct cab_tree_state *) arena->base
	 : NULL;
}

/* Return 0 if the bytes of ARENA, which come from a file, are a state, or negative with words. */
int cab_tree_check (const struct cab_arena *arena, struct cab_diag *diag);

#endif
