/* dwarf_die.h - libdwarf's DIEs, as far as places of code and variables need them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     what cannot be read is treated as absent.
 */
#ifndef CAB_DWARF_DIE_H
#define CAB_DWARF_DIE_H

#include <stdbool.h>
#include <stdint.h>
#include "analyses/base/names.h"
#include "analyses/binary/libdwarf_calls.h"

/* The files of a unit, by the numbers that its DIEs and lines use. */
struct cab_dwarf_files
{
  Dwarf_Off unit;               /* offset of its DIE */
  Dwarf_Signed base;
  uint32_t n;
  const char **name;
};

struct cab_dwarf
{
  Dwarf_Debug dbg;
  struct cab_names *names;
  uint32_t n_units, room_units;
  struct cab_dwarf_files *units;
};

/* A set of ranges. */
struct cab_dwarf_ranges
{
  uint32_t n, room;
  struct { uint64_t start, end; } *range;
};

/* Advance to the next unit.  Return false if there is none. */
bool cab_dwarf_next_unit (struct cab_dwarf *dwarf);

/* Add the ranges of DIE to RANGES; BASE is the low pc of its unit. */
void cab_dwarf_ranges (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t base,
		       struct cab_dwarf_ranges *ranges);

/* Return the number in attribute NAME of DIE, or 0 if it has none. */
uint64_t cab_dwarf_number (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name);

/* Return the DIE that attribute NAME of DIE refers to, which the caller frees, or null. */
Dwarf_Die cab_dwarf_follow (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name);

/* Set FUNCTION to the assembler name of the function of DIE, and FILE and LINE to where it is
   declared, following its abstract origin or specification. */
void cab_dwarf_function (struct cab_dwarf *dwarf, Dwarf_Die die, const char **function,
			 const char **file, uint32_t *line);

/* Return file NUMBER of the unit that DIE belongs to, or "". */
const char *cab_dwarf_file (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t number);
/* Return file NUMBER of FILES, or "". */
const char *cab_dwarf_file_of (const struct cab_dwarf_files *files, uint64_t number);
/* Return the files of the unit whose DIE is UNIT, from its line table. */
struct cab_dwarf_files *cab_dwarf_files (struct cab_dwarf *dwarf, Dwarf_Die unit,
					 Dwarf_Line_Context context);

#endif
