/* page_baseline.c - see page_baseline.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/page/page_baseline.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/page/page_tables.h"
#include "analyses/report/diff_memory.h"
#include "analyses/report/diff_rows.h"

/* Lines that follow each other on both sides. */
struct stretch
{
  const char *from, *to;      /* files; null: there is none */
  uint32_t first, last, becomes;
};

static json_t *
name_and_file (const struct cab_function *f)
{
  return json_pack ("[o, o]", cab_page_text (f->display), cab_page_text (f->file));
}

/* Add F, with the lines that it has in its file, to CHANGED. */
static void
put_changed (const struct cab_function *f, json_t *changed)
{
  uint32_t first = f->line, last = f->line;
  size_t n = 0;
  struct cab_line_count *rows = f->record ? cab_lines_of (f, &n) : NULL;
  for (size_t i = 0; i < n; i++)
    if (!strcmp (rows[i].file, f->file))
      {
	first = rows[i].line < first ? rows[i].line : first;
	last = rows[i].line > last ? rows[i].line : last;
      }
  free (rows);
  json_t *row = name_and_file (f);
  json_array_append_new (row, json_integer (first));
  json_array_append_new (row, json_integer (last));
  json_array_append_new (changed, row);
}

/* Add STRETCH to LINES, unless all is where it was. */
static void
put_stretch (const struct stretch *s, json_t *lines)
{
  if (s->from && (s->first != s->becomes || strcmp (s->from, s->to)))
    json_array_append_new (lines, json_pack ("[o, I, I, o, I]", cab_page_text (s->from),
					     (json_int_t) s->first, (json_int_t) s->last,
					     cab_page_text (s->to), (json_int_t) s->becomes));
}

/* Add to LINES where those of A are in B, whose graphs are the same.  Return false if their lines
   do not correspond. */
static bool
match_lines (const struct cab_function *a, const struct cab_function *b, json_t *lines)
{
  struct stretch s = { NULL, NULL, 0, 0, 0 };
  size_t n_a, n_b;
  struct cab_line_count *x = cab_lines_of (a, &n_a), *y = cab_lines_of (b, &n_b);
  bool same = cab_diff_lines_correspond (x, n_a, y, n_b);
  for (size_t i = 0; same && i < n_a; i++)
    {
      bool follows = s.from && !strcmp (s.from, x[i].file) && !strcmp (s.to, y[i].file)
		     && x[i].line - s.first == y[i].line - s.becomes;
      if (!follows)
	{
	  put_stretch (&s, lines);
	  s = (struct stretch) { x[i].file, y[i].file, x[i].line, 0, y[i].line };
	}
      s.last = x[i].line;
    }
  put_stretch (&s, lines);
  free (x);
  free (y);
  return same;
}

/* Add what became of the functions of the pair. */
static void
match_pair (const struct cab_match *match, const struct cab_pair *pair, json_t *baseline)
{
  const struct cab_function *face = cab_match_face (match, pair);
  for (uint32_t i = 0; i < pair->n[0] && pair->n[1]; i++)
    {
      const struct cab_function *old = match->of[0][pair->first[0] + i];
      if (strcmp (old->display, face->display) || strcmp (old->file, face->file))
	{
	  json_t *row = name_and_file (old), *becomes = name_and_file (face);
	  json_array_extend (row, becomes);
	  json_decref (becomes);
	  json_array_append_new (json_object_get (baseline, "functions"), row);
	}
    }
  if (!pair->n[0] || !pair->n[1])
    return;
  const struct cab_function *a = match->of[0][pair->first[0]], *b = match->of[1][pair->first[1]];
  bool recorded = a->record || b->record;
  if (recorded && (!cab_match_same_shape (match, pair)
		   || !match_lines (a, b, json_object_get (baseline, "lines"))))
    {
      json_t *before = json_object_get (baseline, "changed_before");
      put_changed (face, json_object_get (baseline, "changed"));
      for (uint32_t i = 0; i < pair->n[0]; i++)
	put_changed (match->of[0][pair->first[0] + i], before);
    }
}

/* Return why KIND is not compared, or null if it is. */
static const char *
lacks_kind (const struct cab_model *old, const struct cab_model *model, enum cab_diff_kind kind)
{
  bool before = cab_diff_has (old, kind), after = cab_diff_has (model, kind);
  if (!before || !after)
    return !before && !after ? "neither profile has such counts"
	   : before	     ? "only the baseline has such counts: make both profiles alike"
			     : "the baseline has no such counts: make both profiles alike";
  return kind < CAB_DIFF_ACCESSES ? NULL : cab_diff_unlike (old, model, kind);
}

static json_t *
diff_table (struct cab_diff *diff, enum cab_diff_kind kind, size_t limit)
{
  const char *lacks = lacks_kind (diff->model[0], diff->model[1], kind);
  if (lacks)
    return json_pack ("{s:s, s:o}", "name", cab_diff_kinds[kind].title, "lacks",
		      cab_page_text (lacks));
  cab_diff_fill (diff, kind);
  json_t *table = cab_page_table (&diff->table, limit);
  cab_table_fini (&diff->table);
  return table;
}

void
cab_page_baseline (struct cab_model *old, struct cab_model *model, size_t limit,
		   json_t *baseline, json_t *tables)
{
  struct cab_diff diff = { .model = { old, model }, .gate.percent = -1,
			   .wanted.format = CAB_FORMAT_JSON };
  static const char *const members[] = { "functions", "changed", "changed_before", "lines" };
  for (size_t i = 0; i < ARRAY_SIZE (members); i++)
    json_object_set_new (baseline, members[i], json_array ());
  cab_match_init (&diff.match, old, model);
  for (uint32_t i = 0; i < diff.match.n_pairs; i++)
    match_pair (&diff.match, &diff.match.pairs[i], baseline);
  for (int kind = 0; kind < CAB_DIFF_KINDS; kind++)
    {
      char *key = concat ("diff:", cab_diff_kinds[kind].name, NULL);
      json_object_set_new (tables, key, diff_table (&diff, kind, limit));
      free (key);
    }
  cab_match_fini (&diff.match);
}
