/* collect.c - collect samples into rows.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/collect.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/binary/image.h"

void
cab_collect_begin (struct cab_collector *collector, struct cab_samples *samples)
{
  collector->samples = samples;
  cab_maps_init (&collector->maps);
  cab_data_places_init (&collector->places);
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
    if (s->data.row[i].code_module == number
	&& cab_image_address (&image, s->data.row[i].code, &address))
      s->data.row[i].code = address;
  cab_image_close (&image);
}

void
cab_collect_end (struct cab_collector *collector)
{
  for (uint32_t i = 0; i < collector->samples->n_modules; i++)
    link_module (collector, i);
  cab_samples_settle (collector->samples);
  cab_maps_fini (&collector->maps);
  cab_data_places_fini (&collector->places);
}
