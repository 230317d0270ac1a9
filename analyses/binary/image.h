/* image.h - the addresses of an ELF program or library: segments, functions, variables, build id.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      64-bit little-endian ELF; no field is trusted.  Symbols are the functions of .symtab,
 *             or of .dynsym where that was stripped; objects are the variables there that have a
 *             size.  Of several at one address the first global one is kept.
 * Ownership:  the image owns its bytes and names until cab_image_close.
 * Errors:     0, or negative with words.
 */
#ifndef CAB_IMAGE_H
#define CAB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyses/binary/elf_file.h"
#include "cabprof/analysis.h"

struct cab_image_symbol
{
  uint64_t address, bytes;
  const char *name;
  bool global;
  uint64_t most_bytes;             /* from its address to the end of its section */
};

/* The prefix of the names of the sections that hold cabprof's runtime in a statically linked
   program (rt/rt.mk). */
#define CAB_IMAGE_RUNTIME "cabprof_text"
#define CAB_IMAGE_RUNTIME_MOST 4

struct cab_image
{
  struct cab_elf file;
  char build_id[129];              /* hex; "" none */
  bool stripped;                   /* no .symtab */
  bool fixed;                      /* not position independent: loaded at its link-time addresses */
  unsigned n_runtime;
  struct { uint64_t start, end; } runtime[CAB_IMAGE_RUNTIME_MOST];
  size_t n_symbols;
  struct cab_image_symbol *symbols;   /* sorted by address */
  size_t n_objects;
  struct cab_image_symbol *objects;   /* sorted by address */
};

int cab_image_open (struct cab_image *image, const char *path, struct cab_diag *diag);
void cab_image_close (struct cab_image *image);

/* Set *ADDRESS to the link-time address of the byte at OFFSET of the file.  Return false if that
   byte is not loaded. */
bool cab_image_address (const struct cab_image *image, uint64_t offset, uint64_t *address);

/* Set *ADDRESS to the link-time address of the first byte of a mapping that begins at OFFSET of the
   file, a whole number of pages; it may precede its segment, as the kernel maps whole pages.
   Return false if no segment is mapped so. */
bool cab_image_mapped (const struct cab_image *image, uint64_t offset, uint64_t *address);
/* Return true if the byte at ADDRESS is one of a segment's, in the file or zeros behind it. */
bool cab_image_holds (const struct cab_image *image, uint64_t address);
/* Return the name of the section at ADDRESS, or "". */
const char *cab_image_section (const struct cab_image *image, uint64_t address);

/* Return true if the name of any section begins with PREFIX. */
bool cab_image_has_sections (const struct cab_image *image, const char *prefix);

/* Return true if the code at ADDRESS is cabprof's own. */
bool cab_image_is_runtime (const struct cab_image *image, uint64_t address);

/* Return the function at ADDRESS, or null. */
const struct cab_image_symbol *cab_image_symbol (const struct cab_image *image, uint64_t address);
/* Return the variable at ADDRESS, or null. */
const struct cab_image_symbol *cab_image_object (const struct cab_image *image, uint64_t address);

#endif
