/* decode_shapes.h - events of accesses as rows of shapes: a row stands for all events of a region
 * in the batch.
 *
 * Source:     decode_regions.h.
 * Model:      events are counted in a hash table of their headers.  Which rows a batch has, and in
 *             which order, depends on the words of the batch alone: the reader of a killed
 *             process's ring finds the same.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_SHAPES_H
#define CAB_RT_DECODE_SHAPES_H

#include "analyses/wire/decode.h"

/* Take consecutive events, of the N words at WORDS, that are whole passes through regions, or
   little else.  Return how many words they have. */
size_t cab_decode_take_shapes (struct cab_decode *d, const uint64_t *words, size_t n);

/* Count the whole passes through R, which has a shape, of the event in progress, whose header is
   HEADER.  What is left of it is expanded access by access. */
void cab_decode_add_shape (struct cab_decode *d, uint64_t header, const struct cab_region *r);

/* Add a row for each of the rows of nest R, of which the event in progress is an execution, unless
   these are too many, or counting takes too long. */
void cab_decode_add_nest (struct cab_decode *d, const struct cab_region *r);

#endif
