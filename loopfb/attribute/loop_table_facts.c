/* loop_table_facts.c - what records say of loops without running them: the c, v, k and u lines.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/attribute/loop_table_facts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>

static const char *const scalar_names[] = {
  [CAB_SCALAR_INDUCTION] = "induction",	    [CAB_SCALAR_REDUCTION] = "reduction",
  [CAB_SCALAR_CARRIED] = "carried",	    [CAB_SCALAR_PRIVATE] = "private",
  [CAB_SCALAR_FIRSTPRIVATE] = "firstprivate", [CAB_SCALAR_LASTPRIVATE] = "lastprivate",
  [CAB_SCALAR_CONDITIONAL] = "conditional",   [CAB_SCALAR_SHARED] = "shared",
  [CAB_SCALAR_UNKNOWN] = "?"
};
static const char *const callee_names[] = {
  [CAB_CALLEE_PURE] = "pure",
  [CAB_CALLEE_KNOWN] = "known",
  [CAB_CALLEE_ALLOCATION] = "allocation",
  [CAB_CALLEE_IO] = "io",
  [CAB_CALLEE_STATE] = "state",
  [CAB_CALLEE_PROBED] = "probed",
  [CAB_CALLEE_UNKNOWN] = "unknown"
};

const char *
cab_scalar_class_name (enum cab_scalar_class class)
{
  return scalar_names[class];
}

const char *
cab_callee_class_name (enum cab_callee_class class)
{
  return callee_names[class];
}

/* Return the index of TEXT among the N NAMES, the last of which stands for all others. */
static int
index_of (const char *text, const char *const *names, int n)
{
  int i = 0;
  while (i < n - 1 && strcmp (text, names[i]))
    i++;
  return i;
}

static uint32_t
flags_of (const char *text)
{
  uint32_t flags = 0;
  for (int i = 0; i < CAB_SCALAR_FLAGS; i++)
    if (strchr (text, CAB_SCALAR_LETTERS[i]))
      flags |= 1u << i;
  return flags;
}

/* Return ARRAY, of N elements of BYTES bytes, with room for one more. */
static void *
room (void *array, uint32_t n, size_t bytes)
{
  return n & (n - 1) ? array : xrealloc (array, (n ? 2 * (size_t) n : 1) * bytes);
}

static bool
read_variable (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t loop)
{
  struct cab_loop_variable v = { .name = cab_loop_record_text (&table->names, r, 3),
				 .how = cab_loop_record_text (&table->names, r, 5) };
  v.class = index_of (cab_loop_record_text (&table->names, r, 2), scalar_names,
		      CAB_SCALAR_UNKNOWN + 1);
  v.flags = flags_of (cab_loop_record_text (&table->names, r, 6));
  if (!cab_loop_record_number (r, 4, 10, &v.line))
    return false;
  table->variable = room (table->variable, table->n_variables, sizeof v);
  table->variable[table->n_variables++] = v;
  table->loop[loop].n_variables++;
  return true;
}

static bool
read_callee (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t loop)
{
  struct cab_loop_callee k = { .name = cab_loop_record_text (&table->names, r, 3) };
  k.class = index_of (cab_loop_record_text (&table->names, r, 2), callee_names,
		      CAB_CALLEE_UNKNOWN + 1);
  if (!cab_loop_record_number (r, 4, 10, &k.line))
    return false;
  table->callee = room (table->callee, table->n_callees, sizeof k);
  table->callee[table->n_callees++] = k;
  table->loop[loop].n_callees++;
  return true;
}

/* Read field I, "line:column". */
static bool
read_spot (const struct cab_loop_record *r, int i, uint32_t *line, uint32_t *column)
{
  char copy[32];
  int n = 0;
  if (r->length[i] >= sizeof copy)
    return false;
  memcpy (copy, r->field[i], r->length[i]);
  copy[r->length[i]] = 0;
  return strspn (copy, "0123456789:") == r->length[i]
      && sscanf (copy, "%9u:%9u%n", line, column, &n) == 2 && !copy[n];
}

static bool
read_update (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t loop)
{
  struct cab_loop_update u = { .op = cab_loop_record_text (&table->names, r, 2) };
  u.ordered = r->length[5] == 1 && *r->field[5] == 'o';
  if (!read_spot (r, 3, &u.store_line, &u.store_column)
      || !read_spot (r, 4, &u.load_line, &u.load_column))
    return false;
  table->update = room (table->update, table->n_updates, sizeof u);
  table->update[table->n_updates++] = u;
  table->loop[loop].n_updates++;
  return true;
}

/* Begin with the facts of LOOP.  Return false if an equal record has given them already. */
static bool
begin (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t number)
{
  struct cab_loop *loop = &table->loop[number];
  if (loop->form)
    return false;
  loop->form = cab_loop_record_text (&table->names, r, 2);
  loop->first_variable = table->n_variables;
  loop->first_callee = table->n_callees;
  loop->first_update = table->n_updates;
  return true;
}

bool
cab_loop_table_read_facts (struct cab_loop_table *table, struct cab_loop_record r,
			   const uint32_t *numbers, uint32_t n)
{
  uint32_t present = CAB_NO_LOOP, i;
  bool is_new = false, good = true;
  while (good && cab_loop_record_next (&r))
    {
      bool c = cab_loop_record_is (&r, 'c', 3), v = cab_loop_record_is (&r, 'v', 7),
	   k = cab_loop_record_is (&r, 'k', 5), u = cab_loop_record_is (&r, 'u', 6);
      if (!c && !v && !k && !u)
	continue;
      if (!cab_loop_record_number (&r, 1, 10, &i) || i >= n || (!c && i != present))
	return false;
      if (c)
	{
	  present = i;
	  is_new = begin (table, &r, numbers[i]);
	}
      else if (is_new)
	good = v ? read_variable (table, &r, numbers[i])
	     : k ? read_callee (table, &r, numbers[i])
		 : read_update (table, &r, numbers[i]);
    }
  return good;
}
