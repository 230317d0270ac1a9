/* sampler.h - the interface between a sampler in a process and the runtime there, which gives a
 * sample its place among the thread's events.
 *
 * Model:      the sampler (libcabprof-sample.so, preloaded by `cabprof record') exports a struct
 *             cab_sampler under the name CAB_SAMPLER_SYMBOL. The runtime looks for it when it
 *             starts, if CAB_SAMPLER_VARIABLE is in the environment, and sets `note' if its
 *             analyses want samples.
 * Threads:    `note' is set once and then called in any thread, by the signal handler that
 *             interrupted it, with all signals blocked.
 * Units:      ns of the thread's CPU time.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CABPROF_SAMPLER_H
#define CABPROF_SAMPLER_H

#include <stdint.h>

#define CAB_SAMPLER_SYMBOL "cabprof_sampler"
#define CAB_SAMPLER_VARIABLE "CABPROF_SAMPLE"
#define CAB_SAMPLER_ABI 1u

struct cab_sampler
{
  uint32_t abi;   /* CAB_SAMPLER_ABI */
  uint32_t bytes; /* sizeof (struct cab_sampler) */
  /* Record that this thread is at ADDRESS, NS after the sample before.  Return how much of NS is to
     be reported with the next one.  Null: samples are not wanted. */
  uint64_t (*note) (uint64_t address, uint64_t ns);
};

#endif
