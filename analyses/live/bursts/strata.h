/* strata.h - which bursts of events are read by a run that reads only some of them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     Ha et al., CAB (OOPSLA 2009), 3.2: bursts, aligned to lines, from each chunk.  That
 *             the rate is scaled back and forth by itself is the future work of 6.4.
 * Model:      the bursts of a ring are numbered from 0, and cut into strata, WIDTH consecutive
 *             bursts each; from each stratum one is chosen at random.  It stands for the whole
 *             stratum: for as many bursts as that has, which is its weight.  What was chosen and
 *             could not be read is made up for by those chosen next, each of which then stands for
 *             twice its stratum, or for its stratum and an eighth of what is owed; so the weights
 *             of the bursts read add up to all bursts, but for what has not been made up yet.
 * Shapes:     a width need not be whole: strata of 1 and 2 bursts alternate for one of 1.5.
 * Threads:    no state but the struct's.  The numbers drawn depend on the seed alone.
 */
#ifndef CAB_STRATA_H
#define CAB_STRATA_H

#include <stdbool.h>
#include <stdint.h>

#define CAB_RATE_WHOLE 1000000u            /* all events, in millionths */

struct cab_strata
{
  uint64_t target;    /* bursts of a stratum by the rate asked for, in 1/65536; 0: none is chosen */
  uint64_t width;     /* bursts of a stratum now, in 1/65536: target or more */
  uint64_t rest;      /* part of a burst that the strata so far are short of, in 1/65536 */
  uint64_t begin, end;   /* the present stratum; equal before the first one */
  uint64_t chosen;    /* the burst that was chosen from it */
  uint64_t owed;      /* bursts that no weight stands for yet */
  uint64_t random;
  uint32_t idle;      /* chunks in a row after which there was nothing left to do */
};

/* Begin at burst 0, with a rate in millionths: CAB_RATE_WHOLE chooses all, 0 none.  SEED: each seed
   gives other choices. */
void cab_strata_begin (struct cab_strata *s, uint32_t rate, uint64_t seed);
/* Return the next burst to be read, from burst AT on, which is not before the burst returned last
   time; UINT64_MAX if the rate is 0.  Strata that end before AT are owed. */
uint64_t cab_strata_next (struct cab_strata *s, uint64_t at);
/* The burst returned last was read: return its weight.  ENDING: there may be no other, so it stands
   for all that is owed. */
uint32_t cab_strata_read (struct cab_strata *s, bool ending);
/* The burst returned last could not be read: its stratum is owed. */
void cab_strata_miss (struct cab_strata *s);
/* There are no bursts between the end of what was written and burst AT, where it goes on: none of
   them is owed, nor what is left of the stratum that they are in. */
void cab_strata_skip (struct cab_strata *s, uint64_t at);
/* Halve the rate from the next stratum on, since the reader falls behind.  Return false if a
   stratum would then have more than MOST bursts: the rate stays. */
bool cab_strata_slow (struct cab_strata *s, uint64_t most);
/* Note whether the reader had nothing left to do after a chunk (IDLE); double the rate after 16
   such chunks in a row, up to the one asked for.  Return true if it was raised. */
bool cab_strata_note (struct cab_strata *s, bool idle);

#endif
