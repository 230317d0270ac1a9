/* value_text.h - the value of an access as people read it.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_VALUE_TEXT_H
#define CAB_VALUE_TEXT_H

#include <stdint.h>

#define CAB_VALUE_BYTES 40

/* VALUE of TYPE (enum cab_value_type and flags) into TO: decimal, of floating-point numbers as many
   digits as it takes to tell them apart, of other bits hexadecimal; behind one that is not all of
   it stands "..".  Empty: there is none. */
void cab_value_text (char to[CAB_VALUE_BYTES], uint64_t value, unsigned type);

#endif
