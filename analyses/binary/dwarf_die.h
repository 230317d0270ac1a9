/* dwarf_die.h - libdwarf's DIEs, as far as places of code and variables need them.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors:     what cannot be read is as if it were not there.
 */
#ifndef CAB_DWARF_DIE_H
#define CAB_DWARF_DIE_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdbool.h>
#include <stdint.h>
#include "analyses/base/names.h"

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

/* Go on to the next unit; false: there is none. */
bool cab_dwarf_next_unit (struct cab_dwarf *dwarf);

/* Add the ranges of DIE to RANGES; BASE: low pc of its unit. */
void cab_dwarf_ranges (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t base,
		       struct cab_dwarf_ranges *ranges);

/* The number that attribute NAME has; 0: there is none. */
uint64_t cab_dwarf_number (struct cab_dwarf *dwarf, Dwarf_Die die, Dwarf_Half name);

/* The assembler name of a function, and where it is declared, by way of its abstract origin or
   specification. */
void cab_dwarf_function (struct cab_dwarf *dwarf, Dwarf_Die die, const char **function,
			 const char **file, uint32_t *line);

/* File NUMBER of the unit that DIE belongs to; "" unknown. */
const char *cab_dwarf_file (struct cab_dwarf *dwarf, Dwarf_Die die, uint64_t number);
const char *cab_dwarf_file_of (const struct cab_dwarf_files *files, uint64_t number);
/* The files of the unit whose DIE is UNIT, from its line table. */
struct cab_dwarf_files *cab_dwarf_files (struct cab_dwarf *dwarf, Dwarf_Die unit,
					 Dwarf_Line_Context context);

#endif
