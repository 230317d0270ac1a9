/* cmd_layout_affinity.c - which members of the same instance a trace uses together.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/command/cmd_layout_affinity.h"
#include <inttypes.h>
#include "analyses/command/command.h"
#include "analyses/command/trace/cmd_trace.h"
#include "analyses/layout/layout_affinity.h"

/* Feed the rows of one block that belong to the first process which accesses anything.  Return the
   number of accesses of other processes. */
static uint64_t
feed (struct cab_affinity *affinity, const struct cab_layouts *layouts,
      const struct cab_rows_reader *reader, uint32_t *process)
{
  uint64_t others = 0;
  for (size_t i = 0; i < reader->n_rows; i++)
    {
      const struct cab_trace_row *row = &reader->rows[i];
      if (row->kind != CAB_EV_ACCESS || row->form & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	continue;
      *process = *process ? *process : row->process;
      others += row->process != *process;
      const struct cab_row_place *place = row->process == *process
					  ? cab_rows_access (reader, row->process, row->site)
					  : NULL;
      struct cab_layout *layout = place ? cab_layouts_find (layouts, place->structure) : NULL;
      if (layout)
	cab_affinity_feed (affinity, row->thread, layout, row->address, row->bytes, place->offset,
			   place->is_element);
    }
  return others;
}

/* Return the number of accesses, and print what of the trace could not be used. */
static uint64_t
tell (const struct cab_affinity *affinity, const char *trace, uint64_t others)
{
  uint64_t unknown, n = cab_affinity_accesses (affinity, &unknown);
  if (!n)
    cab_say ("%s: no access to a member of a structure of the profile is in it: give a trace of a "
	     "run of the same program",
	     trace);
  if (unknown)
    cab_say ("%s: %" PRIu64
	     " accesses to arrays in structures are left out: to which instance is not known",
	     trace, unknown);
  if (others)
    cab_say ("%s: %" PRIu64 " accesses of other processes are left out: trace one process", trace,
	     others);
  return n;
}

int
cab_layout_affinity_trace (struct cab_layouts *layouts, const char *trace, uint64_t *n)
{
  struct cab_diag diag;
  struct cab_rows_reader reader;
  uint64_t others = 0;
  uint32_t process = 0;
  int fd, result, status = cab_trace_begin (&reader, trace, &fd);
  *n = 0;
  if (status)
    return status;
  struct cab_affinity *affinity = cab_affinity_new ();
  cab_affinity_begin (layouts);
  while ((result = cab_rows_next (&reader, &diag)) > CAB_ROWS_END)
    if (result == CAB_ROWS_ROWS)
      others += feed (affinity, layouts, &reader, &process);
  cab_affinity_end (layouts);
  status = cab_trace_finish (&reader, trace, fd, result, &diag);
  *n = tell (affinity, trace, others);
  cab_affinity_free (affinity);
  return *n ? status : CAB_EXIT_FAILED;
}
