/* tune_say.c - progress of a tune, on stderr.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_say.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void
cab_tune_say (const char *format, ...)
{
  va_list ap;
  fputs (isatty (2) ? "\r\033[Kcabprof: tune: " : "cabprof: tune: ", stderr);
  va_start (ap, format);
  vfprintf (stderr, format, ap);
  va_end (ap);
  fputc ('\n', stderr);
}
