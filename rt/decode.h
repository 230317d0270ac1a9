/* decode.h - ring words to batches: the only code that knows how events are packed.
 *
 * Model:      pure; used by the runtime's consumers and by the command for the rings of dead processes.
 *             CALL, TAIL, UNDER words gather in one batch, PATH and PATH_LAST words in another, LOOP words in a third, each in program order.  An analysis that
 *             takes both kinds and depends on their order is fed run by run: cab_decode_run first, then cab_decode of so many words.
 * Shapes:     at most CAB_BATCH_MAX words at a time, so that no batch is longer.
 * Units:      words = events, but for escapes, whose raw words are skipped with them.
 * Threads:    a struct cab_decode belongs to one thread at a time.  It is large: not for a stack.
 * Errors:     CLEAR and MAGIC words are skipped; words of a kind that this version does not know, or cut-off escapes, are counted in
 *             n_unknown; events without a function in n_unregistered.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_H
#define CAB_RT_DECODE_H

#include <stddef.h>
#include "cabprof/analysis.h"

struct cab_decode
{
  struct cab_batch call, path, loop;   /* the result of the last cab_decode; n = 0: none */
  uint64_t n_unknown, n_unregistered;   /* ever; the caller may set them */
  uint32_t call_fn[CAB_BATCH_MAX], call_site[CAB_BATCH_MAX], call_depth[CAB_BATCH_MAX];
  uint8_t call_form[CAB_BATCH_MAX];
  uint64_t path_rows[CAB_BATCH_MAX];   /* where path words do not stand together in the ring */
  uint32_t loop_fn[CAB_BATCH_MAX], loop_number[CAB_BATCH_MAX];
  uint64_t loop_count[CAB_BATCH_MAX];
  uint8_t loop_form[CAB_BATCH_MAX];
};

/* Decode from WORDS, which the batches may refer to, of which there are N, for the thread THREAD.  How many were taken: all up to CAB_BATCH_MAX; more only by the raw
   words of a last escape, never more than N. */
size_t cab_decode (struct cab_decode *d, const uint64_t *words, size_t n, uint32_t thread);

/* How many words from WORDS on are of one batch kind (others than CALL and PATH do not end a run); at most CAB_BATCH_MAX. */
size_t cab_decode_run (const uint64_t *words, size_t n);

/* The batch kind of a word: CAB_EV_CALL or CAB_EV_PATH, its own kind for other kinds, 0 for no event. */
unsigned cab_decode_kind (uint64_t word);

#endif
