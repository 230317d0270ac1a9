/* annotate_text.c - annotated source for people.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/annotate.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "analyses/command/command.h"
#include "analyses/report/report.h"

#define TAB 8
#define WITHIN_WIDTH 14   /* columns */

uint64_t
cab_annotate_hottest (const struct cab_function *function, uint64_t *path)
{
  uint64_t most = 0;
  for (uint64_t p = 0; function->paths && p < function->n_paths; p++)
    if (function->paths[p] > most)
      {
	most = function->paths[p];
	*path = p;
      }
  return most;
}

void
cab_annotate_source (const char *text, int room)
{
  int column = 0;
  for (; *text && (!room || column < room); text++)
    if (*text == '\t')
      do
	putchar (' ');
      while (++column % TAB && (!room || column < room));
    else
      {
	unsigned char byte = *text;
	putchar (byte < ' ' || byte == 0x7f ? '?' : byte);
	/* The continuation bytes of a character take no column of their own. */
	while (byte >= 0xc0 && (text[1] & 0xc0) == 0x80)
	  putchar (*++text);
	column++;
      }
}

static void
text_line (const union cab_cell *row, const struct cab_style *style, bool estimated)
{
  char number[40], within[40];
  bool least = row[CAB_ANNOTATE_UNFINISHED].count,
       never = row[CAB_ANNOTATE_EXECUTABLE].count && !row[CAB_ANNOTATE_COUNT].count && !least
	       && !estimated;
  const char *count = never ? "#####"
		    : row[CAB_ANNOTATE_EXECUTABLE].count
		      ? cab_table_grouped (row[CAB_ANNOTATE_COUNT].count, number)
		      : "";
  if (least)
    strcat (number, "+");
  printf ("%s%15s%s", never && style->bold ? "\033[31m" : "", count,
	  never && style->bold ? "\033[0m" : "");
  if (estimated)
    printf ("  %*s", WITHIN_WIDTH - 2,
	    row[CAB_ANNOTATE_WITHIN].count
	      ? cab_table_grouped (row[CAB_ANNOTATE_WITHIN].count, within)
	      : "");
  if (row[CAB_ANNOTATE_COUNT].count)
    printf ("  %5.1f%%", 100 * row[CAB_ANNOTATE_SHARE].share);
  else
    printf ("%8s", "");
  printf ("  %7" PRIu64 " %s%c%s ", row[CAB_ANNOTATE_LINE].count,
	  row[CAB_ANNOTATE_HOTTEST].count && style->bold ? "\033[1;33m" : "",
	  row[CAB_ANNOTATE_HOTTEST].count ? '>' : ' ',
	  row[CAB_ANNOTATE_HOTTEST].count && style->bold ? "\033[0m" : "");
  int margin = estimated ? 36 + WITHIN_WIDTH : 36;
  cab_annotate_source (row[CAB_ANNOTATE_SOURCE].text,
		       style->width > margin + 24 ? style->width - margin
		       : style->width		  ? 24
						  : 0);
  putchar ('\n');
}

/* Name the functions whose hottest paths are marked in FILE. */
static void
text_legend (struct cab_model *model, struct cab_function *const *functions, uint32_t n,
	     const char *file)
{
  char number[32], sum_text[32];
  for (uint32_t i = 0; i < n; i++)
    {
      const struct cab_function *function = functions[i];
      uint64_t path = 0, sum = 0, most = cab_annotate_hottest (function, &path);
      if (strcmp (function->file, file) || !most)
	continue;
      for (uint64_t p = 0; p < function->n_paths; p++)
	sum += function->paths[p];
      printf ("> hottest path of %s: %s of %s (path %" PRIu64 ": lines %s)\n",
	      cab_report_name (model, &(struct cab_report_options) { .format = CAB_FORMAT_TEXT },
			       function),
	      cab_table_grouped (most, number), cab_table_grouped (sum, sum_text), path,
	      cab_report_path_lines (model, function, path));
    }
}
/* Say how many functions of FILE have no counts, if any. */
static void
text_skipped (struct cab_model *model, const char *file)
{
  const char *skipped = cab_report_skipped (model, &(struct cab_report_options) { 0 }, file);
  if (skipped)
    printf ("(%s)\n", skipped);
}

void
cab_annotate_text (struct cab_model *model, const struct cab_table *table,
		   struct cab_function *const *functions, uint32_t n)
{
  struct cab_style style;
  const char *file = NULL;
  uint64_t line = 0;
  bool least = false;
  cab_style_of (&style, stdout);
  if (table->note)
    printf ("Counts: %s\n\n", table->note);
  for (size_t r = 0; r < table->n_rows; r++)
    {
      const union cab_cell *row = table->cells + r * CAB_ANNOTATE_N;
      if (!file || strcmp (file, row[CAB_ANNOTATE_FILE].text))
	{
	  printf ("%s%s", file ? "\n" : "", style.bold ? "\033[1m" : "");
	  cab_annotate_source (row[CAB_ANNOTATE_FILE].text, 0);
	  puts (style.bold ? "\033[0m" : "");
	  text_legend (model, functions, n, file = row[CAB_ANNOTATE_FILE].text);
	  text_skipped (model, file);
	  printf ("\n%15s%*s  %6s  %7s   source\n", "count", table->note ? WITHIN_WIDTH : 0,
		  table->note ? "within" : "", "share", "line");
	}
      else if (row[CAB_ANNOTATE_LINE].count != line + 1)
	putchar ('\n');
      line = row[CAB_ANNOTATE_LINE].count;
      least |= row[CAB_ANNOTATE_UNFINISHED].count;
      text_line (row, &style, table->note);
    }
  if (least)
    cab_say ("counts with + are the least there can be: %s", cab_report_unfinished (model, NULL));
}
