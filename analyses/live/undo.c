/* undo.c - changes of several words of a state, see undo.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/undo.h"

#define LEAST 64

static struct cab_undo *
undo_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_undo *) (arena->base + at);
}

static struct cab_undo_entry *
entries_of (const struct cab_arena *arena, uint64_t at)
{
  return cab_space_elements (arena, undo_of (arena, at)->log);
}

static volatile uint64_t *
word (const struct cab_arena *arena, uint64_t offset)
{
  return (volatile uint64_t *) (arena->base + offset);
}

/* Make room for one more entry in the log.  Return false if there is none. */
static bool
make_room (struct cab_change *change)
{
  const struct cab_undo *undo = undo_of (change->arena, change->at);
  uint64_t log = cab_space_table_for (change->arena, undo->log, undo->n, LEAST,
				      sizeof (struct cab_undo_entry));
  if (log)
    undo_of (change->arena, change->at)->log = log;
  cab_space_order ();
  return log;
}

void
cab_undo_put_slowly (struct cab_change *change, uint64_t offset, uint64_t value)
{
  if (change->failed
      || (cab_undo_is_word (change->arena, offset) && *word (change->arena, offset) == value))
    return;
  if (!cab_undo_is_word (change->arena, offset) || !make_room (change))
    {
      change->failed = true;
      return;
    }
  struct cab_undo *undo = undo_of (change->arena, change->at);
  entries_of (change->arena, change->at)[undo->n] = (struct cab_undo_entry) {
    offset, *word (change->arena, offset)
  };
  cab_space_count (&undo->n);
  *word (change->arena, offset) = value;
}

void
cab_undo_settle (struct cab_arena *arena, uint64_t at)
{
  struct cab_undo *undo = undo_of (arena, at);
  const struct cab_undo_entry *entries = entries_of (arena, at);
  for (uint64_t i = undo->n; i-- > 0;)
    if (cab_undo_is_word (arena, entries[i].offset))
      *word (arena, entries[i].offset) = entries[i].old;
  cab_space_order ();
  *(volatile uint64_t *) &undo->n = 0;
  cab_space_order ();
}

void
cab_undo_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		  uint64_t n)
{
  const struct cab_undo_entry *entries = entries_of (arena, at);
  for (uint64_t i = undo_of (arena, at)->n; i-- > 0;)
    if (entries[i].offset >= offset && entries[i].offset - offset < n * 8)
      copy[(entries[i].offset - offset) / 8] = entries[i].old;
}

bool
cab_undo_ok (const struct cab_arena *arena, uint64_t at)
{
  const struct cab_undo *undo = undo_of (arena, at);
  return cab_space_table_ok (arena, undo->log, sizeof (struct cab_undo_entry))
      && undo->n <= cab_space_capacity (arena, undo->log);
}
