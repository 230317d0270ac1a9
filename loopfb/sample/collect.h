/* collect.h - collect samples into rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a collector receives mappings and samples, in their order.  Until the end an address
 *             is an offset in its module's file; cab_collect_end converts the offsets to link-time
 *             addresses, by the files' own segments, and sorts the rows.
 * Ownership:  the samples are the caller's.  Each begin needs an end.
 */
#ifndef CAB_COLLECT_H
#define CAB_COLLECT_H

#include "analyses/binary/maps.h"
#include "loopfb/sample/data_place.h"
#include "loopfb/sample/heap_sites.h"
#include "loopfb/sample/samples.h"

struct cab_collector
{
  struct cab_samples *samples;
  struct cab_maps maps;               /* of code */
  struct cab_data_places places;      /* of data */
  struct cab_heap_sites heap;
};

/* A sample that has an address of data. */
struct cab_data_sample
{
  uint64_t address, stack, weight;    /* stack: the thread's stack pointer, 0 if unknown */
  uint64_t time;                      /* CLOCK_MONOTONIC, where allocations are recorded */
  uint64_t ip;                        /* 0: in the kernel */
  uint64_t latency, source;           /* as the kernel has them; 0 if unknown */
};

/* Start to collect into SAMPLES.  HEAP is the directory with the logs of allocations, or null. */
void cab_collect_begin (struct cab_collector *collector, struct cab_samples *samples,
			const char *heap);
/* Process PID was forked from PARENT at TIME. */
void cab_collect_fork (struct cab_collector *collector, uint32_t pid, uint32_t parent,
		       uint64_t time);
/* Process PID has executed another program at TIME. */
void cab_collect_exec (struct cab_collector *collector, uint32_t pid, uint64_t time);
/* Add N samples of total WEIGHT at ADDRESS of process PID. */
void cab_collect_sample (struct cab_collector *collector, uint32_t pid, uint64_t address,
			 uint64_t n, uint64_t weight);
/* Add what SAMPLE of process PID accessed. */
void cab_collect_data (struct cab_collector *collector, uint32_t pid,
		       const struct cab_data_sample *sample);
/* Add N samples of total WEIGHT that were taken in the kernel. */
void cab_collect_kernel (struct cab_collector *collector, uint64_t n, uint64_t weight);
/* Convert offsets to link-time addresses, sort the rows, and free COLLECTOR. */
void cab_collect_end (struct cab_collector *collector);

#endif
