/* undo.h - changes of several words of a state that happen all or not at all, whenever the process
 * dies.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a log in the arena holds the old value of each word that a change has stored to.  A
 *             change ends by one store, which empties the log; a log that is not empty belongs to a
 *             change that was cut off: whoever goes on with the state takes it back first
 *             (cab_undo_settle), and whoever reads it sees the old words (cab_undo_overlay).
 * Use:        what a change needs of new tables is made before it begins: a table that moves within
 *             a change could not be taken back.
 * Threads:    as the arena: one at a time.
 * Errors:     a change that fails in its midst (no room for the log, a state that is damaged) is
 *             taken back as a whole: cab_undo_end says -1.
 */
#ifndef CAB_UNDO_H
#define CAB_UNDO_H

#include <stdbool.h>
#include "analyses/live/space.h"

/* Part of a state; all zero: empty. */
struct cab_undo
{
  uint64_t log;   /* table of struct cab_undo_entry */
  uint64_t n;     /* entries in it */
};

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

struct cab_change cab_undo_begin (struct cab_arena *arena, uint64_t at);
/* The word at OFFSET becomes VALUE.  May move the arena. */
void cab_undo_put (struct cab_change *change, uint64_t offset, uint64_t value);
uint64_t cab_undo_get (const struct cab_change *change, uint64_t offset);
/* 0, or -1: all is as it was. */
int cab_undo_end (struct cab_change *change);

/* Take back what was cut off. */
void cab_undo_settle (struct cab_arena *arena, uint64_t at);
/* COPY is a copy of the N words at OFFSET: make it what they were before a change that was cut
   off. */
void cab_undo_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		       uint64_t n);
/* Is it sound, in a state that comes from a file? */
bool cab_undo_ok (const struct cab_arena *arena, uint64_t at);

#endif
