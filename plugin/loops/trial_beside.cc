/* trial_beside.cc - copies loops side by side, in functions that cannot take turns as a whole.
   SPDX-License-Identifier: GPL-3.0-or-later

   The loop is what takes turns then: in front of it the program asks for the number of a copy, and
   branches to it.  Copies are made in front of the pass that prepares loops for the vectoriser:
   what the passes before it do with a loop does not hang on hints, and is done once.  The heads of
   all copies are aligned alike, as late passes cannot tell them apart; so no alignment is tried,
   and the copies without a hint are all equal. */
#include "plugin/loops/trial_beside.h"
#include "plugin/loops/trial_dispatch.h"
#include "plugin/loops/loops_find.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-manip.h"

#define CONTROLS 4   /* copies without a hint */

/* A function whose loops are to be copied. */
struct beside
{
  unsigned uid;
  bool nested;
  const char *word, *words;
};

static vec<struct beside> functions;

static const struct beside *
find (const_tree decl)
{
  for (const struct beside &one : functions)
    if (one.uid == DECL_UID (decl))
      return &one;
  return NULL;
}

void
cab_trial_beside (tree decl, bool nested, const char *word, const char *words)
{
  const struct cl_optimization *options = opts_for_fn (decl);
  if (options->x_optimize && options->x_flag_tree_loop_optimize)
    functions.safe_push ({ DECL_UID (decl), nested, word, words });
  else
    cab_trial_refuse (decl, NULL, word, words);
}

/* Return true if control never leaves LOOP in a way that can be noticed. */
static bool
is_endless (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (edge e : exits)
    if (!(e->flags & EDGE_COMPLEX))
      return false;
  return true;
}

/* Append to FOUND the loops of cfun that can be copied, and refuse the others that are named. */
static void
find_loops (const struct beside *function, vec<class loop *> *found)
{
  CAB_EACH_LOOP (loop)
    {
      bool has_named = false;
      cab_loop_source source = cab_loops_identify (loop);
      if (!cab_trial_names (&source))
	continue;
      CAB_EACH_LOOP (other)
	{
	  cab_loop_source inner = cab_loops_identify (other);
	  has_named |= flow_loop_nested_p (loop, other) && cab_trial_names (&inner);
	}
      if ((function->nested && loop_depth (loop) < 2) || is_endless (loop))
	cab_trial_refuse (cfun->decl, &source, function->word, function->words);
      else if (has_named)
	cab_trial_refuse (cfun->decl, &source, "inner", "a loop inside it is tried");
      else if (!can_duplicate_loop_p (loop))
	cab_trial_refuse (cfun->decl, &source, "copy", "the compiler does not copy it");
      else
	found->safe_push (loop);
    }
}

/* List the copies of TRIED's loop. */
static void
list_copies (struct cab_tried *tried)
{
  for (unsigned i = 0; i < CONTROLS; i++)
    tried->copies.safe_push ({ 0, NULL, -1, 0, -1, CAB_TRIAL_ALIGN, 0, false, 0, NULL, 0 });
  for (const struct cab_trial_hint &hint : cab_trial_hints)
    if (hint.align == CAB_TRIAL_ALIGN)
      tried->copies.safe_push ({ 0, NULL, 0, hint.unroll, hint.vectorize, hint.align,
				 hint.prefetch, false, 0, NULL, 0 });
  tried->copies.safe_push ({ 0, NULL, -1, 0, -1, CAB_TRIAL_ALIGN, 0, true, 0, NULL, 0 });
  /* What becomes of them is not compared. */
  for (unsigned i = 0; i < tried->copies.length (); i++)
    tried->copies[i].hash = i + 1;
}

/* Let LOOP be executed unless CHOSEN is K; return a copy of it that is executed then, or null if
   GCC does not make one. */
static class loop *
copy_loop (class loop *loop, tree chosen, unsigned k)
{
  const profile_probability always = profile_probability::always ();
  profile_probability some = profile_probability::guessed_always ().apply_scale (1, k + 1);
  tree unless = build2 (NE_EXPR, boolean_type_node, chosen, build_int_cst (TREE_TYPE (chosen), k));
  basic_block condition;
  initialize_original_copy_tables ();
  class loop *copy = loop_version (loop, unless, &condition, some.invert (), some, always, always,
				   true);
  free_original_copy_tables ();
  update_ssa (TODO_update_ssa);
  return copy;
}

/* Give each exit of LOOP a block of its own, as loop passes want it. */
static void
split_exits (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  for (edge e : exits)
    if (!single_pred_p (e->dest) && !(e->flags & EDGE_COMPLEX))
      split_loop_exit_edge (e);
}

/* Give TRIED a symbol that no other trial of cfun has. */
static void
name_after (struct cab_tried *tried)
{
  char number[32];
  unsigned n = 0;
  for (const struct cab_tried *other : cab_trials_all ())
    n += other->beside == DECL_UID (cfun->decl);
  sprintf (number, ".loop%u", n);
  tried->symbol = reconcat (tried->symbol, tried->symbol, number, NULL);
}

/* Try LOOP. */
static void
try_loop (class loop *loop)
{
  auto_vec<edge> exits = get_loop_exit_edges (loop);
  auto_vec<class loop *> copies;
  struct cab_tried *tried = cab_trial_new (cfun->decl);
  tried->beside = DECL_UID (cfun->decl);
  name_after (tried);
  tried->loops.safe_push (cab_loops_identify (loop));
  list_copies (tried);
  cab_trials_all ().safe_push (tried);
  unsigned n = tried->copies.length ();
  tree frame, chosen = cab_trial_ask (tried, loop, exits, &frame);
  copies.safe_grow_cleared (n);
  copies[0] = loop;
  for (unsigned k = n - 1; k > 0; k--)
    copies[k] = copy_loop (loop, chosen, k);
  for (unsigned k = 0; k < n; k++)
    if (copies[k])
      {
	tried->copies[k].num = copies[k]->num;
	cab_trial_apply (copies[k], &tried->copies[k]);
	cab_trial_start (tried, copies[k], frame);
	split_exits (copies[k]);
      }
  if (copies[n - 1])
    cab_trial_count_loop (tried, copies[n - 1]);
  if (cab_opts.verbose)
    inform (DECL_SOURCE_LOCATION (cfun->decl),
	    "cabprof: %qD: %u copies of a loop, for trials", cfun->decl, n);
}

static unsigned
run_pass (void)
{
  auto_vec<class loop *> found;
  find_loops (find (cfun->decl), &found);
  for (class loop *loop : found)
    try_loop (loop);
  if (found.is_empty ())
    return 0;
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa);
  if (scev_initialized_p ())
    scev_reset ();
  rewrite_into_loop_closed_ssa (NULL, TODO_update_ssa);
  free_dominance_info (CDI_POST_DOMINATORS);
  return TODO_cleanup_cfg;
}

static const pass_data beside_data =
{
  GIMPLE_PASS, "cabprof_beside", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

class beside_pass : public gimple_opt_pass
{
public:
  beside_pass () : gimple_opt_pass (beside_data, g) {}
  bool gate (function *fn) final override { return find (fn->decl) != NULL; }
  unsigned int execute (function *) final override { return run_pass (); }
};

opt_pass *
cab_trial_beside_pass (void)
{
  return new beside_pass;
}
