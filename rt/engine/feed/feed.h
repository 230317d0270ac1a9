/* feed.h - feeds a ring's events to the chosen analyses.
 *
 * Model:      each ring has an arena of its own per analysis, opened at the first event that the
 *             analysis wants.  Analyses of a single kind get their events gathered; analyses of
 *             several kinds get runs.  Accesses are decoded by shape, and decoded again one by one,
 *             if there are analyses for both.  Analyses that want nodes are fed with the tree, in
 *             program order, after the others; of these, analyses that want levels get accesses cut
 *             into lines, once the levels of a batch are known.  Where the producer waits, two
 *             threads share the work of an analysis that is fed by sections (sections.h).
 * Threads:    under the ring's consumer lock.
 * Errors:     where an arena cannot be opened, its events are dropped and counted; where one cannot
 *             grow, the analysis counts them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_H
#define CAB_RT_FEED_H

#include <stdbool.h>
#include "analyses/live/selection.h"
#include "cabprof/analysis.h"
#include "cabprof/profile.h"
#include "rt/base/area.h"
#include "rt/engine/feed/feed_nest.h"

struct cab_decode;
struct cab_context;
struct cab_delegates;
struct cab_feed_bursts;
struct cab_feed_keyed;
struct cab_feed_set;
struct cab_level_rows;
struct cab_section_cutter;
struct cab_sections;

struct cab_feed_state
{
  const struct cab_analysis *analysis;
  const char *arguments;
  struct cab_arena arena;
  struct cab_area area;
  uint32_t index;       /* row in the part's table of arenas */
  uint32_t set;         /* number of the set of regions whose events it has; CAB_SET_ANY: of
			   several */
  int failed;
  struct cab_section_cutter *cutter;   /* while it is fed by sections (sections.h); else null */
  struct cab_feed_keyed *keyed;        /* the parts that it is split into by key (feed_keyed.h), and
					  then it has no arena; else null */
  uint64_t fed;         /* a part, or serial: events that it was given */
  uint32_t ready;       /* a part: 1 + thread that it is ready for */
  uint32_t part, n_parts;   /* a part: which one of how many; serial: as in profile.h */
  struct cab_part_arena_part *row;   /* a part: what the profile says about it, once it is open */
  struct cab_feed_state *serial;     /* the state that has the events of all rings (feed_serial.h),
					and then this one has no arena; else null */
};

/* Account of what was fed. */
struct cab_feed_account
{
  uint64_t total[CAB_EV_TIMED + 1];    /* events, by batch kind: copied to the ring's seen[] and
					    timed[] */
  uint64_t levelled;         /* rows with levels: copied to the ring's levelled[] */
  struct cab_ledger tally;   /* what is added to the process' ledger with it, so that the ledger
				covers exactly what lies before the tails of rings */
};

struct cab_feed
{
  struct cab_decode *decode;
  uint32_t n;
  uint32_t kinds;       /* union of the kinds that the analyses take */
  bool shapes, regions, rows;    /* some analysis takes accesses by shape, by region, one by one */
  struct cab_context *context;        /* null: no analysis wants nodes */
  struct cab_feed_state *tree;        /* state of the analysis that gives nodes, if it runs */
  struct cab_feed_state *levels;      /* state of the analysis that gives levels, if one wants
					 these; else null */
  struct cab_level_rows *level_rows;  /* null: no analysis wants levels */
  uint32_t ring;                      /* the ring whose words are being fed */
  struct cab_feed_account account;
  struct cab_feed_state *cut;         /* state that is fed by sections, if there is one */
  struct cab_sections *sections;
  struct cab_delegates *delegates;    /* queues of the parts of states, if there are any */
  struct cab_feed_bursts *bursts;     /* what was read of a run that reads only some events, and
					 not yet fed (feed_bursts.h) */
  bool is_dry;                        /* events are accounted for, and not fed: they were */
  struct cab_feed_nest nest;          /* of the event that is being decoded */
  uint32_t set;                       /* number of the set of regions that the events belong to */
  struct cab_feed_set *sets;          /* states of other sets (feed_sets.h) */
  struct cab_feed_state states[CAB_SELECTION_MOST];
};

/* Choose the analyses of the process by a list (choice.h; empty: the default).  BURSTS: only some
   events will be read.  SAMPLED: samples will be taken.  Return 0, or -1 with words in DIAG. */
int cab_feed_choose (const char *names, bool bursts, bool sampled, struct cab_diag *diag);
/* Return them. */
const struct cab_selection *cab_feed_chosen (void);
/* Return true if one of them takes events of KIND. */
bool cab_feed_takes (unsigned kind);
/* Write that list, with all arguments as states get them, to TEXT, for readers of the profile.
   Return 1 if the arguments differ from those given, else 0. */
int cab_feed_settled (char *text, size_t bytes);

/* Begin with FEED unless it has begun.  Return nonzero, or 0 without memory. */
int cab_feed_begin (struct cab_feed *feed);
/* Feed BATCH, of one kind, to all analyses that take such batches by themselves, and account for
   EVENTS events: they are dropped where one of the analyses has no room. */
void cab_feed_gathered (struct cab_feed *feed, uint32_t ring, const struct cab_batch *batch,
			uint64_t events);

/* Make sure that the arenas of all analyses that take KINDS are open, and have some room, for
   events of THREAD.  Under the consumer lock. */
void cab_feed_prepare (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint32_t kinds);

/* Feed N words of ring RING, whose thread is THREAD, except to serial states.  Between
   cab_feed_serial_begin and _end. */
void cab_feed_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		     size_t n);
/* Feed all N words of a chunk to serial states, after all of them went by cab_feed_words. */
void cab_feed_serial_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			    const uint64_t *words, size_t n);

/* Feed BATCH, of ring RING, to S if it wants it.  Return 0 if not, else 1, or -1 if S has no
   arena. */
int cab_feed_batch (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch);

/* Return true if FEED can be fed by sections, since one of its analyses is `sectioned'. */
bool cab_feed_may_cut (struct cab_feed *feed);
/* Return true if a second thread may share the work on sections. */
bool cab_feed_is_helped (void);
/* Return how many accesses the first of *N words from WORDS on stand for, and set *N to the number
   of these words.  Nothing is fed.  FEED can be fed by sections. */
uint64_t cab_feed_look (struct cab_feed *feed, uint32_t thread, const uint64_t *words, uint64_t *n);
/* Feed chunks by sections: FRONT (ARGUMENT) feeds chunks, and calls cab_sections_mark at the end of
   each; MARK (ARGUMENT) is called for each when all of it has been analysed.  Return false if
   neither was called. */
bool cab_feed_cut (struct cab_feed *feed, uint32_t ring, uint32_t thread,
		   void (*front) (void *argument), void (*mark) (void *argument), void *argument);

/* Make sure that there is a helper, if one is of use, since a ring is new.  In the ring's thread,
   outside of the runtime's lock. */
void cab_feed_ensure (void);

/* Return true if repeated rounds may be counted instead of fed, which is exact only where
   one that is `sectioned' is the only analysis. */
bool cab_feed_may_skip (const struct cab_feed *feed);
/* Return true if partial chunks should be analysed early, which is so where the process' only
   analysis is `sectioned'. */
bool cab_feed_peeks (void);
/* Account for N words without feeding them. */
void cab_feed_skip_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			  const uint64_t *words, size_t n);
/* Feed N words that were already accounted for. */
void cab_feed_skipped_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			     const uint64_t *words, size_t n);

/* Return the account of what was fed since the last call, and begin the next ledger tally. */
struct cab_feed_account cab_feed_account (struct cab_feed *feed);
/* Copy ACCOUNT of FEED to BANK of the ring's header, and add it to the ledger (relaxed). */
void cab_feed_put_account (struct cab_feed *feed, const struct cab_feed_account *account,
			   struct cab_ring_header *header, unsigned bank);

#endif
