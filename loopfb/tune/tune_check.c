/* tune_check.c - see tune_check.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "loopfb/build/replay_args.h"
#include "loopfb/formats/file_hash.h"

static char *
reference (const struct cab_tune *tune, const char *what)
{
  return concat (tune->work, "/", what, NULL);
}

/* Show the first line in which the files A and B differ, from each. */
static void
show_difference (const char *a, const char *b)
{
  char one[256], two[256];
  FILE *first = fopen (a, "re"), *second = fopen (b, "re");
  for (int line = 1; first && second; line++)
    {
      char *got_one = fgets (one, sizeof one, first), *got_two = fgets (two, sizeof two, second);
      if ((!got_one && !got_two) || !got_one || !got_two || strcmp (one, two))
	{
	  fprintf (stderr, "line %d of its standard output:\n  default: %s%s  now:     %s%s", line,
		   got_one ? one : "(end)", got_one && strchr (one, '\n') ? "" : "\n",
		   got_two ? two : "(end)", got_two && strchr (two, '\n') ? "" : "\n");
	  break;
	}
    }
  if (first)
    fclose (first);
  if (second)
    fclose (second);
}

static bool
same_contents (const char *a, const char *b)
{
  char *one = cab_file_hash (a), *two = cab_file_hash (b);
  bool same = !strcmp (one, two);
  free (one);
  free (two);
  return same;
}

const char *
cab_tune_run_name (const struct cab_tune *tune, int variant)
{
  return variant < 0 ? "build" : tune->variants[variant].name;
}

/* Ask the user's own judge: exit status 0 is good. */
static int
ask_check (const struct cab_tune *tune, int variant, const char *output, const char *program,
	   int status)
{
  char number[16];
  snprintf (number, sizeof number, "%d",
	    WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
  setenv ("CABPROF_OUTPUT", output, 1);
  setenv ("CABPROF_STATUS", number, 1);
  setenv ("CABPROF_PROGRAM", program, 1);
  int result = system (tune->options.check);
  result = WIFEXITED (result) ? WEXITSTATUS (result) : 128 + WTERMSIG (result);
  unsetenv ("CABPROF_OUTPUT");
  unsetenv ("CABPROF_STATUS");
  unsetenv ("CABPROF_PROGRAM");
  if (!result)
    return 0;
  cab_say ("%s: --check says no (exit status %d) to the run of `%s': its output is in %s",
	   tune->options.check, result, cab_tune_run_name (tune, variant), output);
  return -1;
}

int
cab_tune_check_run (const struct cab_tune *tune, int variant, const char *output,
		    const char *program, int status)
{
  const char *line = tune->options.run;
  if (tune->options.check)
    return ask_check (tune, variant, output, program, status);
  char *first = reference (tune, "default.out");
  int result = -1;
  if (WIFSIGNALED (status))
    cab_say ("%s: killed by signal %d (%s), as built for `%s': %s", line, WTERMSIG (status),
	     strsignal (WTERMSIG (status)), cab_tune_run_name (tune, variant),
	     variant < 0 ? "repair it, or give another run" : "the default ran; its tree is kept");
  else if (WEXITSTATUS (status))
    cab_say ("%s: exit status %d, as built for `%s': tune a run that ends with 0, or judge it with "
	     "--check",
	     line, WEXITSTATUS (status), cab_tune_run_name (tune, variant));
  else if (access (first, F_OK))
    result = cab_copy_file (output, first, &(struct cab_diag) { "" });
  else if (!same_contents (first, output))
    {
      show_difference (first, output);
      cab_say ("%s: other output (%s) than the default's (%s), as built for `%s': %s", line, output,
	       first, cab_tune_run_name (tune, variant),
	       variant < 0
		 ? "the program itself says something else each time: judge it with --check=CMD"
		 : "these hints change what the program does; they are in the tree's file hints");
    }
  else
    result = 0;
  free (first);
  return result;
}
