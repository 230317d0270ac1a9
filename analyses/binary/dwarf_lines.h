/* dwarf_lines.h - line tables of DWARF, by address.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF 5, section 6.2: a row holds from its address up to the next row's of the same
 *             sequence; the sequence's end is no row.
 * Model:      sequences are read one by one, so that no row reaches beyond its own sequence.  Where
 *             they overlap, the one that begins first covers the address, and of those that begin
 *             together the longer one, as in addr2line.
 * Shapes:     addresses ascend; place[i] belongs to address[i].
 * Ownership:  names of files live in the names of DWARF.
 */
#ifndef CAB_DWARF_LINES_H
#define CAB_DWARF_LINES_H

#include "analyses/binary/dwarf_die.h"
#include "analyses/binary/dwarf_places.h"

/* Set file, line, column and discriminator of each PLACE that has none yet and whose ADDRESS the
   line table of UNIT covers. */
void cab_dwarf_lines (struct cab_dwarf *dwarf, Dwarf_Die unit, const uint64_t *address, uint32_t n,
		      struct cab_dwarf_place *place);

#endif
