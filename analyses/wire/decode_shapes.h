/* decode_shapes.h - events of accesses as rows of shapes: a row stands for all events of a region
 * in the batch.
 *
 * Source:     decode_regions.h.
 * Model:      events are counted in place, where a hash of their header leads.  Which rows there
 *             are, and in which order, depends on the words of the batch alone: who reads the ring
 *             of a process that was killed finds the same.
 * Threads:    as the decoder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_SHAPES_H
#define CAB_RT_DECODE_SHAPES_H

#include "analyses/wire/decode.h"

/* Words, of the N at WORDS, of events that are whole passes through regions, or little else, in a
   row. */
size_t cab_decode_take_shapes (struct cab_decode *d, const uint64_t *words, size_t n);

/* The event under way, whose header is HEADER, tells whole passes through R, which has a shape:
   they are counted.  What is left of it comes access by access. */
void cab_decode_add_shape (struct cab_decode *d, uint64_t header, const struct cab_region *r);

/* The event under way tells an execution of nest R: a row for each of its rows, unless these are
   too many, or counting takes too long. */
void cab_decode_add_nest (struct cab_decode *d, const struct cab_region *r);

#endif
