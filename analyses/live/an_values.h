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

/* How many different strides the values of one access had. */
enum cab_values_stride
{
  CAB_STRIDE_NONE,
  CAB_STRIDE_ONE,             /* all of them were `stride' */
  CAB_STRIDE_SEVERAL
};
/* The values of one type of one access.  TYPE is that of the values (enum cab_value_type and
   flags), or CAB_VALUE_NONE for events that have no value. */
struct cab_values_row
{
  uint32_t number;            /* 0: accesses of functions whose record was not available */
  uint8_t type;
  bool ordered;               /* `least' and `greatest' are valid */
  uint64_t events;            /* including allocations and releases, which have no value */
  uint64_t zero, same;        /* events whose value was 0; events whose value was that of the
				 previous one in the same thread */
  uint64_t least, greatest;
  uint64_t strides;           /* events whose value differed from the previous one by as much as
				 that one from its predecessor, and not by 0 */
  enum cab_values_stride has_stride;
  uint64_t stride;            /* modulo 2^64 */
  uint64_t lossy;             /* number of tables, of threads and processes, that values had to
				 leave; if it is not 0, the access may have had other values than
				 those that are left */
};
/* One value of one type of one access; it occurred N times. */
struct cab_values_value
{
  uint32_t number;
  uint8_t type;
  uint64_t value, n;
  bool lower;                 /* n is a lower bound */
};
/* Store to ROW the next access after *CURSOR (0 at first), in no particular order.  Return false at
   the end. */
bool cab_values_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_values_row *row);
/* Store to VALUE the next value of any access after *CURSOR (0 at first), in no particular order.
   Return false at the end. */
bool cab_values_value_next (const struct cab_arena *arena, uint64_t *cursor,
			    struct cab_values_value *value);

#endif
