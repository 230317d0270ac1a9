/* context_coverage.c - find the translation units whose accesses and allocations have no calling
 * context.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "analyses/profile/context_coverage.h"
#include <inttypes.h>
#include <string.h>
#include "analyses/base/names.h"

/* Return true if TEXT contains WORD, which begins with a space or =, followed by its end, a space
   or +. */
static bool
has_word (const char *text, const char *word)
{
  size_t n = strlen (word);
  for (const char *at = text; (at = strstr (at, word)); at++)
    if (!at[n] || at[n] == ' ' || at[n] == '+')
      return true;
  return false;
}

/* Count the unit that NOTE describes, if it is one of these. */
static void
add_note (struct cab_contextless *units, const struct cab_note *note)
{
  bool tells = note->kind == 'U'
	    && (has_word (note->field[3], "=memory") || has_word (note->field[3], "+memory"));
  units->n += tells;
  units->without += tells && !has_word (note->field[3], " context");
}

void
cab_context_coverage_info (struct cab_contextless *units, struct cab_info *info)
{
  struct cab_diag diag;
  struct cab_note note;
  uint64_t offset = 0, at;
  for (char kind; info->path && (kind = cab_info_next (info, &offset, &at));)
    if (kind == 'U' && cab_info_note (info, at, &note, &diag) == 0)
      add_note (units, &note);
}

const char *
cab_context_coverage_text (struct cab_names *names, const struct cab_contextless *units)
{
  return !units->without ? NULL
			 : cab_names_format (names,
					     "%" PRIu32 " of %" PRIu32
					     " translation units were compiled without `context': "
					     "what happens in them is counted for "
					     "the function that was entered last",
					     units->without, units->n);
}

void
cab_model_contextless (const struct cab_model *model, struct cab_contextless *units)
{
  *units = (struct cab_contextless) { 0, 0 };
  for (uint32_t i = 0; i < model->n_notes; i++)
    add_note (units, &model->notes[i].note);
}

const char *
cab_model_contextless_text (struct cab_model *model)
{
  struct cab_contextless units;
  cab_model_contextless (model, &units);
  return cab_context_coverage_text (&model->names, &units);
}
