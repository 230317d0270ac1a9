/* cache_streams.h - an event of many passes, as streams that walk along lines in step: what D1
 * is asked for is found line by line, and not pass by pass.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      accesses that move by the same step, no longer than a line, are streams: those less
 *             than a line apart are one, whose head reaches lines, and whose tail leaves them.
 *             Other accesses stay where they are.  An access lies in one line. After the first
 *             pass only heads use anything but what was used last, or what is used in each pass:
 *             if a set has a way for each stream, and for each line that is stayed on, none of
 *             those lines is evicted before it is left.  So the contents of a set follow from the
 *             order in which heads reach it, and the final order there from that in which tails
 *             leave.  Where these differ, each access is a stream of its own: what follows the
 *             head finds its line, and is the last to use it. Streams keep their distances, so a
 *             set is reached in the order in which they are ahead of each other, as long as none
 *             has wrapped around to where the rearmost was: for that many passes, a window, each
 *             stream may walk all of its lines in one go, the foremost first.  The lines of the
 *             first pass are used once more in that order, in which they are left.  After a window
 *             the lines that are stayed on are used again, and after the last one all of the last
 *             pass, access by access: so the order is what it would be. In outer caches with lines
 *             as long, whose numbers of sets are multiples of D1's, streams that reach the same
 *             set do so in that order, too. Events of a loop often differ only by a constant
 *             offset of all accesses: then the streams of the one before are those of the next
 *             one, moved by that offset.
 * Shapes:     places are passes from place 0 of the cycle of all sets of D1, or any multiple of it,
 *             to where an access is, as it moves.
 */
#ifndef CAB_CACHE_STREAMS_H
#define CAB_CACHE_STREAMS_H

#include "analyses/live/cache/region_passes.h"

#define CAB_STREAMS_MOST 24u     /* streams, and lines that are stayed on */
#define CAB_STREAMS_PASSES 16u   /* of an event, at least */

struct cab_stream
{
  uint64_t address;      /* of its head, in the first pass */
  uint64_t place;        /* of its head, in the first pass; from the window's begin on once streams
			    are in order */
  uint64_t lag;          /* passes from its tail to its head */
  uint32_t first;        /* the access that reaches lines first */
  uint32_t last;         /* the one that uses them last */
};

struct cab_streams
{
  uint64_t step;
  uint32_t n, n_stays;
  uint32_t line_log2;            /* passes that a head stays on a line */
  uint64_t window;               /* passes */
  struct cab_stream stream[CAB_STREAMS_MOST];   /* the foremost first */
  uint32_t stays[CAB_STREAMS_MOST];             /* for each line that is stayed on, one of its
						   accesses */
  /* The event that these are of: its accesses (0: it had no streams), one of them that moves, all
     their last bytes, by bits. */
  uint32_t n_accesses, moves;
  uint64_t lasts;
  struct cab_pass_access access[CAB_PASS_MOST];
};

/* Plan the streams of E, whose first pass comes next, in a D1 of N_SETS, a power of two, of WAYS,
   with lines of 2^LINE_LOG2 bytes.  Return false if it has none.  STREAMS is zero at first, and
   later what was found for another event of the same D1. */
bool cab_streams_plan (struct cab_streams *streams, const struct cab_passes *e, uint64_t n_sets,
		       unsigned ways, uint32_t line_log2);

#endif
