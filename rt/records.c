/* records.c - see records.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/records.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cabprof/info.h"
#include "rt/sys.h"
#include "rt/text.h"

static char buffer[65536];

struct elf
{
  int fd;
  uint64_t headers;   /* file offset of the section headers */
  uint64_t n, names;  /* how many; index of the string table with their names */
};

static int
read_at (int fd, void *to, size_t n, uint64_t at)
{
  return at <= INT64_MAX && pread (fd, to, n, at) == (ssize_t) n ? 0 : -ENOEXEC;
}

static int
read_section (const struct elf *elf, uint64_t i, Elf64_Shdr *section)
{
  if (i > UINT32_MAX)
    return -ENOEXEC;
  return read_at (elf->fd, section, sizeof *section, elf->headers + i * sizeof *section);
}

static int
open_elf (struct elf *elf, int fd)
{
  Elf64_Ehdr h;
  Elf64_Shdr first;
  if (read_at (fd, &h, sizeof h, 0) < 0 || memcmp (h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64
      || h.e_shoff == 0 || h.e_shoff > INT64_MAX / 2 || h.e_shentsize != sizeof (Elf64_Shdr))
    return -ENOEXEC;
  *elf = (struct elf) { fd, h.e_shoff, h.e_shnum, h.e_shstrndx };
  /* Files of very many sections keep these two numbers in section 0. */
  if (read_section (elf, 0, &first) < 0)
    return -ENOEXEC;
  if (elf->n == 0)
    elf->n = first.sh_size;
  if (elf->names == SHN_XINDEX)
    elf->names = first.sh_link;
  return 0;
}

static int
find_section (const struct elf *elf, const char *name, Elf64_Shdr *found)
{
  Elf64_Shdr names;
  char word[32];
  size_t n = strlen (name) + 1;
  if (read_section (elf, elf->names, &names) < 0 || names.sh_offset > INT64_MAX / 2)
    return -ENOEXEC;
  for (uint64_t i = 1; i < elf->n; i++)
    {
      if (read_section (elf, i, found) < 0)
	return -ENOEXEC;
      if (read_at (elf->fd, word, n, names.sh_offset + found->sh_name) == 0 && memcmp (word, name, n) == 0)
	return found->sh_type == SHT_NOBITS ? -ENOEXEC : 0;
    }
  return -ENOEXEC;
}

static int
copy_bytes (int from, uint64_t at, uint64_t bytes, int to)
{
  while (bytes > 0)
    {
      ssize_t n = pread (from, buffer, bytes < sizeof buffer ? bytes : sizeof buffer, at);
      if (n <= 0)
	return n < 0 ? -errno : -ENOEXEC;
      ssize_t written = write (to, buffer, n);
      if (written <= 0)
	return written < 0 ? -errno : -ENOSPC;
      at += written;
      bytes -= written;
    }
  return 0;
}

/* DIR/modules/KEY.info, with PREFIX before KEY and the process' number behind it where it is a temporary name. */
static void
info_path (char *path, size_t bytes, const char *dir, const char *key, int temporary)
{
  struct cab_text t = { path, 0, bytes, 0 };
  cab_text_add (&t, dir);
  cab_text_add (&t, temporary ? "/modules/." : "/modules/");
  cab_text_add (&t, key);
  if (temporary)
    {
      cab_text_add (&t, ".");
      cab_text_number (&t, getpid (), 10);
      cab_text_add (&t, "-");
      cab_text_number (&t, cab_realtime_ns (), 16);
    }
  else
    cab_text_add (&t, ".info");
}

static int
write_file (int fd, const Elf64_Shdr *section, const char *temporary, const char *path)
{
  int to = cab_sys_open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (to < 0)
    return to;
  int error = cab_sys_may_reach (section->sh_size);
  if (error == 0)
    error = copy_bytes (fd, section->sh_offset, section->sh_size, to);
  close (to);
  /* Some file systems have no links: renaming over an equal file does as well. */
  if (error == 0 && link (temporary, path) < 0 && errno != EEXIST && rename (temporary, path) < 0)
    error = -errno;
  unlink (temporary);
  return error;
}

int
cab_records_copy (int fd, const char *dir, const char *key, const char **wrong)
{
  static char path[CAB_PATH_BYTES], temporary[CAB_PATH_BYTES];
  struct elf elf;
  Elf64_Shdr section;
  info_path (path, sizeof path, dir, key, 0);
  if (access (path, F_OK) == 0)
    return 0;
  *wrong = "its file is no readable ELF file";
  int error = open_elf (&elf, fd);
  if (error < 0)
    return error;
  *wrong = "its file has no section " CAB_INFO_SECTION;
  error = find_section (&elf, CAB_INFO_SECTION, &section);
  if (error < 0)
    return error;
  info_path (temporary, sizeof temporary, dir, key, 1);
  *wrong = "cannot copy section " CAB_INFO_SECTION;
  return write_file (fd, &section, temporary, path);
}
