/* access.cc - which accesses are sent together, what is sent of them, and the code that sends it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A region lies within a block, and ends before anything that may send events of its own or
   never return.  Until then the words are in registers; so an event is never half written, and
   a handler that interrupts finds the ring consistent.  An access needs no word of its own if
   its address lies at a constant distance from one that the region sends (Source: ALITER's
   chains of accesses off one base).  Loops that are a region belong to access_loop.cc. */
#include "plugin/memory/access.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/options.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/access_address.h"
#include "plugin/memory/access_find.h"
#include "plugin/memory/access_held.h"
#include "plugin/memory/access_iterations.h"
#include "plugin/memory/access_loop.h"
#include "plugin/memory/access_nest.h"
#include "plugin/memory/access_scalar.h"
#include "plugin/memory/access_acyclic.h"
#include "plugin/memory/access_acyclic_emit.h"
#include "plugin/memory/access_unroll.h"
#include "plugin/memory/access_value.h"
#include "plugin/memory/allocs.h"
#include "plugin/memory/locals.h"
#include "plugin/memory/plan.h"
#include "plugin/paths/returns.h"
#include "plugin/paths/tails.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"

struct plan
{
  struct cab_memory *m;
  enum cab_memory_encoding encoding;
  struct cab_memory_region *open;       /* the region that is open in the present block, or null */
  bool has_scalars;              /* values that are not accesses are recorded, too */
  hash_map<tree, name_expansion *> *expansions;   /* the compiler's cache for the analysis of
						     addresses */
};

/* Return true if CALL returns, and nothing is instrumented below it. */
static bool
stays_here (gcall *call)
{
  if (gimple_call_internal_p (call))
    return true;
  int flags = gimple_call_flags (call);
  return !cab_call_may_enter (call) && (flags & ECF_LEAF) && (flags & ECF_NOTHROW)
      && !(flags & (ECF_NORETURN | ECF_RETURNS_TWICE)) && !cab_call_execs (call);
}

/* Return true if STMT clobbers memory, and so may be a system call or a barrier. */
static bool
clobbers_memory (gasm *stmt)
{
  for (unsigned i = 0; i < gimple_asm_nclobbers (stmt); i++)
    if (!strcmp (TREE_STRING_POINTER (TREE_VALUE (gimple_asm_clobber_op (stmt, i))), "memory"))
      return true;
  return false;
}

bool
cab_access_region_ends (gimple *stmt)
{
  if (cab_local_told_before (stmt))
    return true;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    return !stays_here (call) || cab_allocator_of (call);
  gasm *text = dyn_cast<gasm *> (stmt);
  /* With contexts the event of an inlined call ends a region as well, because the order matters. */
  return text && (clobbers_memory (text) || (cab_opts.context && cab_is_enqueue (text)));
}

/* End the open region before BEFORE or, if that is null, at the end of the block. */
static void
close_region (struct plan *p, gimple *before)
{
  if (p->open)
    p->open->before = before;
  p->open = NULL;
}

static void
open_region (struct plan *p, basic_block bb)
{
  struct cab_memory_region *region = new cab_memory_region ();
  region->first = p->m->accesses.length ();
  region->bb = bb;
  p->m->regions.safe_push (region);
  p->open = region;
}

int
cab_access_add_word (struct cab_memory_region *region, unsigned access, enum cab_word_is is,
		     tree value)
{
  struct cab_region_word word = {};
  word.access = access;
  word.is = is;
  word.value = value;
  region->words.safe_push (word);
  return region->words.length () - 1;
}

bool
cab_access_word_offset (const struct cab_region_word *word, const aff_tree *combination,
			HOST_WIDE_INT *offset)
{
  aff_tree difference = word->combination;
  if (word->is != CAB_WORD_ADDRESS)
    return false;
  aff_combination_scale (&difference, -1);
  aff_combination_add (&difference, const_cast<aff_tree *> (combination));
  if (!aff_combination_const_p (&difference) || !difference.offset.is_constant ()
      || !wi::fits_shwi_p (difference.offset.to_constant ()))
    return false;
  *offset = difference.offset.to_constant ().to_shwi ();
  return true;
}

/* Return true if the address COMBINATION lies at a constant distance from one that REGION sends;
   set the `word' and `offset' of ACCESS then. */
static bool
find_base (struct cab_memory_region *region, const aff_tree *combination,
	   struct cab_memory_access *access)
{
  for (unsigned i = 0; i < region->words.length (); i++)
    if (cab_access_word_offset (&region->words[i], combination, &access->offset))
      {
	access->word = i;
	return true;
      }
  return false;
}

static void
add_address (struct cab_memory_region *region, unsigned index, struct cab_memory_access *access,
	     const aff_tree *combination)
{
  access->word = cab_access_add_word (region, index, CAB_WORD_ADDRESS, access->address);
  access->offset = 0;
  region->words[access->word].combination = *combination;
}

void
cab_access_base_word (struct cab_memory_region *region, unsigned index,
		      struct cab_memory_access *access,
		      hash_map<tree, name_expansion *> **expansions)
{
  aff_tree combination;
  cab_access_combine (access->address, &combination, expansions);
  if (!find_base (region, &combination, access))
    add_address (region, index, access, &combination);
}

/* If the new word of ACCESS is an address at a constant distance after a pointer that the program
   has in a register, send that pointer instead. */
static void
send_pointer (struct cab_memory_region *region, struct cab_memory_access *access)
{
  struct cab_region_word *word = &region->words[access->word];
  aff_tree at;
  tree_to_aff_combination (access->address, cab_word_type (), &at);
  if (at.n != 1 || at.rest || at.elts[0].coef != 1 || !at.offset.is_constant ()
      || !wi::fits_shwi_p (at.offset.to_constant ()))
    return;
  tree pointer = at.elts[0].val;
  while (CONVERT_EXPR_P (pointer)
	 && tree_nop_conversion_p (TREE_TYPE (pointer), TREE_TYPE (TREE_OPERAND (pointer, 0))))
    pointer = TREE_OPERAND (pointer, 0);
  if (TREE_CODE (pointer) != SSA_NAME
      || TYPE_PRECISION (TREE_TYPE (pointer)) != TYPE_PRECISION (cab_word_type ()))
    return;
  access->offset = at.offset.to_constant ().to_shwi ();
  word->value = fold_convert (cab_word_type (), pointer);
  word->combination.offset -= at.offset;
}

static void
add_access (struct plan *p, struct cab_memory_access *access)
{
  aff_tree combination;
  basic_block bb = gimple_bb (access->stmt);
  cab_access_combine (access->address, &combination, &p->expansions);
  access->word = access->length_word = access->step_word = -1;
  bool found = p->open && p->encoding <= CAB_MEMORY_CHAIN
	    && find_base (p->open, &combination, access);
  unsigned lacking = !found + (access->length != NULL_TREE) + (access->value != NULL_TREE);
  if (p->open
      && (p->open->words.length () + lacking > CAB_REGION_WORDS
	  || p->encoding == CAB_MEMORY_ACCESS))
    {
      close_region (p, access->before);
      found = false;
    }
  if (!p->open)
    open_region (p, bb);
  unsigned index = p->m->accesses.length ();
  if (!found)
    {
      add_address (p->open, index, access, &combination);
      if (p->encoding <= CAB_MEMORY_CHAIN)
	send_pointer (p->open, access);
    }
  if (access->length)
    access->length_word = cab_access_add_word (p->open, index, CAB_WORD_LENGTH, access->length);
  if (access->value)
    access->value_word = cab_access_add_word (p->open, index, CAB_WORD_VALUE, access->value);
  p->open->n++;
  p->m->accesses.safe_push (*access);
}

/* Return the edge that control takes when STMT, which ends its block, has ended normally, or null
   if there is none. */
static edge
edge_behind (gimple *stmt)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, gimple_bb (stmt)->succs)
    if (!(e->flags & EDGE_COMPLEX))
      return e;
  return NULL;
}

/* Add ACCESS, which is known after the last statement of a block, as a region of its own on the
   edge. */
static void
add_on_edge (struct plan *p, struct cab_memory_access *access)
{
  edge behind = edge_behind (access->stmt);
  close_region (p, access->stmt);
  if (!behind)
    {
      free (access->name);
      return;
    }
  add_access (p, access);
  p->open->on = behind;
  p->open = NULL;
}

/* Add MARK, which is STMT, to the open region. */
static void
add_mark (struct plan *p, const struct cab_mark *mark, gimple *stmt)
{
  if (p->open && p->encoding == CAB_MEMORY_ACCESS)
    close_region (p, stmt);
  if (!p->open)
    open_region (p, gimple_bb (stmt));
  p->open->n++;
  p->m->accesses.safe_push (cab_mark_access (mark, stmt));
}

static void
add_statement (struct plan *p, gimple_stmt_iterator gsi)
{
  auto_vec<struct cab_memory_access> found;
  gimple *stmt = gsi_stmt (gsi);
  if (const struct cab_mark *mark = cab_mark_of (p->m, stmt))
    {
      add_mark (p, mark, stmt);
      return;
    }
  bool last = stmt_ends_bb_p (stmt);
  gsi_next (&gsi);
  gimple *next = gsi_end_p (gsi) ? NULL : gsi_stmt (gsi);
  if (cab_access_region_ends (stmt))
    close_region (p, stmt);
  cab_access_of (stmt, cab_turns_original (p->m, stmt), &found);
  for (struct cab_memory_access &access : found)
    if (last && access.after)
      add_on_edge (p, &access);
    else
      {
	access.before = access.after ? next : stmt;
	access.known = access.value_after ? next : stmt;
	add_access (p, &access);
      }
  if (last)
    close_region (p, stmt);
}

/* Add VALUE, which is not an access and is known before KNOWN (null: at the end of the block), to
   the open region. */
static void
add_scalar (struct plan *p, struct cab_memory_access *value, gimple *known)
{
  if (p->open && p->open->words.length () >= CAB_REGION_WORDS)
    close_region (p, known);
  if (!p->open)
    open_region (p, gimple_bb (value->stmt));
  unsigned index = p->m->accesses.length ();
  value->known = known;
  value->value_word = cab_access_add_word (p->open, index, CAB_WORD_VALUE, value->value);
  p->open->n++;
  p->m->accesses.safe_push (*value);
}

/* Add the values of STMT that are not accesses.  If STMT ends its block, those that are known after
   it are sent on the edge. */
static void
add_scalars_of (struct plan *p, gimple *stmt, gimple *next)
{
  auto_vec<struct cab_memory_access> before, after;
  bool last = stmt_ends_bb_p (stmt);
  edge behind = last ? edge_behind (stmt) : NULL;
  cab_scalars_before (stmt, &before);
  for (struct cab_memory_access &value : before)
    add_scalar (p, &value, stmt);
  if (last || cab_access_region_ends (stmt))
    close_region (p, stmt);
  cab_scalars_after (stmt, &after);
  for (struct cab_memory_access &value : after)
    if (last && !behind)
      free (value.name);
    else
      {
	add_scalar (p, &value, last ? NULL : next);
	p->open->on = behind;
	p->open = last ? NULL : p->open;
      }
}

/* Add the values in BB that are not accesses, as regions of their own. */
static void
add_scalars (struct plan *p, basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb), behind; !gsi_end_p (gsi); gsi = behind)
    {
      behind = gsi;
      gsi_next (&behind);
      if (!is_gimple_debug (gsi_stmt (gsi)))
	add_scalars_of (p, gsi_stmt (gsi), gsi_end_p (behind) ? NULL : gsi_stmt (behind));
    }
  close_region (p, NULL);
}

static void
add_block (struct plan *p, basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (!is_gimple_debug (gsi_stmt (gsi)))
      add_statement (p, gsi);
  close_region (p, NULL);
  if (p->has_scalars)
    add_scalars (p, bb);
}

/* Add the loops in LOOP, or LOOP itself, that are a region. */
static void
add_loops_of (struct plan *p, class loop *loop, vec<class loop *> *loops)
{
  struct cab_memory_region *region = loop->inner ? NULL : cab_access_loop (p->m, loop,
									   &p->expansions);
  if (!region)
    region = cab_access_nest (p->m, loop, &p->expansions);
  if (region)
    {
      p->m->regions.safe_push (region);
      loops->safe_push (loop);
      return;
    }
  for (loop = loop->inner; loop; loop = loop->next)
    add_loops_of (p, loop, loops);
}

static void
add_loops (struct plan *p, vec<class loop *> *loops)
{
  calculate_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_POST_DOMINATORS);
  scev_initialize ();
  for (class loop *loop = current_loops->tree_root->inner; loop; loop = loop->next)
    add_loops_of (p, loop, loops);
  scev_finalize ();
  free_dominance_info (CDI_POST_DOMINATORS);
  free_numbers_of_iterations_estimates (cfun);
}

/* Add the accesses of loops that are regions.  They have their numbers in the order of LOOPS, also
   when each is sent by itself as well. */
static void
add_loop_blocks (struct plan *p, const vec<class loop *> &loops)
{
  for (class loop *loop : loops)
    {
      auto_vec<basic_block> blocks;
      cab_access_nest_blocks (loop, &blocks);
      for (basic_block bb : blocks)
	add_block (p, bb);
    }
}

bool
cab_access_is_in (const vec<class loop *> &loops, basic_block bb)
{
  for (class loop *loop : loops)
    if (flow_bb_inside_loop_p (loop, bb))
      return true;
  return false;
}

static void
forget (struct cab_memory *m)
{
  for (struct cab_memory_access &access : m->accesses)
    free (access.name);
  for (struct cab_memory_region *region : m->regions)
    delete region;
  m->accesses.truncate (0);
  m->regions.truncate (0);
}

/* Find the loops that are regions, and append them to LOOPS.  Others may send several iterations in
   an event. */
static void
find_loops (struct plan *p, vec<class loop *> *loops)
{
  add_loops (p, loops);
  if (cab_iterations_wanted ())
    cab_marks_put (p->m, *loops);
  if (p->encoding != CAB_MEMORY_PATH || cab_opts.memory_sample
      || cfun->can_throw_non_call_exceptions)
    return;
  cab_turns_lay_out (p->m, *loops);
  if (p->m->turned.is_empty ())
    return;
  forget (p->m);
  free_affine_expand_cache (&p->expansions);
  loops->truncate (0);
  add_loops (p, loops);
}

static void
find (struct cab_memory *m, enum cab_memory_encoding encoding, vec<class loop *> *loops)
{
  struct plan plan = { m, encoding, NULL, cab_opts.values_all && m->regions.is_empty (), NULL };
  unsigned from = m->accesses.length ();
  basic_block bb;
  if (encoding <= CAB_MEMORY_LOOP && optimize && number_of_loops (cfun) > 1)
    find_loops (&plan, loops);
  else
    {
      if (cab_iterations_wanted ())
	cab_marks_put (m, *loops);
      add_loop_blocks (&plan, *loops);
    }
  FOR_EACH_BB_FN (bb, cfun)
    if (!cab_access_is_in (*loops, bb))
      add_block (&plan, bb);
  free_affine_expand_cache (&plan.expansions);
  if (plan.has_scalars)
    /* no body was laid out several times, but statements are visited twice */
    for (unsigned i = from; i < m->accesses.length (); i++)
      m->accesses[i].of = i;
  else
    cab_turns_number (m, from);
  if (encoding == CAB_MEMORY_PATH && optimize)
    cab_acyclics_find (m);
}

void
cab_accesses_find (struct cab_memory *m)
{
  auto_vec<class loop *> loops;
  find (m, cab_opts.memory_encoding, &loops);
  if (cab_opts.memory_proof)
    find (m, CAB_MEMORY_ACCESS, &loops);
}

static tree
mark_variable (tree *t, int *, void *)
{
  if (TREE_CODE (*t) == ADDR_EXPR)
    mark_addressable (TREE_OPERAND (*t, 0));
  return NULL_TREE;
}

tree
cab_access_value (gimple_seq *seq, tree expression)
{
  gimple_seq made = NULL;
  expression = unshare_expr (expression);
  walk_tree (&expression, mark_variable, NULL, NULL);
  tree value = force_gimple_operand (expression, &made, true, NULL_TREE);
  gimple_seq_add_seq (seq, made);
  return value;
}

void
cab_access_insert (gimple_seq seq, gimple *before, edge on, basic_block bb)
{
  gimple_stmt_iterator gsi;
  if (!seq)
    return;
  if (on)
    gsi_insert_seq_on_edge (on, seq);
  else if (before)
    {
      gsi = gsi_for_stmt (before);
      gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
    }
  else
    {
      gsi = gsi_last_bb (bb);
      if (!gsi_end_p (gsi) && stmt_ends_bb_p (gsi_stmt (gsi)))
	gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
      else
	gsi_insert_seq_after (&gsi, seq, GSI_NEW_STMT);
    }
}

static void
emit_region (struct cab_memory *m, unsigned number)
{
  struct cab_memory_region *region = m->regions[number];
  auto_vec<tree> values;
  gimple_seq seq = NULL;
  for (struct cab_region_word &word : region->words)
    {
      struct cab_memory_access *access = &m->accesses[word.access];
      bool is_value = word.is == CAB_WORD_VALUE;
      values.safe_push (is_value ? cab_value_word (&seq, word.value)
				 : cab_access_value (&seq, word.value));
      if (!region->on)
	{
	  cab_access_insert (seq, is_value ? access->known : access->before, NULL, region->bb);
	  seq = NULL;
	}
    }
  tree header = cab_access_header (&seq, &m->row, number, CAB_ACCESS_REGION, values.length ());
  cab_held_enqueue (m, region->on, region->bb, &seq, header, values);
  cab_access_insert (seq, region->before, region->on, region->bb);
}

void
cab_accesses_emit (struct cab_memory *m)
{
  cab_held_find (m);
  for (unsigned i = 0; i < m->regions.length (); i++)
    if (m->regions[i]->loop)
      cab_access_loop_emit (m, i);
    else if (m->regions[i]->bb)
      emit_region (m, i);
  free_dominance_info (CDI_DOMINATORS);
  cab_acyclics_emit (m);
  cab_held_emit (m);
}

void
cab_accesses_free (struct cab_memory *m)
{
  forget (m);
  cab_held_free (m);
  delete m->original;
  delete m->marks;
  for (struct cab_acyclic *acyclic : m->acyclics)
    cab_acyclic_free (acyclic);
}
