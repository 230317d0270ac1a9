/* part_control.h - the pauses and regions of a part: cabprof/control.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ownership:  counters belong to the caller (free).
 * Errors:     as part.h.
 */
#ifndef CAB_PART_CONTROL_H
#define CAB_PART_CONTROL_H

#include "analyses/profile/part.h"
#include "cabprof/control.h"

/* Copy the control page of PART.  Return false if it has none that can be read. */
bool cab_part_control (const struct cab_part *part, struct cab_part_control *control);

/* Return the counter area OWNER like cab_part_area, less what was counted in pauses. */
uint64_t *cab_part_counts (const struct cab_part *part, unsigned owner, uint64_t *bytes,
			   struct cab_diag *diag);

/* Return the rows of regions, *N of them; null: there are none, or (*N nonzero) they are
   damaged. */
struct cab_part_region *cab_part_regions (const struct cab_part *part, uint32_t *n,
					  struct cab_diag *diag);
/* Return the counters of region ROW, which has NUMBER, *BYTES long; null as in cab_part_area. */
uint64_t *cab_part_region_counts (const struct cab_part *part, uint32_t number,
				  const struct cab_part_region *row, uint64_t *bytes,
				  struct cab_diag *diag);

/* Return by arena the set of regions whose events it has, *N numbers; arenas from *N on have set
   0. */
uint32_t *cab_part_arena_sets (const struct cab_part *part, uint32_t *n);
/* Return the rows of CAB_EXT_ARENA_PARTS (free), and their number in *N. */
struct cab_part_arena_part *cab_part_arena_parts (const struct cab_part *part, uint32_t *n);
/* Return the rows of CAB_EXT_DELEGATES (free), and their number in *N. */
struct cab_part_delegate *cab_part_delegates (const struct cab_part *part, uint32_t *n);
/* Return the rows of sets, *N of them, checked; null: there are none, or they are damaged. */
struct cab_part_set *cab_part_sets (const struct cab_part *part, uint32_t *n);

#endif
