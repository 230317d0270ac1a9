/* info.c - the records of .cabprof_info, parsed.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/info.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <libiberty/libiberty.h>
#include "cabprof/info.h"
#include "analyses/binary/elf_section.h"
#include "analyses/profile/info_cursor.h"
#include "analyses/base/diag.h"

#define MOST_BYTES (UINT64_C (1) << 32)   /* a row refers to its record with 32 bits */

int
cab_info_open (struct cab_info *info, const char *path, struct cab_diag *diag)
{
  struct stat st;
  const char *wrong = NULL;
  int fd = cab_part_open_file (path, 2, &wrong);
  memset (info, 0, sizeof *info);
  if (fd < 0 || fstat (fd, &st) < 0 || (uint64_t) st.st_size > MOST_BYTES)
    {
      cab_refuse (path, diag, "%s: functions of this module are known by number only",
		  fd < 0 ? wrong : "too large");
      if (fd >= 0)
	close (fd);
      return -1;
    }
  info->path = xstrdup (path);
  info->text = xmalloc (st.st_size + 1);
  for (ssize_t n = 1; n > 0 && info->bytes < (size_t) st.st_size; info->bytes += n > 0 ? n : 0)
    n = read (fd, info->text + info->bytes, st.st_size - info->bytes);
  info->text[info->bytes] = 0;
  close (fd);
  cab_names_init (&info->names);
  return 0;
}

char *
cab_info_module_path (const char *dir, int length, const char *key)
{
  char *path = xasprintf ("%.*smodules/%s.info", length, dir, key);
  char *above = xasprintf ("%.*s../../modules/%s.info", length, dir, key);
  if (access (path, F_OK) != 0 && access (above, F_OK) == 0)
    {
      free (path);
      return above;
    }
  free (above);
  return path;
}

int
cab_info_open_module (struct cab_info *info, const struct cab_part *part, uint32_t module,
		      struct cab_diag *diag)
{
  const char *key = cab_part_string (part, part->modules[module].key);
  int length = lbasename (part->path) - part->path;
  memset (info, 0, sizeof *info);
  if (!*key || strchr (key, '/'))
    return cab_refuse (part->path, diag,
		       "module %" PRIu32
		       " has no name for its records: its functions are known by number only",
		       module);
  char *path = cab_info_module_path (part->path, length, key);
  int result = cab_info_open (info, path, diag);
  free (path);
  return result;
}

int
cab_info_open_elf (struct cab_info *info, const char *path, struct cab_diag *diag)
{
  memset (info, 0, sizeof *info);
  info->text = cab_elf_section (path, CAB_INFO_SECTION, &info->bytes, diag);
  if (!info->text)
    return -1;
  info->path = xstrdup (path);
  cab_names_init (&info->names);
  return 0;
}

void
cab_info_close (struct cab_info *info)
{
  if (!info->path)
    return;
  free (info->path);
  free (info->text);
  cab_names_fini (&info->names);
  memset (info, 0, sizeof *info);
}

char
cab_info_next (const struct cab_info *info, uint64_t *offset, uint64_t *at)
{
  while (*offset < info->bytes && info->text[*offset] != CAB_INFO_MARK)
    ++*offset;
  if (*offset >= info->bytes)
    return 0;
  *at = *offset;
  *offset += strlen (info->text + *at);
  return info->text[*at + 1];
}

int
cab_info_note (struct cab_info *info, uint64_t offset, struct cab_note *note, struct cab_diag *diag)
{
  struct cab_info_cursor c;
  if (cab_info_begin (&c, info, offset, "SUX", diag) < 0)
    return -1;
  note->kind = c.line[0];
  for (int i = 0; i < 6; i++)
    note->field[i] = cab_info_text (&c, i + 1);
  return 0;
}

/* Return field I as the key of a structure, or 0 if it is none. */
static uint32_t
key (const struct cab_info_cursor *c, int i)
{
  return i < c->n_fields ? strtoul (c->field[i], NULL, 16) : 0;
}

static void
parse_member (const struct cab_info_cursor *c, struct cab_member *m)
{
  *m = (struct cab_member) { .offset = cab_info_number (c, 1, UINT32_MAX),
			     .bytes = cab_info_number (c, 2, UINT32_MAX),
			     .align = cab_info_number (c, 3, UINT32_MAX),
			     .bit_field = cab_info_has_letter (c, 4, 'b'),
			     .fixed = cab_info_has_letter (c, 4, 'f'),
			     .structures = cab_info_has_letter (c, 4, 's'),
			     .unnamed = cab_info_has_letter (c, 4, 'u'),
			     .element = key (c, 7),
			     .name = cab_info_text (c, 5),
			     .declaration = cab_info_text (c, 6) };
}

int
cab_info_structure (struct cab_info *info, uint64_t offset, struct cab_structure *structure,
		    struct cab_diag *diag)
{
  struct cab_info_cursor c;
  uint32_t n = 0;
  if (cab_info_begin (&c, info, offset, "Y", diag) < 0)
    return -1;
  *structure = (struct cab_structure) { .key = key (&c, 1),
					.name = cab_info_text (&c, 2),
					.bytes = cab_info_number (&c, 3, UINT32_MAX),
					.align = cab_info_number (&c, 4, UINT32_MAX),
					.packed = cab_info_has_letter (&c, 5, 'p'),
					.foreign = cab_info_has_letter (&c, 5, 'y'),
					.has_no_tag = cab_info_has_letter (&c, 5, 't'),
					.file = "" };
  for (struct cab_info_cursor count = c; cab_info_next_line (&count);)
    structure->n_members += *count.line == 'm';
  structure->members = cab_names_zero (&info->names, structure->n_members,
				       sizeof *structure->members);
  while (cab_info_next_line (&c))
    switch (c.length[0] == 1 ? *c.line : 0)
      {
      case 'f': structure->file = cab_info_text (&c, 1); break;
      case 'D':
	structure->line = cab_info_number (&c, 2, INT32_MAX) % INT32_MAX;
	structure->column = cab_info_number (&c, 3, INT32_MAX);
	break;
      case 'm': parse_member (&c, &structure->members[n++]); break;
      }
  structure->n_members = n;
  for (uint32_t i = 0; i < n; i++)
    {
      const struct cab_member *m = &structure->members[i];
      bool power = m->align && !(m->align & (m->align - 1));
      if (!power || m->align > structure->bytes || m->offset > structure->bytes
	  || m->bytes > structure->bytes - m->offset)
	return cab_info_refuse (&c, "a member is not inside its structure");
    }
  return structure->bytes && structure->bytes < UINT32_MAX
	 ? 0
	 : cab_info_refuse (&c, "a structure without a size");
}
