/* cmd_record.c - cabprof record: run a program, with its profile in a directory of its own.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program has the terminal, its signals and its exit status as without cabprof.  Work that its
 * processes cannot finish is finished by the commands that read the profile, so all that is left to
 * do here is to write down what was run.
 */
#include "analyses/command/cmd_record.h"
#include "analyses/command/arguments.h"
#include "analyses/command/trace/cmd_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/profile.h"
#include "analyses/command/command.h"
#include "analyses/command/preflight.h"
#include "analyses/profile/binary_probes.h"
#include "loopfb/build/script_data.h"
#include "loopfb/build/script_read.h"

static volatile sig_atomic_t child;

/* Find the file of NAME and set *FOUND, before an older profile is moved aside.  Return 0, or an
   errno if it cannot be run.  Other errors are left to execvp. */
static int
cannot_run (const char *name, char **found)
{
  const char *path = strchr (name, '/') ? "" : getenv ("PATH");
  int error = ENOENT;
  if (strchr (name, '/'))
    {
      error = access (name, X_OK) == 0 ? 0 : errno;
      *found = error ? NULL : xstrdup (name);
      return error;
    }
  for (path = path ? path : "/bin:/usr/bin"; *path && error; path += *path == ':')
    {
      size_t n = strcspn (path, ":");
      char *file = xmalloc (n + strlen (name) + 3);
      sprintf (file, "%.*s/%s", n ? (int) n : 1, n ? path : ".", name);
      error = access (file, X_OK) == 0 ? 0 : errno == EACCES ? EACCES : error;
      if (error)
	free (file);
      else
	*found = file;
      path += n;
    }
  return error;
}

static int
refuse_program (const char *name, int error)
{
  cab_say ("%s: %s: check its name and permissions", name, strerror (error));
  return error == ENOENT ? 127 : 126;
}

/* Return the options that the user gave in the environment and on the command line. */
static char *
asked_text (const struct cab_recording *run)
{
  const char *had = getenv ("CABPROF_OPTIONS"), *more = run->options ? run->options : "";
  return concat (had ? had : "", had && *had && *more ? ":" : "", more, NULL);
}

/* Return CABPROF_OPTIONS for the program: the user's, cabprof's own, and the directory last, since
   a colon in it does not end it. */
static char *
options_text (const struct cab_recording *run)
{
  char *escaped = xmalloc (2 * strlen (run->path) + 1), *to = escaped;
  for (const char *from = run->path; *from; from++)
    {
      if (*from == '%')
	*to++ = '%';
      *to++ = *from;
    }
  *to = 0;
  const char *address = run->server ? cab_trace_serve_address (run->server) : NULL;
  char *asked = asked_text (run);
  char *text = concat (asked, *asked ? ":" : "", address ? "trace=" : "", address ? address : "",
		       address ? ":" : "", run->trace.compress ? "compress=predicted:" : "",
		       "data=", escaped, NULL);
  free (asked);
  free (escaped);
  return text;
}

/* Pass a signal that a process sent on to the program.  The terminal sends its signals to both. */
static void
pass_on (int signal, siginfo_t *info, void *context)
{
  int saved = errno;
  (void) context;
  if (child > 0 && info->si_code <= 0)
    kill (child, signal);
  errno = saved;
}

static void
set_signals (void)
{
  static const int passed[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM };
  struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO };
  for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
    sigaction (passed[i], &action, NULL);
}

/* Become PROGRAM in the child.  Return only if it cannot be run, with an errno. */
static int
become (void *host)
{
  const struct cab_recording *run = host;
  char *options = options_text (run);
  setenv ("CABPROF_OPTIONS", options, 1);
  setenv ("CABPROF_SESSION", run->path, 1);
  if (run->server && !strcmp (run->trace.target, "-"))
    dup2 (STDERR_FILENO, STDOUT_FILENO);
  execvp (run->argv[0], run->argv);
  return errno;
}

static void
started (void *host, pid_t pid)
{
  struct cab_recording *run = host;
  child = pid;
  set_signals ();
  if (run->server)
    cab_trace_serve_start (run->server);
}

#define MUCH_UNSEEN 0.5      /* the share of CPU time without samples above which a message is
				printed */
#define LEAST_CPU_S 0.05     /* seconds of CPU time below which it is not printed */

static void
say_unseen (const struct cab_recording *run)
{
  double cpu_s, unseen = cab_samples_unseen (&run->samples, &run->end_of.usage, &cpu_s);
  if (unseen > MUCH_UNSEEN && cpu_s >= LEAST_CPU_S)
    cab_say ("%.0f %% of %.2f s of CPU time has no sample: threads and processes that end before "
	     "the period (%.3g ms) have none: --rate=20000 sees "
	     "those of 0.05 ms",
	     100 * unseen, cpu_s, run->samples.source.period / 1e6);
}

/* Start PROGRAM and wait for it.  Return a shell's exit status if it cannot be run, else 0. */
static int
run_program (struct cab_recording *run)
{
  const struct cab_sample_command command = { become, started, run };
  bool sample = run->sampling.source && !run->script;
  run->sampling.heap = run->sampling.data ? run->path : NULL;
  int result = cab_sample_run (&run->sampling, &command, sample ? &run->samples : NULL,
			       &run->end_of, &run->diag);
  child = 0;
  if (result < 0)
    cab_say ("%s", run->diag.text);
  else if (sample && !run->end_of.sampled && !run->end_of.error)
    cab_say ("%s: nothing was sampled: the profile has no times", run->diag.text);
  else if (run->end_of.sampled)
    say_unseen (run);
  if (run->end_of.error)
    return refuse_program (run->argv[0], run->end_of.error);
  return result < 0 ? CAB_EXIT_FAILED : 0;
}

/* Write samples.json, if there are samples. */
static void
write_samples (struct cab_recording *run)
{
  char *path = concat (run->path, "/" CAB_SAMPLES_FILE, NULL);
  if (run->samples.n && cab_samples_write (&run->samples, path, &run->diag) < 0)
    {
      cab_say ("%s", run->diag.text);
      run->incomplete = true;
    }
  free (path);
}

/* End as the program ended, except that 0 also means that everything was recorded. */
static int
end_alike (int status, bool incomplete)
{
  if (!WIFSIGNALED (status))
    return WEXITSTATUS (status) ? WEXITSTATUS (status) : incomplete ? CAB_EXIT_FAILED : 0;
  struct rlimit none = { 0, 0 };
  int number = WTERMSIG (status);
  sigset_t one;
  setrlimit (RLIMIT_CORE, &none);
  signal (number, SIG_DFL);
  sigemptyset (&one);
  sigaddset (&one, number);
  sigprocmask (SIG_UNBLOCK, &one, NULL);
  raise (number);
  return 128 + number;
}

/* Read the samples of the script, or try whether the source that was named is there.  Return 0, or
   negative with words in RUN. */
static int
take_source_of (struct cab_recording *run)
{
  struct cab_sample_source source;
  const char *name = run->sampling.source;
  bool named = name && strcmp (name, "auto"), data = run->sampling.data;
  if (run->script)
    return (data ? cab_samples_from_data_script : cab_samples_from_script) (
      &run->samples, run->script, named ? name : NULL, &run->diag);
  return named || data ? cab_sample_try (name, data, &source, &run->diag) : 0;
}

/* Check the command line before an older profile is moved aside.  Return 0 or an exit status.  A
   program with probes of calls is sampled by the timer unless another source is named, since only
   sampling within the program knows calling contexts. */
static int
look_ahead (struct cab_recording *run)
{
  char *options = asked_text (run);
  bool taken = !*run->argv || cab_preflight_options (options, &run->diag) == 0;
  free (options);
  if (!taken)
    {
      cab_say ("%s: %s; nothing was run",
	       run->options ? "--options, CABPROF_OPTIONS" : "CABPROF_OPTIONS", run->diag.text);
      return CAB_EXIT_USAGE;
    }
  int error = *run->argv ? cannot_run (run->argv[0], &run->program) : 0;
  if (error)
    return refuse_program (run->argv[0], error);
  if (run->sampling.source && !strcmp (run->sampling.source, "auto") && !run->sampling.data
      && !run->script && run->program && cab_binary_probes_calls (run->program))
    run->sampling.source = "timer";
  if (take_source_of (run) < 0)
    {
      cab_say ("%s", run->diag.text);
      return CAB_EXIT_FAILED;
    }
  return 0;
}

/* Print why there is no profile, and what to do. */
static void
say_nothing_written (const struct cab_recording *run)
{
  unsigned n, all;
  char *reason = run->program ? cab_binary_probes_why_not (run->program, &n, &all) : NULL;
  const char *sampled = run->end_of.sampled ? ", and none ran long enough to be sampled" : "";
  if (reason)
    cab_say (
      "%s: no process wrote a profile%s: it was compiled with the plugin, but nothing in it has "
      "probes; of %u function%s, %u: %s "
      "(`cabprof info --skipped %s' lists them): compile it with other options of the plugin",
      run->argv[0], sampled, all, all == 1 ? "" : "s", n, reason, run->program);
  else
    cab_say ("%s: no process wrote a profile%s: compile the program with -fplugin=cabprof",
	     run->argv[0], sampled);
  free (reason);
}

static int
record (struct cab_recording *run)
{
  int status = look_ahead (run);
  if (status)
    return status;
  if (cab_record_make_directory (run) < 0)
    return CAB_EXIT_FAILED;
  if (run->trace.target
      && !(run->server = cab_trace_serve_open (&run->trace, run->path, &run->diag)))
    {
      cab_say ("%s", run->diag.text);
      return CAB_EXIT_FAILED;
    }
  getloadavg (run->load_before, 3);
  clock_gettime (CLOCK_REALTIME, &run->start);
  if (*run->argv)
    status = run_program (run);
  if (run->server && cab_trace_serve_end (run->server) < 0)
    run->incomplete = true;
  clock_gettime (CLOCK_REALTIME, &run->end);
  getloadavg (run->load_after, 3);
  if (!status)
    {
      write_samples (run);
      cab_record_write_meta (run);
      if (!cab_record_has_parts (run->path, &run->incomplete) && !run->samples.n)
	say_nothing_written (run);
      else if (!run->quiet && *run->argv)
	cab_record_say_end (run);
    }
  free (run->path);
  free (run->program);
  return status ? status : end_alike (run->end_of.status, run->incomplete);
}

static int
take_source (const struct cab_argument *option, const char *name)
{
  const char **source = option->to;
  *source = strcmp (name, "off") ? name : NULL;
  return 0;
}

static int
take_trace_format (const struct cab_argument *option, const char *name)
{
  const char **format = option->to;
  *format = name;
  return !strcmp (name, "packed") || !strcmp (name, "rows") || !strcmp (name, "text") ? 0
	 : cab_usage ("record", name, "no such format of a trace (packed, rows, text)");
}

static int
take_compress (const struct cab_argument *option, const char *name)
{
  struct cab_trace_request *trace = option->to;
  int how = cab_trace_compress_named (name);
  if (how < 0)
    return cab_usage ("record", name, "no such compression (none, predicted, zstd)");
  trace->compress = how;
  return 0;
}

/* Check options that depend on each other. */
static int
check_together (const struct cab_recording *run)
{
  if (run->sampling.data && !run->sampling.source)
    return cab_usage ("record", "--data", "needs samples: omit --sample=off");
  if (run->trace.target && (!*run->trace.target || !*run->argv))
    return cab_usage ("record", "--trace",
		      *run->trace.target ? "needs a program to run" : "names nothing");
  if (run->trace.compress && strcmp (run->trace.format, "packed"))
    return cab_usage ("record", "--compress", "is for packed traces: pass others through zstd");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct cab_recording *run)
{
  struct cab_sample_options *sampling = &run->sampling;
  const char *dir = CAB_DEFAULT_DIR;
  char rate[60];
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&dir),
    { "options", "KEY=VALUE:...",
      "options for the runtime, as in CABPROF_OPTIONS (which they extend)",
      .text = &run->options },
    { "sample", "NAME",
      "what samples: auto (the timer for programs with probes of calls, else cycles, cpu-clock, or "
      "the timer), off, timer, or an event (`cabprof doctor' lists them)",
      .take = take_source, .to = &sampling->source },
    { "data", NULL,
      "sample which data are accessed, for `cabprof report addresses': by the processor's events "
      "of loads, or those that --sample names, as page-faults",
      .flag = &sampling->data },
    { "rate", "N", rate, .number = &sampling->rate, .least = 1, .most = 100000,
      .wrong = "is not a number of samples per second, 1 to 100000" },
    { "samples", "FILE",
      "take samples that `perf script' printed; with --sample=NAME, those of event NAME",
      .text = &run->script },
    { "trace", "FILE",
      "record all events: FILE, - (the program's standard output goes to standard error), "
      "tcp:HOST:PORT, unix:PATH",
      .text = &run->trace.target },
    { "trace-format", "FORMAT", "packed (default), rows, text", .take = take_trace_format,
      .to = &run->trace.format },
    { "compress", "HOW", "none (default), predicted, or zstd, of packed traces",
      .take = take_compress, .to = &run->trace },
    { "quiet", NULL, "do not say at the end how large the profile is", .flag = &run->quiet }
  };
  const struct cab_arguments arguments = {
    "record", "[OPTION...] [--] PROGRAM [ARGUMENT...]\n--samples=FILE [OPTION...]",
    "Run PROGRAM and sample where its time goes; all its processes that have probes write their "
    "profiles to one new directory.  An older profile there becomes DIR.old.",
    .options = options, .n_options = ARRAY_SIZE (options),
    .more = "The exit status is PROGRAM's.", .words_end = true
  };
  snprintf (rate, sizeof rate, "samples in a second (default %.0f)", CAB_SAMPLE_RATE);
  int status = cab_arguments_parse (&arguments, argc, argv, &run->argv);
  run->dir = xstrdup (dir);
  if (!status && !*run->argv && !run->script)
    return cab_usage ("record", "PROGRAM", "is missing");
  return status ? status : check_together (run);
}

int
cab_cmd_record (int argc, char **argv)
{
  struct cab_recording run = { .sampling.source = "auto",
			       .trace = { .format = "packed", .convert = cab_trace_convert } };
  int status = parse (argc, argv, &run);
  if (!status)
    {
      cab_samples_init (&run.samples);
      status = record (&run);
      cab_samples_fini (&run.samples);
    }
  free (run.dir);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
