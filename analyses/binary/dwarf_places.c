/* dwarf_places.c - what DWARF says of addresses: the line, and the functions that are inlined
 * there.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_places.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/binary/dwarf_die.h"
#include "analyses/binary/dwarf_lines.h"

#define MOST_DEPTH 64   /* limit of blocks and inlined functions within each other */

struct search
{
  struct cab_dwarf dwarf;
  const uint64_t *address;
  uint32_t n;
  struct cab_dwarf_place *place;
  uint64_t base;        /* low pc of the unit */
  Dwarf_Off function;   /* offset of the function that is being walked, not of those inlined into
			   it; 0: none */
  Dwarf_Off *owner;     /* by address: the function whose frames the address has */
};

/* Return the index of the first address that is not below A. */
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

/* Prepend FRAME to the frames of each address in RANGES, since DIEs are visited from outside in.
   Where functions share code because a linker has folded them, the first one keeps the address. */
static void
add_frame (struct search *s, const struct cab_dwarf_ranges *ranges,
	   const struct cab_dwarf_frame *frame)
{
  for (uint32_t i = 0; i < ranges->n; i++)
    for (uint32_t k = lower (s, ranges->range[i].start);
	 k < s->n && s->address[k] < ranges->range[i].end; k++)
      {
	struct cab_dwarf_place *p = &s->place[k];
	if (p->n_frames == MOST_DEPTH || (p->n_frames && s->owner[k] != s->function))
	  continue;
	s->owner[k] = s->function;
	struct cab_dwarf_frame *frames = XRESIZEVEC (struct cab_dwarf_frame, p->frames,
						     p->n_frames + 1);
	memmove (frames + 1, frames, p->n_frames * sizeof *frames);
	frames[0] = *frame;
	p->frames = frames;
	p->n_frames++;
      }
}

static void walk_children (struct search *s, Dwarf_Die die, int depth);

/* Add a frame for DIE.  Until `settle', its at_file and at_line are those of the call of DIE in the
   enclosing frame, if DIE is inlined. */
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
      frame.at_file = frame.at_line ? cab_dwarf_file (
			&s->dwarf, die, cab_dwarf_number (&s->dwarf, die, DW_AT_call_file))
				    : "";
      add_frame (s, &ranges, &frame);
      walk_children (s, die, depth + 1);
    }
  free (ranges.range);
}

/* Walk a function's own code, not an inlined copy, perhaps within the DIE of another function. */
static void
walk_own (struct search *s, Dwarf_Die die, int depth)
{
  Dwarf_Off outer = s->function;
  Dwarf_Error error;
  dwarf_dieoffset (die, &s->function, &error);
  walk_function (s, die, depth);
  s->function = outer;
}

static void
walk (struct search *s, Dwarf_Die die, int depth)
{
  Dwarf_Half tag = 0;
  Dwarf_Error error;
  dwarf_tag (die, &tag, &error);
  switch (tag)
    {
    case DW_TAG_subprogram: walk_own (s, die, depth); break;
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

/* Read UNIT if it has code at the addresses, or does not say where its code is. */
static void
read_unit (struct search *s, Dwarf_Die unit)
{
  struct cab_dwarf_ranges ranges = { 0 };
  Dwarf_Addr low = 0;
  Dwarf_Error error;
  s->base = dwarf_lowpc (unit, &low, &error) == DW_DLV_OK ? low : 0;
  cab_dwarf_ranges (&s->dwarf, unit, s->base, &ranges);
  if (!ranges.n || is_hit (s, &ranges))
    {
      cab_dwarf_lines (&s->dwarf, unit, s->address, s->n, s->place);
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

/* Set each frame's place to that of the call of the frame inside it; the innermost one's is the
   line table's.  Move the frames to NAMES. */
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
cab_dwarf_places (const char *path, const uint64_t *address, uint32_t n,
		  struct cab_dwarf_place *place, struct cab_names *names, struct cab_diag *diag)
{
  struct search s = { .dwarf.names = names, .address = address, .n = n, .place = place };
  Dwarf_Error error = NULL;
  memset (place, 0, n * sizeof *place);
  s.owner = XCNEWVEC (Dwarf_Off, n + 1);
  int opened = cab_dwarf_open (path, &s.dwarf.dbg, &error);
  uint32_t n_units = opened == DW_DLV_OK ? read_units (&s) : 0;
  for (uint32_t i = 0; i < n; i++)
    settle (&place[i], names);
  if (opened == DW_DLV_OK)
    cab_dwarf_close (s.dwarf.dbg);
  else if (opened == DW_DLV_ERROR)
    dwarf_dealloc_error (NULL, error);
  free (s.dwarf.units);
  free (s.owner);
  return n_units ? 0
		 : cab_refuse (
		   path, diag,
		   "has no debugging information: compile with -g for lines and inlined functions");
}
