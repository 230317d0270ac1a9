/* elf_section.c - one section of an ELF file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/elf_section.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"
#include "analyses/binary/elf_file.h"

/* Append the contents of SECTION to *ALL, which has *BYTES, and a NUL.  Return 0, or -1 if the file
   does not have them. */
static int
append (char **all, size_t *bytes, Elf_Scn *section)
{
  const Elf_Data *data = elf_rawdata (section, NULL);
  if (!data || (!data->d_buf && data->d_size))
    return -1;
  *all = xrealloc (*all, *bytes + data->d_size + 1);
  if (data->d_size)
    memcpy (*all + *bytes, data->d_buf, data->d_size);
  *bytes += data->d_size;
  (*all)[*bytes] = 0;
  return 0;
}

/* Return the contents of all sections NAME of ELF, or null with words in DIAG. */
static char *
read_sections (const struct cab_elf *elf, const char *path, const char *name, size_t *bytes,
	       struct cab_diag *diag)
{
  char *all = NULL;
  *bytes = 0;
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf->elf, section));)
    {
      GElf_Shdr header;
      if (!gelf_getshdr (section, &header) || header.sh_type == SHT_NOBITS
	  || strcmp (cab_elf_section_name (elf, section), name))
	continue;
      if (append (&all, bytes, section) < 0)
	{
	  free (all);
	  cab_refuse (path, diag,
		      "the ELF file refers to bytes past its end: it is cut off or damaged");
	  return NULL;
	}
    }
  if (!all)
    cab_refuse (path, diag, "has no section %s: compile it with -fplugin=cabprof", name);
  return all;
}

/* Return why ELF has no sections that can be looked for, or null if it has. */
static const char *
lacks_sections (const struct cab_elf *elf)
{
  size_t n, names;
  GElf_Ehdr header;
  if (!gelf_getehdr (elf->elf, &header)->e_shoff)
    return "has no sections: it was stripped of them";
  if (elf_getshdrnum (elf->elf, &n) < 0 || !n)
    return "the ELF file refers to bytes past its end: it is cut off or damaged";
  if (elf_getshdrstrndx (elf->elf, &names) < 0 || !names || names >= n)
    return "has no names of sections: it is damaged";
  return NULL;
}

char *
cab_elf_section (const char *path, const char *name, size_t *bytes, struct cab_diag *diag)
{
  struct cab_elf elf;
  if (cab_elf_open (&elf, path) < 0)
    {
      if (errno == ENOEXEC)
	cab_refuse (path, diag, "is no 64-bit ELF file: name an object, a program or a library");
      else
	cab_refuse (path, diag, "%s: check its name and permissions", strerror (errno));
      return NULL;
    }
  const char *lacks = lacks_sections (&elf);
  if (lacks)
    cab_refuse (path, diag, "%s", lacks);
  char *result = lacks ? NULL : read_sections (&elf, path, name, bytes, diag);
  cab_elf_close (&elf);
  return result;
}

bool
cab_elf_is_data (const char *path)
{
  struct cab_elf elf;
  bool has_code = false;
  if (cab_elf_open (&elf, path) < 0)
    return false;
  bool lacks = lacks_sections (&elf) != NULL;
  for (Elf_Scn *section = NULL; !lacks && !has_code
				&& (section = elf_nextscn (elf.elf, section));)
    {
      GElf_Shdr header;
      has_code = !gelf_getshdr (section, &header)
		 || (header.sh_flags & SHF_EXECINSTR && header.sh_size);
    }
  cab_elf_close (&elf);
  return !lacks && !has_code;
}
