/* keyed.h - rows of batches, sorted by key into the parts of an analysis that is sharded by key.
 *
 * Source:     M. D. Allen, G. S. Sohi: Metadata-Based Parallelization of Program Instrumentation
 *             (TR 1608, 2008): serializers, and serialization sets that are mapped to delegates.
 * Model:      pure.  A key is hashed, so that neither strides nor small numbers favour a part.
 *             Rows are copied column by column to what the host has for each part, in program
 *             order.  Accesses that are keyed by address are cut at the borders of blocks
 *             first.  Which rows a part gets depends on the rows and the number of parts alone.
 * Units:      rows; CAB_KEYED_ROWS of them at most in one piece.
 * Threads:    a struct cab_keyed_split belongs to one thread at a time.  It is large: not for a
 *             stack.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_KEYED_H
#define CAB_KEYED_H

#include <stdbool.h>
#include "cabprof/analysis.h"

#define CAB_KEYED_ROWS 512u
#define CAB_KEYED_PARTS 64u   /* most parts */

/* Rows of one part, of one kind and thread.  Columns of `batch' are those below, or null. */
struct cab_keyed_rows
{
  struct cab_batch batch;
  uint64_t events[CAB_KEYED_ROWS], count[CAB_KEYED_ROWS], address[CAB_KEYED_ROWS],
    other[CAB_KEYED_ROWS], bytes[CAB_KEYED_ROWS], value[CAB_KEYED_ROWS];
  uint32_t fn[CAB_KEYED_ROWS], site[CAB_KEYED_ROWS], node[CAB_KEYED_ROWS], loop[CAB_KEYED_ROWS];
  uint8_t form[CAB_KEYED_ROWS], value_type[CAB_KEYED_ROWS];
};

/* Make ROWS empty, with the columns of BATCH. */
void cab_keyed_begin (struct cab_keyed_rows *rows, const struct cab_batch *batch);
/* Return true if N rows of BATCH can be added to ROWS. */
bool cab_keyed_fits (const struct cab_keyed_rows *rows, const struct cab_batch *batch, uint32_t n);

/* Where the rows of a batch go. */
struct cab_keyed_host
{
  void *host;
  /* Return rows of part PART which N rows of BATCH fit, or null if they are to be dropped. */
  struct cab_keyed_rows *(*room) (void *host, uint32_t part, const struct cab_batch *batch,
				  uint32_t n);
};

/* Working memory. */
struct cab_keyed_split
{
  struct cab_keyed_rows cut;
  uint8_t part[CAB_KEYED_ROWS];
  uint16_t row[CAB_KEYED_ROWS];
  uint32_t n[CAB_KEYED_PARTS], end[CAB_KEYED_PARTS];
};

/* Return why ANALYSIS cannot be sharded by its key, or null if it can be. */
const char *cab_keyed_wrong (const struct cab_analysis *analysis);

/* Return true if rows of ANALYSIS, which is sharded by key, are cut; then one part is also fed by
   cab_keyed_rows. */
static inline bool
cab_keyed_cuts (const struct cab_analysis *analysis)
{
  return analysis->key == CAB_KEY_ADDRESS && analysis->kinds >> CAB_EV_ACCESS & 1;
}

/* Give the rows of BATCH, which has neither shapes nor regions, to HOST, in N_PARTS parts by the
   key of ANALYSIS. */
void cab_keyed_rows (struct cab_keyed_split *split, const struct cab_analysis *analysis,
		     const struct cab_batch *batch, uint32_t n_parts,
		     const struct cab_keyed_host *host);

#endif
