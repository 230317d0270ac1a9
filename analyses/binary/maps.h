/* maps.h - which file's bytes are mapped where, in each process, over time.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      fed with mappings, forks, execs and exits in their order, it returns the file and the
 *             offset of an address.  Names that are no file's ("//anon", "[heap]", "/memfd:...",
 *             ...) are dropped, "[vdso]" is kept; with `all' every name is kept, for maps of data.
 * Ownership:  file names live until cab_maps_fini.
 */
#ifndef CAB_MAPS_H
#define CAB_MAPS_H

#include <stdbool.h>
#include <stdint.h>

struct cab_mapping
{
  uint64_t start, end, offset;   /* offset in the file */
  uint32_t file;
};

struct cab_map_file
{
  char *path;
  uint64_t first_start, first_offset;   /* of its first mapping */
};

struct cab_map_process
{
  uint32_t pid, n, room;
  bool used;
  uint32_t program;                     /* the first file that was mapped, the one that was
					   executed, + 1; 0: none yet */
  struct cab_mapping *mappings;         /* sorted, disjoint */
};

struct cab_maps
{
  uint32_t n_files, room_files, n_processes, room_processes;
  struct cab_map_file *files;
  struct cab_map_process *processes;    /* a hash table keyed by pid */
  bool all;                             /* set by the caller after init */
};

#define CAB_MAPS_NO_FILE UINT32_MAX

void cab_maps_init (struct cab_maps *maps);
void cab_maps_fini (struct cab_maps *maps);

/* Map BYTES bytes at START of PID to the file PATH from OFFSET on, in place of what was mapped
   there. */
void cab_maps_add (struct cab_maps *maps, uint32_t pid, uint64_t start, uint64_t bytes,
		   uint64_t offset, const char *path);
/* Add the mapping in LINE of /proc/PID/maps, if it is one of code. */
void cab_maps_add_line (struct cab_maps *maps, uint32_t pid, const char *line);
/* Give PID the mappings of PARENT. */
void cab_maps_fork (struct cab_maps *maps, uint32_t pid, uint32_t parent);
/* Forget all mappings of PID, because it has called exec or has ended. */
void cab_maps_clear (struct cab_maps *maps, uint32_t pid);

/* Return the file at ADDRESS of PID, and set *OFFSET to the offset in it; CAB_MAPS_NO_FILE:
   none. */
uint32_t cab_maps_find (const struct cab_maps *maps, uint32_t pid, uint64_t address,
			uint64_t *offset);
/* Return the file that PID executes, or CAB_MAPS_NO_FILE if nothing was mapped. */
uint32_t cab_maps_program (const struct cab_maps *maps, uint32_t pid);
/* Return the mapping of PID that holds ADDRESS, or the next one above it, and set *BELOW to the
   number of mappings before it; null: there is none. */
const struct cab_mapping *cab_maps_from (const struct cab_maps *maps, uint32_t pid,
					 uint64_t address, uint32_t *below);

#endif
