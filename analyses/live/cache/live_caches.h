/* live_caches.h - data caches in the state of an analysis: an access happens to them as a whole or
 * not at all, whenever the process dies.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      that of cachesim.h, for data: the same accesses give the same misses, level by level.
 *             An access that finds all its lines in D1 changes no more than their order.  Doing
 *             that twice is doing it once, so the process may die before it is counted: the same
 *             access again finds the same and leaves the same (cab_live_reuse).  Other accesses are
 *             steps: words that a step changes are saved first, in a journal, whose length one
 *             store sets; the store that makes it empty ends the step.  A journal that is not empty
 *             belongs to a step that was cut off: a feeder takes it back (cab_live_begin), a reader
 *             sees the old words (cab_live_overlay).  A step may be of many accesses, if the
 *             journal has room for it.
 * Shapes:     tags of all caches in one table, D1's first: the number of the line in memory plus 1;
 *             0 is an empty way.  Up to CAB_LIVE_ORDERED ways a set has three words in front of all
 *             tags of its cache.  One is the order in which its ways were used, the last one first,
 *             in digits of 4 bits, so that the order changes by one store; two have a byte for each
 *             way, its sign: eight bits of its line's number that lines of a set mostly differ in,
 *             so that one comparison finds a way, or shows that it is not there.  These bytes are
 *             not saved: whatever restores a tag computes its byte again.  With more ways the tags
 *             themselves are in that order.  Empty ways are the last. In the outer levels the order
 *             of a set that was never used may be 0: a large cache costs no memory where the
 *             program does not go. The journal: offset of a word, its old value.  It has room for a
 *             step of one access, and more when more was asked for. `recent' has addresses of
 *             lines, at the places that the last bits of their numbers select: those are surely the
 *             last used ones of their sets in D1.
 * Threads:    as the arena: one at a time.
 * Errors:     none but cab_live_make's.  The state may come from a file: cab_live_ok.
 */
#ifndef CAB_LIVE_CACHES_H
#define CAB_LIVE_CACHES_H

#include "analyses/live/cache/cachesim_state.h"
#include "analyses/live/space.h"

#define CAB_LIVE_LEVELS CAB_CACHESIM_LEVELS_MAX
#define CAB_LIVE_ORDERED 16
#define CAB_LIVE_USUAL_LOG2 6
#define CAB_LIVE_USUAL_SIGN 6   /* the lowest bit of a line's number that its sign has in a usual
				   D1 */
#define CAB_LIVE_FEW 8      /* ways of a usual D1 */
#define CAB_LIVE_MANY 12    /* ways of another usual D1 */

/* Part of a state; all zero: no caches yet. */
struct cab_live_caches
{
  uint64_t tags;       /* table of words */
  uint64_t journal;    /* table of words */
  uint64_t recent;     /* table of words, a power of two of them */
  uint64_t n_saved;    /* words in the journal */
};

struct cab_live_set
{
  uint64_t order;
  uint8_t sign[CAB_LIVE_ORDERED];
};
#define CAB_LIVE_SET_WORDS (sizeof (struct cab_live_set) / 8)

struct cab_live_level
{
  struct cab_cachesim_cache cache;
  struct cab_live_set *sets;   /* null where there are more than CAB_LIVE_ORDERED ways */
  uint64_t *tags;
  unsigned sign_log2, ways;    /* the lowest bit of a line's number that its sign has; a bit for
				  each way */
  uint64_t fresh;              /* the order of a set whose ways are all empty */
};

/* The D1 of usual caches.  MASK takes the number of a set, times 8, out of an address: this is the
   offset in bytes of the set's word in `recent', and, times the words that a set has in `sets' or
   `tags', its offset there. */
struct cab_live_usual
{
  unsigned char *recent, *sets, *tags;
  uint64_t mask;
};

/* The caches while they are fed.  Not valid after anything that may move the arena. */
struct cab_live
{
  struct cab_live_caches *caches;
  unsigned char *base;
  uint64_t *journal, *recent;
  uint64_t recent_mask;
  struct cab_live_usual d1;   /* if D1 is usual */
  struct cab_live_level level[CAB_LIVE_LEVELS];
  unsigned n_levels;
  bool whole;          /* cachegrind's model: accesses go from level to level as a whole */
  uint32_t stay;       /* this many lines of a set are in D1 if each of them was used since any
			  other, and a miss may be represented by any address in its line; 0 where
			  other levels take lines out of D1, or have shorter ones */
  bool inclusive;
  unsigned pair;       /* `usual', if the caches are also straight, and there are two of them; else
			  0 */
  unsigned usual;      /* CAB_LIVE_FEW, CAB_LIVE_MANY: D1 has this many ways, lines of the usual
			  size, and a power of two of sets, each with a place of its own in
			  `recent'; else 0 */
  bool straight;       /* a line of D1 that misses is one line in each level, evicts nothing from
			  others, and all sets have words for their orders */
};

/* Make empty caches of CONFIG, whose geometry is sound; -1 if there is no room.  AT is the offset
   of the struct cab_live_caches. */
int cab_live_make (struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config);
/* Empty caches that have been made, of which no step is in progress. */
void cab_live_empty (struct cab_live *live);
/* Make LIVE the caches at AT, which have been made.  Take back a step that was cut off. */
void cab_live_begin (struct cab_live *live, const struct cab_arena *arena, uint64_t at,
		     const struct cab_cachesim_config *config);

/* Prepare a long step, of caches that are straight: give the journal, which is empty, room for N
   words that change.  Return false if there is none.  The arena may move. */
bool cab_live_reserve (struct cab_arena *arena, uint64_t at, uint64_t n);
/* Take back all of the step in progress. */
void cab_live_take_back (const struct cab_live *live);

/* Prefetch what a look-up of the line at ADDRESS in CACHE, whose sets and tags these are, needs.
   (Inlined, as GCC drops calls of a function that does nothing else, which it takes for one without
   effect.) */
static inline __attribute__ ((always_inline)) void
cab_live_fetch (const struct cab_cachesim_cache *cache, const struct cab_live_set *sets,
		const uint64_t *tags, uint64_t address)
{
  uint64_t number = cab_cachesim_set_of (cache, address >> cache->line_log2);
  __builtin_prefetch (sets + number);
  __builtin_prefetch (tags + number * cache->assoc);
  __builtin_prefetch (tags + number * cache->assoc + cache->assoc / 2);
}

/* Prefetch the next level's set for the access at ADDRESS, which may miss in D1 soon. */
static inline __attribute__ ((always_inline)) void
cab_live_ahead (const struct cab_live *live, uint64_t address)
{
  const struct cab_live_level *next = &live->level[1];
  cab_live_fetch (&next->cache, next->sets, next->tags, address);
}

/* What is needed to see that an access changes nothing. */
struct cab_live_quick
{
  const uint64_t *recent;
  uint64_t recent_mask, line_mask;   /* of the number of a line, and of an address */
  uint32_t line_log2;
};

/* Return what LIVE's quick look needs. */
static inline struct cab_live_quick
cab_live_quick (const struct cab_live *live)
{
  uint32_t line_log2 = live->level[0].cache.line_log2;
  return (struct cab_live_quick) { live->recent, live->recent_mask, (UINT64_C (1) << line_log2) - 1,
				   line_log2 };
}

/* Return how far ADDRESS is past the beginning of the line that was used last in its set of D1;
   more than line_mask if nothing is known of its line.  (The result is never slightly negative:
   addresses just before a line have another place in `recent'.) */
static inline uint64_t
cab_live_distance (const struct cab_live_quick *quick, uint64_t address)
{
  return address - quick->recent[address >> quick->line_log2 & quick->recent_mask];
}

/* Return true if BYTES bytes from ADDRESS on lie in one line, which is the one of its set in D1
   that was used last: then using it changes nothing. */
static inline bool
cab_live_is_recent (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  uint64_t distance = cab_live_distance (quick, address);
  return distance <= quick->line_mask && bytes - 1 <= quick->line_mask - distance;
}

/* As cab_live_is_recent, where BYTES is not 0, and not more than a line of D1 has. */
static inline bool
cab_live_is_in (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  return cab_live_distance (quick, address) + bytes - 1 <= quick->line_mask;
}

/* Return true if the bytes from ADDRESS to ADDRESS + LAST, no longer than a line, are in one such
   line or two. */
static inline bool
cab_live_are_recent (const struct cab_live_quick *quick, uint64_t address, uint64_t last)
{
  uint64_t distance = cab_live_distance (quick, address);
  if (__builtin_expect (distance + last <= quick->line_mask, 1))
    return true;
  return distance <= quick->line_mask && address <= UINT64_MAX - last
      && cab_live_distance (quick, address + last) <= quick->line_mask;
}

/* Make COPY, a copy of the N words at OFFSET, what they were before a step that was cut off. */
void cab_live_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		       uint64_t n);
/* Return true if the caches are sound for CONFIG.  OWN returns true if the offset of a word that
   the journal has saved is one of the caller's words. */
bool cab_live_ok (const struct cab_arena *arena, uint64_t at,
		  const struct cab_cachesim_config *config,
		  bool (*own) (const struct cab_arena *arena, uint64_t offset));

#endif
