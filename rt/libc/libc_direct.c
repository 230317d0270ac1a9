/* libc_direct.c - what the quick way of placement=direct (rt/engine/ring/direct.h) has in place of
 * libc_string.c, whose functions use vector registers.  Compiled without libc.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <stddef.h>

#define HIDDEN __attribute__ ((visibility ("hidden")))

HIDDEN void *cab_libc_memcpy (void *restrict to, const void *restrict from, size_t n);
HIDDEN void *cab_libc_memset (void *to, int byte, size_t n);
HIDDEN size_t cab_libc_strlen (const char *s);
HIDDEN size_t cab_libc_strcspn (const char *s, const char *ends);
HIDDEN int cab_libc_memcmp (const void *a, const void *b, size_t n);

void *
cab_libc_memcpy (void *restrict to, const void *restrict from, size_t n)
{
  void *at = to;
  __asm__ volatile ("rep movsb" : "+D" (at), "+S" (from), "+c" (n) : : "memory");
  return to;
}

void *
cab_libc_memset (void *to, int byte, size_t n)
{
  void *at = to;
  __asm__ volatile ("rep stosb" : "+D" (at), "+c" (n) : "a" (byte) : "memory");
  return to;
}

size_t
cab_libc_strlen (const char *s)
{
  const char *end = s;
  while (*end)
    end++;
  return end - s;
}

size_t
cab_libc_strcspn (const char *s, const char *ends)
{
  const char *at = s;
  for (; *at; at++)
    for (const char *end = ends; *end; end++)
      if (*end == *at)
	return at - s;
  return at - s;
}

int
cab_libc_memcmp (const void *a, const void *b, size_t n)
{
  const unsigned char *p = a, *q = b;
  while (n && *p == *q)
    p++, q++, n--;
  return n ? *p - *q : 0;
}
