/* finish_records.c - see finish_records.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish_records.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"
#include "analyses/profile/info.h"

struct cab_finish_records
{
  struct cab_decode_records source;
  const struct cab_part *part;
  struct cab_info *info;                 /* by module */
  bool *asked;                           /* by module: it was opened, or the attempt failed */
  struct cab_regions **regions;          /* by function */
};

/* Return the records of MODULE, or null. */
static const struct cab_info *
info_of (struct cab_finish_records *records, uint32_t module)
{
  const struct cab_part *part = records->part;
  struct cab_diag diag;
  if (module >= part->header->n_modules)
    return NULL;
  struct cab_info *info = &records->info[module];
  if (!records->asked[module])
    {
      records->asked[module] = true;
      cab_info_open_module (info, part, module, &diag);
    }
  return info->path ? info : NULL;
}

static const struct cab_regions *
regions_of (void *host, uint32_t fn)
{
  struct cab_finish_records *records = host;
  if (fn > records->part->header->n_functions)
    return NULL;
  const struct cab_part_function *f = &records->part->functions[fn - 1];
  const struct cab_info *info = info_of (records, f->module);
  if (!info || f->info_offset >= info->bytes || info->text[f->info_offset] != CAB_INFO_MARK)
    return NULL;
  struct cab_regions **regions = &records->regions[fn - 1];
  if (!*regions)
    {
      const char *text = info->text + f->info_offset;
      struct cab_regions sizes;
      *regions = xcalloc (1, cab_regions_measure (&sizes, text, info->bytes - f->info_offset));
      if (cab_regions_begin (*regions, &sizes, f->first_access) < 0)
	**regions = (struct cab_regions) { 0 };
    }
  return (*regions)->n_regions + (*regions)->n_allocations && !f->first_access ? NULL : *regions;
}

struct cab_finish_records *
cab_finish_records_open (const struct cab_part *part)
{
  struct cab_finish_records *records = XCNEW (struct cab_finish_records);
  records->source = (struct cab_decode_records) { .regions = regions_of, .host = records };
  records->part = part;
  records->info = XCNEWVEC (struct cab_info, part->header->n_modules + 1);
  records->asked = XCNEWVEC (bool, part->header->n_modules + 1);
  records->regions = XCNEWVEC (struct cab_regions *, part->header->n_functions + 1);
  return records;
}

const struct cab_decode_records *
cab_finish_records_source (const struct cab_finish_records *records)
{
  return &records->source;
}

void
cab_finish_records_close (struct cab_finish_records *records)
{
  for (uint32_t i = 0; i < records->part->header->n_modules; i++)
    cab_info_close (&records->info[i]);
  for (uint32_t i = 0; i < records->part->header->n_functions; i++)
    free (records->regions[i]);
  free (records->info);
  free (records->asked);
  free (records->regions);
  free (records);
}
