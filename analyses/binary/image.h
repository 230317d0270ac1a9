/* image.h - an ELF program or library, as far as addresses go: segments, functions, variables,
 * build id.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      64-bit little-endian ELF; every field is hostile.  Symbols are functions of .symtab,
 *             or of .dynsym where that was stripped, objects the variables there that have a size;
 *             of several at one address the first global one.
 * Ownership:  the image owns its bytes and names until cab_image_close.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_IMAGE_H
#define CAB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "cabprof/analysis.h"

struct cab_image_symbol
{
  uint64_t address, bytes;
  const char *name;
  bool global;
  uint64_t most_bytes;             /* up to the end of its section */
};

/* Sections of statically linked programs whose names begin so hold cabprof's runtime (rt/rt.mk). */
#define CAB_IMAGE_RUNTIME "cabprof_text"
#define CAB_IMAGE_RUNTIME_MOST 4

struct cab_image
{
  unsigned char *bytes;            /* the file, mapped */
  size_t n_bytes;
  char build_id[129];              /* hex; "" none */
  bool stripped;                   /* no .symtab */
  bool fixed;                      /* not position independent: it lies at its link-time
				      addresses */
  unsigned n_runtime;
  struct { uint64_t start, end; } runtime[CAB_IMAGE_RUNTIME_MOST];
  size_t n_symbols;
  struct cab_image_symbol *symbols;   /* by address */
  size_t n_objects;
  struct cab_image_symbol *objects;   /* likewise */
};

int cab_image_open (struct cab_image *image, const char *path, struct cab_diag *diag);
void cab_image_close (struct cab_image *image);

/* The link-time address of the byte at OFFSET of the file.  False: it is not loaded. */
bool cab_image_address (const struct cab_image *image, uint64_t offset, uint64_t *address);

/* Return true if the code at ADDRESS is cabprof's own. */
bool cab_image_is_runtime (const struct cab_image *image, uint64_t address);

/* The function at ADDRESS, or null. */
const struct cab_image_symbol *cab_image_symbol (const struct cab_image *image, uint64_t address);
/* The variable at ADDRESS, or null. */
const struct cab_image_symbol *cab_image_object (const struct cab_image *image, uint64_t address);

#endif
