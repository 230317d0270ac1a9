/* module.c - see module.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/modules/module.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt/common/directory.h"
#include "rt/modules/records.h"
#include "rt/base/rt.h"
#include "rt/base/say.h"
#include "rt/common/text.h"

/* Return the descriptor of the note NAME, TYPE in the note segment [P, END), with its length in
   *BYTES, or null if there is none. */
static const unsigned char *
find_note (const unsigned char *p, const unsigned char *end, size_t align, const char *name,
	   uint32_t type, uint32_t *bytes)
{
  align = align == 8 ? 8 : 4;
  while ((size_t) (end - p) >= sizeof (ElfW (Nhdr)))
    {
      const ElfW (Nhdr) *note = (const void *) p;
      size_t desc_at = cab_round_up (sizeof *note + note->n_namesz, align);
      size_t next = cab_round_up (desc_at + note->n_descsz, align);
      if (desc_at + note->n_descsz > (size_t) (end - p))
	return NULL;
      if (note->n_type == type && note->n_namesz == strlen (name) + 1
	  && memcmp (note + 1, name, note->n_namesz) == 0)
	{
	  *bytes = note->n_descsz;
	  return p + desc_at;
	}
      if (next >= (size_t) (end - p))
	return NULL;
      p += next;
    }
  return NULL;
}

static const unsigned char *
find_note_in (const struct dl_phdr_info *info, const char *name, uint32_t type, uint32_t *bytes)
{
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *ph = &info->dlpi_phdr[i];
      const unsigned char *p = (const unsigned char *) info->dlpi_addr + ph->p_vaddr;
      const unsigned char *found;
      if (ph->p_type == PT_NOTE
	  && (found = find_note (p, p + ph->p_memsz, ph->p_align, name, type, bytes)) != NULL)
	return found;
    }
  return NULL;
}

struct search
{
  struct cab_rt_module *to;
  uintptr_t address;
  int n;            /* modules visited so far; the first is the executable */
  int64_t offset;
};

static void
name_file (struct cab_rt_module *to, const struct dl_phdr_info *info, int is_executable)
{
  struct cab_text t = CAB_TEXT (to->file);
  to->file[0] = '\0';
  if (is_executable)
    cab_text_add (&t, "/proc/self/exe");
  else
    {
      if (info->dlpi_name[0] != '/' && getcwd (to->file, sizeof to->file - 1))
	{
	  t.n = strlen (to->file);
	  cab_text_add (&t, "/");
	}
      cab_text_add (&t, info->dlpi_name);
    }
}

static void
name_key (struct cab_rt_module *to, const struct dl_phdr_info *info)
{
  uint32_t bytes = 0;
  const unsigned char *id = find_note_in (info, "GNU", NT_GNU_BUILD_ID, &bytes);
  to->key[0] = '\0';
  if (!id || bytes == 0 || bytes > 64)
    return;
  struct cab_text t = CAB_TEXT (to->key);
  for (uint32_t i = 0; i < bytes; i++)
    {
      cab_text_number (&t, id[i] >> 4, 16);
      cab_text_number (&t, id[i] & 15, 16);
    }
}

static int
visit_module (struct dl_phdr_info *info, size_t size, void *arg)
{
  struct search *search = arg;
  uintptr_t low = UINTPTR_MAX, high = 0;
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
	uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
	uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
	low = from < low ? from : low;
	high = to > high ? to : high;
      }
  if (search->address < low || search->address >= high)
    {
      search->n++;
      return 0;
    }
  search->to->low = low;
  search->to->high = high;
  search->to->bias = info->dlpi_addr;
  name_file (search->to, info, search->n == 0);
  name_key (search->to, info);
  return 1;
}

bool
cab_module_find (struct cab_rt_module *to, const void *address)
{
  struct search search = { to, (uintptr_t) address, 0, 0 };
  return dl_iterate_phdr (visit_module, &search) == 1;
}

static int
visit_executable (struct dl_phdr_info *info, size_t size, void *arg)
{
  struct search *search = arg;
  uint32_t bytes = 0;
  const unsigned char *note = find_note_in (info, CAB_NOTE_NAME, CAB_NOTE_CTX, &bytes);
  (void) size;
  if (note && bytes >= 4)
    {
      int32_t offset;
      memcpy (&offset, note, sizeof offset);
      search->offset = offset;
    }
  return 1;
}

int64_t
cab_module_ctx_offset (void)
{
  struct search search = { NULL, 0, 0, 0 };
  dl_iterate_phdr (visit_executable, &search);
  return search.offset;
}

struct cab_rt_module *
cab_module_at (const void *address)
{
  for (struct cab_rt_module *m = cab_rt.loaded; m; m = m->next)
    if ((uintptr_t) address >= m->low && (uintptr_t) address < m->high)
      return m;
  return NULL;
}

static const char *
part_string (uint32_t offset)
{
  return (const char *) cab_rt.strings.base + offset;
}

/* Return the index of the row of a module with M's key, or -1. */
static int64_t
find_row (const struct cab_rt_module *m)
{
  const struct cab_part_module *rows = (const void *) cab_rt.modules.base;
  for (uint32_t i = 0; i < cab_rt.part.header->n_modules && m->key[0]; i++)
    if (strcmp (part_string (rows[i].key), m->key) == 0)
      return i;
  return -1;
}

/* Make the key from the identity of the file, since it has no build id. */
static void
key_from_file (struct cab_rt_module *m, int fd)
{
  struct stat s;
  struct cab_text t = CAB_TEXT (m->key);
  if (fstat (fd, &s) < 0)
    return;
  const uint64_t parts[] = { s.st_dev, s.st_ino, s.st_size,
			     s.st_mtim.tv_sec * UINT64_C (1000000000) + s.st_mtim.tv_nsec };
  for (int i = 0; i < 4; i++)
    {
      cab_text_add (&t, i ? "-" : "");
      cab_text_number (&t, parts[i], 16);
    }
}

/* Add a path that people can read: the executable by its own name. */
static uint32_t
add_path (const struct cab_rt_module *m)
{
  static char path[CAB_PATH_BYTES];
  ssize_t n = readlink (m->file, path, sizeof path);
  if (strcmp (m->file, "/proc/self/exe") == 0 && n > 0)
    return cab_strings_add (path, n);
  return cab_strings_add (m->file, strlen (m->file));
}

static int
add_row (struct cab_rt_module *m)
{
  uint32_t n = cab_rt.part.header->n_modules;
  int error = n >= cab_rt.options.most[CAB_BOUND_MODULES]
	      ? -EOVERFLOW
	      : cab_area_grow (&cab_rt.modules, &cab_rt.part,
			       (n + UINT64_C (1)) * sizeof (struct cab_part_module));
  if (error < 0)
    return error;
  struct cab_part_module *row = (struct cab_part_module *) cab_rt.modules.base + n;
  row->path = add_path (m);
  row->key = cab_strings_add (m->key, strlen (m->key));
  row->load_bias = m->bias;
  if (!row->path || !row->key)
    return -EOVERFLOW;
  m->index = n;
  __atomic_store_n (&cab_rt.part.header->n_modules, n + 1, __ATOMIC_RELEASE);
  cab_rt.n_modules = n + 1;
  return 0;
}

/* Report why the records of M could not be copied. */
static void
tell_no_records (const struct cab_rt_module *m, const char *wrong, int error, bool first)
{
  static char path[CAB_PATH_BYTES];
  struct cab_text t = CAB_TEXT (path);
  if (error == -ENOSPC || error == -EDQUOT)
    cab_rt_no_room (error);
  else if (error != CAB_RECORDS_REFUSED)
    cab_say (m->file, wrong ? wrong : "cannot open it for its records",
	     error == -ENOEXEC ? 0 : -error, "its functions are known by number only");
  else
    {
      cab_text_add (&t, cab_rt.part.dir);
      cab_text_add (&t, "/" CAB_MODULES_DIRECTORY "/");
      cab_text_add (&t, m->key);
      cab_text_add (&t, ".info");
      cab_say (path, wrong, 0,
	       first ? "remove it; running unprofiled"
		     : "remove it; the functions of that module are known by number only");
    }
}

int
cab_module_use (struct cab_rt_module *m)
{
  if (m->used)
    return 0;
  int fd = cab_sys_open (m->file, O_RDONLY, 0);
  if (fd >= 0 && !m->key[0])
    key_from_file (m, fd);
  int64_t row = find_row (m);
  int error = 0;
  if (row >= 0)
    {
      m->index = row;
      m->again = true;
    }
  else
    {
      const char *wrong = NULL;
      bool first = cab_rt.part.header->n_modules == 0;
      error = fd < 0 ? fd : cab_records_copy (fd, cab_rt.part.dir, m->key, &wrong);
      if (error < 0)
	tell_no_records (m, wrong, error, first);
      if (error != CAB_RECORDS_REFUSED || !first)
	error = add_row (m);
    }
  if (fd >= 0)
    close (fd);
  m->used = error == 0;
  return error;
}
