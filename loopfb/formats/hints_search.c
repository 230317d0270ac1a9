/* hints_search.c - find the hints file that no option names.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopfb/formats/hints.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *
cab_hints_search (const char *directory)
{
  size_t length = strlen (directory);
  char *path = malloc (length + sizeof "/" CAB_HINTS_FILE);
  if (!path)
    abort ();
  memcpy (path, directory, length + 1);
  for (;;)
    {
      while (length && path[length - 1] == '/')
	length--;
      strcpy (path + length, "/" CAB_HINTS_FILE);
      if (!access (path, F_OK))
	return path;
      while (length && path[length - 1] != '/')
	length--;
      if (!length)
	break;
    }
  free (path);
  return NULL;
}
