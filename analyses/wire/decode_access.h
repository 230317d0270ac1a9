/* decode_access.h - events of accesses to batches: the part of decode.c that knows regions.
 *
 * Model:      see decode.h.  Events of regions are taken as many at once as stand in a row,
 *             whatever their number: as regions and their words, or access by access; which region
 *             an event is of is decode_regions.h's matter, and what is counted by shape
 *             decode_shapes.h's.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_ACCESS_H
#define CAB_RT_DECODE_ACCESS_H

#include "analyses/wire/decode.h"

#define CAB_DECODE_AHEAD 256u   /* words: what the other core wrote is fetched early */

/* A batch begins, with what is left of the event under way. */
void cab_decode_access_begin (struct cab_decode *d);
/* Words, of N, that were taken from the ACCESS event at WORDS on; 0: it goes into the next
   batch. */
size_t cab_decode_access (struct cab_decode *d, const uint64_t *words, size_t n);
/* It has ended. */
void cab_decode_access_end (struct cab_decode *d);

#endif
