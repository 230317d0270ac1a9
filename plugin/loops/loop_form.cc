/* loop_form.cc - whether the number of a loop's iterations is known when it begins, and whether it
   has one way out.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loop_form.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/header_phi.h"

#define MOST_BREAKS 4   /* that are named */
#define DEEPEST 8       /* operations between a counter and what is tested */

/* A way out of a loop, by the test that leads to it. */
struct way_out
{
  edge on;
  tree control;               /* what the test counts by: the value in the loop's header, or a
				 variable in memory; null: it does not count */
  enum cab_variance bound;    /* of what the counter is compared with */
  gimple *because;            /* for BOUND */
  struct cab_phi_step step;   /* of the counter */
  bool skips;                 /* it may miss its bound, which it tests by != with a step above 1 */
};

/* Return true if control cannot go on after BB, except by an exception: the program ends there. */
static bool
is_dead_end (basic_block bb)
{
  for (int i = 0; i < 4; i++)
    {
      gimple *last = cab_last_stmt (bb);
      edge out = NULL, e;
      edge_iterator ei;
      unsigned n = 0;
      FOR_EACH_EDGE (e, ei, bb->succs)
	if (!(e->flags & EDGE_COMPLEX))
	  {
	    out = e;
	    n++;
	  }
      if (!n)
	return last && is_gimple_call (last) && (gimple_call_flags (last) & ECF_NORETURN);
      if (n > 1 || out->dest == EXIT_BLOCK_PTR_FOR_FN (cfun))
	return false;
      bb = out->dest;
    }
  return false;
}

static bool
is_fortran (void)
{
  return !strncmp (lang_hooks.name, "GNU Fortran", 11);
}

static bool
is_step (const struct cab_phi_step *step)
{
  return step->known && (step->constant || step->symbol);
}

/* Return the constant that STORE adds to DECL, or 0 if it does something else. */
static HOST_WIDE_INT
added (gimple *store, tree decl)
{
  tree value = gimple_assign_single_p (store) ? gimple_assign_rhs1 (store) : NULL_TREE;
  gimple *sum = value && TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  if (!sum || !is_gimple_assign (sum) || gimple_assign_rhs_code (sum) != PLUS_EXPR
      || TREE_CODE (gimple_assign_rhs2 (sum)) != INTEGER_CST)
    return 0;
  tree before = gimple_assign_rhs1 (sum);
  gimple *load = TREE_CODE (before) == SSA_NAME ? SSA_NAME_DEF_STMT (before) : NULL;
  return load && gimple_assign_load_p (load) && gimple_assign_rhs1 (load) == decl
	 ? int_cst_value (gimple_assign_rhs2 (sum))
	 : 0;
}

/* Return what iterations of LOOP add to DECL, which is in memory since calls get its address.  They
   may not change it in Fortran, where it counts the loop. */
static struct cab_phi_step
step_in_memory (class loop *loop, tree decl)
{
  struct cab_phi_step step = { false, 0, NULL_TREE, false };
  unsigned n = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi); gsi_next (&gsi))
      if (gimple_store_p (gsi_stmt (gsi)) && gimple_get_lhs (gsi_stmt (gsi)) == decl)
	{
	  step.constant = is_gimple_assign (gsi_stmt (gsi)) ? added (gsi_stmt (gsi), decl) : 0;
	  n++;
	}
  free (body);
  step.known = n == 1 && step.constant;
  return step;
}

/* Return the value in LOOP's header, with a step that is not 0, or the variable in memory, from
   which VALUE is computed by additions of what stays the same; else null.  Set *STEP to its
   step. */
static tree
counter_of (class loop *loop, tree value, struct cab_phi_step *step, unsigned depth)
{
  gimple *because, *stmt = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  if (!stmt || !depth || !cab_phi_within (loop, stmt))
    return NULL_TREE;
  if (gphi *phi = dyn_cast<gphi *> (stmt))
    {
      if (gimple_bb (phi) != loop->header)
	return NULL_TREE;
      *step = cab_phi_step (loop, phi);
      return is_step (step) ? gimple_phi_result (phi) : NULL_TREE;
    }
  if (!is_gimple_assign (stmt))
    return NULL_TREE;
  tree left = gimple_assign_rhs1 (stmt), right = gimple_assign_rhs2 (stmt);
  if (VAR_P (left) && is_fortran ())
    {
      *step = step_in_memory (loop, left);
      return is_step (step) ? left : NULL_TREE;
    }
  switch (gimple_assign_rhs_code (stmt))
    {
    case SSA_NAME:
    CASE_CONVERT:
      return counter_of (loop, left, step, depth - 1);
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR:
    case MINUS_EXPR:
      return cab_phi_variance (loop, right, &because) == CAB_SAME
	     ? counter_of (loop, left, step, depth - 1)
	     : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* Return true if a loop that goes on while its counter, with STEP, is CODE its bound comes to an
   end; set WAY's `skips'. */
static bool
can_end (struct way_out *way, enum tree_code code, const struct cab_phi_step *step)
{
  bool pointer = POINTER_TYPE_P (TREE_TYPE (way->control));
  switch (code)
    {
    case LT_EXPR:
    case LE_EXPR:
      return step->symbol || step->constant > 0;
    case GT_EXPR:
    case GE_EXPR:
      return step->symbol || step->constant < 0;
    case NE_EXPR:
      way->skips = !pointer && (step->symbol || (step->constant != 1 && step->constant != -1));
      return true;
    default:
      return false;
    }
}

/* Fill WAY by comparing VALUE, as CODE says, with BOUND.  Return true if VALUE counts. */
static bool
counts (class loop *loop, struct way_out *way, tree value, enum tree_code code, tree bound)
{
  way->control = counter_of (loop, value, &way->step, DEEPEST);
  if (way->control && can_end (way, code, &way->step))
    {
      way->bound = cab_phi_variance (loop, bound, &way->because);
      return true;
    }
  way->control = NULL_TREE;
  return false;
}

/* Return true if each iteration of LOOP goes through BB. */
static bool
is_always_reached (class loop *loop, basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (flow_bb_inside_loop_p (loop, e->src) && !dominated_by_p (CDI_DOMINATORS, e->src, bb))
      return false;
  return true;
}

static void
look_at_way (class loop *loop, struct way_out *way)
{
  gimple *last = cab_last_stmt (way->on->src);
  gcond *test = last ? dyn_cast<gcond *> (last) : NULL;
  way->bound = CAB_VARIES;
  if (!test || !is_always_reached (loop, way->on->src))
    return;
  struct cab_phi_test is = cab_phi_test_of (test);
  if (way->on->flags & EDGE_TRUE_VALUE)
    is.code = invert_tree_comparison (is.code, HONOR_NANS (is.left));
  /* There is no inverse of some comparisons of floating-point numbers, which do not count. */
  if (is.code != ERROR_MARK && !counts (loop, way, is.left, is.code, is.right))
    counts (loop, way, is.right, swap_tree_comparison (is.code), is.left);
}

/* Return what BECAUSE, a load or a call, is called in the source. */
static const char *
name_of (gimple *because)
{
  if (is_gimple_call (because))
    {
      tree callee = gimple_call_fndecl (because);
      return callee ? lang_hooks.decl_printable_name (callee, 1) : "?";
    }
  tree ref = gimple_assign_rhs1 (because);
  if (TREE_CODE (ref) == COMPONENT_REF)
    ref = TREE_OPERAND (ref, 1);
  else if (TREE_CODE (ref) == MEM_REF && TREE_CODE (TREE_OPERAND (ref, 0)) == SSA_NAME
	   && SSA_NAME_VAR (TREE_OPERAND (ref, 0)))
    ref = SSA_NAME_VAR (TREE_OPERAND (ref, 0));
  return DECL_P (ref) && DECL_NAME (ref) ? IDENTIFIER_POINTER (DECL_NAME (ref)) : "?";
}

static void
put_word (struct obstack *ob, const char *word, const char *name)
{
  char *escaped = cab_escaped (name);
  for (char *c = escaped; *c; c++)
    if (*c == ',')
      *c = ';';
  cab_record_put (ob, "%s%s:%s", obstack_object_size (ob) ? "," : "", word, escaped);
  free (escaped);
}

static void
put_number (struct obstack *ob, const char *word, int number)
{
  cab_record_put (ob, "%s%s:%d", obstack_object_size (ob) ? "," : "", word, number);
}

static void
put_plain (struct obstack *ob, const char *word)
{
  cab_record_put (ob, "%s%s", obstack_object_size (ob) ? "," : "", word);
}

static bool
is_empty (basic_block bb)
{
  gimple *last = cab_last_stmt (bb);
  return !last || gimple_code (last) == GIMPLE_LABEL || gimple_code (last) == GIMPLE_PREDICT;
}

/* Return true if nothing happens in LOOP between the test that leaves it over ON and its
   header. */
static bool
tests_at_end (class loop *loop, edge on)
{
  edge stays = EDGE_SUCC (on->src, EDGE_SUCC (on->src, 0) == on);
  basic_block bb = stays->dest;
  for (int i = 0; i < 4 && bb != loop->header && is_empty (bb) && single_succ_p (bb); i++)
    bb = single_succ (bb);
  return bb == loop->header;
}

/* Write what keeps WAY, by which LOOP ends, from being the test of a loop that counts. */
static void
put_test (struct obstack *ob, class loop *loop, const struct way_out *way)
{
  if (!way->control)
    put_plain (ob, "uncounted");
  else if (way->skips)
    put_plain (ob, "unequal");
  if (way->control && way->bound == CAB_READ)
    put_word (ob, "bound", name_of (way->because));
  else if (way->control && way->bound == CAB_CALLED)
    put_word (ob, "call", name_of (way->because));
  else if (way->control && way->bound == CAB_VARIES)
    put_plain (ob, "varies");
  /* The compiler writes counting loops of Fortran so. */
  if (way->control && !is_fortran () && tests_at_end (loop, way->on))
    put_plain (ob, "end");
}

/* Return the place of WAY's test. */
static int
line_of (const struct way_out *way)
{
  gimple *last = cab_last_stmt (way->on->src);
  location_t where = last ? gimple_location (last) : UNKNOWN_LOCATION;
  if (LOCATION_LOCUS (where) == UNKNOWN_LOCATION)
    where = way->on->goto_locus;
  return expand_location (where).line;
}

/* Find the ways out of LOOP that do not end the program, and are no exceptions. */
static void
find_ways (class loop *loop, vec<struct way_out> *ways)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (edge e : exits)
    if (!(e->flags & EDGE_COMPLEX) && !is_dead_end (e->dest))
      {
	struct way_out way = { e, NULL_TREE, CAB_VARIES, NULL, {}, false };
	look_at_way (loop, &way);
	ways->safe_push (way);
      }
}

/* Return the index of the way out that counts, with the least varying bound. */
static unsigned
best_way (const vec<struct way_out> &ways)
{
  unsigned best = 0;
  for (unsigned i = 1; i < ways.length (); i++)
    if (ways[i].control && (!ways[best].control || ways[i].bound < ways[best].bound))
      best = i;
  return best;
}

static void
put_breaks (struct obstack *ob, const vec<struct way_out> &ways, unsigned best)
{
  unsigned n = 0;
  int last = -1;
  for (unsigned i = 0; i < ways.length () && n < MOST_BREAKS; i++)
    if (i != best && line_of (&ways[i]) != last)
      {
	last = line_of (&ways[i]);
	put_number (ob, "break", last);
	n++;
      }
}

char *
cab_loop_form (class loop *loop, struct cab_loop_control *control)
{
  struct obstack ob;
  auto_vec<struct way_out> ways;
  gcc_obstack_init (&ob);
  find_ways (loop, &ways);
  unsigned best = best_way (ways);
  control->by = ways.is_empty () ? NULL_TREE : ways[best].control;
  if (control->by)
    control->step = ways[best].step;
  if (ways.is_empty ())
    put_plain (&ob, "endless");
  else
    {
      put_test (&ob, loop, &ways[best]);
      put_breaks (&ob, ways, best);
    }
  if (!obstack_object_size (&ob))
    put_plain (&ob, "canonical");
  obstack_1grow (&ob, 0);
  char *words = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  return words;
}
