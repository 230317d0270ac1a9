/* overhead.h - whether a run that reads a share of its events keeps to the overhead it may have.
 *
 * Model:      pure.  Overhead is processor time: of the analysis threads, and what it takes the
 *             program to store its events, over the program's time without these.  The latter is
 *             words times the time of one in a loop that does nothing else, since a run cannot
 *             tell a probe's time from its program's.  Reading less does not change it.
 *             Left out: what else probes do than store; lines of caches that travel; waiting.
 * Units:      ns; ps per word; overheads in millionths.
 * Threads:    any.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_OVERHEAD_H
#define CAB_RT_OVERHEAD_H

#include <stddef.h>
#include <stdint.h>

enum cab_overhead
{
  CAB_OVERHEAD_ROOM,       /* twice the analysis would fit, too */
  CAB_OVERHEAD_FULL,
  CAB_OVERHEAD_OVER,       /* it takes too much; reading less helps */
  CAB_OVERHEAD_FORBIDDEN   /* storing the events alone takes too much */
};

/* What was measured in a stretch of time. */
struct cab_overhead_terms
{
  uint64_t process_ns;    /* processor time of the process, analysis threads included */
  uint64_t analysis_ns;   /* of the analysis threads */
  uint64_t words;         /* that the program stored, at most 2^40 */
  uint32_t word_ps;       /* what storing one takes */
};

enum cab_overhead cab_overhead_judge (const struct cab_overhead_terms *terms, uint32_t target);
/* Return the overhead of storing the events alone. */
uint64_t cab_overhead_alone (const struct cab_overhead_terms *terms);
/* Write into OUT why TARGET is forbidden by TERMS, in BYTES bytes; 160 do. */
void cab_overhead_words (char *out, size_t bytes, const struct cab_overhead_terms *terms,
			 uint32_t target);

#endif
