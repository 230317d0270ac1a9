/* dwarf_places.c - what DWARF says of addresses: line, and the functions that are inlined there.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dwarf_places.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/part.h"
#include "loopfb/dwarf_die.h"

#define MOST_DEPTH 64   /* blocks and inlined functions within each other */

struct row
{
  uint64_t address;
  uint32_t order, line, column, discriminator;
  const char *file;
  bool ends;            /* of a sequence: nothing is known from here on */
};

struct search
{
  struct cab_dwarf dwarf;
  const uint64_t *address;
  uint32_t n;
  struct cab_dwarf_place *place;
  uint64_t base;        /* low pc of the unit */
};

/* The first address that is not below A. */
static uint32_t
lower (const struct search *s, uint64_t a)
{
  uint32_t low = 0, high = s->n;
  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (s->address[middle] < a)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static bool
is_hit (const struct search *s, const struct cab_dwarf_ranges *ranges)
{
  for (uint32_t i = 0; i < ranges->n; i++)
    if (lower (s, ranges->range[i].start) < lower (s, ranges->range[i].end))
      return true;
  return false;
}

static int
by_address (const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (x->ends != y->ends)
    return x->ends ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

/* The file of a row that FILES has as NUMBER.  A line program starts with file 1; of DWARF 5 libdwarf as of 2021 says 0.  With GCC that is the same file
   again, but under LTO it is what the link calls the unit. */
static const char *
row_file (const struct cab_dwarf_files *files, Dwarf_Unsigned number)
{
  const char *name = cab_dwarf_file_of (files, number);
  return number == 0 && !strcmp (name, "<artificial>") ? cab_dwarf_file_of (files, 1) : name;
}

static void
read_row (Dwarf_Line line, const struct cab_dwarf_files *files, struct row *row)
{
  Dwarf_Addr address = 0;
  Dwarf_Unsigned number = 0, file = 0, column = 0, isa, discriminator = 0;
  Dwarf_Bool ends = 0, prologue, epilogue;
  Dwarf_Error error;
  dwarf_lineaddr (line, &address, &error);
  dwarf_lineno (line, &number, &error);
  dwarf_line_srcfileno (line, &file, &error);
  dwarf_lineoff_b (line, &column, &error);
  dwarf_lineendsequence (line, &ends, &error);
  dwarf_prologue_end_etc (line, &prologue, &epilogue, &isa, &discriminator, &error);
  *row = (struct row) { .address = address, .line = number, .column = column, .discriminator = discriminator, .ends = ends,
			.file = row_file (files, file) };
}

/* Give each sampled address the last row at or below it. */
static void
apply_rows (struct search *s, const struct row *rows, uint32_t n)
{
  for (uint32_t i = 0; i + 1 < n; i++)
    {
      if (rows[i].ends)
	continue;
      for (uint32_t k = lower (s, rows[i].address); k < s->n && s->address[k] < rows[i + 1].address; k++)
	{
	  struct cab_dwarf_place *p = &s->place[k];
	  p->file = rows[i].file;
	  p->line = rows[i].line;
	  p->column = rows[i].column;
	  p->discriminator = rows[i].discriminator;
	}
    }
}

/* Sequences at address 0 are of functions that the linker dropped. */
static uint32_t
read_rows (Dwarf_Line *lines, Dwarf_Signed n, const struct cab_dwarf_files *files, struct row *rows)
{
  uint32_t kept = 0, sequence = 0;
  for (Dwarf_Signed i = 0; i < n; i++)
    {
      read_row (lines[i], files, &rows[kept]);
      rows[kept].order = kept;
      kept++;
      if (!rows[kept - 1].ends)
	continue;
      if (!rows[sequence].address)
	kept = sequence;
      sequence = kept;
    }
  return kept;
}

static void
read_lines (struct search *s, Dwarf_Die unit)
{
  Dwarf_Unsigned version;
  Dwarf_Small tables;
  Dwarf_Line_Context context;
  Dwarf_Line *lines;
  Dwarf_Signed n;
  Dwarf_Error error;
  if (dwarf_srclines_b (unit, &version, &tables, &context, &error) != DW_DLV_OK)
    return;
  struct cab_dwarf_files *files = cab_dwarf_files (&s->dwarf, unit, context);
  if (dwarf_srclines_from_linecontext (context, &lines, &n, &error) == DW_DLV_OK && n > 0)
    {
      struct row *rows = XNEWVEC (struct row, n);
      uint32_t kept = read_rows (lines, n, files, rows);
      qsort (rows, kept, sizeof *rows, by_address);
      apply_rows (s, rows, kept);
      free (rows);
    }
  dwarf_srclines_dealloc_b (context);
}

/* FRAME goes to the front of each hit place: DIEs come from outside in. */
static void
add_frame (struct search *s, const struct cab_dwarf_ranges *ranges, const struct cab_dwarf_frame *frame)
{
  for (uint32_t i = 0; i < ranges->n; i++)
    for (uint32_t k = lower (s, ranges->range[i].start); k < s->n && s->address[k] < ranges->range[i].end; k++)
      {
	struct cab_dwarf_place *p = &s->place[k];
	if (p->n_frames == MOST_DEPTH)
	  continue;
	struct cab_dwarf_frame *frames = XRESIZEVEC (struct cab_dwarf_frame, p->frames, p->n_frames + 1);
	memmove (frames + 1, frames, p->n_frames * sizeof *frames);
	frames[0] = *frame;
	p->frames = frames;
	p->n_frames++;
      }
}

static void walk_children (struct search *s, Dwarf_Die die, int depth);

/* at_file and at_line are for now where DIE, if it is inlined, is called in the frame outside of it. */
static void
walk_function (struct search *s, Dwarf_Die die, int depth)
{
  struct cab_dwarf_ranges ranges = { 0 };
  cab_dwarf_ranges (&s->dwarf, die, s->base, &ranges);
  if (is_hit (s, &ranges))
    {
      struct cab_dwarf_frame frame;
      cab_dwarf_function (&s->dwarf, die, &frame.function, &frame.file, &frame.line);
      frame.at_line = cab_dwarf_number (&s->dwarf, die, DW_AT_call_line);
      frame.at_file = frame.at_line ? cab_dwarf_file (&s->dwarf, die, cab_dwarf_number (&s->dwarf, die, DW_AT_call_file)) : "";
      add_frame (s, &ranges, &frame);
      walk_children (s, die, depth + 1);
    }
  free (ranges.range);
}

static void
walk (struct search *s, Dwarf_Die die, int depth)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  dwarf_tag (die, &tag, &error);
  switch (tag)
    {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine: walk_function (s, die, depth); break;
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module: walk_children (s, die, depth + 1); break;
    }
}

static void
walk_children (struct search *s, Dwarf_Die die, int depth)
{
  Dwarf_Die child, next;
  Dwarf_Error error;
  if (depth > MOST_DEPTH || dwarf_child (die, &child, &error) != DW_DLV_OK)
    return;
  for (bool more = true; more; child = next)
    {
      walk (s, child, depth);
      more = dwarf_siblingof_b (s->dwarf.dbg, child, true, &next, &error) == DW_DLV_OK;
      dwarf_dealloc_die (child);
    }
}

static void
read_unit (struct search *s, Dwarf_Die unit)
{
  struct cab_dwarf_ranges ranges = { 0 };
  Dwarf_Addr low = 0;
  Dwarf_Error error;
  s->base = dwarf_lowpc (unit, &low, &error) == DW_DLV_OK ? low : 0;
  cab_dwarf_ranges (&s->dwarf, unit, s->base, &ranges);
  if (is_hit (s, &ranges))
    {
      read_lines (s, unit);
      walk_children (s, unit, 0);
    }
  free (ranges.range);
}

static uint32_t
read_units (struct search *s)
{
  Dwarf_Die unit;
  Dwarf_Error error;
  uint32_t n = 0;
  for (; cab_dwarf_next_unit (&s->dwarf); n++)
    if (dwarf_siblingof_b (s->dwarf.dbg, NULL, true, &unit, &error) == DW_DLV_OK)
      {
	read_unit (s, unit);
	dwarf_dealloc_die (unit);
      }
  return n;
}

/* Each frame's place is where the frame inside of it is called; the innermost one's is the line table's.  Frames move into NAMES. */
static void
settle (struct cab_dwarf_place *p, struct cab_names *names)
{
  struct cab_dwarf_frame *frames = cab_names_zero (names, p->n_frames, sizeof *frames);
  for (uint32_t i = 0; i < p->n_frames; i++)
    {
      frames[i] = p->frames[i];
      frames[i].at_file = i ? p->frames[i - 1].at_file : p->file ? p->file : "";
      frames[i].at_line = i ? p->frames[i - 1].at_line : p->line;
    }
  free (p->frames);
  p->frames = frames;
}

int
cab_dwarf_places (const char *path, const uint64_t *address, uint32_t n, struct cab_dwarf_place *place, struct cab_names *names,
		  struct cab_diag *diag)
{
  struct search s = { .dwarf.names = names, .address = address, .n = n, .place = place };
  char used[PATH_MAX];
  Dwarf_Error error = NULL;
  memset (place, 0, n * sizeof *place);
  int opened = dwarf_init_path (path, used, sizeof used, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &s.dwarf.dbg, NULL, 0, NULL, &error);
  uint32_t n_units = opened == DW_DLV_OK ? read_units (&s) : 0;
  for (uint32_t i = 0; i < n; i++)
    settle (&place[i], names);
  if (opened == DW_DLV_OK)
    dwarf_finish (s.dwarf.dbg, &error);
  else if (opened == DW_DLV_ERROR)
    dwarf_dealloc_error (NULL, error);
  free (s.dwarf.units);
  return n_units ? 0 : cab_part_refuse (path, diag, "has no debugging information: compile with -g for lines and inlined functions");
}
