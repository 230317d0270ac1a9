/* elf_file.c - see elf_file.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/elf_file.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Map the file PATH.  Return 0, or -1 with errno. */
static int
map_file (struct cab_elf *elf, const char *path)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return -1;
  void *bytes = MAP_FAILED;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size > 0)
    bytes = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  else
    errno = ENOEXEC;
  int error = errno;
  close (fd);
  errno = error;
  if (bytes == MAP_FAILED)
    return -1;
  elf->bytes = bytes;
  elf->n_bytes = st.st_size;
  return 0;
}

int
cab_elf_open (struct cab_elf *elf, const char *path)
{
  *elf = (struct cab_elf) { 0 };
  if (map_file (elf, path) < 0)
    return -1;
  elf_version (EV_CURRENT);
  elf->elf = elf_memory (elf->bytes, elf->n_bytes);
  GElf_Ehdr header;
  if (gelf_getehdr (elf->elf, &header) && header.e_ident[EI_CLASS] == ELFCLASS64
      && header.e_ident[EI_DATA] == ELFDATA2LSB)
    return 0;
  cab_elf_close (elf);
  errno = ENOEXEC;
  return -1;
}

void
cab_elf_close (struct cab_elf *elf)
{
  elf_end (elf->elf);
  if (elf->bytes)
    munmap (elf->bytes, elf->n_bytes);
  *elf = (struct cab_elf) { 0 };
}

const char *
cab_elf_section_name (const struct cab_elf *elf, Elf_Scn *section)
{
  size_t names;
  GElf_Shdr header;
  const char *name = gelf_getshdr (section, &header)
			 && elf_getshdrstrndx (elf->elf, &names) == 0
		     ? elf_strptr (elf->elf, names, header.sh_name)
		     : NULL;
  return name ? name : "";
}
