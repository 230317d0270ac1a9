/* lto_unlinked.c - see lto_unlinked.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/lto_unlinked.h"
#include <string.h>
#include "analyses/profile/binary_probes.h"
#include "cabprof/abi.h"

static bool
tells_accesses (const struct cab_model *model)
{
  for (uint32_t i = 0; i < model->n_functions; i++)
    if (model->functions[i]->flags & CAB_ROW_MEMORY)
      return true;
  return false;
}

/* Return true if no function of MODEL records accesses, and IS_SO holds for the file of one of its
   programs. */
static bool
is_of_program (const struct cab_model *model, bool (*is_so) (const char *path))
{
  bool found = false;
  if (tells_accesses (model))
    return false;
  for (uint32_t i = 0; !found && i < model->n_processes; i++)
    found = (i == 0 || strcmp (model->processes[i].exe, model->processes[i - 1].exe))
	 && is_so (model->processes[i].exe);
  return found;
}

bool
cab_lto_unlinked (const struct cab_model *model)
{
  return is_of_program (model, cab_binary_probes_at_link);
}

bool
cab_filtered_wholly (const struct cab_model *model)
{
  return is_of_program (model, cab_binary_probes_left_out);
}
