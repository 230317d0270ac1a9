/* diag.c - see diag.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/base/diag.h"
#include <stdarg.h>
#include <stdio.h>

int
cab_refuse (const char *path, struct cab_diag *diag, const char *format, ...)
{
  va_list ap;
  int n = snprintf (diag->text, sizeof diag->text, "%s: ", path);
  if (n < 0 || (size_t) n >= sizeof diag->text)
    n = 0;
  va_start (ap, format);
  vsnprintf (diag->text + n, sizeof diag->text - n, format, ap);
  va_end (ap);
  return -1;
}
