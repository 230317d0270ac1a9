/* keyed.h - rows of batches, sorted by key into the parts of an analysis that is sharded by key.
 *
 * Source:     M. D. Allen, G. S. Sohi: Metadata-Based Parallelization of Program Instrumentation
 *             (TR 1608, 2008): serializers, and serialization sets that are mapped to delegates.
 * Model:      pure.  A key is hashed, so that neither strides nor small numbers favour a part.
 *             Rows are copied column by column to what the host has for each part, in program
 *             order.  Accesses that are keyed by address are cut at the borders of blocks
 *             first; where rows of loops are among them, a row goes to each part that it concerns,
 *             uncut (keyed_shares.c).  Which rows a part gets depends on the rows and the number of
 *             parts alone.
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
    other[CAB_KEYED_ROWS], bytes[CAB_KEYED_ROWS], value[CAB_KEYED_ROWS], times[CAB_KEYED_ROWS],
    step[CAB_KEYED_ROWS];
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
  uint64_t concerns[CAB_KEYED_ROWS];                 /* bit P: the row concerns part P */
  struct cab_keyed_rows *open[CAB_KEYED_PARTS];      /* the last rows of each part; null: none */
};

/* Return the part of KEY: the high bits of a product by the golden ratio, scaled to N_PARTS, which
   need not be a power of two. */
static inline uint32_t
cab_keyed_part (uint64_t key, uint32_t n_parts)
{
  return (key * UINT64_C (0x9e3779b97f4a7c15) >> 32) * n_parts >> 32;
}

/* Return how many of the N accesses that begin at ADDRESS, ADDRESS + STEP and so on begin in the
   first one's block of 1 << LOG2 bytes, before one that does not; N is not 0. */
static inline uint64_t
cab_keyed_run (uint64_t address, uint64_t step, uint64_t n, unsigned log2)
{
  uint64_t block = UINT64_C (1) << log2, at = address & (block - 1), run;
  if (!step)
    return n;
  run = (int64_t) step < 0 ? at / -step + 1 : (block - at - 1) / step + 1;
  return run < n ? run : n;
}

/* Return why ANALYSIS cannot be sharded by its key, or null if it can be. */
const char *cab_keyed_wrong (const struct cab_analysis *analysis);

/* Return true if rows of ANALYSIS, which is sharded by key, go uncut to each part that they
   concern. */
static inline bool
cab_keyed_shares (const struct cab_analysis *analysis)
{
  return analysis->key == CAB_KEY_ADDRESS && analysis->wants & CAB_WANTS_LOOPS;
}

/* Return true if rows of ANALYSIS, which is sharded by key, are cut; then one part is also fed by
   cab_keyed_rows. */
static inline bool
cab_keyed_cuts (const struct cab_analysis *analysis)
{
  return analysis->key == CAB_KEY_ADDRESS && analysis->kinds >> CAB_EV_ACCESS & 1
      && !cab_keyed_shares (analysis);
}

/* Return the binary logarithm of the bytes of a block of ANALYSIS, whose key is an address. */
static inline unsigned
cab_keyed_log2 (const struct cab_analysis *analysis)
{
  return analysis->key_log2 ? analysis->key_log2 : CAB_KEY_LOG2;
}

/* Give the rows of BATCH, which has neither shapes nor regions, to HOST, in N_PARTS parts by the
   key of ANALYSIS. */
void cab_keyed_rows (struct cab_keyed_split *split, const struct cab_analysis *analysis,
		     const struct cab_batch *batch, uint32_t n_parts,
		     const struct cab_keyed_host *host);

/* Do so for an analysis of which cab_keyed_shares is true; cab_keyed_rows calls it. */
void cab_keyed_share_rows (struct cab_keyed_split *split, const struct cab_analysis *analysis,
			   const struct cab_batch *batch, uint32_t n_parts,
			   const struct cab_keyed_host *host);

#endif
