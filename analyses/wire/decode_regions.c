/* decode_regions.c - see decode_regions.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/decode_regions.h"

#include <string.h>

static inline struct cab_decode_known *
place_of (struct cab_decode *d, uint32_t fn)
{
  return &d->known[fn & (CAB_DECODE_KNOWN - 1)];
}

const struct cab_regions *
cab_decode_regions_of (struct cab_decode *d, uint32_t fn)
{
  struct cab_decode_known *known = place_of (d, fn);
  if (fn != known->fn)
    {
      known->regions = d->records->regions (d->records->host, fn);
      known->fn = fn;
    }
  return known->regions;
}

void
cab_decode_turn_to (struct cab_decode *d, const struct cab_decode_records *records)
{
  if (d->records != records)
    {
      memset (d->seen, 0, sizeof d->seen);
      memset (d->counted, 0, sizeof d->counted);
    }
  memset (d->known, 0, sizeof d->known);
  d->records = records;
}

const struct cab_region *
cab_decode_read_region (struct cab_decode *d, const struct cab_regions *regions, uint32_t number)
{
  return d->records->read ? d->records->read (d->records->host, regions, number)
			  : cab_regions_read (regions, number);
}

const struct cab_region *
cab_decode_see_region (struct cab_decode *d, uint64_t header)
{
  /* Other kinds have other fields in the place of the function: a number that does not exist yet
     would be kept as unknown. */
  const struct cab_region *r = cab_ev_kind (header) == CAB_EV_ACCESS
			       ? cab_decode_region_of (d, header)
			       : NULL;
  if (!r
      || (r->told != (header & CAB_DECODE_LOW_BITS) && r->ranged != (header & CAB_DECODE_LOW_BITS)))
    return NULL;
  d->seen[cab_decode_place_in (CAB_DECODE_SEEN, header)] = (struct cab_decode_seen) { header, r };
  return r;
}
