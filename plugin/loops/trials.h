/* trials.h - trials of loops: functions that are compiled in several copies.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a file in the form of a hints file names loops (feedback.h marks them).  After all
 *             inlining, each function that has such a loop in its body is copied: without a hint
 *             twice, with the heads of its named loops aligned twice, and once for each hint that
 *             is tried on each loop; its own body becomes a dispatcher (cabprof/trials.h).  A copy
 *             is thus what the function would be if it had been compiled with that hint.  The last
 *             copy counts iterations.  At the end of each copy its instructions are hashed
 *             (trial_hash.cc): copies that are equal are one.  In a function that is executed once,
 *             or cannot be copied, and wherever the file asks for that, loops are copied side by
 *             side instead (trial_beside.cc).
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
  int num;                   /* side by side: the loop's, until the vectoriser */
};

/* A function whose loops are tried. */
struct cab_tried
{
  unsigned uid;              /* of the function that has become a dispatcher; 0: there is none */
  unsigned beside;           /* of the function in which the loop, the only one, is copied side by
				side (trial_beside.cc); 0: functions are copied */
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
/* The same for LOOP of cfun, which is of SOURCE, and may be one of its copies. */
extern unsigned cab_trial_prefetch_of (class loop *loop, const cab_loop_source *source);
/* Return true if cfun is a copy with prefetches. */
extern bool cab_trial_prefetches (void);

/* The hints that are tried on a loop. */
struct cab_trial_hint
{
  unsigned unroll;
  int vectorize;
  unsigned align, prefetch;
};
#define CAB_TRIAL_HINTS 14
extern const struct cab_trial_hint cab_trial_hints[CAB_TRIAL_HINTS];

/* Return true if a hints file names SOURCE. */
extern bool cab_trial_names (const cab_loop_source *source);
/* Return true if A and B are the same loop. */
extern bool cab_trial_same (const cab_loop_source *a, const cab_loop_source *b);
/* Start a trial of loops of the function DECL.  The caller
   appends it to cab_trials_all. */
extern struct cab_tried *cab_trial_new (tree decl);
/* Apply the hint of COPY to LOOP, a loop of cfun. */
extern void cab_trial_apply (class loop *loop, const struct cab_copy *copy);
/* Note that SOURCE, or if it is null each named loop, of the function DECL is not tried: WORD is
   why, for the record (info.h, untried), WORDS are for people. */
extern void cab_trial_refuse (tree decl, const cab_loop_source *source, const char *word,
			      const char *words);

#endif
