/* put_number.h - a number as text, without the C library.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_PRELOAD_PUT_NUMBER_H
#define CAB_PRELOAD_PUT_NUMBER_H

#include <stdint.h>

/* Write VALUE in decimal to TO, which has room for 20 characters.  Return the end of it; no 0 is
   appended. */
static inline char *
put_number (char *to, uint64_t value)
{
  char digits[20];
  int n = 0;
  do
    digits[n++] = '0' + value % 10;
  while (value /= 10);
  while (n)
    *to++ = digits[--n];
  return to;
}

#endif
