/* say.c - see say.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/say.h"

#include <unistd.h>
#include "rt/base/error_words.h"
#include "rt/common/text.h"

void
cab_say (const char *what, const char *wrong, int error, const char *todo)
{
  char line[1024];
  struct cab_text t = CAB_TEXT (line);
  cab_text_add (&t, "cabprof: ");
  cab_text_add (&t, what);
  cab_text_add (&t, ": ");
  cab_text_add (&t, wrong);
  if (error)
    {
      cab_text_add (&t, ": ");
      cab_text_add (&t, cab_error_words (error));
    }
  if (todo)
    {
      cab_text_add (&t, "; ");
      cab_text_add (&t, todo);
    }
  t.n -= t.n == sizeof line - 1;
  line[t.n] = '\n';
  ssize_t ignored = write (STDERR_FILENO, line, t.n + 1);
  (void) ignored;
}
