/* collect.c - collect samples into rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/collect.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/image.h"
#include "loopfb/preload/heap_log.h"
#include "loopfb/sample/heap_history.h"

void
cab_collect_begin (struct cab_collector *collector, struct cab_samples *samples, const char *heap)
{
  collector->samples = samples;
  cab_maps_init (&collector->maps);
  cab_data_places_init (&collector->places);
  cab_heap_sites_init (&collector->heap, heap);
  samples->heap.recorded |= heap != NULL;
}

/* Add SAMPLE of process PID, whose block was looked for. */
static void
take_heap (void *host, uint32_t pid, struct cab_heap_sample *sample)
{
  struct cab_collector *collector = host;
  struct cab_samples *s = collector->samples;
  struct cab_data_row *row = &sample->row;
  bool heap = row->region == CAB_DATA_HEAP;
  s->heap.no_log += heap && sample->state == CAB_HEAP_NO_LOG;
  s->heap.after_log += heap && sample->state == CAB_HEAP_AFTER_LOG;
  if (row->block_bytes)
    {
      /* The call is before its return address. */
      uint64_t offset;
      uint32_t file = cab_maps_find (&collector->maps, pid, sample->site - 1, &offset);
      row->site_module = CAB_DATA_NOWHERE;
      if (file != CAB_MAPS_NO_FILE)
	{
	  row->site_module = cab_samples_module (s, collector->maps.files[file].path);
	  row->site = offset;
	}
    }
  cab_data_add (&s->data, row);
}

/* Add the samples of PID that wait, since its mappings end at TIME. */
static void
take_waiting (struct cab_collector *collector, uint32_t pid, uint64_t time)
{
  if (collector->heap.directory)
    cab_heap_sites_take (&collector->heap, pid, time, take_heap, collector);
}

void
cab_collect_fork (struct cab_collector *collector, uint32_t pid, uint32_t parent, uint64_t time)
{
  if (pid != parent)
    take_waiting (collector, pid, time);
  cab_maps_fork (&collector->maps, pid, parent);
  cab_maps_fork (&collector->places.maps, pid, parent);
  if (collector->heap.directory)
    cab_heap_sites_fork (&collector->heap, pid, parent, time);
}

void
cab_collect_exec (struct cab_collector *collector, uint32_t pid, uint64_t time)
{
  take_waiting (collector, pid, time);
  cab_maps_clear (&collector->maps, pid);
  cab_maps_clear (&collector->places.maps, pid);
  if (collector->heap.directory)
    cab_heap_sites_exec (&collector->heap, pid, time);
}

void
cab_collect_sample (struct cab_collector *collector, uint32_t pid, uint64_t address, uint64_t n,
		    uint64_t weight)
{
  struct cab_samples *s = collector->samples;
  uint64_t offset;
  uint32_t file = cab_maps_find (&collector->maps, pid, address, &offset);
  if (file != CAB_MAPS_NO_FILE)
    {
      cab_samples_add (s, cab_samples_module (s, collector->maps.files[file].path), offset, n,
		       weight);
      return;
    }
  s->n += n;
  s->weight += weight;
  s->unknown += n;
  s->unknown_weight += weight;
}

/* Return true if blocks of the heap may lie in REGION.  The kernel does not report mappings that
   mremap has moved. */
static bool
may_be_block (enum cab_data_region region)
{
  return region == CAB_DATA_HEAP || region == CAB_DATA_MAPPED || region == CAB_DATA_UNKNOWN;
}

/* Return true if PATH is the library that records allocations: what it accesses, and what the
   loader accesses in it, is nothing of the program's. */
static bool
is_recorder (const struct cab_collector *collector, const char *path)
{
  return collector->heap.directory && !strcmp (lbasename (path), CAB_HEAP_LIBRARY);
}

void
cab_collect_data (struct cab_collector *collector, uint32_t pid,
		  const struct cab_data_sample *sample)
{
  struct cab_samples *s = collector->samples;
  struct cab_data_place place = cab_data_place (&collector->places, pid, sample->address,
						sample->stack);
  struct cab_data_row row = { .region = place.region,
			      .module = CAB_DATA_NOWHERE,
			      .code_module = CAB_DATA_NOWHERE,
			      .n = 1,
			      .weight = sample->weight,
			      .latency = sample->latency };
  uint64_t offset;
  uint32_t file = sample->ip ? cab_maps_find (&collector->maps, pid, sample->ip, &offset)
			     : CAB_MAPS_NO_FILE;
  if ((file != CAB_MAPS_NO_FILE && is_recorder (collector, collector->maps.files[file].path))
      || (place.path && is_recorder (collector, place.path)))
    return;
  row.level = cab_data_level_of (sample->source, &row.modified);
  if (file != CAB_MAPS_NO_FILE)
    {
      row.code_module = cab_samples_module (s, collector->maps.files[file].path);
      row.code = offset;
    }
  if (place.path)
    {
      row.module = cab_samples_module (s, place.path);
      row.address = place.address;
    }
  if (collector->heap.directory && may_be_block (place.region))
    cab_heap_sites_add (&collector->heap, pid,
			&(struct cab_heap_sample) {
			  .row = row, .address = sample->address, .time = sample->time });
  else
    cab_data_add (&s->data, &row);
}

void
cab_collect_kernel (struct cab_collector *collector, uint64_t n, uint64_t weight)
{
  struct cab_samples *s = collector->samples;
  s->n += n;
  s->weight += weight;
  s->kernel += n;
  s->kernel_weight += weight;
}

static const struct cab_map_file *
file_called (const struct cab_maps *maps, const char *path)
{
  for (uint32_t i = 0; i < maps->n_files; i++)
    if (!strcmp (maps->files[i].path, path))
      return &maps->files[i];
  return NULL;
}

/* Convert the offsets of module NUMBER to addresses, if its file is there. */
static void
link_module (struct cab_collector *collector, uint32_t number)
{
  struct cab_samples *s = collector->samples;
  struct cab_sample_module *module = &s->modules[number];
  const struct cab_map_file *file = file_called (&collector->maps, module->path);
  struct cab_image image;
  struct cab_diag diag;
  uint64_t address;
  module->address_is_offset = true;
  if (cab_image_open (&image, module->path, &diag) < 0)
    return;
  module->address_is_offset = false;
  free (module->build_id);
  module->build_id = xstrdup (image.build_id);
  if (file && cab_image_address (&image, file->first_offset, &address))
    module->bias = file->first_start - address;
  for (uint32_t i = 0; i < s->n_addresses; i++)
    if (s->addresses[i].module == number
	&& cab_image_address (&image, s->addresses[i].address, &address))
      s->addresses[i].address = address;
  for (uint32_t i = 0; i < s->data.n; i++)
    {
      struct cab_data_row *row = &s->data.row[i];
      if (row->code_module == number && cab_image_address (&image, row->code, &address))
	row->code = address;
      if (row->block_bytes && row->site_module == number
	  && cab_image_address (&image, row->site, &address))
	row->site = address;
    }
  cab_image_close (&image);
}

void
cab_collect_end (struct cab_collector *collector)
{
  if (collector->heap.directory)
    {
      cab_heap_sites_take_all (&collector->heap, take_heap, collector);
      collector->samples->heap.lost += cab_heap_history_lost (collector->heap.directory);
    }
  for (uint32_t i = 0; i < collector->samples->n_modules; i++)
    link_module (collector, i);
  cab_samples_settle (collector->samples);
  cab_maps_fini (&collector->maps);
  cab_data_places_fini (&collector->places);
  cab_heap_sites_fini (&collector->heap);
}
