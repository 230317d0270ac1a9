/* probe.h - what the files that plan and emit probes share (instrument.cc, tails.cc, paths.cc, calls.cc, loopprobes.cc, record.cc, ctx.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function goes through: cab_tails_find and cab_sites_find (what is there), cab_paths_plan (numbers), cab_record_write (the text), then,
 * and only then, the body is changed: cab_loops_emit, cab_calls_emit, cab_paths_emit.
 * Ownership: all of struct cab_body lives as long as its function is worked on; trees in it are held by the function's body.
 */
#ifndef CABPROF_PROBE_H
#define CABPROF_PROBE_H

#include "plugin/emit/plugin.h"
#include "plugin/loops/loops.h"
#include "plugin/paths/pathnum.h"
#include "cabprof/abi.h"
#include "cabprof/event.h"

/* A place where an activation ends as it should: what belongs to the end is inserted before BEFORE, or, if that is null, on edge ON.
   A block that holds nothing but the return may have calls in tail position in front of it; its end is then written once per edge
   that leads into it, so that these calls stay tail calls: IN is that edge, OUT the edge to EXIT. */
struct cab_end
{
  gimple *before;
  edge on;
  edge in, out;
  gcall *tail;   /* the call in tail position that BEFORE is, or null */
};

/* A call that may enter instrumented code. */
struct cab_call
{
  gcall *stmt;
  bool tail;
};

/* A loop, and how it is counted. */
struct cab_loop_probe
{
  class loop *loop;
  unsigned number;          /* in the function, in events */
  int header;               /* index of its first block */
  location_t place;         /* of its code */
  cab_source source;        /* its loop in the source, if known */
  const char *skipped;      /* why it is not counted, or null */
  bool at_end;              /* its test is the last thing of the body */
  bool may_stay;            /* an execution may end without an edge that tells of it */
  bool timed;
  unsigned HOST_WIDE_INT long_from;   /* an execution of so many iterations is long */
  tree counter, start;      /* register variables: iterations, and the clock at the entry or 0 */
};

enum cab_loop_action
{
  CAB_LOOP_ACTION_LEAVE,
  CAB_LOOP_ACTION_AGAIN,
  CAB_LOOP_ACTION_ENTER
};

/* What has to be done on an edge; steps of one edge stand together, in their order. */
struct cab_loop_step
{
  edge on;
  enum cab_loop_action action;
  struct cab_loop_probe *probe;
};

/* A loop whose iterations all take one path, in a trace. */
struct cab_run
{
  unsigned latch;           /* index in graph.edges of the edge back */
  uint64_t path;
  tree count;               /* register variable: iterations that have not been sent */
};

struct cab_body
{
  function *fn;
  struct cab_row_desc row;
  auto_vec<struct cab_end> ends;
  auto_vec<struct cab_call> calls;
  auto_vec<struct cab_loop_probe> loops;   /* all of the function's, in the order of their numbers; empty unless they are wanted */
  bool has_tail;          /* one of CALLS is in tail position */
  bool entries;           /* an activation may be left in the midst: count activations */
  bool arrivals;          /* control may arrive over abnormal edges */
  bool counts, traces, events;   /* paths in place, paths as events, entries as events */
  gimple *anchor;         /* code that runs at entry, before all else, is inserted before this statement */
  auto_bitmap cut;        /* indices of the blocks whose paths end before their last statement: calls that may not return under "cut at
			     calls", computed gotos */
  tree found;             /* the call word as the function found it: a register variable; null: it stays as it is */
  tree counters;          /* this thread's counters of the function: a register variable, set at entry */
  /* The planned graph.  Edges of the CFG carry 1 + their index in graph.edges in `aux` (0: none). */
  struct cab_pathnum graph;
  bool has_graph;
  auto_vec<struct cab_run> runs;
  auto_bitmap packed;       /* blocks of loops whose paths are sent several at a time */
  unsigned pack_width;      /* bits of a path's number in these */
  tree pack;                /* register variable: those that have not been sent; null: none are packed */
  unsigned *run_of_edge;    /* per edge of the graph: 1 + the index of the run whose latch or way out it is, or 0; null: no runs */
};

/* tails.cc */
extern void cab_tails_find (struct cab_body *body);
/* May STMT enter instrumented code, or leave this activation?  (Builtins that the compiler expands or that libc keeps to itself may not.) */
extern bool cab_call_may_enter (gimple *stmt);
extern bool cab_is_tail (struct cab_body *body, gimple *call);
extern void cab_calls_find (struct cab_body *body);

/* returns.cc: can STMT end the activation, or jump out of it, rather than come to the next statement?  Between begin and end. */
extern bool cab_may_leave (gimple *stmt);
/* Is CALL one of exec and its like that GCC knows?  Behind it nothing may come, whatever its flags say. */
extern bool cab_call_execs (gcall *call);

/* paths.cc */
/* Prepare the graph: what must be split is split, and body->cut says where paths end in mid-block.  Before anything else looks. */
extern void cab_graph_prepare (struct cab_body *body);
extern bool cab_paths_plan (struct cab_body *body, const char **reason);
extern void cab_paths_emit (struct cab_body *body);
/* Can control come back into the middle of this function (setjmp, nonlocal goto)? */
extern bool cab_has_landings (void);
extern edge cab_graph_edge (struct cab_body *body, unsigned index);

/* runs.cc: loops that send one path many times at once; for traces.  Start: at the function's entry.  Pass_over: what the edge does for a
   run; true if the edge sends no path of its own, being its latch. */
extern void cab_runs_find (struct cab_body *body);
extern void cab_runs_start (struct cab_body *body, gimple_seq *seq);
extern bool cab_runs_pass_over (struct cab_body *body, unsigned edge, tree slot, gimple_seq *seq);
/* Is a run sent on that edge?  */
extern bool cab_runs_end (struct cab_body *body, unsigned edge);
/* Does BLOCK send nothing, and is it left by its edges only?  */
extern bool cab_is_quiet (struct cab_body *body, unsigned block);

/* packs.cc: loops that send several paths at once; behind cab_runs_find.  Start: at the function's entry.  Inside: is BLOCK in such a loop?  Add: a path with
   NUMBER ends, and control stays in such loops or enters one; SLOT is the variable with the row's path slot.  Send: control leaves.  */
extern void cab_packs_find (struct cab_body *body);
extern void cab_packs_start (struct cab_body *body, gimple_seq *seq);
extern bool cab_packs_inside (struct cab_body *body, unsigned block);
extern void cab_packs_add (struct cab_body *body, tree slot, tree number, gimple_seq *seq);
extern void cab_packs_send (struct cab_body *body, tree slot, gimple_seq *seq);

/* alias.cc: after the probes are in; for functions that count in place. */
extern void cab_alias_mark (void);

/* calls.cc: the ends come when all else that belongs to the activation is in.  Prepare, for option context, before anything comes in: ends
   that stand on edges get blocks of their own, behind what loops send on these. */
extern void cab_calls_prepare (struct cab_body *body);
extern void cab_calls_emit (struct cab_body *body);
extern void cab_calls_emit_ends (struct cab_body *body);

/* loopprobes.cc: look at the loops; what is to be done on which edge. */
extern void cab_loops_plan (struct cab_body *body);
extern void cab_loops_steps (struct cab_body *body, auto_vec<struct cab_loop_step> *steps);
/* Where LOOP's code stands. */
extern location_t cab_loop_place (class loop *loop);
/* Is there a loop that can be counted? */
extern bool cab_loops_any (struct cab_body *body);

/* loopemit.cc: before the other probes, whose code on the same edges comes first then. */
extern void cab_loops_emit (struct cab_body *body);

/* record.cc: the function's record (info.h) into OB; returns the checksum of the shape. */
extern unsigned cab_record_write (struct cab_body *body, struct obstack *ob);
/* Parts of it for other records of cfun: all lines before its body, and the checksum of that. */
extern void cab_record_head (struct obstack *ob, const vec<const char *> &files, unsigned declared, unsigned sum, const char *flags,
			     unsigned n_counters, unsigned n_sites);
extern unsigned cab_record_sum (const char *text, size_t n);

/* ctx.cc: statements that reach the thread's context, inserted before *GSI.  In code that is not for a DSO the context is a
   thread-local variable of the executable; else it lies at an offset that the runtime fills in, and inline assembly does the rest. */
extern tree cab_word_type (void);                                       /* uint64_t */
extern tree cab_counter_type (void);                                    /* the same, in an alias set of its own */
extern tree cab_ctx_load (gimple_seq *seq, unsigned offset);            /* 0 where the thread has no context */
extern void cab_ctx_store (gimple_seq *seq, unsigned offset, tree value);
extern tree cab_ctx_count_base (gimple_seq *seq);
extern tree cab_clock (gimple_seq *seq);                                /* the time stamp counter */
extern tree cab_gate_value (gimple_seq *seq, const char *gate, tree argument);
extern tree cab_gate_tail (gimple_seq *seq, tree word, tree target, tree back, tree frame, tree *found);
/* enqueue.cc, enqueue_words.cc: events come into the thread's ring. */
extern void cab_enqueue (gimple_seq *seq, tree event);
/* Is STMT a cab_enqueue? */
extern bool cab_is_enqueue (gimple *stmt);
extern void cab_enqueue_if (gimple_seq *seq, tree event, tree condition);   /* unless CONDITION is 0 */
/* NUMBERS, if they fill a word (FULL) or are not EMPTY, are sent: at their place in an event that is SLOT + REST else.  What is left: they, or EMPTY.  */
extern tree cab_enqueue_pack (gimple_seq *seq, tree numbers, tree slot, unsigned rest, unsigned HOST_WIDE_INT empty, bool full);
/* HEADER, an ACCESS, with WORDS behind it, at most CAB_ACCESS_WORDS: registers or constants of 8 bytes, any values. */
extern void cab_enqueue_words (gimple_seq *seq, tree header, const vec<tree> &words);
/* The same with register variables CURSOR and NEXT, which are used and set.  Before the first: they are set.  May they be?  The code has a context of its own.  */
extern void cab_enqueue_words_at (gimple_seq *seq, tree header, const vec<tree> &words, tree cursor, tree next);
extern void cab_cursor_load (gimple_seq *seq, tree cursor, tree next);
extern bool cab_cursor_lasts (void);
/* How many there are registers for.  */
extern unsigned cab_most_words (void);
/* The same, for many words: they are stored on the stack first.  */
extern void cab_enqueue_array (gimple_seq *seq, tree header, const vec<tree> &words);
extern tree cab_access_header (gimple_seq *seq, struct cab_row_desc *row, unsigned region, enum cab_access_form form, unsigned n_words);
/* ctx.cc again: a piece of an activation begins, that pair AT of COUNTERS counts (abi.h): is it due?  Then, is it recorded (0: it is not)?  Both at once, without a
   branch.  */
extern tree cab_piece_is_due (gimple_seq *seq, tree counters, unsigned at);
extern tree cab_piece_begins (gimple_seq *seq, tree counters, unsigned at);
extern tree cab_piece_decides (gimple_seq *seq, tree counters, unsigned at);
/* Before ANCHOR: VARIABLE, a register variable for a pointer, becomes this thread's counters of ROW's function.  */
extern void cab_counters_emit (gimple *anchor, struct cab_row_desc *row, tree variable);
/* Before *GSI, which stays on its statement: see to it that ROW's function has a number.  Comes before its first event. */
extern void cab_number_ensure (gimple_stmt_iterator *gsi, struct cab_row_desc *row);

/* build.cc: small pieces of GIMPLE. */
extern tree cab_build_op (gimple_seq *seq, enum tree_code code, tree a, tree b);
extern tree cab_build_load (gimple_seq *seq, tree reference);
extern tree cab_u64 (unsigned HOST_WIDE_INT value);
/* End GSI's block in front of GSI with "if (A CODE B) goto cold"; COLD's statements are SEQ, and it joins behind the condition.
   GSI stays on the same statement. */
extern void cab_build_cold (gimple_stmt_iterator *gsi, enum tree_code code, tree a, tree b, gimple_seq seq);
/* After statements, blocks and edges have come in: what waits on edges is inserted, what was known of the shape is forgotten, virtual operands
   are to be built anew by update_ssa.  */
extern void cab_build_commit (void);

#endif
