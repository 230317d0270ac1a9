/* cache_section.h - the analysis `cache' by sections of the accesses, which are looked up at the
 * same time, and then take effect one after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a section is cut out of what would be fed.  It is looked up in a D1 of its own that
 *             begins empty: what that finds is found whatever was before, and what a set misses
 *             that is full then misses in any case, as least recently used lines go.  Only the
 *             first few lines of each set are unsure: those that it has when it is not yet full.  A
 *             commit, in the order of the sections, asks the real D1 for them, and does in the
 *             levels behind what is left to be done, so that all is as if each access had been fed
 *             (cab_cache_feed). What an analysis has had is a number of whole sections, or a part
 *             of one that was fed directly: to a process that is killed a commit happens as a whole
 *             or not at all.
 * Shapes:     items of 16 bytes, CAB_SECTION_... say which.  D1: as in live_caches.h, words of its
 *             sets in front of its tags.
 * Ownership:  words of an event are the feeder's until the section is over; those that would not
 *             stay are copied.
 * Threads:    a section is one thread's at a time; cut and commit are those of the state, a worker
 *             looks up.
 * Errors:     cab_cache_sections_begin says no where the caches are not such as this knows.  What a
 *             commit has no memory for is fed directly.
 */
#ifndef CAB_CACHE_SECTION_H
#define CAB_CACHE_SECTION_H

#include "analyses/live/cache/cache_streams.h"
#include "analyses/live/cache/cache_walk.h"
#include "analyses/live/cache/section_d1.h"

#define CAB_SECTION_ITEMS 4096u
#define CAB_SECTION_WORDS 8192u
#define CAB_SECTION_AHEAD 16u        /* items whose words are fetched */
#define CAB_SECTION_ACCESSES (UINT64_C (1) << 18)   /* about, at most, ... */
#define CAB_SECTION_FEW (UINT64_C (1) << 14)        /* ... where there is room for what they miss;
						       else down to this */
#define CAB_SECTION_PIECE 8192u      /* accesses of an item in whole passes that are counted, and
					lines of a row, at most */
#define CAB_SECTION_MISSES (3 * CAB_SECTION_PIECE + CAB_PASS_MOST)
#define CAB_SECTION_ROWS (2 * CAB_SECTION_PIECE)
#define CAB_SECTION_SETS 1024u       /* of D1, at most */
#define CAB_SECTION_SHAPES 262144u   /* others are rows */

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
#define CAB_SECTION_PART 1u    /* ... and the next item: number of the first pass, and how many, and
				  a part of one more, as cab_region_count */
#define CAB_SECTION_ROW 2u     /* a: number << 32, form << 8; b: address; and the next item:
				  bytes */

/* An access that is not surely found in D1, or as many more to the lines behind it, or before it,
   one after the other.  `address' is that of the first line, and says in its low bits: */
struct cab_section_miss
{
  uint64_t address;
  uint32_t number;
  uint32_t write : 1, down : 1, more : 30;   /* more: 0 where an access lies in two lines */
};
#define CAB_MISS_FIRST UINT64_C (1)
#define CAB_MISS_SECOND UINT64_C (2)
#define CAB_MISS_TWO UINT64_C (4)              /* it lies in the next one, too; besides
						  CAB_MISS_FIRST and CAB_MISS_SECOND: which of them
						  have missed, ... */
#define CAB_MISS_UNSURE_FIRST UINT64_C (8)     /* ... or may have */
#define CAB_MISS_UNSURE_SECOND UINT64_C (16)

/* Passes through a region, all of an item's or of several. */
struct cab_section_passes
{
  const struct cab_region *region;
  uint64_t n;
};

/* A row, and how many accesses more than one it is. */
struct cab_section_row
{
  uint32_t number, form;
  uint64_t more;
};

/* A place in a section: an item, and how many rows of it are behind. */
struct cab_section_place
{
  uint32_t item;
  uint64_t row;
};

struct cab_section
{
  uint32_t n_items, n_words, n_marks;   /* n_marks: the cutter's owner's */
  uint64_t accesses;
  /* What a worker found from `from' to `to'. */
  struct cab_section_place from, to;
  bool is_long;                         /* what comes there is to be fed directly */
  uint32_t n_misses, n_more, n_two;     /* n_more: in all misses; n_two: so many are accesses in two
					   lines */
  uint32_t n_passes, n_rows;
  /* the last ones are never used */
  struct cab_section_item item[CAB_SECTION_ITEMS + CAB_SECTION_AHEAD];
  uint64_t word[CAB_SECTION_WORDS];
  struct cab_section_miss miss[CAB_SECTION_MISSES];
  struct cab_section_passes passes[CAB_SECTION_ITEMS];
  struct cab_section_row row[CAB_SECTION_ROWS];
  struct cab_section_d1 d1;             /* behind `to' */
  uint32_t tag[CAB_SECTION_SETS * CAB_SECTION_D1_MANY] __attribute__ ((aligned (64)));
};

/* What a section's D1 is like. */
struct cab_section_caches
{
  unsigned usual;             /* its ways */
  uint64_t n_sets;
  struct cab_walk walk;
  struct cab_live_quick quick;
  bool streams;               /* levels behind D1 are such as streams may come to
				 (cache_streams.h) */
};

/* May ARENA's state be fed by sections now? */
bool cab_cache_sections_begin (struct cab_section_caches *caches, struct cab_arena *arena);

/* Who cuts.  `full' makes `section' another one, empty. */
struct cab_section_cutter
{
  struct cab_section *section;
  const uint64_t *made, *made_end;   /* words that do not stay lie here */
  uint64_t most;                     /* accesses of a section; 0: CAB_SECTION_ACCESSES */
  void (*full) (struct cab_section_cutter *cutter);
};
void cab_section_clear (struct cab_section *section);
/* SECTION was looked up: were there more accesses, or fewer, than there is room for what they miss?
   So are the next ones. */
void cab_section_learn (struct cab_section_cutter *cutter, const struct cab_section *section);
/* Where the events of the next batch may be put, so that they need not be copied: *N of them, that
   stand for some *ACCESSES accesses all together, and for no more than CAB_SECTION_PIECE each;
   their words stay. */
struct cab_region_event *cab_section_place (struct cab_section_cutter *cutter, uint32_t *n,
					    uint64_t *accesses);
/* Instead of cab_cache_feed. */
void cab_section_cut (struct cab_section_cutter *cutter, const struct cab_batch *batch);

/* How a D1 is used: an access; N lines in a row from LINE on, or back, by an access whose number
   and direction these are; events from item AT on that are one pass each, to the first item that is
   none, or for which there is no room; PASSES passes of E, an event of R that has the paces P; and
   those of any event. */
struct cab_paces;
struct cab_section_worker;
struct cab_section_way
{
  cab_walk_use *use;
  enum cab_section_found (*line) (struct cab_section_worker *worker, uint64_t line);
  void (*lines) (struct cab_section_worker *worker, uint64_t line, uint32_t n, bool down,
		 uint32_t number, bool write);
  uint32_t (*short_events) (struct cab_section_worker *worker, const struct cab_section *section,
			    uint32_t at);
  void (*paces) (struct cab_section_worker *worker, const struct cab_region *r, struct cab_paces *p,
		 struct cab_passes *e, uint64_t passes);
  void (*passes) (struct cab_section_worker *worker, const struct cab_region *r,
		  struct cab_passes *e, uint64_t passes);
};

/* Counters of misses of an access, by its direction: 2 * number + write.  It counts if its stamp is
   that of the commit. */
struct cab_section_noted
{
  uint64_t *missed;
  uint32_t stamp, which;
};
#define CAB_SECTION_NOTED 1024u

/* The last events that were told with their passes: where, and what had been missed before them
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

/* Who looks up.  Large: zero at first, and one for each thread.  As long as it lives a shape's
   number stands for the same one. */
struct cab_section_worker
{
  struct cab_section_caches caches;
  struct cab_section_d1 d1;
  const struct cab_section_way *way;
  struct cab_section *section;
  struct cab_streams streams;   /* of the last event that had any */
  struct cab_section_again again;
  struct cab_section_miss *miss, *miss_end;   /* the next one; behind the last one that another item
						 may begin at */
  uint64_t recent[CAB_SECTION_SETS];
  struct cab_section_noted noted[CAB_SECTION_NOTED];   /* of a commit, from where the last bits of
							  `which' say on */
  uint32_t stamp;
  uint64_t passes[CAB_SECTION_SHAPES];        /* of this section, by shape */
  uint8_t how[CAB_SECTION_SHAPES];            /* enum cab_cache_how */
};
/* From `from' on; to its end, unless there is too much of it. */
void cab_section_look_up (struct cab_section_worker *worker,
			  const struct cab_section_caches *caches, struct cab_section *section);

/* What was looked up takes effect, with the help of a worker that has no section under way; false:
   it cannot, and nothing has happened. */
/* all but its end: it would be taken back */
bool cab_cache_begin_commit (struct cab_arena *arena, struct cab_section_worker *worker,
			     const struct cab_section *section);
bool cab_cache_commit (struct cab_arena *arena, struct cab_section_worker *worker,
		       const struct cab_section *section);
/* The rest of SECTION, from `from' on: straight to the caches. */
void cab_cache_feed_section (struct cab_arena *arena, const struct cab_section *section);
/* SECTION, looked up from its beginning, takes effect; all of it. */
void cab_cache_take_section (struct cab_arena *arena, struct cab_section_worker *worker,
			     const struct cab_section_caches *caches, struct cab_section *section);

#endif
