/* cache_uses.h - the analysis `cache' in two halves that may run at the same time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      which line was used last in a set of D1 is told by the accesses alone, whatever D1 has.  So the front half finds the accesses that are more than that, with a table
 *             of its own, and tells them to the back half, in their order, with how passes of regions are counted; the back half has the caches and all counts,
 *             and is the only one that changes the state.  Together they do what `feed' does.
 * Shapes:     what is told are entries of 16 bytes.  An event of a region: EVENT, then a USE for each access that is to be used.  A row: two entries.  A region that the
 *             back half has not yet agreed to count by passes: WHOLE, and the event's words.
 * Units:      a USE says what the event's counter is with it, less what it was before the event.
 * Threads:    begin: one thread, and neither half is under way; then each half is one thread's.  Both are over before the state is fed otherwise.
 * Errors:     begin says no where the caches are not such as this knows: then the state is fed as a whole.
 */
#ifndef CAB_CACHE_USES_H
#define CAB_CACHE_USES_H

#include "cache_walk.h"

struct cab_use
{
  uint64_t a, b;              /* b: kind, and what it says */
};
#define CAB_USE_KIND (UINT64_C (3) << 62)
#define CAB_USE_EVENT (UINT64_C (1) << 62)   /* a: region; b: what its counter gets in all */
#define CAB_USE_ROW (UINT64_C (2) << 62)     /* a: address; b: number, form << 32; a of the next one: bytes */
#define CAB_USE_WHOLE (UINT64_C (3) << 62)   /* a: region; b: its words, which are the following entries' */
#define CAB_USE_MOST 16u                     /* entries that stand together */

/* Where entries go.  `full' makes room for CAB_USE_MOST of them. */
struct cab_use_sink
{
  struct cab_use *at, *end;
  void (*full) (struct cab_use_sink *sink);
};

#define CAB_USES_PASSES (UINT64_C (1) << 48)   /* of an event, at most */
#define CAB_USES_SETS 1024u      /* of D1, at most */
#define CAB_USES_SHAPES 262144u  /* others come whole */

/* Large: zero at first, and the same for all that a state is fed. */
struct cab_cache_uses
{
  struct cab_use_sink *sink;
  unsigned usual;
  struct cab_walk walk;
  struct cab_live_quick quick;
  uint64_t recent[CAB_USES_SETS];
  /* Stored by the back half: */
  uint64_t n_tallies;                /* numbers of accesses below this have counters */
  uint8_t agreed[CAB_USES_SHAPES];   /* enum cab_cache_how, by shape */
};

/* May ARENA's state be fed in two halves now? */
bool cab_cache_uses_begin (struct cab_cache_uses *uses, struct cab_arena *arena, struct cab_use_sink *sink);
/* The front half of `feed'. */
void cab_cache_uses_feed (struct cab_cache_uses *uses, const struct cab_batch *batch);

/* The back half: BACK takes N entries after another. */
struct cab_cache_back
{
  struct cab_arena *arena;
  struct cab_cache_uses *uses;
  const struct cab_region *region;   /* of the event under way, or null */
  uint64_t before, count;            /* what its counter was, and what it gets */
};
void cab_cache_back_take (struct cab_cache_back *back, const struct cab_use *uses, size_t n);
/* The last event is over. */
void cab_cache_back_end (struct cab_cache_back *back);

#endif
