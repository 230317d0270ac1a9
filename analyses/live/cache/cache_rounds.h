/* cache_rounds.h - the analysis `cache' counts what happens again without looking it up.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Morelli, Reineke: Warping Cache Simulation of Polyhedral Programs (PLDI 2022) go on
 *             where the state of caches comes back.  Here it is known to come back.
 * Model:      a round is a sequence of accesses.  Behind it a cache whose least recently used lines
 *             go holds, of each set, what the round used there, the last one first, and then the
 *             most recent ones of what it held before and the round did not use.  Behind the same
 *             round once more it holds the same.  So from the second of equal rounds in a row on,
 *             all begin with the same D1, miss the same there, and ask the next level for the same;
 *             from the third one on that begins with the same, too; and so on: round number (levels
 *             + 1) counts what each equal one behind it does, and leaves all levels as it found
 *             them. If the round that comes second in a row misses nothing in the last of two
 *             levels, then that has all it is asked for, loses no line, and will miss nothing in
 *             the third: so the second does. In general, a round does whose number in a row is
 *             greater than that of the levels in which it missed something. Caches that take lines
 *             out of others (`inclusive') are no such caches. What there is of a round that is not
 *             whole is kept as words (struct cab_cache_ahead), in the state, so that it is there
 *             when the process dies: whoever reads it feeds them.
 * Shapes:     what a round counts is a list of words of the state, and by how much each grew.
 * Ownership:  memory for that is the caller's: cab_cache_round_words of it, which may grow as the
 *             state does.
 * Threads:    as the state.
 * Errors:     begin and end say no where there is no memory, or the round has no such list; then
 *             rounds are to be fed.  What end has agreed to, repeat does.
 */
#ifndef CAB_CACHE_ROUNDS_H
#define CAB_CACHE_ROUNDS_H

#include "analyses/live/cache/cache_state.h"

struct cab_cache_round
{
  uint64_t *words;               /* the caller's: the counters when it began, then the list */
  uint64_t tallies, passes;      /* tables that it is of */
  uint64_t lost;
  uint64_t rows;                 /* applied (cab_analysis), before it began; then in it */
  unsigned n_missed;             /* levels in which it missed something */
  uint64_t n;                    /* in the list: offset, growth */
};

/* So many equal rounds are to be fed at most, the last one between begin and end; 0: none is known
   to be as the one before. */
unsigned cab_cache_rounds_fed (const struct cab_arena *arena);

/* Words for a round that begins now. */
uint64_t cab_cache_round_words (const struct cab_arena *arena);
/* It begins; WORDS are so many. */
void cab_cache_round_begin (struct cab_cache_round *round, const struct cab_arena *arena,
			    uint64_t *words);
/* It has ended.  False: it cannot be repeated. */
bool cab_cache_round_end (struct cab_cache_round *round, struct cab_arena *arena);
/* It was fed TIMES times in a row now: does each that follows count what this one has, and leave
   the caches as they are? */
static inline bool
cab_cache_round_is_last (const struct cab_cache_round *round, unsigned times)
{
  return times > round->n_missed;
}
/* It happens N more times, one behind the other, before anything else is fed: one step.  Then so
   many words of `ahead' as AHEAD says, which tell so many ROWS. */
void cab_cache_round_repeat (const struct cab_cache_round *round, struct cab_arena *arena,
			     uint64_t n, uint64_t ahead, uint64_t rows);

/* Room for N words in `ahead', which has none that have come; null: there is none. */
uint64_t *cab_cache_ahead_room (struct cab_arena *arena, uint64_t n);
/* The words that have come, and how many of the rows that they tell are in the counts; 0: there are
   none. */
uint64_t cab_cache_ahead (const struct cab_arena *arena, const uint64_t **words,
			  uint64_t *rows_had);
/* All of them are. */
void cab_cache_ahead_end (struct cab_arena *arena);

#endif
