/* record_line.c - see record_line.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/record_line.h"
#include <string.h>

struct cab_record_line
cab_line_begin (const char *text, size_t n)
{
  const char *nul = memchr (text, 0, n);
  return cab_line_from (text, nul ? nul : text + n);
}

bool
cab_line_next (struct cab_record_line *l)
{
  if (l->next >= l->end)
    return false;
  const char *stop = memchr (l->next, '\n', l->end - l->next);
  l->text = l->next;
  l->stop = stop ? stop : l->end;
  l->next = l->stop + (l->stop < l->end);
  return true;
}

const struct cab_record_line *
cab_line_split (struct cab_record_line *l, int most)
{
  const char *p = l->text;
  for (l->n = 0; l->n < most; p++)
    {
      const char *from = p;
      while (p < l->stop && *p != '\t')
	p++;
      l->field[l->n] = from;
      l->length[l->n++] = p - from;
      if (p == l->stop)
	break;
    }
  return l;
}

bool
cab_line_digits (const char *p, size_t n, uint64_t most, uint64_t *to)
{
  uint64_t value = 0;
  bool bad = n == 0;
  for (size_t i = 0; i < n; i++)
    {
      unsigned digit = (unsigned char) p[i] - '0';
      bad |= digit > 9 || __builtin_mul_overflow (value, 10, &value)
	  || __builtin_add_overflow (value, digit, &value);
    }
  *to = value;
  return !bad && value <= most;
}

bool
cab_line_number (const struct cab_record_line *l, int i, uint64_t most, uint64_t *to)
{
  return cab_line_digits (l->field[i], l->length[i], most, to);
}

bool
cab_line_signed (const struct cab_record_line *l, int i, uint64_t *to)
{
  bool minus = l->length[i] && *l->field[i] == '-';
  bool good = cab_line_digits (l->field[i] + minus, l->length[i] - minus, UINT64_MAX, to);
  *to = minus ? -*to : *to;
  return good;
}

/* Take the decimal number, below UINT32_MAX, at *P, and move *P past its digits. */
static bool
take_number (const char **p, const char *end, uint64_t *to)
{
  const char *from = *p;
  uint64_t value = 0;
  for (unsigned digit; *p < end && value < UINT32_MAX && (digit = (unsigned char) **p - '0') <= 9;
       ++*p)
    value = value * 10 + digit;
  *to = value;
  return *p > from && value < UINT32_MAX;
}

bool
cab_line_run (const char **p, const char *end, struct cab_line_run *run)
{
  uint64_t first, last;
  if (!take_number (p, end, &first))
    return false;
  last = first;
  if (*p < end && **p == '-' && (++*p, !take_number (p, end, &last)))
    return false;
  *run = (struct cab_line_run) { first, last - first + 1 };
  bool more = *p < end;
  return first <= last && (!more || (*(*p)++ == ',' && *p < end));
}

uint64_t
cab_line_runs (const char *p, size_t length)
{
  const char *end = p + length;
  uint64_t n = 0;
  struct cab_line_run run;
  do
    {
      if (!cab_line_run (&p, end, &run))
	return UINT64_MAX;
      n += run.n;
    }
  while (p < end);
  return n;
}

bool
cab_line_has (const struct cab_record_line *l, int i, char c)
{
  return memchr (l->field[i], c, l->length[i]) != NULL;
}

bool
cab_line_is (const struct cab_record_line *l, int i, const char *text)
{
  return l->length[i] == strlen (text) && !memcmp (l->field[i], text, l->length[i]);
}
