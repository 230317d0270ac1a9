/* diff_rows.h - what changed from one profile to another, as rows of a table.
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      each kind of counts gives rows (what, before, after).  Rows of one thing are added
 *             up; those that changed are ranked.  Paths and lines are compared one by one where the
 *             function's shape is the same on both sides, lines by their order and not by number;
 *             else they are compared as a sum.  Accesses and misses are compared by variable and
 *             function.
 * Ownership:  texts of rows belong to the models.
 */
#ifndef CAB_DIFF_ROWS_H
#define CAB_DIFF_ROWS_H

#include "analyses/base/table.h"
#include "analyses/profile/lines.h"
#include "analyses/profile/match.h"
#include "analyses/report/report.h"

enum cab_diff_kind
{
  CAB_DIFF_METHODS,
  CAB_DIFF_PATHS,
  CAB_DIFF_CALLS,
  CAB_DIFF_LINES,
  CAB_DIFF_ACCESSES,   /* this and the following are kinds of memory (diff_memory.h) */
  CAB_DIFF_D1,
  CAB_DIFF_LL,
  CAB_DIFF_KINDS
};

struct cab_diff_kind_text
{
  const char *name, *title;
};
extern const struct cab_diff_kind_text cab_diff_kinds[CAB_DIFF_KINDS];

/* The columns of a table of rows. */
enum
{
  CAB_DIFF_KIND,
  CAB_DIFF_FUNCTION,
  CAB_DIFF_CALLER,
  CAB_DIFF_VARIABLE,
  CAB_DIFF_FILE,
  CAB_DIFF_LINE,
  CAB_DIFF_PLACES,
  CAB_DIFF_BEFORE,
  CAB_DIFF_AFTER,
  CAB_DIFF_CHANGE,
  CAB_DIFF_RELATIVE,
  CAB_DIFF_NOTE,
  CAB_DIFF_N
};
extern const struct cab_column cab_diff_columns[CAB_DIFF_N];

/* How much counts may grow, and what grew by more. */
struct cab_diff_gate
{
  double percent;                      /* negative: by any amount */
  unsigned n_crossed;
  double worst;                        /* growth; infinite: from nothing */
  const char *worst_name;
  uint64_t counts[2];                  /* of the worst */
};

struct cab_diff
{
  struct cab_model *model[2];
  struct cab_match match;
  struct cab_report_options wanted;    /* format and filters */
  struct cab_diff_gate gate;
  struct cab_table table;              /* of one kind */
};

/* Return true if MODEL has counts of KIND. */
bool cab_diff_has (const struct cab_model *model, enum cab_diff_kind kind);
/* Return true if the N_A lines of A correspond to the N_B of B, in their order.  Both are of
   functions with the same graph. */
bool cab_diff_lines_correspond (const struct cab_line_count *a, size_t n_a,
				const struct cab_line_count *b, size_t n_b);
/* Fill the table of D with the rows of KIND that changed, those first that changed most, and hold
   them to the gate.  The caller ends the table. */
void cab_diff_fill (struct cab_diff *d, enum cab_diff_kind kind);

#endif
