/* gcov.cc - finds the edges that GCC's own edge profile counts.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/paths/gcov.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/paths/gcov_tree.h"
#include "plugin/paths/paths.h"
#include "plugin/paths/record.h"
#include "plugin/paths/tails.h"
#include "cabprof/info.h"
#include "cabprof/value_cell.h"

/* An operand whose values GCC counts. */
struct gcov_value
{
  char kind;                  /* as in G lines */
  gimple *stmt;
  unsigned operand;           /* index of the operand; of an interval it is the divisor */
};

/* What GCC's .gcda says of a function: who it is, and its counters. */
struct gcov_plan
{
  unsigned ident, lineno, cfg;
  unsigned unit;              /* of a function that only this unit has: a sum of the unit's name,
				 else 0 */
  bool recorded;              /* its record has the counters */
  auto_vec<edge> counters;
  unsigned n_topn;            /* statements whose most frequent values GCC counts */
  auto_vec<gimple *> indirect;   /* indirect calls, in the order of their counters */
  auto_vec<gimple *> remainders; /* unsigned remainders by a variable, likewise */
  auto_vec<gcov_value> values;   /* all others, likewise */
  hash_set<gimple *> leaves;  /* last statements of blocks that have a fake edge to the exit */
};

static hash_map<function *, gcov_plan *> *plans;

bool
cab_gcov_wanted (void)
{
  return cab_opts.cut_at_calls && (cab_opts.events & CAB_EVENTS_PATHS);
}

/* Return true if GCC profiles NODE, and its own edges can be told. */
static bool
is_profiled (cgraph_node *node)
{
  function *fn = DECL_STRUCT_FUNCTION (node->decl);
  return fn && fn->cfg && !node->alias && !node->inlined_to && gimple_has_body_p (node->decl)
	 && DECL_SOURCE_LOCATION (node->decl) != BUILTINS_LOCATION
	 && !lookup_attribute ("no_profile_instrument_function", DECL_ATTRIBUTES (node->decl))
	 && !cab_has_call_that_must_jump (fn);
}

/* Return a sum of the names that the unit's counters are written under. */
static unsigned
unit_sum (void)
{
  char *name = concat (getpwd (), "/", aux_base_name, NULL);
  unsigned sum = cab_record_sum (name, strlen (name));
  free (name);
  return sum ? sum : 1;
}

/* Note at which statements of cfun GCC takes control to leave. */
static void
find_leaves (gcov_plan *plan)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
    if ((e->flags & EDGE_FAKE) && cab_last_stmt (e->src))
      plan->leaves.add (cab_last_stmt (e->src));
}

/* Return the letter of a histogram of TYPE, or 0 if it is of no operand's values. */
static char
letter_of (enum hist_type type)
{
  switch (type)
    {
    case HIST_TYPE_TOPN_VALUES:
      return CAB_INFO_VALUE_TOPN;
    case HIST_TYPE_POW2:
      return CAB_INFO_VALUE_POWER;
    case HIST_TYPE_INTERVAL:
      return CAB_INFO_VALUE_INTERVAL;
    case HIST_TYPE_AVERAGE:
      return CAB_INFO_VALUE_AVERAGE;
    case HIST_TYPE_IOR:
      return CAB_INFO_VALUE_OR;
    default:
      return 0;
    }
}

/* Return the index of the last operand of STMT if VALUE is none, as a quotient is, else that of
   VALUE. */
static unsigned
operand_of (gimple *stmt, tree value)
{
  unsigned last = gimple_num_ops (stmt) - 1, i = last;
  while (i > 0 && gimple_op (stmt, i) != value)
    i--;
  return i > 0 ? i : last;
}

/* Find what GCC counts of cfun beside edges. */
static void
find_values (gcov_plan *plan)
{
  histogram_values values = histogram_values ();
  gimple_find_values_to_profile (&values);
  for (histogram_value value : values)
    {
      if (value->type == HIST_TYPE_INDIR_CALL)
	plan->indirect.safe_push (value->hvalue.stmt);
      plan->n_topn += value->type == HIST_TYPE_TOPN_VALUES;
      if (value->type == HIST_TYPE_POW2)   /* an interval belongs to each */
	plan->remainders.safe_push (value->hvalue.stmt);
      if (char letter = letter_of (value->type))
	plan->values.safe_push ({ letter, value->hvalue.stmt,
				  operand_of (value->hvalue.stmt, value->hvalue.value) });
      free (value);
    }
  values.release ();
}

/* Plan the counters of NODE, which was a thunk until now if THUNK. */
static void
plan_function (cgraph_node *node, bool thunk)
{
  function *fn = DECL_STRUCT_FUNCTION (node->decl);
  gcov_plan *plan = new gcov_plan ();
  push_cfun (fn);
  if (execute_fixup_cfg () & TODO_cleanup_cfg)
    cleanup_tree_cfg ();
  cab_gcov_tree (thunk, &plan->counters);
  plan->ident = node->profile_id;
  plan->lineno = thunk ? 0 : coverage_compute_lineno_checksum ();
  plan->cfg = thunk ? 0 : coverage_compute_cfg_checksum (fn);
  plan->unit = TREE_PUBLIC (node->decl) || DECL_EXTERNAL (node->decl) ? 0 : unit_sum ();
  find_leaves (plan);
  if (!thunk)
    find_values (plan);
  remove_fake_edges ();
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  pop_cfun ();
  plans->put (fn, plan);
}

/* Give the thunk NODE a body, as GCC does where it counts the calls of thunks.  Return false if it
   cannot have one. */
static bool
expand (cgraph_node *node)
{
  return !stdarg_p (TREE_TYPE (node->decl)) && expand_thunk (node, false, true);
}

void
cab_gcov_begin (void)
{
  cgraph_node *node;
  plans = new hash_map<function *, gcov_plan *>;
  init_node_map (true);
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      bool thunk = node->thunk;
      if ((!thunk || expand (node)) && is_profiled (node))
	plan_function (node, thunk);
    }
  del_node_map ();
}

bool
cab_gcov_has (function *fn)
{
  return plans && plans->get (fn);
}

static gcov_plan *
plan_of (function *fn)
{
  gcov_plan **found = plans ? plans->get (fn) : NULL;
  return found ? *found : NULL;
}

/* Return true if VALUE has a cell of its own, rather than that of the value before. */
static bool
has_cell (const gcov_value &value)
{
  return value.kind != CAB_INFO_VALUE_POWER && value.kind != CAB_INFO_VALUE_AVERAGE;
}

unsigned
cab_gcov_cells (struct cab_body *body)
{
  gcov_plan *plan = plan_of (body->fn);
  unsigned n = 0;
  /* With memory values are those of accesses. */
  bool wanted = body->counts && cab_opts.events & CAB_EVENTS_VALUES
	     && !(cab_opts.events & CAB_EVENTS_MEMORY);
  if (!plan || !body->has_graph || !wanted)
    return 0;
  for (const gcov_value &value : plan->values)
    n += has_cell (value);
  return body->graph.n_paths + n * CAB_CELL_WORDS <= CAB_MAX_COUNTERS ? n : 0;
}

/* Return the value that VALUE's cell counts; append to SEQ what computes it. */
static tree
counted_word (const gcov_value &value, gimple_seq *seq)
{
  gimple_seq made = NULL;
  tree operand = gimple_op (value.stmt, value.operand);
  if (value.kind == CAB_INFO_VALUE_INTERVAL)
    operand = build2 (TRUNC_DIV_EXPR, TREE_TYPE (operand),
		      unshare_expr (gimple_assign_rhs1 (value.stmt)), operand);
  tree word = force_gimple_operand (fold_convert (cab_word_type (), unshare_expr (operand)),
				    &made, true, NULL_TREE);
  gimple_seq_add_seq (seq, made);
  return word;
}

void
cab_gcov_emit_values (struct cab_body *body)
{
  static tree decl;
  unsigned at = CAB_COUNTER_PATHS + body->graph.n_paths;
  if (!cab_gcov_cells (body))
    return;
  decl = decl ? decl : cab_build_helper ("__cab_value", 2);
  for (const gcov_value &value : plan_of (body->fn)->values)
    {
      gimple_seq seq = NULL;
      if (!has_cell (value))
	continue;
      tree cell = make_ssa_name (TREE_TYPE (body->counters));
      gimple_seq_add_stmt (&seq, gimple_build_assign (cell, POINTER_PLUS_EXPR, body->counters,
						      size_int (at * 8)));
      tree address = make_ssa_name (cab_word_type ());
      gimple_seq_add_stmt (&seq, gimple_build_assign (address, NOP_EXPR, cell));
      tree word = counted_word (value, &seq);
      gimple_seq_add_stmt (&seq, gimple_build_call (decl, 2, address, word));
      gimple_stmt_iterator gsi = gsi_for_stmt (value.stmt);
      gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
      at += CAB_CELL_WORDS;
    }
}

/* Return the edges of cfun. */
static void
find_edges (hash_set<edge> *edges)
{
  basic_block bb;
  edge e;
  edge_iterator ei;
  FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN (cfun), EXIT_BLOCK_PTR_FOR_FN (cfun), next_bb)
    FOR_EACH_EDGE (e, ei, bb->succs)
      edges->add (e);
}

/* Append a comma unless this is the FIRST of a list, and NUMBER. */
static void
put_number (struct obstack *ob, bool *first, unsigned number)
{
  cab_record_put (ob, "%s%u", *first ? "" : ",", number);
  *first = false;
}

/* Append the calls at which paths are cut, but which GCC takes to return always. */
static void
put_returning (struct cab_body *body, gcov_plan *plan, struct obstack *ob)
{
  bool first = true;
  struct cab_pathnum *g = &body->graph;
  for (unsigned i = 0; i < g->n_edges; i++)
    if (bitmap_bit_p (body->cut, g->edge[i].src) && !cab_graph_edge (body, i)
	&& !plan->leaves.contains (cab_last_stmt (BASIC_BLOCK_FOR_FN (cfun, g->edge[i].src))))
      put_number (ob, &first, i);
}

/* Append the numbers of the call sites that are indirect calls, if calls are recorded. */
static void
put_indirect (struct cab_body *body, gcov_plan *plan, struct obstack *ob)
{
  bool first = true;
  for (gimple *stmt : plan->indirect)
    for (unsigned i = 0; i < body->calls.length () && body->events; i++)
      if (body->calls[i].stmt == stmt)
	put_number (ob, &first, i);
}

/* Append which values GCC counts. */
static void
put_values (struct cab_body *body, gcov_plan *plan, struct obstack *ob)
{
  bool first = true;
  cab_record_put (ob, "\t%u\t", plan->n_topn);
  put_indirect (body, plan, ob);
  cab_record_put (ob, "\t%u\t", plan->indirect.length ());
  for (gimple *stmt : plan->remainders)
    put_number (ob, &first, gimple_bb (stmt)->index);
  cab_record_put (ob, "\t");
  for (const gcov_value &value : plan->values)
    if (cab_gcov_cells (body))
      cab_record_put (ob, "%c", value.kind);
  cab_record_put (ob, "\t");
  first = true;
  for (const gcov_value &value : plan->values)
    if (cab_gcov_cells (body) && has_cell (value))
      put_number (ob, &first, gimple_bb (value.stmt)->index);
}

void
cab_gcov_put (struct cab_body *body, struct obstack *ob)
{
  gcov_plan *plan = plan_of (cfun);
  if (!plan || !body->has_graph)
    return;
  hash_set<edge> edges;
  find_edges (&edges);
  for (edge e : plan->counters)
    if (!edges.contains (e) || !e->aux)
      return;
  cab_record_put (ob, "G\t%x\t%x\t%x\t%x\t", plan->ident, plan->lineno, plan->cfg, plan->unit);
  bool first = true;
  for (edge e : plan->counters)
    put_number (ob, &first, (unsigned) (uintptr_t) e->aux - 1);
  cab_record_put (ob, "\t");
  put_returning (body, plan, ob);
  put_values (body, plan, ob);
  cab_record_put (ob, "\n");
  plan->recorded = true;
}

void
cab_gcov_end (void)
{
  struct obstack ob;
  unsigned n = 0;
  gcc_obstack_init (&ob);
  char *directory = cab_escaped (getpwd ()), *base = cab_escaped (aux_base_name);
  cab_record_put (&ob, "G%c\t%s\t%s\t%x\t%c\n", CAB_INFO_VERSION, directory, base,
		  cab_gcda_version (), cab_gcda_layout ());
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      function *fn = DECL_STRUCT_FUNCTION (node->decl);
      gcov_plan **found = fn ? plans->get (fn) : NULL;
      if (!found || !(*found)->recorded)
	continue;
      gcov_plan *plan = *found;
      cab_record_put (&ob, "p\t%x\t%x\t%x\t%x\t%u\n", plan->ident, plan->lineno, plan->cfg,
		      plan->unit, plan->counters.length ());
      n++;
    }
  if (n)
    cab_record_emit ((char *) obstack_base (&ob), obstack_object_size (&ob));
  free (base);
  free (directory);
  obstack_free (&ob, NULL);
  for (auto entry : *plans)
    delete entry.second;
  delete plans;
  plans = NULL;
}
