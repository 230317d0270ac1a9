/* text.h - text assembled in a buffer of the caller.
 *
 * Model:      no stdio: it allocates, takes locks, and belongs to the program.
 * Errors:     what does not fit is cut off, and `cut` is set.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_TEXT_H
#define CAB_RT_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct cab_text
{
  char *at;
  size_t n, bytes;   /* N: length so far; BYTES: size of the buffer, its NUL included */
  int cut;
};
#define CAB_TEXT(array) { (array), 0, sizeof (array), 0 }

void cab_text_add (struct cab_text *t, const char *s);
void cab_text_add_bytes (struct cab_text *t, const char *s, size_t n);
void cab_text_number (struct cab_text *t, uint64_t n, unsigned base);

#endif
