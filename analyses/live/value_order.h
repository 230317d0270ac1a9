/* value_order.h - the order of the values of an access, whatever their type, and which of them are
 * zero.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A value is 64 bits with a type (enum cab_value_type and flags).  Its rank is an
 *             unsigned number: of two values of one type the greater one has the greater rank.
 *             Bits, parts of wider integers, and NaNs have none.
 * Threads:    pure.
 */
#ifndef CAB_VALUE_ORDER_H
#define CAB_VALUE_ORDER_H

#include <stdbool.h>
#include "cabprof/analysis.h"

#define CAB_VALUE_SIGN (UINT64_C (1) << 63)
#define CAB_VALUE_SIGN_OF_FLOAT (UINT64_C (1) << 31)

/* Return true if VALUE of TYPE is zero.  Both zeros of a floating-point type are. */
static inline bool
cab_value_is_zero (uint64_t value, uint8_t type)
{
  unsigned kind = type & CAB_VALUE_TYPE;
  return (kind == CAB_VALUE_FLOAT ? value & INT32_MAX
	  : kind == CAB_VALUE_DOUBLE ? value << 1
	  : value)
      == 0;
}

/* Return true if differences between values of TYPE mean something, as those of whole integers
   do. */
static inline bool
cab_value_has_steps (uint8_t type)
{
  unsigned kind = type & CAB_VALUE_TYPE;
  return !(type & CAB_VALUE_PART) && (kind == CAB_VALUE_UNSIGNED || kind == CAB_VALUE_SIGNED);
}

/* Return the bits of a floating-point number, whose sign is SIGN, as a number in the order of the
   values. */
static inline uint64_t
cab_value_rank_bits (uint64_t bits, uint64_t sign)
{
  return bits & sign ? ~bits & (sign | (sign - 1)) : bits | sign;
}

/* Store the rank of VALUE to *TO.  Return false if it has none; *TO is then without meaning. */
static inline bool
cab_value_rank (uint64_t value, uint8_t type, uint64_t *to)
{
  switch (type & CAB_VALUE_TYPE)
    {
    case CAB_VALUE_FLOAT:
      *to = cab_value_rank_bits (value & UINT32_MAX, CAB_VALUE_SIGN_OF_FLOAT);
      return (value & INT32_MAX) <= UINT32_C (0x7f800000);
    case CAB_VALUE_DOUBLE:
      *to = cab_value_rank_bits (value, CAB_VALUE_SIGN);
      return (value & ~CAB_VALUE_SIGN) <= UINT64_C (0x7ff) << 52;
    case CAB_VALUE_SIGNED:
      *to = value ^ CAB_VALUE_SIGN;
      return !(type & CAB_VALUE_PART);
    case CAB_VALUE_UNSIGNED:
      *to = value;
      return !(type & CAB_VALUE_PART);
    default:
      return false;
    }
}

/* Return the value of TYPE whose rank is RANK. */
static inline uint64_t
cab_value_of_rank (uint64_t rank, uint8_t type)
{
  switch (type & CAB_VALUE_TYPE)
    {
    case CAB_VALUE_SIGNED: return rank ^ CAB_VALUE_SIGN;
    case CAB_VALUE_FLOAT:
      return rank & CAB_VALUE_SIGN_OF_FLOAT ? rank ^ CAB_VALUE_SIGN_OF_FLOAT : ~rank & UINT32_MAX;
    case CAB_VALUE_DOUBLE: return rank & CAB_VALUE_SIGN ? rank ^ CAB_VALUE_SIGN : ~rank;
    default: return rank;
    }
}

#endif
