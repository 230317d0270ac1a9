/* instrument.cc - takes one function from plan to probes.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/build.h"
#include "plugin/emit/options.h"
#include "plugin/paths/instrument.h"
#include "plugin/emit/row.h"
#include "plugin/emit/stub.h"
#include "plugin/paths/alias.h"
#include "plugin/paths/body.h"
#include "plugin/paths/calls.h"
#include "plugin/paths/gcov.h"
#include "plugin/paths/graph.h"
#include "plugin/paths/loopemit.h"
#include "plugin/paths/loopprobes.h"
#include "plugin/paths/pathnum.h"
#include "plugin/paths/paths.h"
#include "plugin/paths/record.h"
#include "plugin/paths/tails.h"
#include "cabprof/value_cell.h"

/* Return true if an activation can be left other than by its returns and its calls in tail
   position. */
static bool
is_left_in_midst (struct cab_body *body)
{
  struct cab_pathnum *g = &body->graph;
  for (unsigned i = 0; i < g->n_blocks; i++)
    if (g->block[i].flags & CAB_PN_MAY_LEAVE)
      return true;
  for (unsigned i = 0; i < g->n_edges; i++)
    if (g->edge[i].flags & CAB_PN_NO_COUNT)
      return true;
  return cab_opts.cut_at_calls && !body->calls.is_empty ();
}

/* Plan all probes; change only what the graph needs. */
static bool
plan (struct cab_body *body, const char **reason)
{
  body->counts = (cab_opts.events & CAB_EVENTS_PATHS) && cab_opts.paths == CAB_PATHS_COUNT;
  body->traces = (cab_opts.events & CAB_EVENTS_PATHS) && cab_opts.paths == CAB_PATHS_TRACE;
  body->events = cab_opts.events & CAB_EVENTS_CALLS;
  cab_tails_join ();
  if (body->counts || body->traces)
    cab_graph_prepare (body);
  cab_tails_find (body);
  cab_calls_find (body);
  if (cab_opts.events & CAB_EVENTS_LOOPS)
    cab_loops_plan (body);
  if (!body->counts && !body->traces)
    return true;
  if (!cab_paths_plan (body, reason))
    return false;
  body->entries = is_left_in_midst (body);
  body->arrivals = cab_has_landings ();
  return true;
}

static unsigned
row_flags (struct cab_body *body)
{
  return (body->counts ? CAB_ROW_PATHS_COUNT : 0) | (body->traces ? CAB_ROW_PATHS_TRACE : 0)
       | (body->events ? CAB_ROW_CALLS : 0)
       | (cab_opts.events & CAB_EVENTS_LOOPS ? CAB_ROW_LOOPS : 0)
       | (body->entries ? CAB_ROW_ENTRIES : 0) | (body->arrivals ? CAB_ROW_ARRIVALS : 0)
       | (cab_opts.context ? CAB_ROW_CONTEXT : 0)
       | (cab_opts.events & CAB_EVENTS_TIME ? CAB_ROW_TIME : 0)
       | (cab_ring_mode_is_cab (cab_opts.ring) ? CAB_ROW_RING_CAB : 0)
       | (cab_opts.ring >= CAB_RING_MODE_PIPA ? CAB_ROW_RING_PEER : 0);
}

/* Emit the row and its record. */
static void
describe (struct cab_body *body)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  unsigned n_counters = body->has_graph ? CAB_COUNTER_PATHS + body->graph.n_paths
					      + cab_gcov_cells (body) * CAB_CELL_WORDS
					: 0;
  unsigned n_sites = body->events ? body->calls.length () : 0;
  body->row.n_counters = n_counters;
  body->row.n_sites = n_sites;
  unsigned checksum = cab_record_write (body, &ob);
  cab_row_begin (&body->row, body->fn, checksum, false);
  body->row.flags = row_flags (body);
  body->row.n_counters = n_counters;
  body->row.n_sites = n_sites;
  cab_row_finish (&body->row, body->fn, (char *) obstack_base (&ob), obstack_object_size (&ob));
  obstack_free (&ob, NULL);
}

static void
make_entry (struct cab_body *body)
{
  basic_block entry = split_edge (single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  gimple_stmt_iterator gsi = gsi_after_labels (entry);
  body->anchor = gimple_build_nop ();
  gsi_insert_before (&gsi, body->anchor, GSI_SAME_STMT);
}

/* Restore what the later passes rely on. */
static void
settle (struct cab_body *body)
{
  basic_block bb;
  gimple_stmt_iterator anchor = gsi_for_stmt (body->anchor);
  gsi_remove (&anchor, true);
  cab_build_commit ();
  /* Calls may have been const or pure when their virtual operands were built. */
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
      if (is_gimple_call (gsi_stmt (gsi)))
	update_stmt (gsi_stmt (gsi));
  update_ssa (TODO_update_ssa);
  if (body->counts)
    cab_alias_mark ();
  cgraph_edge::rebuild_edges ();
}

static void
release (struct cab_body *body)
{
  clear_aux_for_edges ();
  if (!body->has_graph)
    return;
  free (body->run_of_edge);
  free (body->graph.edge);
  free (body->graph.block);
}

bool
cab_instrument_function (function *fn, const char **reason)
{
  struct cab_body body = {};
  body.fn = fn;
  clear_aux_for_edges ();
  bool planned = plan (&body, reason);
  if (planned)
    {
      cab_stub_emit ();
      describe (&body);
      make_entry (&body);
      if (cab_calls_tell_ends ())
	cab_calls_prepare (&body);
      if (cab_loops_any (&body))
	cab_loops_emit (&body);
      if (body.events)
	cab_calls_emit (&body);
      if (body.has_graph)
	cab_paths_emit (&body);
      cab_gcov_emit_values (&body);
      if (body.events)
	cab_calls_emit_ends (&body);
      settle (&body);
    }
  release (&body);
  return planned;
}
