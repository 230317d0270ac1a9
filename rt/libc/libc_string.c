/* libc_string.c - functions of memory and strings for the runtime; see libc.h.
 * Compiled without libc.h, and with options that keep GCC from turning loops into calls (rt.mk).
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include <stddef.h>
#include <stdint.h>

#define HIDDEN __attribute__ ((visibility ("hidden")))
#define STRING_BYTES 1024u   /* from this size on the processor's own instruction is as fast as a
				loop */

typedef uint16_t two __attribute__ ((aligned (1), may_alias));
typedef uint32_t four __attribute__ ((aligned (1), may_alias));
typedef uint64_t eight __attribute__ ((aligned (1), may_alias));
typedef char sixteen __attribute__ ((vector_size (16), aligned (1), may_alias));

HIDDEN void *cab_libc_memcpy (void *restrict to, const void *restrict from, size_t n);
HIDDEN void *cab_libc_memmove (void *to, const void *from, size_t n);
HIDDEN void *cab_libc_memset (void *to, int c, size_t n);
HIDDEN int cab_libc_memcmp (const void *a, const void *b, size_t n);
HIDDEN void *cab_libc_memchr (const void *s, int c, size_t n);
HIDDEN size_t cab_libc_strlen (const char *s);
HIDDEN int cab_libc_strcmp (const char *a, const char *b);
HIDDEN int cab_libc_strncmp (const char *a, const char *b, size_t n);
HIDDEN char *cab_libc_strchr (const char *s, int c);
HIDDEN char *cab_libc_strrchr (const char *s, int c);
HIDDEN size_t cab_libc_strspn (const char *s, const char *accept);
HIDDEN size_t cab_libc_strcspn (const char *s, const char *reject);
HIDDEN char *cab_libc_strcpy (char *restrict to, const char *restrict from);
HIDDEN char *cab_libc_stpcpy (char *restrict to, const char *restrict from);

/* Copy N < 16 bytes; all are loaded before any is stored. */
static inline void
copy_few (char *to, const char *from, size_t n)
{
  if (n >= 8)
    {
      uint64_t first = *(const eight *) from, last = *(const eight *) (from + n - 8);
      *(eight *) to = first;
      *(eight *) (to + n - 8) = last;
    }
  else if (n >= 4)
    {
      uint32_t first = *(const four *) from, last = *(const four *) (from + n - 4);
      *(four *) to = first;
      *(four *) (to + n - 4) = last;
    }
  else if (n >= 2)
    {
      uint16_t first = *(const two *) from, last = *(const two *) (from + n - 2);
      *(two *) to = first;
      *(two *) (to + n - 2) = last;
    }
  else if (n)
    *to = *from;
}

/* Copy N >= 16 bytes in ascending order; FROM may lie above TO and overlap. */
static inline void
copy_up (char *to, const char *from, size_t n)
{
  sixteen last = *(const sixteen *) (from + n - 16);
  char *end = to + n - 16;
  for (; to < end; to += 16, from += 16)
    *(sixteen *) to = *(const sixteen *) from;
  *(sixteen *) end = last;
}

/* Copy N >= 16 bytes in descending order. */
static inline void
copy_down (char *to, const char *from, size_t n)
{
  sixteen first = *(const sixteen *) from;
  for (size_t at = n - 16; at > 0; at = at > 16 ? at - 16 : 0)
    *(sixteen *) (to + at) = *(const sixteen *) (from + at);
  *(sixteen *) to = first;
}

void *
cab_libc_memcpy (void *restrict to, const void *restrict from, size_t n)
{
  void *d = to;
  const void *s = from;
  if (n < 16)
    copy_few (to, from, n);
  else if (n < STRING_BYTES)
    copy_up (to, from, n);
  else
    __asm__ volatile ("rep movsb" : "+D" (d), "+S" (s), "+c" (n) : : "memory");
  return to;
}

void *
cab_libc_memmove (void *to, const void *from, size_t n)
{
  size_t up = (uintptr_t) to - (uintptr_t) from;
  if (n < 16)
    copy_few (to, from, n);
  else if (up >= n && -up >= n)
    cab_libc_memcpy (to, from, n);
  else if (up >= n)
    copy_up (to, from, n);
  else
    copy_down (to, from, n);
  return to;
}

void *
cab_libc_memset (void *to, int c, size_t n)
{
  char *p = to;
  void *d = to;
  uint64_t word = (unsigned char) c * UINT64_C (0x0101010101010101);
  if (n >= STRING_BYTES)
    __asm__ volatile ("rep stosb" : "+D" (d), "+c" (n) : "a" (c) : "memory");
  else if (n >= 16)
    {
      char *end = p + n - 16;
      const sixteen many = { c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c };
      for (; p < end; p += 16)
	*(sixteen *) p = many;
      *(sixteen *) end = many;
    }
  else if (n >= 8)
    *(eight *) p = *(eight *) (p + n - 8) = word;
  else if (n >= 4)
    *(four *) p = *(four *) (p + n - 4) = word;
  else if (n >= 2)
    *(two *) p = *(two *) (p + n - 2) = word;
  else if (n)
    *p = c;
  return to;
}

int
cab_libc_memcmp (const void *a, const void *b, size_t n)
{
  const unsigned char *p = a, *q = b;
  for (; n >= 8; p += 8, q += 8, n -= 8)
    {
      uint64_t x = *(const eight *) p, y = *(const eight *) q;
      if (x != y)
	return __builtin_bswap64 (x) < __builtin_bswap64 (y) ? -1 : 1;
    }
  for (; n; p++, q++, n--)
    if (*p != *q)
      return *p - *q;
  return 0;
}

/* Return a mask of which of the 16 bytes at P are C. */
static inline unsigned
equal_in (const char *p, char c)
{
  const sixteen many = { c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c };
  return __builtin_ia32_pmovmskb128 (*(const sixteen *) p == many);
}

void *
cab_libc_memchr (const void *s, int c, size_t n)
{
  const char *p = s;
  for (; n >= 16; p += 16, n -= 16)
    {
      unsigned found = equal_in (p, c);
      if (found)
	return (char *) p + __builtin_ctz (found);
    }
  for (; n; p++, n--)
    if (*p == (char) c)
      return (char *) p;
  return NULL;
}

size_t
cab_libc_strlen (const char *s)
{
  const char *p = s;
  while (*p)
    p++;
  return p - s;
}

int
cab_libc_strcmp (const char *a, const char *b)
{
  while (*a && *a == *b)
    a++, b++;
  return (unsigned char) *a - (unsigned char) *b;
}

int
cab_libc_strncmp (const char *a, const char *b, size_t n)
{
  for (; n && *a && *a == *b; n--)
    a++, b++;
  return n ? (unsigned char) *a - (unsigned char) *b : 0;
}

char *
cab_libc_strchr (const char *s, int c)
{
  for (; *s != (char) c; s++)
    if (!*s)
      return NULL;
  return (char *) s;
}

char *
cab_libc_strrchr (const char *s, int c)
{
  const char *found = NULL;
  do
    if (*s == (char) c)
      found = s;
  while (*s++);
  return (char *) found;
}

size_t
cab_libc_strspn (const char *s, const char *accept)
{
  size_t n = 0;
  while (s[n] && cab_libc_strchr (accept, s[n]))
    n++;
  return n;
}

size_t
cab_libc_strcspn (const char *s, const char *reject)
{
  size_t n = 0;
  while (s[n] && !cab_libc_strchr (reject, s[n]))
    n++;
  return n;
}

char *
cab_libc_stpcpy (char *restrict to, const char *restrict from)
{
  while ((*to = *from++))
    to++;
  return to;
}

char *
cab_libc_strcpy (char *restrict to, const char *restrict from)
{
  cab_libc_stpcpy (to, from);
  return to;
}
