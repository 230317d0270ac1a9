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
  { "function", CAB_FUNCTION, 0 },
  { "file", CAB_PATH, 0 },
  { "line", CAB_LINE, 0 },
  { "column", CAB_LINE, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "ordinal", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "unroll", CAB_NUMBER, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "vectorize", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "registers", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "assembler", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "checksum", CAB_TEXT, CAB_FORMAT_TSV | CAB_FORMAT_JSON },
  { "hint", CAB_TEXT, CAB_FORMAT_TEXT }
};
enum
{
  FUNCTION,
  FILE_,
  LINE,
  COLUMN,
  ORDINAL,
  UNROLL,
  VECTORIZE,
  REGISTERS,
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
    { "format", "FORMAT", "text, tsv or json", .format = &request->format,
      .given = &request->format_named },
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

static const char *
vectorize_word (const struct cab_hint *hint)
{
  return hint->vectorize == CAB_VECTORIZE_NO ? "no"
       : hint->vectorize == CAB_VECTORIZE_YES ? "yes"
       : "-";
}

/* Return the hint in words. */
static const char *
hint_words (struct cab_names *names, const struct cab_hint *hint)
{
  const char *unroll = hint->unroll == 0 ? ""
		     : hint->unroll == 1 ? "do not unroll"
		     : cab_names_format (names, "unroll %u", hint->unroll);
  const char *vectorize = hint->vectorize == CAB_VECTORIZE_AS_IS ? ""
			: hint->vectorize == CAB_VECTORIZE_NO ? "do not vectorize"
			: "vectorize";
  const char *words = cab_names_format (names, "%s%s%s", unroll, *unroll && *vectorize ? ", " : "",
					vectorize);
  if (hint->registers)
    words = cab_names_format (names, "%s%srename registers", words, *words ? ", " : "");
  return *words ? words : "as the compiler likes";
}

static void
put_hint (struct cab_table *table, struct cab_names *names, const struct cab_hint *hint)
{
  union cab_cell *row = cab_table_row (table);
  row[FUNCTION].text = cab_names_display (names, hint->function, hint->name ? hint->name : "",
					  hint->file);
  row[FILE_].text = hint->file;
  row[LINE].count = hint->line;
  row[COLUMN].count = hint->column;
  row[ORDINAL].count = hint->ordinal;
  row[UNROLL].count = hint->unroll;
  row[VECTORIZE].text = vectorize_word (hint);
  row[REGISTERS].text = hint->registers ? "yes" : "-";
  row[ASSEMBLER].text = hint->function;
  row[CHECKSUM].text = cab_names_format (names, "%08x", hint->checksum);
  row[HINT].text = hint_words (names, hint);
}

/* Add the row for all loops that have no row of their own. */
static void
put_every (struct cab_table *table, struct cab_names *names, uint32_t every)
{
  union cab_cell *row = cab_table_row (table);
  row[FUNCTION].text = row[FILE_].text = row[ASSEMBLER].text = "*";
  row[VECTORIZE].text = row[REGISTERS].text = row[CHECKSUM].text = "-";
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
