/* data_place.c - see data_place.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/sample/data_place.h"
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

#define HEAP_AWAY (UINT64_C (2) << 30)    /* the heap begins at most so far behind the program */

struct cab_data_module
{
  enum { UNSEEN, OPEN, CLOSED } state;
  struct cab_image image;
};

void
cab_data_places_init (struct cab_data_places *places)
{
  *places = (struct cab_data_places) { .n_modules = 0 };
  cab_maps_init (&places->maps);
  places->maps.all = true;
}

void
cab_data_places_fini (struct cab_data_places *places)
{
  for (uint32_t i = 0; i < places->n_modules; i++)
    if (places->modules[i].state == OPEN)
      cab_image_close (&places->modules[i].image);
  free (places->modules);
  cab_maps_fini (&places->maps);
}

static bool
is_file (const char *name)
{
  return *name == '/' && name[1] != '/';
}

static bool
is_stack (const char *name)
{
  return !strncmp (name, "[stack", 6);
}

static bool
is_anonymous (const char *name)
{
  return !strcmp (name, "//anon");
}

void
cab_data_places_map (struct cab_data_places *places, uint32_t pid, uint64_t start, uint64_t bytes,
		     uint64_t offset, const char *name)
{
  struct cab_maps *maps = &places->maps;
  uint64_t end = bytes > UINT64_MAX - start ? UINT64_MAX : start + bytes;
  if (!is_anonymous (name))
    cab_maps_add (maps, pid, start, bytes, offset, name);
  while (is_anonymous (name) && start < end)
    {
      uint32_t below;
      const struct cab_mapping *m = cab_maps_from (maps, pid, start, &below);
      bool inside = m && m->start <= start;
      uint64_t next = !m ? end : inside ? m->end : m->start;
      next = next < end ? next : end;
      if (!inside || !is_anonymous (maps->files[m->file].path))
	cab_maps_add (maps, pid, start, next - start, 0, name);
      start = next;
    }
}

/* Return the image of FILE, or null if it is no program and no library. */
static const struct cab_image *
image_of (struct cab_data_places *places, uint32_t file)
{
  struct cab_diag diag;
  uint32_t n = places->n_modules;
  if (file >= n)
    {
      places->n_modules = places->maps.n_files;
      places->modules = XRESIZEVEC (struct cab_data_module, places->modules, places->n_modules);
      memset (places->modules + n, 0, (places->n_modules - n) * sizeof *places->modules);
    }
  struct cab_data_module *m = &places->modules[file];
  const char *path = places->maps.files[file].path;
  if (m->state == UNSEEN)
    m->state = is_file (path) && cab_image_open (&m->image, path, &diag) == 0 ? OPEN : CLOSED;
  return m->state == OPEN ? &m->image : NULL;
}

/* Set PLACE if ADDRESS belongs to the module that is mapped at MAPPING. */
static bool
in_module (struct cab_data_places *places, const struct cab_mapping *mapping, uint64_t address,
	   struct cab_data_place *place)
{
  const struct cab_image *image = image_of (places, mapping->file);
  uint64_t first;
  if (!image || !cab_image_mapped (image, mapping->offset, &first)
      || !cab_image_holds (image, first + (address - mapping->start)))
    return false;
  *place = (struct cab_data_place) { CAB_DATA_STATIC, places->maps.files[mapping->file].path,
				     first + (address - mapping->start) };
  return true;
}

/* Return the place of ADDRESS in the anonymous mapping M of process PID, of which BELOW mappings
   precede it in memory. */
static struct cab_data_place
in_anonymous (struct cab_data_places *places, uint32_t pid, const struct cab_mapping *m,
	      uint32_t below, uint64_t address, uint64_t stack)
{
  struct cab_data_place place = { .region = CAB_DATA_MAPPED };
  const struct cab_mapping *before = m;
  while (below && !is_file (places->maps.files[before->file].path))
    {
      before--;
      below--;
    }
  if (is_file (places->maps.files[before->file].path)
      && in_module (places, before, address, &place))
    return place;
  if (stack >= m->start && stack < m->end)
    place.region = CAB_DATA_STACK;
  else if (before->file == cab_maps_program (&places->maps, pid)
	   && m->start - before->end < HEAP_AWAY)
    place.region = CAB_DATA_HEAP;
  return place;
}

struct cab_data_place
cab_data_place (struct cab_data_places *places, uint32_t pid, uint64_t address, uint64_t stack)
{
  struct cab_data_place place = { .region = CAB_DATA_UNKNOWN };
  uint32_t below;
  const struct cab_mapping *m = cab_maps_from (&places->maps, pid, address, &below);
  const char *name = m ? places->maps.files[m->file].path : "";
  if (address >> 63)
    place.region = CAB_DATA_KERNEL;
  else if (is_stack (name))
    place.region = CAB_DATA_STACK;
  else if (!m || address < m->start)
    return place;
  else if (!strcmp (name, "[heap]"))
    place.region = CAB_DATA_HEAP;
  else if (!is_file (name))
    return in_anonymous (places, pid, m, below, address, stack);
  else if (!in_module (places, m, address, &place))
    place = (struct cab_data_place) { CAB_DATA_FILE, name, m->offset + (address - m->start) };
  return place;
}
