/* heap_log.h - what the preloaded recorder of allocations (heap.c) shares with cabprof: a log of
 * the blocks of each process.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a process maps one file after the other in the directory that CABPROF_HEAP names;
 *             each has a header and events.  The file is the memory, so it is whole however the
 *             process ends.  A block that is moved is a release and an allocation.  A forked child
 *             continues its parent's log, up to the time of the fork, with files of its own.
 * Shapes:     header in the first 4096 bytes, then n_room events, of which the first n were
 *             claimed (n may be greater than n_room).  Files of a process are called heap-PID-0,
 *             heap-PID-1, ..., over all programs that it executes.
 * Units:      times in ns of CLOCK_MONOTONIC, as samples of perf have them.
 * Bound:      CAB_HEAP_FILES files of one program, each four times as large as the one before:
 *             5,592,064 events.
 * Threads:    an event is claimed by an atomic addition to n, and is valid once its kind is not 0,
 *             which is stored last.  Events are in the order of their claims; by time they are so
 *             within a thread only.
 */
#ifndef CAB_HEAP_LOG_H
#define CAB_HEAP_LOG_H

#include <stdint.h>

#define CAB_HEAP_VARIABLE "CABPROF_HEAP"
#define CAB_HEAP_PREFIX "heap-"
#define CAB_HEAP_LIBRARY "libcabprof-heap.so"
#define CAB_HEAP_MAGIC UINT64_C (0x3150414548424143)   /* "CABHEAP1" */
#define CAB_HEAP_HEADER_BYTES 4096
#define CAB_HEAP_FIRST_EVENTS 1024
#define CAB_HEAP_FILES 7

struct cab_heap_header
{
  uint64_t magic;
  uint64_t pid, start;     /* start: when the file was made */
  uint64_t n_room, n;
  uint64_t lost;           /* events that found no room */
  uint64_t full;           /* the time of the first of them; 0: none */
  uint64_t own_allocator;  /* the program's malloc is not the C library's, nor called through us */
};

enum cab_heap_kind
{
  CAB_HEAP_ALLOCATED = 1,
  CAB_HEAP_RELEASED
};

struct cab_heap_event
{
  uint64_t time;           /* of an allocation and of a block's move: after it; of a release: before
			      it */
  uint64_t address, bytes;
  uint64_t site;           /* of an allocation: the return address of the call */
  uint32_t took_ns;        /* how long before `time' the call began, at most UINT32_MAX */
  uint32_t kind;
};

#endif
