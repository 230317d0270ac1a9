/* cmd_hints.c - cabprof hints: show a hints file as a table or as a patch of the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
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

enum { OPT_FORMAT = 256, OPT_PATCH, OPT_SOURCE, OPT_HELP };

static const struct option long_options[] = {
  { "format", required_argument, NULL, OPT_FORMAT },
  { "patch", no_argument, NULL, OPT_PATCH },
  { "source", required_argument, NULL, OPT_SOURCE },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
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

static int
help (void)
{
  printf ("Usage: cabprof hints [FILE] [OPTION...]\n"
	  "Print what a hints file says (default " CAB_HINTS_FILE
	  "), or make a patch of it that needs no plugin.\n\n"
	  "  --patch                a unified diff that puts `#pragma GCC unroll N' (Fortran: "
	  "`!GCC$ unroll N') before the loops;\n"
	  "                         apply it here with `patch -p1'.  Loops that cannot have one "
	  "are listed on standard error\n"
	  "  --source=DIR           where sources are that no longer lie where they were compiled; "
	  "may be repeated\n"
	  "  --format=FORMAT        text, tsv or json\n"
	  "  -o FILE                where to write the patch (default: standard output)\n");
  return CAB_EXIT_GOOD;
}

/* Return 0, an exit status, or -1 after --help. */
static int
parse (int argc, char **argv, struct request *request)
{
  int c, bad = 0;
  opterr = 0;
  while (!bad && (c = getopt_long (argc, argv, ":o:h", long_options, NULL)) != -1)
    switch (c)
      {
      case OPT_FORMAT:
	bad = cab_arg_format ("hints", optarg, &request->format);
	request->format_named = true;
	break;
      case OPT_PATCH: request->patch = true; break;
      case OPT_SOURCE:
	request->dirs = XRESIZEVEC (char *, request->dirs, request->n_dirs + 1);
	request->dirs[request->n_dirs++] = optarg;
	break;
      case 'o': request->output = optarg; break;
      case 'h':
      case OPT_HELP: help (); return -1;
      default: return cab_arg_wrong ("hints", argv, c);
      }
  if (bad)
    return bad;
  if (request->patch && request->format_named)
    return cab_usage ("hints", "--format", "a patch has only one");
  if (!request->patch && (request->output || request->n_dirs))
    return cab_usage ("hints", request->output ? "-o" : "--source", "goes with --patch only");
  if (optind < argc)
    request->path = argv[optind];
  return optind + 1 < argc ? cab_usage ("hints", argv[optind + 1], "one file at a time") : 0;
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
