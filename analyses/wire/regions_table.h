/* regions_table.h - how the table of regions.h is filled; for regions*.c.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      regions.c reads the lines, regions_shape.c makes columns, shapes and spans of what
 *             was read, regions_nest.c the operations and parts of nests.
 */
#ifndef CAB_REGIONS_TABLE_H
#define CAB_REGIONS_TABLE_H

#include "analyses/wire/record_line.h"
#include "analyses/wire/regions.h"

/* The columns of all accesses, in the order of the table. */
struct cab_region_columns
{
  struct cab_region_brief *brief;
  uint64_t *bytes, *offset;
  uint32_t *site;
  uint32_t *line;             /* by number, not in the table's order: where its A line begins in the
				 text, plus 1, or CAB_REGION_COPY; 0: it has no line */
  uint8_t *form, *word;
};
#define CAB_REGION_COLUMN_BYTES \
  (sizeof (struct cab_region_brief) + 2 * sizeof (uint64_t) + 2 * sizeof (uint32_t) + 2)
#define CAB_REGION_COPY UINT32_MAX   /* the line of an access that a P line has */

/* Return how many operations nests may have: those of the levels and their ends, and of rows. */
static inline size_t
cab_regions_most_ops (const struct cab_regions *to)
{
  return to->n_levels ? (size_t) 2 * to->n_levels + to->n_accesses : 0;
}

/* Make REGION a nest, whose accesses have all been read, from the lines after its R line, where
   LINES is.  Return false if they are wrong. */
bool cab_regions_nest (struct cab_regions *to, struct cab_region *region,
		       struct cab_record_line lines);
/* Go to the next line of the region that L is in.  Return false if there is none. */
bool cab_regions_next (struct cab_record_line *l);

#endif
