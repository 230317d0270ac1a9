/* tune_run.c - take measurements: run the program, compare its output, record its time and its
 * samples.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/tune/tune_run.h"
#include "loopfb/tune/tune_build.h"
#include "loopfb/tune/tune_budget.h"
#include "loopfb/tune/tune_check.h"
#include "loopfb/build/run_line.h"
#include "loopfb/tune/tune_places.h"
#include "loopfb/tune/tune_state.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/say.h"
#include "loopfb/attribute/attribute.h"
#include "analyses/binary/image.h"
#include "loopfb/build/replay_args.h"
#include "cabprof/loops.h"
#include "loopfb/formats/file_hash.h"
#include "loopfb/sample/run.h"

#define LEAST_S 0.25        /* least length of a measurement, unless a hundredth of the budget is
			       less; short programs run several times */
#define LEAST_RUN_S 0.005   /* a run that takes less is mostly the start of a process */
#define MOST_REPEATS 25

/* The runs of one measurement: one after the other, each with an output of its own, the last in the
   child itself.  So they are sampled, and waited for, as one. */
struct start
{
  const struct cab_tune *tune;
  char *line, *program, *libraries;
  int repeat;
};

static char *
output_name (const struct cab_tune *tune, int i)
{
  char number[24];
  snprintf (number, sizeof number, "/run.%d.out", i);
  return concat (tune->work, number, NULL);
}

static int
become_one (const struct start *start)
{
  int out = open (output_name (start->tune, 0), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (out < 0 || dup2 (out, 1) < 0)
    return errno;
  close (out);
  execl ("/bin/sh", "sh", "-c", start->line, (char *) NULL);
  return errno;
}

/* The script that runs the program all but the last time, and then becomes the last run.  $1 is the
   line, $2 the directory, $3 the number of runs, $4 "check" if all are judged.  A shell runs it,
   since the kernel samples only by chance what a process forks before its own exec.  It ends like
   the first run that failed. */
static const char several[] =
  "i=1\n"
  "while [ $i -lt $3 ]; do\n"
  "  sh -c \"$1\" >\"$2/run.$i.out\"\n"
  "  status=$?\n"
  "  if [ $status != 0 ] && [ -z \"$4\" ]; then\n"
  "    [ $status -le 128 ] || kill -$((status - 128)) $$ 2>/dev/null\n"
  "    exit $status\n"
  "  fi\n"
  "  i=$((i + 1))\n"
  "done\n"
  "exec sh -c \"$1\" >\"$2/run.0.out\"\n";

static int
become_several (const struct start *start)
{
  char number[16];
  snprintf (number, sizeof number, "%d", start->repeat);
  execl ("/bin/sh", "sh", "-c", several, "sh", start->line, start->tune->work, number,
	 start->tune->options.check ? "check" : "", (char *) NULL);
  return errno;
}

static int
become (void *host)
{
  struct start *start = host;
  const char *had = getenv ("LD_LIBRARY_PATH");
  int in = open ("/dev/null", O_RDONLY);
  if (in < 0 || dup2 (in, 0) < 0)
    return errno;
  close (in);
  if (!access (start->libraries, F_OK))
    setenv ("LD_LIBRARY_PATH",
	    had && *had ? concat (start->libraries, ":", had, NULL) : start->libraries, 1);
  setenv ("CABPROF_PROGRAM", cab_absolute (start->tune->cwd, start->program), 1);
  signal (SIGINT, SIG_DFL);
  signal (SIGTERM, SIG_DFL);
  signal (SIGHUP, SIG_DFL);
  return start->repeat > 1 ? become_several (start) : become_one (start);
}

/* Let the shell become a line that is one simple command. */
static char *
without_shell (char *line)
{
  size_t word = strcspn (line, " \t");
  if (strpbrk (line, ";|&()`\n") || memchr (line, '=', word) || !strncmp (line, "exec ", 5))
    return line;
  char *result = concat ("exec ", line, NULL);
  free (line);
  return result;
}

/* Return the tuned loop that the loop of KEY is, or belongs to; -1 if there is none. */
static int
loop_of_key (const struct cab_tune *tune, uint64_t key)
{
  for (int i = 0; i < tune->n_loops; i++)
    if (tune->loops[i].key == key)
      return i;
  for (int i = 0; i < tune->n_inner; i++)
    if (tune->inner[i].key == key)
      return tune->inner[i].owner;
  return -1;
}

static void
add_loop (struct cab_tune_loop **loops, int *n, const struct cab_time_loop *time, double share,
	  int owner)
{
  *loops = xrealloc (*loops, (*n + 1) * sizeof **loops);
  (*loops)[(*n)++] = (struct cab_tune_loop) { .function = xstrdup (time->function),
					      .name = xstrdup (time->name),
					      .file = xstrdup (time->file),
					      .flags = xstrdup (time->flags),
					      .line = time->line,
					      .column = time->column,
					      .ordinal = time->ordinal,
					      .checksum = time->checksum,
					      .share = share,
					      .key = time->key,
					      .skip = strchr (time->flags, 'u') != NULL,
					      .owner = owner,
					      .around = -1,
					      .leader = *n - 1 };
}

/* Return the tuned loop that encloses TIME's, with no sampled loop in between; -1 if there is
   none. */
static int
owner_of (const struct cab_tune *tune, const struct cab_attribution *attribution,
	  const struct cab_time_loop *time)
{
  for (uint32_t i = 0, guard = 0; time->parent && guard < attribution->n_loops; guard++)
    {
      int owner = loop_of_key (tune, time->parent);
      if (owner >= 0)
	return tune->loops[owner].skip ? -1 : owner;
      for (i = 0; i < attribution->n_loops && attribution->loops[i].key != time->parent; i++)
	;
      if (i == attribution->n_loops || attribution->loops[i].n)
	return -1;
      time = &attribution->loops[i];
    }
  return -1;
}

static void
find_inner (struct cab_tune *tune, const struct cab_attribution *attribution)
{
  for (uint32_t i = 0; i < attribution->n_loops; i++)
    {
      const struct cab_time_loop *time = &attribution->loops[i];
      if (time->n || *time->flags == 0 || strchr (time->flags, 'u')
	  || loop_of_key (tune, time->key) >= 0)
	continue;
      int owner = owner_of (tune, attribution, time);
      if (owner >= 0)
	add_loop (&tune->inner, &tune->n_inner, time, 0, owner);
    }
}

static int
by_share (const void *a, const void *b)
{
  double x = ((const struct cab_tune_loop *) a)->share,
	 y = ((const struct cab_tune_loop *) b)->share;
  return x < y ? 1 : x > y ? -1 : 0;
}

static const struct cab_time_loop *
time_of_key (const struct cab_attribution *attribution, uint64_t key)
{
  for (uint32_t i = 0; i < attribution->n_loops; i++)
    if (attribution->loops[i].key == key)
      return &attribution->loops[i];
  return NULL;
}

/* Return the tuned loop that encloses the loop of KEY; -1 if there is none. */
static int
loop_around (const struct cab_tune *tune, const struct cab_attribution *attribution, uint64_t key)
{
  const struct cab_time_loop *time = time_of_key (attribution, key);
  for (uint32_t guard = 0; time && time->parent && guard < attribution->n_loops; guard++)
    {
      for (int i = 0; i < tune->n_loops; i++)
	if (tune->loops[i].key == time->parent)
	  return i;
      time = time_of_key (attribution, time->parent);
    }
  return -1;
}

/* Add the loops that enclose tuned loops, without hints.  They come last, so none of them leads a
   nest. */
static void
add_outer (struct cab_tune *tune, const struct cab_attribution *attribution)
{
  for (int i = 0; i < tune->n_loops; i++)
    {
      const struct cab_time_loop *time = time_of_key (attribution, tune->loops[i].key);
      const struct cab_time_loop *outer = time && time->parent
					  ? time_of_key (attribution, time->parent)
					  : NULL;
      if (!outer || !*outer->flags || loop_of_key (tune, outer->key) >= 0)
	continue;
      add_loop (&tune->loops, &tune->n_loops, outer,
		attribution->weight ? outer->weight / attribution->weight : 0, -1);
      tune->loops[tune->n_loops - 1].skip = tune->loops[tune->n_loops - 1].outer = true;
    }
}

/* Find the loops to tune in the first samples. */
static void
find_loops (struct cab_tune *tune, const struct cab_attribution *attribution)
{
  for (uint32_t i = 0; i < attribution->n_loops; i++)
    {
      const struct cab_time_loop *time = &attribution->loops[i];
      double share = attribution->weight ? time->weight / attribution->weight : 0;
      if (share >= tune->options.share && *time->flags && loop_of_key (tune, time->key) < 0)
	add_loop (&tune->loops, &tune->n_loops, time, share, -1);
    }
  if (tune->n_loops)
    qsort (tune->loops, tune->n_loops, sizeof *tune->loops, by_share);
  if (tune->n_loops > CAB_TUNE_LOOPS)
    tune->n_loops = CAB_TUNE_LOOPS;
  add_outer (tune, attribution);
  for (int i = 0; i < tune->n_loops; i++)
    {
      tune->loops[i].leader = i;
      tune->loops[i].around = loop_around (tune, attribution, tune->loops[i].key);
    }
  find_inner (tune, attribution);
}

static json_t *
source_json (const struct cab_samples *samples)
{
  static const char *const kinds[] = { "perf", "timer", "perf script" }, *const randomised[] = {
    "no", "per wake-up", "per expiry"
  };
  const struct cab_sample_source *source = &samples->source;
  return json_pack ("{s:s, s:s, s:i, s:I, s:s, s:b, s:s}", "name", source->name, "kind",
		    kinds[source->kind], "precise_ip", source->precise_ip, "period",
		    (json_int_t) source->period, "unit", source->unit_ns ? "ns" : "events",
		    "adaptive", source->adaptive, "randomised", randomised[source->randomised]);
}

/* The run whose samples are attributed. */
struct sampled
{
  const struct cab_tune *tune;
  int variant;
  char *program;
};

/* Return the file that the linker wrote, if it is still there: the build may have stripped the
   program, and that file knows more. */
static char *
before_strip (void *host, const struct cab_sample_module *module)
{
  const struct sampled *of = host;
  const struct cab_tune *tune = of->tune;
  char *program = realpath (of->program, NULL), *result = NULL;
  int link = tune->options.rebuild ? -1 : cab_graph_link (&tune->graph, tune->target);
  if (program && link >= 0 && link != tune->target && !strcmp (program, module->path)
      && of->variant >= 0)
    {
      struct cab_tree tree = { .dir = tune->variants[of->variant].dir };
      result = cab_replay_output (&tune->graph, &tree, link, 0);
    }
  else if (program && link >= 0 && link != tune->target && !strcmp (program, module->path))
    {
      const char *path = cab_graph_on_disk (&tune->graph, &tune->log.v[link].outputs[0]);
      result = path ? xstrdup (path) : NULL;
    }
  free (program);
  return result;
}

/* Return true if PATH is stripped.  Without symbols there are neither ranges nor lines, only the
   table. */
static bool
is_stripped (const char *path)
{
  struct cab_image image;
  struct cab_diag diag;
  bool stripped = false;
  if (cab_image_open (&image, path, &diag) == 0)
    {
      stripped = image.stripped;
      cab_image_close (&image);
    }
  return stripped;
}

/* Add what SAMPLES of the program OF say to RUN. */
static void
take_samples (struct cab_tune *tune, struct cab_tune_run *run, const struct cab_samples *samples,
	      struct sampled of)
{
  struct cab_attribution attribution;
  bool first = of.variant < 0;
  cab_attribute (&attribution, samples, before_strip, &of);
  tune->n_known = attribution.in_loop > 0 || !is_stripped (of.program) ? attribution.n_loops : 0;
  if (first && !tune->n_loops)
    find_loops (tune, &attribution);
  if (!run->loops)
    run->loops = xcalloc (tune->n_loops + 1, sizeof *run->loops);
  for (uint32_t i = 0; i < attribution.n_loops; i++)
    {
      int loop = loop_of_key (tune, attribution.loops[i].key);
      if (loop >= 0)
	run->loops[loop] += attribution.loops[i].weight;
    }
  run->weight += samples->weight;
  run->samples = samples->n;
  run->lost = samples->lost;
  run->overhead = samples->overhead;
  json_decref (tune->source);
  tune->source = source_json (samples);
  tune->grain = samples->n ? (double) samples->weight / samples->n : 0;
  cab_attribution_fini (&attribution);
}

/* Check each output of a measurement. */
static int
check_all (const struct cab_tune *tune, int variant, const struct start *start, int status)
{
  int result = 0;
  for (int i = 0; i < start->repeat && !result && (!status || !i); i++)
    {
      char *output = output_name (tune, i);
      result = cab_tune_check_run (tune, variant, output, start->program, status);
      free (output);
    }
  return result;
}

/* Return TIME in seconds.  The kernel knows the sum of user and system time exactly, but splits it
   by what it saw at its ticks: of a short run only the sum is true. */
static double
seconds_of (const struct timeval *time)
{
  return time->tv_sec + time->tv_usec / 1e6;
}

/* Take one measurement into RUN. */
static int
run_program (struct cab_tune *tune, int variant, struct cab_tune_run *run, int repeat, bool sampled)
{
  struct start start = { .tune = tune,
			 .program = cab_tune_program (tune, variant),
			 .repeat = repeat };
  struct cab_sample_options options = { .source = tune->options.source, .period = tune->period };
  struct cab_sample_command command = { .become = become, .host = &start };
  struct cab_samples samples;
  struct cab_sample_end end;
  struct cab_diag diag = { "" };
  start.line = without_shell (cab_run_line (tune->options.run, tune->program, start.program));
  start.libraries = variant < 0 ? xstrdup ("") : concat (tune->variants[variant].dir, "/lib", NULL);
  cab_samples_init (&samples);
  sampled &= !tune->options.source || strcmp (tune->options.source, "off");
  int result = cab_sample_run (&options, &command, sampled ? &samples : NULL, &end, &diag);
  if (cab_interrupted)
    result = CAB_INTERRUPTED;
  else if (result < 0 || end.error)
    {
      cab_say ("%s: %s: check the run command", tune->options.run,
	       result < 0 ? diag.text : strerror (end.error));
      result = -1;
    }
  else
    result = check_all (tune, variant, &start, end.status);
  if (!result)
    {
      run->cpu_s = seconds_of (&end.usage.ru_utime) + seconds_of (&end.usage.ru_stime);
      run->wall_s = end.wall_s;
      tune->n_program_runs += repeat;
      if (sampled && end.sampled && samples.n)
	take_samples (tune, run, &samples, (struct sampled) { tune, variant, start.program });
      else if (sampled && !tune->source_problem)
	tune->source_problem = xstrdup (
	  end.sampled ? "the program was not sampled: it took too little time" : diag.text);
    }
  cab_samples_fini (&samples);
  free (start.line);
  free (start.program);
  free (start.libraries);
  return result;
}

/* Derive from the first RUN how often the program runs in one measurement, and the period of runs
   that are compared. */
static int
calibrate (struct cab_tune *tune, const struct cab_tune_run *run)
{
  if (run->cpu_s < LEAST_RUN_S)
    {
      cab_say ("%s: takes %.1f ms of processor time: give it more to do", tune->options.run,
	       run->cpu_s * 1e3);
      return -1;
    }
  double budget = tune->options.budget_s,
	 least = budget > 0 && budget / 100 < LEAST_S ? budget / 100 : LEAST_S;
  tune->repeat = run->cpu_s < least ? (int) (least / run->cpu_s) + 1 : 1;
  if (tune->repeat > MOST_REPEATS)
    tune->repeat = MOST_REPEATS;
  double seconds = run->cpu_s * tune->repeat, wanted = CAB_TUNE_SAMPLES;
  wanted = wanted < 250 * seconds ? 250 * seconds
	 : wanted > 5000 * seconds ? 5000 * seconds
	 : wanted;
  tune->period = run->weight * tune->repeat / wanted;
  tune->weight = run->weight;
  return 0;
}

/* Return the journal's next run, if that is the requested one. */
static const struct cab_tune_run *
from_journal (struct cab_tune *tune, int variant, const char *stage, int round)
{
  if (tune->next >= tune->n_journal)
    return NULL;
  struct cab_tune_run *run = &tune->runs[tune->next];
  if (strcmp (run->variant, cab_tune_run_name (tune, variant)) || strcmp (run->stage, stage)
      || run->round != round)
    {
      /* The steps differ from the journal's from here on. */
      tune->n_journal = tune->n_runs = tune->next;
      return NULL;
    }
  tune->spent_s += run->wall_s;
  tune->n_program_runs += tune->repeat;
  tune->next++;
  return run;
}

const struct cab_tune_run *
cab_tune_measure (struct cab_tune *tune, int variant, int place, const char *stage, int round,
		  bool sampled)
{
  const struct cab_tune_run *known = from_journal (tune, variant, stage, round);
  if (known)
    return known;
  if (variant >= 0 && !tune->variants[variant].built && cab_tune_build_variants (tune) < 0)
    return NULL;
  if (variant >= 0 && cab_tune_place (tune, variant, place) < 0)
    return NULL;
  struct cab_tune_run run = { .variant = xstrdup (cab_tune_run_name (tune, variant)),
			      .stage = xstrdup (stage),
			      .round = round,
			      .place = variant < 0 ? 0 : tune->variants[variant].place };
  bool first = !tune->repeat;
  int result = run_program (tune, variant, &run, first ? 1 : tune->repeat, sampled);
  if (!result && first)
    result = calibrate (tune, &run);
  if (result)
    {
      free (run.variant);
      free (run.stage);
      free (run.loops);
      return NULL;
    }
  tune->runs = xrealloc (tune->runs, (tune->n_runs + 1) * sizeof *tune->runs);
  tune->runs[tune->n_runs++] = run;
  tune->next++;
  tune->spent_s += run.wall_s;
  if (isatty (2))
    fprintf (stderr, "\rcabprof: tune: %s, round %d: %-24s %8.3f s; at most %.0f s left \033[K",
	     stage, round + 1, run.variant, run.cpu_s / tune->repeat, cab_tune_left_s (tune));
  cab_tune_state_save (tune);
  return &tune->runs[tune->n_runs - 1];
}
