/* doctor_model.c - cabprof doctor --model: what events cost on this machine, by short runs, and
 * which placement is cheaper by that.
 *
 * Model:      the least of some runs, by processor time, of a program that only calls a function:
 *             without probes; with probes, whose events nobody reads; with analyses inline.  What
 *             one takes more than the one before is the cost of the enqueue and of the analysis.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <libiberty/libiberty.h>
#include "analyses/command/doctor/doctor.h"
#include "analyses/command/doctor/doctor_lines.h"
#include "rt/common/cpus.h"
#include "rt/common/placement_cost.h"

#define EVENTS 8000000   /* of a run */
#define EVENTS_TEXT "8000000"
#define RUNS 3
#define FAILED UINT64_MAX

static const char program[]
  = "static __attribute__ ((noipa)) unsigned leaf (unsigned n) { return n + 1; }\n"
    "int main (void) { unsigned s = 0; for (int i = 0; i < " EVENTS_TEXT "; i++) s = leaf (s);\n"
    "  return s != " EVENTS_TEXT "; }\n";

/* Analyses of calls. */
static const char *const analyses[] = { "calls", "tree" };
#define N_ANALYSES (sizeof analyses / sizeof *analyses)

static bool
write_program (const struct cab_patient *p)
{
  FILE *file = fopen (p->source, "w");
  bool good = file && fputs (program, file) >= 0;
  good = file && fclose (file) == 0 && good;
  if (!good)
    cab_doctor_tell ("no", p->directory, "%s: make room", strerror (errno));
  return good;
}

/* Compile the program to BINARY, with probes or without.  Return false after printing why not. */
static bool
compile (const struct cab_patient *p, const char *binary, bool with_probes)
{
  char line[256], *flag = cab_doctor_flag (p);
  const char *argv[] = { "gcc", "-O1", "-x", "c", p->source, "-o", binary,
			 with_probes ? flag : NULL, "-fplugin-arg-cabprof-events=calls",
			 "-fplugin-arg-cabprof-functions=leaf", NULL };
  bool good = cab_doctor_run (p, argv) == 0;
  if (!good)
    cab_doctor_tell ("no", "gcc", "the program that is measured does not compile: %s",
		     cab_doctor_first_line (p, line));
  free (flag);
  return good;
}

/* Return the processor time that children have taken so far, in ps. */
static uint64_t
children_ps (void)
{
  struct rusage usage;
  getrusage (RUSAGE_CHILDREN, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * UINT64_C (1000000000000)
       + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * UINT64_C (1000000);
}

/* Return what an event costs in BINARY with OPTIONS, all of the program included, or FAILED after
   printing why. */
static uint64_t
event_ps (const struct cab_patient *p, const char *binary, const char *options)
{
  char line[256];
  uint64_t least = FAILED;
  char *all = concat ("data=", p->profile, ":", options, NULL);
  setenv ("CABPROF_OPTIONS", all, 1);
  for (int i = 0; i < RUNS; i++)
    {
      uint64_t before = children_ps ();
      if (cab_doctor_run (p, (const char *const[]) { binary, NULL }) != 0
	  || *cab_doctor_first_line (p, line))
	{
	  cab_doctor_tell ("no", options, "the program that is measured fails: %s",
			   cab_doctor_first_line (p, line));
	  least = FAILED;
	  break;
	}
      uint64_t ps = (children_ps () - before) / EVENTS;
      least = ps < least ? ps : least;
    }
  unsetenv ("CABPROF_OPTIONS");
  free (all);
  return least;
}

/* Return the first processor of SET after AFTER, or -1. */
static int
next_processor (const struct cab_cpus *set, int after)
{
  for (int i = after + 1; i < (int) CAB_CPUS_MOST; i++)
    if (set->word[i / 64] >> i % 64 & 1)
      return i;
  return -1;
}

/* Set *FROM to the first processor that the process may use, and *TO to one that shares the nearest
   cache with it or, if none is nearer than others, to the next; -1: none.  Return how many it may
   use. */
static uint32_t
pick_processors (int *from, int *to)
{
  struct cab_cpus allowed, chosen;
  *from = *to = -1;
  if (cab_cpus_allowed (&allowed) < 0)
    return 0;
  *from = next_processor (&allowed, -1);
  *to = next_processor (&allowed, *from);
  if (*to >= 0
      && cab_cpus_choose (CAB_AFFINITY_NEAR, CAB_CPUS_ROOT, *from, &allowed, &chosen)
	   == CAB_CPUS_CHOSEN)
    *to = next_processor (&chosen, -1);
  return cab_cpus_count (&allowed);
}

/* Measure what a line's way to another processor costs, and how many there are.  Return false after
   printing why not. */
static bool
measure_line (struct cab_placement_terms *terms)
{
  int from, to;
  terms->processors = pick_processors (&from, &to);
  if (terms->processors == 1)
    {
      cab_doctor_tell ("-", "communication", "the process may run on one processor only");
      return true;
    }
  int error = to < 0 ? -ENODEV : cab_doctor_line (from, to, &terms->line_ps);
  if (error < 0)
    cab_doctor_tell ("no", "communication", "%s: allow this command its processors",
		     strerror (-error));
  else
    cab_doctor_tell ("ok", "communication",
		     "%.1f ns a cache line from processor %d to %d, %.2f ns an event",
		     terms->line_ps / 1e3, from, to, terms->line_ps / 1e3 / CAB_LINE_WORDS);
  return error == 0;
}

/* Print what ANALYSIS costs, and which placement is cheaper for it, in a program that does nothing
   between two events. */
static void
tell_analysis (const char *analysis, const struct cab_placement_terms *terms)
{
  static const char *const words[] = {
    [CAB_PLACED_ALONE] = "inline: there is one processor",
    [CAB_PLACED_LITTLE] = "inline: a thread saves less than a tenth, or costs more",
    [CAB_PLACED_CHEAPER] = "thread: it saves a tenth or more"
  };
  struct cab_part_placement v;
  char *what = concat ("analysis ", analysis, NULL), *where = concat ("placement ", analysis, NULL);
  cab_placement_judge (&v, terms);
  cab_doctor_tell ("ok", what, "%.2f ns an event", terms->analysis_ns / 1e3);
  cab_doctor_tell ("ok", where, "%s (inline %.2f ns an event, thread %.2f, of these blocked %.2f)",
		   words[v.why], v.inline_ps / 1e3, v.thread_ps / 1e3, v.blocked_ps / 1e3);
  free (what);
  free (where);
}

/* Measure with the programs PLAIN and PROBED.  Return false after printing why not. */
static bool
measure (const struct cab_patient *p, const char *plain, const char *probed)
{
  struct cab_placement_terms terms = { .words = 1000 };   /* so times in ns are ps of a word */
  uint64_t plain_ps = event_ps (p, plain, "");
  terms.fill_ns = plain_ps == FAILED ? FAILED : event_ps (p, probed, "sample=0%");
  if (terms.fill_ns == FAILED)
    return false;
  terms.fill_ns = terms.fill_ns > plain_ps ? terms.fill_ns : plain_ps;
  cab_doctor_tell ("ok", "program", "%.2f ns an event, without probes", plain_ps / 1e3);
  cab_doctor_tell ("ok", "enqueue", "%.2f ns an event, with its probe",
		   (terms.fill_ns - plain_ps) / 1e3);
  if (!measure_line (&terms))
    return false;
  for (size_t i = 0; i < N_ANALYSES; i++)
    {
      char *options = concat ("placement=inline:analyses=", analyses[i], NULL);
      uint64_t all_ps = event_ps (p, probed, options);
      free (options);
      if (all_ps == FAILED)
	return false;
      terms.analysis_ns = all_ps > terms.fill_ns ? all_ps - terms.fill_ns : 0;
      tell_analysis (analyses[i], &terms);
    }
  return true;
}

bool
cab_doctor_model (const struct cab_patient *p)
{
  char *plain = concat (p->directory, "/plain", NULL);
  bool good = write_program (p) && compile (p, plain, false) && compile (p, p->binary, true)
	      && measure (p, plain, p->binary);
  free (plain);
  return good;
}
