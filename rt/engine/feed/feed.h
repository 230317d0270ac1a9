/* feed.h - a ring's events to the analyses that were chosen.
 *
 * Model:      each ring has an arena of its own per analysis, opened when the first event that the
 *             analysis wants comes by. Single-kind analyses get their kind gathered; analyses of
 *             several kinds get runs.  Accesses are told by shape, and once more one by one, if
 *             there are analyses for both.  If one wants nodes, these are fed with the tree, in
 *             program order, behind the others. Where somebody waits, the work of the analysis
 *             `cache' is done in two threads (sections.h).
 * Threads:    under the ring's consumer lock.
 * Errors:     an arena that cannot be opened: its events are dropped and counted; one that cannot
 *             grow: the analysis counts.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_H
#define CAB_RT_FEED_H

#include <stdbool.h>
#include "analyses/live/chosen.h"
#include "cabprof/analysis.h"
#include "cabprof/profile.h"
#include "rt/base/area.h"
#include "rt/engine/feed/feed_nest.h"

struct cab_decode;
struct cab_context;
struct cab_feed_set;
struct cab_section_cutter;
struct cab_sections;

struct cab_feed_state
{
  const struct cab_analysis *analysis;
  const char *arguments;
  struct cab_arena arena;
  struct cab_area area;
  uint32_t index;       /* in the part's arenas */
  uint32_t set;         /* of regions, whose events it has; CAB_SET_ANY: of several */
  int failed;
  struct cab_section_cutter *cutter;   /* while it is fed by sections (sections.h); else null */
};

/* What was fed. */
struct cab_feed_account
{
  uint64_t total[8];    /* events, by batch kind: what goes to the ring's seen[] */
  struct cab_ledger tally;   /* what goes to the process' ledger with it: so that has what lies
				before the tails of rings, and no more */
};

struct cab_feed
{
  struct cab_decode *decode;
  uint32_t n;
  uint32_t kinds;       /* that any of the analyses takes */
  bool shapes, regions, rows;    /* are there analyses that take accesses by shape, by region, and
				    one by one? */
  struct cab_context *context;        /* null: no analysis wants nodes */
  struct cab_feed_state *tree;        /* of the analysis tree, if it runs */
  uint32_t ring;                      /* whose words are being fed */
  struct cab_feed_account account;
  struct cab_feed_state *cut;         /* of the analysis cache, if a second thread may help */
  struct cab_sections *sections;
  struct cab_feed_nest nest;          /* under way */
  uint32_t set;                       /* of regions, that the events belong to */
  struct cab_feed_set *sets;          /* states of other sets (feed_sets.h) */
  struct cab_feed_state states[CAB_CHOSEN_MOST];
};

/* Choose the analyses of the process by a list (choice.h; empty: the default).  0, or -1 with words
   in DIAG. */
int cab_feed_choose (const char *names, struct cab_diag *diag);
/* That list with all arguments as states get them, for who reads the profile: 1 if they are not as
   given, else 0. */
int cab_feed_settled (char *text, size_t bytes);

/* Feed N words of ring RING, whose thread is THREAD. */
/* See that the arenas of all analyses of KINDS are open, and have some room, for events of THREAD.
   Under the consumer lock. */
void cab_feed_prepare (struct cab_feed *feed, uint32_t ring, uint32_t thread, uint32_t kinds);

void cab_feed_words (struct cab_feed *feed, uint32_t ring, uint32_t thread, const uint64_t *words,
		     size_t n);

/* May FEED be fed by sections? */
bool cab_feed_may_cut (struct cab_feed *feed);
/* ... by two threads? */
bool cab_feed_is_helped (void);
/* Then: so many accesses the first of *N words from WORDS on tell, and *N becomes how many words
   these are.  Nothing is fed. */
uint64_t cab_feed_look (struct cab_feed *feed, uint32_t thread, const uint64_t *words, uint64_t *n);
/* FRONT (ARGUMENT) feeds chunks, and says at the end of each that it is one (cab_sections_mark);
   MARK (ARGUMENT) is called for each when all of it has been analysed.  False: neither was
   called. */
bool cab_feed_cut (struct cab_feed *feed, uint32_t ring, uint32_t thread,
		   void (*front) (void *argument), void (*mark) (void *argument), void *argument);

/* A ring is new: see that there is a helper, if one is of use.  In its thread, outside of the
   runtime's lock. */
void cab_feed_ensure (void);

/* Is that the only analysis?  Then what is the same again need not be fed to it: */
bool cab_feed_may_skip (const struct cab_feed *feed);
/* ... of this process: are words of use before they are many? */
bool cab_feed_peeks (void);
/* Account for N words, and feed them to nobody. */
void cab_feed_skip_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			  const uint64_t *words, size_t n);
/* Feed N words that were accounted for. */
void cab_feed_skipped_words (struct cab_feed *feed, uint32_t ring, uint32_t thread,
			     const uint64_t *words, size_t n);

/* The account of what was fed since the last one. */
struct cab_feed_account cab_feed_account (struct cab_feed *feed);
/* It goes to BANK of the ring's header, and to the ledger. */
void cab_feed_put_account (const struct cab_feed_account *account, struct cab_ring_header *header,
			   unsigned bank);

#endif
