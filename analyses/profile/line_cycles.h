/* line_cycles.h - count how often control cycled among the blocks of a line.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     gcov of GCC 12, whose counts of lines these are part of; elementary cycles by Johnson
 *             (SIAM J. Comput. 4, 1975).
 * Model:      cycles are taken one after the other, from each block in turn.  Each counts as often
 *             as its rarest arc has not been used up by an earlier one.  So there are at most as
 *             many cycles as arcs, and the order of blocks and arcs matters.
 * Shapes:     blocks are 0 .. n - 1; the arcs out of block B are first[B] .. first[B + 1] - 1, to
 *             TO[arc], taken COUNT[arc] times.
 * Time:       for each block that an arc leads back to, at most cycles * arcs.
 * Ownership:  all arrays are the caller's; COUNT holds what remains afterwards.
 */
#ifndef CAB_LINE_CYCLES_H
#define CAB_LINE_CYCLES_H

#include <stdint.h>

struct cab_line_graph
{
  uint32_t n;
  uint32_t *first, *to;
  uint64_t *count;
};

/* Return the sum of the counts of the cycles of GRAPH, and subtract them from its arcs. */
uint64_t cab_line_cycles (struct cab_line_graph *graph);

#endif
