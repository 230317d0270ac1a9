/* heap_sites.h - find the blocks of sampled addresses of the heap, over the processes of a run.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      fed, in the order of their times, with forks, execs and the samples that may be in a
 *             block.  These wait until their process executes another program, or until the end:
 *             then its log is complete, and its mappings, by which sites are found, still stand.
 * Units:      times in ns of CLOCK_MONOTONIC.
 * Ownership:  the directory's name is the caller's; cab_heap_sites_fini frees the rest.
 */
#ifndef CAB_HEAP_SITES_H
#define CAB_HEAP_SITES_H

#include <stdbool.h>
#include <stdint.h>
#include "loopfb/sample/data_rows.h"

struct cab_heap_image;

struct cab_heap_sites
{
  const char *directory;            /* of the logs; null: there are none, and nothing may be fed */
  struct cab_heap_image *images;    /* the programs that processes have executed, latest first */
  struct splay_tree_s *by_pid;      /* the one that a process executes */
};

/* A sample that waits; once its block is looked for, with its answer. */
struct cab_heap_sample
{
  struct cab_data_row row;
  uint64_t address, time;
  uint64_t site;                    /* the return address of the allocation; valid if
				       row.block_bytes is not 0 */
  enum { CAB_HEAP_ANSWERED, CAB_HEAP_NO_LOG, CAB_HEAP_AFTER_LOG } state;
};

void cab_heap_sites_init (struct cab_heap_sites *sites, const char *directory);
void cab_heap_sites_fini (struct cab_heap_sites *sites);

/* Process PID was forked from PARENT at TIME. */
void cab_heap_sites_fork (struct cab_heap_sites *sites, uint32_t pid, uint32_t parent,
			  uint64_t time);
/* Process PID has executed another program at TIME.  Its samples must have been taken before. */
void cab_heap_sites_exec (struct cab_heap_sites *sites, uint32_t pid, uint64_t time);
/* Let SAMPLE of process PID wait. */
void cab_heap_sites_add (struct cab_heap_sites *sites, uint32_t pid,
			 const struct cab_heap_sample *sample);

/* Answer the waiting samples of PID, whose log is complete up to TIME, and hand each to TAKE with
   HOST. */
void cab_heap_sites_take (struct cab_heap_sites *sites, uint32_t pid, uint64_t time,
			  void (*take) (void *host, uint32_t pid, struct cab_heap_sample *sample),
			  void *host);
/* Answer all waiting samples in the same way. */
void cab_heap_sites_take_all (struct cab_heap_sites *sites,
			      void (*take) (void *host, uint32_t pid,
					    struct cab_heap_sample *sample),
			      void *host);

#endif
