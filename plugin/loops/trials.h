/* trials.h - trials of loops: functions that are compiled in several copies.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a file in the form of a hints file names loops (feedback.h marks them).  After all
 *             inlining, each function that has such a loop in its body is copied: without a hint
 *             twice, with the heads of its named loops aligned twice, and once for each hint that
 *             is tried on each loop; its own body becomes a dispatcher (cabprof/trials.h).  A copy
 *             is thus what the function would be if it had been compiled with that hint.  The last
 *             copy counts iterations.  At the end of each copy its instructions are hashed
 *             (trial_hash.cc): copies that are equal are one.
 * Ownership:  trials live as long as the compiler.
 */
#ifndef CABPROF_LOOPS_TRIALS_H
#define CABPROF_LOOPS_TRIALS_H

#include "plugin/loops/loops.h"

#define CAB_TRIAL_ALIGN 64u   /* of the heads of named loops, where no hint says otherwise */

/* A copy of a function. */
struct cab_copy
{
  unsigned uid;              /* DECL_UID */
  char *symbol;
  int loop;                  /* of the trial's loops, for which the hint is; -1: for none */
  unsigned unroll;           /* the hint, as in a hints file */
  int vectorize;             /* -1: as the compiler chooses, 0, 1 */
  unsigned align;            /* of LOOP's head, or of all; 0: as the compiler chooses */
  unsigned prefetch;         /* how many iterations ahead; 0: not at all */
  bool counts;
  uint64_t hash;             /* of its instructions */
  char *words;               /* what became of LOOP; null: unknown */
};

/* A function whose loops are tried. */
struct cab_tried
{
  unsigned uid;
  char *symbol, *name, *file;
  int line;
  unsigned number;           /* in the unit, from 0 */
  vec<cab_loop_source> loops;
  vec<cab_copy> copies;
};

/* Add the passes.  PLUGIN is the plugin's name. */
extern void cab_trials_begin (const char *plugin);
/* Return all trials of the unit. */
extern vec<cab_tried *> &cab_trials_all (void);
/* Return the copy that FNDECL is, or null, and store the trial that it belongs to in *TRIED. */
extern struct cab_copy *cab_copy_of (tree fndecl, struct cab_tried **tried);
/* Return true if FNDECL has become a dispatcher. */
extern bool cab_is_dispatcher (tree fndecl);
/* Return the word for why SOURCE, of which cfun has a loop, is not tried (info.h, untried); null if
   it is tried, or is not named. */
extern const char *cab_untried (const cab_loop_source *source);
/* Return what the head of SOURCE is aligned to in cfun, in bytes; 0: as the compiler chooses. */
extern unsigned cab_trial_align (const cab_loop_source *source);
/* Return how many iterations ahead what SOURCE loads is prefetched in cfun; 0: not at all. */
extern unsigned cab_trial_prefetch (const cab_loop_source *source);
/* Return true if cfun is a copy with prefetches. */
extern bool cab_trial_prefetches (void);

#endif
