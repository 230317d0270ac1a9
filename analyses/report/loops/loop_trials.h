/* loop_trials.h - the trials of a profile's loops, merged and judged.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each file of trials (loopfb/formats/trials.h) in the profile's directory, or in its
 *             subdirectory trials, is of one process.  Files of the same build of a function are
 *             its processes; of several builds the last one counts, and the others are a problem.
 *             The loops of a function are judged by decide_trials.h.
 * Ownership:  all of it belongs to the trials until cab_loop_trials_close.
 * Errors:     a file that cannot be read is a problem, and is left out.
 */
#ifndef CAB_LOOP_TRIALS_H
#define CAB_LOOP_TRIALS_H

#include "analyses/base/names.h"
#include "analyses/base/table.h"
#include "loopfb/decide/decide_trials.h"
#include "loopfb/formats/trials.h"

#define CAB_TRIALS_TUNED "trials"   /* directory below the profile's, of `cabprof tune' */

/* A function, from all its processes. */
struct cab_loop_trial
{
  const struct cab_trials_function *function;   /* of the first process */
  struct cab_trials_process *processes;
  uint32_t n;
  uint64_t abandoned, lost, counted, *iterations;
  struct cab_trials_estimate estimate;
  int *best;                 /* [n_loops] copy whose hint is the fastest; -1: none */
  bool alignment;            /* no hint is faster, but all heads aligned are */
};

struct cab_loop_trials
{
  struct cab_names names;
  struct cab_trials *files;
  const char **paths;        /* of them */
  uint32_t n_files;
  struct cab_loop_trial *trials;
  uint32_t n;
  const char **problems;
  uint32_t n_problems;
};

/* Fill TRIALS with those in DIR; there may be none. */
void cab_loop_trials_open (struct cab_loop_trials *trials, const char *dir);
void cab_loop_trials_close (struct cab_loop_trials *trials);

/* Fill TABLE with a row for each copy of each loop. */
void cab_loop_trials_table (struct cab_loop_trials *trials, struct cab_table *table);

#endif
