/* live_caches.h - data caches in the state of an analysis: an access happens to them as a whole or
 * not at all, whenever the process dies.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      that of cachesim.h, for data: the same accesses give the same misses, level by level.
 *             An access that finds all its lines in D1 changes no more than their order.  Doing
 *             that twice is doing it once, so it may end before it is counted: the same access
 *             again finds the same and leaves the same (cab_live_reuse).  Other accesses are steps:
 *             words that a step changes are saved first, in a journal, of which one store says how
 *             long it is; the store that makes it empty ends the step.  A journal that is not empty
 *             belongs to a step that was cut off: who goes on takes it back (cab_live_begin), who
 *             reads sees the old words (cab_live_overlay).  A step may be of many accesses, if the
 *             journal has room for it.
 * Shapes:     tags of all caches in one table, D1's first: the number of the line in memory plus 1;
 *             0 is an empty way.  Up to CAB_LIVE_ORDERED ways a set has three words in front of all
 *             tags of its cache.  One says in which order its ways were used, the last one first,
 *             in digits of 4 bits, so that the order changes by one store; two have a byte for each
 *             way, eight bits of its line's number that lines of a set mostly differ in, so that a
 *             way is found, or seen not to be there, by one comparison.  These bytes are not saved:
 *             who takes back a tag makes its byte anew.  Of more ways the tags themselves stand in
 *             that order.  Empty ways are the last. Behind D1 the order of a set that nothing came
 *             to may be 0: a large cache costs no memory where the program does not go. The
 *             journal: offset of a word, what it was.  It has room for a step of one access, and
 *             more when more was asked for. `recent' has addresses of lines, at places that their
 *             numbers' last bits tell: those are surely the last used ones of their sets in D1.
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
#define CAB_LIVE_USUAL_SIGN 6   /* where the sign of a line of a usual D1 begins */
#define CAB_LIVE_FEW 8      /* ways of a usual D1, ... */
#define CAB_LIVE_MANY 12    /* ... or these */

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
  unsigned sign_log2, ways;    /* the bits of a line's number that are its sign begin here; bits 0
				  to the last way */
  uint64_t fresh;              /* the order of empty ways */
};

/* D1 of caches that are usual: what a set has in `recent' is so many bytes behind its beginning as
   its number says, and the mask; in the others it is so many times as far as it has words there. */
struct cab_live_usual
{
  unsigned char *recent, *sets, *tags;
  uint64_t mask;
};

/* The caches while they are fed.  Not to be kept over anything that may move the arena. */
struct cab_live
{
  struct cab_live_caches *caches;
  unsigned char *base;
  uint64_t *journal, *recent;
  uint64_t recent_mask;
  struct cab_live_usual d1;   /* if it is */
  struct cab_live_level level[CAB_LIVE_LEVELS];
  unsigned n_levels;
  bool whole;          /* cachegrind's model: accesses go from level to level as a whole */
  uint32_t stay;       /* so many lines are in D1 when each of them was used since any other, and
			  what misses may be told by any place in its line: none where other levels
			  take lines out of D1, or have shorter ones */
  bool inclusive;
  unsigned pair;       /* `usual', if besides caches are straight, and there are two of them; else
			  0 */
  unsigned usual;      /* CAB_LIVE_FEW, CAB_LIVE_MANY: D1 has so many ways, the usual lines, and a
			  power of two of sets, each with a place of its own in `recent' */
  bool straight;       /* a line of D1 that misses is one line in each level, takes nothing out of
			  others, and all sets have words for their orders */
};

/* Make empty caches of CONFIG, whose geometry is sound; -1: no room.  AT: offset of the struct
   cab_live_caches. */
int cab_live_make (struct cab_arena *arena, uint64_t at, const struct cab_cachesim_config *config);
/* Empty caches that have been made, of which no step is under way. */
void cab_live_empty (struct cab_live *live);
/* LIVE is the caches at AT, which have been made.  Takes back what was cut off. */
void cab_live_begin (struct cab_live *live, const struct cab_arena *arena, uint64_t at,
		     const struct cab_cachesim_config *config);

/* The access from the byte FIRST to LAST, which lie in at most two lines of D1, if it finds all
   that it touches in D1.  Else nothing has happened that counts, and the access is to be a step. */
bool cab_live_reuse (struct cab_live *live, uint64_t first, uint64_t last);

/* Begin a step: that access.  The levels that it missed in, as bits.  The caller then changes its
   own words (at most CAB_LIVE_WORDS), and ends the step. */
unsigned cab_live_access (struct cab_live *live, uint64_t first, uint64_t last);
#define CAB_LIVE_WORDS 32
void cab_live_put (struct cab_live *live, uint64_t *word, uint64_t value);
void cab_live_end (struct cab_live *live, uint64_t last);

/* A whole step, of caches that are straight: the access at ADDRESS lies in one line of D1, which is
   not there.  *ROWS becomes VALUE, and MISSED[i] of each level I that it missed in one more. */
void cab_live_miss (struct cab_live *live, uint64_t address, uint64_t *rows, uint64_t value,
		    uint64_t *missed);

/* Long steps, of caches that are straight.  The journal, which is empty, gets room for N words that
   change; false: there is none.  It may move. */
bool cab_live_reserve (struct cab_arena *arena, uint64_t at, uint64_t n);
/* In one: an access to a line of D1 at ADDRESS, or the next one, or both, has missed there: what
   happens in the levels behind, and in which of them it missed, as bits. WHICH: CAB_LIVE_FIRST,
   CAB_LIVE_SECOND.  At most two words change for each line and level behind D1. */
unsigned cab_live_behind (struct cab_live *live, uint64_t address, unsigned which);
#define CAB_LIVE_FIRST 1u
#define CAB_LIVE_SECOND 2u
/* In one: it is taken back, all of it. */
void cab_live_take_back (const struct cab_live *live);

/* The line at ADDRESS may be looked for soon in CACHE, whose sets and tags these are: what that
   needs is fetched.  (A call of what does nothing else GCC takes for one without effect, unless it
   is no call.) */
static inline __attribute__ ((always_inline)) void
cab_live_fetch (const struct cab_cachesim_cache *cache, const struct cab_live_set *sets,
		const uint64_t *tags, uint64_t address)
{
  uint64_t number = cab_cachesim_set_of (cache, address >> cache->line_log2);
  __builtin_prefetch (sets + number);
  __builtin_prefetch (tags + number * cache->assoc);
  __builtin_prefetch (tags + number * cache->assoc + cache->assoc / 2);
}

/* The access at ADDRESS may miss in D1 soon. */
static inline __attribute__ ((always_inline)) void
cab_live_ahead (const struct cab_live *live, uint64_t address)
{
  const struct cab_live_level *next = &live->level[1];
  cab_live_fetch (&next->cache, next->sets, next->tags, address);
}

/* What is needed to see whether an access changes nothing. */
struct cab_live_quick
{
  const uint64_t *recent;
  uint64_t recent_mask, line_mask;   /* of the number of a line, and of an address */
  uint32_t line_log2;
};

static inline struct cab_live_quick
cab_live_quick (const struct cab_live *live)
{
  uint32_t line_log2 = live->level[0].cache.line_log2;
  return (struct cab_live_quick) { live->recent, live->recent_mask, (UINT64_C (1) << line_log2) - 1,
				   line_log2 };
}

/* How far is ADDRESS behind the beginning of a line that was used last in its set of D1?  More than
   line_mask: nothing is known of its line.  (No less than that either: what is before a line has
   another place in `recent'.) */
static inline uint64_t
cab_live_distance (const struct cab_live_quick *quick, uint64_t address)
{
  return address - quick->recent[address >> quick->line_log2 & quick->recent_mask];
}

/* Do BYTES bytes from ADDRESS on lie in one line, and is it the one of its set in D1 that was used
   last?  Then using it changes nothing. */
static inline bool
cab_live_is_recent (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  uint64_t distance = cab_live_distance (quick, address);
  return distance <= quick->line_mask && bytes - 1 <= quick->line_mask - distance;
}

/* The same where BYTES are no more than a line of D1 has, and not 0. */
static inline bool
cab_live_is_in (const struct cab_live_quick *quick, uint64_t address, uint64_t bytes)
{
  return cab_live_distance (quick, address) + bytes - 1 <= quick->line_mask;
}

/* The same of the bytes from ADDRESS to LAST bytes behind it, no longer than a line, which may lie
   in two. */
static inline bool
cab_live_are_recent (const struct cab_live_quick *quick, uint64_t address, uint64_t last)
{
  uint64_t distance = cab_live_distance (quick, address);
  if (__builtin_expect (distance + last <= quick->line_mask, 1))
    return true;
  return distance <= quick->line_mask && address <= UINT64_MAX - last
      && cab_live_distance (quick, address + last) <= quick->line_mask;
}

/* COPY is a copy of the N words at OFFSET: make it what they were before a step that was cut
   off. */
void cab_live_overlay (const struct cab_arena *arena, uint64_t at, uint64_t offset, uint64_t *copy,
		       uint64_t n);
/* Are they sound, for CONFIG?  OWN says of the offset of a word that the journal has saved whether
   it is one of the caller's. */
bool cab_live_ok (const struct cab_arena *arena, uint64_t at,
		  const struct cab_cachesim_config *config,
		  bool (*own) (const struct cab_arena *arena, uint64_t offset));

#endif
