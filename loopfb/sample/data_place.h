/* data_place.h - in which region of memory an address of data lies, and in which variable's
 * module.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      fed with all mappings of the processes, as cab_maps is, in the order of the samples.
 *             A variable without bytes in its file lies in an anonymous mapping behind those of its
 *             module; which one follows from the module's segments.  A stack is the mapping that
 *             holds the thread's stack pointer; the first thread's also grows below what was
 *             mapped at its start.  The kernel tells of an anonymous mapping together with its
 *             neighbours, with which it is merged, so what is known of these is kept.  It calls
 *             the heap so only when that has grown once more; before that, it is what lies above
 *             the program's own segments.
 * Ownership:  cab_data_places_fini frees the maps and closes the modules.
 * Errors:     a module that cannot be opened makes its variables part of a mapped file.
 */
#ifndef CAB_DATA_PLACE_H
#define CAB_DATA_PLACE_H

#include "analyses/binary/image.h"
#include "analyses/binary/maps.h"
#include "loopfb/sample/data_rows.h"

struct cab_data_module;

struct cab_data_places
{
  struct cab_maps maps;
  uint32_t n_modules;             /* of maps.files, those that were looked at */
  struct cab_data_module *modules;
};

/* Where a datum is. */
struct cab_data_place
{
  enum cab_data_region region;
  const char *path;               /* of its module or file; null: none; lives as long as the maps */
  uint64_t address;               /* link-time address; of a file: the offset */
};

void cab_data_places_init (struct cab_data_places *places);
void cab_data_places_fini (struct cab_data_places *places);

/* Map BYTES bytes at START of PID to NAME from OFFSET on. */
void cab_data_places_map (struct cab_data_places *places, uint32_t pid, uint64_t start,
			  uint64_t bytes, uint64_t offset, const char *name);

/* Return where ADDRESS of process PID is; STACK is the thread's stack pointer, 0 if unknown. */
struct cab_data_place cab_data_place (struct cab_data_places *places, uint32_t pid,
				      uint64_t address, uint64_t stack);

#endif
