/* timeline_latency.c - see timeline_latency.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/timeline/timeline_latency.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>

#define WITHIN (1u << CAB_LATENCY_WITHIN_LOG2)

static unsigned
bucket_of (uint64_t ns)
{
  if (ns < WITHIN)
    return ns;
  unsigned log2 = 63 - __builtin_clzll (ns), shift = log2 - CAB_LATENCY_WITHIN_LOG2;
  return (shift + 1) * WITHIN + (ns >> shift) - WITHIN;
}

uint64_t
cab_latency_from (unsigned i)
{
  unsigned shift = i / WITHIN;
  return shift ? (uint64_t) (WITHIN + i % WITHIN) << (shift - 1) : i;
}

void
cab_latency_add (struct cab_latency *latency, const struct cab_timed *span, bool outermost)
{
  uint64_t ns = span->end_ns - span->begin_ns;
  latency->n++;
  latency->total += outermost ? ns : 0;
  latency->self += span->self_ns;
  latency->left += span->how == CAB_SPAN_LEFT;
  if (span->how == CAB_SPAN_OPEN || span->how == CAB_SPAN_BEFORE)
    {
      latency->unbounded++;
      return;
    }
  if (!latency->buckets)
    latency->buckets = XCNEWVEC (uint32_t, CAB_LATENCY_BUCKETS);
  uint32_t *bucket = &latency->buckets[bucket_of (ns)];
  *bucket += *bucket != UINT32_MAX;
  latency->least = !latency->counted || ns < latency->least ? ns : latency->least;
  latency->most = ns > latency->most ? ns : latency->most;
  latency->counted++;
}

uint64_t
cab_latency_quantile (const struct cab_latency *latency, double q)
{
  uint64_t below = 0;
  if (!latency->counted)
    return UINT64_MAX;
  for (unsigned i = 0; latency->buckets && i + 1 < CAB_LATENCY_BUCKETS; i++)
    {
      below += latency->buckets[i];
      if (below >= q * latency->counted && below)
	{
	  uint64_t last = cab_latency_from (i + 1) - 1;
	  return last > latency->most ? latency->most
	       : last < latency->least ? latency->least
	       : last;
	}
    }
  return latency->most;
}

void
cab_latency_fini (struct cab_latency *latency)
{
  free (latency->buckets);
  latency->buckets = NULL;
}
