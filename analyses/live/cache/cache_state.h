/* cache_state.h - the state of the analysis `cache': for the code that feeds it or reads it.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      see an_cache.c.
 */
#ifndef CAB_CACHE_STATE_H
#define CAB_CACHE_STATE_H

#include <stddef.h>
#include "analyses/live/cache/simulate.h"

#define CAB_CACHE_MAGIC 0x6361636fu
#define CAB_CACHE_LEAST 1024   /* elements of a table at first */

/* Passes through a shape. */
struct cab_cache_passes
{
  uint64_t n;                             /* times CAB_CACHE_PASS, plus how many accesses of one
					     more pass in progress have happened */
  uint32_t how;                           /* enum cab_cache_how */
  uint32_t missed;                        /* accesses that missed, some time ago: a hint */
};
#define CAB_CACHE_PASS UINT64_C (256)
enum cab_cache_how
{
  CAB_CACHE_UNKNOWN,
  CAB_CACHE_BY_ROW,                       /* each access is a row */
  CAB_CACHE_BY_PASS,
  CAB_CACHE_BY_SPAN                       /* by pass, and the spans are no longer than a line of
					     D1 */
};

/* The shapes that an access belongs to; 0: none that counts passes.  Rows of a leaf have a shape of
   their own, and that of all the leaf's rows (regions.h). */
struct cab_cache_member
{
  uint32_t shape[2], form;
  uint8_t place[2];                       /* which of the shape's accesses this is */
  uint16_t reserved;
};

/* Words that were received, and are not in the counts and caches yet, since they repeat what was
   before (cache_rounds.h). */
struct cab_cache_ahead
{
  uint64_t words;                         /* table of words */
  uint64_t n;                             /* how many of these, from the first on, were received; 0:
					     this struct holds nothing */
  uint64_t rows;                          /* rows of these words */
  uint64_t before;                        /* rows in the counts before these words.  What the counts
					     have beyond them is of these words */
  uint64_t again;                         /* rows of whole rounds, in total, that were counted and
					     not looked up */
};

struct cab_cache_state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t tallies;                       /* table of struct cab_tally, by number of the access */
  uint64_t members;                       /* table of struct cab_cache_member, by number of the
					     access */
  uint64_t passes;                        /* table of struct cab_cache_passes, by number of the
					     shape */
  struct cab_cache_ahead ahead;
  struct cab_simulate caches;
};
#define CAB_CACHE_CACHES offsetof (struct cab_cache_state, caches)

/* Return the state in ARENA; null if it has none of this analysis. */
static inline struct cab_cache_state *
cab_cache_state (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_cache_state), CAB_CACHE_MAGIC)
	 ? (struct cab_cache_state *) arena->base
	 : NULL;
}

/* Make an empty state; -1 if that is impossible.  DIAG may be null. */
int cab_cache_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag);
/* Return how many rows are in the counts, without those in `ahead'. */
uint64_t cab_cache_rows (const struct cab_arena *arena);
/* Make room for the counters of access NUMBER. */
bool cab_cache_make_tally (struct cab_arena *arena, uint32_t number);

#endif
