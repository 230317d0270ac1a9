/* data_rows.h - sampled accesses to data: what was accessed, by which instruction.  Pure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source:     Schneider, 2009, 3.3.3, 4.2 and 4.3: data addresses of samples, by region of memory.
 * Model:      samples of the same row of what is known about them are added up.  Addresses are
 *             link-time addresses of their module; only variables of modules (CAB_DATA_STATIC) and
 *             files that the program maps (offsets) have one.  Levels of memory, `modified' and
 *             latencies are known for hardware events only.
 *             A block of the heap has the call that allocated it, its size, the offset of the
 *             datum (where it is small), and its age when it was accessed.
 * Units:      latencies in cycles, summed over the samples; ages in ns, rounded down.
 * Shapes:     after cab_data_settle the rows are sorted, and no two are the same.
 * Ownership:  cab_data_fini frees the rows; rows of zeros are an empty list.
 */
#ifndef CAB_DATA_ROWS_H
#define CAB_DATA_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#define CAB_DATA_NOWHERE UINT32_MAX    /* no module */
#define CAB_DATA_OFFSETS_UP_TO 4096    /* bytes of a block up to which offsets in it are kept:
					  those in larger ones would make too many rows */

enum cab_data_region
{
  CAB_DATA_STATIC,     /* in a segment of a program or library */
  CAB_DATA_HEAP,       /* in a block whose allocation was recorded, or what brk has given */
  CAB_DATA_STACK,      /* the mapping that holds the thread's stack pointer */
  CAB_DATA_FILE,       /* a file that the program has mapped */
  CAB_DATA_MAPPED,     /* other mappings, also of large blocks of malloc and its further arenas
			  where allocations were not recorded */
  CAB_DATA_KERNEL,
  CAB_DATA_UNKNOWN,    /* no mapping was seen there */
  CAB_DATA_REGIONS
};

/* Where an access was served. */
enum cab_data_level
{
  CAB_DATA_LEVEL_UNKNOWN,
  CAB_DATA_LEVEL_L1,
  CAB_DATA_LEVEL_FILL,     /* a line that was already on its way */
  CAB_DATA_LEVEL_L2,
  CAB_DATA_LEVEL_L3,
  CAB_DATA_LEVEL_MEMORY,
  CAB_DATA_LEVEL_REMOTE,   /* another socket's cache or memory */
  CAB_DATA_LEVELS
};

struct cab_data_row
{
  enum cab_data_region region;
  enum cab_data_level level;
  bool modified;                /* another core had changed the line */
  uint32_t module, code_module; /* CAB_DATA_NOWHERE: none; an instruction of the kernel has none */
  uint64_t address, code;       /* 0 if there is no module */
  uint64_t block_bytes;         /* size of the block that holds the datum; 0: not in a known block,
				   and then the next four are 0 */
  uint64_t block_offset, age_ns;
  uint32_t site_module;         /* CAB_DATA_NOWHERE: none */
  uint64_t site;                /* the call that allocated the block; 0 if there is no module */
  uint64_t n, weight, latency;
};

struct cab_data_rows
{
  uint32_t n, room;
  struct cab_data_row *row;
};

/* The names of regions, as reports and samples.json have them. */
extern const char *const cab_data_region_names[CAB_DATA_REGIONS];

void cab_data_add (struct cab_data_rows *rows, const struct cab_data_row *row);
/* What is known of the heap of a run whose allocations were recorded. */
struct cab_heap_sums
{
  bool recorded;
  uint64_t lost;                /* allocations and releases that the log had no room for */
  uint64_t no_log, after_log;   /* samples of the heap: of programs without a log; from when a
				   log was full */
};

/* Sort the rows, and add up those that are the same. */
void cab_data_settle (struct cab_data_rows *rows);
void cab_data_fini (struct cab_data_rows *rows);

/* Return the level of SOURCE, a perf_mem_data_src of the kernel, and set *MODIFIED. */
enum cab_data_level cab_data_level_of (uint64_t source, bool *modified);

#endif
