/* value_cells.h - adds up cells of values.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     cabprof/value_cell.h, which has the layout.
 */
#ifndef CAB_VALUE_CELLS_H
#define CAB_VALUE_CELLS_H

#include <stdint.h>
#include "cabprof/value_cell.h"

/* Add the cell FROM, which may have been damaged, to the cell TO.  Of more values than a cell has
   entries the most frequent ones stay. */
void cab_value_cell_add (uint64_t *to, const uint64_t *from);

#endif
