/* elf_file.h - an ELF file, opened for libelf.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      64-bit little-endian ELF, as the runtime profiles.  The file is mapped, so that
 *             libelf copies nothing that it need not; it checks offsets and lengths, and hands out
 *             no bytes past the end of the file.  Structures may be unaligned there: copy them by
 *             the functions of gelf.h.
 * Ownership:  what libelf hands out is valid until cab_elf_close.
 */
#ifndef CAB_ELF_FILE_H
#define CAB_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <gelf.h>

struct cab_elf
{
  char *bytes;             /* the file, mapped */
  size_t n_bytes;
  Elf *elf;
};

/* Open the file PATH.  Return 0, or -1 with errno, which is ENOEXEC if the file is no 64-bit ELF
   file.  ELF may be closed in either case. */
int cab_elf_open (struct cab_elf *elf, const char *path);
void cab_elf_close (struct cab_elf *elf);

/* Return the name of SECTION, "" if it has none. */
const char *cab_elf_section_name (const struct cab_elf *elf, Elf_Scn *section);

#endif
