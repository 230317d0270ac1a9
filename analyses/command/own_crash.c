/* own_crash.c - see own_crash.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/own_crash.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WORDS_BYTES 1024

static char words[WORDS_BYTES];

/* Write the words.  The signal occurs again after this returns, and then ends the process. */
static void
tell (int number)
{
  (void) number;
  if (write (STDERR_FILENO, words, strlen (words)) < 0)
    return;
}

void
cab_own_crash_watch (const char *file)
{
  static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  struct sigaction action = { .sa_handler = tell, .sa_flags = SA_RESETHAND | SA_NODEFER };
  snprintf (words, sizeof words,
	    "cabprof: %s: cabprof crashed with this analysis loaded: if the fault is there, gdb "
	    "shows where; the profile is as it was\n",
	    file);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction (signals[i], &action, NULL);
}
