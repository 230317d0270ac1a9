/* say.c - see say.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/say.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "analyses/base/progress.h"

void
cab_say (const char *format, ...)
{
  va_list ap;
  fflush (stdout);
  cab_progress_end ();
  va_start (ap, format);
  char *text;
  if (vasprintf (&text, format, ap) < 0)
    text = NULL;
  va_end (ap);
  /* Names come from files that anybody may have written, so control characters are replaced: a
     message is one line, and sends no command to the terminal. */
  for (char *c = text; c && *c; c++)
    if ((unsigned char) *c < ' ' || *c == 0x7f)
      *c = '?';
  fprintf (stderr, "cabprof: %s\n", text ? text : format);
  free (text);
}
