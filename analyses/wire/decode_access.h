/* decode_access.h - events of accesses to batches: the part of decode.c that knows regions.
 *
 * Model:      see decode.h.  Consecutive events of regions are taken together, whatever their
 *             number: as regions and their words, or access by access; decode_regions.h finds the
 *             region of an event, and decode_shapes.h counts by shape.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_ACCESS_H
#define CAB_RT_DECODE_ACCESS_H

#include "analyses/wire/decode.h"

#define CAB_DECODE_AHEAD 256u   /* words: how far ahead to prefetch what another core wrote */

/* Begin a batch with what is left of the event in progress. */
void cab_decode_access_begin (struct cab_decode *d);
/* Take the ACCESS event at WORDS, of N words, and those after it.  Return how many words were
   taken; 0 if the event goes into the next batch. */
size_t cab_decode_access (struct cab_decode *d, const uint64_t *words, size_t n);
/* End the batch. */
void cab_decode_access_end (struct cab_decode *d);

#endif
