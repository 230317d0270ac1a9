/* access_unroll.cc - loops whose bodies are laid out several times, so that one event records
   several iterations.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source: loop unrolling with all exit tests kept; the purpose is that of a ring's pointer in a
   register, to enqueue less often.

   An innermost loop that is no region as a whole, and in which nothing else is sent, sends a
   word or two in each iteration, with as much overhead as an event of ten words has.  Its body
   is copied after itself before regions are made; acyclic regions (access_acyclic.cc) then go
   through the copies, as through any blocks, and an address that grows by a constant is sent only
   by the first copy.  So nothing changes for code that interrupts, and the words are in registers
   until control leaves, or begins the first copy again.  An access in a copy is one of its own,
   at the same place of the source. */
#include "plugin/memory/access_unroll.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/loops/loops.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/access_acyclic.h"
#include "plugin/memory/plan.h"
#include "cfgloopmanip.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssa-propagate.h"

#define MOST_TURNS 8
#define MOST_CONDITIONS 3     /* of all copies together: each doubles the paths through them */
#define MOST_STATEMENTS 14
#define MOST_BLOCKS 6
#define LEAST_ITERATIONS 4
#define WORDS_BEFORE 1        /* of the code before the loop, so that its first event can be joined
				 with the loop's */

/* What is known of a loop, and of the words of an iteration. */
struct look
{
  class loop *loop;
  struct cab_memory_region region;          /* the words of an iteration */
  auto_vec<bool> once;               /* by word: other copies need not send it */
  hash_map<tree, name_expansion *> *expansions;
  unsigned n_statements, n_conditions;
};

/* Return true if NAME grows by a constant in each iteration, or does not change. */
static bool
is_even (class loop *loop, tree name)
{
  affine_iv iv;
  while (CONVERT_EXPR_P (name))
    name = TREE_OPERAND (name, 0);
  return is_gimple_min_invariant (name)
      || (TREE_CODE (name) == SSA_NAME && simple_iv (loop, loop, name, &iv, false)
	  && TREE_CODE (iv.step) == INTEGER_CST);
}

/* Return true if the word that a copy of BB would send for ADDRESS lies at a constant distance from
   that of BB. */
static bool
is_told_once (const struct look *l, basic_block bb, const aff_tree *address)
{
  if (address->rest || !dominated_by_p (CDI_DOMINATORS, l->loop->latch, bb))
    return false;
  for (unsigned i = 0; i < address->n; i++)
    if (!is_even (l->loop, address->elts[i].val))
      return false;
  return true;
}

/* Add the words that the accesses of STMT need. */
static void
add_words (struct look *l, gimple *stmt)
{
  auto_vec<struct cab_memory_access> found;
  cab_access_of (stmt, stmt, &found);
  for (struct cab_memory_access &access : found)
    {
      cab_access_base_word (&l->region, 0, &access, &l->expansions);
      if (l->once.length () < l->region.words.length ())
	l->once.safe_push (
	  is_told_once (l, gimple_bb (stmt), &l->region.words.last ().combination));
      if (access.length)
	{
	  cab_access_add_word (&l->region, 0, CAB_WORD_LENGTH, access.length);
	  l->once.safe_push (false);
	}
      free (access.name);
    }
}

/* Examine BB; return false if a loop with BB in it cannot be laid out several times. */
static bool
look_at_block (struct look *l, basic_block bb)
{
  unsigned inside = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    inside += flow_bb_inside_loop_p (l->loop, e->dest);
  l->n_conditions += inside > 1 ? inside - 1 : 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi);
       gsi_next_nondebug (&gsi))
    {
      if (++l->n_statements > MOST_STATEMENTS || cab_access_acyclic_ends (gsi_stmt (gsi)))
	return false;
      add_words (l, gsi_stmt (gsi));
    }
  return true;
}

static bool
look_at (struct look *l)
{
  class loop *loop = l->loop;
  bool good = loop->num_nodes <= MOST_BLOCKS && !loop->simduid && !loop->safelen
	   && can_duplicate_loop_p (loop);
  basic_block *blocks = get_loop_body (loop);
  for (unsigned i = 0; good && i < loop->num_nodes; i++)
    good = look_at_block (l, blocks[i]);
  free (blocks);
  return good;
}

/* Return true if VALUE is loaded from where POINTER leads to, at a constant distance. */
static bool
is_link (tree value, tree pointer)
{
  gimple *load = TREE_CODE (value) == SSA_NAME ? SSA_NAME_DEF_STMT (value) : NULL;
  tree base = load && gimple_assign_load_p (load) ? get_base_address (gimple_assign_rhs1 (load))
						  : NULL_TREE;
  return base && TREE_CODE (base) == MEM_REF && TREE_OPERAND (base, 0) == pointer;
}

/* Return true if LOOP follows links, each at the same offset of the previous node.  Then it waits
   for these loads anyway, and the machine, which predicts what the load at one place in the code
   will need next, would not if there were several such places. */
static bool
follows_links (class loop *loop)
{
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!virtual_operand_p (gimple_phi_result (gsi.phi ()))
	&& is_link (PHI_ARG_DEF_FROM_EDGE (gsi.phi (), loop_latch_edge (loop)),
		    gimple_phi_result (gsi.phi ())))
      return true;
  return false;
}

/* Return how many times the body of LOOP is to be laid out. */
static unsigned
turns_of (class loop *loop)
{
  struct look l = {};
  l.loop = loop;
  bool good = loop_latch_edge (loop) && !follows_links (loop) && look_at (&l);
  free_affine_expand_cache (&l.expansions);
  unsigned each = 0, once = 0, most = MIN (cab_most_words (), CAB_TURN_WORDS) - WORDS_BEFORE;
  for (bool one : l.once)
    *(one ? &once : &each) += 1;
  if (!good || !(once + each) || once + 2 * each > most)
    return 1;
  unsigned turns = each ? MIN (MOST_TURNS, (most - once) / each) : MOST_TURNS;
  return l.n_conditions ? MIN (turns, MOST_CONDITIONS / l.n_conditions) : turns;
}

/* Replace TO by FROM in statements, which otherwise stay as they were, because they must be
   recognised as copies. */
static void
put_name (tree to, tree from)
{
  imm_use_iterator iterator;
  use_operand_p use;
  gimple *stmt;
  FOR_EACH_IMM_USE_STMT (stmt, iterator, to)
    {
      FOR_EACH_IMM_USE_ON_STMT (use, iterator)
	SET_USE (use, from);
      update_stmt (stmt);
    }
}

/* Remove PHIs with one argument from LOOP: the header's copies are entered from one side only. */
static void
merge_names (class loop *loop)
{
  basic_block *blocks = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    for (gphi_iterator gsi = gsi_start_phis (blocks[i]);
	 single_pred_p (blocks[i]) && !gsi_end_p (gsi);)
      {
	tree to = gimple_phi_result (gsi.phi ()), from = gimple_phi_arg_def (gsi.phi (), 0);
	if (virtual_operand_p (to) || TREE_CODE (from) != SSA_NAME
	    || !may_propagate_copy (to, from))
	  gsi_next (&gsi);
	else
	  {
	    put_name (to, from);
	    remove_phi_node (&gsi, true);
	  }
      }
  free (blocks);
}

void
cab_statements_copied (basic_block bb, vec<gimple *> *found)
{
  for (gimple_stmt_iterator gsi = gsi_after_labels (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi)))
      found->safe_push (gsi_stmt (gsi));
}

/* Note the statements of LOOP's copied blocks, and what they are copies of. */
static void
note_copies (struct cab_memory *m, class loop *loop)
{
  basic_block *blocks = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (basic_block original = get_bb_original (blocks[i]))
      {
	auto_vec<gimple *> from, to;
	cab_statements_copied (original, &from);
	cab_statements_copied (blocks[i], &to);
	for (unsigned k = 0; k < from.length () && k < to.length (); k++)
	  m->original->put (to[k], from[k]);
      }
  free (blocks);
}

static bool
lay_out (struct cab_memory *m, class loop *loop, unsigned turns)
{
  auto_sbitmap no_exit_goes (turns);
  bitmap_clear (no_exit_goes);
  initialize_original_copy_tables ();
  bool good = cab_duplicate_loop_body (loop, loop_latch_edge (loop), turns - 1, no_exit_goes, NULL,
				       NULL, DLTHE_FLAG_UPDATE_FREQ);
  if (good)
    note_copies (m, loop);
  free_original_copy_tables ();
  return good;
}

/* Return true if laying LOOP out may pay.  A loop that the source or a hint has unrolled stays as
   it is. */
static bool
is_wanted (class loop *loop, const vec<class loop *> &whole)
{
  return !loop->inner && !loop->unroll && !cab_access_is_in (whole, loop->header)
      && optimize_loop_for_speed_p (loop) && expected_loop_iterations (loop) >= LEAST_ITERATIONS;
}

void
cab_turns_lay_out (struct cab_memory *m, const vec<class loop *> &whole)
{
  vec<class loop *> *turned = &m->turned;
  auto_vec<unsigned> turns;
  unsigned n = 0;
  scev_initialize ();
  CAB_EACH_LOOP (loop)
    if (is_wanted (loop, whole))
      {
	unsigned often = turns_of (loop);
	if (often > 1)
	  {
	    turned->safe_push (loop);
	    turns.safe_push (often);
	  }
      }
  scev_finalize ();
  free_numbers_of_iterations_estimates (cfun);
  m->original = new hash_map<gimple *, gimple *> ();
  for (unsigned i = 0; i < turns.length (); i++)
    if (lay_out (m, (*turned)[i], turns[i]))
      (*turned)[n++] = (*turned)[i];
  turned->truncate (n);
  if (n)
    update_ssa (TODO_update_ssa);
  for (class loop *loop : *turned)
    merge_names (loop);
}

gimple *
cab_turns_original (const struct cab_memory *m, gimple *stmt)
{
  gimple **original = m->original ? m->original->get (stmt) : NULL;
  return original ? *original : stmt;
}

/* Return how many accesses the statement of access FROM has; they are consecutive. */
static unsigned
n_alike (const struct cab_memory *m, unsigned from)
{
  unsigned end = from;
  while (end < m->accesses.length () && m->accesses[end].stmt == m->accesses[from].stmt)
    end++;
  return end - from;
}

void
cab_turns_number (struct cab_memory *m, unsigned from)
{
  hash_map<gimple *, unsigned> first;   /* by original: the first access of whichever of its copies
					   comes first */
  for (unsigned begin = from, n; begin < m->accesses.length (); begin += n)
    {
      bool existed;
      unsigned &of = first.get_or_insert (cab_turns_original (m, m->accesses[begin].stmt),
					  &existed);
      n = n_alike (m, begin);
      if (!existed)
	of = begin;
      bool same = n_alike (m, of) == n;
      for (unsigned i = 0; i < n; i++)
	m->accesses[begin + i].of = (same ? of : begin) + i;
    }
}
