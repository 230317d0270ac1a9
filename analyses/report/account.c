/* account.c - see account.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/account.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/partial/sampled.h"
#include "cabprof/info.h"

static void
put (struct cab_account *a, const char *item, uint64_t count, bool is_news, const char *what,
     const char *more)
{
  if (a->n == a->room)
    {
      a->room = a->room ? 2 * a->room : 64;
      a->rows = XRESIZEVEC (struct cab_account_row, a->rows, a->room);
    }
  a->rows[a->n++] = (struct cab_account_row) { item, "", what, more, count, is_news };
}

static void
put_drops (struct cab_account *a, const struct cab_ledger *l)
{
  static const struct
  {
    const char *item, *what;
  } drops[CAB_N_DROPS] = {
    [CAB_DROP_UNREGISTERED] = { "dropped_unregistered", "dropped: function without a number" },
    [CAB_DROP_NO_MEMORY] = { "dropped_no_memory", "dropped: no room" },
    [CAB_DROP_NO_THREAD] = { "dropped_no_thread", "dropped: thread not attached" },
    [CAB_DROP_DISK] = { "dropped_disk", "dropped: the profile cannot grow" },
    [CAB_DROP_UNWANTED] = { "dropped_unwanted", "dropped: no analysis wants them" },
    [CAB_DROP_SANDBOX] = { "dropped_sandbox", "dropped: confined by a filter" }
  };
  uint64_t other = 0;
  for (int i = 0; i < CAB_N_DROPS; i++)
    if (drops[i].item)
      put (a, drops[i].item, l->dropped[i], l->dropped[i], drops[i].what, "");
    else
      other += l->dropped[i];
  put (a, "dropped_other", other, other, "dropped: other causes", "");
}

/* Add what a run left out by choice, if it read only some events. */
static void
put_some (struct cab_account *a, const struct cab_model *m)
{
  struct cab_part_share sum = { 0 };
  for (uint32_t i = 0; i < m->n_processes; i++)
    {
      const struct cab_part_share *one = &m->processes[i].share;
      sum.passed += one->passed;
      sum.overwritten += one->overwritten;
      sum.bursts += one->bursts;
      sum.slowed += one->slowed;
      sum.raised += one->raised;
    }
  bool is_some = sum.passed || sum.overwritten || sum.bursts;
  put (a, "events_passed", sum.passed, is_some, "events passed unread (sample=)", "");
  put (a, "events_overwritten", sum.overwritten, sum.overwritten, "events overwritten unread",
       "(the analysis thread was behind)");
  put (a, "bursts", sum.bursts, is_some, "bursts that were read", "");
  put (a, "rate_halved", sum.slowed, sum.slowed, "times the rate was halved",
       "(the analysis thread was behind, or above overhead=)");
  put (a, "rate_doubled", sum.raised, sum.slowed, "times it was doubled again",
       "(the analysis thread was idle)");
}

/* Return in words what placement=auto found, or "" if processes found different things. */
static const char *
placed_words (const struct cab_model *m, enum cab_placed how)
{
  static const char *const words[CAB_N_PLACED_WHY] = {
    [CAB_PLACED_EARLY] = "(too little was sent to choose by)",
    [CAB_PLACED_ALONE] = "(the process has one processor)",
    [CAB_PLACED_BUSY] = "(the program keeps all its processors busy)",
    [CAB_PLACED_LITTLE] = "(an analysis thread would save less than a tenth, or cost more)",
    [CAB_PLACED_CHEAPER] = "(that is cheaper by a tenth or more)"
  };
  int why = -1;
  for (uint32_t i = 0; i < m->n_processes; i++)
    {
      const struct cab_part_placement *one = &m->processes[i].placement;
      if (!one->is_auto || (one->how == CAB_PLACED_THREAD) != (how == CAB_PLACED_THREAD))
	continue;
      if (why >= 0 && why != (int) one->why)
	return "";
      why = one->why;
    }
  return why < 0 ? "" : words[why];
}

/* Add what placement=auto chose, and the mean costs of the processes that it chose by.  The
   prediction that was measured is that of processes with a thread alone. */
static void
put_placement (struct cab_account *a, const struct cab_model *m)
{
  struct cab_part_placement sum = { 0 };
  uint64_t n_auto = 0, n_judged = 0, n_threads = 0, n_measured = 0, predicted_ps = 0;
  for (uint32_t i = 0; i < m->n_processes; i++)
    {
      const struct cab_part_placement *one = &m->processes[i].placement;
      bool has_thread = one->is_auto && one->how == CAB_PLACED_THREAD;
      n_auto += one->is_auto != 0;
      n_threads += has_thread;
      if (!one->is_auto || one->how == CAB_PLACED_NOT)
	continue;
      n_judged++;
      sum.fill_ps += one->fill_ps;
      sum.analysis_ps += one->analysis_ps;
      sum.communication_ps += one->communication_ps;
      sum.inline_ps += one->inline_ps;
      sum.thread_ps += one->thread_ps;
      if (!has_thread || !one->measured_words)
	continue;
      n_measured++;
      predicted_ps += one->thread_ps;
      sum.measured_ps += one->measured_ps;
    }
  if (!n_auto)
    return;
  uint64_t n = n_judged ? n_judged : 1, n_m = n_measured ? n_measured : 1;
  put (a, "placed_inline", n_auto - n_threads, n_auto - n_threads,
       "processes that analyse inline", placed_words (m, CAB_PLACED_INLINE));
  put (a, "placed_thread", n_threads, n_threads, "processes with an analysis thread",
       placed_words (m, CAB_PLACED_THREAD));
  put (a, "fill_ps", sum.fill_ps / n, n_judged, "  program and probes, ps per word", "");
  put (a, "analysis_ps", sum.analysis_ps / n, n_judged, "  analysis, ps per word", "");
  put (a, "communication_ps", sum.communication_ps / n, n_judged,
       "  way to a processor, ps per word", "");
  put (a, "inline_ps", sum.inline_ps / n, n_judged, "  predicted inline, ps per word", "");
  put (a, "thread_ps", sum.thread_ps / n, n_judged, "  predicted with a thread", "");
  put (a, "thread_measured_ps", sum.measured_ps / n_m, n_measured, "  measured with a thread", "");
  put (a, "thread_predicted_ps", predicted_ps / n_m, n_measured && predicted_ps != sum.thread_ps,
       "  predicted for these", "");
}

/* Add how many processes analysed each event at once, and what kept handlers away meanwhile. */
static void
put_direct (struct cab_account *a, const struct cab_model *m)
{
  uint64_t n = 0, n_blocking = 0;
  for (uint32_t i = 0; i < m->n_processes; i++)
    {
      const struct cab_part_placement *one = &m->processes[i].placement;
      n += !one->is_auto && one->how == CAB_PLACED_DIRECT;
      n_blocking += !one->is_auto && one->how == CAB_PLACED_DIRECT_BLOCKS;
    }
  if (n + n_blocking)
    put (a, "placed_direct", n + n_blocking, true, "processes that analyse each event at once",
	 n_blocking ? "(by two system calls for each event: no restartable sequences)"
		    : "(by restartable sequences)");
}

static void
put_events (struct cab_account *a, const struct cab_model *m)
{
  const struct cab_ledger *l = &m->ledger;
  uint64_t finished = 0, lost = 0,
	   sent = l->enqueued - (l->raw_words < l->enqueued ? l->raw_words : 0);
  for (uint32_t i = 0; i < m->n_processes; i++)
    {
      finished += m->processes[i].finished;
      lost += m->processes[i].lost;
    }
  put (a, "events_sent", sent, true, "events sent through rings",
       sent ? "" : "(paths were counted in place)");
  put (a, "accesses_told", l->accesses, l->accesses, "  accesses and blocks recorded", "");
  put (a, "words_sent", l->enqueued, l->accesses, "  words that they took", "");
  put (a, "events_analysed", l->analysed, l->enqueued, "events analysed", "");
  put (a, "analysed_by_command", finished, finished, "  of them by this command",
       "(their process ended before it could)");
  put (a, "lost_no_room", lost, lost, "lost: an analysis had no room", "");
  put_drops (a, l);
  put_some (a, m);
  put (a, "words_traced", l->traced, l->traced + l->untraced, "words written to a trace", "");
  put (a, "words_untraced", l->untraced, l->untraced, "words that are not in the trace",
       "(it could not be written)");
  put (a, "waits", l->n_blocked, l->n_blocked, "times a thread waited for room", "");
  put (a, "waits_ns", l->blocked_ns, false, "time that threads waited for room", "");
  put (a, "inline_ns", l->inline_ns, l->inline_ns, "analyses in the program's threads", "");
  put_placement (a, m);
  put_direct (a, m);
  put (a, "kept_aside", l->stashed, l->stashed, "events kept aside in signal handlers", "");
  put (a, "threads_not_attached", l->n_attach_failures, l->n_attach_failures,
       "threads that could not be attached", "");
  put (a, "functions_refused", l->n_functions_refused, l->n_functions_refused,
       "functions that could not register", "");
}

static int
by_count (const void *a, const void *b)
{
  const struct cab_account_row *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count ? 1 : -1) : strcmp (x->cause, y->cause);
}

/* Add ITEM and a row for each of its causes: the number of functions, accesses or calls in the
   notes of KIND, S or X.  Only notes count whose reasons begin with START or, if START is null, do
   not begin with CAB_INFO_UNSEEN. */
static void
put_notes (struct cab_account *a, const struct cab_model *m, char kind, const char *start,
	   const char *item, const char *what, const char *more)
{
  size_t skipped = start ? strlen (start) : 0;
  size_t sum = a->n;
  put (a, item, 0, kind == 'S', what, more);
  for (uint32_t i = 0; i < m->n_notes; i++)
    {
      const struct cab_note *note = &m->notes[i].note;
      size_t k = sum + 1;
      bool is_unseen = !strncmp (note->field[4], CAB_INFO_UNSEEN, strlen (CAB_INFO_UNSEEN));
      if (note->kind != kind || is_unseen != (start != NULL))
	continue;
      const char *cause = note->field[4] + skipped;
      while (k < a->n && strcmp (a->rows[k].cause, cause))
	k++;
      if (k == a->n)
	{
	  put (a, item, 0, !start, what, more);
	  a->rows[k].cause = cause;
	}
      uint64_t times = kind == 'S' ? 1 : strtoul (note->field[5], NULL, 10);
      a->rows[k].count += times;
      a->rows[sum].count += times;
    }
  a->rows[sum].is_news |= a->n > sum + 1;
  qsort (a->rows + sum + 1, a->n - sum - 1, sizeof *a->rows, by_count);
}

static void
put_functions (struct cab_account *a, const struct cab_model *m)
{
  uint64_t not_returned = 0, arrivals = 0, executed = 0, nameless = 0, by_paths = 0;
  struct cab_sampled sampled = { 0 };
  for (uint32_t i = 0; i < m->n_functions; i++)
    {
      const struct cab_function *f = m->functions[i];
      executed += cab_model_calls (f) != 0
		  || ((f->flags & CAB_ROW_MEMORY) && !f->beside && !f->of_clone);
      nameless += !f->record;
      not_returned += cab_model_unfinished (m, f);
      by_paths += cab_model_has_paths (f);
      arrivals += f->arrivals;
    }
  put (a, "functions_executed", executed, true, "functions executed", "(those with probes)");
  put (a, "entered_early", m->ledger.early, m->ledger.early, "functions entered too early",
       "(by .preinit_array or ifunc resolvers, before the runtime was there: not counted)");
  bool is_sampled = cab_model_sampled (m, &sampled);
  put (a, "pieces", is_sampled ? sampled.pieces : 0, is_sampled, "pieces of activations to sample",
       "(begun at entries and in loops, compiled with memory-sample)");
  put (a, "pieces_recorded", is_sampled ? sampled.recorded : 0, is_sampled, "  of them recorded",
       "(accesses are counted as recorded, not scaled)");
  put (a, "pieces_passed", is_sampled ? sampled.pieces - sampled.recorded : 0, is_sampled,
       "  passed over", "");
  put (a, "functions_nameless", nameless, nameless, "  of them without a record",
       "(known by number only)");
  put_notes (a, m, 'S', NULL, "functions_skipped", "functions skipped by the compiler", "");
  put_notes (a, m, 'X', NULL, "accesses_left_out", "accesses left out by filters",
	     "(places in the code)");
  put_notes (a, m, 'X', CAB_INFO_UNSEEN, "calls_unseen", "library call sites",
	     "(their accesses are not recorded)");
  put (a, "not_returned", not_returned, by_paths, "calls that did not return normally",
       not_returned ? "(longjmp, an exception or exit; or still running)" : "");
  put (a, "arrivals", arrivals, arrivals, "paths left by a jump within",
       "(longjmp or goto to a place in the same call: these paths did not end either)");
}

void
cab_account_init (struct cab_account *account, const struct cab_model *model)
{
  memset (account, 0, sizeof *account);
  put_events (account, model);
  put_functions (account, model);
}

void
cab_account_fini (struct cab_account *account)
{
  free (account->rows);
}
