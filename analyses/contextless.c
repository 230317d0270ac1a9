/* contextless.c - is the calling context known of all accesses and allocations?
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model.h"
#include <inttypes.h>
#include <string.h>
#include "names.h"

/* Is WORD, which begins with a space or =, in TEXT, and ends there or at a space or +? */
static bool
has_word (const char *text, const char *word)
{
  size_t n = strlen (word);
  for (const char *at = text; (at = strstr (at, word)); at++)
    if (!at[n] || at[n] == ' ' || at[n] == '+')
      return true;
  return false;
}

void
cab_model_contextless (const struct cab_model *model, struct cab_contextless *units)
{
  *units = (struct cab_contextless) { 0, 0 };
  for (uint32_t i = 0; i < model->n_notes; i++)
    {
      const struct cab_note *note = &model->notes[i].note;
      bool tells = note->kind == 'U' && (has_word (note->field[3], "=memory") || has_word (note->field[3], "+memory"));
      units->n += tells;
      units->without += tells && !has_word (note->field[3], " context");
    }
}

const char *
cab_model_contextless_text (struct cab_model *model)
{
  struct cab_contextless units;
  cab_model_contextless (model, &units);
  return !units.without ? NULL
	 : cab_names_format (&model->names, "%" PRIu32 " of %" PRIu32 " translation units were compiled without `context': what happens in them is counted for "
			     "the function that was entered last", units.without, units.n);
}
