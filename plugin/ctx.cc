/* ctx.cc - statements that reach the thread's context, and the slow paths.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is read and written again goes through a register that holds the segment offset: on some processors a thread-local word that is
   bumped by way of a constant displacement alone is half as fast.  The counters' base is only read, which costs the same either
   way, and an instruction less without the register; so is the address of the ring's cursor.  The enqueue is one piece of inline assembly: the order of its
   loads and stores is what makes it safe against signal handlers and readable after a kill, and its cold part costs the function no register,
   as the gates preserve all of them.  */
#include "probe.h"

static tree counter_type, ctx_decl, count_decl;

tree
cab_word_type (void)
{
  return long_unsigned_type_node;
}

/* An unsigned long that nothing in the program can be: counters stay in registers through loops that store to other longs.  */
tree
cab_counter_type (void)
{
  if (!counter_type)
    {
      counter_type = cab_root (build_distinct_type_copy (long_unsigned_type_node));
      TYPE_ALIAS_SET (counter_type) = new_alias_set ();
    }
  return counter_type;
}

/* Code for a DSO finds the context by an offset.  So does what a link-time compilation adds: whether the units that it reads brought the
   context, their own options said.  */
static bool
by_offset (void)
{
  return in_lto_p || !cab_stub_direct_context ();
}

static tree
tls_decl (const char *name, tree type, enum tls_model model)
{
  tree decl = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), type);
  TREE_PUBLIC (decl) = 1;
  DECL_EXTERNAL (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_IGNORED_P (decl) = 1;
  TREE_USED (decl) = 1;
  TREE_ADDRESSABLE (decl) = 1;
  DECL_VISIBILITY (decl) = VISIBILITY_HIDDEN;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  set_decl_tls_model (decl, model);
  return cab_root (decl);
}

/* The word at OFFSET of the executable's context.  */
static tree
ctx_word (unsigned offset)
{
  tree type = build_qualified_type (cab_word_type (), TYPE_QUAL_VOLATILE);
  if (!ctx_decl)
    ctx_decl = tls_decl ("__cab_ctx", build_array_type_nelts (type, CAB_CTX_BYTES / 8), TLS_MODEL_INITIAL_EXEC);
  tree reference = build4 (ARRAY_REF, type, ctx_decl, size_int (offset / 8), NULL_TREE, NULL_TREE);
  TREE_THIS_VOLATILE (reference) = 1;
  TREE_SIDE_EFFECTS (reference) = 1;
  return reference;
}

/* A register as the dialect in force prints it lacks its % in Intel syntax; our text is AT&T's in both.  */
static const char *
sigil (void)
{
  return ix86_asm_dialect == ASM_INTEL ? "%%" : "";
}

/* Wrap TEXT, in which each @ stands for what a register operand needs in front, for the dialect.  */
static char *
dialect (const char *text)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  if (ix86_asm_dialect == ASM_INTEL)
    obstack_grow (&ob, ".att_syntax prefix\n\t", 20);
  for (const char *c = text; *c; c++)
    if (*c == '@' && c[1] == '%')
      obstack_grow (&ob, sigil (), strlen (sigil ()));
    else
      obstack_1grow (&ob, *c);
  if (ix86_asm_dialect == ASM_INTEL)
    obstack_grow (&ob, "\n\t.intel_syntax noprefix", 24);
  obstack_1grow (&ob, 0);
  char *result = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  return result;
}

static tree
operand (const char *constraint, tree value)
{
  return build_tree_list (build_tree_list (NULL_TREE, build_string (strlen (constraint), constraint)), value);
}

/* Append assembly TEXT to SEQ.  OUTPUTS and INPUTS are operands; the flags are always lost.  */
static void
add_asm (gimple_seq *seq, const char *text, vec<tree, va_gc> *outputs, vec<tree, va_gc> *inputs, bool is_volatile)
{
  vec<tree, va_gc> *clobbers = NULL;
  vec_safe_push (clobbers, build_tree_list (NULL_TREE, build_string (2, "cc")));
  char *string = dialect (text);
  gasm *stmt = gimple_build_asm_vec (ggc_strdup (string), inputs, outputs, clobbers, NULL);
  free (string);
  gimple_asm_set_volatile (stmt, is_volatile);
  gimple_asm_set_inline (stmt, true);
  for (unsigned i = 0; i < vec_safe_length (outputs); i++)
    SSA_NAME_DEF_STMT (TREE_VALUE ((*outputs)[i])) = stmt;
  gimple_seq_add_stmt (seq, stmt);
}

/* The register operand 0 gets the context's offset, or control goes to label 9.  */
static const char *
offset_text (void)
{
  return by_offset () ? "movq\t__cab_off(%%rip), @%0\n\ttestq\t@%0, @%0\n\tje\t9f\n\t" : "movq\t__cab_ctx@gottpoff(%%rip), @%0\n\t";
}

static tree
ctx_load_asm (gimple_seq *seq, unsigned offset, bool is_volatile)
{
  char text[200];
  snprintf (text, sizeof text, "%smovq\t%%%%fs:%u(@%%0), @%%0\n9:", offset_text (), offset);
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL;
  vec_safe_push (outputs, operand ("=r", result));
  add_asm (seq, text, outputs, NULL, is_volatile);
  return result;
}

tree
cab_ctx_load (gimple_seq *seq, unsigned offset)
{
  return by_offset () ? ctx_load_asm (seq, offset, true) : cab_build_load (seq, ctx_word (offset));
}

/* Always assembly: as a plain store the compiler keeps the context's offset in a saved register across calls, which costs a function that
   calls once more than the constant does (fib: 3.9 against 3.4 ns a call).  */
void
cab_ctx_store (gimple_seq *seq, unsigned offset, tree value)
{
  char text[200];
  snprintf (text, sizeof text, "%smovq\t@%%1, %%%%fs:%u(@%%0)\n9:", offset_text (), offset);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, operand ("r", value));
  add_asm (seq, text, outputs, inputs, true);
}

/* The biased base of the thread's counters.  It never changes once it is there, so it need not be volatile.  */
tree
cab_ctx_count_base (gimple_seq *seq)
{
  if (by_offset ())
    return ctx_load_asm (seq, offsetof (struct cab_ctx, count_base), false);
  if (!count_decl)
    count_decl = tls_decl ("__cab_count", cab_word_type (), TLS_MODEL_LOCAL_EXEC);
  return cab_build_load (seq, count_decl);
}

tree
cab_clock (gimple_seq *seq)
{
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL;
  vec_safe_push (outputs, operand ("=a", result));
  vec_safe_push (outputs, operand ("=d", make_ssa_name (cab_word_type ())));
  add_asm (seq, "rdtsc\n\tshlq\t$32, @%1\n\torq\t@%1, @%0", outputs, NULL, true);
  return result;
}

/* Call GATE with ARGUMENT; its value.  Only %rax is touched.  */
tree
cab_gate_value (gimple_seq *seq, const char *gate, tree argument)
{
  char text[200];
  snprintf (text, sizeof text, "leaq\t-128(%%%%rsp), %%%%rsp\n\tcall\t__cab_gate_%s\n\tleaq\t128(%%%%rsp), %%%%rsp", gate);
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand ("=a", result));
  vec_safe_push (inputs, operand ("0", argument));
  add_asm (seq, text, outputs, inputs, true);
  return result;
}

/* What the word that bears the tail mark means here: the event, and in *FOUND what this function leaves when it ends.  */
tree
cab_gate_tail (gimple_seq *seq, tree word, tree target, tree back, tree frame, tree *found)
{
  tree event = make_ssa_name (cab_word_type ());
  *found = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand ("=a", event));
  vec_safe_push (outputs, operand ("=r", *found));
  vec_safe_push (inputs, operand ("0", word));
  vec_safe_push (inputs, operand ("r", target));
  vec_safe_push (inputs, operand ("r", back));
  vec_safe_push (inputs, operand ("r", frame));
  add_asm (seq, "addq\t$-128, %%rsp\n\tpushq\t@%5\n\tpushq\t@%4\n\tpushq\t@%3\n\tpushq\t@%0\n\tpushq\t@%0\n\tmovq\t%%rsp, @%0\n\t"
	   "call\t__cab_gate_tail\n\tpopq\t@%0\n\tpopq\t@%1\n\taddq\t$152, %%rsp", outputs, inputs, true);
  return event;
}

#define GATE(label, name) \
  #label ":\taddq\t$-128, %%rsp\n\txchgq\t@%2, %%rax\n\tcall\t__cab_gate_" name "\n\txchgq\t@%2, %%rax\n\tsubq\t$-128, %%rsp\n\tjmp\t9b\n\t"

/* The register operand 0 gets the address of the ring's cursor, or control goes to label 2, or 9 where there is no context.  */
static const char *
cursor_text (void)
{
  return by_offset () ? "movq\t__cab_off(%%rip), @%0\n\ttestq\t@%0, @%0\n\tje\t9f\n\tmovq\t%%fs:8(@%0), @%0\n\ttestq\t@%0, @%0\n\tje\t2f\n"
		      : "movq\t%%fs:__cab_ctx@tpoff+8, @%0\n\ttestq\t@%0, @%0\n\tje\t2f\n";
}

/* The chunk ring's enqueue up to the stores of the event: operand 1 gets where these go, and the cursor is busy.  AGAIN: a handler came between the look at the
   cursor and the mark.  */
#define RESERVE \
  "4:\tmovq\t(@%0), @%1\n\tcmpq\t8(@%0), @%1\n\tjae\t2f\n\tmovb\t$0x80, 7(@%0)\n\tcmpl\t@%k1, (@%0)\n\tjne\t3f\n\t"
#define RESERVE_AGAIN "3:\tmovb\t$0, 7(@%0)\n\tjmp\t4b\n"

/* How an event, operand 2, comes into the ring whose cursor operand 0 tells of, up to label 9, and what is jumped to from there.  */
struct ring_text
{
  const char *quick, *slow;
};

static const struct ring_text chunk_text = {
  RESERVE
  "movq\t@%2, (@%1)\n\t"
  "addq\t$8, @%1\n\t"
  "movq\t@%1, (@%0)\n"
  "9:\n\t",
  RESERVE_AGAIN GATE (2, "event")
};

static const struct ring_text cab_text = {
  "movq\t(@%0), @%1\n\t"
  "testq\t@%1, @%1\n\tjle\t2f\n\t"
  "cmpq\t$0, (@%1)\n\tjne\t2f\n\t"
  "movq\t@%2, (@%1)\n\t"
  "addq\t$8, @%1\n\t"
  "movq\t@%1, (@%0)\n"
  "9:\n\t",
  GATE (2, "cab")
};

static const struct ring_text *
ring_text (void)
{
  return cab_opts.ring == CAB_RING_MODE_CAB ? &cab_text : &chunk_text;
}

static_assert (CAB_EV_ACCESS > CAB_EV_PATH, "an event of accesses is the path slot and something");
static_assert (offsetof (struct cab_ctx, cursor) == 8 && offsetof (struct cab_cursor, next) == 0 && offsetof (struct cab_cursor, limit) == 8
	       && CAB_CURSOR_BUSY == (uint64_t) CAB_CURSOR_BUSY_BYTE << 56 && CAB_CURSOR_BUSY_BYTE == 0x80, "the assembly knows these");

static void
enqueue (gimple_seq *seq, tree event, tree condition)
{
  const struct ring_text *ring = ring_text ();
  char *text = concat (condition ? "testq\t@%3, @%3\n\tje\t9f\n\t" : "", cursor_text (), ring->quick, ".subsection 1\n", ring->slow, ".previous", NULL);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, operand ("r", event));
  if (condition)
    vec_safe_push (inputs, operand ("r", condition));
  add_asm (seq, text, outputs, inputs, true);
  free (text);
}

/* Put EVENT into the thread's ring; the protocol is abi.h's.  */
void
cab_enqueue (gimple_seq *seq, tree event)
{
  enqueue (seq, event, NULL_TREE);
}

bool
cab_is_enqueue (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  return text && gimple_asm_ninputs (text) == 1 && strstr (gimple_asm_string (text), "__cab_gate_event\n");
}

void
cab_enqueue_if (gimple_seq *seq, tree event, tree condition)
{
  enqueue (seq, event, condition);
}

/* PART with its operands 0, 1 and 2 being %rcx, %rdx and %rax.  */
static void
put_fixed (struct obstack *ob, const char *part)
{
  static const char *const registers[] = { "%%rcx", "%%rdx", "%%rax" }, *const halves[] = { "%%ecx", "%%edx", "%%eax" };
  for (; *part; part++)
    if (*part == '@' && part[1] == '%')
      {
	bool half = part[2] == 'k';
	part += 2 + half;
	obstack_grow (ob, (half ? halves : registers)[*part - '0'], 5);
      }
    else
      obstack_1grow (ob, *part);
}

/* The hot path is a test: all else is aside, and finds its registers there.  Operand 0 is the numbers, 2 the slot.  */
tree
cab_enqueue_pack (gimple_seq *seq, tree numbers, tree slot, unsigned rest, unsigned HOST_WIDE_INT empty, bool full)
{
  char text[400];
  struct obstack ob;
  gcc_obstack_init (&ob);
  auto put = [&] () { obstack_grow (&ob, text, strlen (text)); };
  if (full)
    strcpy (text, "testl\t@%k0, @%k0\n\tjs\t5f\n8:\n\t");
  else
    sprintf (text, "cmpl\t$%u, @%%k0\n\tjne\t5f\n8:\n\t", (unsigned) empty);
  put ();
  sprintf (text, ".subsection 1\n5:\tshlq\t$%u, @%%0\n\tleaq\t%u(@%%0,@%%2), @%%0\n\tleaq\t-128(%%%%rsp), %%%%rsp\n\t"
	   "xchgq\t@%%0, %%%%rax\n\tpushq\t%%%%rcx\n\tpushq\t%%%%rdx\n\t", CAB_EV_PACK_SHIFT, rest);
  put ();
  put_fixed (&ob, cursor_text ());
  put_fixed (&ob, ring_text ()->quick);
  sprintf (text, "popq\t%%%%rdx\n\tpopq\t%%%%rcx\n\txchgq\t@%%0, %%%%rax\n\tleaq\t128(%%%%rsp), %%%%rsp\n\tmovl\t$%u, @%%k0\n\tjmp\t8b\n", (unsigned) empty);
  put ();
  put_fixed (&ob, ring_text ()->slow);
  obstack_grow0 (&ob, ".previous", 9);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  tree left = make_ssa_name (cab_word_type ());
  vec_safe_push (outputs, operand ("=r", left));
  vec_safe_push (inputs, operand ("0", numbers));
  vec_safe_push (inputs, operand ("r", slot));
  add_asm (seq, (char *) obstack_base (&ob), outputs, inputs, true);
  obstack_free (&ob, NULL);
  return left;
}

/* The same with the operands of what stays in registers: 0 is where the event goes, 1 the cursor.  */
#define TRY_HELD \
  "4:\tcmpq\t8(@%1), @%0\n\tjae\t2f\n\tmovb\t$0x80, 7(@%1)\n\tcmpl\t@%k0, (@%1)\n\tjne\t3f\n\tprefetchw\t1792(@%0)\n\t"
#define TRY_HELD_AGAIN "3:\tmovb\t$0, 7(@%1)\n\tmovq\t(@%1), @%0\n\tjmp\t4b\n"

/* Where there is no ring words of the context that are always 0 stand in for a cursor.  */
#define NO_CURSOR "movq\t%%fs:0, @%1\n\taddq\t$__cab_ctx@tpoff+96, @%1\n\t"
static_assert (offsetof (struct cab_ctx, zero) == 96, "the assembly knows this");

static const char load_cursor_text[] =
  "movq\t%%fs:__cab_ctx@tpoff+8, @%1\n\ttestq\t@%1, @%1\n\tje\t1f\n2:\tmovq\t(@%1), @%0\n\t.subsection 1\n1:\t" NO_CURSOR "jmp\t2b\n\t.previous";

bool
cab_cursor_lasts (void)
{
  return !by_offset ();
}

static tree
set_register (gimple_seq *seq, tree variable)
{
  tree value = make_ssa_name (cab_word_type ());
  gimple_seq_add_stmt (seq, gimple_build_assign (variable, value));
  return value;
}

void
cab_cursor_load (gimple_seq *seq, tree cursor, tree next)
{
  vec<tree, va_gc> *outputs = NULL;
  gimple_seq behind = NULL;
  vec_safe_push (outputs, operand ("=r", set_register (&behind, next)));
  vec_safe_push (outputs, operand ("=&r", set_register (&behind, cursor)));
  add_asm (seq, load_cursor_text, outputs, NULL, true);
  gimple_seq_add_seq (seq, behind);
}

/* The enqueue of a header, operand 4, and N raw words.  Operands 2 and 3 are 0 and 1 as they come.  The gate may have changed all.  */
static char *
held_text (unsigned n)
{
  struct obstack ob;
  char text[100];
  gcc_obstack_init (&ob);
  auto put = [&] () { obstack_grow (&ob, text, strlen (text)); };
  obstack_grow (&ob, TRY_HELD, strlen (TRY_HELD));
  for (unsigned i = 0; i <= n; i++)
    {
      sprintf (text, "movq\t@%%%u, %u(@%%0)\n\t", i + 4, 8 * i);
      put ();
    }
  sprintf (text, "addq\t$%u, @%%0\n\tmovq\t@%%0, (@%%1)\n9:\n\t.subsection 1\n", 8 * (n + 1));
  put ();
  obstack_grow (&ob, TRY_HELD_AGAIN, strlen (TRY_HELD_AGAIN));
  strcpy (text, "2:\taddq\t$-128, %%rsp\n\tpushq\t%%rax\n\t");
  put ();
  for (unsigned i = n + 1; i-- > 0;)
    {
      sprintf (text, "pushq\t@%%%u\n\t", i + 4);
      put ();
    }
  sprintf (text, "movq\t%%%%rsp, %%%%rax\n\tcall\t__cab_gate_words\n\taddq\t$%u, %%%%rsp\n\tpopq\t%%%%rax\n\tsubq\t$-128, %%%%rsp\n\t", 8 * (n + 1));
  put ();
  const char *found = "movq\t%%fs:__cab_ctx@tpoff+8, @%1\n\ttestq\t@%1, @%1\n\tjne\t1f\n\t" NO_CURSOR "1:\tmovq\t(@%1), @%0\n\tjmp\t9b\n\t.previous";
  obstack_grow0 (&ob, found, strlen (found));
  char *result = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  return result;
}

void
cab_enqueue_words_at (gimple_seq *seq, tree header, const vec<tree> &words, tree cursor, tree next)
{
  char *text = held_text (words.length ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  tree at = make_ssa_name (cab_word_type ()), ring = make_ssa_name (cab_word_type ());
  gimple_seq behind = NULL;
  gimple_seq_add_stmt (seq, gimple_build_assign (at, next));
  gimple_seq_add_stmt (seq, gimple_build_assign (ring, cursor));
  vec_safe_push (outputs, operand ("=&r", set_register (&behind, next)));
  vec_safe_push (outputs, operand ("=&r", set_register (&behind, cursor)));
  vec_safe_push (inputs, operand ("0", at));
  vec_safe_push (inputs, operand ("1", ring));
  vec_safe_push (inputs, operand ("r", header));
  for (tree word : words)
    vec_safe_push (inputs, operand ("r", word));
  add_asm (seq, text, outputs, inputs, true);
  gimple_seq_add_seq (seq, behind);
  free (text);
}

/* The enqueue of a header, operand 2, and N raw words, the first being operand 3; for the gate all are copied to the stack, below the red zone.  IN_ARRAY: operand 3 is
   the address of an array of them, 2 a register.  What lies 1,792 bytes ahead is fetched for writing.  */
static char *
words_text (unsigned n, bool in_array)
{
  struct obstack ob;
  char text[200];
  gcc_obstack_init (&ob);
  auto put = [&] () { obstack_grow (&ob, text, strlen (text)); };
  obstack_grow (&ob, RESERVE, strlen (RESERVE));
  strcpy (text, "prefetchw\t1792(@%1)\n\t");
  put ();
  for (unsigned i = 0; i <= n; i++)
    {
      if (in_array)
	sprintf (text, "movq\t%u(@%%3), @%%2\n\tmovq\t@%%2, %u(@%%1)\n\t", 8 * i, 8 * i);
      else
	sprintf (text, "movq\t@%%%u, %u(@%%1)\n\t", i + 2, 8 * i);
      put ();
    }
  sprintf (text, "addq\t$%u, @%%1\n\tmovq\t@%%1, (@%%0)\n9:\n\t.subsection 1\n", 8 * (n + 1));
  put ();
  obstack_grow (&ob, RESERVE_AGAIN, strlen (RESERVE_AGAIN));
  strcpy (text, "2:\taddq\t$-128, %%rsp\n\tpushq\t%%rax\n\t");
  put ();
  for (unsigned i = in_array ? 0 : n + 1; i-- > 0;)
    {
      sprintf (text, "pushq\t@%%%u\n\t", i + 2);
      put ();
    }
  strcpy (text, in_array ? "movq\t@%3, %%rax\n\tcall\t__cab_gate_words\n\t" : "movq\t%%rsp, %%rax\n\tcall\t__cab_gate_words\n\t");
  put ();
  if (!in_array)
    {
      sprintf (text, "addq\t$%u, %%%%rsp\n\t", 8 * (n + 1));
      put ();
    }
  strcpy (text, "popq\t%%rax\n\tsubq\t$-128, %%rsp\n\tjmp\t9b\n\t.previous");
  put ();
  obstack_1grow (&ob, 0);
  char *result = concat (cursor_text (), (char *) obstack_base (&ob), NULL);
  obstack_free (&ob, NULL);
  return result;
}

/* All general registers but those that the user keeps, a frame's pointer and that of a realigned stack's arguments; less the header and two of the text's own.  */
unsigned
cab_most_words (void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < FIRST_PSEUDO_REGISTER; i++)
    n += TEST_HARD_REG_BIT (reg_class_contents[GENERAL_REGS], i) && !fixed_regs[i];
  return MAX (n, 2 + 3) - 2 - 3;
}

void
cab_enqueue_words (gimple_seq *seq, tree header, const vec<tree> &words)
{
  gcc_assert (words.length () <= CAB_ACCESS_WORDS && cab_opts.ring == CAB_RING_MODE_CHUNK);
  char *text = words_text (words.length (), false);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, operand ("r", header));
  for (tree word : words)
    vec_safe_push (inputs, operand ("r", word));
  add_asm (seq, text, outputs, inputs, true);
  free (text);
}

void
cab_enqueue_array (gimple_seq *seq, tree header, const vec<tree> &words)
{
  gcc_assert (words.length () <= CAB_ACCESS_WORDS && cab_opts.ring == CAB_RING_MODE_CHUNK);
  tree array = create_tmp_var (build_array_type_nelts (cab_word_type (), words.length () + 1), "__cab_words");
  TREE_ADDRESSABLE (array) = 1;
  for (unsigned i = 0; i <= words.length (); i++)
    {
      tree element = build4 (ARRAY_REF, cab_word_type (), array, size_int (i), NULL_TREE, NULL_TREE);
      gimple_seq_add_stmt (seq, gimple_build_assign (element, i ? words[i - 1] : header));
    }
  char *text = words_text (words.length (), true);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  for (int i = 0; i < 3; i++)
    vec_safe_push (outputs, operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, operand ("r", build_fold_addr_expr (array)));
  vec_safe_push (inputs, operand ("m", array));
  add_asm (seq, text, outputs, inputs, true);
  free (text);
}

tree
cab_access_header (gimple_seq *seq, struct cab_row_desc *row, unsigned region, enum cab_access_form form, unsigned n_words)
{
  tree slot = cab_build_load (seq, cab_row_slot (row, offsetof (struct cab_row, path_slot)));
  uint64_t rest = (uint64_t) region << CAB_EV_REGION_SHIFT | (unsigned) form << CAB_EV_ACCESS_FORM_SHIFT | n_words << CAB_EV_WORDS_SHIFT
		  | (CAB_EV_ACCESS - CAB_EV_PATH);
  return cab_build_op (seq, PLUS_EXPR, slot, cab_u64 (rest));
}

void
cab_number_ensure (gimple_stmt_iterator *gsi, struct cab_row_desc *row)
{
  gimple_seq seq = NULL, cold = NULL;
  tree slot = cab_build_load (&seq, cab_row_slot (row, offsetof (struct cab_row, path_slot)));
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  cab_gate_value (&cold, "id", build_fold_addr_expr (row->row));
  cab_build_cold (gsi, EQ_EXPR, slot, cab_u64 (0), cold);
}

/* Pair AT of the counters, operand 1, begins anew; operand 0 becomes ctx.sample, which is 0 if this piece is not recorded.  */
static char *
reload_text (unsigned at)
{
  return xasprintf ("%smovq\t%%%%fs:%u(@%%0), @%%0\n9:\tsubq\t$1, @%%0\n\tmovq\t@%%0, %u(@%%1)\n\taddq\t$1, @%%0\n\tje\t8f\n\t"
		    "addq\t$1, %u(@%%1)\n8:", offset_text (), (unsigned) offsetof (struct cab_ctx, sample), 16 * at, 16 * at + 8);
}

static tree
piece (gimple_seq *seq, const char *text, const char *constraint, tree type, tree counters)
{
  tree result = make_ssa_name (type);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, operand (constraint, result));
  vec_safe_push (inputs, operand ("r", counters));
  add_asm (seq, text, outputs, inputs, true);
  return result;
}

tree
cab_piece_is_due (gimple_seq *seq, tree counters, unsigned at)
{
  char text[64];
  snprintf (text, sizeof text, "subq\t$1, %u(@%%1)", 16 * at);
  return piece (seq, text, "=@ccc", boolean_type_node, counters);
}

tree
cab_piece_begins (gimple_seq *seq, tree counters, unsigned at)
{
  char *text = reload_text (at);
  tree result = piece (seq, text, "=&r", cab_word_type (), counters);
  free (text);
  return result;
}

tree
cab_piece_decides (gimple_seq *seq, tree counters, unsigned at)
{
  char *reload = reload_text (at);
  char *text = xasprintf ("xorl\t@%%k0, @%%k0\n\tsubq\t$1, %u(@%%1)\n\tjc\t6f\n7:\n\t.subsection 1\n6:\t%s\tjmp\t7b\n\t.previous", 16 * at, reload);
  tree result = piece (seq, text, "=&r", cab_word_type (), counters);
  free (text);
  free (reload);
  return result;
}

/* Base + slot, if that is an address; else what the gate gives.  */
void
cab_counters_emit (gimple *anchor, struct cab_row_desc *row, tree variable)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (anchor);
  gimple_seq seq = NULL, cold = NULL;
  tree base = cab_ctx_count_base (&seq);
  tree slot = cab_build_load (&seq, cab_row_slot (row, offsetof (struct cab_row, count_slot)));
  tree sum = cab_build_op (&seq, PLUS_EXPR, base, slot);
  gimple_seq_add_stmt (&seq, gimple_build_assign (variable, NOP_EXPR, sum));
  tree sign = make_ssa_name (long_integer_type_node);
  gimple_seq_add_stmt (&seq, gimple_build_assign (sign, NOP_EXPR, sum));
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);

  tree given = cab_gate_value (&cold, "count", build_fold_addr_expr (row->row));
  gimple_seq_add_stmt (&cold, gimple_build_assign (variable, NOP_EXPR, given));
  cab_build_cold (&gsi, LE_EXPR, sign, build_zero_cst (long_integer_type_node), cold);
}
