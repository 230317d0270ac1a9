/* elf_section.c - one section of an ELF file.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/binary/elf_section.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "analyses/base/diag.h"

#define MOST_BYTES (UINT64_C (1) << 32)
#define MOST_SECTIONS 0x100000u

struct file
{
  const char *path;
  int fd;
  uint64_t bytes;
  struct cab_diag *diag;
};

/* Return a copy of BYTES bytes at OFFSET with a NUL after them, or null with words in the
   diagnostic. */
static void *
piece (const struct file *file, uint64_t offset, uint64_t bytes)
{
  if (offset > file->bytes || bytes > file->bytes - offset || bytes > MOST_BYTES)
    {
      cab_refuse (file->path, file->diag,
		  "the ELF file refers to bytes past its end: it is cut off or damaged");
      return NULL;
    }
  char *copy = xmalloc (bytes + 1);
  for (uint64_t done = 0; done < bytes;)
    {
      ssize_t n = pread (file->fd, copy + done, bytes - done, offset + done);
      if (n > 0)
	done += n;
      else if (n == 0 || errno != EINTR)
	{
	  cab_refuse (file->path, file->diag, "%s: check the disk",
		      n ? strerror (errno) : "the file became shorter");
	  free (copy);
	  return NULL;
	}
    }
  copy[bytes] = 0;
  return copy;
}

static bool
is_elf (const struct file *file, const Elf64_Ehdr *h)
{
  if (h && !memcmp (h->e_ident, ELFMAG, SELFMAG) && h->e_ident[EI_CLASS] == ELFCLASS64
      && h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_shentsize == sizeof (Elf64_Shdr))
    return true;
  cab_refuse (file->path, file->diag,
	      "is no 64-bit ELF file: name an object, a program or a library");
  return false;
}

/* Return the section table, *N entries, and in *NAMES the index of the section of names.  A count
   of more than 65,279 is in the first entry. */
static Elf64_Shdr *
sections (const struct file *file, const Elf64_Ehdr *h, uint32_t *n, uint32_t *names)
{
  Elf64_Shdr *first = h->e_shoff ? piece (file, h->e_shoff, sizeof *first) : NULL;
  if (!first)
    return NULL;
  *n = h->e_shnum ? h->e_shnum : first->sh_size > MOST_SECTIONS ? MOST_SECTIONS : first->sh_size;
  *names = h->e_shstrndx == SHN_XINDEX ? first->sh_link : h->e_shstrndx;
  free (first);
  return piece (file, h->e_shoff, *n * sizeof *first);
}

static char *
find (const struct file *file, const Elf64_Shdr *table, uint32_t n, const char *strings,
      uint64_t n_strings, const char *name, size_t *bytes)
{
  char *all = NULL;
  *bytes = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      if (table[i].sh_name >= n_strings || strcmp (strings + table[i].sh_name, name)
	  || table[i].sh_type == SHT_NOBITS)
	continue;
      char *one = piece (file, table[i].sh_offset, table[i].sh_size);
      if (!one)
	{
	  free (all);
	  return NULL;
	}
      all = xrealloc (all, *bytes + table[i].sh_size + 1);
      memcpy (all + *bytes, one, table[i].sh_size + 1);
      *bytes += table[i].sh_size;
      free (one);
    }
  if (!all)
    cab_refuse (file->path, file->diag, "has no section %s: compile it with -fplugin=cabprof",
		name);
  return all;
}

static char *
read_section (const struct file *file, const char *name, size_t *bytes)
{
  uint32_t n = 0, names = 0;
  char *result = NULL, *strings = NULL;
  Elf64_Ehdr *h = file->bytes < sizeof *h ? NULL : piece (file, 0, sizeof *h);
  Elf64_Shdr *table = is_elf (file, h) ? sections (file, h, &n, &names) : NULL;
  if (table && names < n)
    strings = piece (file, table[names].sh_offset, table[names].sh_size);
  else if (h && table)
    cab_refuse (file->path, file->diag, "has no names of sections: it is damaged");
  else if (h && !h->e_shoff)
    cab_refuse (file->path, file->diag, "has no sections: it was stripped of them");
  if (strings)
    result = find (file, table, n, strings, table[names].sh_size, name, bytes);
  free (strings);
  free (table);
  free (h);
  return result;
}

char *
cab_elf_section (const char *path, const char *name, size_t *bytes, struct cab_diag *diag)
{
  struct stat st;
  struct file file = { path, open (path, O_RDONLY | O_CLOEXEC), 0, diag };
  char *result = NULL;
  if (file.fd < 0 || fstat (file.fd, &st) < 0)
    cab_refuse (path, diag, "%s: check its name and permissions", strerror (errno));
  else if (!S_ISREG (st.st_mode))
    cab_refuse (path, diag, "is no file: name an object, a program or a library");
  else
    {
      file.bytes = st.st_size;
      result = read_section (&file, name, bytes);
    }
  if (file.fd >= 0)
    close (file.fd);
  return result;
}
