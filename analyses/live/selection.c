/* selection.c - the analyses of a run, see selection.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/selection.h"

#include <string.h>
#include "analyses/live/user_analysis.h"
#include "analyses/live/an_tree.h"
#include "analyses/live/cache/an_levels.h"
#include "analyses/live/context.h"

/* Names of what users want to know, and the analyses that tell it. */
static const struct
{
  const char *name, *list;
} purposes[] = {
  { "count", "accesses" },
  { "layout", "accesses+blocks" }
};
#define N_PURPOSES (sizeof purposes / sizeof purposes[0])

int
cab_selection_refuse (const char *name, const char *wrong, struct cab_diag *diag)
{
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, "analysis '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, name, SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, wrong, SIZE_MAX);
  for (const struct cab_analysis *const *a = cab_analyses; *a; a++)
    {
      at = cab_choice_append (diag->text, at, sizeof diag->text, a == cab_analyses ? " " : ", ",
			      SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, (*a)->name, SIZE_MAX);
    }
  for (size_t i = 0; i < N_PURPOSES; i++)
    {
      at = cab_choice_append (diag->text, at, sizeof diag->text, ", ", SIZE_MAX);
      at = cab_choice_append (diag->text, at, sizeof diag->text, purposes[i].name, SIZE_MAX);
    }
  return -1;
}

bool
cab_selection_has (const struct cab_selection *chosen, const struct cab_analysis *analysis)
{
  for (uint32_t i = 0; i < chosen->n; i++)
    if (chosen->v[i].analysis == analysis)
      return true;
  return false;
}

int
cab_selection_add (struct cab_selection *chosen, const struct cab_choice *choice,
		   cab_selection_try *try, struct cab_diag *diag)
{
  const struct cab_analysis *a = cab_analysis_find (choice->name);
  if (!a)
    a = cab_user_load (choice->name, diag);
  if (!a)
    return diag->text[0] ? -1
	   : cab_selection_refuse (choice->name, "' is not known: known are", diag);
  if (cab_selection_has (chosen, a))
    return *choice->arguments ? cab_selection_refuse (
	     choice->name, "' is given twice, with arguments: give it once; known are", diag)
			      : 0;
  if (chosen->n == CAB_SELECTION_MOST)
    return cab_selection_refuse (choice->name, "' is one too many: at most 8 of", diag);
  char *arguments = chosen->v[chosen->n].arguments;
  memcpy (arguments, choice->arguments, sizeof choice->arguments);
  chosen->v[chosen->n++].analysis = a;
  chosen->settled |= a->settle != NULL;
  if (cab_choice_check (a, choice, diag) < 0
      || (a->settle
	  && a->settle (choice->arguments, arguments, sizeof choice->arguments, diag) < 0))
    return -1;
  return *arguments ? try (a, arguments, diag) : 0;
}

/* Add CHOICE, or the analyses that its name stands for.  Return 0, or -1 with words in DIAG. */
static int
take_one (struct cab_selection *chosen, const struct cab_choice *choice, cab_selection_try *try,
	  struct cab_diag *diag)
{
  static struct cab_choice part;   /* static because it is too large for a small stack */
  size_t i = 0;
  while (i < N_PURPOSES && strcmp (purposes[i].name, choice->name))
    i++;
  if (i == N_PURPOSES)
    return cab_selection_add (chosen, choice, try, diag);
  if (*choice->arguments)
    return cab_selection_refuse (choice->name, "' takes no arguments: leave them out; known are",
				 diag);
  chosen->settled = true;
  for (const char *s = purposes[i].list; cab_choice_next (&s, &part, diag) > 0;)
    if (cab_selection_add (chosen, &part, try, diag) < 0)
      return -1;
  return 0;
}

/* Refuse ANALYSIS, which needs all events.  Return -1. */
static int
refuse_some (const struct cab_analysis *analysis, struct cab_diag *diag)
{
  const char *sep = "";
  size_t at = cab_choice_append (diag->text, 0, sizeof diag->text, "analysis '", SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text, analysis->name, SIZE_MAX);
  at = cab_choice_append (diag->text, at, sizeof diag->text,
			  "' needs all events, of which sample=PERCENT reads some: leave one out; "
			  "those that can count a share are ", SIZE_MAX);
  for (const struct cab_analysis *const *a = cab_analyses; *a; a++)
    if ((*a)->wants & CAB_TAKES_BURSTS)
      {
	at = cab_choice_append (diag->text, at, sizeof diag->text, sep, SIZE_MAX);
	at = cab_choice_append (diag->text, at, sizeof diag->text, (*a)->name, SIZE_MAX);
	sep = ", ";
      }
  return -1;
}

/* Complete CHOSEN for a run that reads only some events.  Return 0, or -1 with words in DIAG. */
static int
complete_for_bursts (struct cab_selection *chosen, cab_selection_try *try, struct cab_diag *diag)
{
  static const struct cab_choice estimates = { .name = CAB_SELECTION_ESTIMATES };
  for (uint32_t i = 0; i < chosen->n; i++)
    if (!(chosen->v[i].analysis->wants & CAB_TAKES_BURSTS))
      return refuse_some (chosen->v[i].analysis, diag);
  chosen->settled = true;
  return cab_selection_add (chosen, &estimates, try, diag);
}

/* Add ANALYSIS, which gives others a column, unless it is there.  Return 0, or -1 with words in
   DIAG. */
static int
add_giver (struct cab_selection *chosen, const struct cab_analysis *analysis,
	   cab_selection_try *try, struct cab_diag *diag)
{
  static struct cab_choice choice;   /* too large for a small stack */
  if (cab_selection_has (chosen, analysis))
    return 0;
  memset (&choice, 0, sizeof choice);
  memcpy (choice.name, analysis->name, strlen (analysis->name) + 1);
  chosen->settled = true;
  return cab_selection_add (chosen, &choice, try, diag);
}

int
cab_selection_take (struct cab_selection *chosen, const char *names, bool bursts,
		    cab_selection_try *try, struct cab_diag *diag)
{
  static struct cab_choice choice;   /* too large for a small stack */
  const char *s = names && *names ? names : bursts ? CAB_SELECTION_BURSTS : CAB_ANALYSES_DEFAULT;
  int more;
  bool nodes = false, levels = false;
  chosen->n = 0;
  chosen->settled = false;
  diag->text[0] = '\0';
  while ((more = cab_choice_next (&s, &choice, diag)) > 0)
    if (take_one (chosen, &choice, try, diag) < 0)
      return -1;
  if (bursts && more == 0)
    return complete_for_bursts (chosen, try, diag);
  for (uint32_t i = 0; i < chosen->n; i++)
    {
      nodes |= cab_context_wanted (chosen->v[i].analysis) != 0;
      levels |= cab_context_level_wanted (chosen->v[i].analysis) != 0;
    }
  if (more < 0 || (nodes && add_giver (chosen, &cab_tree, try, diag) < 0)
      || (levels && add_giver (chosen, &cab_levels, try, diag) < 0))
    return -1;
  return more;
}

void
cab_selection_text (const struct cab_selection *chosen, char *text, size_t bytes)
{
  size_t at = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < chosen->n; i++)
    {
      at = cab_choice_append (text, at, bytes, i ? "+" : "", SIZE_MAX);
      at = cab_choice_append (text, at, bytes, chosen->v[i].analysis->name, SIZE_MAX);
      at = cab_choice_append (text, at, bytes, *chosen->v[i].arguments ? "," : "", SIZE_MAX);
      for (const char *p = chosen->v[i].arguments; *p; p++)
	at = cab_choice_append (text, at, bytes, *p == ':' ? "," : p, 1);
    }
}
