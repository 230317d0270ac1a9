/* share_pair.h - how two threads share a line of memory: truly, falsely, or both; pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "useless" misses as Dubois et al. have them ("The detection and elimination of
 *             useless misses in multiprocessors", 1993): nothing is accessed then that another one
 *             wrote in between.  Events of threads are not ordered here, so what is told is which
 *             sharing the bytes and counts allow.
 * Model:      two threads that both accessed a line, and one of which wrote to it, share it.  Bytes
 *             that both accessed and one of them wrote are shared truly; all others are apart.
 *             They share it falsely if each accessed bytes that are apart, and one of them wrote to
 *             some of these; or if accesses to bytes that are apart meet those of the other thread,
 *             to whatever bytes, more often than accesses to truly shared bytes meet each other,
 *             and as often as one in CAB_SHARE_WORTH of both threads' accesses.  The second is what
 *             a counter does beside a flag that the other thread waits for, or counters of which
 *             one thread sums up all in the end; a neighbour that is read whenever a lock beside it
 *             is taken comes with the lock's line. Accesses meet, at most, as often as the fewer of
 *             one thread's writes and the other thread's accesses. Bytes that both had allocated
 *             for themselves and have in common were released in between: that is no sharing. Of a
 *             row by line that has bytes of both sorts, accesses are taken to be to each byte
 *             equally often.
 * Ownership:  rows are the caller's.
 */
#ifndef CAB_SHARE_PAIR_H
#define CAB_SHARE_PAIR_H

#include "analyses/live/an_sharing.h"

/* What less than one in so many accesses have is not worth a change. */
#define CAB_SHARE_WORTH 100

/* What one thread did to bytes of a line: in memory of its own [1], and in other memory [0]. */
struct cab_share
{
  uint64_t read[2], written[2];
  const struct cab_sharing_row **rows;   /* N of them; room for those that are added is the
					    caller's */
  size_t n;
};

/* Kinds: 0, all only read it; or */
enum { CAB_SHARE_TRUE = 1, CAB_SHARE_FALSE = 2 };

struct cab_share_pair
{
  int kind;
  uint64_t apart[2];   /* if falsely, bytes of either that want lines of their own: those that are
			  apart; if there are none, all */
  uint64_t falsely;    /* so many accesses of each, at most, meet the other's for nothing */
};

void cab_share_add (struct cab_share *share, const struct cab_sharing_row *row);
static inline uint64_t
cab_share_bytes (const struct cab_share *share)
{
  return share->read[0] | share->read[1] | share->written[0] | share->written[1];
}
/* Of a number of accesses, are those that are disturbed worth a change? */
static inline bool
cab_share_is_worth (uint64_t falsely, uint64_t accesses)
{
  return falsely >= accesses / CAB_SHARE_WORTH + (accesses % CAB_SHARE_WORTH != 0);
}
/* How two threads that met share a line. */
struct cab_share_pair cab_share_pair (const struct cab_share *a, const struct cab_share *b);
/* Did each access memory of its own alone? */
bool cab_share_apart (const struct cab_share *a, const struct cab_share *b);

#endif
