/* batch_rows.h - the beginning of a batch that a state has had already, because feeding was cut
 * off.
 *
 * Model:      pure.
 * Units:      rows; events are what `applied' counts.
 * Threads:    as the batch.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_BATCH_ROWS_H
#define CAB_BATCH_ROWS_H

#include "cabprof/analysis.h"

/* Return how many rows of BATCH represent its first EVENTS events. */
uint32_t cab_batch_rows_of (const struct cab_batch *batch, uint64_t events);
/* Remove the first SKIP rows of BATCH, which is not one of regions. */
void cab_batch_skip (struct cab_batch *batch, uint32_t skip);

#endif
