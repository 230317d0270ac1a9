/* cmd_data.c - cabprof data: which variables and blocks of memory are accessed, by address.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/output.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/profile/context_coverage.h"
#include "analyses/trace/data_table.h"
#include "analyses/live/an_tree.h"

struct request
{
  enum cab_format format;
  long limit;
  bool by_context;
  const char *path;
};

/* What is known of the one process that is examined. */
struct work
{
  struct cab_rows_reader reader;
  struct cab_data_map *map;
  uint32_t process, n_modules;
  uint64_t others;
  bool by_context;
};

static int
take_by (const struct cab_argument *option, const char *what)
{
  bool *by_context = option->to;
  *by_context = !strcmp (what, "context");
  return *by_context || !strcmp (what, "site")
	 ? 0
	 : cab_usage ("data", what, "nothing to tell blocks by (site, context)");
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "by", "WHAT",
      "blocks by site (default), the call that allocates, or by context, that call and its calling "
      "context",
      .take = take_by, .to = &request->by_context },
    CAB_ARGUMENT_FORMAT (&request->format),
    CAB_ARGUMENT_WIDE,
    CAB_ARGUMENT_LIMIT (&request->limit, "rows", CAB_TEXT_ROWS)
  };
  const struct cab_arguments arguments = {
    "data", "[OPTION...] TRACE",
    "Says how often each variable, and the blocks of memory of each allocation, were read and "
    "written: by the addresses in a trace of a program that was compiled with "
    "-fplugin-arg-cabprof-events=memory.  - is standard input.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  return status ? status : cab_arguments_trace ("data", words, &request->path);
}

static int
add_module (void *map, const char *path, uint64_t load_bias, struct cab_diag *diag)
{
  return cab_data_map_module (map, path, load_bias, diag);
}

static void
take_row (struct work *w, const struct cab_trace_row *row)
{
  struct cab_data_access access = { row->address, row->bytes, row->site,
				    row->thread,  row->form,  w->reader.node };
  if (!(row->form & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED)))
    cab_data_map_access (w->map, &access);
  if (row->form == CAB_ROW_RELEASED)
    cab_data_map_release (w->map, row->address);
  if (row->form == CAB_ROW_MOVED && (row->address || !row->bytes))
    cab_data_map_release (w->map, row->other);
  if ((row->form == CAB_ROW_ALLOCATED || row->form == CAB_ROW_MOVED) && row->address)
    cab_data_map_allocate (w->map, &access);
}

static void
take (struct work *w)
{
  for (size_t i = 0; i < w->reader.n_rows; i++)
    {
      const struct cab_trace_row *row = &w->reader.rows[i];
      if (row->kind != CAB_EV_ACCESS)
	continue;
      w->process = w->process ? w->process : row->process;
      w->others += row->process != w->process;
      if (row->process == w->process)
	{
	  cab_trace_modules (&w->reader, w->process, &w->n_modules, add_module, w->map);
	  take_row (w, row);
	}
    }
}

static void
print (const struct request *request, struct work *w)
{
  struct cab_table table;
  struct cab_data_known known = { &w->reader, w->process, w->by_context };
  cab_data_table (&table, w->map, &known);
  table.note = cab_rows_sampled (&w->reader);
  cab_arg_write (&table, request->format,
		 cab_arg_limit (request->limit, request->format, CAB_TEXT_ROWS), request->path);
  cab_table_fini (&table);
}

/* Take the next block of the trace into W's map.  Return 1, 0 at the end, or a negative code. */
static int
next (struct work *w, struct cab_diag *diag)
{
  int result = cab_rows_next (&w->reader, diag);
  if (result == CAB_ROWS_ROWS)
    take (w);
  return result < 0 ? result : result != CAB_ROWS_END;
}

/* Return true if the contexts of the process are known, and print what its units say about them. */
static bool
knows_contexts (struct work *w, const char *path)
{
  const struct cab_trace_process *process = cab_source_packed (&w->reader)
					      ->processes[w->process - 1];
  struct cab_contextless units = { 0, 0 };
  for (uint32_t i = 0; i < process->n_info; i++)
    cab_context_coverage_info (&units, &process->info[i]);
  bool known = units.n > units.without
	    && cab_tree_n (&cab_source_contexts (&w->reader, w->process)->tree) > 1;
  const char *text = cab_context_coverage_text (&w->reader.memory, &units);
  if (!known)
    cab_say ("%s: in which calling contexts blocks were allocated is not in it: trace a program "
	     "that was compiled with "
	     "-fplugin-arg-cabprof-events=calls,memory -fplugin-arg-cabprof-context, or leave "
	     "--by=context out",
	     path);
  else if (text)
    cab_say ("%s: %s", path, text);
  return known;
}

static int
run (const struct request *request)
{
  struct work w = { .by_context = request->by_context };
  struct cab_diag diag;
  int fd, result = 0, status = cab_trace_begin (&w.reader, request->path, &fd);
  if (status)
    return status;
  bool packed = cab_source_packed (&w.reader) != NULL, has_contexts = true;
  w.map = cab_data_map_new ();
  if (w.by_context)
    cab_source_follow (&w.reader);
  while (packed && (result = next (&w, &diag)) > 0)
    ;
  if (!packed)
    cab_say (
      "%s: a trace of rows does not say where programs and libraries are: give the packed trace",
      request->path);
  else if (!w.process)
    cab_say ("%s: no access is in it: trace a program that was compiled with "
	     "-fplugin-arg-cabprof-events=memory",
	     request->path);
  else if (!w.by_context || (has_contexts = knows_contexts (&w, request->path)))
    print (request, &w);
  if (w.others)
    cab_say ("%s: %" PRIu64 " accesses of other processes are left out: trace one process",
	     request->path, w.others);
  status = cab_trace_finish (&w.reader, request->path, fd, result, &diag);
  cab_data_map_free (w.map);
  return w.process && has_contexts ? status : CAB_EXIT_FAILED;
}

int
cab_cmd_data (int argc, char **argv)
{
  struct request request = { .format = CAB_FORMAT_TEXT, .limit = -1 };
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  return run (&request);
}
