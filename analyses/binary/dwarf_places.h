/* dwarf_places.h - what DWARF says of addresses: the line, and the functions that are inlined
 * there.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     DWARF 2 to 5, by libdwarf; a separate file of debugging information is followed
 *             (debug link, build id).
 * Model:      for each address: the line table's row, and a chain of frames, from the innermost
 *             inlined function to the function whose code contains the address.  A frame's place is
 *             where the address is in that function: the row's line in the innermost one, the line
 *             of the call in the others.  Files are named as they were given to the compiler,
 *             without its directory where they were relative.
 * Shapes:     addresses ascend; place[i] belongs to address[i].
 * Ownership:  all texts and frames live in NAMES.
 * Errors:     0, or -1 with words: there is no DWARF to read.  Units without code at the addresses
 *             are skipped.
 */
#ifndef CAB_DWARF_PLACES_H
#define CAB_DWARF_PLACES_H

#include <stdint.h>
#include "analyses/base/names.h"
#include "cabprof/analysis.h"

struct cab_dwarf_frame
{
  const char *function;         /* assembler name; "" unknown */
  const char *file;             /* where it is declared; "" unknown */
  uint32_t line;
  const char *at_file;          /* where in it the address is; "" unknown */
  uint32_t at_line;
};

struct cab_dwarf_place
{
  const char *file;             /* null: no row covers the address */
  uint32_t line, column, discriminator;
  uint32_t n_frames;
  struct cab_dwarf_frame *frames;
};

/* Set PLACE for the N addresses at ADDRESS in the program or library PATH. */
int cab_dwarf_places (const char *path, const uint64_t *address, uint32_t n,
		      struct cab_dwarf_place *place, struct cab_names *names,
		      struct cab_diag *diag);

#endif
