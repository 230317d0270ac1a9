/* process_images.c - see process_images.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/process_images.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

void
cab_loaded_fini (struct cab_loaded *modules)
{
  for (uint32_t i = 0; i < modules->n; i++)
    {
      cab_image_close (&modules->items[i].image);
      free (modules->items[i].path);
    }
  free (modules->items);
}

int
cab_loaded_add (struct cab_loaded *modules, const char *path, uint64_t load_bias,
		struct cab_diag *diag)
{
  struct cab_loaded_image module = { .load_bias = load_bias };
  if (cab_image_open (&module.image, path, diag) < 0)
    return -1;
  module.path = xstrdup (path);
  modules->items = XRESIZEVEC (struct cab_loaded_image, modules->items, modules->n + 1);
  modules->items[modules->n++] = module;
  return 0;
}

int
cab_loaded_add_built (struct cab_loaded *modules, const char *path, uint64_t load_bias,
		      const char *key, struct cab_diag *diag)
{
  if (cab_loaded_add (modules, path, load_bias, diag) < 0)
    return -1;
  struct cab_loaded_image *last = &modules->items[modules->n - 1];
  if (!*last->image.build_id || !strcmp (last->image.build_id, key))
    return 0;
  snprintf (diag->text, sizeof diag->text, "%s: it was rebuilt since it ran", path);
  cab_image_close (&last->image);
  free (last->path);
  modules->n--;
  return -1;
}

const struct cab_image_symbol *
cab_loaded_object (const struct cab_loaded *modules, uint64_t address,
		   const struct cab_loaded_image **module)
{
  for (uint32_t i = 0; i < modules->n; i++)
    {
      const struct cab_image_symbol *symbol = cab_image_object (
	&modules->items[i].image, address - modules->items[i].load_bias);
      *module = &modules->items[i];
      if (symbol)
	return symbol;
    }
  return NULL;
}
