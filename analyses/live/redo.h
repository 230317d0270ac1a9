/* redo.h - changes of a few words of a state that happen all or not at all, whenever the process
 * dies; cheaper than undo.h where the words are few.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A change first writes its new values to a list.  One store of the list's length
 *             commits the change; then the words are stored.  If the process dies between these
 *             steps, whoever continues with the state stores the words again (cab_redo_settle), and
 *             whoever only reads the state applies the list to a copy (cab_redo_overlay).
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_REDO_H
#define CAB_REDO_H

#include <stdbool.h>
#include "analyses/live/space.h"

#define CAB_REDO_MOST 16

/* The list of one change, part of a state.  All zero is an empty list. */
struct cab_redo
{
  uint64_t n;
  struct
  {
    uint64_t offset, value;
  } entry[CAB_REDO_MOST];
};

/* A change of at most CAB_REDO_MOST words that is being put together.  The arena may not move
   before cab_redo_end. */
struct cab_redo_list
{
  struct cab_arena *arena;
  struct cab_redo *redo;
  unsigned n;
};

/* Begin a change of the state in ARENA whose struct cab_redo is at offset AT.  Its list must be
   empty. */
static inline struct cab_redo_list
cab_redo_begin (struct cab_arena *arena, uint64_t at)
{
  return (struct cab_redo_list) { arena, (struct cab_redo *) (arena->base + at), 0 };
}

/* Add to LIST that WORD, which lies in the arena, becomes VALUE.  WORD itself stays as it is until
   cab_redo_end. */
static inline void
cab_redo_put (struct cab_redo_list *list, const uint64_t *word, uint64_t value)
{
  list->redo->entry[list->n].offset = (const unsigned char *) word - list->arena->base;
  list->redo->entry[list->n++].value = value;
}

/* Store the words of a list that was committed, and empty the list.  Doing so twice does no
   harm. */
static inline void
cab_redo_settle (struct cab_arena *arena, struct cab_redo *redo)
{
  for (uint64_t i = 0; i < redo->n; i++)
    *(volatile uint64_t *) (arena->base + redo->entry[i].offset) = redo->entry[i].value;
  cab_space_order ();
  *(volatile uint64_t *) &redo->n = 0;
  cab_space_order ();
}

/* Commit LIST by storing its length, and store its words. */
static inline void
cab_redo_end (struct cab_redo_list *list)
{
  cab_space_order ();
  *(volatile uint64_t *) &list->redo->n = list->n;
  cab_space_order ();
  cab_redo_settle (list->arena, list->redo);
}

/* Apply a change that was cut off to COPY, a copy of the N words at OFFSET of the arena. */
static inline void
cab_redo_overlay (const struct cab_redo *redo, uint64_t offset, uint64_t *copy, uint64_t n)
{
  for (uint64_t i = 0; i < redo->n; i++)
    if (redo->entry[i].offset >= offset && redo->entry[i].offset - offset < n * 8)
      copy[(redo->entry[i].offset - offset) / 8] = redo->entry[i].value;
}

/* Return true if REDO, which may come from a file, has a possible length, and each of its entries
   is a word of the arena that MAY allows to change. */
static inline bool
cab_redo_ok (const struct cab_arena *arena, const struct cab_redo *redo,
	     bool (*may) (const struct cab_arena *arena, uint64_t offset))
{
  if (redo->n > CAB_REDO_MOST)
    return false;
  for (uint64_t i = 0; i < redo->n; i++)
    if (redo->entry[i].offset % 8 || arena->used < 8 || redo->entry[i].offset > arena->used - 8
	|| !may (arena, redo->entry[i].offset))
      return false;
  return true;
}

#endif
