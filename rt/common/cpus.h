/* cpus.h - sets of processors, and which of them share a cache.
 *
 * Source:     Ha et al., CAB (OOPSLA 2009), 3.1.3: the analysis thread runs on a core that shares
 *             the nearest cache with the producer's.  The directories `cache' and `topology' of
 *             each processor in sysfs: Documentation/ABI/testing/sysfs-devices-system-cpu in the
 *             kernel's sources.
 * Model:      sets, and a choice among them, from files below a root that tests replace.  Only
 *             caches of data count.  A core is the set of processors that are its hardware threads.
 * Shapes:     processors 0 to CAB_CPUS_MOST - 1.  Texts are the kernel's lists, such as "0-3,8".
 * Threads:    no state.
 * Errors:     -1; the set is then undefined.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_CPUS_H
#define CAB_RT_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAB_CPUS_MOST 4096u
#define CAB_CPUS_ROOT "/sys/devices/system/cpu"

struct cab_cpus
{
  uint64_t word[CAB_CPUS_MOST / 64];
};

/* Where analysis threads run, as affinity= asks. */
enum cab_cpus_how
{
  CAB_AFFINITY_NONE,   /* wherever the kernel puts them */
  CAB_AFFINITY_NEAR,
  CAB_AFFINITY_FAR,
  CAB_AFFINITY_LIST
};

/* What a choice has found. */
enum cab_cpus_found
{
  CAB_CPUS_CHOSEN,
  CAB_CPUS_ONE,        /* only one processor is allowed */
  CAB_CPUS_ALIKE,      /* each other core is equally near */
  CAB_CPUS_UNTOLD      /* the kernel does not describe the caches */
};

/* Set SET from the list of N characters at TEXT, which may end with a newline.  Return 0, or -1 if
   it is none, or empty, or names a processor that is too high. */
int cab_cpus_parse (struct cab_cpus *set, const char *text, size_t n);
/* Write SET as a list to TEXT of BYTES bytes; what does not fit is left out. */
void cab_cpus_text (const struct cab_cpus *set, char *text, size_t bytes);
/* Return the number of processors in SET. */
uint32_t cab_cpus_count (const struct cab_cpus *set);
/* Return true if all of PART is in SET. */
bool cab_cpus_within (const struct cab_cpus *part, const struct cab_cpus *set);

/* Set ALLOWED to the processors that this thread may run on, by its mask and its control group.
   Return 0, or -1 if the kernel does not say. */
int cab_cpus_allowed (struct cab_cpus *allowed);

/* Set CHOSEN to processors of ALLOWED for an analysis thread whose producer is on processor CPU.
   NEAR: those that share the smallest cache with CPU that another core shares, without CPU's own
   core; where no other core shares any, the other hardware threads of CPU's core.  FAR: those that
   share no cache with CPU.  ROOT is CAB_CPUS_ROOT.  CHOSEN is undefined unless the result is
   CAB_CPUS_CHOSEN. */
enum cab_cpus_found cab_cpus_choose (enum cab_cpus_how how, const char *root, uint32_t cpu,
				     const struct cab_cpus *allowed, struct cab_cpus *chosen);

#endif
