/* cache_section.h - the analysis `cache' by sections of the accesses, which are looked up at the
 * same time, and then take effect one after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a section is cut out of what would be fed.  It is looked up in a D1 of its own that
 *             begins empty: what is found there is found whatever was before, and what misses in a
 *             set that is full then misses in any case, as the least recently used lines are
 *             evicted.  Only the first few lines of each set are unsure: those used before the set
 *             is full.  A commit, in the order of the sections, asks the real D1 for these, and
 *             does what remains in the outer levels, so that the result is as if each access had
 *             been fed (cab_cache_feed). What an analysis has applied is a number of whole
 *             sections, or a part of one that was fed directly: for a process that is killed a
 *             commit happens as a whole or not at all.
 * Shapes:     items of 16 bytes, CAB_SECTION_... say which.  D1: as in live_caches.h, words of its
 *             sets in front of its tags.
 * Ownership:  words of an event are the feeder's until the section is over; those that would not
 *             stay are copied.
 * Threads:    a section is one thread's at a time; cut and commit are those of the state, a worker
 *             looks up.
 * Errors:     cab_cache_sections_begin says no where it does not support the caches.  What a commit
 *             has no memory for is fed directly.
 */
#ifndef CAB_CACHE_SECTION_H
#define CAB_CACHE_SECTION_H

#include "analyses/live/cache/cache_streams.h"
#include "analyses/live/cache/cache_walk.h"
#include "analyses/live/cache/section_d1.h"

#define CAB_SECTION_ITEMS 4096u
#define CAB_SECTION_WORDS 8192u
#define CAB_SECTION_AHEAD 16u        /* items ahead of the current one whose words are prefetched */
#define CAB_SECTION_ACCESSES (UINT64_C (1) << 18)   /* accesses of a section, about, at most */
#define CAB_SECTION_FEW (UINT64_C (1) << 14)        /* the same if there is no room for what they
						       miss */
#define CAB_SECTION_PIECE 8192u      /* at most: accesses of an item in whole passes that are
					counted, and lines of a row */
#define CAB_SECTION_MISSES (3 * CAB_SECTION_PIECE + CAB_PASS_MOST)
#define CAB_SECTION_ROWS (2 * CAB_SECTION_PIECE)
#define CAB_SECTION_SETS 1024u       /* of D1, at most */
#define CAB_SECTION_SHAPES 262144u   /* shapes with higher numbers are rows */

struct cab_section_item
{
  union
  {
    struct
    {
      uint64_t a, b;
    };
    struct cab_region_event event;
  };
};
_Static_assert (sizeof (struct cab_region_event) == 2 * sizeof (uint64_t), "an event is an item");
#define CAB_SECTION_KIND UINT64_C (7)
#define CAB_SECTION_EVENT 0u   /* a: region; b: its words */
#define CAB_SECTION_PART 1u    /* like an event, with a second item: number of the first pass, and
				  how many, and a part of one more, as cab_region_count */
#define CAB_SECTION_ROW 2u     /* a: number << 32, form << 8; b: address; a second item has the
				  bytes */

/* An access that is not surely found in D1, and MORE accesses to consecutive lines above it, or
   below it.  `address' is that of the first line, and has flags in its low bits: */
struct cab_section_miss
{
  uint64_t address;
  uint32_t number;
  uint32_t write : 1, down : 1, more : 30;   /* more: 0 where an access lies in two lines */
};
#define CAB_MISS_FIRST UINT64_C (1)
#define CAB_MISS_SECOND UINT64_C (2)
#define CAB_MISS_TWO UINT64_C (4)              /* it lies in the next line, too; besides,
						  CAB_MISS_FIRST and CAB_MISS_SECOND say which of
						  the two missed, and the flags below which may
						  have */
#define CAB_MISS_UNSURE_FIRST UINT64_C (8)
#define CAB_MISS_UNSURE_SECOND UINT64_C (16)

/* Passes through a region, of one item or of several. */
struct cab_section_passes
{
  const struct cab_region *region;
  uint64_t n;
};

/* A row, and how many accesses it has beyond one. */
struct cab_section_row
{
  uint32_t number, form;
  uint64_t more;
};

/* A place in a section: an item, and how many rows of it come before the place. */
struct cab_section_place
{
  uint32_t item;
  uint64_t row;
};

struct cab_section
{
  uint32_t n_items, n_words, n_marks;   /* n_marks: of the cutter's owner */
  uint64_t accesses;
  /* What a worker found from `from' to `to'. */
  struct cab_section_place from, to;
  bool is_long;                         /* what comes at `to' is to be fed directly */
  uint32_t n_misses, n_more, n_two;     /* n_more: sum of all misses' `more'; n_two: how many are
					   accesses in two lines */
  uint32_t n_passes, n_rows;
  /* The last ones are never used. */
  struct cab_section_item item[CAB_SECTION_ITEMS + CAB_SECTION_AHEAD];
  uint64_t word[CAB_SECTION_WORDS];
  struct cab_section_miss miss[CAB_SECTION_MISSES];
  struct cab_section_passes passes[CAB_SECTION_ITEMS];
  struct cab_section_row row[CAB_SECTION_ROWS];
  struct cab_section_d1 d1;             /* its state at `to' */
  uint32_t tag[CAB_SECTION_SETS * CAB_SECTION_D1_MANY] __attribute__ ((aligned (64)));
};

/* What a section's D1 is like. */
struct cab_section_caches
{
  unsigned usual;             /* its ways */
  uint64_t n_sets;
  struct cab_cache_walk walk;
  struct cab_live_quick quick;
  bool streams;               /* cache_streams.h: the outer levels are such that streams may access
				 them in D1's order */
};

/* Return true if the state in ARENA may be fed by sections now, and store its D1's properties in
   *CACHES. */
bool cab_cache_sections_begin (struct cab_section_caches *caches, struct cab_arena *arena);

/* The functions that look up in a D1 of one kind. */
struct cab_strides;
struct cab_section_worker;
struct cab_section_way
{
  /* Use an access. */
  cab_walk_use *use;
  /* Use LINE, and return what that finds. */
  enum cab_section_found (*line) (struct cab_section_worker *worker, uint64_t line);
  /* Use N consecutive lines upwards from LINE, or downwards if DOWN, for access NUMBER, which is a
     write if WRITE. */
  void (*lines) (struct cab_section_worker *worker, uint64_t line, uint32_t n, bool down,
		 uint32_t number, bool write);
  /* Look up events from item AT on that are one pass each.  Return the first item that is none, or
     for which there is no room. */
  uint32_t (*short_events) (struct cab_section_worker *worker, const struct cab_section *section,
			    uint32_t at);
  /* Look up PASSES passes of E, an event of R that has the strides P. */
  void (*strides) (struct cab_section_worker *worker, const struct cab_region *r, struct cab_strides
  *p,
		   struct cab_passes *e, uint64_t passes);
  /* Look up PASSES passes of E, any event of R. */
  void (*passes) (struct cab_section_worker *worker, const struct cab_region *r,
		  struct cab_passes *e, uint64_t passes);
};

/* A counter of the misses of an access in one direction; `which' is 2 * number + write.  It is
   valid if its stamp is that of the commit. */
struct cab_section_noted
{
  uint64_t *missed;
  uint32_t stamp, which;
};
#define CAB_SECTION_NOTED 1024u

/* The last events that stand with their passes: where, and what had been missed before them
   (section_again.h). */
#define CAB_SECTION_BEGUN 4u
struct cab_section_again
{
  struct cab_section_begun
  {
    const struct cab_region *region;
    const struct cab_section_miss *miss;
    uint32_t item;
  } begun[CAB_SECTION_BEGUN];
  uint32_t n;
};

/* Looks sections up.  Large: zero at first, and one for each thread.  As long as it exists, the
   number of a shape must stand for the same one. */
struct cab_section_worker
{
  struct cab_section_caches caches;
  struct cab_section_d1 d1;
  const struct cab_section_way *way;
  struct cab_section *section;
  struct cab_streams streams;   /* the next one; the end of where an item may begin */
  struct cab_section_again again;
  struct cab_section_miss *miss, *miss_end;   /* the next one; the last one at which another item
						 may begin */
  uint64_t recent[CAB_SECTION_SETS];
  struct cab_section_noted noted[CAB_SECTION_NOTED];   /* of a commit, at the place that the last
							  bits of `which' select */
  uint32_t stamp;
  uint64_t passes[CAB_SECTION_SHAPES];        /* of this section, by shape */
  uint8_t how[CAB_SECTION_SHAPES];            /* enum cab_cache_how */
};
/* Look SECTION up from `from' on; to its end, unless it has too many misses for its room. */
void cab_section_look_up (struct cab_section_worker *worker,
			  const struct cab_section_caches *caches, struct cab_section *section);

#endif
