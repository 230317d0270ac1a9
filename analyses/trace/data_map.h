/* data_map.h - find the object that an address is in: a variable of a program or library, or a
 * block of memory.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a variable is a symbol of .symtab (.dynsym where that was stripped) that has a size,
 *             of a module at its load bias.  A block is what an allocation made, until it is
 *             released or another one begins there; it is identified by the number of the
 *             allocation, and by the calling context if the caller gives one: the blocks of one
 *             allocation are one object.  A block in a variable's memory takes precedence.
 *             Everything else is elsewhere (stacks, thread-local data, memory that no recorded call
 *             made): one object for each access in the code.
 * Threads:    events of one thread are given in their order; those of other threads may arrive
 *             late.  So an access that hits nothing waits: it belongs to the next block that
 *             another thread allocates there, if one does.
 * Ownership:  objects and names live as long as the map.
 * Errors:     0, or negative with words: a module that cannot be read has no variables.
 */
#ifndef CAB_DATA_MAP_H
#define CAB_DATA_MAP_H

#include <stdint.h>
#include "cabprof/analysis.h"

enum cab_data_kind
{
  CAB_DATA_VARIABLE,
  CAB_DATA_BLOCK,
  CAB_DATA_ELSEWHERE
};

struct cab_data_object
{
  enum cab_data_kind kind;
  const char *name;             /* variable: assembler name */
  const char *module;           /* variable: its program or library */
  const char *file, *type;      /* variable: where it is declared, and its type, from its debugging
				   information; "" unknown */
  uint32_t line;                /* 0 unknown */
  uint32_t site;                /* block: the allocation; elsewhere: the access */
  uint32_t node;                /* block: the context of the allocation */
  uint64_t bytes;               /* of the variable, or of all blocks of the allocation */
  uint64_t blocks;
  uint64_t reads, writes, accesses, moved;   /* moved: bytes read or written */
};

struct cab_data_access
{
  uint64_t address, bytes;
  uint32_t site, thread;
  unsigned form;                /* enum cab_row_form */
  uint32_t node;                /* of an allocation: its context; 0: it has none, or contexts are
				   not wanted */
};

struct cab_data_map;
struct cab_data_map *cab_data_map_new (void);
void cab_data_map_free (struct cab_data_map *map);

/* Add the variables of the program or library PATH, loaded at LOAD_BIAS. */
int cab_data_map_module (struct cab_data_map *map, const char *path, uint64_t load_bias,
			 struct cab_diag *diag);
/* Record the allocation of BLOCK: its address and bytes, the allocation, its context, and the
   thread. */
void cab_data_map_allocate (struct cab_data_map *map, const struct cab_data_access *block);
/* Forget the block that begins at START. */
void cab_data_map_release (struct cab_data_map *map, uint64_t start);
/* Count ACCESS for the object that it hits. */
void cab_data_map_access (struct cab_data_map *map, const struct cab_data_access *access);
/* Count accesses that still wait as elsewhere, since no more events follow. */
void cab_data_map_settle (struct cab_data_map *map);
/* Return the next object after *CURSOR, which is 0 at first, or null at the end. */
struct cab_data_object *cab_data_map_next (struct cab_data_map *map, uint32_t *cursor);

#endif
