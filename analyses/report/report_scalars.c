/* report_scalars.c - what each loop does with scalar variables, what it calls, and whether it
 * counts: what the source says of it, whatever the run did.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/report/report.h"
#include "analyses/report/loops/loop_counts.h"
#include "analyses/report/loops/loop_place.h"
#include "loopfb/attribute/loop_table.h"

#define DATA (CAB_FORMAT_TSV | CAB_FORMAT_JSON)

static const struct cab_column columns[] = {
  CAB_LOOP_PLACE_COLUMNS,
  { "iterations", CAB_TALLY, 0 },
  { "about", CAB_TEXT, 0 },
  { "name", CAB_TEXT, 0 },
  { "class", CAB_TEXT, 0 },
  { "how", CAB_TEXT, DATA },
  { "at", CAB_LINE, 0 },
  { "flags", CAB_TEXT, DATA },
  { "symbol", CAB_TEXT, DATA },
  { "note", CAB_TEXT, CAB_FORMAT_TEXT }
};
enum
{
  ITERATIONS = CAB_LOOP_PLACE_N,
  ABOUT,
  NAME,
  CLASS,
  HOW,
  AT,
  FLAGS,
  SYMBOL,
  NOTE,
  N
};

/* A loop that is to be shown. */
struct shown
{
  const struct cab_loop_table *table;
  uint32_t loop;
  uint64_t iterations;         /* CAB_UNKNOWN: not counted */
};

struct filling
{
  struct cab_model *model;
  const struct cab_report_options *options;
  struct cab_table *to;
  struct cab_loop_counts counts;
  struct shown *shown;
  size_t n;
  bool has_counts;             /* a loop has iterations */
};

/* Return TEXT with WORDS behind a comma. */
static const char *
join (struct cab_names *names, const char *text, const char *words)
{
  return *text ? cab_names_format (names, "%s, %s", text, words) : words;
}

/* Return a word of a form for people. */
static const char *
form_words (struct cab_names *names, const char *word)
{
  static const char *const plain[][2] = {
    { "canonical", "its iterations can be counted when it begins" },
    { "uncounted", "no test compares a variable that grows evenly with a bound" },
    { "varies", "its bound changes in the loop" },
    { "unequal", "its test is !=, and the step may miss the bound" },
    { "end", "its test is at its end" },
    { "endless", "nothing ends it" }
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (!strcmp (word, plain[i][0]))
      return plain[i][1];
  if (!strncmp (word, "break:", 6))
    return cab_names_format (names, "line %s may leave it", word + 6);
  if (!strncmp (word, "bound:", 6))
    return cab_names_format (names, "its bound %s is read from memory each time", word + 6);
  if (!strncmp (word, "call:", 5))
    return cab_names_format (names, "its bound is what %s returns each time", word + 5);
  return word;
}

static const char *
form_note (struct cab_names *names, const char *form)
{
  const char *note = "";
  while (*form)
    {
      size_t n = strcspn (form, ",");
      note = join (names, note, form_words (names, cab_names_copy (names, form, n)));
      form += n + (form[n] == ',');
    }
  return note;
}

static const char *
variable_note (struct cab_names *names, const struct cab_loop_variable *v)
{
  const char *note = v->class == CAB_SCALAR_INDUCTION ? cab_names_format (names, "step %s", v->how)
		   : v->class == CAB_SCALAR_REDUCTION ? cab_names_format (names, "by %s", v->how)
		   : v->class == CAB_SCALAR_CARRIED   ? "each iteration needs the one before it"
						      : "";
  if (v->flags & CAB_SCALAR_CONTROL)
    note = join (names, note, "counts the loop");
  if (v->flags & CAB_SCALAR_ORDERED)
    note = join (names, note, "rounding depends on the order");
  if (v->flags & CAB_SCALAR_WRITTEN)
    note = join (names, note, "written");
  if (v->flags & CAB_SCALAR_ESCAPES)
    note = join (names, note, "its address is passed on");
  if (v->flags & CAB_SCALAR_AFTER && v->class != CAB_SCALAR_LASTPRIVATE)
    note = join (names, note, "used after the loop");
  if (v->flags & CAB_SCALAR_INSIDE)
    note = join (names, note, "declared in the loop");
  return note;
}

static const char *
flags_text (struct cab_names *names, uint32_t flags)
{
  const char *text = "";
  for (int i = 0; i < CAB_SCALAR_FLAGS; i++)
    if (flags & 1u << i)
      text = cab_names_format (names, "%s%c", text, CAB_SCALAR_LETTERS[i]);
  return *text ? text : "-";
}

/* Append a row about a part of SHOWN, with texts that say nothing. */
static union cab_cell *
add_row (struct filling *f, const struct shown *shown, const char *about)
{
  struct cab_names *names = &f->model->names;
  const struct cab_loop *loop = &shown->table->loop[shown->loop];
  const char *display = cab_names_display (names, loop->function, loop->name, loop->file);
  union cab_cell *row = cab_table_row (f->to);
  cab_loop_put_place (row, display, cab_names_copy (names, loop->file, strlen (loop->file)),
		      loop->line, loop->column, loop->ordinal);
  row[ITERATIONS].count = shown->iterations;
  row[ABOUT].text = about;
  row[NAME].text = row[CLASS].text = row[HOW].text = row[FLAGS].text = row[SYMBOL].text = "-";
  row[NOTE].text = "";
  return row;
}

static const char *
kept (struct filling *f, const char *text)
{
  return cab_names_copy (&f->model->names, text, strlen (text));
}

static void
add_form (struct filling *f, const struct shown *shown)
{
  const char *form = shown->table->loop[shown->loop].form;
  union cab_cell *row = add_row (f, shown, "loop");
  row[CLASS].text = strcmp (form, "canonical") ? "other" : "canonical";
  row[HOW].text = kept (f, form);
  row[NOTE].text = form_note (&f->model->names, form);
}

static void
add_variables (struct filling *f, const struct shown *shown, enum cab_scalar_class class)
{
  const struct cab_loop *loop = &shown->table->loop[shown->loop];
  for (uint32_t i = 0; i < loop->n_variables; i++)
    {
      const struct cab_loop_variable *v = &shown->table->variable[loop->first_variable + i];
      if (v->class != class)
	continue;
      union cab_cell *row = add_row (f, shown, "variable");
      row[NAME].text = kept (f, v->name);
      row[CLASS].text = cab_scalar_class_name (v->class);
      row[HOW].text = kept (f, v->how);
      row[AT].count = v->line;
      row[FLAGS].text = flags_text (&f->model->names, v->flags);
      row[NOTE].text = kept (f, variable_note (&f->model->names, v));
    }
}

static void
add_callees (struct filling *f, const struct shown *shown)
{
  const struct cab_loop *loop = &shown->table->loop[shown->loop];
  for (uint32_t i = 0; i < loop->n_callees; i++)
    {
      const struct cab_loop_callee *k = &shown->table->callee[loop->first_callee + i];
      union cab_cell *row = add_row (f, shown, "call");
      row[SYMBOL].text = kept (f, k->name);
      row[NAME].text = !strcmp (k->name, "*") ? "through a pointer"
			: cab_names_display (&f->model->names, row[SYMBOL].text, "", "");
      row[CLASS].text = cab_callee_class_name (k->class);
      row[AT].count = k->line;
    }
}

static void
add_updates (struct filling *f, const struct shown *shown)
{
  const struct cab_loop *loop = &shown->table->loop[shown->loop];
  for (uint32_t i = 0; i < loop->n_updates; i++)
    {
      const struct cab_loop_update *u = &shown->table->update[loop->first_update + i];
      union cab_cell *row = add_row (f, shown, "update");
      row[CLASS].text = "memory";
      row[HOW].text = kept (f, u->op);
      row[AT].count = u->store_line;
      row[FLAGS].text = u->ordered ? "o" : "-";
      row[NOTE].text = cab_names_format (&f->model->names, "combines with memory by %s%s", u->op,
					 u->ordered ? ", rounding depends on the order" : "");
    }
}

/* Append the rows of a loop, first what keeps its iterations in order. */
static void
add_loop (struct filling *f, const struct shown *shown)
{
  static const enum cab_scalar_class order[] = {
    CAB_SCALAR_CARRIED,	   CAB_SCALAR_UNKNOWN,	    CAB_SCALAR_REDUCTION,
    CAB_SCALAR_CONDITIONAL, CAB_SCALAR_LASTPRIVATE, CAB_SCALAR_PRIVATE,
    CAB_SCALAR_INDUCTION,   CAB_SCALAR_SHARED,	    CAB_SCALAR_FIRSTPRIVATE
  };
  add_form (f, shown);
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    add_variables (f, shown, order[i]);
  add_callees (f, shown);
  add_updates (f, shown);
}

static void
find_loops (struct filling *f, const struct cab_loop_table *table)
{
  for (uint32_t i = 0; i < table->n_loops; i++)
    {
      const struct cab_loop *loop = &table->loop[i];
      const char *display = cab_names_display (&f->model->names, loop->function, loop->name,
					       loop->file);
      if (!loop->form || !cab_report_wants_named (f->options, display, loop->function, loop->file))
	continue;
      const struct cab_loop_count *count = cab_loop_counts_find (
	&f->counts, loop->function, loop->file, loop->line, loop->column, loop->ordinal);
      f->shown = XRESIZEVEC (struct shown, f->shown, f->n + 1);
      f->shown[f->n++] = (struct shown) { table, i, count ? count->iterations : CAB_UNKNOWN };
      f->has_counts |= count && count->iterations;
    }
}

static int
compare (const void *a, const void *b)
{
  const struct shown *x = a, *y = b;
  uint64_t m = x->iterations + 1, n = y->iterations + 1;   /* unknown: 0 */
  if (m != n)
    return m > n ? -1 : 1;
  const struct cab_loop *p = &x->table->loop[x->loop], *q = &y->table->loop[y->loop];
  int order = strcmp (p->file, q->file);
  if (!order)
    order = (p->line > q->line) - (p->line < q->line);
  if (!order)
    order = (p->column > q->column) - (p->column < q->column);
  if (!order)
    order = strcmp (p->function, q->function);
  return order ? order : (p->ordinal > q->ordinal) - (p->ordinal < q->ordinal);
}

static void
add_loops (struct filling *f)
{
  bool all = f->options->format != CAB_FORMAT_TEXT || !f->has_counts;
  if (f->n)
    qsort (f->shown, f->n, sizeof *f->shown, compare);
  for (size_t i = 0; i < f->n; i++)
    if (all || (f->shown[i].iterations && f->shown[i].iterations != CAB_UNKNOWN))
      add_loop (f, &f->shown[i]);
  free (f->shown);
}

static void
report (struct cab_model *model, const struct cab_report_options *options,
	struct cab_table *table)
{
  struct filling f = { .model = model, .options = options, .to = table };
  struct cab_loop_table *tables = XCNEWVEC (struct cab_loop_table, model->n_modules + 1);
  cab_table_init (table, "scalars", "Loops by their iterations, and what they do with scalars",
		  columns, N);
  cab_loop_counts_of (model, &f.counts);
  for (uint32_t i = 0; i < model->n_modules; i++)
    if (model->modules[i]->info.path)
      {
	cab_loop_table_init (&tables[i]);
	cab_loop_table_add_info (&tables[i], &model->modules[i]->info);
	find_loops (&f, &tables[i]);
      }
  add_loops (&f);
  for (uint32_t i = 0; i < model->n_modules; i++)
    cab_loop_table_fini (&tables[i]);
  free (tables);
  cab_loop_counts_fini (&f.counts);
}

/* Return true if a record of INFO has a c line. */
static bool
has_forms (struct cab_info *info)
{
  uint64_t offset = 0, at = 0;
  for (char kind; (kind = cab_info_next (info, &offset, &at));)
    if (kind == 'L' && strstr (info->text + at, "\nc\t"))
      return true;
  return false;
}

static const char *
lacks (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_modules; i++)
    if (model->modules[i]->info.path && has_forms (&model->modules[i]->info))
      return NULL;
  const char *none = cab_report_lacks_trips (model);
  return none ? none
	      : "no records of what the source does in loops: compile with this version of cabprof "
		"and -fplugin-arg-cabprof-events=loops";
}

const struct cab_report cab_scalars_report = {
  .name = "scalars",
  .summary = "each loop's private, reduced, carried variables; its calls",
  .subject = CAB_ABOUT_CODE,
  .of_whole_run = true,
  .fill = report,
  .lacks = lacks
};
