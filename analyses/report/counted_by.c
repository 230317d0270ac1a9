/* counted_by.c - see counted_by.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/report/counted_by.h"
#include <string.h>
#include <libiberty/libiberty.h>

#define V (1u << CAB_A_VARIABLE)
#define F (1u << CAB_A_FUNCTION)
#define AT (1u << CAB_A_FILE | 1u << CAB_A_LINE)
#define C (1u << CAB_A_COLUMN)

/* In the order of enum cab_report_by. */
static const struct
{
  const char *name;
  unsigned columns;
} all[] = {
  { "site", V | F | AT | C },
  { "variable", V },
  { "line", AT },
  { "function", F | AT },
  { "loop", F | AT | C },
  { "loop-variable", V | F | AT | C },
  { "context", V | F | AT | C },
  { "block", V | F | AT | C }
};

bool
cab_report_by (const char *name, enum cab_report_by *by)
{
  for (size_t i = 0; i < ARRAY_SIZE (all); i++)
    if (!strcmp (all[i].name, name))
      {
	*by = i;
	return true;
      }
  return false;
}

bool
cab_by_has (enum cab_report_by by, int column)
{
  return all[by].columns >> column & 1;
}

bool
cab_by_loops (enum cab_report_by by)
{
  return by == CAB_BY_LOOP || by == CAB_BY_LOOP_VARIABLE;
}

void
cab_by_keep (union cab_cell *cell, enum cab_report_by by)
{
  for (int i = CAB_A_VARIABLE; i <= CAB_A_FILE; i++)
    cell[i].text = cab_by_has (by, i) ? cell[i].text : "";
  for (int i = CAB_A_LINE; i <= CAB_A_COLUMN; i++)
    cell[i].count = cab_by_has (by, i) ? cell[i].count : 0;
}

/* Put the innermost source loop around the access of REF into CELL.  Return false if there is
   none. */
static bool
place_loop (const struct cab_access_ref *ref, union cab_cell *cell)
{
  const struct cab_record *r = ref->function->record;
  const struct cab_access_loop *loop = ref->access->loop < r->n_access_loops
				       ? &r->access_loops[ref->access->loop]
				       : NULL;
  if (!loop || !loop->origin)
    return false;
  cell[CAB_A_FILE].text = r->files[loop->file];
  cell[CAB_A_LINE].count = loop->line;
  cell[CAB_A_COLUMN].count = loop->column;
  return true;
}

bool
cab_by_place (struct cab_model *model, const struct cab_report_options *options,
	      const struct cab_access_ref *ref, union cab_cell *cell)
{
  cab_report_access (model, options, ref, cell);
  if (options->by == CAB_BY_FUNCTION)
    {
      cell[CAB_A_FILE].text = ref->function->file;
      cell[CAB_A_LINE].count = ref->function->line;
    }
  if (cab_by_loops (options->by) && !place_loop (ref, cell))
    return false;
  cab_by_keep (cell, options->by);
  return true;
}
