/* live_caches.h - data caches in the state of an analysis: an access happens to them as a whole or not at all, whenever the process dies.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      that of cachesim.h, for data: the same accesses give the same misses, level by level.
 *             Words that a step changes are saved first, in a journal, of which one store says how long it is; the store that makes it
 *             empty ends the step.  A journal that is not empty belongs to a step that was cut off: who goes on takes it back
 *             (cab_live_begin), who reads sees the old words (cab_live_overlay).  A step in which all lines are found may end before it
 *             is counted: the same access again finds the same and leaves the same.
 * Shapes:     tags of all caches in one table, D1's first; a set's as in cachesim_state.h.  The journal: saved words, then their offset,
 *             then how many they are.  No step needs more room than the journal has.
 * Threads:    as the arena: one at a time.
 * Errors:     none but cab_live_make's.  The state may come from a file: cab_live_ok.
 */
#ifndef CAB_LIVE_CACHES_H
#define CAB_LIVE_CACHES_H

#include "cachesim_state.h"
#include "space.h"

#define CAB_LIVE_LEVELS CAB_CACHESIM_LEVELS_MAX

/* Part of a state; all zero: no caches yet. */
struct cab_live_caches
{
  uint64_t tags;       /* table of words */
  uint64_t journal;    /* table of words */
  uint64_t n_saved;    /* words in it */
};

/* The caches while they are fed.  Not to be kept over anything that may move the arena. */
struct cab_live
{
  struct cab_live_caches *caches;
  unsigned char *base;
  uint64_t *tags, *journal;
  struct cab_cachesim_cache level[CAB_LIVE_LEVELS];   /* tags_at: of its first tag, in words */
  unsigned n_levels;
  bool whole;          /* cachegrind's model: accesses go from level to level as a whole */
  bool inclusive;
};

/* Make empty caches of CONFIG, whose geometry is sound; -1: no room.  AT: offset of the struct cab_live_caches. */
int cab_live_make (struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config);
/* LIVE is the caches at AT, which have been made.  Takes back what was cut off. */
void cab_live_begin (struct cab_live *live, const struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config);

/* Begin a step: the access from the byte FIRST to LAST, which lie in at most two lines of D1.  The levels that it missed in, as bits. 
   The caller
   then saves and changes its own words (at most CAB_LIVE_WORDS in at most 8 pieces), and ends the step. */
unsigned cab_live_access (struct cab_live *live, uint64_t first, uint64_t last);
#define CAB_LIVE_WORDS 32
void cab_live_save (struct cab_live *live, const uint64_t *words, uint64_t n);
static inline void
cab_live_end (struct cab_live *live)
{
  cab_space_order ();
  *(volatile uint64_t *) &live->caches->n_saved = 0;
  cab_space_order ();
}

/* What is needed to see whether an access changes nothing. */
struct cab_live_quick
{
  const uint64_t *tags;
  uint64_t set_mask, line_mask;   /* of the number of a line, and of an address */
  uint32_t assoc, line_log2;
};

/* Where the number of sets is no power of two it looks into a wrong one mostly, and so finds less; what it finds is right. */
static inline struct cab_live_quick
cab_live_quick (const struct cab_live *live)
{
  const struct cab_cachesim_cache *d1 = &live->level[0];
  return (struct cab_live_quick) { live->tags, d1->n_sets - 1, (UINT64_C (1) << d1->line_log2) - 1, d1->assoc, d1->line_log2 };
}

/* Do BYTES bytes from ADDRESS on lie in one line, and is it the one of its set in D1 that was used last?  Then using it changes nothing. */
static inline bool
cab_live_is_recent (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  uint64_t line = address >> quick->line_log2;
  return bytes - 1 <= (~address & quick->line_mask) && quick->tags[(line & quick->set_mask) * quick->assoc] == line + 1;
}

/* COPY is a copy of the N words at OFFSET: make it what they were before a step that was cut off. */
void cab_live_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy, uint64_t n);
/* Are they sound, for CONFIG?  OWN says of a piece of words that the journal has saved whether it lies where the caller's words are. */
bool cab_live_ok (const struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config,
		  bool (*own) (const struct cab_arena *arena, uint64_t offset, uint64_t words));

#endif
