/* attribute.c - attribute samples to functions, lines and source loops.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/attribute/attribute.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/progress.h"
#include "analyses/binary/dwarf_places.h"
#include "analyses/binary/image.h"
#include "loopfb/attribute/loop_table.h"

#define MOST_SHARING 16   /* most loops that may share one line */

struct work
{
  struct cab_attribution *to;
  const struct cab_samples *samples;
  uint32_t module;
  struct cab_image image;
  struct cab_loop_table table;
  bool has_table;
  uint32_t first_loop;             /* number of this module's first loop in to->loops */
  uint32_t room_functions, room_lines;
};

static void
problem (struct cab_attribution *a, const char *text)
{
  a->problems = XRESIZEVEC (const char *, a->problems, a->n_problems + 1);
  a->problems[a->n_problems++] = cab_names_copy (&a->names, text, strlen (text));
}

static void
add_function (struct work *w, struct cab_time_function row)
{
  struct cab_attribution *a = w->to;
  if (a->n_functions == w->room_functions)
    a->functions = XRESIZEVEC (struct cab_time_function, a->functions,
			       w->room_functions = 2 * w->room_functions + 64);
  a->functions[a->n_functions++] = row;
}

static void
add_line (struct work *w, struct cab_time_line row)
{
  struct cab_attribution *a = w->to;
  if (a->n_lines == w->room_lines)
    a->lines = XRESIZEVEC (struct cab_time_line, a->lines, w->room_lines = 2 * w->room_lines + 64);
  a->lines[a->n_lines++] = row;
  a->with_line += row.weight;
}

/* Return the assembler name of the innermost frame; where DWARF lacks it (C++ functions that are
   local to their unit), return the symbol's. */
static const char *
function_name (struct work *w, const struct cab_dwarf_place *place,
	       const struct cab_image_symbol *symbol)
{
  const char *name = place->frames[0].function;
  if (place->n_frames > 1 || !symbol || strncmp (symbol->name, "_Z", 2) || !strncmp (name, "_Z", 2))
    return name;
  return cab_names_copy (&w->to->names, symbol->name, strcspn (symbol->name, "."));
}

/* Count the samples of AT for the function there, and return its name: the innermost function that
   is inlined there, else the symbol, else none, for the module as a whole. */
static const char *
count_function (struct work *w, const struct cab_sample_address *at,
		const struct cab_dwarf_place *place)
{
  struct cab_names *names = &w->to->names;
  const struct cab_image_symbol *symbol = cab_image_symbol (&w->image, at->address);
  struct cab_time_function row = {
    .function = "", .file = "", .module = w->module, .n = at->n, .weight = at->weight
  };
  if (place->n_frames && *place->frames[0].function)
    {
      row.function = function_name (w, place, symbol);
      row.file = place->frames[0].file;
      row.line = place->frames[0].line;
      row.framed = at->weight;
      row.inlined = place->n_frames > 1 ? at->weight : 0;
    }
  else if (symbol)
    row.function = cab_names_copy (names, symbol->name, strlen (symbol->name));
  else
    row.name = cab_names_format (names, "[%s]", lbasename (w->samples->modules[w->module].path));
  if (*row.function)
    {
      row.name = cab_names_display (names, row.function, "", row.file);
      w->to->in_function += at->weight;
    }
  add_function (w, row);
  return row.function;
}

/* Store the loops on the lines of PLACE into LOOP, and return how many there are.  From the inside
   out, the first frame that has any decides. */
static uint32_t
loops_by_line (const struct work *w, const struct cab_dwarf_place *place, uint32_t *loop)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < place->n_frames && !n; i++)
    {
      const struct cab_dwarf_frame *f = &place->frames[i];
      if (!f->at_line || !*f->at_file)
	continue;
      n = cab_loop_table_on_line (&w->table, *f->function ? f->function : NULL, f->at_file,
				  f->at_line, loop, MOST_SHARING);
      /* DWARF has no assembler names of C++ functions that are local to their unit. */
      if (!n && strncmp (f->function, "_Z", 2))
	n = cab_loop_table_on_line (&w->table, NULL, f->at_file, f->at_line, loop, MOST_SHARING);
    }
  if (!place->n_frames && place->file)
    n = cab_loop_table_on_line (&w->table, NULL, place->file, place->line, loop, MOST_SHARING);
  return n < MOST_SHARING ? n : MOST_SHARING;
}

/* Return true if the compiler has recorded where the loops of the function at ADDRESS are: an
   address in none of their ranges is then in no loop. */
static bool
is_told (const struct work *w, uint64_t address)
{
  const struct cab_image_symbol *symbol = cab_image_symbol (&w->image, address);
  for (uint32_t i = 0; symbol && i < w->table.n_outcomes; i++)
    if (!strcmp (w->table.outcome[i].holder, symbol->name))
      return true;
  return false;
}

static void
count_loop (struct work *w, uint32_t loop, double n, double weight, bool exact)
{
  struct cab_time_loop *row = &w->to->loops[w->first_loop + loop];
  row->n += n;
  row->weight += weight;
  row->exact |= exact;
  w->to->in_loop += weight;
  for (uint32_t guard = 0;
       loop != CAB_NO_LOOP && loop < w->table.n_loops && guard < w->table.n_loops; guard++)
    {
      w->to->loops[w->first_loop + loop].n_all += n;
      w->to->loops[w->first_loop + loop].weight_all += weight;
      loop = w->table.loop[loop].parent;
    }
}

static void
count_loops (struct work *w, const struct cab_sample_address *at,
	     const struct cab_dwarf_place *place)
{
  uint32_t by_line[MOST_SHARING], n = loops_by_line (w, place, by_line);
  uint32_t exact = w->table.n_ranges ? cab_loop_table_at (&w->table, at->address) : CAB_NO_LOOP;
  bool agree = false;
  for (uint32_t i = 0; i < n; i++)
    agree |= by_line[i] == exact;
  if (exact != CAB_NO_LOOP && n)
    {
      w->to->both += at->n;
      w->to->agree += agree ? at->n : 0;
    }
  if (exact != CAB_NO_LOOP)
    count_loop (w, exact, at->n, at->weight, true);
  else if (n && !(w->table.n_ranges && is_told (w, at->address)))
    for (uint32_t i = 0; i < n; i++)
      count_loop (w, by_line[i], (double) at->n / n, (double) at->weight / n, false);
}

static const char *
flags_of (unsigned flags)
{
  return flags & CAB_LOOP_UNTOLD ? flags & CAB_LOOP_MACRO ? "um" : "u"
       : flags & CAB_LOOP_MACRO ? "m"
       : "-";
}

/* Add a row for each source loop of the module. */
static void
add_loops (struct work *w)
{
  struct cab_attribution *a = w->to;
  struct cab_names *names = &a->names;
  w->first_loop = a->n_loops;
  a->loops = XRESIZEVEC (struct cab_time_loop, a->loops, a->n_loops + w->table.n_loops + 1);
  for (uint32_t i = 0; i < w->table.n_loops; i++)
    {
      const struct cab_loop *l = &w->table.loop[i];
      a->loops[a->n_loops++] = (struct cab_time_loop) {
	.function = cab_names_copy (names, l->function, strlen (l->function)),
	.name = cab_names_copy (names, l->name, strlen (l->name)),
	.file = cab_names_copy (names, l->file, strlen (l->file)),
	.line = l->line,
	.column = l->column,
	.ordinal = l->ordinal,
	.last_line = l->last_line,
	.depth = l->depth,
	.checksum = l->checksum,
	.flags = flags_of (l->flags),
	.module = w->module,
	.key = l->key,
	.parent = l->parent < w->table.n_loops ? w->table.loop[l->parent].key : 0
      };
    }
}

static void
count_module (struct work *w, const struct cab_sample_address *rows, uint32_t n, const char *path)
{
  struct cab_dwarf_place *places = XCNEWVEC (struct cab_dwarf_place, n + 1);
  uint64_t *addresses = XNEWVEC (uint64_t, n + 1);
  struct cab_diag diag;
  for (uint32_t i = 0; i < n; i++)
    addresses[i] = rows[i].address;
  cab_dwarf_places (path, addresses, n, places, &w->to->names, &diag);
  for (uint32_t i = 0; i < n; i++)
    {
      const char *function = count_function (w, &rows[i], &places[i]);
      if (places[i].file && places[i].line)
	add_line (w, (struct cab_time_line) { places[i].file, places[i].line, function, rows[i].n,
					      rows[i].weight });
      if (w->has_table)
	count_loops (w, &rows[i], &places[i]);
    }
  free (addresses);
  free (places);
}

/* Open the file of module W->module, if it is still the one that was sampled.  Return false, with a
   problem, if it is another now. */
static bool
open_module (struct work *w, const char *path)
{
  const struct cab_sample_module *m = &w->samples->modules[w->module];
  struct cab_diag diag;
  if (*path == '[')
    return false;
  if (cab_image_open (&w->image, path, &diag) < 0)
    {
      problem (w->to, diag.text);
      return false;
    }
  if (!*m->build_id || !strcmp (m->build_id, w->image.build_id))
    return true;
  problem (w->to, cab_names_format (&w->to->names,
				    "%s: was rebuilt since it was sampled: record again", path));
  cab_image_close (&w->image);
  return false;
}

/* Return true if PATH is the runtime of the probes, or the library that samples: none of the user's
   code. */
static bool
is_runtime (const char *path)
{
  const char *name = lbasename (path);
  return !strncmp (name, "libcabprof.so", 13) || !strncmp (name, "libcabprof-sample.so", 20)
      || !strcmp (name, "libcabprof-heap.so");
}

static void
add_runtime (struct work *w, const struct cab_sample_address *row)
{
  w->to->runtime_n += row->n;
  w->to->runtime_weight += row->weight;
  w->to->n -= row->n;
  w->to->weight -= row->weight;
}

/* Store a copy, which the caller frees, of the first N of ROWS without those in the runtime that
   the open image is linked with into *KEPT, and return how many are left. */
static uint32_t
without_runtime (struct work *w, const struct cab_sample_address *rows, uint32_t n,
		 struct cab_sample_address **kept)
{
  uint32_t n_kept = 0;
  *kept = XNEWVEC (struct cab_sample_address, n + 1);
  for (uint32_t i = 0; i < n; i++)
    if (cab_image_is_runtime (&w->image, rows[i].address))
      add_runtime (w, &rows[i]);
    else
      (*kept)[n_kept++] = rows[i];
  return n_kept;
}

static void
add_module (struct work *w, const struct cab_sample_address *all, uint32_t n_all, const char *path)
{
  struct cab_sample_address *rows;
  struct cab_diag diag;
  if (!open_module (w, path))
    {
      static const struct cab_dwarf_place nowhere;
      for (uint32_t i = 0; i < n_all; i++)
	count_function (w, &all[i], &nowhere);
      return;
    }
  uint32_t n = without_runtime (w, all, n_all, &rows);
  cab_loop_table_init (&w->table);
  w->has_table = cab_loop_table_add_elf (&w->table, path, &diag) == 0;
  if (w->has_table)
    add_loops (w);
  for (uint32_t i = 0; i < n && w->has_table && w->image.stripped; i++)
    w->to->stripped += rows[i].weight;
  count_module (w, rows, n, path);
  free (rows);
  cab_loop_table_fini (&w->table);
  cab_image_close (&w->image);
}

static void
add_modules (struct work *w, char *(*find) (void *, const struct cab_sample_module *), void *host)
{
  const struct cab_samples *s = w->samples;
  for (uint32_t first = 0, end; first < s->n_addresses; first = end)
    {
      w->module = s->addresses[first].module;
      for (end = first; end < s->n_addresses && s->addresses[end].module == w->module; end++)
	continue;
      cab_progress ("finding the places of samples: addresses", first, s->n_addresses);
      if (is_runtime (s->modules[w->module].path))
	{
	  for (uint32_t i = first; i < end; i++)
	    add_runtime (w, &s->addresses[i]);
	  continue;
	}
      char *found = find ? find (host, &s->modules[w->module]) : NULL;
      add_module (w, s->addresses + first, end - first, found ? found : s->modules[w->module].path);
      free (found);
    }
  cab_progress_end ();
}

/* Compare two functions by what identifies them, so that rows of the same one can be joined. */
static int
function_order (const void *a, const void *b)
{
  const struct cab_time_function *x = a, *y = b;
  int order = strcmp (x->name, y->name);
  order = order ? order : strcmp (x->function, y->function);
  order = order ? order : strcmp (x->file, y->file);
  return order ? order
       : x->line != y->line ? (x->line < y->line ? -1 : 1)
       : x->module < y->module ? -1
       : x->module > y->module;
}

/* Order functions by weight, the greatest first; equal ones by what identifies them. */
static int
function_weight (const void *a, const void *b)
{
  const struct cab_time_function *x = a, *y = b;
  return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : function_order (a, b);
}

/* Compare two lines by what identifies them. */
static int
line_order (const void *a, const void *b)
{
  const struct cab_time_line *x = a, *y = b;
  int order = strcmp (x->file, y->file);
  order = order ? order : x->line != y->line ? (x->line < y->line ? -1 : 1) : 0;
  return order ? order : strcmp (x->function, y->function);
}

/* Order lines by weight, the greatest first. */
static int
line_weight (const void *a, const void *b)
{
  const struct cab_time_line *x = a, *y = b;
  return x->weight != y->weight ? (x->weight > y->weight ? -1 : 1) : line_order (a, b);
}

/* Order loops by weight, the greatest first; equal ones by function, file and place. */
static int
loop_weight (const void *a, const void *b)
{
  const struct cab_time_loop *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  int order = strcmp (x->function, y->function);
  order = order ? order : strcmp (x->file, y->file);
  if (!order && x->line != y->line)
    order = x->line < y->line ? -1 : 1;
  if (!order && x->column != y->column)
    order = x->column < y->column ? -1 : 1;
  return order ? order : x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

/* Join the rows of each function, and sort them by weight. */
static void
join_functions (struct cab_attribution *a)
{
  uint32_t kept = 0;
  if (a->n_functions)
    qsort (a->functions, a->n_functions, sizeof *a->functions, function_order);
  for (uint32_t i = 0; i < a->n_functions; i++)
    if (kept && !function_order (&a->functions[kept - 1], &a->functions[i]))
      {
	a->functions[kept - 1].n += a->functions[i].n;
	a->functions[kept - 1].weight += a->functions[i].weight;
	a->functions[kept - 1].framed += a->functions[i].framed;
	a->functions[kept - 1].inlined += a->functions[i].inlined;
      }
    else
      a->functions[kept++] = a->functions[i];
  a->n_functions = kept;
  if (kept)
    qsort (a->functions, kept, sizeof *a->functions, function_weight);
}

/* Join the rows of each line, and sort them by weight. */
static void
join_lines (struct cab_attribution *a)
{
  uint32_t kept = 0;
  if (a->n_lines)
    qsort (a->lines, a->n_lines, sizeof *a->lines, line_order);
  for (uint32_t i = 0; i < a->n_lines; i++)
    if (kept && !line_order (&a->lines[kept - 1], &a->lines[i]))
      {
	a->lines[kept - 1].n += a->lines[i].n;
	a->lines[kept - 1].weight += a->lines[i].weight;
      }
    else
      a->lines[kept++] = a->lines[i];
  a->n_lines = kept;
  if (kept)
    qsort (a->lines, kept, sizeof *a->lines, line_weight);
}

static void
add_rest (struct work *w, const char *name, uint64_t n, uint64_t weight)
{
  if (n)
    add_function (
      w,
      (struct cab_time_function) {
	.function = "", .name = name, .file = "", .module = UINT32_MAX, .n = n, .weight = weight });
}

void
cab_attribute (struct cab_attribution *attribution, const struct cab_samples *samples,
	       char *(*find) (void *, const struct cab_sample_module *), void *host)
{
  struct work w = { .to = attribution, .samples = samples };
  *attribution = (struct cab_attribution) { .n = samples->n, .weight = samples->weight };
  cab_names_init (&attribution->names);
  add_modules (&w, find, host);
  add_rest (&w, "[kernel]", samples->kernel, samples->kernel_weight);
  add_rest (&w, "[code without a file]", samples->unknown, samples->unknown_weight);
  join_functions (attribution);
  join_lines (attribution);
  if (attribution->n_loops)
    qsort (attribution->loops, attribution->n_loops, sizeof *attribution->loops, loop_weight);
}

void
cab_attribution_fini (struct cab_attribution *attribution)
{
  free (attribution->functions);
  free (attribution->lines);
  free (attribution->loops);
  free (attribution->problems);
  cab_names_fini (&attribution->names);
}
