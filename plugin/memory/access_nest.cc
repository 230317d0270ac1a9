/* access_nest.cc - nests of loops whose accesses are sent by one event, when control leaves the
   outermost.
   SPDX-License-Identifier: GPL-3.0-or-later

   Source: ALITER's affine nests; the compiler's own analyses of scalar evolutions, of numbers of
   iterations, and of post-dominators.

   What happens in a nest follows from what is known before it if each address, each number of
   iterations and each condition that an access depends on is an affine function of the
   completed iterations of the loops around.  A number of iterations and a condition are
   recorded as the program computes them, modulo its types' widths, so it does not matter
   whether they wrap.  Guards of loops that may have no iteration, and triangles, are no special
   cases.  A loop that is no such nest may contain some. */
#include "plugin/memory/access_nest.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_evolution.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/access_iterations.h"
#include "plugin/memory/access_loop.h"
#include "plugin/memory/access_unroll.h"
#include "plugin/memory/plan.h"
#include "tree-ssa-loop.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-niter.h"

#define MOST_LEVELS 16   /* maximum depth, which is the reader's */

/* The subject of a level: a loop, or the condition that this edge is taken. */
struct key
{
  class loop *loop;
  edge on;
};

struct nest
{
  struct cab_memory *m;
  class loop *loop;                        /* the outermost loop */
  struct cab_memory_region *region;
  auto_vec<basic_block> blocks;            /* in program order */
  auto_vec<struct cab_memory_access> accesses;
  auto_vec<struct key> open;               /* the levels at this point, outermost first */
  auto_vec<unsigned> numbers;              /* their numbers */
  auto_bitmap begun;                       /* numbers of loops that have been open */
  hash_map<tree, name_expansion *> **expansions;
};

/* Return the loop directly in LOOP that BB is in, or null. */
static class loop *
loop_within (class loop *loop, basic_block bb)
{
  class loop *inner = bb->loop_father;
  if (inner == loop)
    return NULL;
  while (loop_outer (inner) != loop)
    inner = loop_outer (inner);
  return inner;
}

static void add_order (class loop *loop, vec<basic_block> *order);

/* Append BB of LOOP, or the loop that it is in, to ORDER after the blocks that follow it; the order
   is reversed, last things first. */
static void
visit (class loop *loop, basic_block bb, bitmap seen, vec<basic_block> *order)
{
  edge e;
  edge_iterator ei;
  if (!flow_bb_inside_loop_p (loop, bb) || !bitmap_set_bit (seen, bb->index))
    return;
  if (class loop *inner = loop_within (loop, bb))
    {
      auto_vec<edge> exits = get_loop_exit_edges (inner);
      for (edge exit : exits)
	if (exit->dest != loop->header)
	  visit (loop, exit->dest, seen, order);
      add_order (inner, order);
      return;
    }
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (e->dest != loop->header)
      visit (loop, e->dest, seen, order);
  order->safe_push (bb);
}

static void
add_order (class loop *loop, vec<basic_block> *order)
{
  auto_bitmap seen;
  visit (loop, loop->header, seen, order);
}

void
cab_access_nest_blocks (class loop *loop, vec<basic_block> *blocks)
{
  add_order (loop, blocks);
  blocks->reverse ();
}

static unsigned
depth_of (const struct nest *n, class loop *loop)
{
  return loop_depth (loop) - loop_depth (n->loop);
}

/* Set TERM to EXPRESSION, in LOOP, as a base that is known before the nest, and steps.  Return
   false if it is not of that form. */
static bool
find_term (struct nest *n, class loop *loop, tree expression, struct cab_nest_term *term)
{
  affine_iv iv;
  struct cab_evolution found;
  *term = {};
  term->n_steps = depth_of (n, loop) + 1;
  for (;; loop = loop_outer (loop))
    {
      if (simple_iv (loop, loop, expression, &iv, true))
	found = { iv.base, fold_convert (cab_word_type (), iv.step) };
      else if (!cab_access_evolution (loop, expression, &found))
	return false;
      if (!cab_access_can_move (n->loop, found.step))
	return false;
      term->step[depth_of (n, loop)] = found.step;
      expression = found.base;
      if (loop == n->loop)
	break;
    }
  term->base = fold_convert (cab_word_type (), expression);
  return cab_access_can_move (n->loop, term->base);
}

/* Return the number of times that LOOP's latch is executed, an expression at the loop's begin, or
   null if it is unknown. */
static tree
latch_executions (class loop *loop)
{
  class tree_niter_desc niter;
  if (!number_of_iterations_exit (loop, single_exit (loop), &niter, false)
      || !integer_nonzerop (niter.assumptions)
      || (niter.may_be_zero && !integer_zerop (niter.may_be_zero))
      || !INTEGRAL_TYPE_P (TREE_TYPE (niter.niter)))
    return NULL_TREE;
  return niter.niter;
}

/* Find the iteration count of LOOP.  For the outermost loop it is counted at run time, where
   nothing else will do. */
static bool
find_count (struct nest *n, class loop *loop, struct cab_nest_term *term, unsigned *bits)
{
  tree count = latch_executions (loop);
  *bits = 64;
  if (count)
    *bits = TYPE_PRECISION (TREE_TYPE (count));
  if (loop != n->loop)
    return count && *bits <= 64 && find_term (n, loop_outer (loop), count, term);
  *term = {};
  if (count && *bits <= 64 && cab_access_can_move (loop, count))
    term->base = fold_convert (cab_word_type (), count);
  else
    *bits = 64;
  return true;
}

/* Find the edge in LOOP on which it depends that control reaches BB; *ON is null if control always
   reaches it in an iteration.  Return false if it does not depend on a single edge. */
static bool
find_control (class loop *loop, basic_block bb, edge *on)
{
  edge_iterator ei;
  basic_block by = bb;
  *on = NULL;
  while (by != loop->header)
    {
      by = get_immediate_dominator (CDI_DOMINATORS, by);
      if (dominated_by_p (CDI_POST_DOMINATORS, by, bb))
	continue;
      if (by->loop_father != loop || !safe_dyn_cast<gcond *> (cab_last_stmt (by)))
	return false;
      FOR_EACH_EDGE (*on, ei, by->succs)
	if (single_pred_p ((*on)->dest) && dominated_by_p (CDI_DOMINATORS, bb, (*on)->dest)
	    && dominated_by_p (CDI_POST_DOMINATORS, (*on)->dest, bb))
	  return true;
      return false;
    }
  return true;
}

/* Append the levels that BB is in to LEVELS, innermost first. */
static bool
find_levels (struct nest *n, basic_block bb, vec<struct key> *levels)
{
  class loop *loop = bb->loop_father;
  while (levels->length () < MOST_LEVELS)
    {
      edge on;
      if (!find_control (loop, bb, &on))
	return false;
      struct key key = { on ? NULL : loop, on };
      levels->safe_push (key);
      if (on)
	bb = on->src;
      else if (loop == n->loop)
	return true;
      else
	{
	  bb = loop_preheader_edge (loop)->src;
	  loop = loop_outer (loop);
	}
    }
  return false;
}

/* Plan LEVEL as the condition that ON is taken, by the operands of the condition. */
static bool
plan_condition (struct nest *n, edge on, struct cab_nest_level *level)
{
  gcond *condition = as_a<gcond *> (cab_last_stmt (on->src));
  enum tree_code code = gimple_cond_code (condition);
  tree left = gimple_cond_lhs (condition), right = gimple_cond_rhs (condition),
       type = TREE_TYPE (left);
  if ((!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type)) || TYPE_PRECISION (type) > 64)
    return false;
  if (on->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, false);
  if (code == GT_EXPR || code == GE_EXPR)
    {
      std::swap (left, right);
      code = code == GT_EXPR ? LT_EXPR : LE_EXPR;
    }
  bool is_signed = !TYPE_UNSIGNED (type);
  level->bits = TYPE_PRECISION (type);
  switch (code)
    {
    case LT_EXPR: level->how = is_signed ? "s<" : "<"; break;
    case LE_EXPR: level->how = is_signed ? "s<=" : "<="; break;
    case EQ_EXPR: level->how = "=="; break;
    case NE_EXPR: level->how = "!="; break;
    default: return false;
    }
  class loop *loop = on->src->loop_father;
  return find_term (n, loop, left, &level->left) && find_term (n, loop, right, &level->right);
}

/* Plan LEVEL as the condition upon which LOOP continues: there are more iterations. */
static bool
plan_going_on (struct nest *n, class loop *loop, struct cab_nest_level *level)
{
  level->how = "<";
  level->left = {};
  level->left.base = cab_u64 (0);
  level->left.n_steps = depth_of (n, loop) + 1;
  for (unsigned k = 0; k < level->left.n_steps; k++)
    level->left.step[k] = cab_u64 (k + 1 == level->left.n_steps);
  return find_count (n, loop, &level->right, &level->bits);
}

/* Return true if control goes through LOOP by edges alone, and leaves it by one exit. */
static bool
has_one_exit (class loop *loop)
{
  edge e, exit = single_exit (loop);
  edge_iterator ei;
  if (!loop->latch || !exit || (exit->flags & EDGE_COMPLEX)
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, exit->src))
    return false;
  FOR_EACH_EDGE (e, ei, loop->header->preds)
    if (e->flags & EDGE_COMPLEX)
      return false;
  return EDGE_COUNT (loop->header->preds) == 2;
}

static bool
plan_level (struct nest *n, const struct key *key, struct cab_nest_level *level)
{
  if (key->on)
    {
      edge exit = single_exit (key->on->src->loop_father);
      return exit && exit->src == key->on->src ? plan_going_on (n, key->on->src->loop_father, level)
					       : plan_condition (n, key->on, level);
    }
  level->how = "loop";
  return has_one_exit (key->loop) && depth_of (n, key->loop) < CAB_NEST_LOOPS
      && bitmap_set_bit (n->begun, key->loop->num)
      && find_count (n, key->loop, &level->left, &level->bits);
}

/* Close and open levels up to those of BB, and set *NUMBER to that of the innermost. */
static bool
enter_levels (struct nest *n, basic_block bb, unsigned *number)
{
  auto_vec<struct key> levels;
  unsigned common = 0;
  if (!find_levels (n, bb, &levels))
    return false;
  levels.reverse ();
  while (common < levels.length () && common < n->open.length ()
	 && levels[common].loop == n->open[common].loop && levels[common].on == n->open[common].on)
    common++;
  n->open.truncate (common);
  n->numbers.truncate (common);
  for (unsigned i = common; i < levels.length (); i++)
    {
      struct cab_nest_level level = {};
      level.parent = i ? (int) n->numbers[i - 1] : -1;
      level.before = n->accesses.length ();
      level.loop = levels[i].loop;
      if (!plan_level (n, &levels[i], &level))
	return false;
      n->open.safe_push (levels[i]);
      n->numbers.safe_push (n->region->levels.length ());
      n->region->levels.safe_push (level);
    }
  *number = n->numbers.last ();
  return true;
}

static bool
add_block (struct nest *n, basic_block bb)
{
  unsigned level = 0;
  bool good = true;
  auto_vec<struct cab_memory_access> found;
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); good && !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi)))
      {
	good = cab_access_is_quiet (gsi_stmt (gsi)) && !cab_mark_of (n->m, gsi_stmt (gsi));
	cab_access_of (gsi_stmt (gsi), cab_turns_original (n->m, gsi_stmt (gsi)), &found);
      }
  good = good && (found.is_empty () || enter_levels (n, bb, &level));
  for (struct cab_memory_access &access : found)
    {
      good = good && !access.length && !access.after
	  && find_term (n, bb->loop_father, access.address, &access.term);
      access.part = level;
      n->accesses.safe_push (access);
    }
  return good;
}

/* Set *WORD and *OFFSET to the word and the offset that give BASE. */
static void
plan_base (struct nest *n, unsigned index, tree base, int *word, HOST_WIDE_INT *offset)
{
  *word = -1;
  *offset = 0;
  if (TREE_CODE (base) == INTEGER_CST)
    {
      *offset = (HOST_WIDE_INT) TREE_INT_CST_LOW (base);
      return;
    }
  struct cab_memory_access as = {};
  as.address = base;
  cab_access_base_word (n->region, index, &as, n->expansions);
  *word = as.word;
  *offset = as.offset;
}

static void
plan_term (struct nest *n, unsigned index, struct cab_nest_term *term)
{
  if (term->base)
    plan_base (n, index, term->base, &term->word, &term->offset);
  else
    term->word = n->region->count;
  for (unsigned k = 0; k < term->n_steps; k++)
    term->step_word[k] = cab_access_step_word (n->region, index, term->step[k]);
}

/* Plan words for everything that is not constant.  Return false if they are too many. */
static bool
plan_words (struct nest *n)
{
  struct cab_memory_region *region = n->region;
  if (!region->levels[0].left.base)
    region->count = cab_access_add_word (region, region->first, CAB_WORD_COUNT, NULL_TREE);
  for (struct cab_nest_level &level : region->levels)
    {
      plan_term (n, region->first, &level.left);
      if (strcmp (level.how, "loop"))
	plan_term (n, region->first, &level.right);
    }
  for (unsigned i = 0; i < n->accesses.length (); i++)
    {
      struct cab_memory_access *access = &n->accesses[i];
      access->address = access->term.base;
      access->length_word = access->step_word = -1;
      plan_term (n, region->first + i, &access->term);
      access->word = access->term.word;
      access->offset = access->term.offset;
    }
  return region->words.length () <= CAB_ACCESS_WORDS;
}

static bool
plan (struct nest *n)
{
  if (!has_one_exit (n->loop))
    return false;
  cab_access_nest_blocks (n->loop, &n->blocks);
  for (basic_block bb : n->blocks)
    if ((bb->flags & BB_IRREDUCIBLE_LOOP) || !add_block (n, bb))
      return false;
  if (n->accesses.is_empty () || !plan_words (n))
    return false;
  struct cab_region_exit exit = { single_exit (n->loop), 0, false };
  n->region->exits.safe_push (exit);
  return true;
}

struct cab_memory_region *
cab_access_nest (struct cab_memory *m, class loop *loop,
		 hash_map<tree, name_expansion *> **expansions)
{
  struct nest n;
  n.m = m;
  n.loop = loop;
  n.expansions = expansions;
  n.region = new cab_memory_region ();
  n.region->loop = loop;
  n.region->is_nest = true;
  n.region->count = -1;
  n.region->first = m->accesses.length ();
  if (!plan (&n))
    {
      for (struct cab_memory_access &access : n.accesses)
	free (access.name);
      delete n.region;
      return NULL;
    }
  n.region->n = n.accesses.length ();
  for (struct cab_memory_access &access : n.accesses)
    m->accesses.safe_push (access);
  return n.region;
}
