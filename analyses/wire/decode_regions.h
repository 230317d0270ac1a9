/* decode_regions.h - find the region of an event, and the next event: how each way to decode
 * accesses begins.
 *
 * Source:     regions.h; rows of functions by number, out of the decoder's records.
 * Model:      a header that was seen once is recognized by one look-up, in a hash table.
 * Threads:    as the decoder.
 * Errors:     null: no such region, or its record cannot be read.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_DECODE_REGIONS_H
#define CAB_RT_DECODE_REGIONS_H

#include "analyses/wire/decode.h"

/* Return the regions of function FN; null if it is not known. */
const struct cab_regions *cab_decode_regions_of (struct cab_decode *d, uint32_t fn);

/* Read region NUMBER of REGIONS, which has not been read before. */
const struct cab_region *
cab_decode_read_region (struct cab_decode *d, const struct cab_regions *regions, uint32_t number);

/* Enter HEADER into the table and return its region, if its accesses are the same each time, or it
   is one pass with ranges.  For headers that are not in the table, or were replaced by another one
   of the same entry. */
const struct cab_region *cab_decode_see_region (struct cab_decode *d, uint64_t header);

#define CAB_DECODE_SPREAD UINT64_C (0x9e3779b97f4a7c15)

/* Return the entry of the header WORD in a table of N entries, a power of two. */
static inline uint32_t
cab_decode_place_in (uint32_t n, uint64_t word)
{
  return word * CAB_DECODE_SPREAD >> (64 - __builtin_ctz (n));
}

/* A header's low bits: its kind, and above it how many words follow. */
typedef uint16_t __attribute__ ((may_alias)) cab_decode_low_bits;
_Static_assert (CAB_EV_WORDS_SHIFT == 4 && CAB_EV_WORDS_MASK == 0xfff
		 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "as cab_decode_low_bits are");

/* Return the address after the ACCESS event at WORDS.  The next header's address depends on this
   header's load, and that latency is the cost of an event: so the low bits are loaded by
   themselves, and are, but for a shift, the bytes that follow. */
static inline const uint64_t *
cab_decode_behind (const uint64_t *words)
{
  uint64_t low = *(const volatile cab_decode_low_bits *) words;
  __asm__ ("" : "+r" (low));   /* otherwise gcc computes in 16 bits, which takes more steps */
  return (const uint64_t *) ((const char *) words + (low >> 1) + sizeof *words
			     - (CAB_EV_ACCESS >> 1));
}

#define CAB_DECODE_LOW_BITS ((1u << CAB_EV_REGION_SHIFT) - 1)

/* Return the region whose number HEADER has, which is one of REGIONS. */
static inline const struct cab_region *
cab_decode_region_in (struct cab_decode *d, const struct cab_regions *regions, uint64_t header)
{
  uint32_t number = cab_ev_region (header);
  if (number >= regions->n_regions)
    return NULL;
  const struct cab_region *r = cab_regions_at (regions, number);
  return __builtin_expect (r != NULL, 1) ? r : cab_decode_read_region (d, regions, number);
}

/* Return the region of HEADER, which is that of an ACCESS event; null if its function is not
   known. */
static inline const struct cab_region *
cab_decode_region_of (struct cab_decode *d, uint64_t header)
{
  const struct cab_regions *regions = d->records && cab_ev_fn (header)
				      ? cab_decode_regions_of (d, cab_ev_fn (header))
				      : NULL;
  return regions ? cab_decode_region_in (d, regions, header) : NULL;
}

/* Return the region of the event at WORDS, which have N words, if its accesses are the same each
   time, or one pass with ranges (regions.h); else null. */
static inline const struct cab_region *
cab_decode_told_region (struct cab_decode *d, const uint64_t *words, size_t n)
{
  const struct cab_decode_seen *seen = &d->seen[cab_decode_place_in (CAB_DECODE_SEEN, words[0])];
  const struct cab_region *r = seen->header == words[0] ? seen->region
							: cab_decode_see_region (d, words[0]);
  return cab_ev_words (words[0]) < n ? r : NULL;
}

#endif
