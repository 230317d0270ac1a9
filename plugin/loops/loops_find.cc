/* loops_find.cc - finds the source loop of a loop of a later pass.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/loops_find.h"
#include "rtl.h"

/* Return the function in whose source WHERE lies: the one inlined last, or else cfun's own.  Set
   *INLINE_DEPTH to the number of functions inlined there. */
static tree
function_at (location_t where, unsigned *inline_depth)
{
  tree function = NULL_TREE;
  *inline_depth = 0;
  for (tree block = LOCATION_BLOCK (where); block && TREE_CODE (block) == BLOCK;
       block = BLOCK_SUPERCONTEXT (block))
    if (inlined_function_outer_scope_p (block))
      {
	tree origin = block_ultimate_origin (block);
	if (!function && origin && TREE_CODE (origin) == FUNCTION_DECL)
	  function = origin;
	++*inline_depth;
      }
  return function ? function : cfun->decl;
}

/* Return true if A precedes B in the text. */
static bool
is_before (const expanded_location &a, const expanded_location &b)
{
  return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Return true if the text of loop INDEX of LOOPS contains X. */
static bool
holds (const cab_source_loops *loops, int index, const expanded_location &x)
{
  const cab_source_loop *loop = &loops->loops[index];
  return x.file && loop->place.file && !strcmp (lbasename (x.file), lbasename (loop->place.file))
      && !is_before (x, loop->first) && !is_before (loop->last, x);
}

/* Return the innermost loop whose text contains WHERE, or -1 if there is none, or if there are
   several that are not nested (they come from one macro). */
static int
innermost_by_text (const cab_source_loops *loops, location_t where)
{
  expanded_location x = expand_location (where);
  int best = -1;
  for (unsigned i = 0; i < loops->loops.length (); i++)
    if (holds (loops, i, x))
      {
	if (best >= 0 && loops->loops[i].parent != best)
	  return -1;
	best = i;
      }
  return best;
}

void
cab_loops_at (location_t where, vec<cab_loop_source> *found)
{
  cab_loop_source source = { NULL, 0, 0 };
  if (RESERVED_LOCATION_P (LOCATION_LOCUS (where)))
    return;
  source.loops = cab_loops_of (function_at (where, &source.inline_depth));
  if (!source.loops)
    return;
  if (source.loops->places.is_empty ())
    {
      source.index = innermost_by_text (source.loops, where);
      if (source.index >= 0)
	found->safe_push (source);
      return;
    }
  location_t pure = get_pure_location (where);
  unsigned low = 0, high = source.loops->places.length ();
  while (low < high)
    {
      unsigned middle = (low + high) / 2;
      if (source.loops->places[middle].where < pure)
	low = middle + 1;
      else
	high = middle;
    }
  for (; low < source.loops->places.length () && source.loops->places[low].where == pure; low++)
    {
      source.index = source.loops->places[low].loop;
      found->safe_push (source);
    }
}

static bool
same_source (const cab_loop_source *a, const cab_loop_source *b)
{
  return a->loops == b->loops && a->index == b->index;
}

/* Return true if A encloses B or is B.  For loops of different functions or inline depths: if A was
   inlined through fewer calls. */
static bool
encloses (const cab_loop_source *a, const cab_loop_source *b)
{
  if (a->loops != b->loops || a->inline_depth != b->inline_depth)
    return a->inline_depth < b->inline_depth;
  for (int i = b->index; i >= 0; i = a->loops->loops[i].parent)
    if (i == a->index)
      return true;
  return false;
}

/* Return the outermost of FOUND that lies strictly within AROUND (if that is known), the first one
   if there are several. */
static cab_loop_source
outermost_within (const vec<cab_loop_source> &found, const cab_loop_source *around)
{
  cab_loop_source best = { NULL, 0, 0 };
  for (const cab_loop_source &candidate : found)
    {
      if (around->loops && (same_source (around, &candidate) || !encloses (around, &candidate)))
	continue;
      if (!best.loops || (!same_source (&candidate, &best) && encloses (&candidate, &best)))
	best = candidate;
    }
  return best;
}

/* Return how many of FOUND belong to the function of LOOPS. */
static unsigned
n_of (const vec<cab_loop_source> &found, const cab_source_loops *loops)
{
  unsigned n = 0;
  for (const cab_loop_source &source : found)
    n += source.loops == loops;
  return n;
}

static bool
is_rtl (void)
{
  return current_ir_type () != IR_GIMPLE;
}

/* Return the place where control leaves BB. */
static location_t
end_place (basic_block bb)
{
  if (is_rtl ())
    return JUMP_P (BB_END (bb)) ? INSN_LOCATION (BB_END (bb)) : UNKNOWN_LOCATION;
  gimple *last = cab_last_stmt (bb);
  return last ? gimple_location (last) : UNKNOWN_LOCATION;
}

static bool
leaves (class loop *loop, basic_block bb)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, bb->succs)
    if (!flow_bb_inside_loop_p (loop, e->dest))
      return true;
  return false;
}

static void
all_places (basic_block bb, vec<cab_loop_source> *found)
{
  if (is_rtl ())
    {
      rtx_insn *insn;
      FOR_BB_INSNS (bb, insn)
	if (NONDEBUG_INSN_P (insn))
	  cab_loops_at (INSN_LOCATION (insn), found);
      return;
    }
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi)))
      cab_loops_at (gimple_location (gsi_stmt (gsi)), found);
}

/* Append the source loops of everything in LOOP, but not in loops inside, to FOUND. */
static void
own_places (class loop *loop, vec<cab_loop_source> *found)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (bb->loop_father == loop)
      all_places (bb, found);
}

/* Return true if LOOP, although it has an exit test of BEST's, is a part of AROUND.  An
   interpreter's loop has many back edges, and may have become a nest of several; then most of what
   is in each is AROUND's own. */
static bool
is_part_of (class loop *loop, const cab_loop_source *around, const cab_loop_source *best)
{
  auto_vec<cab_loop_source> all;
  unsigned n_around = 0, n_best = 0;
  own_places (loop, &all);
  for (const cab_loop_source &source : all)
    if (same_source (&source, around))
      n_around++;
    else if (source.loops == best->loops && source.inline_depth == best->inline_depth
	     && encloses (best, &source))
      n_best++;
  return n_around > n_best;
}

cab_loop_source
cab_loops_identify (class loop *loop)
{
  cab_loop_source none = { NULL, 0, 0 };
  if (!loop_depth (loop))
    return none;
  cab_loop_source around = cab_loops_identify (loop_outer (loop));
  auto_vec<cab_loop_source> found;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (bb->loop_father == loop && leaves (loop, bb))
      cab_loops_at (end_place (bb), &found);
  cab_loop_source best = outermost_within (found, &around);
  /* If the test was inlined together with a loop of which nothing else is left, the rest of the
     contents is better evidence. */
  if (!best.loops || best.inline_depth)
    {
      auto_vec<cab_loop_source> all;
      own_places (loop, &all);
      cab_loop_source other = outermost_within (all, &around);
      if (!best.loops
	  || (other.loops && other.inline_depth < best.inline_depth
	      && n_of (all, other.loops) > n_of (all, best.loops)))
	best = other;
      found.safe_splice (all);
    }
  if (best.loops && around.loops && is_part_of (loop, &around, &best))
    best = around;
  /* A loop with two back edges may have become a nest of two: both are the one source loop. */
  for (unsigned i = 0; i < found.length () && !best.loops; i++)
    if (same_source (&found[i], &around))
      best = around;
  return best;
}

cab_loop_source
cab_loops_of_block (basic_block bb)
{
  cab_loop_source around = cab_loops_identify (bb->loop_father);
  auto_vec<cab_loop_source> found;
  all_places (bb, &found);
  cab_loop_source best = outermost_within (found, &around);
  return best.loops ? best : around;
}
