/* report_overview.c - `cabprof report` alone: what ran, what was hot, whether the account is
 * complete, and what to ask next.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include "analyses/profile/partial/estimated.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/report/account.h"
#include "analyses/profile/lto_unlinked.h"
#include "analyses/report/node_times.h"
#include "analyses/live/an_accesses.h"
#include "analyses/live/an_blocks.h"
#include "analyses/live/an_loops.h"
#include "analyses/live/cache/an_offenders.h"
#include "analyses/report/times.h"

#define TOP 8          /* rows of each table */
#define TOP_PROCESSES 5
#define TOP_REASONS 8

struct out
{
  struct cab_model *model;
  const struct cab_report_options *options;
  const struct cab_style *style;
  FILE *to;
};

static void
heading (const struct out *out, const char *text)
{
  fprintf (out->to, "%s%s%s\n", out->style->bold ? "\033[1m" : "", text,
	   out->style->bold ? "\033[0m" : "");
}

/* Return how P ended, as text that begins with a comma; "" if it ended normally. */
static const char *
state_name (const struct cab_process *p)
{
  if (p->state == CAB_PROCESS_KILLED)
    return p->end_ns ? ", ended while other threads ran"
		     : ", ended without notice (killed, _exit or exec)";
  return p->state == CAB_PROCESS_RUNNING ? ", still running" : "";
}

static void
put_process (const struct out *out, const struct cab_process *p)
{
  char when[64] = "", lasted[48] = "";
  time_t start = p->start_ns / 1000000000;
  struct tm tm;
  if (localtime_r (&start, &tm))
    strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
  const char *command = *p->command ? p->command : *p->exe ? p->exe : "(command unknown)";
  int room = out->style->width ? out->style->width - 2 : 0;
  fprintf (out->to, "  %.*s%s\n", room ? room - 1 : (int) strlen (command), command,
	   room && (int) strlen (command) >= room ? "~" : "");
  if (p->end_ns > p->start_ns)
    snprintf (lasted, sizeof lasted, ", %.3f s", (p->end_ns - p->start_ns) / 1e9);
  cab_style_line (out->style, 6, out->to,
		  "    pid %" PRIu64 ", %s%s, with probes: %u thread%s, %u function%s executed%s",
		  p->pid, when, lasted, p->n_threads, p->n_threads == 1 ? "" : "s", p->n_functions,
		  p->n_functions == 1 ? "" : "s", state_name (p));
}

static int
by_start (const void *a, const void *b)
{
  const struct cab_process *x = a, *y = b;
  return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static void
put_processes (const struct out *out)
{
  const struct cab_model *m = out->model;
  struct cab_process *sorted = xmemdup (m->processes, m->n_processes * sizeof *sorted,
					m->n_processes * sizeof *sorted);
  qsort (sorted, m->n_processes, sizeof *sorted, by_start);
  if (!m->n_processes)
    fprintf (out->to, "%s: no process with probes\n", m->dir);
  else
    fprintf (out->to, "%s: %u process%s\n", m->dir, m->n_processes,
	     m->n_processes == 1 ? "" : "es");
  for (uint32_t i = 0; i < m->n_processes && i < TOP_PROCESSES; i++)
    put_process (out, &sorted[i]);
  if (m->n_processes > TOP_PROCESSES)
    fprintf (out->to, "  and %u more: `cabprof info -d %s' names them\n",
	     m->n_processes - TOP_PROCESSES, m->dir);
  free (sorted);
}

/* Write the first rows of another report. */
static void
put_top (const struct out *out, const char *title,
	 void (*fill) (struct cab_model *, const struct cab_report_options *, struct cab_table *))
{
  struct cab_table table;
  fill (out->model, out->options, &table);
  table.title = NULL;
  size_t all = table.n_rows;
  cab_table_limit (&table, TOP);
  table.n_hidden = 0;
  table.total_column = -1;
  if (all)
    {
      fputc ('\n', out->to);
      heading (out, title);
      cab_table_text (&table, out->style, out->to);
      if (all > TOP)
	fprintf (out->to, "(%zu of %zu rows: `cabprof report %s')\n", table.n_rows, all,
		 table.name);
    }
  cab_table_fini (&table);
}

static void
put_count (const struct out *out, const char *what, uint64_t n, const char *more)
{
  char text[32];
  cab_style_line (out->style, 55, out->to, "  %-34s %15s%s%s", what, cab_table_grouped (n, text),
		  *more ? "  " : "", more);
}

/* Write ROW.  The causes of an item follow below it. */
static void
put_account_row (const struct out *out, const struct cab_account_row *row, uint64_t waits_ns)
{
  char text[64];
  if (*row->cause)
    cab_style_line (out->style, 6, out->to, "    %-32s %15" PRIu64, row->cause, row->count);
  else if (!strcmp (row->item, "inline_ns"))
    fprintf (out->to, "  %-34s %15.3f s\n", row->what, row->count / 1e9);
  else
    {
      snprintf (text, sizeof text, "(%.3f s)", waits_ns / 1e9);
      put_count (out, row->what, row->count, strcmp (row->item, "waits") ? row->more : text);
    }
}

static void
put_account (const struct out *out)
{
  struct cab_account account;
  size_t n_causes = 0;
  fputc ('\n', out->to);
  heading (out, "Account");
  cab_account_init (&account, out->model);
  for (size_t i = 0; i < account.n; i++)
    {
      const struct cab_account_row *row = &account.rows[i];
      n_causes = *row->cause ? n_causes + 1 : 0;
      if (row->is_news && n_causes <= TOP_REASONS)
	put_account_row (out, row, out->model->ledger.blocked_ns);
    }
  cab_account_fini (&account);
}

static void
put_question (const struct out *out, const char *command, const char *what)
{
  cab_style_line (out->style, 46, out->to, "  %-42s  %s", command, what);
}

/* Name the reports of accesses to memory that the profile can answer, or what they need. */
static void
put_next_memory (const struct out *out)
{
  const struct cab_model *m = out->model;
  if (cab_model_state (m, &cab_accesses))
    put_question (out, "cabprof report accesses",
		  "which variables and fields are read and written, and where");
  else if (cab_lto_unlinked (m))
    cab_style_line (out->style, 4, out->to,
		    "  link with cabprof-gcc, or give -fplugin= and its options at the link, too: "
		    "events=memory with -flto puts its probes in there");
  if (cab_model_state (m, &cab_accesses) && cab_model_state (m, &cab_blocks))
    put_question (out, "cabprof report blocks",
		  "what each allocation made, and who reads and writes it");
  else if (cab_model_state (m, &cab_accesses))
    cab_style_line (out->style, 4, out->to,
		    "  run with CABPROF_OPTIONS=analyses=accesses+blocks for what each allocation "
		    "made, and who reads and writes it");
  if (!cab_report_lacks_values (m))
    put_question (out, "cabprof report values",
		  "which values were read and written, how often zero, or the same as before");
  if (!cab_report_lacks_cache (m))
    put_question (
      out, "cabprof report offenders",
      cab_model_state (m, &cab_offenders)
	? "which accesses miss in the simulated caches (--by=variable, line, function, loop, "
	  "context, block)"
	: "which accesses miss in the simulated caches (--by=variable, line, function, loop)");
  if (!cab_report_lacks_reuse (m))
    put_question (out, "cabprof report reuse --curve",
		  "how many misses caches of all sizes would have");
  if (!cab_report_lacks_sharing (m))
    {
      put_question (out, "cabprof report sharing",
		    "which variables threads share, truly or falsely, and what would part them");
      put_question (out, "cabprof report sharing --by=line", "the same by line of memory");
    }
}

static void
put_next (const struct out *out)
{
  const struct cab_model *m = out->model;
  fputc ('\n', out->to);
  heading (out, "To ask next");
  if (cab_times_are_there (m))
    put_question (out, "cabprof report hotlines", "on which lines the time was spent");
  if (cab_node_times_are_there (m))
    put_question (out, "cabprof report tree --sort=time",
		  "where in the call tree the time was spent");
  if (cab_times_are_there (m) && m->n_modules)
    put_question (out, "cabprof report loops",
		  "which loops take the time, and what the compiler made of them");
  if (cab_model_state (m, &cab_loops))
    put_question (out, "cabprof report trips",
		  "how often loops were entered, and how often they iterate");
  put_next_memory (out);
  if (!cab_report_lacks_contexts (m))
    put_question (out, "cabprof report contexts",
		  "how often what happened in which calling context");
  if (m->has_paths)
    {
      put_question (out, "cabprof report paths --function=NAME",
		    "all paths of a function, with their lines");
      put_question (out, "cabprof report lines --file=NAME", "how often each line was executed");
    }
  if (m->has_tree)
    put_question (out, "cabprof report tree --fold-recursion", "who called whom, in which context");
  if (m->has_calls)
    put_question (out, "cabprof report calls --function=NAME",
		  "who calls a function, and whom it calls");
  else
    cab_style_line (
      out->style, 4, out->to,
      "  compile with %s-fplugin-arg-cabprof-events=paths,calls for call sites and the call tree",
      m->n_processes ? "" : "-fplugin=cabprof ");
  if (m->has_paths)
    put_question (out, "cabprof report methods --sort=not_returned",
		  "which functions did not return normally");
}

/* Write how and how much was sampled. */
static void
put_sampling (const struct out *out, const struct cab_samples *s)
{
  char weight[64], lost[64] = "", overhead[64] = ", overhead not known";
  const char *kinds[] = { "", ", by timers in the program", ", by perf script" };
  if (s->lost)
    snprintf (lost, sizeof lost, ", %" PRIu64 " lost", s->lost);
  if (s->overhead >= 0)
    snprintf (overhead, sizeof overhead, ", overhead %.2f %%", 100 * s->overhead);
  cab_style_line (out->style, 1, out->to, "(%" PRIu64 " sample%s of %s%s: %s%s%s)", s->n,
		  s->n == 1 ? "" : "s", s->source.name, kinds[s->source.kind],
		  cab_times_weight (s, s->weight, weight),
		  lost, s->source.kind == CAB_SAMPLE_SCRIPT ? "" : overhead);
}

static void
put_times (const struct out *out)
{
  struct cab_samples samples;
  struct cab_diag diag;
  char *path = concat (out->model->dir, "/" CAB_SAMPLES_FILE, NULL);
  cab_samples_init (&samples);
  if (cab_samples_read (&samples, path, &diag) == 0)
    {
      put_top (out, "Time by function", cab_report_time);
      put_sampling (out, &samples);
    }
  else
    cab_model_problem (out->model, "%s", diag.text);
  cab_samples_fini (&samples);
  free (path);
}

static void
put_contexts (const struct out *out)
{
  struct cab_node_times times;
  put_top (out, "Self time by calling context", cab_report_hotcontexts);
  cab_node_times_open (&times, out->model);
  if (times.assumed.n)
    cab_style_line (
      out->style, 1, out->to,
      "(%" PRIu64 " of %" PRIu64
      " samples are of code without probes, taken for calls of the function entered last)",
      times.assumed.n, times.all.n);
  cab_node_times_close (&times);
}

/* Write the results of analyses that run only if they are asked for. */
static void
put_asked (const struct out *out)
{
  struct cab_model *m = out->model;
  struct cab_report_options by_variable = *out->options;
  struct out variables = *out;
  by_variable.by = CAB_BY_VARIABLE;
  variables.options = &by_variable;
  if (!cab_report_lacks_cache (m))
    {
      put_top (out, "Simulated caches", cab_report_cache);
      put_top (&variables, "Most misses in D1, by variable", cab_report_offenders);
    }
  if (!cab_report_lacks_sharing (m))
    {
      /* Without the program, variables have less exact names.  The overview does not report that as
	 a problem; `report sharing' does. */
      uint32_t n_problems = m->n_problems;
      put_top (&variables, "Variables that threads share", cab_report_sharing);
      m->n_problems = n_problems;
    }
  if (!cab_report_lacks_values (m))
    put_top (out, "Values read and written", cab_report_values);
  if (!cab_report_lacks_reuse (m))
    put_top (out, "Distances between uses of a line of memory", cab_report_reuse);
  if (cab_model_state (m, &cab_blocks))
    put_top (out, "Blocks of memory by allocation", cab_report_blocks);
  if (!cab_report_lacks_contexts (m))
    put_top (out, "What happened most in which calling context", cab_report_contexts);
  if (!cab_report_lacks_trips (m))
    put_top (out, "Loops by their iterations", cab_report_trips);
}

void
cab_report_overview (struct cab_model *model, const struct cab_report_options *options,
		     const struct cab_style *style, FILE *to)
{
  struct out out = { model, options, style, to };
  const char *estimated = cab_model_estimated_text (model);
  if (estimated)
    cab_style_line (style, 2, to, "Counts: %s", estimated);
  put_processes (&out);
  put_asked (&out);
  if (cab_times_are_there (model))
    put_times (&out);
  if (cab_node_times_are_there (model))
    put_contexts (&out);
  put_top (&out, "Functions entered most often", cab_report_methods);
  if (model->has_paths)
    put_top (&out, "Hottest paths, with their source lines", cab_report_paths);
  if (model->has_calls)
    put_top (&out, "Hottest call sites", cab_report_calls);
  if (cab_model_state (model, &cab_accesses))
    put_top (&out, "Most frequent accesses to memory", cab_report_accesses);
  if (model->n_processes)
    put_account (&out);
  put_next (&out);
}
