/* outcome.cc - what the passes do to source loops, found by comparing the compiler's loops before
   and after each pass.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/loops/outcome.h"
#include "plugin/loops/feedback.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/registers.h"
#include "plugin/loops/loop_align.h"
#include "plugin/loops/loop_ranges.h"
#include "plugin/loops/outcome_reports.h"
#include "plugin/loops/outcome_words.h"
#include "plugin/loops/trials.h"
#include "plugin/loops/loops_find.h"
#include "rtl.h"

/* A loop of the function that is watched, indexed by its number. */
struct known
{
  cab_loop_source source;
  const char *maker;   /* name of the pass that made it; null if it was there from the start */
  bool alive;
};

static function *watched;
static vec<struct known> loops;
static bool forgetful;                      /* GCC has lost the flag that the function has loops
					       with directives */
static const char *last_pass;               /* name of the pass that ran last */
static hash_set<gimple *> *library_calls;   /* calls of memset and its like that precede "ldist" */

static bool
is_pass (const char *name)
{
  return last_pass && !strcmp (last_pass, name);
}

/* Return the CAB_BECAME_* bit for a call of memset or its like, 0 for any other STMT. */
static unsigned
library_call (gimple *stmt)
{
  if (gimple_call_builtin_p (stmt, BUILT_IN_MEMSET))
    return CAB_BECAME_MEMSET;
  if (gimple_call_builtin_p (stmt, BUILT_IN_MEMCPY))
    return CAB_BECAME_MEMCPY;
  return gimple_call_builtin_p (stmt, BUILT_IN_MEMMOVE) ? CAB_BECAME_MEMMOVE : 0;
}

static void
remember_library_calls (void)
{
  basic_block bb;
  delete library_calls;
  library_calls = new hash_set<gimple *>;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (library_call (gsi_stmt (gsi)))
	library_calls->add (gsi_stmt (gsi));
}

/* Note the loops that have become calls: such a call has the place of a loop's store. */
static void
note_library_calls (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      {
	unsigned how = library_call (gsi_stmt (gsi));
	auto_vec<cab_loop_source> found;
	if (!how || library_calls->contains (gsi_stmt (gsi)))
	  continue;
	cab_loops_at (gimple_location (gsi_stmt (gsi)), &found);
	for (const cab_loop_source &source : found)
	  cab_became_of (&source)->how |= how;
      }
  delete library_calls;
  library_calls = NULL;
}

/* Return true if control can get from FROM to TO without a new iteration of AROUND. */
static bool
reaches (class loop *around, basic_block from, basic_block to)
{
  auto_vec<basic_block> stack;
  auto_bitmap seen;
  edge e;
  edge_iterator ei;
  stack.safe_push (from);
  while (!stack.is_empty ())
    FOR_EACH_EDGE (e, ei, stack.pop ()->succs)
      {
	if (e->dest == to)
	  return true;
	if (e->dest != around->header && flow_bb_inside_loop_p (around, e->dest)
	    && bitmap_set_bit (seen, e->dest->index))
	  stack.safe_push (e->dest);
      }
  return false;
}

/* Return how many other loops of COPY's source have the same parent.  Set *N_ORDERED to the number
   of them that run before or after COPY, not in place of it. */
static unsigned
n_beside (class loop *copy, unsigned *n_ordered)
{
  const cab_loop_source *source = &loops[copy->num].source;
  unsigned n = 0;
  *n_ordered = 0;
  CAB_EACH_LOOP (loop)
    if (loop != copy && (unsigned) loop->num < loops.length ()
	&& loops[loop->num].source.loops == source->loops
	&& loops[loop->num].source.index == source->index && loop_outer (loop) == loop_outer (copy))
      {
	n++;
	*n_ordered += reaches (loop_outer (loop), loop->header, copy->header)
		   || reaches (loop_outer (loop), copy->header, loop->header);
      }
  return n;
}

/* Return true if COPY, which the vectorizer has made, is an alternative to the loop that it is a
   copy of; otherwise it runs before or after that loop.  An inner loop that was copied with the
   loop around it is what that one is. */
static bool
is_version (class loop *copy)
{
  unsigned n_ordered;
  while (!n_beside (copy, &n_ordered) && loop_depth (copy) > 1)
    copy = loop_outer (copy);
  return !n_ordered;
}

/* Note versions that remain after the vectorizer: the copy that "ifcvt" makes of a loop, so that
   the vectorizer can choose one of both, stays if it is the version for overlapping pointers. */
static void
note_kept_versions (void)
{
  unsigned n_ordered;
  CAB_EACH_LOOP (loop)
    {
      const struct known *known = &loops[loop->num];
      if (known->source.loops && known->maker && !strcmp (known->maker, "ifcvt")
	  && n_beside (loop, &n_ordered) && !n_ordered)
	cab_became_of (&known->source)->how |= CAB_BECAME_VERSIONED;
    }
}

/* Note the new LOOP and attribute it to the last pass. */
static void
note_new (class loop *loop)
{
  struct known *known = &loops[loop->num];
  known->alive = true;
  known->maker = last_pass;
  known->source = cab_loops_identify (loop);
  if (!known->source.loops || !last_pass)
    return;
  struct cab_became *b = cab_became_of (&known->source);
  if (is_pass ("unswitch") || is_pass ("lversion") || (is_pass ("vect") && is_version (loop)))
    b->how |= CAB_BECAME_VERSIONED;
  else if (is_pass ("lsplit"))
    b->how |= CAB_BECAME_SPLIT;
  else if (is_pass ("ldist"))
    b->how |= CAB_BECAME_DISTRIBUTED;
}

/* Note that the loop of KNOWN is gone.  The end of a vector loop's remainder says nothing about the
   whole loop. */
static void
note_gone (struct known *known)
{
  known->alive = false;
  if (known->source.loops && (is_pass ("cunroll") || is_pass ("cunrolli"))
      && !(known->maker && !strcmp (known->maker, "vect")))
    cab_became_of (&known->source)->how |= CAB_BECAME_PEELED;
}

static unsigned
vector_bytes_of (tree value)
{
  unsigned HOST_WIDE_INT bytes;
  tree size = value && VECTOR_TYPE_P (TREE_TYPE (value)) ? TYPE_SIZE_UNIT (TREE_TYPE (value))
							 : NULL_TREE;
  if (!size || VECTOR_BOOLEAN_TYPE_P (TREE_TYPE (value)) || !tree_fits_uhwi_p (size))
    return 0;
  bytes = tree_to_uhwi (size);
  return bytes;
}

/* Note which loops now work on vectors, and on how many bytes. */
static void
note_vectors (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    {
      unsigned num = bb->loop_father->num, bytes = 0;
      if (!loop_depth (bb->loop_father) || num >= loops.length () || !loops[num].source.loops)
	continue;
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
	if (is_gimple_assign (gsi_stmt (gsi)))
	  bytes = MAX (bytes, vector_bytes_of (gimple_assign_lhs (gsi_stmt (gsi))));
      if (bytes)
	{
	  struct cab_became *b = cab_became_of (&loops[num].source);
	  b->vector_bytes = MAX (b->vector_bytes, bytes);
	}
    }
}

/* Compare the loops with what is known of them; the difference is what the last pass did. */
static void
compare (void)
{
  if (!current_loops || loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    return;
  if (loops.length () < number_of_loops (cfun))
    loops.safe_grow_cleared (number_of_loops (cfun));
  for (unsigned i = 1; i < loops.length (); i++)
    if (loops[i].alive && (i >= number_of_loops (cfun) || !get_loop (cfun, i)))
      note_gone (&loops[i]);
  CAB_EACH_LOOP (loop)
    if (!loops[loop->num].alive)
      note_new (loop);
}

static void
listen_to (opt_pass *pass)
{
  cab_told_begin (pass);
  CAB_EACH_LOOP (loop)
    if ((unsigned) loop->num < loops.length () && loops[loop->num].source.loops)
      cab_told_expect (loop, &loops[loop->num].source);
}

/* Return true if LOOP's factor comes from a hint.  For a loop whose source is unknown, return true
   if there are any hints. */
static bool
is_hinted (class loop *loop)
{
  const cab_loop_source *source = &loops[loop->num].source;
  return source->loops ? source->loops->loops[source->index].flags & CAB_SOURCE_HINTED
		       : cab_feedback_has_rows ();
}

/* Set has_unroll of a function that has hinted loops.  A link-time compilation reads each loop's
   factor, but not that the function has any, without which the RTL unroller does not run: GCC
   forgets directives there, except in functions into which it inlines others at the link.  Hints
   are kept; directives stay forgotten, as otherwise a build without hints would differ from what
   GCC makes alone. */
static void
restore_has_unroll (void)
{
  forgetful = !cfun->has_unroll;
  CAB_EACH_LOOP (loop)
    if (loop->unroll > 1 && is_hinted (loop))
      cfun->has_unroll = true;
}

static bool
is_forgotten (class loop *loop)
{
  return forgetful && loop->unroll > 1 && !flag_unroll_loops && !flag_unroll_all_loops
      && !is_hinted (loop);
}

static void
forget_directives (void)
{
  CAB_EACH_LOOP (loop)
    if (is_forgotten (loop))
      {
	if (loops[loop->num].source.loops)
	  cab_became_of (&loops[loop->num].source)->why = "link";
	loop->unroll = 0;
      }
}

static void
before_pass (void *gcc_data, void *)
{
  opt_pass *pass = (opt_pass *) gcc_data;
  if (!cfun || cfun != watched)
    return;
  cab_told_end ();
  compare ();
  if (library_calls && is_pass ("ldist"))
    note_library_calls ();
  if (current_loops && (is_pass ("vect") || is_pass ("slp")))
    note_vectors ();
  if (current_loops && is_pass ("vect"))
    note_kept_versions ();
  if (!strcmp (pass->name, "ldist"))
    remember_library_calls ();
  if (current_loops && (!strcmp (pass->name, "vect") || !strcmp (pass->name, "linterchange")))
    listen_to (pass);
  if (current_loops && !strcmp (pass->name, "loop2_unroll"))
    forget_directives ();
  last_pass = pass->name;
}

/* Start to watch cfun: its source loops are those that it has now, and those of its own that it has
   lost. */
static unsigned
begin (void)
{
  cab_source_loops *own = cab_loops_of (cfun->decl);
  watched = cfun;
  last_pass = NULL;
  loops.truncate (0);
  cab_became_begin ();
  for (unsigned i = 0; own && i < own->loops.length (); i++)
    {
      cab_loop_source source = { own, (int) i, 0 };
      cab_became_of (&source);
    }
  if (!current_loops)
    return 0;
  if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
    {
      calculate_dominance_info (CDI_DOMINATORS);
      fix_loop_structure (NULL);
    }
  compare ();
  forgetful = false;
  if (in_lto_p)
    restore_has_unroll ();
  CAB_EACH_LOOP (loop)
    {
      const cab_loop_source *source = &loops[loop->num].source;
      if (source->loops && loop->unroll && loop->unroll < USHRT_MAX)
	cab_became_of (source)->hinted = loop->unroll;
      if (source->loops && cab_trial_prefetch (source))
	cab_became_of (source);   /* loop_prefetch.cc looks for it */
    }
  return 0;
}

/* Return true if LOOP is known, or believed, to run too few times for two rounds of the requested
   factor. */
static bool
runs_too_seldom (class loop *loop)
{
  widest_int n;
  unsigned least = 2 * loop->unroll;
  return (get_estimated_loop_iterations (loop, &n) && wi::ltu_p (n, least))
      || (get_likely_max_loop_iterations (loop, &n) && wi::ltu_p (n, least));
}

/* Return true if LOOP has a constant trip count, according to the unroller's analysis. */
static bool
has_constant_count (class loop *loop)
{
  class niter_desc *count = simple_loop_desc (loop);
  return count && count->simple_p && count->const_iter && !count->assumptions;
}

static bool
is_big (class loop *loop)
{
  return 2 * loop->ninsns > (unsigned) param_max_unrolled_insns
      || 2 * loop->av_ninsns > (unsigned) param_max_average_unrolled_insns;
}

/* Return why LOOP, for which a factor was requested, was left as it was.  The tests are the
   unroller's own, in its order. */
static const char *
why_not (class loop *loop)
{
  if (optimize_loop_for_size_p (loop))
    return "size";
  if (!can_duplicate_loop_p (loop))
    return "copy";
  if (loop->inner)
    return "outer";
  if (has_constant_count (loop))
    return is_big (loop) ? "big" : "kept";
  if (runs_too_seldom (loop))
    return "iterations";
  return num_loop_branches (loop) > 1 ? "branches" : "kept";
}

/* Read the unroller's decisions after it has run. */
static unsigned
read_unroller (void)
{
  if (!current_loops || cfun != watched)
    return 0;
  compare ();
  CAB_EACH_LOOP (loop)
    {
      if (!loops[loop->num].source.loops)
	continue;
      struct cab_became *b = cab_became_of (&loops[loop->num].source);
      unsigned factor = loop->lpt_decision.decision == LPT_NONE ? 0 : loop->lpt_decision.times + 1;
      b->unrolled = MAX (b->unrolled, factor);
      if (loop->unroll > 1 && !factor)
	b->why = is_forgotten (loop) ? "link" : why_not (loop);
    }
  return 0;
}

static unsigned
end (void)
{
  if (cfun != watched)
    return 0;
  cab_align_find ();
  cab_ranges_mark ();
  if (cab_registers_hinted ())
    cab_became_all (CAB_BECAME_REGISTERS);
  cab_became_end ();
  watched = NULL;
  return 0;
}

static void
write_all (void *, void *)
{
  if (!asm_out_file || seen_error ())
    return;
  cab_became_write (asm_out_file);
  cab_ranges_write (asm_out_file);
  in_section = NULL;
}

static const pass_data begin_data =
{
  GIMPLE_PASS, "cabprof_watch", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0
};

class begin_pass : public gimple_opt_pass
{
public:
  begin_pass () : gimple_opt_pass (begin_data, g) {}
  unsigned int execute (function *) final override { return begin (); }
};

static const pass_data unroller_data =
{
  RTL_PASS, "cabprof_unroller", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class unroller_pass : public rtl_opt_pass
{
public:
  unroller_pass () : rtl_opt_pass (unroller_data, g) {}
  unsigned int execute (function *) final override { return read_unroller (); }
};

static const pass_data end_data =
{
  RTL_PASS, "cabprof_ranges", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class end_pass : public rtl_opt_pass
{
public:
  end_pass () : rtl_opt_pass (end_data, g) {}
  unsigned int execute (function *) final override { return end (); }
};

void
cab_outcome_begin (const char *plugin)
{
  cab_add_pass (plugin, new begin_pass, "*all_optimizations", PASS_POS_INSERT_BEFORE);
  cab_add_pass (plugin, new unroller_pass, "loop2_unroll", PASS_POS_INSERT_AFTER);
  cab_add_pass (plugin, new end_pass, "*free_cfg", PASS_POS_INSERT_BEFORE);
  register_callback (plugin, PLUGIN_PASS_EXECUTION, before_pass, NULL);
  register_callback (plugin, PLUGIN_FINISH_UNIT, write_all, NULL);
}
