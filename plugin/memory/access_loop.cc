/* access_loop.cc - loops whose accesses are sent by one event, when control leaves them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source: ALITER's affine loops; the compiler's own analysis of scalar evolutions.

   A loop is sent as one event if nothing else is sent in it, each of its accesses happens in
   every iteration until control leaves, and each address is one at the loop's entry plus a step
   that stays the same.  What happened in the last iteration depends on the exit alone: the
   blocks of accesses dominate the latch, so they are ordered by dominance, and those before an
   exit are a prefix.  What is sent is computed on the exits, from values that were there before
   the loop: no code is put before the loop, and within it only a count of iterations, which the
   compiler replaces by a formula where it knows one, so that vectorisation does not see it. */
#include "plugin/memory/access_loop.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/access_held.h"
#include "plugin/memory/access_iterations.h"
#include "plugin/memory/access_unroll.h"
#include "plugin/memory/plan.h"
#include "tree-ssa-loop.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-manip.h"
#include "gimple-fold.h"

#define PARTS_MAX 255

/* A loop while it is examined. */
struct candidate
{
  const struct cab_memory *m;
  class loop *loop;
  auto_vec<struct cab_memory_access> accesses;
  auto_vec<edge> exits;
  hash_map<tree, name_expansion *> **expansions;
};

/* Volatile assembly may be a probe, whose place among the accesses matters. */
bool
cab_access_is_quiet (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  return !cab_access_region_ends (stmt)
      && !(text && gimple_asm_volatile_p (text) && !cab_is_quiet_probe (text))
      && !stmt_could_throw_p (cfun, stmt);
}

static bool
add_block (struct candidate *c, basic_block bb)
{
  unsigned before = c->accesses.length ();
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      if (is_gimple_debug (gsi_stmt (gsi)))
	continue;
      if (!cab_access_is_quiet (gsi_stmt (gsi)) || cab_mark_of (c->m, gsi_stmt (gsi)))
	return false;
      cab_access_of (gsi_stmt (gsi), cab_turns_original (c->m, gsi_stmt (gsi)), &c->accesses);
    }
  return before == c->accesses.length () || dominated_by_p (CDI_DOMINATORS, c->loop->latch, bb);
}

/* Add all accesses, in the order in which they happen; return false if LOOP cannot be sent at
   once. */
static bool
add_blocks (struct candidate *c)
{
  basic_block *body = get_loop_body_in_dom_order (c->loop);
  bool good = true;
  for (unsigned i = 0; good && i < c->loop->num_nodes; i++)
    good = add_block (c, body[i]);
  free (body);
  return good && !c->accesses.is_empty ();
}

static bool
has_plain_edges (struct candidate *c)
{
  edge e;
  edge_iterator ei;
  if (c->loop->inner || !c->loop->latch || EDGE_COUNT (c->loop->header->preds) != 2)
    return false;
  FOR_EACH_EDGE (e, ei, c->loop->header->preds)
    if (e->flags & EDGE_COMPLEX)
      return false;
  auto_vec<edge> exits = get_loop_exit_edges (c->loop);
  for (edge exit : exits)
    {
      if (exit->flags & EDGE_COMPLEX)
	return false;
      c->exits.safe_push (exit);
    }
  return !c->exits.is_empty ();
}

bool
cab_access_can_move (class loop *loop, tree expression)
{
  return expr_invariant_in_loop_p (loop, expression) && !contains_abnormal_ssa_name_p (expression);
}

static bool
find_evolution (struct candidate *c, struct cab_memory_access *access)
{
  affine_iv iv;
  if (access->length || access->after || !simple_iv (c->loop, c->loop, access->address, &iv, true))
    return false;
  access->address = fold_convert (cab_word_type (), iv.base);
  access->step = fold_convert (cab_word_type (), iv.step);
  return cab_access_can_move (c->loop, access->address)
      && cab_access_can_move (c->loop, access->step);
}

int
cab_access_step_word (struct cab_memory_region *region, unsigned index, tree step)
{
  if (TREE_CODE (step) == INTEGER_CST)
    return -1;
  for (unsigned i = 0; i < region->words.length (); i++)
    if (region->words[i].is == CAB_WORD_STEP && operand_equal_p (region->words[i].value, step, 0))
      return i;
  return cab_access_add_word (region, index, CAB_WORD_STEP, step);
}

/* Plan words for the bases and the steps of all accesses, and one for the count.  Return false if
   they are too many. */
static bool
plan_words (struct candidate *c, struct cab_memory_region *region)
{
  for (unsigned i = 0; i < c->accesses.length (); i++)
    {
      struct cab_memory_access *access = &c->accesses[i];
      access->length_word = -1;
      cab_access_base_word (region, region->first + i, access, c->expansions);
      access->step_word = cab_access_step_word (region, region->first + i, access->step);
      if (region->words.length () > CAB_REGION_WORDS - 1)
	return false;
    }
  region->count = cab_access_add_word (region, 0, CAB_WORD_COUNT, NULL_TREE);
  return true;
}

/* Return how many accesses of an iteration have happened when control leaves over E. */
static unsigned
happened (struct candidate *c, edge e)
{
  unsigned n = 0;
  for (struct cab_memory_access &access : c->accesses)
    n += dominated_by_p (CDI_DOMINATORS, e->src, gimple_bb (access.stmt));
  return n;
}

/* Split an iteration into parts at the points where control may leave.  Return false if there are
   too many. */
static bool
plan_parts (struct candidate *c, struct cab_memory_region *region)
{
  auto_bitmap ends;
  auto_vec<unsigned> n_before;
  for (edge e : c->exits)
    {
      n_before.safe_push (happened (c, e));
      bitmap_set_bit (ends, n_before.last ());
    }
  unsigned part = 0;
  for (unsigned i = 0; i < c->accesses.length (); i++)
    {
      part += i && bitmap_bit_p (ends, i);
      c->accesses[i].part = part;
    }
  for (unsigned i = 0; i < c->exits.length (); i++)
    {
      unsigned n = n_before[i];
      struct cab_region_exit exit = { c->exits[i], n ? c->accesses[n - 1].part + 1 : 0,
				      n == c->accesses.length () };
      region->exits.safe_push (exit);
    }
  return part < PARTS_MAX;
}

static bool
plan (struct candidate *c, struct cab_memory_region *region)
{
  if (!has_plain_edges (c) || !add_blocks (c))
    return false;
  for (struct cab_memory_access &access : c->accesses)
    if (!find_evolution (c, &access))
      return false;
  return plan_words (c, region) && plan_parts (c, region);
}

struct cab_memory_region *
cab_access_loop (struct cab_memory *m, class loop *loop,
		 hash_map<tree, name_expansion *> **expansions)
{
  struct candidate c;
  struct cab_memory_region *region = new cab_memory_region ();
  c.m = m;
  c.loop = loop;
  c.expansions = expansions;
  region->loop = loop;
  region->first = m->accesses.length ();
  if (!plan (&c, region))
    {
      for (struct cab_memory_access &access : c.accesses)
	free (access.name);
      delete region;
      return NULL;
    }
  region->n = c.accesses.length ();
  for (struct cab_memory_access &access : c.accesses)
    m->accesses.safe_push (access);
  return region;
}

/* Return the number of completed iterations, as a register of LOOP's header. */
static tree
count_iterations (class loop *loop)
{
  gimple_stmt_iterator gsi;
  bool after;
  tree count;
  standard_iv_increment_position (loop, &gsi, &after);
  cab_create_iv (cab_u64 (0), cab_u64 (1), loop, &gsi, after, &count);
  return count;
}

static bool
may_overflow (gimple *stmt)
{
  tree type = is_gimple_assign (stmt) ? TREE_TYPE (gimple_assign_lhs (stmt)) : NULL_TREE;
  return type && (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)) && TYPE_OVERFLOW_UNDEFINED (type)
	 && arith_code_with_undefined_signed_overflow (gimple_assign_rhs_code (stmt));
}

/* Append FROM to TO with sums whose overflow is defined: what the program computes in the loop, if
   it gets there, is computed elsewhere, where the sums may overflow. */
static void
append_defined (gimple_seq *to, gimple_seq from)
{
  for (gimple_stmt_iterator gsi = gsi_start (from); !gsi_end_p (gsi);)
    {
      gimple *stmt = gsi_stmt (gsi);
      gsi_remove (&gsi, false);
      if (may_overflow (stmt))
	gimple_seq_add_seq (to, cab_rewrite_to_defined (stmt));
      else
	gimple_seq_add_stmt (to, stmt);
    }
}

/* Return the count's word: the number of whole passes, and the number of parts of one more. */
static tree
count_word (gimple_seq *seq, tree count, const struct cab_region_exit *exit)
{
  tree whole = exit->whole ? cab_build_op (seq, PLUS_EXPR, count, cab_u64 (1)) : count;
  tree shifted = cab_build_op (seq, LSHIFT_EXPR, whole, build_int_cst (integer_type_node, 8));
  return exit->whole || !exit->parts
	 ? shifted
	 : cab_build_op (seq, BIT_IOR_EXPR, shifted, cab_u64 (exit->parts));
}

void
cab_access_loop_emit (struct cab_memory *m, unsigned number)
{
  struct cab_memory_region *region = m->regions[number];
  tree count = region->count >= 0 ? count_iterations (region->loop) : NULL_TREE;
  for (struct cab_region_exit &exit : region->exits)
    {
      auto_vec<tree> values;
      gimple_seq seq = NULL;
      for (struct cab_region_word &word : region->words)
	if (word.is == CAB_WORD_COUNT)
	  values.safe_push (region->is_nest ? count : count_word (&seq, count, &exit));
	else
	  {
	    gimple_seq made = NULL;
	    values.safe_push (cab_access_value (&made, word.value));
	    append_defined (&seq, made);
	  }
      tree header = cab_access_header (&seq, &m->row, number, CAB_ACCESS_REGION, values.length ());
      if (values.length () <= CAB_REGION_WORDS)
	cab_held_enqueue (m, exit.on, NULL, &seq, header, values);
      else
	cab_enqueue_array (&seq, header, values);
      gsi_insert_seq_on_edge (exit.on, seq);
    }
}
