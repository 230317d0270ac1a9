/* collect.h - how samples come together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a collector is told of mappings and of samples, in their order.  Until the end an
 *             address is an offset in its module's file; cab_collect_end makes link-time addresses
 *             of them, by the files' own segments, and sorts the rows.
 * Ownership:  the samples are the caller's.  begin, then end.
 */
#ifndef CAB_COLLECT_H
#define CAB_COLLECT_H

#include "analyses/binary/maps.h"
#include "loopfb/sample/sample.h"

struct cab_collector
{
  struct cab_samples *samples;
  struct cab_maps maps;
};

void cab_collect_begin (struct cab_collector *collector, struct cab_samples *samples);
/* N samples at ADDRESS of process PID. */
void cab_collect_sample (struct cab_collector *collector, uint32_t pid, uint64_t address,
			 uint64_t n, uint64_t weight);
void cab_collect_kernel (struct cab_collector *collector, uint64_t n, uint64_t weight);
void cab_collect_end (struct cab_collector *collector);

/* For those who know addresses already.  The module is made if it is not there. */
uint32_t cab_samples_module (struct cab_samples *samples, const char *path);
void cab_samples_add (struct cab_samples *samples, uint32_t module, uint64_t address, uint64_t n,
		      uint64_t weight);
/* Nothing more comes: sort rows, and drop what found them. */
void cab_samples_settle (struct cab_samples *samples);

#endif
