/* trace_process.c - see trace_process.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/trace/trace_process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"
#include "analyses/wire/regions.h"

#define COUNTER_AREAS_MAX 65536u

/* Return the records of the accesses of function FN. */
static const struct cab_regions *
regions_of (void *host, uint32_t fn)
{
  struct cab_trace_process *p = host;
  if (!fn || fn > p->part.header->n_functions)
    return NULL;
  const struct cab_part_function *f = &p->part.functions[fn - 1];
  const struct cab_info *info = f->module < p->n_info ? &p->info[f->module] : NULL;
  if (!info || !info->path || f->info_offset >= info->bytes
      || info->text[f->info_offset] != CAB_INFO_MARK)
    return NULL;
  if (fn > p->n_regions)
    {
      p->regions = XRESIZEVEC (struct cab_regions *, p->regions, p->part.header->n_functions);
      for (; p->n_regions < p->part.header->n_functions; p->n_regions++)
	p->regions[p->n_regions] = NULL;
    }
  struct cab_regions **regions = &p->regions[fn - 1];
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

struct cab_trace_process *
cab_trace_process_new (const char *path, uint32_t number)
{
  struct cab_trace_process *p = XCNEW (struct cab_trace_process);
  p->number = number;
  p->part.fd = -1;
  p->part.path = xasprintf ("%s, process %u", path, number);
  p->part.header = XCNEW (struct cab_part_header);
  p->part.strings = xcalloc (1, 1);
  p->records = (struct cab_decode_records) { .regions = regions_of, .host = p };
  return p;
}

void
cab_trace_process_free (struct cab_trace_process *p)
{
  for (uint32_t i = 0; i < p->n_info; i++)
    cab_info_close (&p->info[i]);
  for (uint32_t i = 0; i < p->n_regions; i++)
    free (p->regions[i]);
  for (uint32_t i = 0; i < p->n_counts; i++)
    free (p->counts[i].base);
  free (p->info);
  free (p->regions);
  free (p->counts);
  free (p->predictor);
  cab_part_close (&p->part);
  free (p);
}

/* Set the header's numbers of rows to what the tables have now. */
static void
count_rows (struct cab_trace_process *p)
{
  struct cab_part_header *h = p->part.header;
  h->n_modules = p->bytes[CAB_EXT_MODULES] / sizeof (struct cab_part_module);
  h->n_functions = p->bytes[CAB_EXT_FUNCTIONS] / sizeof (struct cab_part_function);
  h->n_threads = p->bytes[CAB_EXT_THREADS] / sizeof (struct cab_part_thread);
  h->n_extents = h->n_arenas = 0;
  p->part.strings_bytes = p->bytes[CAB_EXT_STRINGS];
}

int
cab_trace_process_header (struct cab_trace_process *p, const unsigned char *bytes, uint64_t n)
{
  struct cab_part_header *h = p->part.header;
  const struct cab_part_header *from = (const void *) bytes;
  if (n != CAB_TRACE_HEADER_BYTES || memcmp (from->magic, CAB_PART_MAGIC, sizeof from->magic)
      || from->version < CAB_PART_FRONT_VERSION || from->version > CAB_PART_VERSION
      || from->byte_order != CAB_PART_BYTE_ORDER)
    return -1;
  if (h->pid && (h->pid != from->pid || h->start_realtime_ns != from->start_realtime_ns))
    return -1;
  memcpy (h, bytes, n);
  count_rows (p);
  free (p->predictor);
  p->predictor = NULL;
  return 0;
}

/* Copy N bytes to offset AT of *BASE, which has *HAD bytes, grow it if needed, and put a zero after
   it. */
static int
put (void *base, uint64_t *had, uint64_t at, const unsigned char *bytes, uint64_t n)
{
  unsigned char **to = base;
  if (at > *had || n > CAB_TRACE_FRAME_MAX || at + n > CAB_TRACE_FRAME_MAX)
    return -1;
  if (at + n > *had || !*to)
    *to = xrealloc (*to, at + n + 1);
  if (n)
    memcpy (*to + at, bytes, n);
  if (at + n > *had)
    *had = at + n;
  (*to)[*had] = 0;
  return 0;
}

static int
check_functions (const struct cab_trace_process *p)
{
  for (uint32_t i = 0; i < p->part.header->n_functions; i++)
    {
      const struct cab_part_function *f = &p->part.functions[i];
      if ((f->module >= p->part.header->n_modules && f->module != UINT32_MAX)
	  || f->count_offset % 8)
	return -1;
    }
  return 0;
}

static int
put_counts (struct cab_trace_process *p, const struct cab_trace_frame *f,
	    const unsigned char *bytes)
{
  struct cab_trace_counts *c = p->counts;
  while (c < p->counts + p->n_counts && c->owner != f->owner)
    c++;
  if (c == p->counts + p->n_counts)
    {
      if (p->n_counts == COUNTER_AREAS_MAX)
	return -1;
      p->counts = XRESIZEVEC (struct cab_trace_counts, p->counts, p->n_counts + 1);
      c = &p->counts[p->n_counts++];
      *c = (struct cab_trace_counts) { .owner = f->owner };
    }
  return put (&c->base, &c->bytes, f->at, bytes, f->bytes);
}

int
cab_trace_process_table (struct cab_trace_process *p, const struct cab_trace_frame *f,
			 const unsigned char *bytes)
{
  void *tables[] = { NULL, &p->part.strings, &p->part.modules, &p->part.functions,
		     &p->part.threads };
  if (f->table == CAB_EXT_COUNTS)
    return put_counts (p, f, bytes);
  if (!f->table || f->table >= ARRAY_SIZE (tables)
      || put (tables[f->table], &p->bytes[f->table], f->at, bytes, f->bytes) < 0)
    return -1;
  count_rows (p);
  return f->table == CAB_EXT_FUNCTIONS ? check_functions (p) : 0;
}

int
cab_trace_process_records (struct cab_trace_process *p, uint32_t module, const unsigned char *bytes,
			   uint64_t n)
{
  if (module >= p->part.header->n_modules)
    return -1;
  if (module >= p->n_info)
    {
      p->info = XRESIZEVEC (struct cab_info, p->info, module + 1);
      memset (p->info + p->n_info, 0, (module + 1 - p->n_info) * sizeof *p->info);
      p->n_info = module + 1;
    }
  struct cab_info *info = &p->info[module];
  if (info->path)
    return 0;   /* a process that begins again sends the same records */
  info->path = xasprintf ("%s, records of module %u", p->part.path, module);
  info->text = xmalloc (n + 1);
  memcpy (info->text, bytes, n);
  info->text[n] = 0;
  info->bytes = n;
  cab_names_init (&info->names);
  return 0;
}
