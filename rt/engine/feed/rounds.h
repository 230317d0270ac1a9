/* rounds.h - does a thread say the same again and again?  A program that iterates over the same
 * data sends the same words in each round.
 *
 * Source:     that what comes back is looked for from a place that is chosen anew, ever less often,
 *             is Brent's way to find a cycle.
 * Model:      pure.  Words come as they are analysed, events whole.  Some words are chosen, and
 *             looked for; where they come again a round may begin, as long as what lies in between.
 *             If they come several times in a round, the distances between these places are what
 *             comes again; if they come very often, then where what seemed to be a round ends, the
 *             words that follow are the better ones to look for.  A round is written down, if it
 *             has not been kept from what was searched, and what follows is compared with it.  When
 *             it has come often enough, words that are its own are not fed any more, only counted,
 *             until some differ. Where nothing comes again, most words are not looked at: to look
 *             takes some time. A round has at least so many accesses, since to begin and end one
 *             takes time: else it is several of them.  Where rounds soon come to an end they may be
 *             part of larger ones, which are looked for then, for a while.
 * Units:      words.
 * Ownership:  the round's words are written to the caller's memory, and so are those that are kept.
 * Threads:    one at a time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ROUNDS_H
#define CAB_RT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAB_ROUNDS_MOST (UINT64_C (1) << 19)       /* words of a round */
#define CAB_ROUNDS_ACCESSES (UINT64_C (1) << 16)   /* ... and its accesses, at least */
#define CAB_ROUNDS_WANTED 64u
#define CAB_ROUNDS_PLACES 64u

enum cab_rounds_state
{
  CAB_ROUNDS_SEARCH,
  CAB_ROUNDS_RECORD,    /* words are written down */
  CAB_ROUNDS_MATCH,     /* they are the same */
  CAB_ROUNDS_SAME       /* they have been for long enough, and are left out */
};

/* What to do with the next words. */
enum cab_rounds_what
{
  CAB_ROUNDS_FEED,      /* feed them */
  CAB_ROUNDS_ROOM,      /* none: `length' words of memory are wanted; give or refuse them */
  CAB_ROUNDS_BEGIN,     /* none: a round that is fed begins; go on or refuse */
  CAB_ROUNDS_END,       /* none: it has ended; go on, have one more fed, or refuse */
  CAB_ROUNDS_SKIP,      /* leave them out: `whole' and `at' have them */
  CAB_ROUNDS_LEAVE      /* none: others follow.  Behind `whole' rounds the first `at' words of one
			   are to be fed; then leave */
};

/* Zero at first. */
struct cab_rounds
{
  enum cab_rounds_state state;
  unsigned times;                 /* MATCH: equal rounds in a row that were fed */
  bool begun;                     /* one more */
  bool again;                     /* SEARCH: what is wanted are the first words of `round', which
				     came before */
  uint64_t n;                     /* words in which was searched */
  uint64_t limit;                 /* so far behind the last place where they were the wanted ones,
				     others are chosen; 0: there are none */
  uint64_t next_limit;            /* for these; 0: the first */
  bool renew;                     /* others are to be chosen now */
  uint64_t pause;                 /* up to this word nothing is looked for */
  uint32_t pauses;                /* that there were in a row */
  uint64_t accesses;              /* that were told before the first of these places */
  uint32_t n_places, tried;       /* TRIED: as many places back as that, and fewer, are not where a
				     round began */
  uint64_t place[CAB_ROUNDS_PLACES];
  uint64_t least, told;           /* accesses of a round, if more than CAB_ROUNDS_ACCESSES; about,
				     of the last one */
  uint64_t patience;              /* with so many at least nothing was found up to this word: fewer
				     will do; 0: they do */
  uint32_t n_short, next_try;     /* times that rounds soon came to an end; when larger ones are
				     looked for */
  uint64_t length, at;            /* of the round; where in it the next words are */
  uint64_t back;                  /* ... which is what comes again, once or more than once: words of
				     that */
  uint64_t whole, left_out;       /* SAME: rounds that were not told yet; all */
  uint64_t *round;                /* the caller's */
  uint64_t *kept;                 /* the caller's: CAB_ROUNDS_MOST words, the first ones behind the
				     first place; null: none are kept */
  uint32_t n_wanted, rare;        /* rare: which of them is looked for first */
  uint64_t wanted[CAB_ROUNDS_WANTED];
};

/* What comes next has nothing to do with what was. */
void cab_rounds_clear (struct cab_rounds *rounds);

/* N words are fed that are not told here, none being left out: what is behind them does not follow
   what was before.  (Else as clear, but that the search goes on as seldom as it did.) */
void cab_rounds_miss (struct cab_rounds *rounds, size_t n);

/* What is to be done with N words from WORDS on, whole events, not none, that come next, ACCESSES
   having been told before them?  *TAKEN: with so many of them. */
enum cab_rounds_what cab_rounds_next (struct cab_rounds *rounds, const uint64_t *words, size_t n,
				      uint64_t accesses, size_t *taken);

/* Behind CAB_ROUNDS_ROOM, BEGIN and END: that is done.  ROOM: of the first, the round's until there
   is other room.  Behind END equal rounds are left out from now on. */
void cab_rounds_go_on (struct cab_rounds *rounds, uint64_t *room);
/* Behind END: one more round is to be fed. */
void cab_rounds_more (struct cab_rounds *rounds);
/* ... it cannot be. */
void cab_rounds_refuse (struct cab_rounds *rounds);
/* Behind CAB_ROUNDS_LEAVE, or at any time in state SAME: all that was left out has been told, and
   fed. */
void cab_rounds_leave (struct cab_rounds *rounds);

/* The number of whole rounds that were not told yet, which they are now. */
static inline uint64_t
cab_rounds_tell (struct cab_rounds *rounds)
{
  uint64_t n = rounds->whole;
  rounds->whole = 0;
  return n;
}

#endif
