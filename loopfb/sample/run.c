/* run.c - run a command under a sampling source.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/run.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/seconds.h"
#include "loopfb/preload/heap_log.h"
#include "loopfb/sample/heap_history.h"
#include "loopfb/sample/perf.h"
#include "loopfb/sample/preload.h"
#include "loopfb/sample/timer.h"

#define ROUND_MS 100      /* one window of the period's average */

struct run
{
  const struct cab_sample_options *options;
  const struct cab_sample_command *command;
  struct cab_samples *samples;
  struct cab_sample_end *end;
  struct cab_collector collector;
  const char *event;      /* its name, or null for the timer */
  bool perf_open, timer_open;
  char *heap_library;     /* that records allocations, or null */
  struct cab_perf perf;
  struct cab_timer timer;
  int go[2], report[2];
  pid_t pid;
  double own_s;           /* CPU time that this process spent reading */
};

static double
own_seconds (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
       + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static int
try_perf (const char *name, bool data, struct cab_sample_source *source, struct cab_diag *diag)
{
  struct cab_perf_event event;
  if (cab_perf_event_find (&event, name, data, diag) < 0)
    return -1;
  uint64_t period = cab_perf_first_period (&event, CAB_SAMPLE_RATE);
  if (cab_perf_event_grant (&event, name, period, diag) < 0)
    return -1;
  *source = (struct cab_sample_source) { .kind = CAB_SAMPLE_PERF,
					 .precise_ip = event.attr.precise_ip,
					 .unit_ns = event.unit_ns,
					 .user_only = event.attr.exclude_kernel,
					 .randomised = CAB_RANDOMISED_WAKE_UP,
					 .period = period };
  snprintf (source->name, sizeof source->name, "%s", name);
  return 0;
}

static int
try_timer (struct cab_sample_source *source, struct cab_diag *diag)
{
  struct cab_timer timer;
  struct cab_sample_options options = { .rate = CAB_SAMPLE_RATE };
  int result = cab_timer_begin (&timer, &options, source, diag);
  cab_timer_end (&timer);
  return result;
}

static bool
is_auto (const char *name)
{
  return !name || !strcmp (name, "auto");
}

/* Try the events that have addresses of data. */
static int
try_data (const char *name, struct cab_sample_source *source, struct cab_diag *diag)
{
  if (!is_auto (name) && strcmp (name, "timer"))
    return try_perf (name, true, source, diag);
  for (int i = 0; is_auto (name) && cab_perf_data_names[i]; i++)
    if (try_perf (cab_perf_data_names[i], true, source, diag) == 0)
      return 0;
  snprintf (diag->text, sizeof diag->text, "%s",
	    is_auto (name)
	      ? "no event of this (virtual) processor has addresses of data: --sample=page-faults "
		"says where memory is touched first; `cabprof doctor' lists what there is"
	      : "the timer has no addresses of data: name an event, as page-faults");
  return -1;
}

int
cab_sample_try (const char *name, bool data, struct cab_sample_source *source,
		struct cab_diag *diag)
{
  if (data)
    return try_data (name, source, diag);
  if (!is_auto (name))
    return strcmp (name, "timer") ? try_perf (name, false, source, diag)
				  : try_timer (source, diag);
  if (try_perf ("cycles", false, source, diag) == 0
      || try_perf ("cpu-clock", false, source, diag) == 0)
    return 0;
  return try_timer (source, diag);
}

/* Return the name of the granted SOURCE, which outlives this function: the caller's, or a
   constant. */
static const char *
name_of (const struct cab_sample_options *options, const struct cab_sample_source *source)
{
  if (!is_auto (options->source))
    return options->source;
  for (int i = 0; cab_perf_data_names[i]; i++)
    if (!strcmp (cab_perf_data_names[i], source->name))
      return cab_perf_data_names[i];
  return strcmp (source->name, "cycles") ? "cpu-clock" : "cycles";
}

/* Choose the source.  The timer is prepared here, since the child's environment depends on it. */
static int
choose (struct run *run, struct cab_diag *diag)
{
  struct cab_sample_source source;
  if (cab_sample_try (run->options->source, run->options->data, &source, diag) < 0)
    return -1;
  if (source.kind == CAB_SAMPLE_PERF)
    {
      run->event = name_of (run->options, &source);
      if (run->options->heap)
	run->heap_library = cab_preload_find (CAB_HEAP_LIBRARY, diag);
      return run->options->heap && !run->heap_library ? -1 : 0;
    }
  run->timer_open = cab_timer_begin (&run->timer, run->options, &run->samples->source, diag) == 0;
  return run->timer_open ? 0 : -1;
}

static void
in_child (struct run *run, const sigset_t *mask)
{
  char byte;
  close (run->go[1]);
  while (read (run->go[0], &byte, 1) < 0 && errno == EINTR)
    continue;
  if (run->timer_open)
    cab_timer_environment (&run->timer);
  if (run->heap_library)
    {
      cab_preload_environment (run->heap_library);
      setenv (CAB_HEAP_VARIABLE, run->options->heap, 1);
    }
  sigprocmask (SIG_SETMASK, mask, NULL);
  int error = run->command->become (run->command->host);
  while (write (run->report[1], &error, sizeof error) < 0 && errno == EINTR)
    continue;
  _exit (127);
}

static int
start (struct run *run, struct cab_diag *diag)
{
  sigset_t all, mask;
  if (pipe2 (run->go, O_CLOEXEC) < 0 || pipe2 (run->report, O_CLOEXEC) < 0)
    {
      snprintf (diag->text, sizeof diag->text, "pipe: %s: close some files", strerror (errno));
      return -1;
    }
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &mask);
  run->pid = fork ();
  if (run->pid == 0)
    in_child (run, &mask);
  if (run->pid > 0 && run->command->started)
    run->command->started (run->command->host, run->pid);
  sigprocmask (SIG_SETMASK, &mask, NULL);
  close (run->go[0]);
  close (run->report[1]);
  if (run->pid < 0)
    snprintf (diag->text, sizeof diag->text, "fork: %s: end some processes", strerror (errno));
  return run->pid < 0 ? -1 : 0;
}

/* Let the child become the command; return 0, or the errno of its exec. */
static int
let_go (struct run *run)
{
  int error = 0;
  close (run->go[1]);
  while (read (run->report[0], &error, sizeof error) < 0 && errno == EINTR)
    continue;
  close (run->report[0]);
  return error;
}

/* Return true if the command has ended; it stays a zombie. */
static bool
has_ended (pid_t pid)
{
  siginfo_t info = { .si_pid = 0 };
  return waitid (P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == pid;
}

static void
read_rounds (struct run *run)
{
  uint32_t n = run->perf.n_rings;
  struct pollfd *polled = XCNEWVEC (struct pollfd, n + 1);
  int process = syscall (SYS_pidfd_open, run->pid, 0);
  for (uint32_t i = 0; i < n; i++)
    polled[i] = (struct pollfd) { .fd = run->perf.rings[i].fd, .events = POLLIN };
  polled[n] = (struct pollfd) { .fd = process, .events = POLLIN };
  while (!has_ended (run->pid))
    {
      poll (polled, n + 1, ROUND_MS);
      cab_perf_read (&run->perf, &run->collector, false);
      /* A ring whose processes have all ended stays ready for ever. */
      for (uint32_t i = 0; i < n; i++)
	if (polled[i].revents & (POLLHUP | POLLERR))
	  polled[i].fd = -1;
    }
  if (process >= 0)
    close (process);
  free (polled);
}

static void
wait_for (struct run *run)
{
  double before = own_seconds ();
  if (run->perf_open)
    read_rounds (run);
  while (wait4 (run->pid, &run->end->status, 0, &run->end->usage) < 0 && errno == EINTR)
    continue;
  if (run->perf_open)
    cab_perf_read (&run->perf, &run->collector, true);
  run->own_s = own_seconds () - before;
}

/* Return what one sample costs, measured once in this process for each source. */
static double
cost_of_sample (const struct run *run)
{
  static struct
  {
    uint32_t type;
    uint64_t config;
    double cost;
  } known[8];
  static unsigned n_known;
  const struct perf_event_attr *a = &run->perf.event.attr;
  uint32_t type = run->perf_open ? a->type : UINT32_MAX;
  uint64_t config = run->perf_open ? a->config : 0;
  for (unsigned i = 0; i < n_known; i++)
    if (known[i].type == type && known[i].config == config)
      return known[i].cost;
  double cost = run->perf_open ? cab_perf_cost (&run->perf.event) : cab_timer_signal_cost ();
  unsigned i = n_known < 8 ? n_known++ : 7;
  known[i].type = type;
  known[i].config = config;
  known[i].cost = cost;
  return cost;
}

/* Set the overhead: what sampling took, over the program's CPU time. */
static void
measure_overhead (struct run *run)
{
  struct cab_samples *s = run->samples;
  const struct rusage *u = &run->end->usage;
  double seconds = u->ru_utime.tv_sec + u->ru_stime.tv_sec
		 + (u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1e6;
  double each = cost_of_sample (run);
  if (each < 0 || seconds <= 0)
    return;
  double in_program = run->perf_open ? s->n * each / 1e9
				     : (run->timer.handler_ns + s->n * each) / 1e9;
  s->overhead = (in_program + run->own_s) / seconds;
  if (run->perf_open)
    snprintf (s->overhead_how, sizeof s->overhead_how,
	      "%.2f us for a sample, measured with a loop on this machine after a run, and %.1f ms "
	      "of the reader; over %.3f s of CPU time",
	      each / 1e3, run->own_s * 1e3, seconds);
  else
    snprintf (s->overhead_how, sizeof s->overhead_how,
	      "%.1f ms in the signal's handler, and %.2f us for each signal, measured on this "
	      "machine after a run; over %.3f s of CPU time",
	      run->timer.handler_ns / 1e6, each / 1e3, seconds);
}

static void
run_command (struct run *run, struct cab_diag *diag)
{
  double before = cab_seconds ();
  if (run->event)
    run->perf_open = cab_perf_open (&run->perf, run->pid, run->event, run->options,
				    &run->samples->source, diag)
		  == 0;
  run->end->error = let_go (run);
  wait_for (run);
  run->end->wall_s = cab_seconds () - before;
  if (run->timer_open)
    cab_timer_collect (&run->timer, &run->collector);
  run->end->sampled = (run->perf_open || run->timer_open) && !run->end->error;
  if (run->end->sampled)
    measure_overhead (run);
}

int
cab_sample_run (const struct cab_sample_options *options, const struct cab_sample_command *command,
		struct cab_samples *samples, struct cab_sample_end *end, struct cab_diag *diag)
{
  struct run run = { .options = options,
		     .command = command,
		     .samples = samples,
		     .end = end,
		     .go = { -1, -1 },
		     .report = { -1, -1 } };
  *end = (struct cab_sample_end) { 0 };
  *diag->text = 0;
  if (samples)
    {
      choose (&run, diag);
      cab_collect_begin (&run.collector, samples, options->heap);
    }
  int result = start (&run, diag);
  if (result == 0)
    run_command (&run, diag);
  if (samples)
    cab_collect_end (&run.collector);
  if (run.perf_open)
    cab_perf_close (&run.perf);
  if (run.timer_open)
    cab_timer_end (&run.timer);
  if (options->heap)
    cab_heap_history_remove (options->heap);
  free (run.heap_library);
  return result;
}
