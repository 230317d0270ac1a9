/* process_images.h - the program and the libraries of a process at their addresses, to find the
 * symbol at an address.
 *
 * Model:      images at their load biases; those that cannot be read are not added.
 * Ownership:  the images are the struct's until cab_loaded_fini.
 * Errors:     0, or negative with words.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_PROCESS_IMAGES_H
#define CAB_PROCESS_IMAGES_H

#include "analyses/binary/image.h"

struct cab_loaded_image
{
  struct cab_image image;
  char *path;
  uint64_t load_bias;
};

struct cab_loaded
{
  struct cab_loaded_image *items;
  uint32_t n;
};

void cab_loaded_fini (struct cab_loaded *modules);
/* Add the image PATH, loaded at LOAD_BIAS. */
int cab_loaded_add (struct cab_loaded *modules, const char *path, uint64_t load_bias,
		    struct cab_diag *diag);
/* Add the image PATH like cab_loaded_add, but fail if its build id is not KEY, because it has been
   rebuilt. */
int cab_loaded_add_built (struct cab_loaded *modules, const char *path, uint64_t load_bias,
			  const char *key, struct cab_diag *diag);
/* Return the object, a symbol with a size, that contains ADDRESS, and set *MODULE to its module;
   null: there is none. */
const struct cab_image_symbol *cab_loaded_object (const struct cab_loaded *modules,
						  uint64_t address,
						  const struct cab_loaded_image **module);

#endif
