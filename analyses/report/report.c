/* report.c - the table of reports, and what several of them need.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/profile/walk.h"
#include "loopfb/formats/pattern.h"
#include "tables/reports.h"

#define DECLARE(report) extern const struct cab_report report;
EACH (DECLARE)

#define POINTER(report) &report,
const struct cab_report *const cab_reports[] = { EACH (POINTER) NULL };

const struct cab_report *
cab_report_find (const char *name)
{
  for (int i = 0; cab_reports[i]; i++)
    if (!strcmp (cab_reports[i]->name, name))
      return cab_reports[i];
  return NULL;
}

const char *
cab_report_lacks_paths (const struct cab_model *model)
{
  return model->has_paths
	 ? NULL
	 : "no paths were recorded: compile with -fplugin-arg-cabprof-events=paths";
}

const char *
cab_report_lacks_calls (const struct cab_model *model)
{
  return model->has_calls
	 ? NULL
	 : "no calls were recorded: compile with -fplugin-arg-cabprof-events=paths,calls";
}

bool
cab_report_wants_file (const struct cab_report_options *options, const char *file)
{
  const char *glob = options->file;
  if (!glob || cab_pattern_matches (glob, file))
    return true;
  for (const char *slash = strchr (file, '/'); slash; slash = strchr (slash + 1, '/'))
    if (cab_pattern_matches (glob, slash + 1))
      return true;
  return false;
}

bool
cab_report_wants (const struct cab_report_options *options, const struct cab_function *function)
{
  const char *glob = options->function;
  if (glob && !cab_names_match (glob, function->display)
      && !cab_pattern_matches (glob, function->assembler)
      && !cab_pattern_matches (glob, function->source))
    return false;
  return cab_report_wants_file (options, function->file);
}

bool
cab_report_wants_named (const struct cab_report_options *options, const char *display,
			const char *assembler, const char *file)
{
  const char *glob = options->function;
  if (glob && !cab_names_match (glob, display) && !cab_pattern_matches (glob, assembler))
    return false;
  return cab_report_wants_file (options, file);
}

const char *
cab_report_name (struct cab_model *model, const struct cab_report_options *options,
		 const struct cab_function *function)
{
  if (!function->twin || options->format != CAB_FORMAT_TEXT)
    return function->display;
  return cab_names_format (&model->names, "%s [build %08x]", function->display, function->checksum);
}

const char *
cab_report_via (struct cab_model *model, uint32_t site, const struct cab_function *entered)
{
  const struct cab_call_site *place = site && site <= model->n_sites ? model->sites[site].place
								     : NULL;
  if (!place || !place->callee || !strcmp (place->callee, entered->assembler))
    return NULL;
  /* Constructors and their like have several assembler names for one function. */
  const char *name = cab_names_display (&model->names, place->callee, "", entered->file);
  return strcmp (name, entered->display) ? name : NULL;
}

/* A growing text, with the lines of a path. */
struct list
{
  char *text;
  size_t length, room;
  uint32_t file, first, last;    /* the open range; first 0: none */
  const struct cab_record *record;
};

static void
put (struct list *list, const char *text)
{
  size_t n = strlen (text);
  if (list->length + n + 1 > list->room)
    list->text = XRESIZEVEC (char, list->text, list->room = 2 * (list->length + n + 1));
  memcpy (list->text + list->length, text, n + 1);
  list->length += n;
}

static void
close_range (struct list *list)
{
  char range[32];
  if (!list->first)
    return;
  if (list->length)
    put (list, ",");
  if (list->file != list->record->file)
    {
      put (list, lbasename (list->record->files[list->file]));
      put (list, ":");
    }
  if (list->first == list->last)
    snprintf (range, sizeof range, "%u", list->first);
  else
    snprintf (range, sizeof range, "%u-%u", list->first, list->last);
  put (list, range);
  list->first = 0;
}

static void
add_block (struct list *list, const struct cab_block *block)
{
  for (uint32_t i = 0; i < block->n_lines; i++)
    {
      const struct cab_line *l = &block->lines[i];
      if (!l->line || (list->first && list->file == l->file && list->last == l->line))
	continue;
      if (list->first && list->file == l->file && list->last + 1 == l->line)
	list->last = l->line;
      else
	{
	  close_range (list);
	  list->file = l->file;
	  list->first = list->last = l->line;
	}
    }
}

const char *
cab_report_path_lines (struct cab_model *model, const struct cab_function *function, uint64_t path)
{
  const struct cab_record *r = function->record;
  struct list list = { .record = r };
  struct cab_walk walk = { 0 };
  const char *lines = "";
  if (r && cab_walk_path (&walk, r, path) == 0)
    {
      add_block (&list, &r->blocks[walk.start]);
      for (uint32_t i = 0; i < walk.n_edges; i++)
	if (!(walk.edges[i]->flags & CAB_EDGE_CUT) && walk.edges[i]->dst != CAB_BLOCK_EXIT)
	  add_block (&list, &r->blocks[walk.edges[i]->dst]);
      close_range (&list);
      if (list.text)
	lines = cab_names_copy (&model->names, list.text, list.length);
    }
  free (list.text);
  cab_walk_fini (&walk);
  return lines;
}
