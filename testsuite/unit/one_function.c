/* one_function.c - see one_function.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "testsuite/unit/one_function.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

struct cab_regions *table;

static const struct cab_regions *
known (void *host, uint32_t fn)
{
  (void) host;
  return fn == FN ? table : NULL;
}

const struct cab_decode_records records = { .regions = known };

bool
parse (const char *text)
{
  size_t n = strlen (text) + 1, bytes = cab_regions_bytes (text, n);
  free (table);
  table = xmalloc (bytes);
  return cab_regions_parse (table, text, n, FIRST) == 0;
}

bool
begin (const char *text)
{
  struct cab_regions sizes;
  size_t bytes = cab_regions_measure (&sizes, text, strlen (text) + 1);
  free (table);
  table = xcalloc (1, bytes);
  return cab_regions_begin (table, &sizes, FIRST) == 0;
}

uint64_t
header (uint64_t fn, uint64_t region, uint64_t form, uint64_t n)
{
  return fn << CAB_EV_FN_SHIFT | region << CAB_EV_REGION_SHIFT | form << CAB_EV_ACCESS_FORM_SHIFT
       | n << CAB_EV_WORDS_SHIFT | CAB_EV_ACCESS;
}
