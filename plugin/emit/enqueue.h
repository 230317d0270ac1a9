/* enqueue.h - events come into the thread's ring.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each function appends to a sequence the code that stores one event.  All but
 *             cab_enqueue_words_at look the ring's cursor up by themselves.
 * Source:     include/cabprof/event.h has the words of events, docs/events.md the ring's protocol.
 */
#ifndef CABPROF_EMIT_ENQUEUE_H
#define CABPROF_EMIT_ENQUEUE_H

#include "cabprof/event.h"
#include "plugin/emit/plugin.h"

/* EVENT, one word. */
extern void cab_enqueue (gimple_seq *seq, tree event);
/* The same unless CONDITION is 0. */
extern void cab_enqueue_if (gimple_seq *seq, tree event, tree condition);
/* Return true if STMT is the store of one of these two. */
extern bool cab_is_enqueue (gimple *stmt);

/* Send NUMBERS if they fill a word (FULL) or are not EMPTY, at their place in an event that is SLOT
   + REST otherwise. Return what is left: NUMBERS, or EMPTY. */
extern tree cab_enqueue_pack (gimple_seq *seq, tree numbers, tree slot, unsigned rest,
			      unsigned HOST_WIDE_INT empty, bool full);

/* Return the header of an ACCESS event with N_WORDS words: REGION of ROW's function, told in
   FORM. */
extern tree cab_access_header (gimple_seq *seq, struct cab_row_desc *row, unsigned region,
			       enum cab_access_form form, unsigned n_words);
/* HEADER, an ACCESS, with WORDS behind it, at most CAB_ACCESS_WORDS: registers or constants of 8
   bytes. */
extern void cab_enqueue_words (gimple_seq *seq, tree header, const vec<tree> &words);
/* The same for more words than cab_most_words (): they are stored on the stack first. */
extern void cab_enqueue_array (gimple_seq *seq, tree header, const vec<tree> &words);
/* Return for how many words there are registers. */
extern unsigned cab_most_words (void);

/* The same as cab_enqueue_words, with the ring's cursor in the register variables CURSOR and NEXT,
   which it uses and sets.  cab_cursor_load sets them first. */
extern void cab_enqueue_words_at (gimple_seq *seq, tree header, const vec<tree> &words, tree cursor,
				  tree next);
extern void cab_cursor_load (gimple_seq *seq, tree cursor, tree next);
/* Return true if the cursor may stay in registers: the unit's code reaches the context directly. */
extern bool cab_cursor_lasts (void);

/* Return the assembly that gives register operand 0 the address of the ring's cursor, or goes to
   label 2, or to 9 where there is no context. */
extern const char *cab_cursor_text (void);

/* The chunk ring's enqueue up to the stores of the event: operand 1 gets where these go, and the
   cursor is busy.  AGAIN is where control goes if a handler came between the look at the cursor and
   the mark. */
#define CAB_RESERVE \
  "4:\tmovq\t(@%0), @%1\n\tcmpq\t8(@%0), @%1\n\tjae\t2f\n\tmovb\t$0x80, 7(@%0)\n\tcmpl\t@%k1, " \
  "(@%0)\n\tjne\t3f\n\t"
#define CAB_RESERVE_AGAIN "3:\tmovb\t$0, 7(@%0)\n\tjmp\t4b\n"

#endif
