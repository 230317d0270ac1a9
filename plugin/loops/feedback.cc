/* feedback.cc - reads hints on source loops and applies them.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/feedback.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/depends.h"
#include "plugin/loops/loops.h"
#include "loopfb/formats/hints.h"

/* A file of rows for loops. */
struct rows
{
  struct cab_hints hints;
  bool is_there;
  bool *met;               /* for each row: its function is in this unit */
  void (*apply) (cab_source_loop *source, const struct cab_hint *hint);
};

static void apply_hint (cab_source_loop *source, const struct cab_hint *hint);
static void name (cab_source_loop *source, const struct cab_hint *hint);
static struct rows feedback = { {}, false, NULL, apply_hint };
static struct rows trials = { {}, false, NULL, name };

/* Return the file to read, which the caller frees.  Return null if there is none, with an error if
   one was requested. */
static char *
hints_file (void)
{
  if (!cab_opts.feedback)
    return NULL;
  if (cab_opts.feedback_file)
    return xstrdup (cab_opts.feedback_file);
  const char *here = getpwd ();
  char *path = here ? cab_hints_search (here) : NULL;
  if (!path)
    error ("cabprof: %s: there is none in %s, nor in a directory above it: run %<cabprof tune%>, "
	   "or name the file in "
	   "%<-fplugin-arg-cabprof-feedback=FILE%>",
	   CAB_HINTS_FILE, here ? here : ".");
  return path;
}

/* Read ROWS from the file PATH. */
static void
read_rows (struct rows *rows, const char *path)
{
  char words[CAB_HINTS_ERROR_BYTES];
  cab_depends_on (path);
  if (cab_hints_read (&rows->hints, path, words))
    error ("%s", words);
  else
    {
      rows->is_there = true;
      rows->met = XCNEWVEC (bool, rows->hints.n + 1);
    }
}

void
cab_feedback_begin (void)
{
  char *path = hints_file ();   /* options.c has already read the environment */
  if (path)
    read_rows (&feedback, path);
  free (path);
  if (!cab_opts.trials_file)
    return;
  if (flag_generate_lto)
    error ("cabprof: %s: a link-time optimisation would compile the copies: leave %<-flto%> away "
	   "for trials; the hints that they lead to work with it",
	   "-fplugin-arg-cabprof-trials=FILE");
  else
    read_rows (&trials, cab_opts.trials_file);
}

bool
cab_feedback_beside (void)
{
  return trials.hints.beside;
}

bool
cab_feedback_has_rows (void)
{
  return feedback.is_there && (feedback.hints.n || feedback.hints.every);
}

static void
set_unroll (cab_source_loop *source, unsigned factor)
{
  get_loop (cfun, source->num)->unroll = factor;
  cfun->has_unroll = true;
  source->flags |= CAB_SOURCE_HINTED;
}

static void
set_vectorize (class loop *loop, enum cab_hint_vectorize request)
{
  if (request == CAB_VECTORIZE_NO)
    {
      loop->dont_vectorize = true;
      loop->force_vectorize = false;
    }
  else if (request == CAB_VECTORIZE_YES && !loop->dont_vectorize)
    {
      loop->force_vectorize = true;
      cfun->has_force_vectorize_loops = true;
    }
}

static void
say_applied (const cab_source_loop *source, const struct cab_hint *hint)
{
  char head[80] = "";
  if (hint->align)
    sprintf (head, ", align to %u", hint->align);
  if (hint->prefetch)
    sprintf (head + strlen (head), ", prefetch %u ahead", hint->prefetch);
  inform (source->where, "cabprof: hint applied: unroll %u%s%s%s", hint->unroll,
	  hint->vectorize == CAB_VECTORIZE_NO ? ", do not vectorize"
	  : hint->vectorize == CAB_VECTORIZE_YES ? ", vectorize"
	  : "",
	  hint->registers ? ", rename registers" : "", head);
}

/* Mark SOURCE as a loop to be tried. */
static void
name (cab_source_loop *source, const struct cab_hint *)
{
  source->flags |= CAB_SOURCE_TRIAL;
}

/* Apply HINT to the loop SOURCE. */
static void
apply_hint (cab_source_loop *source, const struct cab_hint *hint)
{
  if (hint->unroll)
    set_unroll (source, hint->unroll);
  set_vectorize (get_loop (cfun, source->num), hint->vectorize);
  if (hint->registers)
    source->flags |= CAB_SOURCE_REGISTERS;
  if (hint->align)
    source->flags |= (unsigned) exact_log2 (hint->align) << CAB_SOURCE_ALIGN_SHIFT;
  if (hint->prefetch)
    source->flags |= (unsigned) (exact_log2 (hint->prefetch) - 1) << CAB_SOURCE_PREFETCH_SHIFT;
  if (cab_opts.verbose)
    say_applied (source, hint);
}

static const char *
file_of (const cab_source_loop *loop)
{
  return loop->place.file ? remap_debug_filename (loop->place.file) : "?";
}

/* Return the index of the loop of TABLE that HINT is for, by its place, or -1 if there is none. */
static int
find (const cab_source_loops *table, const struct cab_hint *hint)
{
  for (unsigned i = 0; table && i < table->loops.length (); i++)
    {
      const cab_source_loop *loop = &table->loops[i];
      if (loop->place.line == (int) hint->line && loop->place.column == (int) hint->column
	  && loop->ordinal == hint->ordinal && cab_hints_same_file (hint->file, file_of (loop)))
	return i;
    }
  return -1;
}

/* Return true if the hints were measured with another version of GCC, which may have made other
   loops of the same source. */
static bool
is_foreign (const struct cab_hints &hints)
{
  return hints.gcc && hints.gcc != BUILDING_GCC_MAJOR;
}

/* Warn that HINT, of HINTS, for LOOP, does not fit it. */
static void
refuse_changed (const struct cab_hints &hints, const cab_source_loop *loop,
		const struct cab_hint *hint)
{
  if (is_foreign (hints))
    warning_at (loop->where, 0,
		"cabprof: %s: hint for line %u refused: it was measured with GCC %u, for which the "
		"loop differs from that of GCC %u, or it has changed since: run %<cabprof tune%> "
		"with GCC %u",
		hints.path, hint->line, hints.gcc, BUILDING_GCC_MAJOR, BUILDING_GCC_MAJOR);
  else
    warning_at (
      loop->where, 0,
      "cabprof: %s: hint for line %u refused: the loop has changed since it was measured: "
      "run %<cabprof tune%> again",
      hints.path, hint->line);
}

/* Return true if HINT may be applied to LOOP; otherwise warn at its line with the reason. */
static bool
is_acceptable (const struct cab_hints &hints, const cab_source_loop *loop,
	       const struct cab_hint *hint)
{
  if (loop->flags & CAB_SOURCE_UNTOLD)
    warning_at (loop->where, 0,
		"cabprof: %s: hint for line %u refused: other loops at the same place cannot be "
		"distinguished from this one: "
		"give it a line of its own",
		hints.path, hint->line);
  else if (loop->checksum != hint->checksum)
    refuse_changed (hints, loop, hint);
  else
    return true;
  return false;
}

/* Warn of HINT, whose function is here but whose loop is not.  A function of another file that
   happens to have the same name is ignored. */
static void
miss (const struct cab_hints &hints, const cab_source_loops *table, const struct cab_hint *hint)
{
  expanded_location declared = expand_location (DECL_SOURCE_LOCATION (cfun->decl));
  bool ours = declared.file
	   && cab_hints_same_file (hint->file, remap_debug_filename (declared.file));
  for (unsigned i = 0; table && i < table->loops.length () && !ours; i++)
    ours = cab_hints_same_file (hint->file, file_of (&table->loops[i]));
  if (ours && is_foreign (hints))
    warning_at (DECL_SOURCE_LOCATION (cfun->decl), 0,
		"cabprof: %s: hint for line %u, column %u refused: it was measured with GCC %u, "
		"and %qD has no such loop for GCC %u, or the source has changed since: run "
		"%<cabprof tune%> with GCC %u",
		hints.path, hint->line, hint->column, hints.gcc, cfun->decl, BUILDING_GCC_MAJOR,
		BUILDING_GCC_MAJOR);
  else if (ours)
    warning_at (
      DECL_SOURCE_LOCATION (cfun->decl), 0,
      "cabprof: %s: hint for line %u, column %u refused: %qD has no such loop: the source "
      "has changed since it was measured: run %<cabprof tune%> again",
      hints.path, hint->line, hint->column, cfun->decl);
}

/* Apply the rows of ROWS that are for cfun, and set HAS_ROW for the loops of TABLE that have
   one. */
static void
apply_rows (struct rows *rows, cab_source_loops *table, bool *has_row)
{
  uint32_t n,
    first = cab_hints_of (
      &rows->hints,
      targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl))), &n);
  for (uint32_t i = first; i < first + n; i++)
    {
      const struct cab_hint *hint = &rows->hints.row[i];
      int index = find (table, hint);
      rows->met[i] = true;
      if (index < 0)
	miss (rows->hints, table, hint);
      else if (is_acceptable (rows->hints, &table->loops[index], hint))
	{
	  rows->apply (&table->loops[index], hint);
	  has_row[index] = true;
	}
    }
}

void
cab_feedback_apply (cab_source_loops *table)
{
  unsigned n = table ? table->loops.length () : 0, every = feedback.hints.every;
  if (!feedback.is_there && !trials.is_there)
    return;
  bool *has_row = XCNEWVEC (bool, n + 1);
  if (trials.is_there)
    apply_rows (&trials, table, has_row);
  memset (has_row, 0, n);
  if (feedback.is_there)
    apply_rows (&feedback, table, has_row);
  for (unsigned i = 0; feedback.is_there && every && i < n; i++)
    if (!has_row[i] && !table->loops[i].n_children && !get_loop (cfun, table->loops[i].num)->unroll)
      set_unroll (&table->loops[i], every);
  free (has_row);
}

/* Rows of one function are consecutive, so each function is reported once.  Templates and inline
   functions of headers are in the units that use them, so only hints for the unit's own file are
   checked. */
static void
end_rows (const struct rows *rows)
{
  const char *file = main_input_filename ? remap_debug_filename (main_input_filename) : NULL;
  for (uint32_t i = 0; rows->is_there && file && i < rows->hints.n; i++)
    {
      const struct cab_hint *hint = &rows->hints.row[i];
      bool said = i && !strcmp (hint->function, hint[-1].function);
      if (!rows->met[i] && !said && cab_hints_same_file (hint->file, file))
	warning (0,
		 "cabprof: %s: hints for %qs refused: %s has no such function any more: run "
		 "%<cabprof tune%> again",
		 rows->hints.path, hint->name ? hint->name : hint->function, file);
    }
}

void
cab_feedback_end (void)
{
  end_rows (&feedback);
  end_rows (&trials);
}
