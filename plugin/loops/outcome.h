/* outcome.h - what became of source loops, and where their code is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a function is watched from before "*all_optimizations" to "*free_cfg".  At each pass
 *             the compiler's loops are compared with those before: a loop that is gone, is new, or
 *             became a vector loop is attributed to the pass in between (outcome.cc).  Right after
 *             "loop2_unroll" the unroller's own decisions are read.  At the end each block of the
 *             final graph is assigned to its source loop; where that changes, a note becomes a
 *             label of the assembler's (loop_ranges.cc).  Nothing that is done here changes code.
 * Ownership:  outcomes live from the start of one function's watch to its end.
 */
#ifndef CABPROF_OUTCOME_H
#define CABPROF_OUTCOME_H

#include "plugin/loops/loops.h"

/* Register the callbacks that watch the passes, also at a link.  PLUGIN is the plugin's name. */
extern void cab_outcome_begin (const char *plugin);

/* loop_ranges.cc: mark the ranges of cfun's code. */
extern void cab_ranges_mark (void);
/* loop_ranges.cc: write all ranges to OUT. */
extern void cab_ranges_write (FILE *out);

/* outcome_words.cc: what is known of a source loop in the function that is watched. */
#define CAB_BECAME_PEELED 1u
#define CAB_BECAME_VERSIONED 2u
#define CAB_BECAME_SPLIT 4u
#define CAB_BECAME_DISTRIBUTED 8u
#define CAB_BECAME_MEMSET 16u
#define CAB_BECAME_MEMCPY 32u
#define CAB_BECAME_MEMMOVE 64u
#define CAB_BECAME_PRESENT 128u   /* a loop is still there */
#define CAB_BECAME_INTERCHANGED 256u
#define CAB_BECAME_REGISTERS 512u

struct cab_became
{
  cab_loop_source source;
  unsigned how;                   /* CAB_BECAME_* */
  unsigned hinted, unrolled;      /* factors; 0: none */
  unsigned vector_bytes;
  const char *why;                /* why a hint had no effect, or null */
  const char *no_vector;          /* why the vectorizer left it alone, in the vectorizer's words, or
				     null */
};

/* outcome_reports.cc: start to collect what PASS, which is about to run, reports about loops. */
extern void cab_told_begin (opt_pass *pass);
/* outcome_reports.cc: expect reports about LOOP, whose source loop is SOURCE. */
extern void cab_told_expect (class loop *loop, const cab_loop_source *source);
/* outcome_reports.cc: evaluate the reports; the pass has run. */
extern void cab_told_end (void);

/* Forget the outcomes of the previous function. */
extern void cab_became_begin (void);
/* Return the outcome of SOURCE; a new one is added if there is none yet. */
extern struct cab_became *cab_became_of (const cab_loop_source *source);
/* Return true if one of the source loops is marked with FLAGS (CAB_SOURCE_*); false where no
   function is watched. */
extern bool cab_became_marked (unsigned flags);
/* Add HOW (CAB_BECAME_*) to all outcomes. */
extern void cab_became_all (unsigned how);
/* Turn the outcomes into the record of cfun, which is done, and keep it. */
extern void cab_became_end (void);
/* Write all kept records to OUT. */
extern void cab_became_write (FILE *out);

#endif
