/* dwarf_lines.c - line tables of DWARF, by address.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/dwarf_lines.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

struct row
{
  uint64_t address;
  uint32_t order, line, column, discriminator;
  const char *file;
  bool ends;            /* the end of its sequence: nothing is known from its address on */
};

/* The rows from FIRST up to LAST, the row that ends the sequence. */
struct sequence
{
  uint64_t start, end;
  uint32_t first, last;
};

/* Return the file of a row whose number in FILES is NUMBER.  A line program starts with file 1, but
   for DWARF 5 libdwarf as of 2021 reports 0.  With GCC both are the same file, except under LTO,
   where 0 is the link's name for the unit. */
static const char *
row_file (const struct cab_dwarf_files *files, Dwarf_Unsigned number)
{
  const char *name = cab_dwarf_file_of (files, number);
  return number == 0 && !strcmp (name, "<artificial>") ? cab_dwarf_file_of (files, 1) : name;
}

/* Read LINE into ROW.  libdwarf (seen from 2021 to 0.11) also says of a row at which an epilogue
   begins that its sequence ends there; a row that ends a sequence begins nothing. */
static void
read_row (Dwarf_Line line, const struct cab_dwarf_files *files, struct row *row)
{
  Dwarf_Addr address = 0;
  Dwarf_Unsigned number = 0, file = 0, column = 0, isa, discriminator = 0;
  Dwarf_Bool ends = 0, prologue, epilogue = 0;
  Dwarf_Error error;
  dwarf_lineaddr (line, &address, &error);
  dwarf_lineno (line, &number, &error);
  dwarf_line_srcfileno (line, &file, &error);
  dwarf_lineoff_b (line, &column, &error);
  dwarf_lineendsequence (line, &ends, &error);
  dwarf_prologue_end_etc (line, &prologue, &epilogue, &isa, &discriminator, &error);
  *row = (struct row) { .address = address,
			.line = number,
			.column = column,
			.discriminator = discriminator,
			.ends = ends && !epilogue,
			.file = row_file (files, file) };
}

static int
by_address (const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static int
by_start (const void *a, const void *b)
{
  const struct sequence *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Append the sequence of the rows FIRST to LAST to the N SEQUENCES.  Return how many there are
   then.  A sequence that begins at address 0 was dropped by the linker.  Rows of an unsound
   sequence may step back; they are sorted, but the sequence's end stays its end. */
static uint32_t
add_sequence (struct row *rows, uint32_t first, uint32_t last, struct sequence *sequences,
	      uint32_t n)
{
  if (first == last || !rows[first].address)
    return n;
  qsort (rows + first, last - first, sizeof *rows, by_address);
  sequences[n] = (struct sequence) { rows[first].address, rows[last].address, first, last };
  return sequences[n].start < sequences[n].end ? n + 1 : n;
}

/* Return the index of the first of the N ascending ADDRESSES that is not below A, or N. */
static uint32_t
lower (const uint64_t *address, uint32_t n, uint64_t a)
{
  uint32_t low = 0, high = n;
  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (address[middle] < a)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

/* Give each address in sequence S that has no place yet that of the last row at or below it. */
static void
apply (const struct sequence *s, const struct row *rows, const uint64_t *address, uint32_t n,
       struct cab_dwarf_place *place)
{
  uint32_t row = s->first;
  for (uint32_t k = lower (address, n, s->start); k < n && address[k] < s->end; k++)
    {
      while (row + 1 < s->last && rows[row + 1].address <= address[k])
	row++;
      if (place[k].file)
	continue;
      place[k].file = rows[row].file;
      place[k].line = rows[row].line;
      place[k].column = rows[row].column;
      place[k].discriminator = rows[row].discriminator;
    }
}

static void
apply_all (Dwarf_Line *lines, uint32_t n_lines, const struct cab_dwarf_files *files,
	   const uint64_t *address, uint32_t n, struct cab_dwarf_place *place)
{
  struct row *rows = XNEWVEC (struct row, n_lines);
  struct sequence *sequences = XNEWVEC (struct sequence, n_lines);
  uint32_t n_sequences = 0, first = 0;
  for (uint32_t i = 0; i < n_lines; i++)
    {
      read_row (lines[i], files, &rows[i]);
      rows[i].order = i;
      if (!rows[i].ends)
	continue;
      n_sequences = add_sequence (rows, first, i, sequences, n_sequences);
      first = i + 1;
    }
  qsort (sequences, n_sequences, sizeof *sequences, by_start);
  for (uint32_t i = 0; i < n_sequences; i++)
    apply (&sequences[i], rows, address, n, place);
  free (sequences);
  free (rows);
}

void
cab_dwarf_lines (struct cab_dwarf *dwarf, Dwarf_Die unit, const uint64_t *address, uint32_t n,
		 struct cab_dwarf_place *place)
{
  Dwarf_Unsigned version;
  Dwarf_Small tables;
  Dwarf_Line_Context context;
  Dwarf_Line *lines;
  Dwarf_Signed n_lines;
  Dwarf_Error error;
  if (dwarf_srclines_b (unit, &version, &tables, &context, &error) != DW_DLV_OK)
    return;
  struct cab_dwarf_files *files = cab_dwarf_files (dwarf, unit, context);
  if (dwarf_srclines_from_linecontext (context, &lines, &n_lines, &error) == DW_DLV_OK
      && n_lines > 0)
    apply_all (lines, n_lines, files, address, n, place);
  dwarf_srclines_dealloc_b (context);
}
