/* cmd_info.c - cabprof info: what a profile, or a binary, is made of.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/profile/model.h"
#include "cabprof/info.h"
#include "analyses/base/table.h"

enum list { SUMMARY, FUNCTIONS, UNITS, SKIPPED };

struct asked
{
  const char *dir, *file;
  enum list list;
  enum cab_format format;
};

static const struct cab_column function_columns[] = {
  { "function", CAB_FUNCTION, 0 }, { "file", CAB_PATH, 0 },    { "line", CAB_LINE, 0 },
  { "paths", CAB_COUNT, 0 },	   { "blocks", CAB_COUNT, 0 }, { "sites", CAB_COUNT, 0 },
  { "probes", CAB_TEXT, 0 },	   { "checksum", CAB_TEXT, 0 }
};

static const struct cab_column unit_columns[] = { { "source", CAB_PATH, 0 },
						  { "directory", CAB_PATH, 0 },
						  { "compiler", CAB_TEXT, 0 },
						  { "options", CAB_TEXT, 0 } };

static const struct cab_column skipped_columns[] = { { "function", CAB_FUNCTION, 0 },
						     { "file", CAB_PATH, 0 },
						     { "line", CAB_LINE, 0 },
						     { "reason", CAB_TEXT, 0 } };

static void
list_function (struct cab_info *info, uint64_t at, struct cab_table *table)
{
  struct cab_diag diag;
  struct cab_record r;
  if (cab_info_record (info, at, &r, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return;
    }
  union cab_cell *row = cab_table_row (table);
  const char *file = r.file < r.n_files ? r.files[r.file] : "";
  row[0].text = cab_names_display (&info->names, r.assembler, r.source, file);
  row[1].text = file;
  row[2].count = r.line;
  row[3].count = r.n_paths;
  row[4].count = r.n_blocks;
  row[5].count = r.n_sites;
  row[6].text = cab_names_format (&info->names, "%s%s%s%s",
				  r.counted ? "paths"
				  : r.traced ? "paths traced"
				  : "",
				  (r.counted || r.traced) && r.calls ? "+" : "",
				  r.calls ? "calls" : "", r.cut_at_calls ? ", cut at calls" : "");
  row[7].text = cab_names_format (&info->names, "%08x", r.checksum);
}

static const char *
reason_of (struct cab_info *info, const struct cab_note *note)
{
  size_t skipped = strlen (CAB_INFO_UNSEEN);
  if (note->kind == 'S')
    return note->field[4];
  if (!strncmp (note->field[4], CAB_INFO_UNSEEN, skipped))
    return cab_names_format (&info->names, "%s calls whose accesses are not seen: %s",
			     note->field[5], note->field[4] + skipped);
  return cab_names_format (&info->names, "%s accesses left out: %s", note->field[5],
			   note->field[4]);
}

static void
list_note (struct cab_info *info, uint64_t at, char kind, struct cab_table *table)
{
  struct cab_diag diag;
  struct cab_note note;
  if (cab_info_note (info, at, &note, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return;
    }
  union cab_cell *row = cab_table_row (table);
  if (kind == 'U')
    for (int i = 0; i < 4; i++)
      row[i].text = note.field[i];
  else
    {
      row[0].text = cab_names_display (&info->names, note.field[0], note.field[1], note.field[2]);
      row[1].text = note.field[2];
      row[2].count = strtoul (note.field[3], NULL, 10);
      row[3].text = reason_of (info, &note);
    }
}

static void
list_records (struct cab_info *info, enum list list, struct cab_table *table)
{
  uint64_t offset = 0, at;
  for (char kind; (kind = cab_info_next (info, &offset, &at));)
    if (list == FUNCTIONS && kind == 'F')
      list_function (info, at, table);
    else if ((list == UNITS && kind == 'U')
	     || (list == SKIPPED && (kind == 'S' || kind == 'X')))
      list_note (info, at, kind, table);
}

static void
open_list (enum list list, struct cab_table *table)
{
  if (list == FUNCTIONS)
    cab_table_init (table, "functions", NULL, function_columns, 8);
  else if (list == UNITS)
    cab_table_init (table, "units", NULL, unit_columns, 4);
  else
    cab_table_init (table, "skipped", NULL, skipped_columns, 4);
}

static void
print_list (const struct asked *asked, struct cab_table *table)
{
  cab_table_sort (table, 0);
  cab_arg_write (table, asked->format, 0, asked->file ? asked->file : asked->dir);
  cab_table_fini (table);
}

static void
summarise_records (const struct cab_info *info)
{
  uint64_t offset = 0, at, n[128] = { 0 };
  for (char kind; (kind = cab_info_next (info, &offset, &at));)
    n[kind & 127]++;
  printf ("  %" PRIu64 " function%s with probes, %" PRIu64 " skipped, %" PRIu64
	  " translation unit%s, %zu bytes of records\n",
	  n['F'], n['F'] == 1 ? "" : "s", n['S'], n['U'], n['U'] == 1 ? "" : "s", info->bytes);
}

static int
tell_binary (const struct asked *asked)
{
  struct cab_info info;
  struct cab_table table;
  struct cab_diag diag;
  if (cab_info_open_elf (&info, asked->file, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  if (asked->list)
    {
      open_list (asked->list, &table);
      list_records (&info, asked->list, &table);
      print_list (asked, &table);
    }
  else
    {
      puts (asked->file);
      summarise_records (&info);
      puts ("  (--functions, --units and --skipped list them)");
    }
  cab_info_close (&info);
  return CAB_EXIT_GOOD;
}

static void
tell_process (const struct cab_process *p)
{
  const char *state = p->state == CAB_PROCESS_ENDED ? "ended"
		    : p->state == CAB_PROCESS_RUNNING ? "still running"
		    : p->end_ns ? "ended while other threads ran"
		    : "ended without notice (killed, _exit or exec)";
  char when[64] = "";
  time_t start = p->start_ns / 1000000000;
  struct tm tm;
  if (localtime_r (&start, &tm))
    strftime (when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
  printf ("process %" PRIu64 "  %s\n", p->pid, p->command);
  printf ("  part       %s\n  program    %s\n  directory  %s\n", p->part, p->exe, p->cwd);
  printf ("  started    %s by process %" PRIu64 "; %s\n", when, p->ppid, state);
  if (*p->options)
    printf ("  options    %s\n", p->options);
  printf ("  runtime    %s; %u thread%s, %u function%s\n", p->version, p->n_threads,
	  p->n_threads == 1 ? "" : "s", p->n_functions, p->n_functions == 1 ? "" : "s");
}

static void
tell_module (const struct cab_module_file *module)
{
  printf ("module  %s\n  key %s\n", module->path, module->key);
  if (module->info.path)
    summarise_records (&module->info);
  else
    puts ("  its records were not found");
}

/* Print the names that reports take by --snapshot and --region. */
static void
tell_names (const struct cab_model *model)
{
  char names[1024];
  cab_arg_snapshots (model->dir, names, sizeof names);
  if (*names)
    printf ("snapshots  %s\n", names);
  for (uint32_t i = 0; i < model->n_regions; i++)
    printf ("%s%s%s", i ? ", " : "regions  ", model->regions[i].name,
	    i + 1 < model->n_regions ? "" : "\n");
}

static int
tell_profile (const struct asked *asked)
{
  struct cab_model model;
  struct cab_table table;
  struct cab_diag diag;
  if (cab_model_open (&model, asked->dir, false, &diag) < 0)
    {
      cab_say ("%s", diag.text);
      return CAB_EXIT_FAILED;
    }
  if (asked->list)
    open_list (asked->list, &table);
  for (uint32_t i = 0; !asked->list && i < model.n_processes; i++)
    tell_process (&model.processes[i]);
  for (uint32_t i = 0; i < model.n_modules; i++)
    if (!asked->list)
      tell_module (model.modules[i]);
    else if (model.modules[i]->info.path)
      list_records (&model.modules[i]->info, asked->list, &table);
  if (asked->list)
    print_list (asked, &table);
  else
    tell_names (&model);
  for (uint32_t i = 0; i < model.n_problems; i++)
    cab_say ("%s", model.problems[i]);
  for (uint32_t i = 0; i < model.n_unborn; i++)
    cab_say ("%s", model.unborn[i]);
  int status = model.n_problems ? CAB_EXIT_FAILED : CAB_EXIT_GOOD;
  cab_model_close (&model);
  return status;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct asked *asked)
{
  bool functions = false, units = false, skipped = false;
  char **words;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&asked->dir),
    { "functions", NULL, "list the functions with probes", .flag = &functions },
    { "units", NULL, "list the translation units and how they were compiled", .flag = &units },
    { "skipped", NULL,
      "list the functions without probes, and why; accesses left out by filters, or not seen",
      .flag = &skipped },
    { "format", "FORMAT", "of a list: text, tsv or json", .format = &asked->format },
    CAB_ARGUMENT_WIDE
  };
  const struct cab_arguments arguments = {
    "info", "[-d DIR | BINARY] [OPTION...]",
    "What a profile is made of (processes, modules); or an object, program or library compiled "
    "with the plugin.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (status)
    return status;
  if (words[0] && words[1])
    return cab_usage ("info", words[1], "one binary at a time");
  asked->file = words[0];
  asked->list = functions ? FUNCTIONS : units ? UNITS : skipped ? SKIPPED : SUMMARY;
  return 0;
}

int
cab_cmd_info (int argc, char **argv)
{
  struct asked asked = { .dir = CAB_DEFAULT_DIR, .format = CAB_FORMAT_TEXT };
  int status = parse (argc, argv, &asked);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  return asked.file ? tell_binary (&asked) : tell_profile (&asked);
}
