/* cmd_layout_variables.c - see cmd_layout_variables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/cmd_layout_variables.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "command.h"
#include "loopfb/image.h"

struct module
{
  struct cab_image image;
  uint64_t load_bias;
};

struct cab_layout_modules
{
  const struct cab_rows_reader *reader;
  uint32_t process, n;
  struct module *items;
};

struct cab_layout_modules *
cab_layout_modules_new (const struct cab_rows_reader *reader)
{
  struct cab_layout_modules *modules = XCNEW (struct cab_layout_modules);
  modules->reader = reader;
  return modules;
}

void
cab_layout_modules_free (struct cab_layout_modules *modules)
{
  for (uint32_t i = 0; i < modules->n; i++)
    cab_image_close (&modules->items[i].image);
  free (modules->items);
  free (modules);
}

void
cab_layout_modules_of (struct cab_layout_modules *modules, uint32_t process)
{
  modules->process = process;
}

/* The modules that the trace has told of since the last time. */
static void
add_modules (struct cab_layout_modules *modules, const struct cab_trace_reader *packed)
{
  struct cab_diag diag;
  const struct cab_part *part = &packed->processes[modules->process - 1]->part;
  if (modules->n == part->header->n_modules)
    return;
  modules->items = XRESIZEVEC (struct module, modules->items, part->header->n_modules);
  for (; modules->n < part->header->n_modules; modules->n++)
    {
      const struct cab_part_module *from = &part->modules[modules->n];
      struct module *module = &modules->items[modules->n];
      *module = (struct module) { .load_bias = from->load_bias };
      if (cab_image_open (&module->image, cab_part_string (part, from->path), &diag) < 0)
	cab_say ("%s", diag.text);
    }
}

bool
cab_layout_modules_find (void *data, uint64_t address, uint64_t *start, uint64_t *bytes)
{
  struct cab_layout_modules *modules = data;
  const struct cab_trace_reader *packed = cab_source_packed (modules->reader);
  if (!packed || !modules->process)
    return false;
  add_modules (modules, packed);
  for (uint32_t i = 0; i < modules->n; i++)
    {
      const struct module *module = &modules->items[i];
      const struct cab_image_symbol *symbol = cab_image_object (&module->image, address - module->load_bias);
      if (!symbol)
	continue;
      *start = symbol->address + module->load_bias;
      *bytes = symbol->bytes;
      return true;
    }
  return false;
}
