/* cmd_doctor_sampling.c - cabprof doctor: which sources of samples this machine has.  Events are
 * opened; the sources `auto' and `timer' are run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/doctor/doctor.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "loopfb/sample/perf_event.h"
#include "loopfb/sample/run.h"
#include "loopfb/sample/samples.h"

/* Front-end stalls, by libpfm4's names for several processors.  Those that this processor lacks are
   not mentioned. */
static const char *const stalls[] = { "IDQ_UOPS_NOT_DELIVERED:CORE", "TOPDOWN_FE_BOUND",
				      "STALL_FRONTEND", NULL };

static int
work (void *host)
{
  char *const argv[] = { "sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done", NULL };
  (void) host;
  execv ("/bin/sh", argv);
  return errno;
}

static double
cpu_seconds (const struct rusage *usage)
{
  return usage->ru_utime.tv_sec + usage->ru_stime.tv_sec
       + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Run a loop of a shell under SOURCE, and report whether samples arrive. */
static void
try_source (const char *label, const char *source)
{
  const struct cab_sample_options options = { .source = source };
  const struct cab_sample_command command = { .become = work };
  struct cab_samples samples;
  struct cab_sample_end end;
  struct cab_diag diag;
  cab_samples_init (&samples);
  if (cab_sample_run (&options, &command, &samples, &end, &diag) < 0 || !end.sampled)
    cab_doctor_tell ("no", label, "%s", diag.text);
  else if (!samples.n)
    cab_doctor_tell ("no", label, "%s opens, but no sample came in %.3f s of work",
		     samples.source.name, cpu_seconds (&end.usage));
  else
    cab_doctor_tell (
      "ok", label, "%s: %" PRIu64 " samples in %.3f s of work, overhead %.2f %% at this rate",
      samples.source.name, samples.n, cpu_seconds (&end.usage), 100 * samples.overhead);
  cab_samples_fini (&samples);
}

/* Say which event has addresses of data. */
static void
try_data (void)
{
  struct cab_sample_source source;
  struct cab_diag diag;
  bool found = cab_sample_try ("auto", true, &source, &diag) == 0;
  cab_doctor_tell (found ? "ok" : "no", "addresses of data", "%s",
		   found ? source.name
			 : "of faults of pages only: this (virtual) processor samples no loads");
}

static void
try_event (const char *name)
{
  struct cab_sample_source source;
  struct cab_diag diag;
  char *label = concat ("event ", name, NULL), *why;
  if (cab_sample_try (name, false, &source, &diag) == 0)
    cab_doctor_tell ("ok", label, "precise_ip %d%s", source.precise_ip,
		     source.user_only ? ", user code only" : "");
  else
    {
      why = strstr (diag.text, ": ");
      cab_doctor_tell ("no", label, "%s", why ? why + 2 : diag.text);
    }
  free (label);
}

void
cab_doctor_sampling (void)
{
  struct cab_perf_event event;
  struct cab_diag diag;
  int paranoid;
  for (int i = 0; cab_perf_event_names[i]; i++)
    try_event (cab_perf_event_names[i]);
  for (int i = 0; stalls[i]; i++)
    if (cab_perf_event_find (&event, stalls[i], false, &diag) == 0)
      try_event (stalls[i]);
  FILE *file = fopen ("/proc/sys/kernel/perf_event_paranoid", "r");
  if (file && fscanf (file, "%d", &paranoid) == 1)
    cab_doctor_tell (paranoid <= 2 ? "ok" : "no", "perf_event_paranoid", "%d%s", paranoid,
		     paranoid <= 2 ? "" : ": as root, write 2 to it");
  if (file)
    fclose (file);
  try_data ();
  try_source ("sampling", "auto");
  try_source ("sampling by timers", "timer");
}
