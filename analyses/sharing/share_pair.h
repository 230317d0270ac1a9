/* share_pair.h - how two threads share a line of memory: truly, falsely, or both; pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     "useless" misses as Dubois et al. have them ("The detection and elimination of
 *             useless misses in multiprocessors", 1993): misses after which nothing is accessed
 *             that another thread wrote in between.  Events of threads are not ordered here, so the
 *             result is the sharing that the bytes and counts allow.
 * Model:      two threads that both accessed a line, and one of which wrote to it, share it.  Bytes
 *             that both accessed and one of them wrote are shared truly; all others are apart.
 *             The threads share the line falsely if each accessed bytes that are apart, and one of
 *             them wrote to some of these; or if accesses to bytes that are apart meet those of the
 *             other thread, to whatever bytes, more often than accesses to truly shared bytes meet
 *             each other, and as often as one in CAB_SHARE_WORTH of both threads' accesses.  The
 *             second case is that of a counter beside a flag that the other thread waits for, or of
 *             counters that one thread sums up in the end.  A neighbour that is read whenever a
 *             lock beside it is taken comes with the lock's line.  Accesses meet, at most, as often
 *             as the fewer of one thread's writes and the other thread's accesses.  Bytes that both
 *             had allocated for themselves and have in common were released in between: that is no
 *             sharing.  In a row by line that has bytes of both sorts, accesses are taken to be to
 *             each byte equally often.
 * Ownership:  rows are the caller's.
 */
#ifndef CAB_SHARE_PAIR_H
#define CAB_SHARE_PAIR_H

#include "analyses/live/an_sharing.h"

/* A change is not worth it for fewer than one in CAB_SHARE_WORTH accesses. */
#define CAB_SHARE_WORTH 100

/* What one thread did to bytes of a line: in memory that it allocated itself [1], and in other
   memory [0]. */
struct cab_share
{
  uint64_t read[2], written[2];
  const struct cab_sharing_row **rows;   /* N of them; the caller provides room for those that are
					    added */
  size_t n;
};

/* Kinds, which may be combined; 0 means that all only read it. */
enum { CAB_SHARE_TRUE = 1, CAB_SHARE_FALSE = 2 };

/* How two threads share a line. */
struct cab_share_pair
{
  int kind;
  uint64_t apart[2];   /* if falsely, the bytes of each thread that should have lines of their own:
			  those that are apart or, if there are none, all */
  uint64_t falsely;    /* upper bound of accesses of each thread that meet the other's for
			  nothing */
};

/* Add ROW to SHARE. */
void cab_share_add (struct cab_share *share, const struct cab_sharing_row *row);
/* Return the bytes that SHARE accessed, one bit each. */
static inline uint64_t
cab_share_bytes (const struct cab_share *share)
{
  return share->read[0] | share->read[1] | share->written[0] | share->written[1];
}
/* Return true if a change is worth it, where FALSELY of ACCESSES are disturbed. */
static inline bool
cab_share_is_worth (uint64_t falsely, uint64_t accesses)
{
  return falsely >= accesses / CAB_SHARE_WORTH + (accesses % CAB_SHARE_WORTH != 0);
}
/* Return how two threads that ran at the same time share a line. */
struct cab_share_pair cab_share_pair (const struct cab_share *a, const struct cab_share *b);
/* Return true if both accessed only memory that they allocated themselves. */
bool cab_share_apart (const struct cab_share *a, const struct cab_share *b);

#endif
