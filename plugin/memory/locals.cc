/* locals.cc - local variables that others may have a pointer to, recorded like blocks of memory:
   when they begin and when they end.
   SPDX-License-Identifier: GPL-3.0-or-later

   The code says where a variable ends (a clobber), but not where it begins.  It is recorded to
   begin at a point that dominates all statements that name it, outside of the loops in which it
   does not end; one that ends nowhere, such as a parameter, lives as long as the activation.
   An activation that is left before it returns sends no end: its variables exist until others
   occupy their place. */
#include "plugin/memory/locals.h"
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/allocs.h"
#include "plugin/memory/place.h"
#include "plugin/memory/plan.h"
#include "plugin/memory/names/struct_record.h"
#include "plugin/paths/tails.h"
#include "cabprof/event.h"
#include "cabprof/info.h"

/* Statements before which the begin or end of a local variable is sent, so that no region may span
   them. */
static hash_set<gimple *> *told_before;

bool
cab_local_told_before (gimple *stmt)
{
  return told_before && told_before->contains (stmt);
}

static bool
is_told (tree decl)
{
  return (VAR_P (decl) || TREE_CODE (decl) == PARM_DECL) && auto_var_in_fn_p (decl, cfun->decl)
      && !is_gimple_reg (decl) && TREE_ADDRESSABLE (decl) && !DECL_HAS_VALUE_EXPR_P (decl)
      && !(VAR_P (decl) && DECL_HARD_REGISTER (decl)) && DECL_SIZE_UNIT (decl)
      && tree_fits_uhwi_p (DECL_SIZE_UNIT (decl)) && !integer_zerop (DECL_SIZE_UNIT (decl));
}

/* A place where cfun names a variable: a statement, or the end of BB, from which a PHI node takes
   its address. */
struct mention
{
  basic_block bb;
  gimple *stmt;
};

struct local
{
  tree decl;
  auto_vec<struct mention> mentions;
  auto_vec<gimple *> clobbers;
};

struct search
{
  hash_map<tree, struct local *> *locals;
  struct mention at;
};

static void
note (struct search *s, tree decl)
{
  struct local **found = s->locals->get (decl);
  if (found
      && ((*found)->mentions.is_empty () || (*found)->mentions.last ().stmt != s->at.stmt
	  || !s->at.stmt))
    (*found)->mentions.safe_push (s->at);
}

static tree
look (tree *operand, int *, void *data)
{
  struct walk_stmt_info *info = (struct walk_stmt_info *) data;
  if (VAR_P (*operand) || TREE_CODE (*operand) == PARM_DECL)
    note ((struct search *) info->info, *operand);
  return NULL_TREE;
}

static void
look_at_block (struct search *s, basic_block bb)
{
  for (gphi_iterator phi = gsi_start_phis (bb); !gsi_end_p (phi); gsi_next (&phi))
    for (unsigned i = 0; i < gimple_phi_num_args (phi.phi ()); i++)
      {
	tree argument = gimple_phi_arg_def (phi.phi (), i);
	tree base = TREE_CODE (argument) == ADDR_EXPR
		    ? get_base_address (TREE_OPERAND (argument, 0))
		    : NULL_TREE;
	s->at = { gimple_phi_arg_edge (phi.phi (), i)->src, NULL };
	if (base && DECL_P (base))
	  note (s, base);
      }
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      struct walk_stmt_info info = {};
      info.info = s;
      s->at = { bb, stmt };
      if (is_gimple_debug (stmt))
	continue;
      if (!gimple_clobber_p (stmt))
	walk_gimple_op (stmt, look, &info);
      else if (struct local **found = s->locals->get (gimple_assign_lhs (stmt)))
	(*found)->clobbers.safe_push (stmt);
    }
}

/* Return true if A precedes B whenever control reaches B. */
static bool
is_before (gimple *a, const struct mention *b)
{
  if (gimple_bb (a) != b->bb || !b->stmt)
    return dominated_by_p (CDI_DOMINATORS, b->bb, gimple_bb (a));
  for (gimple_stmt_iterator gsi = gsi_for_stmt (a); !gsi_end_p (gsi); gsi_next (&gsi))
    if (gsi_stmt (gsi) == b->stmt)
      return true;
  return false;
}

/* Find the clobbers that end the variable.  A clobber after which the variable is still used begins
   its contents, as constructors do, and ends nothing. */
static void
find_ends (const struct local *local, struct cab_local *told)
{
  for (gimple *clobber : local->clobbers)
    {
      bool end = true;
      for (unsigned i = 0; end && i < local->mentions.length (); i++)
	end = !is_before (clobber, &local->mentions[i]);
      if (end)
	told->ends.safe_push (clobber);
    }
}

static bool
ends_in (const struct cab_local *told, class loop *loop)
{
  for (gimple *end : told->ends)
    if (flow_bb_inside_loop_p (loop, gimple_bb (end)))
      return true;
  return false;
}

/* Return the block in which the variable begins: before the first statement that names it or, if
   none does, at the block's end. */
static basic_block
begins_in (const struct local *local, const struct cab_local *told)
{
  basic_block bb = local->mentions[0].bb;
  for (const struct mention &mention : local->mentions)
    bb = nearest_common_dominator (CDI_DOMINATORS, bb, mention.bb);
  while (loop_outer (bb->loop_father) && !ends_in (told, bb->loop_father))
    bb = get_immediate_dominator (CDI_DOMINATORS, bb->loop_father->header);
  return bb;
}

/* Return the statement before which the variable begins, in BB. */
static gimple *
begin_of (const struct local *local, basic_block bb)
{
  for (const struct mention &mention : local->mentions)
    if (mention.bb == bb && mention.stmt)
      return mention.stmt;
  gimple_stmt_iterator last = gsi_last_nondebug_bb (bb);
  if (!gsi_end_p (last) && stmt_ends_bb_p (gsi_stmt (last)))
    return gsi_stmt (last);
  gimple *here = gimple_build_nop ();
  last = gsi_last_bb (bb);
  gsi_insert_after (&last, here, GSI_NEW_STMT);
  return here;
}

/* Set the begin and the ends of a variable that lives as long as the activation. */
static void
tell_whole (struct cab_local *told, const vec<gimple *> &returns)
{
  basic_block entry = single_succ (ENTRY_BLOCK_PTR_FOR_FN (cfun));
  gimple *here = gimple_build_nop ();
  gimple_stmt_iterator gsi = gsi_after_labels (entry);
  gsi_insert_before (&gsi, here, GSI_SAME_STMT);
  told->begin = here;
  told->ends.safe_splice (returns);
}

static void
tell (struct cab_memory *m, const struct local *local, const vec<gimple *> &returns)
{
  if (local->mentions.is_empty ())
    return;
  struct cab_local *told = new cab_local ();
  told->decl = local->decl;
  find_ends (local, told);
  if (told->ends.is_empty ())
    tell_whole (told, returns);
  else
    told->begin = begin_of (local, begins_in (local, told));
  told_before->add (told->begin);
  for (gimple *end : told->ends)
    told_before->add (end);
  m->locals.safe_push (told);
}

void
cab_locals_find (struct cab_memory *m)
{
  if (!cab_opts.locals || cab_has_call_that_must_jump (cfun))
    return;
  hash_map<tree, struct local *> locals;
  auto_vec<struct local *> all;
  auto_vec<gimple *> returns;
  struct search search = { &locals, {} };
  unsigned i;
  tree decl;
  basic_block bb;
  auto add = [&] (tree variable) {
    if (is_told (variable) && !locals.get (variable))
      {
	all.safe_push (new local ());
	all.last ()->decl = variable;
	locals.put (variable, all.last ());
      }
  };
  FOR_EACH_LOCAL_DECL (cfun, i, decl)
    add (decl);
  for (decl = DECL_ARGUMENTS (cfun->decl); decl; decl = DECL_CHAIN (decl))
    add (decl);
  calculate_dominance_info (CDI_DOMINATORS);
  told_before = new hash_set<gimple *>;
  FOR_EACH_BB_FN (bb, cfun)
    {
      look_at_block (&search, bb);
      gimple *last = cab_last_stmt (bb);
      if (last && gimple_code (last) == GIMPLE_RETURN)
	returns.safe_push (last);
    }
  for (struct local *local : all)
    {
      tell (m, local, returns);
      delete local;
    }
}

void
cab_locals_record (struct cab_memory *m)
{
  for (unsigned i = 0; i < m->locals.length (); i++)
    {
      m->locals[i]->number = m->allocations.length () + i;
      tree decl = m->locals[i]->decl, element = strip_array_types (TREE_TYPE (decl));
      char structure[CAB_STRUCT_BYTES];
      char *name = cab_escaped (DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl))
						 : "<temporary>");
      char *type = cab_allocs_type_name (element, TREE_CODE (TREE_TYPE (decl)) == ARRAY_TYPE);
      cab_record_put (&m->lines, "M\t%u\t", m->locals[i]->number);
      cab_memory_put_place (m, DECL_SOURCE_LOCATION (decl));
      cab_struct_of_type (element, structure);
      cab_record_put (&m->lines, "\t" CAB_INFO_LOCAL "%s\t%s\t%s\n", name, type, structure);
      free (type);
      free (name);
    }
}

static void
emit_before (struct cab_memory *m, const struct cab_local *local, gimple *stmt,
	     enum cab_access_form form)
{
  tree decl = local->decl;
  gimple_stmt_iterator gsi = gsi_for_stmt (stmt);
  gimple_seq seq = NULL, made = NULL;
  auto_vec<tree> words;
  tree address = fold_convert (cab_word_type (), build_fold_addr_expr (decl));
  words.safe_push (force_gimple_operand (address, &made, true, NULL_TREE));
  gimple_seq_add_seq (&seq, made);
  if (form == CAB_ACCESS_ALLOCATED)
    words.safe_push (cab_u64 (tree_to_uhwi (DECL_SIZE_UNIT (decl))));
  tree header = cab_access_header (&seq, &m->row, local->number, form, words.length ());
  cab_enqueue_words (&seq, header, words);
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

void
cab_locals_emit (struct cab_memory *m)
{
  for (const struct cab_local *local : m->locals)
    {
      for (gimple *end : local->ends)
	emit_before (m, local, end, CAB_ACCESS_RELEASED);
      emit_before (m, local, local->begin, CAB_ACCESS_ALLOCATED);
    }
}

void
cab_locals_free (struct cab_memory *m)
{
  for (struct cab_local *local : m->locals)
    delete local;
  delete told_before;
  told_before = NULL;
}
