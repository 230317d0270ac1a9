/* regions.h - the regions of a function's code, out of its record: what the raw words of an ACCESS event stand for.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Source:     the R, A and M lines of include/cabprof/info.h.
 * Model:      pure.  The text of a record becomes one block of bytes without pointers: the regions, then the accesses, those of a region
 *             together and in program order.
 * Units:      words are the raw words of an event, 0-based; CAB_NO_WORD, one behind the last, stands for a word that is 0.
 * Ownership:  memory is the caller's.
 * Errors:     the text is hostile: what does not fit is refused, negative.  Records without such lines have an empty table.
 */
#ifndef CAB_REGIONS_H
#define CAB_REGIONS_H

#include <stddef.h>
#include <stdint.h>
#include "cabprof/event.h"

#define CAB_NO_WORD CAB_ACCESS_WORDS
#define CAB_REGION_PASSES_MAX (UINT64_C (1) << 36)   /* an event that tells more is none */

struct cab_region
{
  uint32_t first, n;          /* its accesses */
  uint8_t words, count;       /* raw words; number of the one that says how often, or CAB_NO_WORD */
};

/* In pass i its address is words[word] + offset + i * (words[step_word] + step), its length words[bytes_word] + bytes. */
struct cab_region_access
{
  uint64_t offset, step, bytes;
  uint32_t number;            /* in the function */
  uint16_t part;
  uint8_t form;               /* enum cab_row_form */
  uint8_t word, step_word, bytes_word;
};

struct cab_regions
{
  uint32_t n_regions, n_accesses, n_allocations, reserved;
};

static inline const struct cab_region_access *
cab_regions_accesses (const struct cab_regions *regions)
{
  return (const struct cab_region_access *) (regions + 1);
}

/* REGION is below n_regions. */
static inline const struct cab_region *
cab_regions_at (const struct cab_regions *regions, uint32_t region)
{
  return (const struct cab_region *) (cab_regions_accesses (regions) + regions->n_accesses) + region;
}

/* Bytes that the table of the record at TEXT takes, which ends at N bytes or at a NUL before. */
size_t cab_regions_bytes (const char *text, size_t n);
/* Make it, in so many bytes aligned to 8. */
int cab_regions_parse (struct cab_regions *to, const char *text, size_t n);

#endif
