/* elf_section.h - one section of an ELF file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      64-bit little-endian ELF, as the runtime profiles; no field is trusted.
 * Ownership:  the bytes are the caller's (free); a NUL follows them.
 */
#ifndef CAB_ELF_SECTION_H
#define CAB_ELF_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include "cabprof/analysis.h"

/* Return the contents of section NAME of the file PATH, *BYTES long; all sections of that name are
   concatenated.  Return null, with words in DIAG, if there is no such section or file. */
char *cab_elf_section (const char *path, const char *name, size_t *bytes, struct cab_diag *diag);
/* Return true if the file PATH is ELF whose sections have no instruction. */
bool cab_elf_is_data (const char *path);

#endif
