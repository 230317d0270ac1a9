/* cmd_layout.c - cabprof layout: how structures are used, and better layouts for them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/command.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/command/arguments.h"
#include "analyses/command/cmd_layout_affinity.h"
#include "analyses/command/open_profile.h"
#include "analyses/command/output.h"
#include "analyses/command/cache_option.h"
#include "analyses/command/cmd_layout_try.h"
#include "analyses/layout/layout_arrays_text.h"
#include "analyses/layout/layout_chart.h"
#include "analyses/live/cache/host_caches.h"
#include "analyses/layout/layout_nested.h"
#include "analyses/layout/layout_text.h"
#include "analyses/layout/layout_worth.h"
#include "analyses/profile/partial/sampled.h"
#include "analyses/report/report.h"

#define MOST_PAIRS 10
#define MOST_STRUCTURES 10   /* if none is named */

struct request
{
  const char *dir, *svg, *html;
  const char *program;               /* null: the program that did most */
  const char *affinity;              /* a trace, or null */
  char **names;
  int n_names;
  struct cab_layout_trial trial;     /* trace null: no trial */
  bool no_split, soa;
};

static int
take_cache (const struct cab_argument *option, const char *value)
{
  return cab_cache_option ("layout", option->name, value, option->to);
}

static int
take_l2 (const struct cab_argument *option, const char *value)
{
  struct cab_layout_trial *trial = option->to;
  return cab_cache_option_or_none ("layout", option->name, value, &trial->l2, &trial->has_l2);
}

/* Refuse options that do not go together.  TRY_ONLY says that one was given that goes with --try
   only. */
static int
check_together (const struct request *request, bool try_only)
{
  const char *trace = request->trial.trace;
  if (try_only && !trace)
    return cab_usage ("layout", "--D1, --L2, --LL and --format", "go with --try only");
  if (trace && request->affinity && !strcmp (trace, "-") && !strcmp (request->affinity, "-"))
    return cab_usage ("layout", "--affinity and --try", "cannot both be standard input");
  if (trace && (request->svg || request->html))
    return cab_usage ("layout", "--try", "does not go with --svg and --html");
  return 0;
}

/* Parse the arguments.  Return 0, an exit status, or CAB_ARGUMENTS_HELPED. */
static int
parse (int argc, char **argv, struct request *request)
{
  struct cab_layout_trial *trial = &request->trial;
  bool try_only = false;
  const struct cab_argument options[] = {
    CAB_ARGUMENT_DIR (&request->dir),
    CAB_ARGUMENT_PROGRAM (&request->program),
    { "no-split", NULL, "propose other orders only", .flag = &request->no_split },
    { "soa", NULL,
      "arrays of structures as structures of arrays, too: members that are used together in one "
      "array",
      .flag = &request->soa },
    { "svg", "FILE", "a chart of the structures, line by line of the cache",
      .text = &request->svg },
    { "html", "FILE", "a page with charts, counts and declarations; - for standard output",
      .text = &request->html },
    { "affinity", "TRACE",
      "members of the same instance that are used soon after each other in a trace, instead of in "
      "the same loops",
      .text = &request->affinity },
    { "try", "TRACE",
      "what if: the accesses of a trace of the program in simulated caches, as it ran and as "
      "proposed",
      .text = &trial->trace },
    { "D1", "SIZE,ASSOC,LINE",
      "with --try: the first level (default: this machine's, as its kernel says)",
      .take = take_cache, .to = &trial->d1, .given = &try_only },
    { "L2", "SIZE,ASSOC,LINE",
      "with --try: a second level between them; none (default): there is none", .take = take_l2,
      .to = trial, .given = &try_only },
    { "LL", "SIZE,ASSOC,LINE", "with --try: the last level", .take = take_cache, .to = &trial->ll,
      .given = &try_only },
    { "format", "FORMAT", "with --try: text (default), tsv or json", .format = &trial->format,
      .given = &try_only }
  };
  const struct cab_arguments arguments = {
    "layout", "[OPTION...] [STRUCTURE...]",
    "Says how often the members of structures were used, which of them together, and proposes "
    "another order or a split, as C.\n"
    "Without STRUCTURE: the " CAB_TEXT_OF (MOST_STRUCTURES) " of the source that were accessed "
    "most.  `cabprof report layout' has the counts as a table.",
    .options = options, .n_options = ARRAY_SIZE (options)
  };
  int status = cab_arguments_parse (&arguments, argc, argv, &request->names);
  while (request->names[request->n_names])
    request->n_names++;
  return status ? status : check_together (request, try_only);
}

/* Return true if structure I of LAYOUTS is wanted, where N were chosen so far. */
static bool
is_wanted (const struct request *request, const struct cab_layouts *layouts, uint32_t i, uint32_t n)
{
  const struct cab_layout *layout = &layouts->items[i];
  bool wanted = !request->n_names && n < MOST_STRUCTURES && !layout->structure->foreign;
  for (int k = 0; k < request->n_names; k++)
    wanted |= !strcmp (request->names[k], layout->structure->name);
  return wanted && layout->accesses;
}

/* Copy the layouts that are named, or the first ones, to CHOSEN and return their number.  The other
   layouts are kept unchanged, except for what is nested in them. */
static uint32_t
choose (const struct request *request, struct cab_layouts *layouts, struct cab_layout *chosen)
{
  uint32_t n = 0, *index = XNEWVEC (uint32_t, layouts->n + 1);
  for (uint32_t i = 0; i < layouts->n; i++)
    if (is_wanted (request, layouts, i, n))
      index[n++] = i;
    else
      {
	layouts->items[i].plan.kind = CAB_LAYOUT_KEEP;
	layouts->items[i].arrays.n = 0;
      }
  if (request->soa)
    cab_layouts_nest (layouts);
  for (uint32_t i = 0; i < n; i++)
    chosen[i] = layouts->items[index[i]];
  free (index);
  return n;
}

static void
print_units (const struct cab_layout *layout)
{
  char reads[32], writes[32];
  printf ("  offset  bytes            reads           writes  used    member\n");
  for (uint32_t u = 0; u < layout->n_units; u++)
    {
      const struct cab_layout_unit *unit = &layout->units[u];
      char *name = cab_layout_unit_name (layout, u);
      printf ("  %6u %6u %16s %16s  %-6s  %s\n", unit->offset, unit->bytes,
	      cab_table_grouped (unit->reads, reads), cab_table_grouped (unit->writes, writes),
	      cab_layout_used (layout, u), name);
      free (name);
    }
}

/* Print what a proposal SAVES. */
static void
print_saves (const struct cab_layout *layout, const struct cab_layout_saves *saves)
{
  char *words = cab_layout_saves_words (layout, saves);
  if (words)
    printf ("Saves: %s\n", words);
  free (words);
}

/* Print once how to count instances, if any of the N LAYOUTS is unchanged because they are not
   known. */
static void
print_unknown (const struct cab_layout *layouts, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (cab_layout_needs_instances (&layouts[i]))
      {
	printf (
	  "\n(known instances: those of allocations that name the type, with\n"
	  "CABPROF_OPTIONS=analyses=layout, and of static variables; --affinity=TRACE counts\n"
	  "those that a trace accessed)\n");
	return;
      }
}

/* Print the layout as a structure of arrays if that was ASKED for.  Otherwise mention that there is
   one, if there are known to be arrays. */
static void
print_arrays (const struct cab_layout *layout, bool asked)
{
  char text[32], *words = cab_layout_arrays_words (layout);
  if (asked)
    {
      printf ("\nAs a structure of arrays: %s\n", words);
      if (layout->arrays.n)
	{
	  print_saves (layout, &layout->arrays_save);
	  printf ("\n");
	}
      cab_layout_declare_arrays (layout, stdout);
    }
  else if (layout->arrays.n && layout->in_arrays)
    printf ("\nOf those allocated, %s are in arrays: `--soa' has them as a structure of arrays, "
	    "`--soa --try=TRACE' says whether that is better\n",
	    cab_table_grouped (layout->in_arrays, text));
  free (words);
}

static void
print_layout (const struct cab_layout *layout, bool soa)
{
  char text[32], *words = cab_layout_words (layout);
  const char *note = cab_layout_note (layout);
  const struct cab_structure *s = layout->structure;
  printf ("struct %s (%s:%u), %u bytes", s->name, s->file, s->line, s->bytes);
  if (layout->instances != CAB_UNKNOWN)
    printf (", %s allocated", cab_table_grouped (layout->instances, text));
  printf ("\n\n");
  print_units (layout);
  if (note)
    printf ("\n%s\n", note);
  cab_layout_pairs (layout, MOST_PAIRS, stdout);
  printf ("\nProposed: %s\n", words);
  if (layout->plan.kind != CAB_LAYOUT_KEEP)
    print_saves (layout, &layout->saves);
  printf ("\n");
  cab_layout_declare (layout, stdout);
  free (words);
  print_arrays (layout, soa);
}

static void
print_layouts (const struct cab_layout *layouts, uint32_t n, bool soa)
{
  for (uint32_t i = 0; i < n; i++)
    {
      printf ("%s", i ? "\n" : "");
      print_layout (&layouts[i], soa);
    }
  print_unknown (layouts, n);
}

typedef void write_layouts (const struct cab_layout *, uint32_t, const struct cab_layout_show *,
			    FILE *);

static int
write_file (const char *path, write_layouts *write, const struct cab_layout *layouts, uint32_t n,
	    bool soa)
{
  struct cab_output output;
  struct cab_layout_show show = { .alone = true, .arrays = soa };
  int status = cab_output_open (&output, path);
  if (status)
    return status;
  write (layouts, n, &show, output.to);
  return cab_output_close (&output, true);
}

static int
run (const struct request *request, struct cab_layouts *layouts)
{
  uint64_t told = 1;
  int read = request->affinity ? cab_layout_affinity_trace (layouts, request->affinity, &told)
			       : CAB_EXIT_GOOD,
      status = CAB_EXIT_GOOD;
  if (!told)
    return read;
  struct cab_layout *chosen = xcalloc (layouts->n + 1, sizeof *chosen);
  for (uint32_t i = 0; request->no_split && i < layouts->n; i++)
    cab_layout_forbid_split (&layouts->items[i]);
  if (!request->trial.trace)
    cab_layouts_judge (layouts);
  uint32_t n = choose (request, layouts, chosen);
  if (!n)
    {
      free (chosen);
      cab_say ("%s: %s: see `cabprof report layout'",
	       request->n_names ? request->names[0] : request->dir,
	       request->n_names ? "no structure of that name was accessed"
				: "no member of a structure was accessed");
      return CAB_EXIT_FAILED;
    }
  if (request->svg)
    status = write_file (request->svg, cab_layout_svg, chosen, n, request->soa);
  if (!status && request->html)
    status = write_file (request->html, cab_layout_html, chosen, n, request->soa);
  if (request->trial.trace)
    status = cab_layout_try_trace (layouts, &request->trial);
  if (!request->svg && !request->html && !request->trial.trace)
    print_layouts (chosen, n, request->soa);
  free (chosen);
  return status ? status : read;
}

int
cab_cmd_layout (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR, .trial.format = CAB_FORMAT_TEXT };
  struct cab_model model;
  struct cab_layouts layouts;
  struct cab_host_caches host;
  cab_host_caches (CAB_HOST_CACHES_DIR, &host);
  request.trial.d1 = host.d1.geometry;
  request.trial.ll = host.ll.geometry;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  status = cab_arg_open (&model, request.dir, false, request.program);
  if (status)
    return status;
  cab_arg_problems (&model);
  const char *lacks = cab_report_lacks_layout (&model);
  if (lacks)
    {
      cab_say ("%s: %s", request.dir, lacks);
      cab_model_close (&model);
      return CAB_EXIT_FAILED;
    }
  const char *sampled = cab_model_sampled_text (&model);
  if (sampled)
    cab_say ("%s: %s%s", request.dir, sampled,
	     request.trial.trace ? "; misses of sampled accesses are not those of the program"
				 : "");
  request.trial.dir = request.dir;
  request.trial.arrays = request.soa;
  cab_layouts_open (&layouts, &model);
  status = run (&request, &layouts);
  cab_layouts_close (&layouts);
  cab_model_close (&model);
  return status;
}
