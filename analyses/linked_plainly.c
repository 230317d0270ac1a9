/* linked_plainly.c - see linked_plainly.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/linked_plainly.h"
#include <string.h>
#include "analyses/info.h"
#include "cabprof/abi.h"

static bool
tells_accesses (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (model->functions[i]->flags & CAB_ROW_MEMORY)
      return true;
  return false;
}

/* Do OPTIONS of a unit ask for accesses, at the link? */
static bool
wants_accesses (const char *options)
{
  const char *events = strstr (options, " events=");
  size_t n = events ? strcspn (events + 1, " ") : 0;
  return strstr (options, " -flto ") && n && memmem (events + 1, n, "memory", 6);
}

static bool
has_such_unit (const char *path)
{
  struct cab_info info;
  struct cab_diag diag;
  struct cab_note note;
  uint64_t offset = 0, at;
  bool found = false;
  if (cab_info_open_elf (&info, path, &diag) < 0)
    return false;
  for (char kind; !found && (kind = cab_info_next (&info, &offset, &at));)
    found = kind == 'U' && cab_info_note (&info, at, &note, &diag) == 0 && wants_accesses (note.field[3]);
  cab_info_close (&info);
  return found;
}

bool
cab_linked_plainly (const struct cab_model *model)
{
  bool found = false;
  if (tells_accesses (model))
    return false;
  for (uint32_t i = 0; !found && i < model->n_processes; i++)
    found = (i == 0 || strcmp (model->processes[i].exe, model->processes[i - 1].exe)) && has_such_unit (model->processes[i].exe);
  return found;
}
