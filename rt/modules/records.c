/* records.c - see records.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/modules/records.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cabprof/info.h"
#include "rt/common/directory.h"
#include "rt/common/sys.h"
#include "rt/common/text.h"

#define NAME_BYTES 256   /* a key, and its suffix */

static char buffer[65536];

struct elf
{
  int fd;
  uint64_t headers;   /* file offset of the section headers */
  uint64_t n, names;  /* number of sections; index of the string table with their names */
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
  if (read_at (fd, &h, sizeof h, 0) < 0 || memcmp (h.e_ident, ELFMAG, SELFMAG) != 0
      || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shoff == 0 || h.e_shoff > INT64_MAX / 2
      || h.e_shentsize != sizeof (Elf64_Shdr))
    return -ENOEXEC;
  *elf = (struct elf) { fd, h.e_shoff, h.e_shnum, h.e_shstrndx };
  /* Files with very many sections keep these two numbers in section 0. */
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
      if (read_at (elf->fd, word, n, names.sh_offset + found->sh_name) == 0
	  && memcmp (word, name, n) == 0)
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

/* Choose a name that no other process uses for its copy of the records with KEY. */
static void
name_temporary (char *name, size_t bytes, const char *key)
{
  struct cab_text t = { name, 0, bytes, 0 };
  cab_text_add (&t, ".");
  cab_text_add (&t, key);
  cab_text_add (&t, ".");
  cab_text_number (&t, getpid (), 10);
  cab_text_add (&t, "-");
  cab_text_number (&t, cab_realtime_ns (), 16);
}

/* Copy SECTION of FD to NAME in the directory MODULES.  Return 0 or -errno. */
static int
write_file (int fd, const Elf64_Shdr *section, int modules, const char *key, const char *name)
{
  char temporary[NAME_BYTES + 64];
  name_temporary (temporary, sizeof temporary, key);
  int to = cab_sys_open_at (modules, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (to < 0)
    return to;
  int error = cab_sys_may_reach (section->sh_size);
  if (error == 0)
    error = copy_bytes (fd, section->sh_offset, section->sh_size, to);
  close (to);
  /* Some file systems have no links: there renaming, perhaps over an equal file, is as good. */
  if (error == 0 && linkat (modules, temporary, modules, name, 0) < 0 && errno != EEXIST
      && renameat (modules, temporary, modules, name) < 0)
    error = -errno;
  unlinkat (modules, temporary, 0);
  return error;
}

/* Copy the records in FD to NAME in MODULES, which lacks them.  Return 0 or -errno. */
static int
copy_records (int fd, int modules, const char *key, const char *name, const char **wrong)
{
  struct elf elf;
  Elf64_Shdr section;
  *wrong = "its file is no readable ELF file";
  int error = open_elf (&elf, fd);
  if (error < 0)
    return error;
  *wrong = "its file has no section " CAB_INFO_SECTION;
  error = find_section (&elf, CAB_INFO_SECTION, &section);
  if (error < 0)
    return error;
  *wrong = "cannot copy section " CAB_INFO_SECTION;
  return write_file (fd, &section, modules, key, name);
}

/* Do what cab_records_copy does, in the open directory TOP. */
static int
copy_below (int fd, int top, const char *key, const char **wrong)
{
  char name[NAME_BYTES];
  struct cab_text t = CAB_TEXT (name);
  cab_text_add (&t, key);
  cab_text_add (&t, ".info");
  int modules = cab_directory_enter (top, CAB_MODULES_DIRECTORY, true, wrong);
  if (modules < 0)
    return *wrong ? CAB_RECORDS_REFUSED : modules;
  int there = cab_directory_file (modules, name, wrong), error = there < 0 ? there : 0;
  if (there >= 0)
    close (there);
  else if (*wrong)
    error = CAB_RECORDS_REFUSED;
  else if (there == -ENOENT)
    error = copy_records (fd, modules, key, name, wrong);
  close (modules);
  return error;
}

int
cab_records_copy (int fd, const char *dir, const char *key, const char **wrong)
{
  int top = cab_directory_open (dir, wrong);
  if (top < 0)
    return *wrong ? CAB_RECORDS_REFUSED : top;
  int error = copy_below (fd, top, key, wrong);
  close (top);
  return error;
}
