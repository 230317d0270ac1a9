/* finish_choice.c - which analyses a process was run with: see finish.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/finish/finish.h"
#include <stdio.h>
#include <string.h>
#include "analyses/profile/finish/finish_levels.h"
#include "analyses/profile/finish/finish_rest.h"
#include "analyses/live/user_analysis.h"
#include "analyses/live/an_tree.h"

bool
cab_finish_chose (const struct cab_finish *finish, const char *analysis)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  char name[CAB_OWN_NAME_BYTES];
  while (cab_choice_next (&names, &choice, NULL) > 0)
    {
      cab_user_name (choice.name, name);
      if (!strcmp (name, analysis))
	return true;
    }
  return false;
}

bool
cab_finish_is_split (const struct cab_finish *finish, const struct cab_analysis *analysis)
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  bool by_nodes = analysis == &cab_tree || cab_context_wanted (analysis)
	       || (analysis->wants & CAB_GIVES_LEVEL && cab_finish_wants_levels (finish));
  while (by_nodes && cab_choice_next (&names, &choice, NULL) > 0)
    {
      const struct cab_analysis *other = cab_finish_analysis (choice.name);
      if (other && cab_context_wanted (other) && !other->carry)
	return false;
    }
  return analysis->carry;
}

const char *
cab_finish_arguments (const struct cab_finish *finish, const struct cab_analysis *analysis,
		      char buffer[CAB_CHOICE_BYTES])
{
  const char *names = finish->analyses;
  struct cab_choice choice;
  *buffer = 0;
  while (cab_choice_next (&names, &choice, NULL) > 0)
    if (cab_finish_analysis (choice.name) == analysis)
      {
	snprintf (buffer, CAB_CHOICE_BYTES, "%s", choice.arguments);
	break;
      }
  return buffer;
}

/* Copy the list after the last "analyses=" in the options of the process. */
void
cab_finish_chosen (const char *options, char *names, size_t size)
{
  static const char key[] = "analyses=";
  const char *found = NULL;
  for (const char *at = options; (at = strstr (at, key)); at++)
    if (at == options || at[-1] == ':')
      found = at;
  found = found ? found + strlen (key) : CAB_ANALYSES_DEFAULT;
  snprintf (names, size, "%.*s", (int) strcspn (found, ":"), *found ? found : CAB_ANALYSES_DEFAULT);
}
