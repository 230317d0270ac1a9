/* cmd_layout.c - cabprof layout: how structures are used, and how they had better be laid out.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "command.h"
#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include "analyses/arguments.h"
#include "analyses/layout_text.h"
#include "analyses/report.h"

#define MOST_PAIRS 10
#define MOST_STRUCTURES 10   /* where none is named */

struct request
{
  const char *dir, *svg, *html;
  char **names;
  int n_names;
};

enum { OPT_SVG = 256, OPT_HTML, OPT_HELP };

static const struct option long_options[] = {
  { "svg", required_argument, NULL, OPT_SVG },
  { "html", required_argument, NULL, OPT_HTML },
  { "help", no_argument, NULL, OPT_HELP },
  { NULL, 0, NULL, 0 }
};

static void
help (void)
{
  printf ("Usage: cabprof layout [OPTION...] [STRUCTURE...]\n\n"
	  "Says how often the members of structures were used, which of them together, and proposes another order or a split, as C.\n"
	  "Without STRUCTURE: the %d of the source that were accessed most.  `cabprof report layout' has the counts as a table.\n\n"
	  "  -d DIR                 the profile (default " CAB_DEFAULT_DIR ")\n"
	  "  --svg=FILE             a chart of the structures, line by line of the cache\n"
	  "  --html=FILE            a page with charts, counts and declarations; - for standard output\n", MOST_STRUCTURES);
}

/* 0, an exit status, or -1 after --help. */
static int
parse (int argc, char **argv, struct request *request)
{
  opterr = 0;
  for (int c; (c = getopt_long (argc, argv, ":d:h", long_options, NULL)) != -1;)
    switch (c)
      {
      case 'd': request->dir = optarg; break;
      case OPT_SVG: request->svg = optarg; break;
      case OPT_HTML: request->html = optarg; break;
      case 'h':
      case OPT_HELP: help (); return -1;
      default: return cab_arg_wrong ("layout", argv, c);
      }
  request->names = argv + optind;
  request->n_names = argc - optind;
  return 0;
}

/* Keep the layouts that are named, or the first ones; how many. */
static uint32_t
choose (const struct request *request, struct cab_layouts *layouts)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < layouts->n; i++)
    {
      bool wanted = !request->n_names && n < MOST_STRUCTURES && !layouts->items[i].structure->foreign;
      for (int k = 0; k < request->n_names; k++)
	wanted |= !strcmp (request->names[k], layouts->items[i].structure->name);
      if (wanted && layouts->items[i].accesses)
	layouts->items[n++] = layouts->items[i];
    }
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
      printf ("  %6u %6u %16s %16s  %-6s  %s\n", unit->offset, unit->bytes, cab_table_grouped (unit->reads, reads),
	      cab_table_grouped (unit->writes, writes), cab_layout_used (layout, u), name);
      free (name);
    }
}

static void
print_layout (const struct cab_layout *layout)
{
  char text[32], *words = cab_layout_words (layout);
  const struct cab_structure *s = layout->structure;
  printf ("struct %s (%s:%u), %u bytes", s->name, s->file, s->line, s->bytes);
  if (layout->instances != CAB_UNKNOWN)
    printf (", %s allocated", cab_table_grouped (layout->instances, text));
  printf ("\n\n");
  print_units (layout);
  cab_layout_pairs (layout, MOST_PAIRS, stdout);
  printf ("\nProposed: %s\n\n", words);
  cab_layout_declare (layout, stdout);
  free (words);
}

static int
write_file (const char *path, void (*write) (const struct cab_layout *, uint32_t, FILE *), const struct cab_layouts *layouts, uint32_t n)
{
  struct cab_output output;
  int status = cab_output_open (&output, path);
  if (status)
    return status;
  write (layouts->items, n, output.to);
  return cab_output_close (&output, true);
}

static void
write_svg (const struct cab_layout *layouts, uint32_t n, FILE *to)
{
  cab_layout_svg (layouts, n, true, to);
}

static int
run (const struct request *request, struct cab_layouts *layouts)
{
  int status = CAB_EXIT_GOOD;
  uint32_t n = choose (request, layouts);
  if (!n)
    {
      cab_say ("%s: %s: see `cabprof report layout'", request->n_names ? request->names[0] : request->dir,
	       request->n_names ? "no structure of that name was accessed" : "no member of a structure was accessed");
      return CAB_EXIT_FAILED;
    }
  if (request->svg)
    status = write_file (request->svg, write_svg, layouts, n);
  if (!status && request->html)
    status = write_file (request->html, cab_layout_html, layouts, n);
  for (uint32_t i = 0; i < n && !request->svg && !request->html; i++)
    {
      printf ("%s", i ? "\n" : "");
      print_layout (&layouts->items[i]);
    }
  return status;
}

int
cab_cmd_layout (int argc, char **argv)
{
  struct request request = { .dir = CAB_DEFAULT_DIR };
  struct cab_model model;
  struct cab_layouts layouts;
  int status = parse (argc, argv, &request);
  if (status)
    return status < 0 ? CAB_EXIT_GOOD : status;
  status = cab_arg_open (&model, request.dir);
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
  cab_layouts_open (&layouts, &model);
  status = run (&request, &layouts);
  cab_layouts_close (&layouts);
  cab_model_close (&model);
  return status;
}
