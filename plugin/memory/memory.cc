/* memory.cc - the passes that insert memory probes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Functions may be const or pure until the late passes begin: the compiler may leave calls out
   for that reason, and what is recorded is what happens then.  From there on nothing may move a
   call across a probe, so calls must not be marked as const or pure any more. */
#include "plugin/memory/memory.h"
#include "plugin/emit/build.h"
#include "plugin/emit/refresh.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_filter.h"
#include "plugin/memory/access_iterations.h"
#include "plugin/memory/access_record.h"
#include "plugin/memory/access_strings.h"
#include "plugin/memory/allocs.h"
#include "plugin/memory/locals.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/pointer_names.h"
#include "plugin/memory/sample.h"
#include "plugin/paths/record.h"
#include "cabprof/info.h"

#define ATTRIBUTE "cabprof memory"   /* the blank keeps a source from naming it */

void
cab_memory_choose (tree fndecl)
{
  DECL_ATTRIBUTES (fndecl) = tree_cons (get_identifier (ATTRIBUTE), NULL_TREE,
					DECL_ATTRIBUTES (fndecl));
}

static bool
is_chosen (tree fndecl)
{
  return lookup_attribute (ATTRIBUTE, DECL_ATTRIBUTES (fndecl)) != NULL_TREE;
}

/* Emit the row and its record. */
static void
describe (struct cab_memory *m, unsigned n_counters)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  size_t n = obstack_object_size (&m->lines);
  char *text = (char *) obstack_finish (&m->lines);
  unsigned sum = cab_record_sum (text, n);
  cab_row_begin (&m->row, m->fn, sum, true);
  m->row.flags = CAB_ROW_MEMORY | (n_counters ? CAB_ROW_SAMPLED : 0);
  m->row.n_counters = n_counters;
  bool loops = cab_iterations_wanted ();
  m->row.n_accesses = CEIL (m->accesses.length () + m->n_copies + m->allocations.length ()
			      + m->locals.length () + (loops ? m->n_loops : 0),
			    CAB_ACCESS_UNIT);
  cab_record_head (&ob, m->files, 0, sum, loops ? "mn" : "m", n_counters, 0);
  obstack_grow (&ob, text, n);
  cab_row_finish (&m->row, m->fn, (char *) obstack_base (&ob), obstack_object_size (&ob));
  obstack_free (&ob, NULL);
}

/* Insert code at the entry that gives the function its number before anything else happens. */
static void
number_at_entry (struct cab_memory *m)
{
  basic_block entry = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gimple *anchor = gimple_build_nop ();
  gimple_stmt_iterator gsi = gsi_after_labels (entry);
  gsi_insert_before (&gsi, anchor, GSI_SAME_STMT);
  gsi = gsi_for_stmt (anchor);
  cab_number_ensure (&gsi, &m->row);
  gsi = gsi_for_stmt (anchor);
  gsi_remove (&gsi, true);
}

/* Update the call graph.  Optimisers have no edges of it this late: GCC removes them before, and
   has freed what it needs of edges that are there (a summary of the call, by the pass
   local-pure-const).  Where nothing is optimised they stay, and must match the body. */
static void
settle_graph (void)
{
  if (optimize)
    cgraph_edge::rebuild_references ();
  else
    cgraph_edge::rebuild_edges ();
}

static void
settle (struct cab_memory *m)
{
  cab_build_commit ();
  cab_sample_finish (m);
  update_ssa (TODO_update_ssa);
  settle_graph ();
}

/* Mark each local variable as belonging to a scope.  The gimplifier refuses one that does not, and
   such are the variables of a function with -fgimple. */
static void
accept_variables (void)
{
  tree variable;
  unsigned i;
  FOR_EACH_LOCAL_DECL (cfun, i, variable)
    if (VAR_P (variable))
      DECL_SEEN_IN_BIND_EXPR_P (variable) = 1;
}

static void
instrument (struct cab_memory *m)
{
  accept_variables ();
  const char *declared = DECL_SOURCE_FILE (m->fn->decl);
  cab_record_file (&m->files, declared ? declared : "<unknown>");
  cab_strings_tell (m->fn);
  cab_kept_name (m->fn);
  cab_accesses_record_left_out (m->fn);
  cab_locals_find (m);
  cab_accesses_find (m);
  cab_allocs_find (m);
  if (m->accesses.is_empty () && m->allocations.is_empty () && m->locals.is_empty ())
    return;
  cab_accesses_record (m);
  cab_allocs_record (m);
  cab_locals_record (m);
  describe (m, cab_sample_plan (m));
  cab_sample_emit (m);
  cab_accesses_emit (m);
  cab_sample_guard (m);
  cab_allocs_emit (m);
  cab_locals_emit (m);
  cab_marks_remove (m);
  if (!m->sampling.on)
    number_at_entry (m);
  settle (m);
}

static unsigned
run (function *fn)
{
  struct cab_memory m = {};
  bool own_loops = !current_loops;
  m.fn = fn;
  gcc_obstack_init (&m.lines);
  if (cab_opts.memory_encoding <= CAB_MEMORY_LOOP && optimize)
    loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  else if (own_loops)
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  else if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    {
      calculate_dominance_info (CDI_DOMINATORS);
      fix_loop_structure (NULL);
    }
  instrument (&m);
  /* GCC's own loops stay, without preheaders and the like: at -Og, and without the loop optimizer,
     no later pass keeps these up, and GCC 16 fails over them when it makes instructions. */
  loop_optimizer_finalize ();
  cab_accesses_free (&m);
  cab_locals_free (&m);
  obstack_free (&m.lines, NULL);
  return 0;
}

static const pass_data memory_pass_data =
{
  GIMPLE_PASS, "cabprof_memory", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0
};

/* Functions that have their probes, by DECL_UID: each function reaches at least one of the places
   where the pass is registered, and may reach two. */
static bitmap_head done;
static bitmap_obstack done_obstack;   /* outside of the collector's reach */

class memory_pass : public gimple_opt_pass
{
public:
  memory_pass () : gimple_opt_pass (memory_pass_data, g) {}
  bool
  gate (function *fn) final override
  {
    return !seen_error () && is_chosen (fn->decl) && !bitmap_bit_p (&done, DECL_UID (fn->decl));
  }
  unsigned int
  execute (function *fn) final override
  {
    bitmap_set_bit (&done, DECL_UID (fn->decl));
    return run (fn);
  }
};

opt_pass *
cab_memory_pass (void)
{
  static bool is_there;
  if (!is_there)
    {
      bitmap_obstack_initialize (&done_obstack);
      bitmap_initialize (&done, &done_obstack);
    }
  is_there = true;
  return new memory_pass;
}

static const pass_data unit_pass_data =
{
  SIMPLE_IPA_PASS, "cabprof_memory_unit", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

/* This is done for all functions at once: nothing may look between the moment when a function is no
   longer pure and the one when its callers' bodies know of it. */
static unsigned
forget_purity (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (!node->inlined_to && is_chosen (node->decl))
      {
	node->set_const_flag (false, false);
	node->set_pure_flag (false, false);
      }
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to)
      {
	node->get_body ();
	cab_refresh_calls (DECL_STRUCT_FUNCTION (node->decl));
      }
  return 0;
}

class memory_unit_pass : public simple_ipa_opt_pass
{
public:
  memory_unit_pass () : simple_ipa_opt_pass (unit_pass_data, g) {}
  bool gate (function *) final override { return !seen_error (); }
  unsigned int execute (function *) final override { return forget_purity (); }
};

opt_pass *
cab_memory_unit_pass (void)
{
  return new memory_unit_pass;
}
