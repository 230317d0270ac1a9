/* memory.h - what the files share that tell accesses, allocations and releases (memory.cc, access*.cc, allocs.cc, locals.cc).
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Model:      a unit's functions are chosen early, where the other probes come in (memory.cc: cab_memory_choose), and get their probes late: where
 *             scalar clean-up is done and the loop optimisers are still to come.  What was chosen is an attribute of the function, so that clones have
 *             it, and a link-time compilation finds it.  Bodies inlined by then are part of their callers.
 *             A function goes through cab_accesses_find (what there is, and which accesses are sent together), cab_accesses_record (the text), and then
 *             cab_accesses_emit changes the body.
 * Ownership:  struct cab_memory lives as long as its function is worked on; trees in it are held by the function's body.
 */
#ifndef CABPROF_MEMORY_H
#define CABPROF_MEMORY_H

#include "plugin/memory/allocators.h"
#include "plugin/emit/probe.h"

#define CAB_NEST_LOOPS 4      /* in each other, at most */
#define CAB_REGION_WORDS 6    /* of a region that lies in a block: more would want more registers than there are */
#define CAB_TRACT_WORDS 8     /* of one that goes through several ... */
#define CAB_TURN_WORDS 10     /* ... in a loop whose body was laid out several times */

/* A number in a nest: what it is at the nest's begin, and what it grows by with each iteration of the loops around, the outermost first.  */
struct cab_nest_term
{
  tree base;                  /* an expression in cab_word_type (), or null: the count's word */
  int word;                   /* that, with OFFSET, tells it; -1: OFFSET alone */
  HOST_WIDE_INT offset;
  unsigned n_steps;
  tree step[CAB_NEST_LOOPS];
  int step_word[CAB_NEST_LOOPS];   /* that tells it, or -1: it is a constant */
};

/* A level of a nest: an N line.  */
struct cab_nest_level
{
  int parent;                 /* -1: none */
  unsigned before;            /* this access of the region it stands */
  const char *how;
  unsigned bits;
  struct cab_nest_term left, right;
};

/* One access: all that an A line says, and what its probe computes. */
struct cab_access
{
  gimple *stmt;
  tree ref;                   /* what is accessed, or null: a pointer argument leads to it ... */
  tree pointer;               /* ... this one */
  tree address;               /* of the first byte, an expression in cab_word_type () */
  tree length;                /* bytes, if a variable tells them, else null */
  unsigned HOST_WIDE_INT bytes;
  const char *flags;          /* of the A line, but for g */
  bool after;                 /* it happens, or is known, only behind the statement */
  gimple *before;             /* before this its address is computed; null: at the end of the block, or on the region's edge */
  char *name;                 /* escaped; malloc'ed */
  int word, length_word;      /* in its region; length_word -1: none */
  HOST_WIDE_INT offset;
  tree step;                  /* in a loop's region: from one pass to the next; ADDRESS is that of the first then */
  int step_word;              /* that tells it, or -1: it is a constant */
  unsigned part;              /* of a pass; in a nest its level */
  struct cab_nest_term term;  /* in a nest: its address */
  tree value;                 /* what it reads or writes, or null: that is not told ... */
  bool value_after;           /* ... which is known behind the statement only, */
  bool value_before;          /* ... and which it does not leave there */
  gimple *known;              /* before this the value is computed; null: at the end of the block */
  int value_word;
  unsigned of;                /* index of the access that it is in a copy of its loop's body; its own: none */
};

enum cab_word_is
{
  CAB_WORD_ADDRESS,
  CAB_WORD_LENGTH,
  CAB_WORD_STEP,
  CAB_WORD_VALUE,
  CAB_WORD_COUNT
};

/* A word that a region sends. */
struct cab_region_word
{
  unsigned access;            /* index; computed where that one happens, unless the region is a loop */
  enum cab_word_is is;
  aff_tree combination;       /* an address, to be compared with others */
  tree value;                 /* an expression in cab_word_type (), but of a VALUE; null for the count */
};

/* A way out of a region that is a loop.  */
struct cab_region_exit
{
  edge on;
  unsigned parts;             /* of the last pass, so many parts have happened */
  bool whole;                 /* that is all of it */
};

/* Accesses that are sent together: before statement BEFORE, or on edge ON, or at the end of BB, or on the exits of LOOP. */
struct cab_region
{
  unsigned first, n;          /* indices of accesses */
  auto_vec<struct cab_region_word> words;
  gimple *before;
  edge on;
  basic_block bb;
  class loop *loop;
  int count;                  /* of a loop, the word that tells how often; a nest may do without */
  bool is_nest;               /* LOOP is the outermost */
  auto_vec<struct cab_nest_level> levels;
  auto_vec<struct cab_region_exit> exits;
  bool is_joined;             /* a tract's block has it: it is none of its own */
  auto_vec<unsigned> path;    /* of a tract's: its accesses, instead of FIRST and N */
};

/* Where a word of a block's region is in its tract's events: OFFSET behind word SLOT, which is this one or another block's.  */
struct cab_tract_place
{
  unsigned slot;
  HOST_WIDE_INT offset;
  bool is_new;
};

/* A way into a tract's block, from block BLOCK, or -1: from elsewhere.  Paths that come over it are numbered from FIRST on where it leads to.  */
struct cab_tract_link
{
  edge on;
  int block;
  unsigned first;
};

struct cab_tract_block
{
  basic_block bb;
  struct cab_region *region;  /* its accesses, or null */
  unsigned n_paths;           /* that lead here */
  unsigned base, end;         /* words at its begin and at its end, the longest path counting */
  int over;                   /* the last other block that all paths to it come through; -1: none */
  bool begins;                /* no path comes from other blocks */
  bool is_open;               /* the tract may go on behind it; else it ends before the region's BEFORE */
  auto_vec<struct cab_tract_place> places;   /* of the region's words */
  auto_vec<struct cab_tract_link> from;
  auto_vec<tree> values;      /* words as they are at its end */
  tree number;                /* of the path, times 2^shift; null: 0 */
};

/* A way out: behind block BLOCK, over ON or, if that is null, at its end.  Its paths are regions from FIRST on.  */
struct cab_tract_way
{
  unsigned block, first;
  edge on;
};

struct cab_tract_end
{
  auto_vec<struct cab_tract_way> ways;   /* all lead to one block, where there are several */
  unsigned n_words;
  bool meets;
};

/* Blocks whose accesses are sent by one event for each way through them, those before each one coming first: access_tract.cc.  */
struct cab_tract
{
  auto_vec<struct cab_tract_block *> blocks;
  auto_vec<struct cab_tract_end *> ends;
  unsigned shift;
  tree nothing;
};

/* A call that allocates, releases or moves memory. */
struct cab_allocation
{
  gcall *call;
  const struct cab_allocator *how;
  unsigned number;            /* of the M line: of calls in the other copy of the code that of the same call */
};

/* Which pieces of an activation are recorded is decided when it begins and at the header of LOOPS, in this order.  */
struct cab_sampling
{
  bool on;
  const char *single;                 /* why the code stays one copy, or null */
  tree counters, recorded;            /* register variables; RECORDED, of a single copy: is the present piece? */
  auto_vec<class loop *> loops;
  auto_vec<basic_block> checks;       /* of two copies: the loops' new headers ... */
  auto_vec<class loop *> copies;      /* ... and the other copies of the loops */
};

/* A local variable that is told like a block of memory.  */
struct cab_local
{
  tree decl;
  unsigned number;                    /* of the M line */
  gimple *begin;                      /* before this it comes to be; before these it ends: */
  auto_vec<gimple *> ends;
};

struct cab_memory
{
  function *fn;
  struct cab_row_desc row;
  struct obstack lines;               /* the record's R, A, T and M lines */
  auto_vec<const char *> files;       /* that the lines name; see cab_record_file */
  auto_vec<struct cab_access> accesses;
  auto_vec<struct cab_region *> regions;
  auto_vec<struct cab_tract *> tracts;
  auto_vec<struct cab_held *> held;   /* access_held.cc */
  auto_vec<class loop *> turned;      /* whose bodies were laid out several times ... */
  hash_map<gimple *, gimple *> *original;   /* ... and of statements there which one each is a copy of; or null */
  unsigned n_copies;                  /* lines of accesses that have one already */
  auto_vec<struct cab_allocation> allocations;   /* in the order of the M lines, then: */
  auto_vec<struct cab_local *> locals;           /* of both, behind these those of the other copy */
  struct cab_sampling sampling;
};

/* memory.cc: at the early stage: cfun is to have memory probes. */
extern void cab_memory_choose (tree fndecl);
/* The late passes, in their order: one over the unit, which takes knowledge away that is no longer true; one over each function, where the
   loop optimisers run next; and again where they do not run. */
extern opt_pass *cab_memory_unit_pass (void);
extern opt_pass *cab_memory_pass (void);
/* The place of STMT in the user's source: of what is in a system header, the innermost call that was inlined there and stands in none.  What the
   compiler gives no place has that of its neighbour. */
extern location_t cab_memory_place_of (gimple *stmt);
/* "file:line:column" of WHERE into the lines. */
extern void cab_memory_put_place (struct cab_memory *m, location_t where);

/* access.cc: regions of cfun.  With "memory-proof" there are two of each access: all as the encoding has it, then all by themselves. */
extern void cab_accesses_find (struct cab_memory *m);
extern void cab_accesses_emit (struct cab_memory *m);
extern void cab_accesses_free (struct cab_memory *m);
/* Is BB in one of LOOPS?  */
extern bool cab_access_is_in (const vec<class loop *> &loops, basic_block bb);

/* Parts of it that access_loop.cc shares.  Does STMT end what is sent together?  A word more; its index.  The word that tells ACCESS's address, which
   gets `word' and `offset'.  EXPRESSION's value. */
extern bool cab_access_region_ends (gimple *stmt);
extern int cab_access_add_word (struct cab_region *region, unsigned access, enum cab_word_is is, tree value);
extern void cab_access_base_word (struct cab_region *region, unsigned index, struct cab_access *access,
				  hash_map<tree, name_expansion *> **expansions);
extern tree cab_access_value (gimple_seq *seq, tree expression);
/* access_address.cc: the address of VARIABLE for a probe; a callback behind a function's passes, for which its variables are then what they were.  The sum that
   ADDRESS is.  */
extern tree cab_access_address (tree variable);
extern void cab_access_give_back (void *, void *);
extern void cab_access_combine (tree address, aff_tree *combination, hash_map<tree, name_expansion *> **expansions);
/* COMBINATION tells an address: is it *OFFSET behind the one that WORD sends?  SEQ comes before BEFORE, or on ON, or at the end of BB, behind what has
   come there already.  */
extern bool cab_access_word_offset (const struct cab_region_word *word, const aff_tree *combination, HOST_WIDE_INT *offset);
extern void cab_access_insert (gimple_seq seq, gimple *before, edge on, basic_block bb);

/* access_tract.cc: regions of blocks become those of tracts, where that pays.  access_tract_emit.cc: their code.  */
extern void cab_tracts_find (struct cab_memory *m);
extern void cab_tracts_emit (struct cab_memory *m);
extern void cab_tract_free (struct cab_tract *tract);
/* May a probe stand at STMT, or is what came before not to be told behind it?  */
extern bool cab_access_tract_ends (gimple *stmt);

/* access_held.cc, in this order: loops of cfun in which the ring's cursor stays in registers, before there are probes; an event with WORDS that is sent ON an edge or, if that is null,
   in BB; what comes before the loops, when all is sent that is.  */
extern void cab_held_find (struct cab_memory *m);
extern void cab_held_enqueue (struct cab_memory *m, edge on, basic_block bb, gimple_seq *seq, tree header, const vec<tree> &words);
extern void cab_held_emit (struct cab_memory *m);
extern void cab_held_free (struct cab_memory *m);

/* access_turns.cc: loops but for those in WHOLE, which are regions, have their bodies laid out several times, where that pays: M's `turned' has these.  If there
   are any, all that is known of cfun has to be found again.  Dominators and loops are known, and stay so.  Which accesses from index FROM on are those of
   copies.  */
extern void cab_turns_lay_out (struct cab_memory *m, const vec<class loop *> &whole);
extern void cab_turns_number (struct cab_memory *m, unsigned from);
/* The statement that STMT is, or is a copy of.  */
extern gimple *cab_turns_original (const struct cab_memory *m, gimple *stmt);
/* The statements of BB that its copy has, too: no labels, and not all that is for the debugger.  */
extern void cab_statements_copied (basic_block bb, vec<gimple *> *found);

/* access_nest.cc: the region of the nest whose outermost loop is LOOP, in the same way.  Post-dominators are known, too.  Blocks of LOOP in program order,
   those of each loop in it together.  */
extern struct cab_region *cab_access_nest (struct cab_memory *m, class loop *loop, hash_map<tree, name_expansion *> **expansions);
extern void cab_access_nest_blocks (class loop *loop, vec<basic_block> *blocks);

/* access_loop.cc: the region of LOOP, whose accesses come to those of M, if it can be sent at once; else null.  Scalar evolutions and dominators
   are known. */
extern struct cab_region *cab_access_loop (struct cab_memory *m, class loop *loop, hash_map<tree, name_expansion *> **expansions);
extern void cab_access_loop_emit (struct cab_memory *m, unsigned number);
/* Can an iteration not go other ways than by edges, nor send something itself?  Does EXPRESSION, computed behind the loop, mean the same as
   before it?  The word of REGION that sends STEP; -1: it is a constant.  */
extern bool cab_access_is_quiet (gimple *stmt);
extern bool cab_access_can_move (class loop *loop, tree expression);
extern int cab_access_step_word (struct cab_region *region, unsigned index, tree step);

/* sample.cc, with "memory-sample".  Plan: what is decided where, behind cab_accesses_find; the number of counters that the row needs.  Emit: when all has
   been written down and nothing emitted: the code becomes two copies, and the one that M's accesses are in is that with probes; or it stays one.  Guard,
   for that case: when the probes of accesses are in, and no others: they are passed unless the piece is recorded.  Finish: when the rest is in. */
extern unsigned cab_sample_plan (struct cab_memory *m);
extern void cab_sample_emit (struct cab_memory *m);
extern void cab_sample_guard (struct cab_memory *m);
extern void cab_sample_finish (struct cab_memory *m);

/* access_record.cc */
extern void cab_accesses_record (struct cab_memory *m);

/* access_find.cc: append the accesses of STMT that are told to FOUND, in program order; all, told or not.  ORIGINAL, which STMT is or is a copy of, says what
   they are called and which are told. */
extern void cab_access_of (gimple *stmt, gimple *original, vec<struct cab_access> *found);
extern void cab_access_all_of (gimple *stmt, vec<struct cab_access> *found);

/* access_strings.cc: what a call has copied that MEASURE, a statement of ours beside it, has measured; words are registers or null.  */
struct cab_string_copy
{
  gcall *call;
  tree start;   /* the length of the string that CALL appends to; all there is to know of a measure before the call */
  tree end;     /* the length of the string at CALL's first argument behind it */
  tree most;    /* bytes that it writes at most */
};
/* Code in FN, which is cfun, measures what calls copy; SSA form is right after it.  The length of the string at POINTER, of MOST bytes or null.  Is STMT such a
   measure, and what does it tell?  False: nothing.  The name of the function of a library whose accesses to memory STMT hides, which lasts; null: none is
   known of.  */
extern void cab_strings_tell (function *fn);
extern tree cab_string_length (gimple_seq *seq, tree pointer, tree most);
extern bool cab_string_is_measure (gimple *stmt);
extern bool cab_string_copied (gimple *measure, struct cab_string_copy *copy);
extern const char *cab_strings_unseen (gimple *stmt);

/* access_scalar.cc: append values of STMT that are no accesses to FOUND: those that are known before it, and those behind it.  */
extern void cab_scalars_before (gimple *stmt, vec<struct cab_access> *found);
extern void cab_scalars_after (gimple *stmt, vec<struct cab_access> *found);

/* access_value.cc: find the value of ACCESS, if it is told; type and flags of its V line; are values of TYPE told; VALUE as a word of its own, computed in SEQ.  */
extern void cab_value_find (struct cab_access *access);
extern void cab_value_letters (const struct cab_access *access, char to[4]);
extern bool cab_value_is_told (tree type);
extern tree cab_value_word (gimple_seq *seq, tree value);

/* access_filter.cc: why ACCESS is not told, a constant string; null: it is.  */
extern const char *cab_access_unwanted (const struct cab_access *access);
/* Records that say how many accesses of FN, which is cfun, are not told, for each reason.  Before its body changes. */
extern void cab_accesses_record_left_out (function *fn);

/* access_name.cc: what the source calls REF, or what pointer leads to (then REF is the pointer and IS_POINTER is set), of which BYTES are accessed, 0: unknown how
   many; malloc'ed, escaped. */
extern char *cab_access_name (tree ref, bool is_pointer, unsigned HOST_WIDE_INT bytes);
/* The source's name of TYPE, or null. */
extern const char *cab_type_name (tree type);
/* Is TYPE, a structure, what a lambda expression of C++ has captured?  Its function is a member. */
extern bool cab_type_is_closure (tree type);
/* Is TYPE one of those by which Fortran's arrays are described? */
extern bool cab_type_is_descriptor (tree type);
/* The structure that REF, a MEM_REF, is a part of by what the compiler remembers of its origin; or null. */
extern tree cab_access_whole (tree ref);
/* The same: the user's structure that REF, a structure of a library's at an offset from a pointer, is a member of; null: none. */
extern tree cab_access_holder (tree ref);

/* access_kept.cc: registers of FN, which is cfun, that results of calls are in learn where the program keeps these; a pass that does so.  What POINTER has
   learned: its name behind a *, or behind a [ that of the array or container that it belongs to; behind a = that of the part of an array that it is the
   address of; null: nothing.  The type that this says it points to, or null; that part, with
   errors for indices and null for a pointer, if an access to BYTES (0: unknown) may be one to it, not to what it is the first part of; or null.  A pass that lets addresses of parts of arrays learn which.  Has the user named VARIABLE, here or in what is inlined here? */
extern void cab_kept_name (function *fn);
/* access_kept_lto.cc: what registers of FN have learned gets through the streams of -flto: before FN is written, and where it is compiled.  */
extern void cab_kept_write (function *fn);
extern void cab_kept_read (function *fn);
extern opt_pass *cab_kept_pass (void);
extern const char *cab_kept_in (tree pointer);
/* The same of a variable with the name IDENTIFIER, which GCC may name after a register.  */
extern const char *cab_kept_behind (const char *identifier);
extern tree cab_kept_type (tree pointer);
extern tree cab_kept_operand (tree pointer, unsigned HOST_WIDE_INT bytes);
extern opt_pass *cab_addressed_pass (void);
extern bool cab_kept_is_users (tree variable);

/* struct_record.cc: the last field of an A line, for ACCESS, and of an M line, for a structure, or another TYPE, or null.  What they refer to has its record
   then. */
#define CAB_STRUCT_BYTES 40
extern void cab_struct_of_access (const struct cab_access *access, char to[CAB_STRUCT_BYTES]);
extern void cab_struct_of_type (tree type, char to[CAB_STRUCT_BYTES]);
/* Is TYPE laid out by the source that is compiled: not by the compiler, nor in a system's header?  Not at the link.  */
extern bool cab_struct_is_of_source (tree type);
/* Not at the link, where nobody knows.  */
static inline bool
cab_is_fortran (void)
{
  return !strncmp (lang_hooks.name, "GNU Fortran", strlen ("GNU Fortran"));
}
/* struct_text.cc: has TYPE, a structure, union or enum, its name from a typedef alone?  */
extern bool cab_struct_has_no_tag (tree type);
/* FIELD as C declares it, without the semicolon; malloc'ed. */
extern char *cab_struct_member (tree field);
/* What a FIELD without a name is called: by its own members, in braces; malloc'ed. */
extern char *cab_struct_unnamed (tree field);
/* struct_mark.cc: tell the link which structures are not; a callback, before the unit's passes.  */
extern void cab_struct_mark_unit (void *, void *);

/* allocs.cc: read the user's table of allocators; what is wrong with it is a compile error. */
extern void cab_allocs_read (const char *path);
/* Calls of cfun that allocate or release; their M lines; the probes, when those of accesses stand. */
extern void cab_allocs_find (struct cab_memory *m);
extern void cab_allocs_record (struct cab_memory *m);
extern void cab_allocs_emit (struct cab_memory *m);
/* How STMT allocates or releases; null: it does not. */
extern const struct cab_allocator *cab_allocator_of (gimple *stmt);
/* known.cc: the name of malloc or its kin if STMT calls something of its type through a pointer, else null.  Then: SEQ, which tells of CALL, goes before
   *GSI, which stays on its statement; it is executed if CALL leads there. */
extern const char *cab_known_name (gimple *stmt);
extern void cab_known_tell (gimple_stmt_iterator *gsi, gcall *call, gimple_seq seq);
/* TYPE as an M line has it, MANY of it or one; null: unknown; malloc'ed. */
extern char *cab_allocs_type_name (tree type, bool many);

/* locals.cc, with the option "locals", in this order: find variables of cfun that pointers may lead to, before regions are made; M lines; probes, when all
   others stand.  Dominators are known behind it.  Is one told to begin or end before STMT? */
extern void cab_locals_find (struct cab_memory *m);
extern void cab_locals_record (struct cab_memory *m);
extern void cab_locals_emit (struct cab_memory *m);
extern void cab_locals_free (struct cab_memory *m);
extern bool cab_local_told_before (gimple *stmt);

#endif
