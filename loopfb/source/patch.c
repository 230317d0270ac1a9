/* patch.c - write directives for loops as a unified diff of a source file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/source/patch.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define CONTEXT 3   /* lines around a change */

struct line
{
  const char *text;
  uint32_t length;       /* without its line end */
  const char *end;       /* "\n", "\r\n", or "" */
};

/* The lines of ADDED, which go before line LINE, or replace it. */
struct change
{
  uint32_t line;
  bool removes;
  char *added;
  uint32_t n_added;
};

struct patch
{
  enum cab_language language;
  struct line *lines;
  uint32_t n;
  struct change *changes;
  uint32_t n_changes;
};

enum cab_language
cab_patch_language (const char *file)
{
  static const char *const c[] = { "c", "h",   "cc",  "cp",  "cpp", "cxx", "c++",
				   "C", "CPP", "hh",  "hp",  "hpp", "hxx", "h++",
				   "H", "HPP", "tcc", "inc", "inl", "def", NULL };
  static const char *const fortran[] = { "f90", "f95", "f03", "f08", "F90",
					 "F95", "F03", "F08", NULL };
  static const char *const fixed[] = { "f", "for", "ftn", "fpp", "F", "FOR", "FTN", "FPP", NULL };
  const char *base = lbasename (file), *dot = strrchr (base, '.');
  for (int i = 0; dot && c[i]; i++)
    if (!strcmp (dot + 1, c[i]))
      return CAB_LANGUAGE_C;
  for (int i = 0; dot && fortran[i]; i++)
    if (!strcmp (dot + 1, fortran[i]))
      return CAB_LANGUAGE_FORTRAN;
  for (int i = 0; dot && fixed[i]; i++)
    if (!strcmp (dot + 1, fixed[i]))
      return CAB_LANGUAGE_FIXED;
  return CAB_LANGUAGE_NONE;
}

static void
split (struct patch *patch, const char *text, size_t length)
{
  uint32_t room = 0;
  for (const char *p = text, *end = text + length; p < end;)
    {
      const char *stop = memchr (p, '\n', end - p);
      bool crlf = stop && stop > p && stop[-1] == '\r';
      if (patch->n == room)
	patch->lines = XRESIZEVEC (struct line, patch->lines, room = room * 2 + 256);
      patch->lines[patch->n++] = (struct line) { p, (stop ? stop - crlf : end) - p,
						 stop ? (crlf ? "\r\n" : "\n") : "" };
      p = stop ? stop + 1 : end;
    }
}

static struct change *
change_at (struct patch *patch, uint32_t line)
{
  patch->changes = XRESIZEVEC (struct change, patch->changes, patch->n_changes + 1);
  struct change *change = &patch->changes[patch->n_changes++];
  *change = (struct change) { .line = line, .added = xstrdup ("") };
  return change;
}

static void __attribute__ ((format (printf, 2, 3)))
add (struct change *change, const char *format, ...)
{
  va_list ap;
  va_start (ap, format);
  char *text = xvasprintf (format, ap);
  va_end (ap);
  char *sum = concat (change->added, text, NULL);
  free (change->added);
  free (text);
  change->added = sum;
  change->n_added++;
}

static uint32_t
indentation (const struct line *line)
{
  uint32_t n = 0;
  while (n < line->length && (line->text[n] == ' ' || line->text[n] == '\t'))
    n++;
  return n;
}

/* Add the directive's lines, indented like LINE and by MORE. */
static void
add_directive (struct patch *patch, struct change *change, const struct line *line,
	       const char *more, const struct cab_edit *edit)
{
  const char *end = *line->end ? line->end : "\n";
  bool fixed = patch->language == CAB_LANGUAGE_FIXED;
  int indent = fixed ? 0 : (int) indentation (line);
  char *own = xasprintf (patch->language == CAB_LANGUAGE_C ? "#pragma GCC unroll %u"
							    : "!GCC$ unroll %u",
			 edit->unroll);
  for (const char *p = edit->directive ? edit->directive : own; *p; p += *p == '\n')
    {
      size_t n = strcspn (p, "\n");
      add (change, "%.*s%s%.*s%s", indent, line->text, fixed ? "" : more, (int) n, p, end);
      p += n;
    }
  free (own);
}

/* Add [FROM, TO) of LINE as a line of its own, without the blanks at its end unless that is the end
   of LINE. */
static void
add_piece (struct change *change, const struct line *line, const char *more, uint32_t from,
	   uint32_t to)
{
  bool last = to == line->length;
  while (!last && to > from && (line->text[to - 1] == ' ' || line->text[to - 1] == '\t'))
    to--;
  add (change, "%.*s%s%.*s%s", from ? (int) indentation (line) : 0, line->text, more,
       (int) (to - from), line->text + from,
       last ? line->end
       : *line->end ? line->end
       : "\n");
}

/* Apply the N edits of one line, which are sorted by column and do not replace a directive. */
static void
change_line (struct patch *patch, const struct cab_edit *edits, size_t n)
{
  const struct line *line = &patch->lines[edits->place.line - 1];
  struct change *change = change_at (patch, edits->place.line);
  uint32_t from = 0;
  if (edits->place.first)
    {
      add_directive (patch, change, line, "", edits);
      edits++;
      n--;
    }
  for (size_t i = 0; i < n; i++)
    {
      add_piece (change, line, from ? "  " : "", from, edits[i].place.column - 1);
      add_directive (patch, change, line, "  ", &edits[i]);
      from = edits[i].place.column - 1;
    }
  if (n)
    add_piece (change, line, "  ", from, line->length);
  change->removes = n > 0;
}

static int
compare_edits (const void *a, const void *b)
{
  const struct cab_place *x = &((const struct cab_edit *) a)->place,
			 *y = &((const struct cab_edit *) b)->place;
  return x->line != y->line ? (x->line < y->line ? -1 : 1)
       : x->column < y->column ? -1
       : x->column > y->column;
}

static int
compare_changes (const void *a, const void *b)
{
  const struct change *x = a, *y = b;
  return x->line < y->line ? -1 : x->line > y->line;
}

static void
make_changes (struct patch *patch, struct cab_edit *edits, size_t n)
{
  size_t plain = 0;
  for (size_t i = 0; i < n; i++)
    if (edits[i].place.replaces)
      {
	const struct line *old = &patch->lines[edits[i].place.replaces - 1];
	struct change *change = change_at (patch, edits[i].place.replaces);
	add_directive (patch, change, old, "", &edits[i]);
	change->removes = true;
      }
    else
      edits[plain++] = edits[i];
  if (plain)
    qsort (edits, plain, sizeof *edits, compare_edits);
  for (size_t i = 0, k; i < plain; i = k)
    {
      for (k = i + 1; k < plain && edits[k].place.line == edits[i].place.line; k++);
      change_line (patch, edits + i, k - i);
    }
  qsort (patch->changes, patch->n_changes, sizeof *patch->changes, compare_changes);
}

static void
put_old (const struct line *line, char mark, FILE *to)
{
  fprintf (to, "%c%.*s%s", mark, (int) line->length, line->text,
	   *line->end ? line->end : "\n\\ No newline at end of file\n");
}

/* Write the lines that CHANGE adds, each after a +. */
static void
put_added (const struct change *change, FILE *to)
{
  for (const char *p = change->added; *p;)
    {
      size_t n = strcspn (p, "\n");
      fprintf (to, "+%.*s\n", (int) n, p);
      p += n;
      if (!*p)
	fputs ("\\ No newline at end of file\n", to);
      p += *p != 0;
    }
}

/* Write changes [FIRST, LAST) with the lines around them.  The new file is AHEAD lines longer so
   far. */
static void
put_hunk (const struct patch *patch, uint32_t first, uint32_t last, int64_t ahead, FILE *to)
{
  uint32_t from = patch->changes[first].line, until = patch->changes[last - 1].line + CONTEXT, old,
	   new = 0;
  bool removes = patch->changes[last - 1].removes;
  from = from > CONTEXT ? from - CONTEXT : 1;
  until = until - !removes < patch->n ? until - !removes : patch->n;
  old = new = until - from + 1;
  for (uint32_t i = first; i < last; i++)
    new += patch->changes[i].n_added - patch->changes[i].removes;
  fprintf (to, "@@ -%u,%u +%jd,%u @@\n", from, old, (intmax_t) (from + ahead), new);
  for (uint32_t l = from; l <= until; l++)
    {
      const struct change *change = first < last && patch->changes[first].line == l
				    ? &patch->changes[first++]
				    : NULL;
      if (change && change->removes)
	put_old (&patch->lines[l - 1], '-', to);
      if (change)
	put_added (change, to);
      if (!change || !change->removes)
	put_old (&patch->lines[l - 1], ' ', to);
    }
}

void
cab_patch_write (const char *name, enum cab_language language, const char *text, size_t length,
		 struct cab_edit *edits, size_t n, FILE *to)
{
  struct patch patch = { .language = language };
  int64_t ahead = 0;
  split (&patch, text, length);
  make_changes (&patch, edits, n);
  if (patch.n_changes)
    fprintf (to, "--- a/%s\n+++ b/%s\n", name, name);
  for (uint32_t i = 0, k; i < patch.n_changes; i = k)
    {
      for (k = i + 1;
	   k < patch.n_changes && patch.changes[k].line <= patch.changes[k - 1].line + 2 * CONTEXT;
	   k++)
	;
      put_hunk (&patch, i, k, ahead, to);
      for (uint32_t j = i; j < k; j++)
	ahead += (int64_t) patch.changes[j].n_added - patch.changes[j].removes;
    }
  for (uint32_t i = 0; i < patch.n_changes; i++)
    free (patch.changes[i].added);
  free (patch.changes);
  free (patch.lines);
}
