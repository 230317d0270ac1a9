/* cmd_trials.c - cabprof trials: name the loops of a program, judge their trials, write hints.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <libiberty/libiberty.h>
#include "analyses/base/names.h"
#include "analyses/command/arguments.h"
#include "analyses/command/command.h"
#include "analyses/command/output.h"
#include "analyses/report/loops/loop_trials.h"
#include "loopfb/attribute/loop_table.h"
#include "loopfb/formats/hints.h"

struct request
{
  const char *dir, *name, *output, *function, *file;
  bool beside;
  enum cab_format format;
};

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  const struct cab_argument options[] = {
    { "name", "PROGRAM",
      "write the innermost loops of this program or object, for "
      "-fplugin-arg-cabprof-trials=FILE",
      .text = &request->name },
    { "beside", NULL,
      "with --name: these loops are to be copied side by side, and not their functions",
      .flag = &request->beside },
    CAB_ARGUMENT_FUNCTION (&request->function),
    CAB_ARGUMENT_FILE (&request->file),
    CAB_ARGUMENT_DIR (&request->dir),
    CAB_ARGUMENT_FORMAT (&request->format),
    CAB_ARGUMENT_WIDE,
    { "o", "FILE",
      "with --name: where to write (default: standard output); else: write the hints that the "
      "trials lead to",
      .text = &request->output }
  };
  const struct cab_arguments arguments = {
    "trials", "[OPTION...]\n--name=PROGRAM [--function=GLOB] [--file=GLOB] [-o FILE]",
    "Print what trials of loops came to: copies of their functions with different hints, which "
    "took turns in one run of a program that was compiled with "
    "-fplugin-arg-cabprof-trials=FILE.  Ratios are to the function with its loops' heads aligned.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  if (status)
    return status;
  if (!request->name && (request->function || request->file || request->beside))
    return cab_usage ("trials",
		      request->function ? "--function"
		      : request->file ? "--file"
				      : "--beside",
		      "goes with --name only");
  return *words ? cab_usage ("trials", *words, "is not an option") : 0;
}

/* Return the beginning of a hints file. */
static json_t *
new_hints (json_t *loops)
{
  return json_pack ("{s:i, s:s, s:s, s:o}", "schema", CAB_HINTS_SCHEMA, "format", CAB_HINTS_FORMAT,
		    "cabprof", CABPROF_VERSION, "loops", loops);
}

static json_t *
new_row (const char *function, const char *name, const char *file, uint32_t line, uint32_t column,
	 uint32_t ordinal, uint32_t checksum)
{
  char sum[16];
  snprintf (sum, sizeof sum, "%08x", checksum);
  return json_pack ("{s:s, s:s, s:s, s:i, s:i, s:i, s:s}", "function", function, "name", name,
		    "file", file, "line", (int) line, "column", (int) column, "ordinal",
		    (int) ordinal, "checksum", sum);
}

/* Write ROOT, which is released, to PATH, or to standard output. */
static int
write_json (json_t *root, const char *path)
{
  struct cab_output output;
  int status = cab_output_open (&output, path);
  if (status)
    {
      json_decref (root);
      return status;
    }
  json_dumpf (root, output.to, JSON_INDENT (1) | JSON_PRESERVE_ORDER);
  fputc ('\n', output.to);
  json_decref (root);
  return cab_output_close (&output, true);
}

static bool
is_wanted (const struct request *request, const struct cab_loop *loop, struct cab_names *names)
{
  const char *display = cab_names_display (names, loop->function, loop->name ? loop->name : "",
					   loop->file);
  if (request->function && !cab_names_match (request->function, loop->function)
      && !cab_names_match (request->function, display))
    return false;
  return !loop->n_children && !(loop->flags & CAB_LOOP_UNTOLD)
      && (!request->file || cab_hints_same_file (request->file, loop->file)
	  || cab_names_match (request->file, loop->file));
}

static int
name_loops (const struct request *request)
{
  struct cab_loop_table table;
  struct cab_names names;
  struct cab_diag diag;
  json_t *loops = json_array ();
  cab_loop_table_init (&table);
  cab_names_init (&names);
  int status = CAB_EXIT_FAILED;
  if (cab_loop_table_add_elf (&table, request->name, &diag) < 0)
    cab_say ("%s", diag.text);
  else
    {
      for (uint32_t i = 0; i < table.n_loops; i++)
	if (is_wanted (request, &table.loop[i], &names))
	  {
	    const struct cab_loop *l = &table.loop[i];
	    json_array_append_new (loops, new_row (l->function, l->name ? l->name : l->function,
						   l->file, l->line, l->column, l->ordinal,
						   l->checksum));
	  }
      json_t *root = new_hints (json_incref (loops));
      if (request->beside)
	json_object_set_new (root, "beside", json_true ());
      if (json_array_size (loops))
	status = write_json (json_incref (root), request->output);
      else
	cab_say ("%s: has no such loop: compile it with -fplugin=cabprof, or name others",
		 request->name);
      json_decref (root);
    }
  json_decref (loops);
  cab_names_fini (&names);
  cab_loop_table_fini (&table);
  return status;
}

/* Add the hints that TRIAL leads to to LOOPS. */
static void
put_hints (const struct cab_loop_trial *trial, json_t *loops)
{
  const struct cab_trials_function *f = trial->function;
  for (uint32_t i = 0; i < f->n_loops; i++)
    {
      int best = trial->best[i] >= 0 ? trial->best[i] : trial->alignment ? 2 : -1;
      if (best < 0)
	continue;
      const struct cab_trials_loop *l = &f->loops[i];
      const struct cab_trials_copy *copy = &f->copies[best];
      json_t *row = new_row (l->function, l->name, l->file, l->line, l->column, l->ordinal,
			     l->checksum);
      json_object_set_new (row, "unroll", json_integer (copy->unroll));
      if (copy->vectorize >= 0)
	json_object_set_new (row, "vectorize", json_boolean (copy->vectorize));
      json_object_set_new (row, "align", json_integer (copy->align));
      if (copy->prefetch)
	json_object_set_new (row, "prefetch", json_integer (copy->prefetch));
      json_object_set_new (
	row, "why", json_pack ("{s:s, s:f}", "reason", "trials", "ratio",
			       trial->estimate.ratio[copy->turn].mean));
      json_array_append_new (loops, row);
    }
}

/* Return true if LOOPS has a row for the same loop as ROW: it was inlined into several functions,
   and the first one that was tried counts. */
static bool
has_row (json_t *loops, json_t *row)
{
  static const char *const key[] = { "function", "file", "line", "column", "ordinal" };
  for (size_t i = 0; i < json_array_size (loops); i++)
    {
      bool same = true;
      for (size_t k = 0; k < ARRAY_SIZE (key); k++)
	same &= json_equal (json_object_get (json_array_get (loops, i), key[k]),
			    json_object_get (row, key[k]));
      if (same)
	return true;
    }
  return false;
}

static int
write_hints (const struct cab_loop_trials *trials, const char *path)
{
  json_t *all = json_array (), *loops = json_array ();
  uint32_t gcc = 0;
  for (uint32_t i = 0; i < trials->n; i++)
    {
      put_hints (&trials->trials[i], all);
      gcc = trials->trials[i].function->gcc;
    }
  for (size_t i = 0; i < json_array_size (all); i++)
    if (!has_row (loops, json_array_get (all, i)))
      json_array_append (loops, json_array_get (all, i));
  json_decref (all);
  json_t *root = new_hints (loops);
  if (gcc)
    json_object_set_new (root, "gcc", json_integer (gcc));
  return write_json (root, path);
}

static int
show (const struct request *request)
{
  struct cab_loop_trials trials;
  struct cab_table table;
  int status = CAB_EXIT_GOOD;
  cab_loop_trials_open (&trials, request->dir);
  for (uint32_t i = 0; i < trials.n_problems; i++)
    cab_say ("%s", trials.problems[i]);
  if (!trials.n)
    {
      cab_say ("%s: holds no trials: compile the program with -fplugin-arg-cabprof-trials=FILE, "
	       "and let it end by itself",
	       request->dir);
      status = CAB_EXIT_FAILED;
    }
  else if (request->output)
    status = write_hints (&trials, request->output);
  else
    {
      cab_loop_trials_table (&trials, &table);
      cab_arg_write (&table, request->format, 0, request->dir);
      cab_table_fini (&table);
    }
  cab_loop_trials_close (&trials);
  return status;
}

int
cab_cmd_trials (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR, .format = CAB_FORMAT_TEXT };
  int status = parse (argc, argv, &request);
  if (!status)
    status = request.name ? name_loops (&request) : show (&request);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
