/* undo.h - changes of several words of a state that happen all or not at all, whenever the process
 * dies.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A log in the arena holds the old value of each word that a change has stored to.  One
 *             store ends the change by emptying the log.  A log that is not empty belongs to a
 *             change that was cut off: whoever continues with the state rolls it back first
 *             (cab_undo_settle), and whoever only reads the state sees the old words
 *             (cab_undo_overlay).
 * Use:        Tables that a change needs are made before it begins: a table that moves within a
 *             change could not be rolled back.
 * Threads:    as the arena: one at a time.
 * Errors:     A change that fails before it ends (no room for the log, a state that is damaged) is
 *             rolled back as a whole: cab_undo_end returns -1.
 */
#ifndef CAB_UNDO_H
#define CAB_UNDO_H

#include <stdbool.h>
#include "analyses/live/space.h"

/* The log of one change, part of a state.  All zero is an empty log. */
struct cab_undo
{
  uint64_t log;   /* table of struct cab_undo_entry */
  uint64_t n;     /* entries in it */
};

/* One entry of a log: the word at OFFSET of the arena was OLD before the change. */
struct cab_undo_entry
{
  uint64_t offset, old;
};

/* A change that is under way, of the state whose struct cab_undo lies at offset AT. */
struct cab_change
{
  struct cab_arena *arena;
  uint64_t at;
  bool failed;
};

/* Begin a change of the state whose struct cab_undo is at offset AT.  Its log must be empty. */
static inline struct cab_change
cab_undo_begin (struct cab_arena *arena, uint64_t at)
{
  return (struct cab_change) { arena, at, false };
}

/* Do as cab_undo_put where the log is full, or has to refuse. */
void cab_undo_put_slowly (struct cab_change *change, uint64_t offset, uint64_t value);

/* Return true if there is a word at OFFSET of the arena. */
static inline bool
cab_undo_is_word (const struct cab_arena *arena, uint64_t offset)
{
  return offset % 8 == 0 && arena->used >= 8 && offset <= arena->used - 8;
}

/* Return the word at OFFSET of the arena as the change has it by now; 0 if OFFSET is no word of
   it. */
static inline uint64_t
cab_undo_get (const struct cab_change *change, uint64_t offset)
{
  const struct cab_arena *arena = change->arena;
  return cab_undo_is_word (arena, offset) ? *(volatile uint64_t *) (arena->base + offset) : 0;
}

/* Log the word at OFFSET of the arena and store VALUE to it.  May move the arena.  An OFFSET that
   is no word of the arena makes the change fail; after a failure this does nothing. */
static inline void
cab_undo_put (struct cab_change *change, uint64_t offset, uint64_t value)
{
  const struct cab_arena *arena = change->arena;
  struct cab_undo *undo = (struct cab_undo *) (arena->base + change->at);
  volatile uint64_t *word = (volatile uint64_t *) (arena->base + offset);
  if (__builtin_expect (change->failed || !undo->log || !cab_undo_is_word (arena, offset)
			|| undo->n >= cab_space_capacity (arena, undo->log), 0))
    {
      cab_undo_put_slowly (change, offset, value);
      return;
    }
  if (*word == value)
    return;
  struct cab_undo_entry *entries = cab_space_elements (arena, undo->log);
  entries[undo->n] = (struct cab_undo_entry) { offset, *word };
  cab_space_count (&undo->n);
  *word = value;
}
/* Do so for N words from OFFSET on, which become those at VALUE. */
static inline void
cab_undo_put_words (struct cab_change *change, uint64_t offset, const uint64_t *value, unsigned n)
{
  const struct cab_arena *arena = change->arena;
  struct cab_undo *undo = (struct cab_undo *) (arena->base + change->at);
  volatile uint64_t *word = (volatile uint64_t *) (arena->base + offset);
  if (__builtin_expect (change->failed || !undo->log || !cab_undo_is_word (arena, offset)
			|| !cab_undo_is_word (arena, offset + (n - 1) * 8)
			|| undo->n + n > cab_space_capacity (arena, undo->log), 0))
    {
      for (unsigned i = 0; i < n; i++)
	cab_undo_put (change, offset + i * 8, value[i]);
      return;
    }
  struct cab_undo_entry *entry = (struct cab_undo_entry *) cab_space_elements (arena, undo->log)
				 + undo->n;
  for (unsigned i = 0; i < n; i++)
    if (word[i] != value[i])
      {
	*entry++ = (struct cab_undo_entry) { offset + i * 8, word[i] };
	cab_space_count (&undo->n);
	word[i] = value[i];
      }
}

/* Roll back a change that was cut off, if there is one.  AT is the offset of the struct
   cab_undo. */
void cab_undo_settle (struct cab_arena *arena, uint64_t at);

/* End CHANGE.  Return 0, or -1 if it failed; then every word is as it was before the change. */
static inline int
cab_undo_end (struct cab_change *change)
{
  if (change->failed)
    {
      cab_undo_settle (change->arena, change->at);
      return -1;
    }
  cab_space_order ();
  *(volatile uint64_t *) &((struct cab_undo *) (change->arena->base + change->at))->n = 0;
  cab_space_order ();
  return 0;
}

/* Make COPY, a copy of the N words at OFFSET of the arena, what they were before a change that was
   cut off. */
void cab_undo_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		       uint64_t n);
/* Return true if the struct cab_undo at AT, which may come from a file, has a log within the arena
   and no more entries than that holds. */
bool cab_undo_ok (const struct cab_arena *arena, uint64_t at);

#endif
