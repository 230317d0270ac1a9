/* address_blocks.h - fold the rows of a table of accesses, with medians over the blocks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_ADDRESS_BLOCKS_H
#define CAB_ADDRESS_BLOCKS_H

#include "analyses/base/table.h"

/* Columns of the table, by number. */
struct cab_address_blocks
{
  int samples;           /* how many accesses a row stands for */
  int bytes, age;        /* plain numbers, of the block of a row: 0 bytes mean that it has none;
			    age in ns */
  int median_bytes;      /* a tally */
  int median_age;        /* a mean, in ms */
};

/* Merge rows of TABLE that differ in counts, shares, bytes and ages only, and set the medians, each
   row weighted by its samples.  A row without blocks has none. */
void cab_address_blocks_fold (struct cab_table *table, const struct cab_address_blocks *columns);

#endif
