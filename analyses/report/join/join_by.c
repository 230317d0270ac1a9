/* join_by.c - see join_by.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/join/join_by.h"
#include <string.h>
#include <libiberty/libiberty.h>

/* In the order of the bits. */
static const char *const words[] = { "variable", "line",   "loop", "level",
				     "block",	 "thread", "path", "context" };

/* Return the bit of the LENGTH letters at WORD; 0 if they are no word. */
static unsigned
bit_of (const char *word, size_t length)
{
  for (size_t i = 0; i < ARRAY_SIZE (words); i++)
    if (strlen (words[i]) == length && !strncmp (words[i], word, length))
      return 1u << i;
  return 0;
}

bool
cab_join_parse (const char *list, unsigned *set)
{
  *set = 0;
  for (bool more = true; more;)
    {
      size_t n = strcspn (list, ",");
      unsigned bit = bit_of (list, n);
      if (!bit || *set & bit)
	return false;
      *set |= bit;
      more = list[n];
      list += n + more;
    }
  return true;
}
