/* cmd_top.c - cabprof top: show a report of a running process repeatedly.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/profile/finish/live_process.h"
#include "analyses/base/screen.h"

#define INTERVAL_DEFAULT_S 2
#define SPARE_LINES 8       /* lines of a screen that are not rows: two headings, a head of two
			       lines, a total, a note, the cursor */

struct request
{
  int pid;
  double interval_s;
  long count;                 /* 0: until the process ends */
  const char *report;
  char **options;             /* of the report, ends with null */
};

/* Print one report, as `cabprof report' does. */
static int
show (const struct request *request, const char *part, long rows)
{
  char limit[32];
  int n = 0, n_options = 0;
  while (request->options[n_options])
    n_options++;
  char **argv = XNEWVEC (char *, n_options + 6);
  argv[n++] = (char *) "report";
  argv[n++] = (char *) request->report;
  argv[n++] = (char *) "-d";
  argv[n++] = (char *) part;
  if (rows > 0)
    {
      snprintf (limit, sizeof limit, "--limit=%ld", rows);
      argv[n++] = limit;
    }
  for (int i = 0; i < n_options; i++)
    argv[n++] = request->options[i];
  argv[n] = NULL;
  int status = cab_cmd_report (n, argv);
  free (argv);
  return status;
}

/* Return how many rows of a report a screen of LINES has room for. */
static long
rows_of (long lines)
{
  return lines > SPARE_LINES + 3 ? lines - SPARE_LINES : 3;
}

static void
print_heading (const struct request *request)
{
  char text[64];
  time_t now = time (NULL);
  strftime (text, sizeof text, "%H:%M:%S", localtime (&now));
  printf ("process %d at %s: %s\n", request->pid, text, request->report);
}

static int
watch (const struct request *request, const char *part)
{
  struct cab_diag diag;
  bool is_screen = cab_screen_begin ();
  int status = CAB_EXIT_GOOD;
  for (long i = 0; status == CAB_EXIT_GOOD; i++)
    {
      char *still = cab_live_part (request->pid, &diag);
      free (still);
      if (is_screen)
	cab_screen_clear ();
      print_heading (request);
      status = show (request, part, is_screen ? rows_of (cab_screen_lines ()) : 0);
      if (fflush (stdout) != 0 || !still || (request->count && i + 1 == request->count))
	break;
      if (!is_screen)
	putchar ('\n');
      if (cab_screen_wait (request->interval_s) == CAB_SCREEN_QUIT)
	break;
    }
  cab_screen_end ();
  return status;
}

/* Return true if this cabprof can read the part at PATH. */
static bool
is_readable (const char *path, struct cab_diag *diag)
{
  struct cab_part part;
  if (cab_part_open (&part, path, diag) < 0)
    return false;
  cab_part_close (&part);
  return true;
}

/* Take a process's number off the front of WORDS, if REQUEST has none yet and there is one.  Return
   0, or an exit status if it is no number. */
static int
take_pid (struct request *request, char ***words)
{
  if (request->pid >= 0 || !**words)
    return 0;
  const char *word = *(*words)++;
  request->pid = cab_live_pid (word);
  return request->pid < 0 ? cab_usage ("top", word, "is not a process number") : 0;
}

/* Parse the arguments.  PID may precede the options.  What follows the report's name belongs to the
   report.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words = argv + 1;
  const struct cab_argument options[] = {
    { "interval", "SECONDS", "time between two (default " CAB_TEXT_OF (INTERVAL_DEFAULT_S) ")",
      .number = &request->interval_s, .least = 0.01, .most = 1e6,
      .wrong = "not a number of seconds from 0.01" },
    { "count", "N", "end after so many (default: with the process)", .whole = &request->count,
      .least = 1, .wrong = "not a number of reports" }
  };
  const struct cab_arguments arguments = {
    "top", "PID [OPTION...] [REPORT [OPTION OF THE REPORT...]]",
    "Show a report of a running process (default: methods) and refresh it.  In a pipe one after "
    "another is printed.\n"
    "On a terminal: q quits, space and return refresh it now.",
    .options = options, .n_options = ARRAY_SIZE (options), .words_end = true
  };
  bool leads = argc > 1 && *words[0] != '-';
  int status = leads ? take_pid (request, &words) : 0;
  if (!status)
    status = cab_arguments_parse (&arguments, argc - leads, argv + leads, &words);
  if (!status)
    status = take_pid (request, &words);
  if (status)
    return status;
  if (request->pid < 0)
    return cab_usage ("top", "top", "needs the number of a process");
  if (*words)
    request->report = *words++;
  request->options = words;
  return 0;
}

int
cab_cmd_top (int argc, char **argv)
{
  struct request request = { .interval_s = INTERVAL_DEFAULT_S, .report = "methods", .pid = -1 };
  struct cab_diag diag;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  char *part = cab_live_part (request.pid, &diag);
  if (!part || !is_readable (part, &diag))
    {
      cab_say ("%s", diag.text);
      free (part);
      return CAB_EXIT_FAILED;
    }
  cab_arg_running_is_known = true;
  status = watch (&request, part);
  free (part);
  return status;
}
