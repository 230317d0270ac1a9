/* feed_keyed.h - states that are split into parts by key (CAB_SHARD_KEY in analysis.h).
 *
 * Model:      a ring has a state for each analysis, set of regions and part.  A part is a state of
 *             its own, with a row in the table of arenas.  CAB_EXT_ARENA_PARTS says which part it
 *             is, and how many events it had been fed when the ring's tail was moved: what it has
 *             counted beyond that, a killed process had fed it of the chunk after the tail.  With
 *             check-serializer there is one more state, which gets the rows of all parts.
 * Threads:    as feed.h.  All parts have been fed when the consumer lock is given back.
 * Errors:     as feed_arenas.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_FEED_KEYED_H
#define CAB_RT_FEED_KEYED_H

#include "rt/engine/feed/feed.h"

struct cab_feed_keyed
{
  struct cab_delegates *delegates;
  uint32_t n;                     /* states; the parts are the first n_delegates of them */
  struct cab_feed_state part[];
};

/* Return true if the states of ANALYSIS are fed by parts in this process, be it only one. */
bool cab_feed_is_keyed (const struct cab_analysis *analysis);
/* Return how many bytes of zeros cab_feed_keyed_begin needs. */
size_t cab_feed_keyed_bytes (void);
/* Make KEYED, zeros, the parts of S, which DELEGATES feed. */
void cab_feed_keyed_begin (struct cab_feed_keyed *keyed, const struct cab_feed_state *s,
			   struct cab_delegates *delegates);

/* Open part K of S if need be, for events of THREAD.  Return 0 if there is no room. */
int cab_feed_keyed_ready (struct cab_feed_state *s, uint32_t k, uint32_t ring, uint32_t thread);
/* Have the parts of S fed the rows of BATCH.  Return 1, or -1 if a part that gets some of them has
   no room. */
int cab_feed_keyed_rows (struct cab_feed_state *s, uint32_t ring, const struct cab_batch *batch);
/* Record in BANK how many events the parts of S have been fed, before the tail moves. */
void cab_feed_keyed_note (const struct cab_feed_state *s, unsigned bank);

/* Let the parts of TO take the events of THREAD, after those of FROM did: see cab_feed_switch. */
void cab_feed_keyed_carry (struct cab_feed_state *to, struct cab_feed_state *from, uint32_t ring,
			   uint32_t thread);

/* Record which part S, whose arena is not published yet, is.  Return 0 or -errno.  Under the
   lock. */
int cab_feed_keyed_record (struct cab_feed_state *s);
/* Give back the addresses that the table of parts reserves and does not use.  Under the lock. */
void cab_feed_keyed_spare_addresses (void);
/* Forget the table in a forked child. */
void cab_feed_keyed_fork (void);

#endif
