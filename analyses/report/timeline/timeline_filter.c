/* timeline_filter.c - see timeline_filter.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline_filter.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

bool
cab_timeline_duration (const char *text, uint64_t *ns)
{
  static const struct
  {
    const char *name;
    double ns;
  } units[] = { { "", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
  char *end;
  double number = strtod (text, &end);
  if (end == text || !(number >= 0 && number <= 1e9))
    return false;
  for (size_t i = 0; i < ARRAY_SIZE (units); i++)
    if (!strcmp (end, units[i].name))
      {
	*ns = number * units[i].ns + 0.5;
	return true;
      }
  return false;
}

static const struct cab_lifetime *
thread_of (const struct cab_model *model, const struct cab_timed *span)
{
  static const struct cab_lifetime unknown = { .name = "" };
  const struct cab_process *process = &model->processes[span->process];
  return span->thread < process->n_threads ? &process->lifetimes[span->thread] : &unknown;
}

uint64_t
cab_timeline_tid (const struct cab_model *model, const struct cab_timed *span)
{
  return thread_of (model, span)->tid;
}

const char *
cab_timeline_thread_name (const struct cab_model *model, const struct cab_timed *span)
{
  return thread_of (model, span)->name;
}

static bool
is_of_thread (const char *wanted, const struct cab_lifetime *thread)
{
  char *end;
  uint64_t tid = strtoull (wanted, &end, 10);
  return (end != wanted && !*end && tid == thread->tid) || !fnmatch (wanted, thread->name, 0);
}

bool
cab_timeline_is_of (const struct cab_timeline_filter *filter, const struct cab_model *model,
		    const struct cab_timed *span)
{
  const struct cab_report_options *options = filter->report;
  bool is_function = span->function ? cab_report_wants (options, span->function)
				    : !options->function && !options->file;
  return is_function
	 && (!filter->thread || is_of_thread (filter->thread, thread_of (model, span)));
}

bool
cab_timeline_passes (const struct cab_timeline_filter *filter, const struct cab_model *model,
		     const struct cab_timed *span)
{
  return span->end_ns - span->begin_ns >= filter->longer_ns
	 && cab_timeline_is_of (filter, model, span);
}

const char *
cab_timeline_name (struct cab_model *model, const struct cab_report_options *options,
		   const struct cab_timed *span)
{
  return span->function ? cab_report_name (model, options, span->function) : "?";
}
