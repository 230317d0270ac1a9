/* value_cells.c - see value_cells.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/value_cells.h"
#include <sys/param.h>

/* Count VALUE in the table of CELL N times more. */
static void
add_value (uint64_t *cell, uint64_t value, uint64_t n)
{
  uint64_t *table = cell + CAB_CELL_TABLE, *least = table, *at = table,
	   *end = table + 2 * cell[CAB_CELL_N];
  for (; at < end && at[0] != value; at += 2)
    if (at[1] < least[1])
      least = at;
  if (at < end)
    at[1] += n;
  else if (cell[CAB_CELL_N] < CAB_CELL_VALUES)
    {
      at[0] = value;
      at[1] = n;
      cell[CAB_CELL_N]++;
    }
  else if (least[1] < n)
    {
      least[0] = value;
      least[1] = n;
    }
}

void
cab_value_cell_add (uint64_t *to, const uint64_t *from)
{
  for (int i = 0; i < CAB_CELL_N; i++)
    if (i == CAB_CELL_OR)
      to[i] |= from[i];
    else
      to[i] += from[i];
  for (uint64_t i = 0; i < MIN (from[CAB_CELL_N], CAB_CELL_VALUES); i++)
    add_value (to, from[CAB_CELL_TABLE + 2 * i], from[CAB_CELL_TABLE + 2 * i + 1]);
}
