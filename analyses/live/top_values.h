/* top_values.h - the table of the most frequent values of one place in the code.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     B. Calder, P. Feller, A. Eustace: Value Profiling (MICRO 1997), the TNV table.
 * Model:      A table has PLACES places, each with a value and how often it occurred.  The first
 *             half is the steady part, the other half the clearing part.  An occurrence of a value
 *             that is in the table is counted.  A new value takes the first free place; if there is
 *             none, it replaces the least frequently used value of the clearing part.  At an
 *             interval of executions the clearing part is cleared: the table is sorted by count,
 *             its more frequent half becomes the steady part, and the other half becomes free.  So
 *             a new value can rise; the paper wants the interval to be larger than the count of the
 *             least frequently used value of the steady part.  From the paper: 50 places in halves,
 *             replacement, clearing, the rule for the interval.  Ours: 64 places unless told
 *             otherwise; an interval of CAB_TOP_CLEAR executions, longer where the rule asks for
 *             it; no clearing before a value had to leave, so that a table with room for all values
 *             is exact; of equally frequent values the one in the last place leaves, and one in an
 *             earlier place stays before one in a later place when the table is sorted.
 * Shapes:     values[n], counts[n].  Bit CAB_TOP_LOWER of a count: the value may have been in the
 *             table before, and have left it; the count is a lower bound.
 * Threads:    pure; nothing is changed but what the arrays of `to' hold.
 */
#ifndef CAB_TOP_VALUES_H
#define CAB_TOP_VALUES_H

#include <stdint.h>

#define CAB_TOP_PLACES 64u
#define CAB_TOP_PLACES_LEAST 2u
#define CAB_TOP_PLACES_MOST 256u
#define CAB_TOP_CLEAR 2000u
#define CAB_TOP_LOWER (UINT64_C (1) << 63)

/* A table, by its arrays; see Shapes. */
struct cab_top_table
{
  uint64_t *values, *counts;
};

/* Return COUNT without the flag CAB_TOP_LOWER. */
static inline uint64_t
cab_top_count (uint64_t count)
{
  return count & ~CAB_TOP_LOWER;
}

/* Return the place of VALUE among the first USED ones, or -1. */
static inline int
cab_top_find (const struct cab_top_table *table, unsigned used, uint64_t value)
{
  for (unsigned i = 0; i < used; i++)
    if (table->values[i] == value)
      return i;
  return -1;
}

/* Return the place that a new value takes in a table whose PLACES places are all used. */
static inline unsigned
cab_top_victim (const struct cab_top_table *table, unsigned places)
{
  unsigned victim = places - 1;
  for (unsigned i = places - 1; i-- > places / 2;)
    if (cab_top_count (table->counts[i]) < cab_top_count (table->counts[victim]))
      victim = i;
  return victim;
}

/* Return the interval, in executions, until the next clearing of a table whose steady part is full:
   CLEAR, which was asked for, or more where the paper's rule wants it. */
static inline uint64_t
cab_top_interval (const struct cab_top_table *table, unsigned places, uint64_t clear)
{
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < places / 2; i++)
    least = cab_top_count (table->counts[i]) < least ? cab_top_count (table->counts[i]) : least;
  return least + 1 > clear ? least + 1 : clear;
}

/* Fill TO, which has PLACES places of any content, with the more frequent half of the USED values
   of FROM, sorted; return how many these are. */
static inline unsigned
cab_top_clear (const struct cab_top_table *to, const struct cab_top_table *from, unsigned used,
	       unsigned places)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < used; i++)
    {
      unsigned at = kept < places / 2 ? kept++ : places / 2;
      uint64_t count = cab_top_count (from->counts[i]);
      for (; at > 0 && cab_top_count (to->counts[at - 1]) < count; at--)
	if (at < places / 2)
	  to->values[at] = to->values[at - 1], to->counts[at] = to->counts[at - 1];
      if (at < places / 2)
	to->values[at] = from->values[i], to->counts[at] = from->counts[i];
    }
  return kept;
}

#endif
