/* text.c - see text.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/common/text.h"

#include <string.h>

void
cab_text_add_bytes (struct cab_text *t, const char *s, size_t n)
{
  size_t room = t->bytes - 1 - t->n;
  if (n > room)
    {
      n = room;
      t->cut = 1;
    }
  memcpy (t->at + t->n, s, n);
  t->n += n;
  t->at[t->n] = '\0';
}

void
cab_text_add (struct cab_text *t, const char *s)
{
  cab_text_add_bytes (t, s, strlen (s));
}

void
cab_text_number (struct cab_text *t, uint64_t n, unsigned base)
{
  char digits[64];
  int i = sizeof digits;
  do
    digits[--i] = "0123456789abcdef"[n % base];
  while ((n /= base) != 0);
  cab_text_add_bytes (t, digits + i, sizeof digits - i);
}
