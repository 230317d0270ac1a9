/* cache_rounds.h - the analysis `cache' counts repeated rounds without looking them up.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Morelli, Reineke: Warping Cache Simulation of Polyhedral Programs (PLDI 2022) skip
 *             ahead where the state of caches recurs.  Here it is known to recur.
 * Model:      a round is a sequence of accesses.  After it a cache that evicts its least recently
 *             used lines holds, of each set, what the round used there, the last one first, and
 *             then the most recent ones of what it held before and the round did not use.  After
 *             the same round once more it holds the same.  So from the second of equal consecutive
 *             rounds on, all begin with the same D1, miss the same there, and ask the next level
 *             for the same; from the third one on that level begins with the same, too; and so on:
 *             round number (levels + 1) counts what each equal one after it does, and leaves all
 *             levels as it found them. If the second consecutive round misses nothing in the last
 *             of two levels, then that level has all it is asked for, loses no line, and will miss
 *             nothing in the third: so the second round suffices. In general, a round suffices
 *             whose number in the row is greater than that of the levels in which it missed
 *             something. Caches that take lines out of others (`inclusive') do not have this
 *             property. An unfinished round is kept as words (struct cab_cache_ahead), in the
 *             state, so that it is there when the process dies: the reader feeds them.
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

struct cab_section_round
{
  uint64_t *words;               /* the caller's: the counters when it began, then the list */
  uint64_t tallies, passes;      /* tables whose words the list has */
  uint64_t lost;
  uint64_t rows;                 /* applied (cab_analysis): before the round began; after its end:
				    in it */
  unsigned n_missed;             /* levels in which it missed something */
  uint64_t n;                    /* entries of the list: offset, growth */
};

/* Return how many equal rounds are to be fed at most, the last one between begin and end; 0 if no
   round is known to repeat the one before. */
unsigned cab_cache_rounds_fed (const struct cab_arena *arena);

/* Return how many words a round needs that begins now. */
uint64_t cab_cache_round_words (const struct cab_arena *arena);
/* Begin a round; WORDS has room for cab_cache_round_words. */
void cab_cache_round_begin (struct cab_section_round *round, const struct cab_arena *arena,
			    uint64_t *words);
/* End the round.  Return false if it cannot be repeated. */
bool cab_cache_round_end (struct cab_section_round *round, struct cab_arena *arena);
/* Return true if, after the round was fed TIMES times in a row, each further one counts what this
   one has, and leaves the caches as they are. */
static inline bool
cab_section_round_is_last (const struct cab_section_round *round, unsigned times)
{
  return times > round->n_missed;
}
/* Count the round N more times in a row, before anything else is fed, in one step.  The same step
   makes AHEAD the number of words in `ahead', and ROWS the number of their rows. */
void cab_cache_round_repeat (const struct cab_section_round *round, struct cab_arena *arena,
			     uint64_t n, uint64_t ahead, uint64_t rows);

/* Return room for N words in `ahead', which holds none now; null if there is no memory. */
uint64_t *cab_cache_ahead_room (struct cab_arena *arena, uint64_t n);
/* Return how many words `ahead' holds, at *WORDS, and store in *ROWS_HAD how many of their rows are
   in the counts; 0 if there are none. */
uint64_t cab_cache_ahead (const struct cab_arena *arena, const uint64_t **words,
			  uint64_t *rows_had);
/* Empty `ahead', all of whose rows are in the counts. */
void cab_cache_ahead_end (struct cab_arena *arena);

#endif
