/* access_acyclic_emit.cc - the code that sends an acyclic region's events (access_acyclic.cc).
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/memory/access_acyclic_emit.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/access.h"
#include "plugin/memory/access_held.h"
#include "plugin/memory/plan.h"

/* Return by how much a path's number is shifted: to its field in a header, unless that makes
   constants of 64 bits. */
static unsigned
shift_of (const struct cab_acyclic *acyclic)
{
  unsigned last = 0;
  for (const struct cab_acyclic_end *end : acyclic->ends)
    for (const struct cab_acyclic_way &way : end->ways)
      last = MAX (last, way.first + acyclic->blocks[way.block]->n_paths);
  return last << CAB_EV_REGION_SHIFT >> CAB_EV_REGION_SHIFT == last && last < 128
	 ? CAB_EV_REGION_SHIFT
	 : 0;
}

/* Return a value of which nothing is known.  GCC looks for exceptions from TREE_NO_WARNING by
   place, so the variable has none. */
static tree
nothing (void)
{
  tree variable = create_tmp_reg (cab_word_type (), "__cab_none");
  DECL_SOURCE_LOCATION (variable) = UNKNOWN_LOCATION;
  TREE_NO_WARNING (variable) = 1;
  return get_or_create_ssa_default_def (cfun, variable);
}

/* Return NUMBER (null: 0) plus MORE, computed at the end of BB or, if that is null, in SEQ. */
static tree
plus (struct cab_acyclic *acyclic, tree number, unsigned more, basic_block bb, gimple_seq *seq)
{
  tree by = cab_u64 ((uint64_t) more << acyclic->shift);
  gimple_seq own = NULL;
  if (!number)
    return by;
  if (!more)
    return number;
  tree sum = cab_build_op (bb ? &own : seq, PLUS_EXPR, number, by);
  if (bb)
    cab_access_insert (own, NULL, NULL, bb);
  return sum;
}

/* Return VALUES, one for each of EDGES, as one value in the block where they meet. */
static tree
joined (const vec<edge> &edges, const vec<tree> &values)
{
  bool same = true;
  for (tree value : values)
    same &= operand_equal_p (value, values[0], 0);
  if (same)
    return values[0];
  gphi *phi = create_phi_node (make_ssa_name (cab_word_type ()), edges[0]->dest);
  for (unsigned i = 0; i < edges.length (); i++)
    add_phi_arg (phi, values[i], edges[i], UNKNOWN_LOCATION);
  return gimple_phi_result (phi);
}

/* Return word SLOT as it is at the end of BLOCK. */
static tree
word_at (const struct cab_acyclic *acyclic, const struct cab_acyclic_block *block, unsigned slot)
{
  return slot < block->end ? block->values[slot] : acyclic->nothing;
}

/* Return word SLOT as it arrives over FROM. */
static tree
word_by (const struct cab_acyclic *acyclic, const struct cab_acyclic_link *from, unsigned slot)
{
  return from->block < 0 ? acyclic->nothing : word_at (acyclic, acyclic->blocks[from->block], slot);
}

/* Return the number of a path as it arrives over FROM. */
static tree
number_by (struct cab_acyclic *acyclic, const struct cab_acyclic_link *from)
{
  const struct cab_acyclic_block *before = from->block < 0 ? NULL : acyclic->blocks[from->block];
  return plus (acyclic, before ? before->number : NULL, from->first, before ? before->bb : NULL,
	       NULL);
}

/* Join what arrives at BLOCK: the words, and the number of the path. */
static void
begin_block (struct cab_acyclic *acyclic, struct cab_acyclic_block *block)
{
  auto_vec<edge> edges;
  for (struct cab_acyclic_link &from : block->from)
    edges.safe_push (from.on);
  for (unsigned slot = 0; slot < block->base; slot++)
    {
      auto_vec<tree> values;
      for (struct cab_acyclic_link &from : block->from)
	values.safe_push (word_by (acyclic, &from, slot));
      block->values.safe_push (joined (edges, values));
    }
  if (block->n_paths == 1)
    return;
  auto_vec<tree> numbers;
  for (struct cab_acyclic_link &from : block->from)
    numbers.safe_push (number_by (acyclic, &from));
  block->number = joined (edges, numbers);
}

/* Return VALUE, or a copy if it is a register that may be assigned again before the word is
   sent. */
static tree
lasting (gimple_seq *seq, tree value)
{
  if (TREE_CODE (value) != SSA_NAME || !SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
    return value;
  tree copy = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (seq, gimple_build_assign (copy, value));
  return copy;
}

static void
emit_words (struct cab_memory *m, struct cab_acyclic_block *block)
{
  for (unsigned i = 0; block->region && i < block->places.length (); i++)
    if (block->places[i].is_new)
      {
	const struct cab_region_word *word = &block->region->words[i];
	gimple_seq seq = NULL;
	tree value = lasting (&seq, cab_access_value (&seq, word->value));
	block->values.safe_push (value);
	cab_access_insert (seq, m->accesses[word->access].before, NULL, block->bb);
      }
}

/* Return a new block in which EDGES meet, before the block that they lead to. */
static basic_block
meeting (const vec<edge> &edges)
{
  basic_block to = edges[0]->dest, bb = split_edge (edges[0]);
  edge out = single_succ_edge (bb);
  for (gphi_iterator gsi = gsi_start_phis (to); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      tree value = PHI_ARG_DEF_FROM_EDGE (gsi.phi (), out);
      gphi *phi = create_phi_node (copy_ssa_name (gimple_phi_result (gsi.phi ())), bb);
      add_phi_arg (phi, value, edges[0], UNKNOWN_LOCATION);
      SET_PHI_ARG_DEF (gsi.phi (), out->dest_idx, gimple_phi_result (phi));
    }
  for (unsigned i = 1; i < edges.length (); i++)
    {
      bb->count += edges[i]->count ();
      gcc_checking_assert (edges[i]->dest == to);
      redirect_edge_and_branch (edges[i], bb);
      flush_pending_stmts (edges[i]);
    }
  return bb;
}

/* Append the send of END's header and words, given by NUMBER and WORDS, on ON or in BB. */
static void
send (struct cab_memory *m, struct cab_acyclic *acyclic, struct cab_acyclic_end *end, tree number,
      const vec<tree> &words, edge on, basic_block bb, gimple_seq *seq)
{
  tree slot = cab_access_header (seq, &m->row, 0, CAB_ACCESS_REGION, end->n_words);
  if (!acyclic->shift)
    number = cab_build_op (seq, LSHIFT_EXPR, number,
			   build_int_cst (integer_type_node, CAB_EV_REGION_SHIFT));
  cab_held_enqueue (m, on, bb, seq, cab_build_op (seq, PLUS_EXPR, slot, number), words);
}

/* Emit an end that one way leads to. */
static void
emit_end (struct cab_memory *m, struct cab_acyclic *acyclic, struct cab_acyclic_end *end)
{
  const struct cab_acyclic_way *way = &end->ways[0];
  struct cab_acyclic_block *block = acyclic->blocks[way->block];
  gimple_seq seq = NULL;
  tree number = plus (acyclic, block->number, way->first, NULL, &seq);
  send (m, acyclic, end, number, block->values, way->on, block->bb, &seq);
  cab_access_insert (seq, block->is_open ? NULL : block->region->before, way->on, block->bb);
}

/* Emit an end in which several ways meet. */
static void
emit_meeting (struct cab_memory *m, struct cab_acyclic *acyclic, struct cab_acyclic_end *end)
{
  auto_vec<edge> edges;
  auto_vec<tree> numbers, words;
  gimple_seq seq = NULL;
  for (struct cab_acyclic_way &way : end->ways)
    {
      struct cab_acyclic_block *block = acyclic->blocks[way.block];
      edges.safe_push (way.on);
      numbers.safe_push (plus (acyclic, block->number, way.first, block->bb, NULL));
    }
  basic_block bb = meeting (edges);
  for (unsigned slot = 0; slot < end->n_words; slot++)
    {
      auto_vec<tree> values;
      for (struct cab_acyclic_way &way : end->ways)
	values.safe_push (word_at (acyclic, acyclic->blocks[way.block], slot));
      words.safe_push (joined (edges, values));
    }
  send (m, acyclic, end, joined (edges, numbers), words, NULL, bb, &seq);
  cab_access_insert (seq, NULL, NULL, bb);
}

static void
emit_blocks (struct cab_memory *m, struct cab_acyclic *acyclic)
{
  acyclic->shift = shift_of (acyclic);
  acyclic->nothing = nothing ();
  for (struct cab_acyclic_block *block : acyclic->blocks)
    {
      begin_block (acyclic, block);
      emit_words (m, block);
    }
}

static void
emit_ends (struct cab_memory *m, struct cab_acyclic *acyclic)
{
  for (struct cab_acyclic_end *end : acyclic->ends)
    if (end->ways.length () == 1)
      emit_end (m, acyclic, end);
    else
      emit_meeting (m, acyclic, end);
}

/* Edges from one acyclic region's end to another's block change with the ends, so these come last.
   */
void
cab_acyclics_emit (struct cab_memory *m)
{
  for (struct cab_acyclic *acyclic : m->acyclics)
    emit_blocks (m, acyclic);
  for (struct cab_acyclic *acyclic : m->acyclics)
    emit_ends (m, acyclic);
}
