/* access_record.cc - writes the lines that describe the events of accesses.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/access_record.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/header_phi.h"
#include "plugin/loops/loop_held.h"
#include "plugin/loops/loop_updates.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/loops_find.h"
#include "plugin/memory/access_iterations.h"
#include "plugin/memory/access_value.h"
#include "plugin/memory/place.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/struct_record.h"
#include "plugin/paths/loopprobes.h"

/* Return the innermost loop that ACCESS is in, or the one that it marks. */
static class loop *
loop_of (const struct cab_memory_access *access)
{
  return access->mark ? access->mark->loop : gimple_bb (access->stmt)->loop_father;
}

/* Number the loops that accesses are in, and those around them: NUMBER[loop->num] becomes 1 + the
   number of the T line. */
static void
number_loops (struct cab_memory *m, vec<unsigned> *number)
{
  number->safe_grow_cleared (number_of_loops (cfun));
  for (struct cab_memory_access &access : m->accesses)
    for (class loop *loop = loop_of (&access); loop_outer (loop); loop = loop_outer (loop))
      (*number)[loop->num] = 1;
  for (unsigned &entry : *number)
    if (entry)
      entry = ++m->n_loops;
}

static void
put_number (struct cab_memory *m, class loop *loop, const vec<unsigned> &number, char after)
{
  if (loop_outer (loop))
    cab_record_put (&m->lines, "%u%c", number[loop->num] - 1, after);
  else
    cab_record_put (&m->lines, "-%c", after);
}

/* Return the index of the access that reads by STMT, or -1. */
static int
find_load (void *host, gimple *stmt)
{
  struct cab_memory *m = (struct cab_memory *) host;
  for (unsigned i = 0; stmt && i < m->accesses.length (); i++)
    if (m->accesses[i].stmt == stmt && m->accesses[i].of == i && !m->accesses[i].mark)
      return i;
  return -1;
}

static void
put_loop (struct cab_memory *m, class loop *loop, const vec<unsigned> &number)
{
  cab_loop_source source = cab_loops_identify (loop);
  const char *own = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl)));
  char *origin = cab_escaped (source.loops ? source.loops->function : own);
  cab_record_put (&m->lines, "T\t%u\t", number[loop->num] - 1);
  if (source.loops)
    {
      cab_source_loop *is = &source.loops->loops[source.index];
      cab_record_put (&m->lines, "%u:%d:%d\t%u", cab_record_file (&m->files, is->place.file),
		      is->place.line, is->place.column, is->ordinal);
    }
  else
    {
      cab_memory_put_place (m, cab_loop_place (loop));
      cab_record_put (&m->lines, "\t?");
    }
  cab_record_put (&m->lines, "\t%s\t", origin);
  put_number (m, loop_outer (loop), number, '\n');
  if (cab_iterations_wanted ())
    cab_loop_held (&m->lines, loop, number[loop->num] - 1, find_load, m);
  free (origin);
}

static void
put_steps (struct cab_memory *m, const struct cab_nest_term *term, const char *before)
{
  for (unsigned k = 0; k < term->n_steps; k++, before = ",")
    if (term->step_word[k] >= 0)
      cab_record_put (&m->lines, "%sw%d", before, term->step_word[k]);
    else
      cab_record_put (&m->lines, "%s" HOST_WIDE_INT_PRINT_DEC, before,
		      (HOST_WIDE_INT) TREE_INT_CST_LOW (term->step[k]));
}

static void
put_term (struct cab_memory *m, const struct cab_nest_term *term)
{
  if (term->word < 0)
    cab_record_put (&m->lines, HOST_WIDE_INT_PRINT_DEC, term->offset);
  else
    cab_record_put (&m->lines, term->offset ? "w%d%+ld" : "w%d", term->word, (long) term->offset);
  put_steps (m, term, ",");
}

static void
put_level (struct cab_memory *m, unsigned region, unsigned number,
	   const struct cab_nest_level *level, const vec<unsigned> &loops)
{
  cab_record_put (&m->lines, level->parent < 0 ? "N\t%u\t%u\t-" : "N\t%u\t%u\t%d", region, number,
		  level->parent);
  cab_record_put (&m->lines, "\t%s\t%u\t", level->how, level->bits);
  put_term (m, &level->left);
  cab_record_put (&m->lines, "\t");
  if (!strcmp (level->how, "loop"))
    cab_record_put (&m->lines, "-");
  else
    put_term (m, &level->right);
  if (level->loop && cab_iterations_wanted ())
    cab_record_put (&m->lines, "\t%u", loops[level->loop->num] - 1);
  cab_record_put (&m->lines, "\n");
}

/* Write the step, or steps, and the part. */
static void
put_passes (struct cab_memory *m, const struct cab_memory_access *access)
{
  if (access->term.n_steps)
    put_steps (m, &access->term, "");
  else if (!access->step)
    cab_record_put (&m->lines, "-");
  else if (access->step_word >= 0)
    cab_record_put (&m->lines, "w%d", access->step_word);
  else
    cab_record_put (&m->lines, HOST_WIDE_INT_PRINT_DEC,
		    (HOST_WIDE_INT) TREE_INT_CST_LOW (access->step));
  cab_record_put (&m->lines, "\t%u\t", access->part);
}

/* Write the field that says which structure ACCESS is to into TO. */
static void
structure_of (const struct cab_memory_access *access, char to[CAB_STRUCT_BYTES])
{
  if (access->ref)
    cab_struct_of_ref (access->ref, access->bytes, to);
  else
    cab_struct_of_pointer (access->pointer, access->length ? 0 : access->bytes, to);
}

/* Write the line of access INDEX, in REGION. */
static void
put_access (struct cab_memory *m, unsigned index, unsigned region, const vec<unsigned> &number)
{
  struct cab_memory_access *access = &m->accesses[index];
  char structure[CAB_STRUCT_BYTES] = "-";
  if (!access->mark)
    structure_of (access, structure);
  cab_record_put (&m->lines, "A\t%u\t%u\t", index, region);
  cab_memory_put_place (m, cab_memory_place_of (access->stmt));
  cab_record_put (&m->lines, "\t%s", access->flags);
  if (access->length_word < 0)
    cab_record_put (&m->lines, "\t" HOST_WIDE_INT_PRINT_UNSIGNED, access->bytes);
  else
    cab_record_put (&m->lines, "g\t%d", access->length_word);
  cab_record_put (&m->lines, access->word < 0 ? "\t-" : "\t%d", access->word);
  cab_record_put (&m->lines, "\t" HOST_WIDE_INT_PRINT_DEC "\t", access->offset);
  put_passes (m, access);
  put_number (m, loop_of (access), number, '\t');
  cab_record_put (&m->lines, access->of == index ? "%s\t%s\n" : "%s\t%s\t%u\n", access->name,
		  structure, access->of);
  if (access->value)
    {
      char letters[4];
      cab_value_letters (access, letters);
      cab_record_put (&m->lines, "V\t%d\t%s\n", access->value_word, letters);
    }
}

/* Write a line for each access that updates memory. */
static void
put_updates (struct cab_memory *m)
{
  for (unsigned i = 0; i < m->accesses.length (); i++)
    {
      struct cab_memory_access *access = &m->accesses[i];
      gimple *load = NULL;
      if (access->mark || access->of != i || !gimple_store_p (access->stmt)
	  || !is_gimple_assign (access->stmt) || !strchr (access->flags, 'w'))
	continue;
      const char *op = cab_update_of (access->stmt, &load);
      if (!op)
	{
	  load = NULL;
	  op = cab_held_update_of (access->stmt);
	}
      int from = find_load (m, load);
      if (!op || (load && from < 0))
	continue;
      bool ordered = cab_phi_is_ordered (TREE_TYPE (gimple_assign_lhs (access->stmt)), op);
      cab_record_put (&m->lines, from < 0 ? "U\t%u\t-" : "U\t%u\t%d", i, from);
      cab_record_put (&m->lines, "\t%s\t%s\n", op, ordered ? "o" : "-");
    }
}

/* Write the accesses of PATH from I on that have a line already and are consecutive, as a run.
   Return the index after it. */
static unsigned
put_run (struct cab_memory *m, const vec<unsigned> &path, unsigned i, const vec<bool> &told)
{
  unsigned first = path[i], last = first;
  while (++i < path.length () && told[path[i]] && path[i] == last + 1)
    last++;
  cab_record_put (&m->lines, last > first ? "%u-%u" : "%u", first, last);
  m->n_copies += last - first + 1;
  return i;
}

/* Write the lines of an acyclic region's REGION; accesses that have a line already get further
   numbers. */
static void
put_path (struct cab_memory *m, unsigned region, vec<bool> *told, const vec<unsigned> &number)
{
  const vec<unsigned> &path = m->regions[region]->path;
  for (unsigned i = 0; i < path.length ();)
    if ((*told)[path[i]])
      {
	cab_record_put (&m->lines, "P\t%u\t%u\t", region, m->accesses.length () + m->n_copies);
	while ((i = put_run (m, path, i, *told)) < path.length () && (*told)[path[i]])
	  cab_record_put (&m->lines, ",");
	cab_record_put (&m->lines, "\n");
      }
    else
      {
	put_access (m, path[i], region, number);
	(*told)[path[i++]] = true;
      }
}

void
cab_accesses_record (struct cab_memory *m)
{
  auto_vec<bool> told;
  auto_vec<unsigned> number;
  told.safe_grow_cleared (m->accesses.length ());
  number_loops (m, &number);
  for (unsigned i = 0; i < m->regions.length (); i++)
    {
      struct cab_memory_region *region = m->regions[i];
      unsigned level = 0;
      cab_record_put (&m->lines,
		      region->is_nest ? "R\t%u\t%u\tnest\n"
		      : region->loop ? "R\t%u\t%u\t%d\n"
		      : "R\t%u\t%u\t-\n",
		      i, region->words.length (), region->count);
      for (unsigned k = 0; k < region->n; k++)
	{
	  for (; level < region->levels.length () && region->levels[level].before == k; level++)
	    put_level (m, i, level, &region->levels[level], number);
	  put_access (m, region->first + k, i, number);
	}
      put_path (m, i, &told, number);
    }
  if (cab_iterations_wanted ())
    put_updates (m);
  CAB_EACH_LOOP (loop)
    if (number[loop->num])
      put_loop (m, loop, number);
}
