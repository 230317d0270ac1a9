/* segment.h - what the preloaded sampler (sample.c) shares with cabprof: files of counted
 * addresses.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      a process maps one file after the other in the directory that CABPROF_SAMPLE names;
 *             each has this header, text that says which files were mapped where, and a hash table
 *             of addresses.  The file is the memory, so it is whole however the process ends. A
 *             segment that is full is followed by a larger one; samples that find no segment with
 *             room are lost, and counted.
 * Shapes:     header in the first 4096 bytes; CAB_SEGMENT_MAPS bytes of lines as in /proc/PID/maps;
 *             n_slots slots. Name of a file: PID-START-NUMBER.
 * Units:      ns of CPU time of a thread.
 * Threads:    slots are claimed by compare-and-swap of `address' and added to by atomic additions,
 *             by any thread and its signal handler.
 * Environment: CABPROF_SAMPLE=PERIOD_NS:SPREAD_NS:DIRECTORY.  A period is PERIOD_NS and a random
 *              part below SPREAD_NS.
 */
#ifndef CAB_SEGMENT_H
#define CAB_SEGMENT_H

#include <stdint.h>
#include "cabprof/sampler.h"

#define CAB_SEGMENT_VARIABLE CAB_SAMPLER_VARIABLE
#define CAB_SEGMENT_MAGIC UINT64_C (0x31474553424143)   /* "CABSEG1" */
#define CAB_SEGMENT_HEADER_BYTES 4096
#define CAB_SEGMENT_MAPS 65536
#define CAB_SEGMENT_SLOTS 8192
#define CAB_SEGMENT_MOST_SLOTS (CAB_SEGMENT_SLOTS << 8)

struct cab_segment
{
  uint64_t magic;
  uint64_t n_slots;
  uint64_t pid;
  uint64_t number;         /* 0, 1, ... within its process */
  uint64_t n, lost;        /* samples */
  uint64_t lost_ns;        /* their weight */
  uint64_t handler_ns;     /* time spent in the signal handler */
  uint64_t given_up;       /* the program took over the signal: from then on nothing is sampled */
  uint64_t maps_bytes;     /* bytes of valid text */
  uint64_t n_used;         /* used slots */
};

struct cab_segment_slot
{
  uint64_t address;        /* 0 if the slot is free */
  uint64_t n, ns;
};

#endif
