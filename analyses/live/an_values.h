/* an_values.h - the values that accesses read and write: what a state holds.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      for the reader of profiles and for tests.  Each call takes an arena that the
 *             analysis' check accepted.
 * Units:      events.
 * Threads:    nobody may feed the arena meanwhile.
 */
#ifndef CAB_AN_VALUES_H
#define CAB_AN_VALUES_H

#include <stdbool.h>
#include "cabprof/analysis.h"

extern const struct cab_analysis cab_values;

/* The next access behind *CURSOR (0 at first), in no order, and the next value of one;
   false at the end.  TYPE is that of the values (enum cab_value_type and flags); CAB_VALUE_NONE:
   these have none. */
enum cab_values_stride
{
  CAB_STRIDE_NONE,
  CAB_STRIDE_ONE,             /* all strides were `stride' */
  CAB_STRIDE_SEVERAL
};
struct cab_values_row
{
  uint32_t number;            /* 0: of functions whose record was not to be had */
  uint8_t type;
  bool ordered;               /* there are least and greatest */
  uint64_t events;            /* with allocations and releases, which have no value */
  uint64_t zero, same;        /* 0; as the time before in the same thread */
  uint64_t least, greatest;
  uint64_t strides;           /* that differed from the time before by as much as that from the one
				 before, and not by 0 */
  enum cab_values_stride has_stride;
  uint64_t stride;            /* modulo 2^64 */
  uint64_t lossy;             /* tables, of threads and processes, that values had to leave: there
				 may be others than those that are left */
};
struct cab_values_value
{
  uint32_t number;
  uint8_t type;
  uint64_t value, n;
  bool lower;                 /* n is a lower bound */
};
bool cab_values_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_row *row);
bool cab_values_value_next (const struct cab_arena *arena, uint64_t *cursor,
			    struct cab_values_value *value);

#endif
