/* cmd_deps.c - cabprof deps: make a patch of directives for loops that could run in parallel.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/command.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/report/report.h"
#include "loopfb/command/deps_graph.h"
#include "loopfb/command/deps_patch.h"
#include "loopfb/command/deps_try.h"

#define SHARE 1   /* percent */

struct request
{
  const char *dir, *program, *output;
  bool patch;
  const char *graph;          /* FILE:LINE, or null */
  enum cab_deps_graph_form form;
  bool try;
  struct cab_deps_patch_options options;
  struct cab_deps_try_options trial;
};

static int
take_form (const struct cab_argument *option, const char *word)
{
  enum cab_deps_graph_form *form = option->to;
  *form = strcmp (word, "svg") ? CAB_DEPS_DOT : CAB_DEPS_SVG;
  return !strcmp (word, "svg") || !strcmp (word, "dot")
	 ? 0
	 : cab_usage ("deps", word, "is neither dot nor svg");
}

/* Return an exit status for what is wrong with REQUEST and the WORDS beside options, 0 if nothing
   is. */
static int
check (const struct request *request, char **words)
{
  const struct cab_deps_try_options *trial = &request->trial;
  if (*words)
    return cab_usage ("deps", *words, "is not an option");
  if (request->patch + request->try + !!request->graph != 1)
    return cab_usage ("deps", "--patch, --try or --graph", "is required, one of them");
  if (!request->try && (trial->build || trial->run))
    return cab_usage ("deps", trial->build ? "--build" : "--run", "goes with --try only");
  if (request->try && (!trial->build || !trial->run))
    return cab_usage ("deps", trial->build ? "--run" : "--build", "is required");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  char **words;
  double percent = SHARE;
  const struct cab_argument options[] = {
    { "patch", NULL,
      "a unified diff that puts directives of OpenMP before loops that could run in parallel; "
      "apply it here with `patch -p1', and compile with -fopenmp.  Loops that cannot have one are "
      "listed on standard error",
      .flag = &request->patch },
    { "try", NULL,
      "build copies of the working directory with and without the directives, compare what the "
      "program prints, race it by elapsed time, and keep the patch if it is faster",
      .flag = &request->try },
    { "build", "COMMAND", "of --try: builds the program, all of it",
      .text = &request->trial.build },
    { "run", "COMMAND", "of --try: runs it; its output must always be the same",
      .text = &request->trial.run },
    { "tolerance", "X",
      "of --try: relative difference of numbers that it prints (default "
      CAB_TEXT_OF (CAB_DEPS_TOLERANCE) ")",
      .number = &request->trial.tolerance, .most = 1, .wrong = "is not a number from 0 to 1" },
    { "pairs", "N",
      "of --try: runs of both programs, at most (default " CAB_TEXT_OF (CAB_DEPS_PAIRS) ")",
      .whole = &request->trial.pairs, .least = 5, .most = 1000,
      .wrong = "is not a number of runs from 5 on" },
    { "graph", "FILE:LINE", "the dependences that the loop at this place carries, as a graph",
      .text = &request->graph },
    { "form", "FORM", "of the graph: dot (default, for graphviz) or svg", .take = take_form,
      .to = &request->form },
    CAB_ARGUMENT_DIR (&request->dir),
    CAB_ARGUMENT_PROGRAM (&request->program),
    CAB_ARGUMENT_FUNCTION (&request->options.function),
    CAB_ARGUMENT_FILE (&request->options.file),
    CAB_ARGUMENT_SOURCE (&request->options.dirs, &request->options.n_dirs),
    { "share", "PERCENT",
      "leave loops alone that have less of the accesses (default " CAB_TEXT_OF (SHARE) ")",
      .number = &percent, .most = 100, .wrong = "is not a number from 0 to 100" },
    { "o", "FILE", "where to write (default: standard output; --try: deps.patch)",
      .text = &request->output }
  };
  const struct cab_arguments arguments = {
    "deps",
    "--patch [OPTION...]\n--try --build COMMAND --run COMMAND [OPTION...]\n"
    "--graph=FILE:LINE [OPTION...]",
    "Change the sources of a program so that loops run in parallel, where the profile of "
    "CABPROF_OPTIONS=analyses=deps shows that they can (cabprof report deps).  What it shows is of "
    "one run: read the patch before you rely on it.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &words);
  request->options.share = percent / 100;
  if (!status)
    status = check (request, words);
  request->trial.output = request->output ? request->output : "deps.patch";
  return status;
}

/* Write the graph that REQUEST asks for.  Return an exit status. */
static int
graph (struct cab_model *model, const struct request *request)
{
  struct cab_output output;
  struct cab_deps_view view;
  struct cab_deps_facts facts;
  cab_deps_view_make (&view, model);
  cab_deps_facts_make (&facts, &view);
  uint32_t loop = cab_deps_graph_find (&view, request->graph);
  int status = CAB_EXIT_FAILED;
  if (loop == UINT32_MAX)
    cab_say ("%s: no loop, or several, there: `cabprof report deps' lists them", request->graph);
  else if (!(status = cab_output_open (&output, request->output)))
    {
      cab_deps_graph (&facts, loop, request->form, output.to);
      status = cab_output_close (&output, true);
    }
  cab_deps_facts_fini (&facts);
  cab_deps_view_fini (&view);
  return status;
}

/* Write the patch.  Return an exit status. */
static int
patch (struct cab_model *model, const struct request *request)
{
  struct cab_output output;
  uint32_t n = 0;
  int status = cab_output_open (&output, request->output);
  if (status)
    return status;
  status = cab_deps_patch (model, &request->options, output.to, &n);
  int closed = cab_output_close (&output, !status);
  if (!status && !n)
    cab_say ("%s: no loop gets a directive: `cabprof report deps' says what is in the way",
	     model->dir);
  return status ? status : closed;
}

int
cab_cmd_deps (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR,
			     .options.only = -1,
			     .trial = { .tolerance = CAB_DEPS_TOLERANCE,
					.pairs = CAB_DEPS_PAIRS } };
  struct cab_model model;
  int status = parse (argc, argv, &request);
  if (!status)
    status = cab_arg_open (&model, request.dir, false, request.program);
  else
    {
      free (request.options.dirs);
      return status < 0 ? CAB_EXIT_GOOD : status;
    }
  if (!status)
    {
      const char *lacks = cab_report_find ("deps")->lacks (&model);
      if (lacks)
	cab_say ("%s: %s", model.dir, lacks);
      status = lacks	       ? CAB_EXIT_FAILED
	     : request.graph ? graph (&model, &request)
	     : request.try	? cab_deps_try (&model, &request.options, &request.trial)
			     : patch (&model, &request);
      int problems = cab_arg_problems (&model);
      status = status ? status : problems;
      cab_model_close (&model);
    }
  free (request.options.dirs);
  return status;
}
