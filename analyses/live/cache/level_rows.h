/* level_rows.h - cuts accesses into rows that have one level each.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the runtime, which knows no analysis by name.  A range, and an access that is
 *             longer than a line of D1, becomes a row for each line that it touches, in ascending
 *             order; of one longer than CAB_CACHE_RANGE_MOST only the first so many bytes count.
 *             Other rows stay as they are.  How rows are cut depends on them and on the line alone.
 * Shapes:     CAB_BATCH_MAX rows at most in each batch that is given.
 * Threads:    a struct cab_level_rows belongs to one thread at a time.  It is large: not for a
 *             stack.
 */
#ifndef CAB_LEVEL_ROWS_H
#define CAB_LEVEL_ROWS_H

#include "cabprof/analysis.h"

/* Working memory.  `level' is for the host, which fills it in. */
struct cab_level_rows
{
  uint64_t address[CAB_BATCH_MAX], other[CAB_BATCH_MAX], bytes[CAB_BATCH_MAX],
    value[CAB_BATCH_MAX];
  uint32_t site[CAB_BATCH_MAX], node[CAB_BATCH_MAX];
  uint8_t form[CAB_BATCH_MAX], value_type[CAB_BATCH_MAX], level[CAB_BATCH_MAX];
};

/* Return the binary logarithm of the bytes of a line that rows are cut at, and the levels of the
   rows of the last feed, which are valid until the next one.  LEVELS is a state of `levels'. */
uint32_t cab_level_rows_line_log2 (const struct cab_arena *levels);
const uint8_t *cab_level_rows_last (const struct cab_arena *levels);
/* Give the rows of BATCH, cut at lines of 1 << LINE_LOG2 bytes, to GIVE with HOST. */
void cab_level_rows_cut (struct cab_level_rows *rows, const struct cab_batch *batch,
			 uint32_t line_log2, void *host,
			 void (*give) (void *host, const struct cab_batch *batch));

#endif
