/* page_shell.c - see page_shell.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_shell.h"
#include <string.h>

static const char shell[] = {
#include "tables/page.inc"
  0
};

/* Where the data go. */
#define MARK "@DATA@"

void
cab_page_shell (bool after, FILE *to)
{
  const char *mark = strstr (shell, MARK);
  if (after)
    fputs (mark + strlen (MARK), to);
  else
    fwrite (shell, 1, mark - shell, to);
}
