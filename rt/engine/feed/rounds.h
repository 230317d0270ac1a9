/* rounds.h - finds words that a thread repeats in rounds.  A program that iterates over the same
 * data sends the same words in each round.
 *
 * Source:     the search restarts from places that are chosen again, ever less often, which is
 *             Brent's way to find a cycle.
 * Model:      pure.  Words arrive as they are analysed, in whole events.  Some words are chosen,
 *             and searched for; where they recur a round may begin, as long as what lies in
 *             between.  If they occur several times in a round, the sequence of distances between
 *             these places is what recurs; if they occur very often, then the words after the end
 *             of a supposed round are better ones to search for.  A round is recorded, unless it
 *             has been kept from what was searched, and what follows is compared with it.  When it
 *             has recurred often enough, its words are no longer fed, only counted, until some
 *             differ.  Where nothing recurs, most words are not examined, since that takes time.  A
 *             round has at least CAB_ROUNDS_ACCESSES accesses, since to begin and end one takes
 *             time: if it were shorter, several make one.  Where rounds soon end they may be part
 *             of larger ones, which are then searched for, for a while.
 * Units:      words.
 * Ownership:  the round's words, and those that are kept, are written to the caller's memory.
 * Threads:    one at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ROUNDS_H
#define CAB_RT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAB_ROUNDS_MOST (UINT64_C (1) << 19)       /* most words of a round */
#define CAB_ROUNDS_ACCESSES (UINT64_C (1) << 16)   /* least accesses of a round */
#define CAB_ROUNDS_WANTED 64u
#define CAB_ROUNDS_PLACES 64u

enum cab_rounds_state
{
  CAB_ROUNDS_SEARCH,
  CAB_ROUNDS_RECORD,    /* words are recorded */
  CAB_ROUNDS_MATCH,     /* words are compared with the round */
  CAB_ROUNDS_SAME       /* equal words have come for long enough, and are left out */
};

/* What the caller must do with the next words. */
enum cab_rounds_what
{
  CAB_ROUNDS_FEED,      /* feed them */
  CAB_ROUNDS_ROOM,      /* take none: provide `length' words of memory, or refuse */
  CAB_ROUNDS_BEGIN,     /* take none: a round that is fed begins; go on or refuse */
  CAB_ROUNDS_END,       /* take none: the round has ended; go on, have one more fed, or refuse */
  CAB_ROUNDS_SKIP,      /* leave them out: `whole' and `at' count them */
  CAB_ROUNDS_LEAVE      /* take none: other words follow.  After `whole' rounds feed the first `at'
			   words of one more; then call cab_rounds_leave */
};

/* All zero at first. */
struct cab_rounds
{
  enum cab_rounds_state state;
  unsigned times;                 /* MATCH: equal rounds in a row that were fed */
  bool begun;                     /* MATCH: the next round has begun to be fed */
  bool again;                     /* SEARCH: the wanted words are the first words of `round', which
				     has recurred before */
  uint64_t n;                     /* words that have been searched */
  uint64_t limit;                 /* words after the last place of the wanted ones at which others
				     are chosen; 0: no words are wanted */
  uint64_t next_limit;            /* limit of the next choice; 0: the first one */
  bool renew;                     /* choose other words now */
  uint64_t pause;                 /* nothing is searched for before this word */
  uint32_t pauses;                /* pauses in a row */
  uint64_t accesses;              /* accesses before the first of the places */
  uint32_t n_places, tried;       /* TRIED: distances of up to this many places back have proved not
				     to be rounds */
  uint64_t place[CAB_ROUNDS_PLACES];
  uint64_t least, told;           /* LEAST: accesses that a round must have, if more than
				     CAB_ROUNDS_ACCESSES; TOLD: approximate accesses of the last
				     round */
  uint64_t patience;              /* `least' is dropped at this word if nothing was found; 0: it is
				     not in force */
  uint32_t n_short, next_try;     /* N_SHORT: rounds that soon ended; NEXT_TRY: how many of them
				     start the search for larger ones */
  uint64_t length, at;            /* LENGTH: of the round; AT: where in it the next words are */
  uint64_t back;                  /* words of the part of the round that recurs, once or several
				     times */
  uint64_t whole, left_out;       /* SAME: rounds not yet told; all rounds left out */
  uint64_t *round;                /* the caller's */
  uint64_t *kept;                 /* the caller's: CAB_ROUNDS_MOST words, the first ones after the
				     first place; null: none are kept */
  uint32_t n_wanted, rare;        /* RARE: index of the wanted word that is searched for first */
  uint64_t wanted[CAB_ROUNDS_WANTED];
};

/* Forget all words: what comes next is unrelated to them. */
void cab_rounds_clear (struct cab_rounds *rounds);

/* Record that N words were fed that are not passed here, while none were left out: the words after
   them do not continue those before.  Unlike cab_rounds_clear, this keeps the pace at which the
   search slows down. */
void cab_rounds_miss (struct cab_rounds *rounds, size_t n);

/* Return what is to be done with the next N words at WORDS, whole events, at least one word;
   ACCESSES have been fed before them.  *TAKEN is the number of words that the answer is about. */
enum cab_rounds_what cab_rounds_next (struct cab_rounds *rounds, const uint64_t *words, size_t n,
				      uint64_t accesses, size_t *taken);

/* Go on after CAB_ROUNDS_ROOM, BEGIN or END.  ROOM, after CAB_ROUNDS_ROOM, is memory of the round's
   until there is other room.  After END, equal rounds are left out from now on. */
void cab_rounds_go_on (struct cab_rounds *rounds, uint64_t *room);
/* After CAB_ROUNDS_END: have one more round fed. */
void cab_rounds_more (struct cab_rounds *rounds);
/* After CAB_ROUNDS_ROOM, BEGIN or END: refuse what was asked for. */
void cab_rounds_refuse (struct cab_rounds *rounds);
/* After CAB_ROUNDS_LEAVE, or at any time in state SAME: all that was left out has been told and
   fed. */
void cab_rounds_leave (struct cab_rounds *rounds);

/* Return the number of whole rounds that were not told yet, and count them as told. */
static inline uint64_t
cab_rounds_tell (struct cab_rounds *rounds)
{
  uint64_t n = rounds->whole;
  rounds->whole = 0;
  return n;
}

#endif
