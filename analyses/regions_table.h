/* regions_table.h - how the table of regions.h is filled; for regions*.c.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      regions.c reads the lines, regions_shape.c makes columns, shapes and spans of what was read, regions_nest.c what nests have besides.
 */
#ifndef CAB_REGIONS_TABLE_H
#define CAB_REGIONS_TABLE_H

#include "record_line.h"
#include "regions.h"

/* The columns of all accesses, in the order of the table. */
struct cab_region_columns
{
  uint64_t *bytes, *offset;
  uint32_t *site;
  uint8_t *form, *word;
};
#define CAB_REGION_COLUMN_BYTES (2 * sizeof (uint64_t) + sizeof (uint32_t) + 2)

struct cab_region_columns cab_region_columns (const struct cab_regions *to);

/* Columns of REGION, which has all its accesses, and what a decoder wants to see at once.  Its spans, or those of a nest's part. */
void cab_region_shape (const struct cab_regions *to, struct cab_region *region);
void cab_region_span (const struct cab_regions *to, struct cab_region *region);
/* ACCESS, N of them, which a pass has together, learn of their twins. */
void cab_region_twins (struct cab_region_access *access, uint32_t n);

/* Operations that nests may have: those of the levels and their ends, and of rows. */
static inline size_t
cab_regions_most_ops (const struct cab_regions *to)
{
  return to->n_levels ? (size_t) 2 * to->n_levels + to->n_accesses : 0;
}

/* The region whose number is in field I, an R line having told it; null if there is none such. */
struct cab_region *cab_regions_named (struct cab_regions *to, const struct cab_record_line *l, int i);

/* The lines of the nests; negative: they are wrong.  All accesses are there. */
int cab_regions_nests (struct cab_regions *to, const char *text, size_t n);

#endif
