/* trials.h - trials of loops: copies of a function that take turns, and what is kept of them.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a function whose loops are tried has become a dispatcher: it calls __cab_trial_enter,
 *             which returns one of the function's copies, calls that copy with its own arguments,
 *             and calls __cab_trial_leave.  Each thread goes through the copies in an order drawn
 *             anew; that is a round.  A copy's turn in it is a block: executions of this copy until
 *             they have taken so many cycles.  A round is kept as a whole, when its last block is
 *             done.  Where there are more rounds than a trial keeps, neighbours are added up,
 *             and blocks get twice as long.
 *             In a function that is executed once, or cannot be copied, a loop has its copies side
 *             by side, and is what is entered and left; `copies' are their numbers then.  The
 *             branches to a copy take the longer, the lower its number is, so each calls
 *             __cab_trial_start behind them, from where its time counts.
 *             The first execution of a block is not timed unless it is long: caches and predictors
 *             still hold the copy before.  The last copy counts iterations, and its time means
 *             nothing.
 * Shapes:     the plugin writes a struct cab_trial for each function (plugin/loops/trial_text.cc),
 *             and struct cab_turns, in thread-local memory that is zero at first, with n_loops
 *             counts, then n_copies blocks, then n_copies bytes.
 * Units:      cycles of the time stamp counter.
 * Threads:    turns belong to a thread.  A trial's rows belong to who holds its lock.
 * Errors:     a round that cannot be kept is counted.  An execution that is not left by a return
 *             (exceptions, longjmp) is counted and is not timed.
 */
#ifndef CABPROF_TRIALS_H
#define CABPROF_TRIALS_H

#include <stdint.h>

#define CAB_TRIALS_VERSION 3      /* of everything here, and of the file */
#define CAB_TRIAL_COPIES 128u      /* most copies of a function */
#define CAB_TRIAL_ROUNDS 256u     /* most rounds that are kept */
#define CAB_TRIAL_BLOCK 32768u    /* cycles of a block, at first */
#define CAB_TRIAL_NESTED 1000u    /* executions inside another one, after which that is believed to
				     have been abandoned */

/* A block, or several of one copy. */
struct cab_trial_block
{
  uint64_t cycles, executions;
};

struct cab_trial
{
  uint32_t n_copies, n_loops;
  uint32_t lock, listed;          /* 0 or 1 */
  struct cab_trial *next;         /* in the list of those that have run */
  struct cab_trial_block *rows;   /* [n_rows][n_copies] */
  uint64_t n_rows, block_cycles;
  uint64_t abandoned, lost;       /* executions, rounds */
  uint64_t counted;               /* executions of the copy that counts */
  uint64_t *iterations;           /* [n_loops], of that copy */
  const char *text;               /* lines for the file, ended by a 0 */
  void **copies;                  /* [n_copies] */
};

struct cab_turns
{
  void *frame;                    /* of the execution that is timed; null: none */
  uint64_t start;                 /* of it */
  uint64_t cycles, executions;    /* of the present block */
  uint64_t entered;               /* of the present block, those that are not timed as well */
  uint64_t random;                /* 0: this thread has not been here yet */
  uint32_t nested;
  uint8_t at;                     /* the present block's place in the order */
  uint8_t busy, warm, unused;
  uint64_t counts[];              /* of the copy that counts, by loop */
};

/* Return the blocks of the present round; TURNS are those of TRIAL. */
static inline struct cab_trial_block *
cab_turns_blocks (struct cab_turns *turns, const struct cab_trial *trial)
{
  return (struct cab_trial_block *) (turns->counts + trial->n_loops);
}

/* Return the order of the present round. */
static inline uint8_t *
cab_turns_order (struct cab_turns *turns, const struct cab_trial *trial)
{
  return (uint8_t *) (cab_turns_blocks (turns, trial) + trial->n_copies);
}

/* The file: lines of fields between tabs.
 *   cabprof trials \t 3
 *   p \t program \t process
 * and for each function that was executed
 *   f \t assembler name \t name \t file \t line \t major version of GCC
 *        where a loop has its copies side by side, ".loop" and a number follow the first name
 *   l \t function \t file \t line \t column \t ordinal \t checksum \t name
 *        a loop that is tried: its key, and the name of its function for people
 *   v \t loop \t unroll \t vectorize \t align \t prefetch \t turn \t hash \t words
 *        a copy: the loop (by line, from 0) that its hint is for, or - for one without a hint; the
 *        hint as in a hints file (vectorize: -, 0 or 1); its number in rounds; a hash of its
 *        instructions; what became of the loop (info.h, O1).  Copies with the same instructions
 *        have the same number, but for those without a hint.
 *   t \t abandoned \t lost \t cycles of a block
 *   i \t executions \t iterations ...         of the copy that counts, by loop
 *   r \t cycles:executions ...                a round, by number
 * and in the end
 *   end
 */
#define CAB_TRIALS_PREFIX "trials-"
#define CAB_TRIALS_SUFFIX ".tsv"

#endif
