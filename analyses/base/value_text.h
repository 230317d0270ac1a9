/* value_text.h - the value of an access as people read it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_VALUE_TEXT_H
#define CAB_VALUE_TEXT_H

#include <stdint.h>

#define CAB_VALUE_BYTES 40

/* Write VALUE of TYPE (enum cab_value_type and flags) to TO: integers in decimal, floating-point
   numbers with as many digits as distinguish them, other bits in hexadecimal.  A value that is only
   a part of what was accessed is followed by "..".  TO is empty if there is no value. */
void cab_value_text (char to[CAB_VALUE_BYTES], uint64_t value, unsigned type);

#endif
