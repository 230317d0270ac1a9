/* page.c - see page.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page.h"
#include "analyses/page/page_baseline.h"
#include "analyses/page/page_contexts.h"
#include "analyses/page/page_loops.h"
#include "analyses/page/page_pack.h"
#include "analyses/page/page_shell.h"
#include "analyses/page/page_sources.h"
#include "analyses/page/page_tables.h"
#include "analyses/page/page_timeline.h"

#define MOST_PROCESSES 100

/* Return in words how P ended. */
static const char *
state_of (const struct cab_process *p)
{
  return p->state == CAB_PROCESS_RUNNING ? "still running"
       : p->state == CAB_PROCESS_ENDED ? "ended"
       : p->end_ns ? "ended while other threads ran"
		   : "ended without notice";
}

static json_t *
processes_of (const struct cab_model *model)
{
  json_t *processes = json_array ();
  for (uint32_t i = 0; i < model->n_processes && i < MOST_PROCESSES; i++)
    {
      const struct cab_process *p = &model->processes[i];
      double seconds = p->end_ns > p->start_ns ? (p->end_ns - p->start_ns) / 1e9 : 0;
      json_array_append_new (
	processes, json_pack ("{s:o, s:I, s:f, s:I, s:I, s:s}", "command",
			      cab_page_text (*p->command ? p->command : p->exe), "pid",
			      (json_int_t) p->pid, "seconds", seconds, "threads",
			      (json_int_t) p->n_threads, "functions", (json_int_t) p->n_functions,
			      "state", state_of (p)));
    }
  return processes;
}

static json_t *
problems_of (const struct cab_model *model)
{
  json_t *problems = json_array ();
  for (uint32_t i = 0; i < model->n_problems; i++)
    json_array_append_new (problems, cab_page_text (model->problems[i]));
  return problems;
}

/* Put into DOCUMENT what both profiles of a page have. */
static void
put_profile (json_t *document, struct cab_model *model, size_t rows, json_t *tables)
{
  json_object_set_new (document, "profile", cab_page_text (model->dir));
  json_object_set_new (document, "program", cab_page_text (model->program ? model->program : ""));
  json_object_set_new (document, "processes", processes_of (model));
  json_object_set_new (document, "n_processes", json_integer (model->n_processes));
  json_object_set_new (document, "matrix", cab_page_loops (model, tables, rows));
  json_object_set_new (document, "contexts", cab_page_contexts (model, rows * CAB_PAGE_NODES));
  cab_page_tables (model, rows, tables);
}

/* Return what the page of MODEL has of OLD, and put what changed into TABLES. */
static json_t *
baseline_of (struct cab_model *model, struct cab_model *old, size_t rows, json_t *tables)
{
  json_t *baseline = json_object (), *own = json_object ();
  put_profile (baseline, old, rows, own);
  json_object_set_new (baseline, "tables", own);
  cab_page_baseline (old, model, rows, baseline, tables);
  json_object_set_new (baseline, "problems", problems_of (old));
  return baseline;
}

void
cab_page_write (struct cab_model *model, struct cab_model *old,
		const struct cab_page_options *options, FILE *to)
{
  json_t *document = json_object (), *tables = json_object ();
  json_object_set_new (document, "version", json_string (CABPROF_VERSION));
  put_profile (document, model, options->rows, tables);
  json_object_set_new (document, "timeline",
		       cab_page_timeline (model, options->rows * CAB_PAGE_NODES));
  json_object_set_new (document, "sources", cab_page_sources (model, options, tables));
  json_object_set_new (document, "baseline",
		       old ? baseline_of (model, old, options->rows, tables) : json_null ());
  json_object_set_new (document, "tables", tables);
  /* Last, since all of the above may find some. */
  json_object_set_new (document, "problems", problems_of (model));
  cab_page_shell (false, to);
  cab_page_pack (document, to);
  cab_page_shell (true, to);
  json_decref (document);
}
