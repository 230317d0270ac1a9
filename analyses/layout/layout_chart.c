/* layout_chart.c - layouts as a chart, and as a page.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each cache line is a row of 64 bytes.  Members are darker the more often they are accessed.
 */
#include "analyses/layout/layout_chart.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/layout/layout_arrays_text.h"
#include "analyses/layout/layout_text.h"
#include "analyses/layout/layout_worth.h"
#include "analyses/base/markup.h"
#include "analyses/base/table.h"

#define BYTE 10                 /* width of a byte; these are in pixels */
#define ROW 26
#define LEFT 70
#define WIDTH (LEFT + CAB_LAYOUT_LINE * BYTE + 20)
#define LINE CAB_LAYOUT_LINE
#define MOST_ROWS 64            /* of a part; longer parts are cut off, with a remark */

static uint32_t
rows (uint32_t bytes)
{
  uint32_t n = (bytes + LINE - 1) / LINE;
  return n < MOST_ROWS ? n : MOST_ROWS;
}

static uint32_t
height (const struct cab_layout *layout, const struct cab_layout_show *show)
{
  const struct cab_layout_plan *plan = &layout->plan;
  uint32_t n = 40 + 20 + rows (layout->structure->bytes) * ROW;
  if (plan->kind != CAB_LAYOUT_KEEP)
    n += 20 + rows (plan->bytes) * ROW;
  if (plan->kind == CAB_LAYOUT_SPLIT)
    n += 20 + rows (plan->cold_bytes) * ROW;
  for (uint32_t i = 0; show->arrays && i < layout->arrays.n; i++)
    n += 20 + rows (layout->arrays.items[i].bytes) * ROW;
  return n;
}

/* Write BYTES at OFFSET as one box in each line.  ACCESSES out of MOST determine its colour. */
static void
put_box (uint32_t offset, uint32_t bytes, const char *name, uint64_t accesses, uint64_t most,
	 unsigned y, FILE *to)
{
  double heat = accesses ? 0.15 + 0.85 * log1p (accesses) / log1p (most) : 0;
  char text[32];
  for (uint32_t at = offset, end = offset + bytes; at < end && at / LINE < MOST_ROWS;)
    {
      uint32_t stop = (at / LINE + 1) * LINE < end ? (at / LINE + 1) * LINE : end;
      unsigned x = LEFT + at % LINE * BYTE, width = (stop - at) * BYTE, top = y + at / LINE * ROW;
      fprintf (to,
	       "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"rgb(%d,%d,%d)\" "
	       "stroke=\"#555\"><title>",
	       x, top, width, ROW - 4, (int) (255 - 38 * heat), (int) (255 - 160 * heat),
	       (int) (255 - 241 * heat));
      cab_markup_text (name, to);
      fprintf (to, ": at %u, %u bytes, %s accesses</title></rect>\n", offset, bytes,
	       cab_table_grouped (accesses, text));
      if (strlen (name) * 7 < width)
	{
	  fprintf (to, "<text x=\"%u\" y=\"%u\">", x + 4, top + ROW - 10);
	  cab_markup_text (name, to);
	  fputs ("</text>\n", to);
	}
      at = stop;
    }
}

/* Write what a part is, and the numbers of its lines.  Return where its boxes begin. */
static unsigned
put_part_head (const char *what, uint32_t bytes, unsigned y, FILE *to)
{
  fprintf (to, "<text x=\"%d\" y=\"%u\">%s: %u bytes%s</text>\n", LEFT, y + 14, what, bytes,
	   bytes > MOST_ROWS * LINE ? ", of which the first are here" : "");
  for (uint32_t i = 0; i < rows (bytes); i++)
    fprintf (to, "<text x=\"8\" y=\"%u\">%u</text>\n", y + 20 + i * ROW + ROW - 10, i * LINE);
  return y + 20;
}

/* Write the units from FROM up to TO_UNIT of ORDER at their OFFSET.  If both are null, units stay
   as they are. */
static void
put_units (const struct cab_layout *layout, const uint32_t *order, const uint32_t *offset,
	   uint32_t from, uint32_t to_unit, unsigned y, FILE *to)
{
  uint64_t most = 1;
  for (uint32_t u = 0; u < layout->n_units; u++)
    most = layout->units[u].accesses > most ? layout->units[u].accesses : most;
  for (uint32_t i = from; i < to_unit; i++)
    {
      uint32_t u = order ? order[i] : i;
      char *name = cab_layout_unit_name (layout, u);
      put_box (offset ? offset[u] : layout->units[u].offset, layout->units[u].bytes, name,
	       layout->units[u].accesses, most, y, to);
      free (name);
    }
}

/* Write one element of each array. */
static void
put_arrays (const struct cab_layout *layout, unsigned y, FILE *to)
{
  const struct cab_layout_arrays *arrays = &layout->arrays;
  for (uint32_t i = 0; i < arrays->n; i++)
    {
      const struct cab_layout_array *array = &arrays->items[i];
      char *name = cab_layout_array_name (layout, i),
	   *what = xasprintf ("array %s, an element", name);
      y = put_part_head (what, array->bytes, y, to);
      put_units (layout, arrays->order, arrays->offset, array->first, array->first + array->n, y,
		 to);
      y += rows (array->bytes) * ROW;
      free (what);
      free (name);
    }
}

static void
put_layout (const struct cab_layout *layout, const struct cab_layout_show *show, unsigned y,
	    FILE *to)
{
  const struct cab_layout_plan *plan = &layout->plan;
  char *words = cab_layout_words (layout);
  fprintf (to, "<text x=\"8\" y=\"%u\" font-weight=\"bold\">", y + 24);
  cab_markup_text (layout->structure->name, to);
  fputs ("</text>\n<text x=\"180\" ", to);
  fprintf (to, "y=\"%u\">", y + 24);
  cab_markup_text (words, to);
  fputs ("</text>\n", to);
  y = put_part_head ("as it is", layout->structure->bytes, y + 40, to);
  put_units (layout, NULL, NULL, 0, layout->n_units, y, to);
  y += rows (layout->structure->bytes) * ROW;
  if (plan->kind != CAB_LAYOUT_KEEP)
    {
      y = put_part_head ("proposed", plan->bytes, y, to);
      put_units (layout, plan->order, plan->offset, 0, plan->n_hot, y, to);
      if (plan->kind == CAB_LAYOUT_SPLIT)
	put_box (plan->pointer, 8, "cold", 0, 1, y, to);
      y += rows (plan->bytes) * ROW;
    }
  if (plan->kind == CAB_LAYOUT_SPLIT)
    {
      y = put_part_head ("the part of its own", plan->cold_bytes, y, to);
      put_units (layout, plan->order, plan->offset, plan->n_hot, layout->n_units, y, to);
      y += rows (plan->cold_bytes) * ROW;
    }
  if (show->arrays)
    put_arrays (layout, y, to);
  free (words);
}

void
cab_layout_svg (const struct cab_layout *layouts, uint32_t n, const struct cab_layout_show *show,
		FILE *to)
{
  unsigned y = 0;
  for (uint32_t i = 0; i < n; i++)
    y += height (&layouts[i], show);
  if (show->alone)
    fputs ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
  fprintf (to,
	   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
	   "font-family=\"sans-serif\" font-size=\"12\">\n"
	   "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
	   WIDTH, y + 10);
  y = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      put_layout (&layouts[i], show, y, to);
      y += height (&layouts[i], show);
    }
  fputs ("</svg>\n", to);
}

static void
put_declaration (const struct cab_layout *layout,
		 void (*declare) (const struct cab_layout *, FILE *), FILE *to)
{
  char *text = NULL;
  size_t bytes;
  FILE *memory = open_memstream (&text, &bytes);
  if (!memory)
    xmalloc_failed (1);
  declare (layout, memory);
  fclose (memory);
  fputs ("<pre>", to);
  for (char *line = text, *end; *line; line = end + 1)
    {
      end = strchr (line, '\n');
      *end = 0;
      cab_markup_text (line, to);
      fputc ('\n', to);
    }
  fputs ("</pre>\n", to);
  free (text);
}

static void
put_arrays_words (const struct cab_layout *layout, FILE *to)
{
  char *words = cab_layout_arrays_words (layout);
  fputs ("<p>As a structure of arrays: ", to);
  cab_markup_text (words, to);
  fputs ("</p>\n", to);
  if (layout->arrays.n)
    put_declaration (layout, cab_layout_declare_arrays, to);
  free (words);
}

static void
put_counts (const struct cab_layout *layout, FILE *to)
{
  char reads[32], writes[32];
  const char *note = cab_layout_note (layout);
  fputs ("<table><tr><th>member</th><th>offset</th><th>bytes</th><th>reads</th><th>writes</"
	 "th><th>used</th></tr>\n",
	 to);
  for (uint32_t u = 0; u < layout->n_units; u++)
    {
      const struct cab_layout_unit *unit = &layout->units[u];
      char *name = cab_layout_unit_name (layout, u);
      fputs ("<tr><td>", to);
      cab_markup_text (name, to);
      fprintf (to, "</td><td>%u</td><td>%u</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
	       unit->offset, unit->bytes, cab_table_grouped (unit->reads, reads),
	       cab_table_grouped (unit->writes, writes), cab_layout_used (layout, u));
      free (name);
    }
  fputs ("</table>\n", to);
  if (note)
    fprintf (to, "<p>%s</p>\n", note);
}

static void
put_saves (const struct cab_layout *layout, FILE *to)
{
  bool keeps = layout->plan.kind == CAB_LAYOUT_KEEP;
  char *words = keeps ? NULL : cab_layout_saves_words (layout, &layout->saves);
  if (words)
    fprintf (to, "<p>Saves: %s</p>\n", words);
  free (words);
}

void
cab_layout_html (const struct cab_layout *layouts, uint32_t n, const struct cab_layout_show *show,
		 FILE *to)
{
  struct cab_layout_show inside = { .alone = false, .arrays = show->arrays };
  fputs (
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Layouts of "
    "structures</title>\n<style>\n"
    "body { font: 15px/1.45 sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }\n"
    "table { border-collapse: collapse; } td, th { padding: .2rem .6rem; border-bottom: 1px solid "
    "#ccc; text-align: right; }\n"
    "td:first-child, th:first-child { text-align: left; } pre { background: #f4f4f4; padding: "
    ".6rem; overflow-x: auto; }\n"
    "</style></head><body>\n<h1>Layouts of structures</h1>\n"
    "<p>Rows are cache lines of 64 bytes; the darker a member, the more often it was "
    "accessed.</p>\n",
    to);
  for (uint32_t i = 0; i < n; i++)
    {
      char *words = cab_layout_words (&layouts[i]);
      fputs ("<h2>", to);
      cab_markup_text (layouts[i].structure->name, to);
      fputs ("</h2>\n<p>", to);
      cab_markup_text (words, to);
      fputs ("</p>\n", to);
      put_saves (&layouts[i], to);
      cab_layout_svg (&layouts[i], 1, &inside, to);
      put_counts (&layouts[i], to);
      if (layouts[i].plan.kind != CAB_LAYOUT_KEEP)
	put_declaration (&layouts[i], cab_layout_declare, to);
      if (show->arrays)
	put_arrays_words (&layouts[i], to);
      free (words);
    }
  fputs ("</body></html>\n", to);
}
