/* loop_table_facts.c - what records say of loops without running them: the c, v, d, k and u lines.
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

/* Read a callee, of a loop or function that has *N so far. */
static bool
read_callee (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t *n)
{
  struct cab_loop_callee k = { .name = cab_loop_record_text (&table->names, r, 3) };
  k.class = index_of (cab_loop_record_text (&table->names, r, 2), callee_names,
		      CAB_CALLEE_UNKNOWN + 1);
  if (!cab_loop_record_number (r, 4, 10, &k.line))
    return false;
  const char *flags = r->n_fields > 5 ? cab_loop_record_text (&table->names, r, 5) : "p";
  k.never_returns = strchr (flags, 'n');
  k.builtin = strchr (flags, 'b');
  k.takes_address = k.builtin || strchr (flags, 'p');
  table->callee = room (table->callee, table->n_callees, sizeof k);
  table->callee[table->n_callees++] = k;
  ++*n;
  return true;
}

static void
read_aggregate (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t loop)
{
  const char *flags = cab_loop_record_text (&table->names, r, 3);
  table->aggregate = room (table->aggregate, table->n_aggregates, sizeof *table->aggregate);
  table->aggregate[table->n_aggregates++]
    = (struct cab_loop_aggregate) { cab_loop_record_text (&table->names, r, 2),
				    strchr (flags, 'a'), strchr (flags, 'g'), strchr (flags, 'd') };
  table->loop[loop].n_aggregates++;
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
  loop->first_aggregate = table->n_aggregates;
  return true;
}

/* Add FUNCTION, whose record has the N loops NUMBERS. */
static void
add_function (struct cab_loop_table *table, const char *function, const uint32_t *numbers,
	      uint32_t n)
{
  table->function = room (table->function, table->n_functions, sizeof *table->function);
  table->function[table->n_functions++]
    = (struct cab_loop_function) { function, table->n_callees, 0, table->n_own_loops, n };
  for (uint32_t i = 0; i < n; i++)
    {
      table->own_loop = room (table->own_loop, table->n_own_loops, sizeof *numbers);
      table->own_loop[table->n_own_loops++] = numbers[i];
    }
}

const struct cab_loop_file *
cab_loop_table_file (const struct cab_loop_table *table, const char *path)
{
  for (uint32_t i = 0; i < table->n_files; i++)
    if (!strcmp (table->file[i].path, path))
      return &table->file[i];
  return NULL;
}

/* Read the hash of a source file, an f line. */
static void
read_file (struct cab_loop_table *table, const struct cab_loop_record *r)
{
  const char *path = cab_loop_record_text (&table->names, r, 1);
  uint64_t hash = strtoull (cab_loop_record_text (&table->names, r, 2), NULL, 16);
  for (uint32_t i = 0; i < table->n_files; i++)
    if (!strcmp (table->file[i].path, path))
      {
	if (table->file[i].hash != hash)
	  table->file[i].hash = 0;
	return;
      }
  table->file = room (table->file, table->n_files, sizeof *table->file);
  table->file[table->n_files++] = (struct cab_loop_file) { path, hash };
}

/* Read the calls of the record R that are in no loop. */
static bool
read_calls (struct cab_loop_table *table, struct cab_loop_record r)
{
  uint32_t *n = &table->function[table->n_functions - 1].n_callees;
  while (cab_loop_record_next (&r))
    if (cab_loop_record_is (&r, 'k', 5) && r.length[1] == 1 && *r.field[1] == '-'
	&& !read_callee (table, &r, n))
      return false;
  return true;
}

/* Read the line R of loop LOOP, which is new. */
static bool
read_line (struct cab_loop_table *table, const struct cab_loop_record *r, uint32_t loop)
{
  switch (*r->field[0])
    {
    case 'v': return read_variable (table, r, loop);
    case 'k': return read_callee (table, r, &table->loop[loop].n_callees);
    case 'u': return read_update (table, r, loop);
    case 'd': read_aggregate (table, r, loop); return true;
    default: return true;
    }
}

bool
cab_loop_table_read_facts (struct cab_loop_table *table, struct cab_loop_record r,
			   const char *function, const uint32_t *numbers, uint32_t n)
{
  struct cab_loop_record from = r;
  uint32_t present = CAB_NO_LOOP, i;
  bool is_new = false, good = true, has_facts = !n;
  while (good && cab_loop_record_next (&r))
    {
      bool c = cab_loop_record_is (&r, 'c', 3);
      if (cab_loop_record_is (&r, 'f', 3))
	read_file (table, &r);
      if ((!c && !cab_loop_record_is (&r, 'v', 7) && !cab_loop_record_is (&r, 'k', 5)
	   && !cab_loop_record_is (&r, 'u', 6) && !cab_loop_record_is (&r, 'd', 4))
	  || (r.length[1] == 1 && *r.field[1] == '-'))
	continue;
      if (!cab_loop_record_number (&r, 1, 10, &i) || i >= n || (!c && i != present))
	return false;
      if (c)
	{
	  present = i;
	  has_facts = true;
	  is_new = begin (table, &r, numbers[i]);
	}
      else if (is_new)
	good = read_line (table, &r, numbers[i]);
    }
  if (good && has_facts)
    {
      add_function (table, function, numbers, n);
      good = read_calls (table, from);
    }
  return good;
}
