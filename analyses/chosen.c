/* chosen.c - see chosen.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/chosen.h"

#include <string.h>
#include "analyses/own.h"
#include "analyses/states.h"
#include "rt/context.h"

int
cab_chosen_refuse (const char *name, const char *wrong, struct cab_diag *diag)
{
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, "analysis '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, name, SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, wrong, SIZE_MAX);
  for (const struct cab_analysis *const *a = cab_analyses; *a; a++)
    {
      at = cab_choice_append (diag->text, at, sizeof diag->text, a == cab_analyses ? " " : ", ", SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, (*a)->name, SIZE_MAX);
    }
  return -1;
}

bool
cab_chosen_has (const struct cab_chosen *chosen, const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; i < chosen->n; i++)
    if (chosen->v[i].analysis == analysis)
      return true;
  return false;
}

int
cab_chosen_add (struct cab_chosen *chosen, const struct cab_choice *choice, cab_chosen_try *try, struct cab_diag *diag)
{
  const struct cab_analysis *a = cab_analysis_find (choice->name);
  if (!a)
    a = cab_own_load (choice->name, diag);
  if (!a)
    return diag->text[0] ? -1 : cab_chosen_refuse (choice->name, "' is not known: known are", diag);
  if (cab_chosen_has (chosen, a))
    return *choice->arguments ? cab_chosen_refuse (choice->name, "' is given twice, with arguments: give it once; known are", diag) : 0;
  if (chosen->n == CAB_CHOSEN_MOST)
    return cab_chosen_refuse (choice->name, "' is one too many: at most 8 of", diag);
  char *arguments = chosen->v[chosen->n].arguments;
  memcpy (arguments, choice->arguments, sizeof choice->arguments);
  chosen->v[chosen->n++].analysis = a;
  if (cab_choice_check (a, choice, diag) < 0
      || (a->settle && a->settle (choice->arguments, arguments, sizeof choice->arguments, diag) < 0))
    return -1;
  return *arguments ? try (a, arguments, diag) : 0;
}

int
cab_chosen_take (struct cab_chosen *chosen, const char *names, cab_chosen_try *try, struct cab_diag *diag)
{
  static struct cab_choice choice;   /* too large for a small stack */
  static const struct cab_choice tree = { .name = "tree" };
  const char *s = names && *names ? names : CAB_ANALYSES_DEFAULT;
  int more;
  bool wanted = false;
  chosen->n = 0;
  diag->text[0] = '\0';
  while ((more = cab_choice_next (&s, &choice, diag)) > 0)
    if (cab_chosen_add (chosen, &choice, try, diag) < 0)
      return -1;
  chosen->n_named = chosen->n;
  for (uint32_t i = 0; i < chosen->n; i++)
    wanted |= cab_context_wanted (chosen->v[i].analysis) != 0;
  return more == 0 && wanted ? cab_chosen_add (chosen, &tree, try, diag) : more;
}
