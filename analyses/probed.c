/* probed.c - see probed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "probed.h"
#include <stdlib.h>
#include <string.h>
#include "analyses/elf_section.h"
#include "analyses/info.h"

static bool
has_loader (const char *path)
{
  struct cab_diag diag;
  size_t bytes;
  char *section = cab_elf_section (path, ".interp", &bytes, &diag);
  free (section);
  return section != NULL;
}

/* Does IS_SO say that of a record of KIND in the program PATH? */
static bool
has_record (const char *path, char kind, bool (*is_so) (struct cab_info *info, uint64_t at))
{
  struct cab_info info;
  struct cab_diag diag;
  uint64_t offset = 0, at;
  bool found = false;
  if (cab_info_open_elf (&info, path, &diag) < 0)
    return false;
  for (char k; !found && (k = cab_info_next (&info, &offset, &at));)
    found = k == kind && is_so (&info, at);
  cab_info_close (&info);
  return found;
}

static bool
has_calls (struct cab_info *info, uint64_t at)
{
  struct cab_diag diag;
  struct cab_record record;
  return cab_info_record (info, at, &record, &diag) == 0 && record.calls;
}

bool
cab_probed_calls (const char *path)
{
  return has_loader (path) && has_record (path, 'F', has_calls);
}

static bool
waits_for_link (struct cab_info *info, uint64_t at)
{
  struct cab_diag diag;
  struct cab_note note;
  if (cab_info_note (info, at, &note, &diag) < 0)
    return false;
  const char *events = strstr (note.field[3], " events=");
  return events && strstr (note.field[3], " -flto ") && memmem (events + 1, strcspn (events + 1, " "), "memory", 6);
}

bool
cab_probed_at_link (const char *path)
{
  return has_record (path, 'U', waits_for_link);
}
