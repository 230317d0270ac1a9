/* maps.h - which file's bytes lie where, in each process, at each moment.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      told of mappings, forks, execs and exits in their order, it says to which file and
 *             offset an address belongs.  Only mappings of code matter.  Names that are no file's
 *             ("//anon", "[heap]", "/memfd:...", ...) are forgotten, "[vdso]" is kept.
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
  struct cab_mapping *mappings;         /* sorted, disjoint */
};

struct cab_maps
{
  uint32_t n_files, room_files, n_processes, room_processes;
  struct cab_map_file *files;
  struct cab_map_process *processes;    /* a hash table by pid */
};

#define CAB_MAPS_NO_FILE UINT32_MAX

void cab_maps_init (struct cab_maps *maps);
void cab_maps_fini (struct cab_maps *maps);

void cab_maps_add (struct cab_maps *maps, uint32_t pid, uint64_t start, uint64_t bytes,
		   uint64_t offset, const char *path);
/* A line of /proc/PID/maps; what is no mapping of code is left out. */
void cab_maps_add_line (struct cab_maps *maps, uint32_t pid, const char *line);
void cab_maps_fork (struct cab_maps *maps, uint32_t pid, uint32_t parent);
/* Everything of PID is gone: exec or exit. */
void cab_maps_clear (struct cab_maps *maps, uint32_t pid);

/* The file at ADDRESS of PID, and where in it; CAB_MAPS_NO_FILE. */
uint32_t cab_maps_find (const struct cab_maps *maps, uint32_t pid, uint64_t address,
			uint64_t *offset);

#endif
