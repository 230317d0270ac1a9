/* cmd_export.c - cabprof export: a profile for other programs to read.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/report/export.h"
#include "analyses/profile/programs.h"
#include "analyses/report/report.h"

struct format
{
  const char *name, *summary;
  int (*write) (struct cab_model *model, const struct cab_export_options *options, FILE *to,
		struct cab_diag *diag);
  const char *(*lacks) (const struct cab_model *model);
};

void
cab_export_text (const char *text, FILE *to)
{
  for (; *text; text++)
    putc (*text == '\n' || *text == '\r' ? '?' : *text, to);
}

static const char *
lacks_tree (const struct cab_model *model)
{
  const char *lacks = cab_report_lacks_calls (model);
  return lacks || model->has_tree
	 ? lacks
	 : "no calling-context tree was recorded: leave analyses=tree in CABPROF_OPTIONS";
}

static const struct format formats[] = {
  { "lcov", "a tracefile: genhtml and coverage services read it", cab_export_lcov,
    cab_report_lacks_paths },
  { "callgrind", "a callgrind.out file: KCachegrind and callgrind_annotate read it",
    cab_export_callgrind, NULL },
  { "folded", "stacks: flame graph tools and speedscope read them", cab_export_folded, lacks_tree },
  { NULL, NULL, NULL, NULL }
};

struct request
{
  const struct format *format;
  const char *dir, *file, *program;
  struct cab_export_options options;
};

enum { OPT_SOURCE = 256, OPT_FOLD, OPT_PROGRAM, OPT_HELP };

static const struct option long_options[] = {
  { "source", required_argument, NULL, OPT_SOURCE },
  { "program", required_argument, NULL, OPT_PROGRAM },
  { "fold-recursion", no_argument, NULL, OPT_FOLD },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

static void
help (void)
{
  printf ("Usage: cabprof export FORMAT [OPTION...]\n\n");
  for (int i = 0; formats[i].name; i++)
    printf ("  %-22s %s\n", formats[i].name, formats[i].summary);
  printf (
    "\n"
    "  -d DIR                 the profile (default " CAB_DEFAULT_DIR ")\n"
    "  -o FILE                where to write (default: standard output)\n"
    "  --program=NAME         of a profile of several programs, this one (default: that which did "
    "most; lcov: all), or all\n"
    "  --source=DIR           lcov: where sources are that no longer lie where they were compiled; "
    "may be repeated\n"
    "  --fold-recursion       folded: take a function below itself for its outer activation\n");
}

static int
parse (int argc, char **argv, struct request *request)
{
  struct cab_export_options *options = &request->options;
  opterr = 0;
  for (int c; (c = getopt_long (argc, argv, ":d:o:h", long_options, NULL)) != -1;)
    switch (c)
      {
      case 'd': request->dir = optarg; break;
      case 'o':
	if (!*optarg)
	  return cab_usage ("export", "-o", "the file's name is empty");
	request->file = optarg;
	break;
      case OPT_SOURCE:
	options->dirs = XRESIZEVEC (char *, options->dirs, options->n_dirs + 1);
	options->dirs[options->n_dirs++] = optarg;
	break;
      case OPT_PROGRAM:
	if (cab_arg_pattern ("export", optarg, &request->program))
	  return CAB_EXIT_USAGE;
	break;
      case OPT_FOLD: options->fold_recursion = true; break;
      case 'h':
      case OPT_HELP: help (); return -1;
      default: return cab_arg_wrong ("export", argv, c);
      }
  if (optind == argc)
    return cab_usage ("export", "format", "is missing (lcov, callgrind, folded)");
  for (int i = 0; formats[i].name; i++)
    if (!strcmp (formats[i].name, argv[optind]))
      request->format = &formats[i];
  if (!request->format)
    return cab_usage ("export", argv[optind], "no such format (lcov, callgrind, folded)");
  return optind + 1 < argc ? cab_usage ("export", argv[optind + 1], "one format at a time") : 0;
}

static int
write_out (const struct request *request, struct cab_model *model)
{
  struct cab_output output;
  struct cab_diag diag;
  const char *lacks = request->format->lacks ? request->format->lacks (model) : NULL;
  if (lacks)
    {
      cab_say ("%s: %s", request->dir, lacks);
      return CAB_EXIT_FAILED;
    }
  if (cab_output_open (&output, request->file))
    return CAB_EXIT_FAILED;
  int result = request->format->write (model, &request->options, output.to, &diag);
  if (result < 0)
    cab_say ("%s", diag.text);
  int closed = cab_output_close (&output, result == 0);
  return result < 0 ? CAB_EXIT_FAILED : closed;
}

/* Return the program that is wanted.  Coverage includes all tests of a library, whichever programs
   they are. */
static const char *
program_of (const struct request *request)
{
  return request->program || strcmp (request->format->name, "lcov") ? request->program
								    : CAB_ALL_PROGRAMS;
}

int
cab_cmd_export (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR };
  struct cab_model model;
  int status = parse (argc, argv, &request);
  if (!status && !(status = cab_arg_open (&model, request.dir, false, program_of (&request))))
    {
      status = write_out (&request, &model);
      int problems = cab_arg_problems (&model);
      status = status ? status : problems;
      cab_model_close (&model);
    }
  free (request.options.dirs);
  return status < 0 ? CAB_EXIT_GOOD : status;
}
