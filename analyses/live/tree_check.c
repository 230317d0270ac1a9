/* tree_check.c - check a state of the analysis `tree' that comes from a file.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/tree_state.h"

/* Return what is wrong with the nodes of STATE, or null. */
static const char *
bad_nodes (const struct cab_arena *arena, const struct cab_tree_state *state)
{
  const struct cab_tree_node *nodes = cab_space_elements (arena, state->nodes);
  if (state->n_nodes > cab_space_capacity (arena, state->nodes) || state->n_nodes > CAB_TREE_MOST)
    return "more nodes than the table has room for";
  for (uint64_t i = 0; i < state->n_nodes; i++)
    if (i ? nodes[i].parent >= i || !nodes[i].callee : nodes[i].parent || nodes[i].callee)
      return "a node's parent is none of the nodes";
  return NULL;
}

/* Return what is wrong with the hash table of STATE, or null. */
static const char *
bad_hash (const struct cab_arena *arena, const struct cab_tree_state *state)
{
  const uint32_t *hash = cab_space_elements (arena, state->hash);
  uint64_t capacity = cab_space_capacity (arena, state->hash), n = 0;
  if (state->hash && (capacity < 2 || (capacity & (capacity - 1))))
    return "the hash table's size is not a power of two";
  for (uint64_t i = 0; i < capacity; i++)
    {
      n += hash[i] != 0;
      if (hash[i] >= state->n_nodes && hash[i])
	return "the hash table names a node that is not there";
    }
  return n > capacity / 2 || state->n_nodes > (capacity ? capacity / 2 : 1)
	 ? "the hash table is too full"
	 : NULL;
}

/* Return what is wrong with the stack or the note of STATE, or null. */
static const char *
bad_stack (const struct cab_arena *arena, const struct cab_tree_state *state)
{
  const struct cab_tree_slot *stack = cab_space_elements (arena, state->stack);
  uint64_t capacity = cab_space_capacity (arena, state->stack);
  if (state->top && state->top >= capacity)
    return "the stack is deeper than its table";
  for (uint64_t i = 0; i < capacity; i++)
    if ((stack[i].node || stack[i].base)
	&& (stack[i].node >= state->n_nodes || stack[i].base >= state->n_nodes))
      return "the stack names a node that is not there";
  if (capacity && (stack[0].node || stack[0].base))
    return "the stack does not stand on the root";
  if (state->note_node
      && (state->note_node >= state->n_nodes || state->note_slot >= capacity || !state->note_slot
	  || state->note_top >= capacity || state->note_old.node >= state->n_nodes
	  || state->note_old.base >= state->n_nodes))
    return "the note of a tail call names what is not there";
  return NULL;
}

int
cab_tree_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct cab_tree_state *state = cab_tree_state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct cab_tree_state), 0)
	   ? 0
	   : cab_state_refuse (diag, CAB_TREE_NAME, "the state has a foreign mark");
  if (!cab_space_table_ok (arena, state->nodes, sizeof (struct cab_tree_node))
      || !cab_space_table_ok (arena, state->hash, sizeof (uint32_t))
      || !cab_space_table_ok (arena, state->stack, sizeof (struct cab_tree_slot)))
    return cab_state_refuse (diag, CAB_TREE_NAME, "a table leaves the arena");
  if (state->steps
      && (!cab_space_table_ok (arena, state->steps, sizeof (uint32_t))
	  || cab_space_capacity (arena, state->steps) != CAB_TREE_STEPS))
    return cab_state_refuse (diag, CAB_TREE_NAME, "the table of steps has another size");
  const char *bad = bad_nodes (arena, state);
  if (!bad)
    bad = bad_hash (arena, state);
  if (!bad)
    bad = bad_stack (arena, state);
  return bad ? cab_state_refuse (diag, CAB_TREE_NAME, bad) : 0;
}
