/* loop_facts.cc - the scalars of source loops; see loop_facts.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_facts.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/header_phi.h"
#include "plugin/loops/loop_calls.h"
#include "plugin/loops/loop_form.h"
#include "plugin/loops/loop_updates.h"

#define RESULT "__result_"

/* A variable that a loop uses. */
struct used
{
  tree decl;
  gphi *phi;                   /* of the loop's header, or null */
  bool in_memory, written, escapes, after;
  int first_write, first_read; /* lines; 0: unknown or none */
};

/* A loop while its variables are gathered. */
struct gathering
{
  const cab_source_loop *source;
  class loop *loop;
  struct cab_loop_control control;
  vec<struct used> *variables;
  hash_map<tree, unsigned> index;
  auto_vec<tree> aggregates;   /* arrays and structures that are variables of the source */
};

static struct used *
variable (struct gathering *g, tree decl)
{
  bool known;
  unsigned &at = g->index.get_or_insert (decl, &known);
  if (!known)
    {
      struct used used = {};
      used.decl = decl;
      at = g->variables->length ();
      g->variables->safe_push (used);
    }
  return &(*g->variables)[at];
}

/* Return true if DECL is what a function of Fortran returns; it has the function's name. */
static bool
is_result (tree decl)
{
  return !strncmp (IDENTIFIER_POINTER (DECL_NAME (decl)), RESULT, strlen (RESULT));
}

static bool
is_of_source (tree decl)
{
  return decl && DECL_P (decl) && DECL_NAME (decl) && !DECL_IGNORED_P (decl)
      && (!DECL_ARTIFICIAL (decl) || TREE_CODE (decl) == RESULT_DECL || is_result (decl));
}

/* Return true if DECL is a parameter that stands for a variable elsewhere. */
static bool
is_reference (tree decl)
{
  return TREE_CODE (TREE_TYPE (decl)) == REFERENCE_TYPE
      || ((TREE_CODE (decl) == PARM_DECL || TREE_CODE (decl) == RESULT_DECL)
	  && DECL_BY_REFERENCE (decl));
}

/* Return the variable of the source that the register NAME is, or null. */
static tree
register_variable (tree name)
{
  tree decl = SSA_NAME_VAR (name);
  return is_of_source (decl) && !is_reference (decl) ? decl : NULL_TREE;
}

/* Return the scalar variable in memory that BASE, of a load or store, is, or null. */
static tree
memory_variable (tree base)
{
  if (TREE_CODE (base) == MEM_REF && TREE_CODE (TREE_OPERAND (base, 0)) == SSA_NAME)
    {
      tree decl = SSA_NAME_VAR (TREE_OPERAND (base, 0));
      return is_of_source (decl) && is_reference (decl)
	      && is_gimple_reg_type (TREE_TYPE (TREE_TYPE (decl)))
	     ? decl
	     : NULL_TREE;
    }
  return is_of_source (base) && (VAR_P (base) || TREE_CODE (base) == PARM_DECL)
	  && is_gimple_reg_type (TREE_TYPE (base)) && !is_reference (base)
	 ? base
	 : NULL_TREE;
}

static int
line_of (gimple *stmt)
{
  return stmt ? expand_location (gimple_location (stmt)).line : 0;
}

/* Set *FIRST to the line of STMT if that precedes it. */
static void
note_line (int *first, gimple *stmt)
{
  int line = line_of (stmt);
  if (line && (!*first || line < *first))
    *first = line;
}

static void
note_write (struct used *used, gimple *stmt)
{
  used->written = true;
  note_line (&used->first_write, stmt);
}

static void
note_read (struct used *used, gimple *stmt)
{
  note_line (&used->first_read, stmt);
}

/* Note BASE, of a load or store, if it is an array or a structure. */
static void
note_aggregate (struct gathering *g, tree base)
{
  if (is_of_source (base) && (VAR_P (base) || TREE_CODE (base) == PARM_DECL)
      && AGGREGATE_TYPE_P (TREE_TYPE (base)) && !is_empty_type (TREE_TYPE (base))
      && !g->aggregates.contains (base))
    g->aggregates.safe_push (base);
}

static bool
visit_load (gimple *stmt, tree base, tree, void *data)
{
  note_aggregate ((struct gathering *) data, base);
  if (tree decl = memory_variable (base))
    {
      struct used *used = variable ((struct gathering *) data, decl);
      used->in_memory = true;
      note_read (used, stmt);
    }
  return false;
}

static bool
visit_store (gimple *stmt, tree base, tree, void *data)
{
  note_aggregate ((struct gathering *) data, base);
  if (tree decl = memory_variable (base))
    {
      struct used *used = variable ((struct gathering *) data, decl);
      used->in_memory = true;
      note_write (used, stmt);
    }
  return false;
}

static bool
visit_address (gimple *stmt, tree base, tree, void *data)
{
  note_aggregate ((struct gathering *) data, base);
  if (tree decl = memory_variable (base))
    {
      struct used *used = variable ((struct gathering *) data, decl);
      used->in_memory = used->escapes = true;
      note_read (used, stmt);
    }
  return false;
}

/* Return true if NAME, which the loop makes, is used after it. */
static bool
is_used_after (class loop *loop, tree name)
{
  use_operand_p use;
  imm_use_iterator iter;
  FOR_EACH_IMM_USE_FAST (use, iter, name)
    {
      gimple *stmt = USE_STMT (use);
      if (is_gimple_debug (stmt))
	continue;
      basic_block bb = gimple_bb (stmt);
      if (gphi *phi = dyn_cast<gphi *> (stmt))
	bb = gimple_phi_arg_edge (phi, PHI_ARG_INDEX_FROM_USE (use))->src;
      if (!flow_bb_inside_loop_p (loop, bb)
	  || (is_a<gphi *> (stmt) && !flow_bb_inside_loop_p (loop, gimple_bb (stmt))))
	return true;
    }
  return false;
}

/* Note that the loop makes NAME; STMT is null for a PHI. */
static void
note_made (struct gathering *g, tree name, gimple *stmt)
{
  tree decl = register_variable (name);
  if (!decl)
    return;
  struct used *used = variable (g, decl);
  used->after |= is_used_after (g->loop, name);
  if (stmt)
    note_write (used, stmt);
}

static void
gather_statement (struct gathering *g, gimple *stmt)
{
  tree name;
  ssa_op_iter iter;
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt))
    return;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (tree decl = register_variable (name))
      note_read (variable (g, decl), stmt);
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_DEF)
    note_made (g, name, stmt);
  walk_stmt_load_store_addr_ops (stmt, g, visit_load, visit_store, visit_address);
}

static void
gather_block (struct gathering *g, basic_block bb)
{
  for (gphi_iterator gsi = gsi_start_phis (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!virtual_operand_p (gimple_phi_result (gsi.phi ())))
      {
	note_made (g, gimple_phi_result (gsi.phi ()), NULL);
	tree decl = register_variable (gimple_phi_result (gsi.phi ()));
	if (decl && bb == g->loop->header)
	  variable (g, decl)->phi = gsi.phi ();
      }
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    gather_statement (g, gsi_stmt (gsi));
}

static int
compare_variables (const void *a, const void *b)
{
  const struct used *x = (const struct used *) a, *y = (const struct used *) b;
  int order = strcmp (IDENTIFIER_POINTER (DECL_NAME (x->decl)),
		      IDENTIFIER_POINTER (DECL_NAME (y->decl)));
  return order ? order : (int) DECL_UID (x->decl) - (int) DECL_UID (y->decl);
}

static void
gather (struct gathering *g)
{
  basic_block *body = get_loop_body (g->loop);
  for (unsigned i = 0; i < g->loop->num_nodes; i++)
    gather_block (g, body[i]);
  free (body);
  g->variables->qsort (compare_variables);
}

/* Return the class of a variable that is a register. */
static const char *
register_class (const struct used *used, const struct cab_phi_kind *kind)
{
  static const char *const names[] = { "induction", "reduction", "lastprivate", "conditional",
				       "firstprivate", "carried" };
  return used->phi	 ? names[kind->is]
       : !used->written ? "firstprivate"
       : used->after	 ? "lastprivate"
			 : "private";
}

/* Write the step of an induction of TYPE, of pointers in elements. */
static void
put_step (struct obstack *ob, tree type, const struct cab_phi_step *step)
{
  HOST_WIDE_INT n = step->constant, size = 1;
  if (POINTER_TYPE_P (type) && COMPLETE_TYPE_P (TREE_TYPE (type))
      && tree_fits_shwi_p (TYPE_SIZE_UNIT (TREE_TYPE (type))))
    size = tree_to_shwi (TYPE_SIZE_UNIT (TREE_TYPE (type)));
  if (step->symbol || !size || n % size)
    cab_record_put (ob, "?");
  else
    cab_record_put (ob, HOST_WIDE_INT_PRINT_DEC, n / size);
}

/* Return true if USED is declared within the text of the loop. */
static bool
is_declared_inside (const cab_source_loop *loop, tree decl)
{
  expanded_location x = expand_location (DECL_SOURCE_LOCATION (decl));
  if (!x.file || !loop->place.file || strcmp (x.file, loop->place.file) || is_global_var (decl)
      || TREE_CODE (decl) != VAR_DECL)
    return false;
  bool before = x.line < loop->place.line
	     || (x.line == loop->place.line && x.column < loop->place.column);
  bool behind = x.line > loop->last.line
	     || (x.line == loop->last.line && x.column > loop->last.column);
  return !before && !behind;
}

/* Return true if the test of the loop counts by USED. */
static bool
is_control (const struct gathering *g, const struct used *used)
{
  return g->control.by
      && g->control.by == (used->phi ? gimple_phi_result (used->phi) : used->decl);
}

static void
put_flags (struct obstack *ob, const struct gathering *g, const struct used *used, bool ordered)
{
  char flags[8], *end = flags;
  if (is_control (g, used))
    *end++ = 'c';
  if (ordered)
    *end++ = 'o';
  if (used->after)
    *end++ = 'a';
  if (used->in_memory && used->written)
    *end++ = 'w';
  if (used->escapes)
    *end++ = 'e';
  if (is_declared_inside (g->source, used->decl))
    *end++ = 'd';
  if (end == flags)
    *end++ = '-';
  *end = 0;
  cab_record_put (ob, "\t%s\n", flags);
}

static const char *
name_of (tree decl)
{
  return IDENTIFIER_POINTER (DECL_NAME (decl)) + (is_result (decl) ? strlen (RESULT) : 0);
}

static void
put_variable (struct obstack *ob, unsigned number, const struct gathering *g,
	      const struct used *used)
{
  struct cab_phi_kind kind = {};
  bool counts_in_memory = used->in_memory && is_control (g, used);
  if (used->phi)
    kind = cab_phi_classify (g->loop, used->phi);
  int line = line_of (kind.writes);
  line = line		      ? line
       : used->first_write ? used->first_write
			    : used->first_read;
  char *name = cab_escaped (name_of (used->decl));
  cab_record_put (ob, "v\t%u\t%s\t%s\t%d\t", number,
		  counts_in_memory  ? "induction"
		  : used->in_memory ? "shared"
				    : register_class (used, &kind),
		  name, line);
  free (name);
  if (counts_in_memory)
    put_step (ob, TREE_TYPE (used->decl), &g->control.step);
  else if (used->phi && kind.is == CAB_PHI_INDUCTION)
    put_step (ob, TREE_TYPE (used->decl), &kind.step);
  else
    cab_record_put (ob, "%s", kind.op ? kind.op : "-");
  put_flags (ob, g, used, kind.ordered);
}

/* Write a line for each register that the compiler has made and that one iteration hands to the
   next. */
static void
put_unnamed (struct obstack *ob, unsigned number, class loop *loop)
{
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      tree name = gimple_phi_result (gsi.phi ());
      if (virtual_operand_p (name) || register_variable (name))
	continue;
      struct cab_phi_kind kind = cab_phi_classify (loop, gsi.phi ());
      if (kind.is == CAB_PHI_CARRIED)
	cab_record_put (ob, "v\t%u\tcarried\t<temporary>\t%d\t-\t-\n", number,
			line_of (kind.writes));
    }
}

static int
compare_names (const void *a, const void *b)
{
  tree x = *(const tree *) a, y = *(const tree *) b;
  int order = strcmp (IDENTIFIER_POINTER (DECL_NAME (x)), IDENTIFIER_POINTER (DECL_NAME (y)));
  return order ? order : (int) DECL_UID (x) - (int) DECL_UID (y);
}

/* Write a line for each array and structure. */
static void
put_aggregates (struct obstack *ob, unsigned number, struct gathering *g)
{
  g->aggregates.qsort (compare_names);
  for (tree decl : g->aggregates)
    {
      bool plain = TREE_CODE (TREE_TYPE (decl)) == ARRAY_TYPE
		&& !AGGREGATE_TYPE_P (strip_array_types (TREE_TYPE (decl)));
      char *name = cab_escaped (name_of (decl));
      cab_record_put (ob, "d\t%u\t%s\t%s%s%s\n", number, name, plain ? "a" : "s",
		      is_global_var (decl) ? "g" : "",
		      is_declared_inside (g->source, decl) ? "d" : "");
      free (name);
    }
}

static void
put_loop (struct obstack *ob, const cab_source_loop *source, unsigned number)
{
  struct gathering g;
  auto_vec<struct used> variables;
  g.source = source;
  g.loop = get_loop (cfun, source->num);
  g.variables = &variables;
  char *form = cab_loop_form (g.loop, &g.control);
  cab_record_put (ob, "c\t%u\t%s\n", number, form);
  free (form);
  gather (&g);
  for (const struct used &used : variables)
    put_variable (ob, number, &g, &used);
  put_unnamed (ob, number, g.loop);
  put_aggregates (ob, number, &g);
  cab_loop_calls (ob, g.loop, number);
  cab_loop_updates (ob, g.loop, number, g.control.by);
}

void
cab_loop_facts (cab_source_loops *table)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  for (unsigned i = 0; i < table->loops.length (); i++)
    put_loop (&ob, &table->loops[i], i);
  cab_function_calls (&ob);
  obstack_1grow (&ob, 0);
  table->facts = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
}
