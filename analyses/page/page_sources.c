/* page_sources.c - see page_sources.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_sources.h"
#include <stdlib.h>
#include <string.h>
#include "analyses/page/page_tables.h"
#include "analyses/profile/source.h"

/* Return the lines of SOURCE, which are NUL-terminated, joined by newlines. */
static json_t *
text_of (const struct cab_source *source)
{
  json_t *lines = json_array ();
  for (size_t i = 0; i < source->n_lines; i++)
    json_array_append_new (lines, cab_page_text (source->lines[i]));
  return lines;
}

static size_t
bytes_of (const struct cab_source *source)
{
  size_t bytes = 0;
  for (size_t i = 0; i < source->n_lines; i++)
    bytes += strlen (source->lines[i]) + 1;
  return bytes;
}

static json_t *
source_of (const struct cab_model *model, const struct cab_page_options *options, const char *file,
	   size_t *room)
{
  json_t *object = json_pack ("{s:o}", "file", cab_page_text (file));
  struct cab_source source;
  char *path = cab_source_find (model, options->dirs, options->n_dirs, file);
  const char *wrong = NULL;
  if (!path || cab_source_read (&source, path) < 0)
    wrong = "The source was not found when this page was made: counts are shown without its text. "
	    "Name its directory by --source.";
  else
    {
      size_t bytes = bytes_of (&source);
      if (bytes > *room)
	wrong = "The text was left out, since the page has no room for it: counts are shown alone.";
      else
	{
	  *room -= bytes;
	  json_object_set_new (object, "lines", text_of (&source));
	  if (source.changed_ns > cab_model_first_start (model))
	    wrong = "The source has changed since the program ran: counts may stand beside the "
		    "wrong lines.";
	}
      cab_source_fini (&source);
    }
  if (wrong)
    json_object_set_new (object, "wrong", json_string (wrong));
  free (path);
  return object;
}

/* Add the files of the table KEY to FILES, in the order of its rows. */
static void
add_files (const json_t *tables, const char *key, json_t *files)
{
  const json_t *table = json_object_get (tables, key),
	       *columns = json_object_get (table, "columns"),
	       *data = json_object_get (table, "data");
  for (size_t c = 0; c < json_array_size (columns); c++)
    if (!strcmp (json_string_value (json_array_get (json_array_get (columns, c), 0)), "file"))
      for (size_t r = 0; r < json_array_size (json_array_get (data, c)); r++)
	{
	  const char *file = json_string_value (json_array_get (json_array_get (data, c), r));
	  if (*file && *file != '[')
	    json_object_set_new (files, file, json_true ());
	}
}

json_t *
cab_page_sources (const struct cab_model *model, const struct cab_page_options *options,
		  const json_t *tables)
{
  static const char *const by_weight[] = { "hotlines", "offenders:line", "accesses:line", "paths",
					   "methods", "lines", "deps" };
  json_t *files = json_object (), *sources = json_array (), *value;
  const char *file;
  size_t room = CAB_PAGE_SOURCES;
  for (size_t i = 0; i < sizeof by_weight / sizeof *by_weight; i++)
    add_files (tables, by_weight[i], files);
  json_object_foreach (files, file, value)
    json_array_append_new (sources, source_of (model, options, file, &room));
  json_decref (files);
  return sources;
}
