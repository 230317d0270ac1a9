/* outcome_words.h - what is known of the source loops of the function that is watched.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CABPROF_OUTCOME_WORDS_H
#define CABPROF_OUTCOME_WORDS_H

#include "plugin/loops/loops.h"

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
  unsigned aligned;               /* what its heads were aligned to, in bytes; 0: nothing */
  unsigned prefetched;            /* number of prefetches that were added */
  const char *no_prefetch;        /* why one of its loops has none, or null */
  const char *why;                /* why a hint had no effect, or null */
  const char *no_vector;          /* why the vectorizer left it alone, in the vectorizer's words, or
				     null */
};

/* Forget the outcomes of the previous function. */
extern void cab_became_begin (void);
/* Return the outcome of SOURCE; a new one is added if there is none yet. */
extern struct cab_became *cab_became_of (const cab_loop_source *source);
/* Return true if one of the source loops is marked with FLAGS (CAB_SOURCE_*); false where no
   function is watched. */
extern bool cab_became_marked (unsigned flags);
/* Add HOW (CAB_BECAME_*) to all outcomes. */
extern void cab_became_all (unsigned how);
/* Write TEXT and a 0 behind it to OUT. */
extern void cab_asm_text (FILE *out, const char *text);
/* Turn the outcomes into the record of cfun, which is done, and keep it. */
extern void cab_became_end (void);
/* Write all kept records to OUT. */
extern void cab_became_write (FILE *out);

#endif
