/* join_held.c - see join_held.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/join/join_held.h"

#define LEAST 64
#define NEAR 4u   /* held ones that are compared with an access */

#define AT(member) offsetof (struct cab_join_state, member)

static struct cab_join_frame *
frame_on_top (const struct cab_arena *arena)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  struct cab_join_frame *frames = cab_space_elements (arena, state->frames);
  return state->n_frames ? &frames[state->n_frames - 1] : NULL;
}

/* Move the last one that is held to the row that has PATH.  It is lost without room for one. */
static void
move_last (struct cab_arena *arena, uint64_t path)
{
  struct cab_join_state *state = cab_join_state_of (arena);
  const struct cab_join_count *held = cab_space_elements (arena, state->held);
  struct cab_join_count one = held[state->n_held - 1];
  one.facts.path = path;
  struct cab_join_count *row = one.facts.key ? cab_join_row_of (arena, &one.facts) : NULL;
  state = cab_join_state_of (arena);
  struct cab_redo_list list = cab_redo_begin (arena, AT (redo));
  uint64_t *n = row ? &row->n : &state->lost;
  cab_redo_put (&list, n, *n + one.n);
  cab_redo_put (&list, &state->n_held, state->n_held - 1);
  cab_redo_end (&list);
}

/* Give PATH to all that the activation on top holds. */
static void
move_top (struct cab_arena *arena, uint64_t path)
{
  uint64_t from = frame_on_top (arena)->from;
  while (cab_join_state_of (arena)->n_held > from)
    move_last (arena, path);
}

void
cab_join_leave (struct cab_arena *arena, uint64_t depth)
{
  for (struct cab_join_frame *top; (top = frame_on_top (arena)) && top->depth >= depth;)
    {
      move_top (arena, CAB_JOIN_NO_PATH);
      cab_space_order ();
      cab_join_state_of (arena)->n_frames--;
      cab_space_order ();
    }
}

void
cab_join_end_path (struct cab_arena *arena, uint64_t depth, uint64_t path)
{
  const struct cab_join_frame *top = frame_on_top (arena);
  if (top && top->depth == depth)
    move_top (arena, path);
}

/* Make the activation at DEPTH the one on top.  Return false if there is no room. */
static bool
enter (struct cab_arena *arena, uint64_t depth)
{
  struct cab_join_state *state = cab_join_state_of (arena);
  uint64_t frames = cab_space_table_for (arena, state->frames, state->n_frames, LEAST,
					 sizeof (struct cab_join_frame));
  if (!frames)
    return false;
  state = cab_join_state_of (arena);
  state->frames = frames;
  struct cab_join_frame *frame = cab_space_elements (arena, frames);
  frame[state->n_frames] = (struct cab_join_frame) { depth, state->n_held };
  cab_space_order ();
  state->n_frames++;
  cab_space_order ();
  return true;
}

/* Hold FACTS beside those from FROM on.  Return false if it cannot be held. */
static bool
hold (struct cab_arena *arena, uint64_t from, const struct cab_join_facts *facts)
{
  struct cab_join_state *state = cab_join_state_of (arena);
  struct cab_join_count *held = cab_space_elements (arena, state->held);
  for (uint64_t i = state->n_held; i > from && i + NEAR > state->n_held; i--)
    if (cab_join_is_same (&held[i - 1].facts, facts))
      {
	cab_space_count (&held[i - 1].n);
	return true;
      }
  if (state->n_held - from >= CAB_JOIN_HELD_EACH || state->n_held >= CAB_JOIN_HELD_MOST)
    return false;
  uint64_t table = cab_space_table_for (arena, state->held, state->n_held, LEAST, sizeof *held);
  if (!table)
    return false;
  state = cab_join_state_of (arena);
  state->held = table;
  held = cab_space_elements (arena, table);
  held[state->n_held] = (struct cab_join_count) { *facts, 1 };
  cab_space_count (&state->n_held);
  return true;
}

bool
cab_join_hold (struct cab_arena *arena, uint64_t depth, const struct cab_join_facts *facts)
{
  const struct cab_join_frame *top = frame_on_top (arena);
  if ((top && top->depth >= depth) || enter (arena, depth))
    if (hold (arena, frame_on_top (arena)->from, facts))
      return true;
  struct cab_join_facts beyond = *facts;
  beyond.path = CAB_JOIN_NOT_HELD;
  return cab_join_count (arena, &beyond);
}

void
cab_join_settle (struct cab_arena *arena)
{
  struct cab_redo *redo = &cab_join_state_of (arena)->redo;
  if (redo->n)
    cab_redo_settle (arena, redo);
}

/* Return true if a change may store the word at OFFSET. */
static bool
may_change (const struct cab_arena *arena, uint64_t offset)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  uint64_t first = state->rows + sizeof (struct cab_table_head)
		 + offsetof (struct cab_join_count, n);
  return offset == AT (n_held) || offset == AT (lost)
      || (cab_space_has (arena, state->rows, sizeof (struct cab_join_count), offset)
	  && offset >= first && (offset - first) % sizeof (struct cab_join_count) == 0);
}

bool
cab_join_held_ok (const struct cab_arena *arena)
{
  const struct cab_join_state *state = cab_join_state_of (arena);
  uint64_t n_held = state->n_held;
  if (!cab_space_table_ok (arena, state->held, sizeof (struct cab_join_count))
      || !cab_space_table_ok (arena, state->frames, sizeof (struct cab_join_frame))
      || !cab_redo_ok (arena, &state->redo, may_change))
    return false;
  cab_redo_overlay (&state->redo, AT (n_held), &n_held, 1);
  return n_held <= cab_space_capacity (arena, state->held)
      && state->n_held <= cab_space_capacity (arena, state->held)
      && state->n_frames <= cab_space_capacity (arena, state->frames);
}
