/* access_held.cc - loops that call nothing, in which the ring's cursor stays in registers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Two registers, for the address of the cursor and for where the next event goes, are set
   before the loop; an enqueue leaves in them what it has written, and its gate what it finds.
   They need not be right: an enqueue checks the cursor once more in any case (abi.h), because
   of signal handlers, and starts again if something else was sent meanwhile.  So loops with
   calls are left out because registers would not last, not because the result would be wrong. */
#include "plugin/memory/access_held.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/memory/access_loop.h"
#include "plugin/memory/access_acyclic.h"
#include "plugin/memory/plan.h"

/* A loop, the outermost that calls nothing, and its registers, which are null as long as it sends
   nothing. */
struct cab_held
{
  class loop *loop;
  tree cursor, next;
};

static bool
block_is_quiet (basic_block bb)
{
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb); !gsi_end_p (gsi);
       gsi_next_nondebug (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (!cab_access_is_quiet (stmt) || (is_gimple_call (stmt) && !gimple_call_internal_p (stmt)))
	return false;
    }
  return !cab_has_complex (bb->preds);
}

static bool
is_quiet (class loop *loop)
{
  basic_block *body = get_loop_body (loop);
  bool quiet = true;
  for (unsigned i = 0; quiet && i < loop->num_nodes; i++)
    quiet = block_is_quiet (body[i]);
  free (body);
  return quiet;
}

static void
find (struct cab_memory *m, class loop *loop)
{
  for (; loop; loop = loop->next)
    if (is_quiet (loop))
      {
	struct cab_held *held = new cab_held ();
	held->loop = loop;
	m->held.safe_push (held);
      }
    else
      find (m, loop->inner);
}

void
cab_held_find (struct cab_memory *m)
{
  if (cab_cursor_lasts () && !cab_opts.memory_sample && !cfun->can_throw_non_call_exceptions
      && loops_state_satisfies_p (LOOPS_HAVE_PREHEADERS))
    find (m, current_loops->tree_root->inner);
}

static struct cab_held *
held_in (struct cab_memory *m, class loop *loop)
{
  for (struct cab_held *held : m->held)
    if (loop == held->loop || flow_loop_nested_p (held->loop, loop))
      return held;
  return NULL;
}

void
cab_held_enqueue (struct cab_memory *m, edge on, basic_block bb, gimple_seq *seq, tree header,
		  const vec<tree> &words)
{
  struct cab_held *held = held_in (
    m, on ? find_common_loop (on->src->loop_father, on->dest->loop_father) : bb->loop_father);
  if (!held)
    {
      cab_enqueue_words (seq, header, words);
      return;
    }
  if (!held->cursor)
    {
      held->cursor = create_tmp_reg (cab_word_type (), "__cab_cursor");
      held->next = create_tmp_reg (cab_word_type (), "__cab_next");
    }
  cab_enqueue_words_at (seq, header, words, held->cursor, held->next);
}

/* This is called after everything that is sent before these loops is emitted. */
void
cab_held_emit (struct cab_memory *m)
{
  for (struct cab_held *held : m->held)
    if (held->cursor)
      {
	gimple_seq seq = NULL;
	cab_cursor_load (&seq, held->cursor, held->next);
	gsi_insert_seq_on_edge (loop_preheader_edge (held->loop), seq);
      }
}

void
cab_held_free (struct cab_memory *m)
{
  for (struct cab_held *held : m->held)
    delete held;
}
