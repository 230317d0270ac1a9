/* cache_state.h - the state of the analysis `cache': for what feeds it, and for what reads it.
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
  uint64_t n;                             /* times CAB_CACHE_PASS, and how many accesses there were
					     of one more that is under way */
  uint32_t how;                           /* enum cab_cache_how */
  uint32_t missed;                        /* accesses, some time ago: a hint */
};
#define CAB_CACHE_PASS UINT64_C (256)
enum cab_cache_how
{
  CAB_CACHE_UNKNOWN,
  CAB_CACHE_BY_ROW,                       /* each access is a row */
  CAB_CACHE_BY_PASS,
  CAB_CACHE_BY_SPAN                       /* ... and the spans are no longer than a line of D1 */
};

/* The shapes that an access belongs to; 0: none that counts passes.  Rows of a leaf have one of
   their own, and that of all the leaf's (regions.h). */
struct cab_cache_member
{
  uint32_t shape[2], form;
  uint8_t place[2];                       /* which of its accesses this is */
  uint16_t reserved;
};

/* Words that have come, and are not in the counts and caches yet, since they are the same as before
   (cache_rounds.h). */
struct cab_cache_ahead
{
  uint64_t words;                         /* table of words, of which ... */
  uint64_t n;                             /* ... so many, the first ones, have come; 0: there is
					     nothing of this */
  uint64_t rows;                          /* that they tell, */
  uint64_t before;                        /* ... and those before them.  What the counts have of
					     more than these is of these words */
  uint64_t again;                         /* rows of whole rounds, ever, that were counted and not
					     looked up */
};

struct cab_cache_state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t tallies;                       /* table of struct cab_tally, by number of the access */
  uint64_t members;                       /* table of struct cab_cache_member, likewise */
  uint64_t passes;                        /* table of struct cab_cache_passes, by number of the
					     shape */
  struct cab_cache_ahead ahead;
  struct cab_simulate caches;
};
#define CAB_CACHE_CACHES offsetof (struct cab_cache_state, caches)

static inline struct cab_cache_state *
cab_cache_state (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_cache_state), CAB_CACHE_MAGIC)
	 ? (struct cab_cache_state *) arena->base
	 : NULL;
}

/* An empty state; -1: it cannot be.  DIAG may be null. */
int cab_cache_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag);
/* Rows in the counts, which `ahead' is not in. */
uint64_t cab_cache_rows (const struct cab_arena *arena);
/* Make room for the counters of access NUMBER. */
bool cab_cache_make_tally (struct cab_arena *arena, uint32_t number);
/* How passes through R are counted where D1 has lines of so many bytes, if there is room for
   counters. */
enum cab_cache_how cab_cache_how (const struct cab_region *r, uint64_t line);
/* The same in ARENA, whose caches have been made, from now on; unknown: R has no number, or there
   is no room. */
enum cab_cache_how cab_cache_know (struct cab_arena *arena, const struct cab_region *r);
void cab_cache_feed (struct cab_arena *arena, const struct cab_batch *batch,
		     const struct cab_functions *functions, const struct cab_out *out);

#endif
