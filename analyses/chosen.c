/* chosen.c - see chosen.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/chosen.h"

#include <string.h>
#include <libiberty/libiberty.h>
#include "analyses/choice.h"
#include "analyses/heap.h"
#include "analyses/own.h"
#include "analyses/states.h"
#include "rt/options.h"

static int
refuse_name (const char *name, struct cab_diag *diag)
{
  size_t at = 0, bytes = sizeof diag->text;
  at = cab_choice_append (diag->text, at, bytes, "analysis '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, bytes, name, SIZE_MAX);
  at = cab_choice_append (diag->text, at, bytes, "' is not known: known are", SIZE_MAX);
  for (const struct cab_analysis *const *a = cab_analyses; *a; a++)
    {
      at = cab_choice_append (diag->text, at, bytes, a == cab_analyses ? " " : ", ", SIZE_MAX);
      at = cab_choice_append (diag->text, at, bytes, (*a)->name, SIZE_MAX);
    }
  return -1;
}

/* Does it take the arguments?  Asked of a state that is thrown away. */
static int
try_arguments (const struct cab_analysis *analysis, const struct cab_choice *choice, struct cab_diag *diag)
{
  struct cab_choice full = *choice;
  struct cab_arena arena;
  if (analysis->settle && analysis->settle (choice->arguments, full.arguments, sizeof full.arguments, diag) < 0)
    return -1;
  cab_heap_adopt (&arena, xcalloc (1, analysis->arena_bytes), analysis->arena_bytes, 0);
  int error = analysis->open (&arena, full.arguments, diag);
  cab_heap_fini (&arena);
  return error;
}

int
cab_chosen_analyses (const char *list, struct cab_diag *diag)
{
  struct cab_choice choice;
  int more;
  diag->text[0] = 0;
  while ((more = cab_choice_next (&list, &choice, diag)) > 0)
    {
      const struct cab_analysis *a = cab_analysis_find (choice.name);
      if (!a)
	a = cab_own_load (choice.name, diag);
      if (!a)
	return diag->text[0] ? -1 : refuse_name (choice.name, diag);
      if (cab_choice_check (a, &choice, diag) < 0 || try_arguments (a, &choice, diag) < 0)
	return -1;
    }
  return more;
}

int
cab_chosen_options (const char *text, struct cab_diag *diag)
{
  struct cab_options options;
  return cab_options_parse (&options, text, diag) < 0 || cab_chosen_analyses (options.analyses, diag) < 0 ? -1 : 0;
}
