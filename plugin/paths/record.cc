/* record.cc - writes a function's record, as info.h describes it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/paths/record.h"
#include "plugin/emit/escape.h"
#include "plugin/emit/options.h"
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/loops.h"
#include "plugin/paths/body.h"
#include "plugin/paths/gcov.h"
#include "plugin/paths/pathnum.h"
#include "plugin/paths/paths.h"
#include "cabprof/info.h"

/* A record in the making; the number of a file is its index. */
struct record
{
  struct obstack *ob;
  auto_vec<const char *> files;
};

static void
put_name (struct record *r, const char *name)
{
  size_t n = cab_info_escape (NULL, 0, name);
  char *escaped = XNEWVEC (char, n + 1);
  cab_info_escape (escaped, n + 1, name);
  obstack_grow (r->ob, escaped, n);
  free (escaped);
}

static const char *
assembler_name (tree decl)
{
  return targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)));
}

static unsigned
file_number (struct record *r, const char *name)
{
  unsigned i;
  const char *known;
  FOR_EACH_VEC_ELT (r->files, i, known)
    if (known == name || !strcmp (known, name))
      return i;
  r->files.safe_push (name);
  return r->files.length () - 1;
}

/* The lines of a block, each once, in the order of their first mention; the text groups consecutive
   lines of one file. */
struct block_lines
{
  auto_vec<unsigned> files;
  auto_vec<int> lines;
};

static void
add_line (struct record *r, struct block_lines *b, location_t location)
{
  if (RESERVED_LOCATION_P (LOCATION_LOCUS (location)))
    return;
  expanded_location x = expand_location (location);
  if (!x.file)
    return;
  unsigned file = file_number (r, x.file);
  int line = MAX (1, x.line);
  for (unsigned i = b->lines.length (); i-- > 0;)
    if (b->lines[i] == line && b->files[i] == file)
      return;
  b->files.safe_push (file);
  b->lines.safe_push (line);
}

/* Return true if STMT has a place in the source.  With -g so do debug statements, except where GCC
   compares what it makes with and without -g (-fcompare-debug), since the record's sum is part of a
   symbol. */
static bool
has_line (gimple *stmt)
{
  bool compared = flag_compare_debug || flag_compare_debug_opt;
  return !RESERVED_LOCATION_P (gimple_location (stmt)) && !(compared && is_gimple_debug (stmt));
}

static void
put_block (struct record *r, struct cab_body *body, basic_block bb,
	   hash_set<int_hash<location_t, 0, 1>> *seen)
{
  struct block_lines b;
  if (bb == ENTRY_BLOCK_PTR_FOR_FN (cfun)->next_bb)
    {
      location_t declared = DECL_SOURCE_LOCATION (current_function_decl);
      add_line (r, &b, declared);
      if (!RESERVED_LOCATION_P (declared))
	seen->add (cab_counted_location (declared));
    }
  for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi); gsi_next (&gsi))
    if (has_line (gsi_stmt (gsi)))
      {
	add_line (r, &b, gimple_location (gsi_stmt (gsi)));
	seen->add (cab_counted_location (gimple_location (gsi_stmt (gsi))));
      }
  /* After a call at which paths are cut, a jump with a line of its own has got its own block; other
     jumps are on the call's line. */
  bool jumps = single_succ_p (bb) && !bitmap_bit_p (body->cut, bb->index);
  location_t jump = jumps ? single_succ_edge (bb)->goto_locus : UNKNOWN_LOCATION;
  if (!RESERVED_LOCATION_P (jump) && !seen->contains (cab_counted_location (jump)))
    add_line (r, &b, jump);
  if (b.lines.is_empty ())
    return;
  cab_record_put (r->ob, "b\t%d\t", bb->index);
  for (unsigned i = 0; i < b.lines.length (); i++)
    if (i && b.files[i] == b.files[i - 1])
      cab_record_put (r->ob, ",%d", b.lines[i]);
    else
      cab_record_put (r->ob, "%s%u:%d", i ? ";" : "", b.files[i], b.lines[i]);
  cab_record_put (r->ob, "\n");
}

static void
put_blocks (struct record *r, struct cab_body *body)
{
  basic_block bb;
  hash_set<int_hash<location_t, 0, 1>> seen;
  FOR_EACH_BB_FN (bb, cfun)
    put_block (r, body, bb, &seen);
}

static void
put_graph (struct record *r, struct cab_body *body)
{
  struct cab_pathnum *g = &body->graph;
  for (unsigned i = 0; i < g->n_edges; i++)
    {
      struct cab_pn_edge *e = &g->edge[i];
      edge cfg = cab_graph_edge (body, i);
      char flags[12], *f = flags;
      if (e->cut)
	*f++ = 'c';
      if (e->flags & CAB_PN_ABNORMAL)
	*f++ = 'x';
      if (e->flags & CAB_PN_NO_COUNT)
	*f++ = 'w';
      if (!cfg && !(e->flags & CAB_PN_NO_COUNT))
	*f++ = 'k';
      if (cfg && (cfg->flags & EDGE_EH))
	*f++ = 'h';
      if (cfg && (cfg->flags & EDGE_TRUE_VALUE))
	*f++ = 't';
      if (cfg && (cfg->flags & EDGE_FALSE_VALUE))
	*f++ = 'f';
      if (cfg && (cfg->flags & EDGE_FALLTHRU))
	*f++ = 'F';
      if (bitmap_bit_p (body->made, e->dst))
	*f++ = 'm';
      if (f == flags)
	*f++ = '-';
      *f = 0;
      cab_record_put (r->ob, "e\t%u\t%u\t%s\t%llu\n", e->src, e->dst, flags,
		      (unsigned long long) e->value);
    }
}

static void
put_starts (struct record *r, struct cab_body *body)
{
  struct cab_pathnum *g = &body->graph;
  for (unsigned i = 0; i < g->n_blocks; i++)
    if (g->block[i].start && g->block[i].n_paths)
      cab_record_put (r->ob, "s\t%u\t%llu\n", i, (unsigned long long) g->block[i].base);
}

static void
put_call (struct record *r, struct cab_body *body, unsigned index)
{
  struct cab_call *call = &body->calls[index];
  expanded_location x = expand_location (gimple_location (call->stmt));
  tree decl = gimple_call_fndecl (call->stmt);
  cab_record_put (r->ob, "k\t%u\t%d\t%u:%d:%d\t", index, gimple_bb (call->stmt)->index,
		  x.file ? file_number (r, x.file) : 0, x.line, x.column);
  if (decl)
    put_name (r, assembler_name (decl));
  else
    cab_record_put (r->ob, "*");
  cab_record_put (r->ob, "\t%s\n", call->tail ? "t" : "-");
}

static void
put_loop (struct record *r, struct cab_loop_probe *loop)
{
  struct cab_source_loop *source = loop->source.loops
				   ? &loop->source.loops->loops[loop->source.index]
				   : NULL;
  expanded_location x = source ? source->place : expand_location (loop->place);
  cab_record_put (r->ob, "L\t%u\t%d\t%u:%d:%d\t", loop->number, loop->header,
		  x.file ? file_number (r, x.file) : 0, x.line, x.column);
  if (source)
    cab_record_put (r->ob, "%u\t", source->ordinal);
  else
    cab_record_put (r->ob, "?\t");
  put_name (r, source ? loop->source.loops->function : assembler_name (current_function_decl));
  cab_record_put (r->ob, "\t");
  if (loop->skipped)
    cab_record_put (r->ob, "s\t%s\n", loop->skipped);
  else
    cab_record_put (r->ob, "%s%s%s%s\n", loop->at_end ? "d" : "", loop->may_stay ? "m" : "",
		    loop->timed ? "t" : "",
		    loop->at_end || loop->may_stay || loop->timed ? "" : "-");
}

/* Return true if cfun was made by the compiler. */
static bool
is_generated (void)
{
  return DECL_ARTIFICIAL (current_function_decl) && !DECL_FUNCTION_VERSIONED (current_function_decl)
	 && !DECL_LAMBDA_FUNCTION_P (current_function_decl);
}

static void
write_flags (char *f, struct cab_body *body)
{
  if (body->counts)
    *f++ = 'c';
  if (body->traces)
    *f++ = 't';
  if (body->events)
    *f++ = 'l';
  if (cab_opts.events & CAB_EVENTS_LOOPS)
    *f++ = 'o';
  if (body->entries)
    *f++ = 'e';
  if (body->arrivals)
    *f++ = 'a';
  if (cab_opts.cut_at_calls)
    *f++ = 'k';
  if (is_generated ())
    *f++ = 'g';
  *f = 0;
}

/* The hash is FNV-1a: the same record has the same sum in every compilation. */
unsigned
cab_record_sum (const char *text, size_t n)
{
  unsigned h = 2166136261u;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char) text[i]) * 16777619u;
  return h;
}

static void
put_body (struct record *r, struct cab_body *body)
{
  cab_record_put (r->ob, "B\t%d\t%llu\n", last_basic_block_for_fn (cfun),
		  body->has_graph ? (unsigned long long) body->graph.n_paths : 0ull);
  put_blocks (r, body);
  if (body->has_graph)
    {
      put_graph (r, body);
      put_starts (r, body);
    }
  if (body->events)
    for (unsigned i = 0; i < body->calls.length (); i++)
      put_call (r, body, i);
  for (unsigned i = 0; i < body->loops.length (); i++)
    put_loop (r, &body->loops[i]);
}

/* DECLARED is the number of the file that cfun is declared in. */
void
cab_record_head (struct obstack *ob, const vec<const char *> &files, unsigned declared,
		 unsigned sum, const char *flags, unsigned n_counters, unsigned n_sites)
{
  expanded_location x = expand_location (DECL_SOURCE_LOCATION (cfun->decl)),
		    end = expand_location (cfun->function_end_locus);
  char *name = cab_escaped (assembler_name (cfun->decl)),
       *source = cab_escaped (lang_hooks.decl_printable_name (cfun->decl, 2));
  cab_record_put (ob, "F%c\t%s\t%s\n", CAB_INFO_VERSION, name, source);
  for (const char *file : files)
    {
      char *path = cab_source_name (file);
      cab_record_put (ob, "f\t%s\n", path);
      free (path);
    }
  cab_record_put (ob, "D\t%u\t%d\t%d\t%d\n", declared, x.line, x.column, end.line);
  cab_record_put (ob, "C\t%x\t%s\t%u\t%u\n", sum, flags, n_counters, n_sites);
  free (source);
  free (name);
}

unsigned
cab_record_write (struct cab_body *body, struct obstack *ob)
{
  struct obstack tail;
  char flags[12];
  gcc_obstack_init (&tail);
  struct record r;
  r.ob = &tail;
  const char *declared = DECL_SOURCE_FILE (cfun->decl);
  unsigned file = file_number (&r, declared ? declared : "<unknown>");
  put_body (&r, body);
  size_t n = obstack_object_size (&tail);
  char *text = (char *) obstack_finish (&tail);
  unsigned sum = cab_record_sum (text, n);
  write_flags (flags, body);
  cab_record_head (ob, r.files, file, sum, flags, body->row.n_counters, body->row.n_sites);
  obstack_grow (ob, text, n);
  cab_gcov_put (body, ob);
  obstack_free (&tail, NULL);
  return sum;
}
