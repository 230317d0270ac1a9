/* enqueue.h - code that stores events in the thread's ring.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each function appends to a sequence the code that stores one event.  All but
 *             cab_enqueue_words_at load the ring's cursor themselves.
 * Source:     include/cabprof/event.h has the words of events, docs/events.md the ring's protocol.
 */
#ifndef CABPROF_EMIT_ENQUEUE_H
#define CABPROF_EMIT_ENQUEUE_H

#include "cabprof/event.h"
#include "plugin/emit/row.h"

/* Append the store of EVENT, one word. */
extern void cab_enqueue (gimple_seq *seq, tree event);
/* Append the store of EVENT, which is one of loops. */
extern void cab_enqueue_loop (gimple_seq *seq, tree event);
/* Return true if STMT is such a store, or has a CAB_QUIET_MARK otherwise. */
extern bool cab_is_quiet_probe (gimple *stmt);
/* Append the store of EVENT, which is skipped if CONDITION is 0. */
extern void cab_enqueue_if (gimple_seq *seq, tree event, tree condition);
/* Return true if STMT is the store of cab_enqueue, or of cab_enqueue_timed, into a chunk ring.
   Where times are recorded it may also be that of an access. */
extern bool cab_is_enqueue (gimple *stmt);

/* Send NUMBERS, if they fill a word (FULL) or else if they are not EMPTY, in their field of an
   event that is SLOT + REST otherwise.  Return what is left: NUMBERS, or EMPTY. */
extern tree cab_enqueue_pack (gimple_seq *seq, tree numbers, tree slot, unsigned rest,
			      unsigned HOST_WIDE_INT empty, bool full);

/* Return the assembly that gives register operand 0 the address of the ring's cursor, or jumps to
   label 2, or to 9 where there is no context. */
extern const char *cab_cursor_text (void);

/* The chunk ring's enqueue up to the stores of the event: operand 1 gets the address for these, and
   the cursor is marked busy.  Control goes to AGAIN if a handler ran between the load of the cursor
   and the mark. */
#define CAB_RESERVE \
  "4:\tmovq\t(@%0), @%1\n\tcmpq\t8(@%0), @%1\n\tjae\t2f\n\tmovb\t$0x80, 7(@%0)\n\tcmpl\t@%k1, " \
  "(@%0)\n\tjne\t3f\n\t"
#define CAB_RESERVE_AGAIN "3:\tmovb\t$0, 7(@%0)\n\tjmp\t4b\n"

#endif
