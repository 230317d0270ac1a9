/* value_text.c - see value_text.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/value_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "cabprof/analysis.h"

void
cab_value_text (char to[CAB_VALUE_BYTES], uint64_t value, unsigned type)
{
  const char *more = type & CAB_VALUE_PART ? ".." : "";
  uint32_t low = value;
  float single;
  double number;
  memcpy (&single, &low, sizeof single);
  memcpy (&number, &value, sizeof number);
  *to = 0;
  switch (type & CAB_VALUE_TYPE)
    {
    case CAB_VALUE_UNSIGNED: snprintf (to, CAB_VALUE_BYTES, "%" PRIu64 "%s", value, more); break;
    case CAB_VALUE_SIGNED:
      snprintf (to, CAB_VALUE_BYTES, "%" PRId64 "%s", (int64_t) value, more);
      break;
    case CAB_VALUE_FLOAT: snprintf (to, CAB_VALUE_BYTES, "%.9g%s", single, more); break;
    case CAB_VALUE_DOUBLE: snprintf (to, CAB_VALUE_BYTES, "%.17g%s", number, more); break;
    case CAB_VALUE_BITS: snprintf (to, CAB_VALUE_BYTES, "%#" PRIx64 "%s", value, more); break;
    default: break;
    }
}
