/* loaded.h - the program and the libraries of a process, where they were loaded: which symbol is at
 * an address?
 *
 * Model:      images at their load biases; those that cannot be read are none of them.
 * Ownership:  the images are the struct's until cab_loaded_fini.
 * Errors:     0, or negative with words.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAB_LOADED_H
#define CAB_LOADED_H

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
int cab_loaded_add (struct cab_loaded *modules, const char *path, uint64_t load_bias,
		    struct cab_diag *diag);
/* The same, but a file that has a build id other than KEY was built anew: that is an error. */
int cab_loaded_add_built (struct cab_loaded *modules, const char *path, uint64_t load_bias,
			  const char *key, struct cab_diag *diag);
/* The object, a symbol with a size, that ADDRESS is in, and its module; or null. */
const struct cab_image_symbol *cab_loaded_object (const struct cab_loaded *modules,
						  uint64_t address,
						  const struct cab_loaded_image **module);

#endif
