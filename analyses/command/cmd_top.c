/* cmd_top.c - cabprof top: show a report of a running process repeatedly.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/profile/finish/live_process.h"
#include "analyses/base/screen.h"

#define INTERVAL_DEFAULT_S 2.0
#define SPARE_LINES 8       /* lines of a screen that are not rows: two headings, a head of two
			       lines, a total, a note, the cursor */

enum { OPT_INTERVAL = 256, OPT_COUNT, OPT_HELP };

static const struct option long_options[] = {
  { "interval", required_argument, NULL, OPT_INTERVAL },
  { "count", required_argument, NULL, OPT_COUNT },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

struct request
{
  int pid;
  double interval_s;
  long count;                 /* 0: until the process ends */
  const char *report;
  char **options;             /* of the report, ends with null */
};

static int
help (void)
{
  printf ("Usage: cabprof top PID [OPTION...] [REPORT [OPTION OF THE REPORT...]]\n"
	  "Show a report of a running process (default: methods) and refresh it.  In a pipe one "
	  "after another is printed.\n"
	  "On a terminal: q quits, space and return refresh it now.\n\n"
	  "  --interval=SECONDS     time between two (default %g)\n"
	  "  --count=N              end after so many (default: with the process)\n",
	  INTERVAL_DEFAULT_S);
  return CAB_EXIT_GOOD;
}

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
  optind = 0;   /* getopt starts over */
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

static int
parse_option (struct request *request, char **argv, int c)
{
  char *end;
  switch (c)
    {
    case OPT_INTERVAL:
      request->interval_s = strtod (optarg, &end);
      return *end || end == optarg || !(request->interval_s >= 0.01 && request->interval_s <= 1e6)
	     ? cab_usage ("top", optarg, "not a number of seconds from 0.01") : 0;
    case OPT_COUNT:
      request->count = strtol (optarg, &end, 10);
      return *end || end == optarg || request->count < 1
	     ? cab_usage ("top", optarg, "not a number of reports")
	     : 0;
    default:
      return cab_arg_wrong ("top", argv, c);
    }
}

int
cab_cmd_top (int argc, char **argv)
{
  struct request request = { .interval_s = INTERVAL_DEFAULT_S, .report = "methods", .pid = -1 };
  struct cab_diag diag;
  opterr = 0;
  /* PID may precede the options.  What follows the report's name belongs to the report. */
  if (argc > 1 && argv[1][0] != '-')
    {
      request.pid = cab_live_pid (argv[1]);
      if (request.pid < 0)
	return cab_usage ("top", argv[1], "is not a process number");
      argv++;
      argc--;
    }
  for (int c, bad; (c = getopt_long (argc, argv, "+:h", long_options, NULL)) != -1;)
    if (c == 'h' || c == OPT_HELP)
      return help ();
    else if ((bad = parse_option (&request, argv, c)))
      return bad;
  int at = optind;
  if (request.pid < 0 && at < argc)
    request.pid = cab_live_pid (argv[at++]);
  if (request.pid < 0)
    return cab_usage ("top", at < argc + 1 && at > 1 ? argv[at - 1] : "top",
		      "needs the number of a process");
  if (at < argc)
    request.report = argv[at++];
  request.options = argv + at;
  char *part = cab_live_part (request.pid, &diag);
  if (!part || !is_readable (part, &diag))
    {
      cab_say ("%s", diag.text);
      free (part);
      return CAB_EXIT_FAILED;
    }
  cab_arg_running_is_known = true;
  int status = watch (&request, part);
  free (part);
  return status;
}
