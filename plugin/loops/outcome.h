/* outcome.h - what became of source loops, and where their code is.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a function is watched from before "*all_optimizations" to "*free_cfg".  At each pass
 *             the compiler's loops are compared with those before: what is gone, what is new, what
 *             became a vector loop, is the doing of the pass in between (outcome.cc). Right behind
 *             "loop2_unroll" the unroller's own decisions are read.  In the end each block of the
 *             final graph is asked for its source loop; where that changes, a note becomes a label
 *             of the assembler's (loop_ranges.cc).  Nothing that is done here changes code.
 * Ownership:  outcomes live from one function's begin to its end.
 */
#ifndef CABPROF_OUTCOME_H
#define CABPROF_OUTCOME_H

#include "plugin/loops/loops.h"

/* Register what watches the passes; PLUGIN is the plugin's name.  At a link too.  */
extern void cab_outcome_begin (const char *plugin);

/* loop_ranges.cc: mark the ranges of cfun's code; write all ranges out.  */
extern void cab_ranges_mark (void);
extern void cab_ranges_write (FILE *out);

/* outcome_words.cc: what is known of a source loop in the function that is watched.  */
#define CAB_BECAME_PEELED 1u
#define CAB_BECAME_VERSIONED 2u
#define CAB_BECAME_SPLIT 4u
#define CAB_BECAME_DISTRIBUTED 8u
#define CAB_BECAME_MEMSET 16u
#define CAB_BECAME_MEMCPY 32u
#define CAB_BECAME_MEMMOVE 64u
#define CAB_BECAME_PRESENT 128u   /* a loop is left */
#define CAB_BECAME_INTERCHANGED 256u
#define CAB_BECAME_REGISTERS 512u

struct cab_became
{
  cab_source source;
  unsigned how;                   /* CAB_BECAME_* */
  unsigned hinted, unrolled;      /* factors, 0: not */
  unsigned vector_bytes;
  const char *why;                /* a hint had no effect, or null */
  const char *no_vector;          /* why the vectorizer left it alone, in its words, or null */
};

/* outcome_told.cc: PASS is about to run: listen to what it tells of loops; of which ones; it has
   run. */
extern void cab_told_begin (opt_pass *pass);
extern void cab_told_expect (class loop *loop, const cab_source *source);
extern void cab_told_end (void);

extern void cab_became_begin (void);
/* What is known of SOURCE; new if nothing was.  */
extern struct cab_became *cab_became_of (const cab_source *source);
/* Is one of them marked with FLAGS (CAB_SOURCE_*)?  False where no function is watched.  */
extern bool cab_became_marked (unsigned flags);
/* HOW holds for all that is known.  */
extern void cab_became_all (unsigned how);
/* The function is done: keep its record; write all records out.  */
extern void cab_became_end (void);
extern void cab_became_write (FILE *out);

#endif
