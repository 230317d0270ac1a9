/* cmd_layout_variables.c - see cmd_layout_variables.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_layout_variables.h"
#include <stdlib.h>
#include <libiberty/libiberty.h>
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/profile/process_images.h"

struct cab_layout_modules
{
  const struct cab_rows_reader *reader;
  uint32_t process, n_told;
  struct cab_loaded modules;
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
  cab_loaded_fini (&modules->modules);
  free (modules);
}

void
cab_layout_modules_of (struct cab_layout_modules *modules, uint32_t process)
{
  modules->process = process;
}

static int
add (void *modules, const char *path, uint64_t load_bias, struct cab_diag *diag)
{
  return cab_loaded_add (modules, path, load_bias, diag);
}

bool
cab_layout_modules_find (void *data, uint64_t address, uint64_t *start, uint64_t *bytes)
{
  struct cab_layout_modules *modules = data;
  const struct cab_loaded_image *module;
  if (!cab_source_packed (modules->reader) || !modules->process)
    return false;
  cab_trace_modules (modules->reader, modules->process, &modules->n_told, add, &modules->modules);
  const struct cab_image_symbol *symbol = cab_loaded_object (&modules->modules, address, &module);
  if (!symbol)
    return false;
  *start = symbol->address + module->load_bias;
  *bytes = symbol->bytes;
  return true;
}
