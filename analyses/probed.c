/* probed.c - see probed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "probed.h"
#include <stdlib.h>
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

bool
cab_probed_calls (const char *path)
{
  struct cab_info info;
  struct cab_diag diag;
  struct cab_record record;
  uint64_t offset = 0, at;
  bool found = false;
  if (!has_loader (path) || cab_info_open_elf (&info, path, &diag) < 0)
    return false;
  for (char kind; !found && (kind = cab_info_next (&info, &offset, &at));)
    found = kind == 'F' && cab_info_record (&info, at, &record, &diag) == 0 && record.calls;
  cab_info_close (&info);
  return found;
}
