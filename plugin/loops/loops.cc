/* loops.cc - the table of a function's source loops, made right after the pass "ssa".
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loops.h"
#include "plugin/emit/options.h"
#include "plugin/loops/feedback.h"
#include "plugin/loops/loop_facts.h"
#include "plugin/loops/loops_lto.h"
#include "cabprof/loops.h"

static vec<cab_source_loops *> tables;
static hash_map<int_hash<unsigned, 0>, cab_source_loops *> *table_of;

const vec<cab_source_loops *> &
cab_loops_all (void)
{
  return tables;
}

static void
keep (unsigned uid, cab_source_loops *table)
{
  if (!table_of)
    table_of = new hash_map<int_hash<unsigned, 0>, cab_source_loops *>;
  table_of->put (uid, table);
}

cab_source_loops *
cab_loops_of (tree fndecl)
{
  cab_source_loops **known = table_of ? table_of->get (DECL_UID (fndecl)) : NULL;
  if (known)
    return *known;
  if (DECL_ORIGIN (fndecl) != fndecl)
    return cab_loops_of (DECL_ORIGIN (fndecl));
  if (!in_lto_p)
    return NULL;
  cab_source_loops *table = cab_loops_attached (fndecl);
  keep (DECL_UID (fndecl), table);
  return table;
}

uint64_t
cab_source_key (const cab_source_loops *loops, const cab_source_loop *loop)
{
  const char *file = loop->place.file ? remap_debug_filename (loop->place.file) : "?";
  return cab_loop_key (loops->function, file, loop->place.line, loop->place.column, loop->ordinal);
}

/* Return the pure location of STMT, or UNKNOWN_LOCATION. */
static location_t
place_of (gimple *stmt)
{
  location_t where = gimple_location (stmt);
  if (is_gimple_debug (stmt) || RESERVED_LOCATION_P (LOCATION_LOCUS (where)))
    return UNKNOWN_LOCATION;
  return get_pure_location (where);
}

static location_t
first_place (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (location_t where = place_of (gsi_stmt (gsi)))
      return where;
  return UNKNOWN_LOCATION;
}

/* Return true if BB ends in a test that may leave LOOP. */
static bool
is_exit_test (class loop *loop, basic_block bb)
{
  gimple *last = cab_last_stmt (bb);
  edge e;
  edge_iterator ei;
  if (last && gimple_code (last) == GIMPLE_COND && place_of (last))
    FOR_EACH_EDGE (e, ei, bb->succs)
      if (!flow_bb_inside_loop_p (loop, e->dest))
	return true;
  return false;
}

/* Return where LOOP begins for its reader: at the condition at the top, or else at the first
   statement.  (A loop of one block has its condition at the bottom.) */
static location_t
header_place (class loop *loop)
{
  if (loop->latch != loop->header && is_exit_test (loop, loop->header))
    return place_of (cab_last_stmt (loop->header));
  location_t where = first_place (loop->header);
  if (where)
    return where;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes && !where; i++)
    where = first_place (body[i]);
  free (body);
  return where;
}

/* Return the number of different blocks to which LOOP exits.  Exits by exceptions and the like are
   not counted, because options decide about them. */
static unsigned
n_exits (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  hash_set<basic_block> seen;
  for (edge e : exits)
    if (!(e->flags & EDGE_COMPLEX))
      seen.add (e->dest);
  return seen.elements ();
}

static unsigned
mix_in (unsigned h, unsigned value)
{
  for (int i = 0; i < 4; i++, value >>= 8)
    h = (h ^ (value & 255)) * 16777619u;
  return h;
}

static unsigned
name_hash (const char *name)
{
  unsigned h = 2166136261u;
  for (; *name; name++)
    h = (h ^ (unsigned char) *name) * 16777619u;
  return h;
}

/* Return a hash of the name of FNDECL, without the prefix by which the C library's headers choose
   an edition of the standard: newer headers choose another one for the same call. */
static unsigned
callee_hash (tree fndecl)
{
  const char *name = targetm.strip_name_encoding (
    IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl)));
  for (const char *prefix : { "__isoc99_", "__isoc23_" })
    if (!strncmp (name, prefix, strlen (prefix)))
      name += strlen (prefix);
  return name_hash (name);
}

/* Return a hash of the calls in LOOP, but not in loops inside, that does not depend on their
   order.  Builtins are left out: the level of optimisation decides what becomes of them. */
static unsigned
calls_hash (class loop *loop)
{
  unsigned sum = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]);
	 body[i]->loop_father == loop && !gsi_end_p (gsi); gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (gimple_code (stmt) != GIMPLE_CALL || gimple_call_internal_p (stmt))
	  continue;
	tree callee = gimple_call_fndecl (stmt);
	if (!callee)
	  sum += name_hash ("*");
	else if (!fndecl_built_in_p (callee))
	  sum += callee_hash (callee);
      }
  free (body);
  return sum;
}

static int
compare_places (const void *a, const void *b)
{
  const cab_source_place *x = (const cab_source_place *) a, *y = (const cab_source_place *) b;
  if (x->where != y->where)
    return x->where < y->where ? -1 : 1;
  return x->loop - y->loop;
}

struct sibling
{
  class loop *loop;
  expanded_location place;
};

static int
compare_siblings (const void *a, const void *b)
{
  const struct sibling *x = (const struct sibling *) a, *y = (const struct sibling *) b;
  int files = strcmp (x->place.file ? x->place.file : "", y->place.file ? y->place.file : "");
  if (files)
    return files;
  if (x->place.line != y->place.line)
    return x->place.line - y->place.line;
  if (x->place.column != y->place.column)
    return x->place.column - y->place.column;
  return x->loop->num - y->loop->num;
}

/* Add the loops inside LOOP, whose index is PARENT, to TABLE in source order, each before its inner
   loops.  Return a hash of their shapes. */
static unsigned
add_loops (cab_source_loops *table, class loop *loop, int parent)
{
  auto_vec<struct sibling> siblings;
  unsigned h = 2166136261u;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    siblings.safe_push ({ inner, expand_location (header_place (inner)) });
  siblings.qsort (compare_siblings);
  for (const struct sibling &s : siblings)
    {
      int index = table->loops.length ();
      cab_source_loop source = {};
      source.where = header_place (s.loop);
      source.place = source.first = source.last = s.place;
      source.parent = parent;
      source.depth = loop_depth (s.loop);
      source.num = s.loop->num;
      table->loops.safe_push (source);
      if (parent >= 0)
	table->loops[parent].n_children++;
      unsigned inner = add_loops (table, s.loop, index);
      table->loops[index].checksum = mix_in (
	mix_in (mix_in (2166136261u, n_exits (s.loop)), calls_hash (s.loop)), inner);
      h = mix_in (h, table->loops[index].checksum);
    }
  return h;
}

static bool
same_place (const cab_source_loop *a, const cab_source_loop *b)
{
  return a->place.line == b->place.line && a->place.column == b->place.column
      && (a->place.file == b->place.file
	  || (a->place.file && b->place.file && !strcmp (a->place.file, b->place.file)));
}

static bool
is_inside (cab_source_loops *table, int inner, int outer)
{
  while (inner >= 0 && inner != outer)
    inner = table->loops[inner].parent;
  return inner == outer;
}

/* Set the ordinals, and mark loops that cannot be distinguished: those without a place, and those
   with exactly the place of another loop that is not around them (a destructor's loop that the
   compiler has written twice).  Loops of one macro have one place for the reader, but not for the
   compiler. */
static void
number_equals (cab_source_loops *table)
{
  for (unsigned i = 0; i < table->loops.length (); i++)
    {
      cab_source_loop *loop = &table->loops[i];
      if (!loop->where)
	loop->flags |= CAB_SOURCE_UNTOLD;
      for (unsigned k = 0; k < i; k++)
	if (same_place (loop, &table->loops[k]))
	  {
	    loop->ordinal++;
	    if (loop->where == table->loops[k].where && !is_inside (table, i, k))
	      {
		loop->flags |= CAB_SOURCE_UNTOLD;
		table->loops[k].flags |= CAB_SOURCE_UNTOLD;
	      }
	  }
    }
}

/* Return the index of the loop with number NUM, or -1 if there is none. */
static int
index_of (cab_source_loops *table, int num)
{
  for (unsigned i = 0; i < table->loops.length (); i++)
    if (table->loops[i].num == num)
      return i;
  return -1;
}

/* Extend the text of loop INDEX, and of those around it, to WHERE, the place of a statement in
   it. */
static void
note_place (cab_source_loops *table, int index, location_t where)
{
  expanded_location x = expand_location (where);
  for (; index >= 0; index = table->loops[index].parent)
    {
      cab_source_loop *loop = &table->loops[index];
      if (!loop->place.file || !x.file || strcmp (loop->place.file, x.file))
	continue;
      if (x.line < loop->first.line
	  || (x.line == loop->first.line && x.column < loop->first.column))
	loop->first = x;
      if (x.line > loop->last.line || (x.line == loop->last.line && x.column > loop->last.column))
	loop->last = x;
    }
}

static void
add_places (cab_source_loops *table)
{
  basic_block bb;
  auto_vec<bool> plain;   /* by index: the loop holds something that is not from a macro */
  plain.safe_grow_cleared (table->loops.length ());
  FOR_EACH_BB_FN (bb, cfun)
    {
      int index = loop_depth (bb->loop_father) ? index_of (table, bb->loop_father->num) : -1;
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); index >= 0 && !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (location_t where = place_of (gsi_stmt (gsi)))
	  {
	    table->places.safe_push ({ where, index });
	    note_place (table, index, where);
	    plain[index] |= !from_macro_expansion_at (where);
	  }
    }
  table->places.qsort (compare_places);
  unsigned n = 0;
  for (unsigned i = 0; i < table->places.length (); i++)
    if (!n || compare_places (&table->places[n - 1], &table->places[i]))
      table->places[n++] = table->places[i];
  table->places.truncate (n);
  for (unsigned i = 0; i < table->loops.length (); i++)
    {
      cab_source_loop *loop = &table->loops[i];
      loop->last_line = loop->last.line;
      if (!plain[i] && from_macro_expansion_at (loop->where))
	loop->flags |= CAB_SOURCE_MACRO;
    }
}

static cab_source_loops *
make_table (void)
{
  cab_source_loops *table = XCNEW (cab_source_loops);
  table->uid = DECL_UID (cfun->decl);
  table->declared = DECL_SOURCE_LOCATION (cfun->decl);
  table->function = xstrdup (
    targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl))));
  table->name = xstrdup (lang_hooks.decl_printable_name (cfun->decl, 2));
  add_loops (table, current_loops->tree_root, -1);
  number_equals (table);
  add_places (table);
  return table;
}

static unsigned
run_pass (void)
{
  if (!current_loops || seen_error ())
    return 0;
  bool had_dominators = dom_info_available_p (CDI_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    fix_loop_structure (NULL);
  bool has_loops = number_of_loops (cfun) > 1, facts = cab_opts.events & CAB_EVENTS_LOOPS;
  cab_source_loops *table = has_loops || facts ? make_table () : NULL;
  if (table)
    tables.safe_push (table);
  if (facts)
    cab_loop_facts (table);
  if (has_loops)
    keep (table->uid, table);
  else
    table = NULL;   /* it is there for its calls alone */
  cab_feedback_apply (table);
  if (table && flag_generate_lto)
    cab_loops_attach (table, cfun->decl);
  if (!had_dominators)
    free_dominance_info (CDI_DOMINATORS);
  return 0;
}

static const pass_data loops_pass_data =
{
  GIMPLE_PASS, "cabprof_loops", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_loops, 0, 0, 0, 0
};

class loops_pass : public gimple_opt_pass
{
public:
  loops_pass () : gimple_opt_pass (loops_pass_data, g) {}
  unsigned int execute (function *) final override { return run_pass (); }
};

opt_pass *
cab_loops_pass (void)
{
  return new loops_pass;
}
