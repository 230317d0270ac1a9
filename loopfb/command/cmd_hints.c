/* cmd_hints.c - cabprof hints: show a hints file as a table or as a patch of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/names.h"
#include "analyses/command/arguments.h"
#include "analyses/command/output.h"
#include "analyses/command/command.h"
#include "analyses/report/loops/loop_place.h"
#include "analyses/report/loops/report_loops.h"
#include "loopfb/command/cmd_hints_patch.h"

struct request
{
  const char *path;
  bool patch, format_named;
  const char *output;
  enum cab_format format;
  char **dirs;                /* --source */
  int n_dirs;
};

static const struct cab_column columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "unroll", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "vectorize", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "registers", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "align", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "prefetch", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "assembler", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "checksum", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "hint", CAB_TEXT, CAB_FORMAT_TEXT }
};
enum
{
  UNROLL = CAB_LOOP_PLACE_N,
  VECTORIZE,
  REGISTERS,
  ALIGN,
  PREFETCH,
  ASSEMBLER,
  CHECKSUM,
  HINT,
  N_COLUMNS
};

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "patch", NULL,
      "a unified diff that puts `#pragma GCC unroll N' (Fortran: `!GCC$ unroll N') before the "
      "loops; apply it here with `patch -p1'.  Loops that cannot have one are listed on standard "
      "error",
      .flag = &request->patch },
    CAB_ARGUMENT_SOURCE (&request->dirs, &request->n_dirs),
    CAB_ARGUMENT_FORMAT (&request->format, .given = &request->format_named),
    { "o", "FILE", "where to write the patch (default: standard output)",
      .text = &request->output }
  };
  const struct cab_arguments arguments = {
    "hints", "[FILE] [OPTION...]",
    "Print what a hints file says (default " CAB_HINTS_FILE "), or make a patch of it that needs "
    "no plugin.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (status)
    return status;
  if (request->patch && request->format_named)
    return cab_usage ("hints", "--format", "a patch has only one");
  if (!request->patch && (request->output || request->n_dirs))
    return cab_usage ("hints", request->output ? "-o" : "--source", "goes with --patch only");
  if (words[0])
    request->path = words[0];
  return words[0] && words[1] ? cab_usage ("hints", words[1], "one file at a time") : 0;
}

/* Return the hint's request to vectorize as struct cab_view_hint has it. */
static int
vectorize_of (const struct cab_hint *hint)
{
  return hint->vectorize == CAB_VECTORIZE_AS_IS ? -1 : hint->vectorize == CAB_VECTORIZE_YES;
}

/* Return the hint in words. */
static const char *
hint_words (struct cab_names *names, const struct cab_hint *hint)
{
  struct cab_view_hint view = { hint->unroll, vectorize_of (hint), hint->registers, hint->align,
				hint->prefetch };
  const char *words = cab_report_loops_hint (names, &view);
  return *words ? words : "as the compiler likes";
}

static void
put_hint (struct cab_table *table, struct cab_names *names, const struct cab_hint *hint)
{
  union cab_cell *row = cab_table_row (table);
  const char *display = cab_names_display (names, hint->function, hint->name ? hint->name : "",
					   hint->file);
  cab_loop_put_place (row, display, hint->file, hint->line, hint->column, hint->ordinal);
  row[UNROLL].count = hint->unroll;
  row[VECTORIZE].text = cab_report_loops_vectorize (vectorize_of (hint));
  row[REGISTERS].text = hint->registers ? "yes" : "-";
  row[ALIGN].text = cab_report_loops_number (names, hint->align);
  row[PREFETCH].text = cab_report_loops_number (names, hint->prefetch);
  row[ASSEMBLER].text = hint->function;
  row[CHECKSUM].text = cab_names_format (names, "%08x", hint->checksum);
  row[HINT].text = hint_words (names, hint);
}

/* Add the row for all loops that have no row of their own. */
static void
put_every (struct cab_table *table, struct cab_names *names, uint32_t every)
{
  union cab_cell *row = cab_table_row (table);
  cab_loop_put_place (row, "*", "*", 0, 0, 0);
  row[ASSEMBLER].text = "*";
  row[VECTORIZE].text = row[REGISTERS].text = row[ALIGN].text = row[PREFETCH].text
    = row[CHECKSUM].text = "-";
  row[UNROLL].count = every;
  row[HINT].text = cab_names_format (names, "unroll %u, where nothing else is said", every);
}

static void
show (const struct request *request, const struct cab_hints *hints)
{
  struct cab_table table;
  struct cab_names names;
  cab_names_init (&names);
  cab_table_init (&table, "hints", NULL, columns, N_COLUMNS);
  for (uint32_t i = 0; i < hints->n; i++)
    put_hint (&table, &names, &hints->row[i]);
  if (hints->every)
    put_every (&table, &names, hints->every);
  if (!table.n_rows && request->format == CAB_FORMAT_TEXT)
    printf ("%s: no hints: the compiler does as it likes with every loop\n", hints->path);
  else
    cab_arg_write (&table, request->format, 0, hints->path);
  cab_table_fini (&table);
  cab_names_fini (&names);
}

static int
patch (const struct request *request, const struct cab_hints *hints)
{
  struct cab_output output;
  int status = cab_output_open (&output, request->output);
  if (status)
    return status;
  status = cab_hints_patch (hints, request->dirs, request->n_dirs, output.to);
  int closed = cab_output_close (&output, !status);
  return status ? status : closed;
}

int
cab_cmd_hints (int argc, char **argv)
{
  struct request request = { .path = CAB_HINTS_FILE, .format = CAB_FORMAT_TEXT };
  struct cab_hints hints;
  char error[CAB_HINTS_ERROR_BYTES];
  int status = parse (argc, argv, &request);
  if (!status && cab_hints_read (&hints, request.path, error) < 0)
    {
      cab_say ("%s", error + strlen ("cabprof: "));
      status = CAB_EXIT_FAILED;
    }
  else if (!status)
    {
      status = request.patch ? patch (&request, &hints) : (show (&request, &hints), CAB_EXIT_GOOD);
      cab_hints_fini (&hints);
    }
  free (request.dirs);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
