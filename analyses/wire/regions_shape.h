/* regions_shape.h - columns, shapes and spans of regions; for regions*.c.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      regions_table.h.
 */
#ifndef CAB_REGIONS_SHAPE_H
#define CAB_REGIONS_SHAPE_H

#include "analyses/wire/regions_table.h"

/* Return where the columns are. */
struct cab_region_columns cab_region_columns (const struct cab_regions *to);

/* Make the columns of REGION, whose accesses have all been read, and what a decoder needs at
   once. */
void cab_region_shape (const struct cab_regions *to, struct cab_region *region);

/* Make the spans of REGION, or of a nest's part. */
void cab_region_span (const struct cab_regions *to, struct cab_region *region);

/* Find the twins of N accesses at ACCESS, which happen together in a pass. */
void cab_region_twins (struct cab_region_access *access, uint32_t n);

#endif
