/* layout_worth.c - see layout_worth.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/layout/layout_worth.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/table.h"

#define LINE CAB_LAYOUT_LINE
#define POINTER 8
#define LONG 1024   /* instances of this size or more are taken to begin at a line */

/* Reasons that a trace may remove. */
#define WHY_UNKNOWN "instances not known"
#define WHY_ONE "one known instance"
#define WHY_FEW "few known instances"

/* Where units lie: in which part, and where in an instance's share of it. */
struct form
{
  uint32_t n_parts;
  const uint32_t *part;     /* by unit; null: all in part 0 */
  const uint32_t *offset;   /* by unit */
  const uint32_t *stride;   /* by part: bytes of an instance */
  const uint32_t *pointer;  /* offset in part 0 of the pointer to part 1; null: none */
};

static uint32_t
common_divisor (uint32_t a, uint32_t b)
{
  return b ? common_divisor (b, a % b) : a;
}

/* Return after how many instances of STRIDE bytes the next one begins at a line again. */
static uint32_t
period_of (uint32_t stride)
{
  return stride >= LONG ? 1 : LINE / common_divisor (stride, LINE);
}

/* Return the first line of instance K of a row, and set *BEGIN to where in that line it begins.
   Instances of a line or more have lines of their own. */
static uint32_t
first_line (uint32_t k, uint32_t stride, uint32_t *begin)
{
  *begin = k * stride % LINE;
  return stride < LINE ? k * stride / LINE : k * (stride / LINE + 2);
}

/* Count N uses of BYTES at OFFSET of each of PERIOD instances in their LINES. */
static void
use_lines (double *lines, uint32_t period, uint32_t stride, uint32_t offset, uint32_t bytes,
	   double n)
{
  for (uint32_t k = 0; k < period; k++)
    {
      uint32_t begin, base = first_line (k, stride, &begin);
      uint32_t first = base + (begin + offset) / LINE;
      uint32_t last = base + (begin + offset + bytes - 1) / LINE;
      for (uint32_t line = first; line <= last; line++)
	if (lines[line] < n / (last - first + 1))
	  lines[line] = n / (last - first + 1);
    }
}

/* Return the lines of part PART that the N USES, all of one loop, bring in. */
static double
lines_of_part (const struct cab_layout *l, const struct form *form, uint32_t part,
	       const struct cab_layout_use *uses, uint32_t n)
{
  uint32_t stride = form->stride[part], period = period_of (stride);
  uint32_t n_lines = period * (stride / LINE + 2);
  double *lines = XCNEWVEC (double, n_lines), sum = 0, behind = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      uint32_t u = uses[i].unit, in = form->part ? form->part[u] : 0;
      if (in == part && l->units[u].bytes)
	use_lines (lines, period, stride, form->offset[u], l->units[u].bytes, uses[i].n);
      behind += in == 1 ? uses[i].n : 0;
    }
  if (part == 0 && form->pointer && behind)
    use_lines (lines, period, stride, *form->pointer, POINTER, behind);
  for (uint32_t i = 0; i < n_lines; i++)
    sum += lines[i];
  free (lines);
  return sum / period;
}

/* Return the lines that all loops bring in, and set *VISITS to how often they use an instance. */
static double
lines_of (const struct cab_layout *l, const struct form *form, double *visits)
{
  double sum = 0;
  *visits = 0;
  for (uint32_t first = 0, end; first < l->n_uses; first = end)
    {
      uint64_t most = 0;
      for (end = first; end < l->n_uses && l->uses[end].loop == l->uses[first].loop; end++)
	most = l->uses[end].n > most ? l->uses[end].n : most;
      for (uint32_t part = 0; part < form->n_parts; part++)
	sum += lines_of_part (l, form, part, l->uses + first, end - first);
      *visits += most;
    }
  return sum;
}

static double
lines_as_it_is (const struct cab_layout *l, double *visits)
{
  uint32_t *offset = XNEWVEC (uint32_t, l->n_units);
  for (uint32_t u = 0; u < l->n_units; u++)
    offset[u] = l->units[u].offset;
  struct form form = { 1, NULL, offset, &l->structure->bytes, NULL };
  double lines = lines_of (l, &form, visits);
  free (offset);
  return lines;
}

static double
lines_of_plan (const struct cab_layout *l)
{
  const struct cab_layout_plan *plan = &l->plan;
  bool split = plan->kind == CAB_LAYOUT_SPLIT;
  uint32_t stride[2] = { plan->bytes, plan->cold_bytes };
  uint32_t *part = XCNEWVEC (uint32_t, l->n_units);
  double visits;
  for (uint32_t i = plan->n_hot; i < l->n_units; i++)
    part[plan->order[i]] = 1;
  struct form form = { 1 + split, part, plan->offset, stride, split ? &plan->pointer : NULL };
  double lines = lines_of (l, &form, &visits);
  free (part);
  return lines;
}

static double
lines_of_arrays (const struct cab_layout *l)
{
  const struct cab_layout_arrays *arrays = &l->arrays;
  uint32_t *stride = XNEWVEC (uint32_t, arrays->n);
  double visits;
  for (uint32_t i = 0; i < arrays->n; i++)
    stride[i] = arrays->items[i].bytes;
  struct form form = { arrays->n, arrays->array, arrays->offset, stride, NULL };
  double lines = lines_of (l, &form, &visits);
  free (stride);
  return lines;
}

/* Return why no other layout of L is worth it, whatever it is; or null. */
static const char *
why_none (const struct cab_layout *l)
{
  if (l->accesses < CAB_LAYOUT_FEW)
    return "few accesses";
  if (l->at_once == CAB_UNKNOWN)
    return WHY_UNKNOWN;
  if (l->at_once == 1)
    return l->seen ? "one instance" : WHY_ONE;
  return l->at_once * l->structure->bytes >= CAB_WORTH_BYTES ? NULL
       : l->seen ? "few instances"
       : WHY_FEW;
}

/* Return what L saves if its lines become AFTER and each instance gets MEMORY bytes smaller. */
static struct cab_layout_saves
saves_of (const struct cab_layout *l, double after, uint32_t memory)
{
  struct cab_layout_saves saves = { .after = after, .memory = memory * l->at_once };
  double visits;
  saves.before = lines_as_it_is (l, &visits);
  if (visits && after < saves.before)
    saves.bytes = (saves.before - after) / visits * LINE * l->at_once;
  return saves;
}

static bool
is_worth (const struct cab_layout *l, const struct cab_layout_saves *saves, double least)
{
  uint64_t all = l->structure->bytes * l->at_once;
  return (saves->bytes >= CAB_WORTH_BYTES && saves->before - saves->after >= least * saves->before)
	 || (saves->memory >= CAB_WORTH_BYTES && saves->memory >= least * all);
}

static void
take_back (struct cab_layout_plan *plan, const char *why)
{
  plan->kind = CAB_LAYOUT_KEEP;
  plan->why = why;
}

static void
judge_plan (struct cab_layout *l)
{
  struct cab_layout_plan *plan = &l->plan;
  const char *none = why_none (l);
  if (plan->kind != CAB_LAYOUT_KEEP && none)
    take_back (plan, none);
  if (plan->kind == CAB_LAYOUT_SPLIT)
    {
      l->saves = saves_of (l, lines_of_plan (l), 0);
      if (is_worth (l, &l->saves, CAB_WORTH_SPLIT))
	return;
      cab_layout_forbid_split (l);
    }
  if (plan->kind == CAB_LAYOUT_KEEP)
    return;
  bool smaller = plan->bytes < l->structure->bytes;
  l->saves = saves_of (l, lines_of_plan (l), smaller ? l->structure->bytes - plan->bytes : 0);
  if (!is_worth (l, &l->saves, CAB_WORTH_ORDER))
    take_back (plan, "saves little");
}

static void
judge_arrays (struct cab_layout *l)
{
  const char *none = why_none (l);
  if (!l->arrays.n)
    return;
  if (!none)
    {
      l->arrays_save = saves_of (l, lines_of_arrays (l), 0);
      none = is_worth (l, &l->arrays_save, CAB_WORTH_SPLIT) ? NULL : "saves little";
    }
  if (none)
    l->arrays = (struct cab_layout_arrays) { .why = none };
}

bool
cab_layout_needs_instances (const struct cab_layout *l)
{
  const char *why = l->plan.kind == CAB_LAYOUT_KEEP ? l->plan.why : "";
  return !strcmp (why, WHY_UNKNOWN) || !strcmp (why, WHY_ONE) || !strcmp (why, WHY_FEW);
}

void
cab_layouts_judge (struct cab_layouts *layouts)
{
  for (uint32_t i = 0; i < layouts->n; i++)
    if (layouts->items[i].accesses)
      {
	judge_plan (&layouts->items[i]);
	judge_arrays (&layouts->items[i]);
      }
}

char *
cab_layout_saves_words (const struct cab_layout *layout, const struct cab_layout_saves *saves)
{
  char bytes[32], n[32], before[32], lines[32], memory[32];
  char *words;
  if (!saves->before)
    return NULL;
  if (saves->bytes)
    words = xasprintf ("%s bytes of cache lines in a pass through %s instances; in all at most %s"
		       " of %s lines", cab_table_grouped (saves->bytes, bytes),
		       cab_table_grouped (layout->at_once, n),
		       cab_table_grouped (saves->before - saves->after, lines),
		       cab_table_grouped (saves->before, before));
  else
    words = xstrdup ("no cache lines");
  if (saves->memory)
    words = reconcat (words, words, "; ", cab_table_grouped (saves->memory, memory),
		      " bytes of memory", NULL);
  return words;
}
