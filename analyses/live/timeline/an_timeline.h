/* an_timeline.h - the state of `timeline': when activations of functions began and ended.
 *
 * Model:      Each TIMED event is kept, packed, in the order of its thread.  A state is a row of
 *             blocks of equal size, each of which is read by itself: it begins with the time that
 *             its first event is relative to.  All belong to one thread.  With a limit
 *             (keep) the block with the oldest events is used again, so a state has the last ones.
 *             Blocks with slow calls of a function that is watched (slower) are not used again.
 * Shapes:     the blocks follow the state's head.  One that is being made again has sequence 0.
 * Units:      clock: of TIME words, the time stamp counter; bytes.
 * Threads:    as the arena.
 * Errors:     a state that comes from a file is examined by check; the iterators accept any bytes
 *             that passed it, and end a block where an event cannot be read.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_AN_TIMELINE_H
#define CAB_AN_TIMELINE_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_timeline;

#define CAB_TIMELINE_BLOCK 16384u   /* bytes of a block, with its head */

/* What an event is packed relative to. */
struct cab_timeline_at
{
  uint64_t clock;
  uint32_t open;   /* activations that are open, after the event before: its depth if it was an end,
		      one more if it was an entry */
  uint32_t fn;     /* its function */
};

struct cab_timeline_block
{
  uint64_t sequence;            /* from 1, ascending in a state */
  uint64_t before;              /* events of the state before its first */
  uint64_t filled;              /* events << 33 | bytes << 1 | which of `end' is valid */
  uint32_t process, thread;     /* process: in a merged state; thread: index in the part */
  uint32_t kept;                /* it has a slow call, or a part of one */
  uint32_t gap;                 /* events of the thread before its first are missing; in a merged
				   state */
  struct cab_timeline_at begin, end[2];
  unsigned char bytes[CAB_TIMELINE_BLOCK - 88];
};

static inline uint64_t
cab_timeline_block_events (const struct cab_timeline_block *block)
{
  return block->filled >> 33;
}

static inline uint32_t
cab_timeline_block_bytes (const struct cab_timeline_block *block)
{
  return block->filled >> 1 & UINT32_MAX;
}

/* An event of a block. */
struct cab_timeline_event
{
  uint64_t clock;
  uint64_t word;   /* as in a TIMED batch: cab_ev_kind, _depth, _callee, _site; of a RESUME the
		      callee is the function that ended, 0 if that is not known */
};

/* Reads the events of a block. */
struct cab_timeline_cursor
{
  const unsigned char *next, *end;
  struct cab_timeline_at at;
};

/* Return how many slow calls of the function that is watched could not be kept. */
uint64_t cab_timeline_unkept (const struct cab_arena *arena);
/* Return how many blocks the state in ARENA has; 0 if it is not open yet. */
uint64_t cab_timeline_n_blocks (const struct cab_arena *arena);
/* Return block I, or null if it is being made again or has no event. */
const struct cab_timeline_block *cab_timeline_block (const struct cab_arena *arena, uint64_t i);
/* Begin with the first event of BLOCK, one of cab_timeline_block. */
void cab_timeline_begin (struct cab_timeline_cursor *cursor,
			 const struct cab_timeline_block *block);
/* Store the next event in *EVENT and return true, or return false after the last one. */
bool cab_timeline_next (struct cab_timeline_cursor *cursor, struct cab_timeline_event *event);

#endif
