/* elf_section.h - one section of an ELF file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      64-bit little-endian ELF, as the runtime profiles; every field is hostile.
 * Ownership:  the bytes are the caller's (free); a NUL stands behind them.
 */
#ifndef CAB_ELF_SECTION_H
#define CAB_ELF_SECTION_H

#include <stddef.h>
#include "cabprof/analysis.h"

/* *BYTES and the contents of section NAME of the file PATH, all sections of that name behind each
   other.  Null: no such section or no such file, with words. */
char *cab_elf_section (const char *path, const char *name, size_t *bytes, struct cab_diag *diag);

#endif
