/* escape.c - escapes names and paths for the records of .cabprof_info.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/emit/escape.h"

/* Return the letter that follows the backslash for C, or 0 if C stays as it is. */
static char
letter_of (char c)
{
  switch (c)
    {
    case '\t': return 't';
    case '\n': return 'n';
    case '\1': return '1';
    case '\\': return '\\';
    default: return 0;
    }
}

size_t
cab_info_escape (char *out, size_t room, const char *text)
{
  size_t length = 0, end = 0;
  for (; *text; text++)
    {
      char letter = letter_of (*text);
      size_t n = letter ? 2 : 1;
      if (end == length && length + n < room)
	{
	  if (letter)
	    out[end++] = '\\';
	  out[end++] = letter ? letter : *text;
	}
      length += n;
    }
  if (room)
    out[end] = 0;
  return length;
}
