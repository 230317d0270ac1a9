/* enqueue_words.h - events of several words.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ENQUEUE_WORDS_H
#define CAB_ENQUEUE_WORDS_H

#include "plugin/emit/enqueue.h"

/* Return the header of an ACCESS event with N_WORDS words, of REGION of ROW's function, in FORM. */
extern tree cab_access_header (gimple_seq *seq, struct cab_row_desc *row, unsigned region,
			       enum cab_access_form form, unsigned n_words);
/* Append the store of HEADER, an ACCESS or a TIME, and of WORDS after it, at most CAB_ACCESS_WORDS.
    WORDS are registers or constants of 8 bytes. */
extern void cab_enqueue_words (gimple_seq *seq, tree header, const vec<tree> &words);
/* Append the store of EVENT, a CALL, TAIL, UNDER or RESUME, with the time before it (TIME). */
extern void cab_enqueue_timed (gimple_seq *seq, tree event);
/* Append the store of HEADER and more WORDS than cab_most_words (): they are put on the stack
   first. */
extern void cab_enqueue_array (gimple_seq *seq, tree header, const vec<tree> &words);
/* Return the number of words for which there are registers. */
extern unsigned cab_most_words (void);
/* Append the store of HEADER and WORDS with the ring's cursor in the register variables CURSOR and
   NEXT, which it uses and sets.  cab_cursor_load must have set them. */
extern void cab_enqueue_words_at (gimple_seq *seq, tree header, const vec<tree> &words, tree cursor,
				  tree next);
/* Append code that sets CURSOR and NEXT from the thread's context. */
extern void cab_cursor_load (gimple_seq *seq, tree cursor, tree next);
/* Return true if the cursor may stay in registers, which needs a unit whose code reaches the
   context directly. */
extern bool cab_cursor_lasts (void);

#endif
