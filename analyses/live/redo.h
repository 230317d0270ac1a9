/* redo.h - changes of a few words of a state that happen all or not at all, whenever the process
 * dies; cheaper than undo.h where they are few.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      the new values are written to a list first; one store of its length makes the change;
 *             then the words are stored.  Of a process that died in between, whoever goes on with
 *             the state stores them again (cab_redo_settle), and whoever reads it sees the list
 *             (cab_redo_overlay).
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_REDO_H
#define CAB_REDO_H

#include <stdbool.h>
#include "analyses/live/space.h"

#define CAB_REDO_MOST 16

/* Part of a state; all zero: empty. */
struct cab_redo
{
  uint64_t n;
  struct
  {
    uint64_t offset, value;
  } entry[CAB_REDO_MOST];
};

/* A change of at most CAB_REDO_MOST words that is being put together; the arena may not move
   meanwhile. */
struct cab_redo_list
{
  struct cab_arena *arena;
  struct cab_redo *redo;
  unsigned n;
};

static inline struct cab_redo_list
cab_redo_begin (struct cab_arena *arena, uint64_t at)
{
  return (struct cab_redo_list) { arena, (struct cab_redo *) (arena->base + at), 0 };
}

static inline void
cab_redo_put (struct cab_redo_list *list, const uint64_t *word, uint64_t value)
{
  list->redo->entry[list->n].offset = (const unsigned char *) word - list->arena->base;
  list->redo->entry[list->n++].value = value;
}

/* The words of a list that is whole; then it is empty. */
static inline void
cab_redo_settle (struct cab_arena *arena, struct cab_redo *redo)
{
  for (uint64_t i = 0; i < redo->n; i++)
    *(volatile uint64_t *) (arena->base + redo->entry[i].offset) = redo->entry[i].value;
  cab_space_order ();
  *(volatile uint64_t *) &redo->n = 0;
  cab_space_order ();
}

static inline void
cab_redo_end (struct cab_redo_list *list)
{
  cab_space_order ();
  *(volatile uint64_t *) &list->redo->n = list->n;
  cab_space_order ();
  cab_redo_settle (list->arena, list->redo);
}

/* COPY is a copy of the N words at OFFSET: make it what a change that was cut off makes of them. */
static inline void
cab_redo_overlay (const struct cab_redo *redo, uint64_t offset, uint64_t *copy, uint64_t n)
{
  for (uint64_t i = 0; i < redo->n; i++)
    if (redo->entry[i].offset >= offset && redo->entry[i].offset - offset < n * 8)
      copy[(redo->entry[i].offset - offset) / 8] = redo->entry[i].value;
}

/* Does its length make sense, in a state that comes from a file, and does each entry say of a word
   that MAY be changed? */
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
