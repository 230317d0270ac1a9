/* ctx.cc - statements that reach the thread's context, and the slow paths.
   SPDX-License-Identifier: GPL-3.0-or-later

   A word that is read and written back goes through a register that holds the segment offset: on
   some processors a thread-local word that is incremented through a constant displacement alone is
   half as fast.  The counters' base and the address of the ring's cursor are only read, which costs
   the same either way, and one instruction less without the register. */
#include "plugin/emit/ctx.h"
#include "plugin/emit/build.h"
#include "plugin/emit/row.h"
#include "plugin/emit/root.h"
#include "plugin/emit/stub.h"
#include "debug.h"

static tree counter_type, ctx_decl, count_decl;

tree
cab_word_type (void)
{
  return long_unsigned_type_node;
}

/* An unsigned long that aliases nothing in the program, so that counters stay in registers through
   loops that store to other longs. */
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

/* Code for a DSO finds the context by an offset.  So does code that a link-time compilation adds:
   whether the units that it reads brought the context depended on their own options. */
bool
cab_ctx_by_offset (void)
{
  return in_lto_p || !cab_stub_direct_context ();
}

static tree
tls_decl (const char *name, tree type, enum tls_model model)
{
  tree decl = cab_root_hidden (name, type);
  set_decl_tls_model (decl, model);
  return decl;
}

/* Return a reference to the word at OFFSET of the executable's context. */
static tree
ctx_word (unsigned offset)
{
  tree type = build_qualified_type (cab_word_type (), TYPE_QUAL_VOLATILE);
  if (!ctx_decl)
    ctx_decl = tls_decl ("__cab_ctx", build_array_type_nelts (type, CAB_CTX_BYTES / 8),
			 TLS_MODEL_INITIAL_EXEC);
  tree reference = build4 (ARRAY_REF, type, ctx_decl, size_int (offset / 8), NULL_TREE, NULL_TREE);
  TREE_THIS_VOLATILE (reference) = 1;
  TREE_SIDE_EFFECTS (reference) = 1;
  return reference;
}

/* Return the prefix of a register operand: in Intel syntax the compiler prints registers without
   their %, while this text is AT&T's in both dialects. */
static const char *
sigil (void)
{
  return ix86_asm_dialect == ASM_INTEL ? "%%" : "";
}

/* Return true if C is a line that only the unwind table of code aside needs, and there is none. */
static bool
is_left_out (const char *c)
{
  return *c == '.' && (!strncmp (c, ".cfi_", 5) || !strncmp (c, ".p2align", 8))
      && !dwarf2out_do_cfi_asm ();
}

/* Return TEXT wrapped for the dialect in force; each @ in it stands for the prefix of a register
   operand. */
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
    else if (is_left_out (c))
      c = strchr (c, '\n');
    else
      obstack_1grow (&ob, *c);
  if (ix86_asm_dialect == ASM_INTEL)
    obstack_grow (&ob, "\n\t.intel_syntax noprefix", 24);
  obstack_1grow (&ob, 0);
  char *result = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  return result;
}

tree
cab_asm_operand (const char *constraint, tree value)
{
  tree string = build_string (strlen (constraint), constraint);
  return build_tree_list (build_tree_list (NULL_TREE, string), value);
}

void
cab_asm_add (gimple_seq *seq, const char *text, vec<tree, va_gc> *outputs,
	     vec<tree, va_gc> *inputs, bool is_volatile)
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

/* Return assembly that gives register operand 0 the context's offset, or jumps to label 9. */
static const char *
offset_text (void)
{
  return cab_ctx_by_offset () ? "movq\t__cab_off(%%rip), @%0\n\ttestq\t@%0, @%0\n\tje\t9f\n\t"
			      : "movq\t__cab_ctx@gottpoff(%%rip), @%0\n\t";
}

static tree
ctx_load_asm (gimple_seq *seq, unsigned offset, bool is_volatile)
{
  char text[200];
  snprintf (text, sizeof text, "%smovq\t%%%%fs:%u(@%%0), @%%0\n9:", offset_text (), offset);
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=r", result));
  cab_asm_add (seq, text, outputs, NULL, is_volatile);
  return result;
}

tree
cab_ctx_load (gimple_seq *seq, unsigned offset)
{
  return cab_ctx_by_offset () ? ctx_load_asm (seq, offset, true)
			      : cab_build_load (seq, ctx_word (offset));
}

/* Always assembly: for a plain store the compiler keeps the context's offset in a saved register
   across calls, which costs a function that calls once more than the constant does (fib: 3.9
   against 3.4 ns a call). */
void
cab_ctx_store (gimple_seq *seq, unsigned offset, tree value)
{
  char text[200];
  snprintf (text, sizeof text, "%smovq\t@%%1, %%%%fs:%u(@%%0)\n9:", offset_text (), offset);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, cab_asm_operand ("r", value));
  cab_asm_add (seq, text, outputs, inputs, true);
}

/* Append a load of the biased base of the thread's counters; return its value.  It never changes
   once it is set, so it need not be volatile. */
static tree
load_count_base (gimple_seq *seq)
{
  if (cab_ctx_by_offset ())
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
  vec_safe_push (outputs, cab_asm_operand ("=a", result));
  vec_safe_push (outputs, cab_asm_operand ("=d", make_ssa_name (cab_word_type ())));
  cab_asm_add (seq, CAB_QUIET_MARK "rdtsc\n\tshlq\t$32, @%1\n\torq\t@%1, @%0", outputs, NULL, true);
  return result;
}

/* Only %rax is touched. */
tree
cab_gate_value (gimple_seq *seq, const char *gate, tree argument)
{
  static const char before[] = "jmp\t2f\n9:\n" CAB_ASIDE (9, 5)
			       "2:\tleaq\t-128(%%rsp), %%rsp" CAB_MOVED (128) "call\t__cab_gate_";
  static const char after[] = "\n\tleaq\t128(%%rsp), %%rsp" CAB_MOVED (-128)
			      "jmp\t9b\n" CAB_ASIDE_END;
  char *text = concat (strcmp (gate, "id") ? "" : CAB_QUIET_MARK, before, gate, after, NULL);
  tree result = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=a", result));
  vec_safe_push (inputs, cab_asm_operand ("0", argument));
  cab_asm_add (seq, text, outputs, inputs, true);
  free (text);
  return result;
}

/* The gate interprets the word that bears the tail mark: it returns the event, and in *FOUND what
   this function restores when it ends. */
tree
cab_gate_tail (gimple_seq *seq, tree word, tree target, tree back, tree frame, tree *found)
{
  tree event = make_ssa_name (cab_word_type ());
  *found = make_ssa_name (cab_word_type ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=a", event));
  vec_safe_push (outputs, cab_asm_operand ("=r", *found));
  vec_safe_push (inputs, cab_asm_operand ("0", word));
  /* The text moves %rsp before it reads these; "l" stands for the other registers. */
  vec_safe_push (inputs, cab_asm_operand ("l", target));
  vec_safe_push (inputs, cab_asm_operand ("l", back));
  vec_safe_push (inputs, cab_asm_operand ("l", frame));
  static const char text[] =
    "jmp\t2f\n9:\n" CAB_ASIDE (9, 6) "2:\taddq\t$-128, %%rsp" CAB_MOVED (128)
    "pushq\t@%5" CAB_MOVED (8) "pushq\t@%4" CAB_MOVED (8) "pushq\t@%3" CAB_MOVED (8)
    "pushq\t@%0" CAB_MOVED (8) "pushq\t@%0" CAB_MOVED (8)
    "movq\t%%rsp, @%0\n\tcall\t__cab_gate_tail\n\tpopq\t@%0" CAB_MOVED (-8)
    "popq\t@%1" CAB_MOVED (-8) "addq\t$152, %%rsp" CAB_MOVED (-152) "jmp\t9b\n" CAB_ASIDE_END;
  cab_asm_add (seq, text, outputs, inputs, true);
  return event;
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

/* Return assembly that restarts pair AT of the counters, operand 1, and sets operand 0 to
   ctx.sample, which is 0 if this piece is not recorded. */
static char *
reload_text (unsigned at)
{
  return xasprintf ("%smovq\t%%%%fs:%u(@%%0), @%%0\n9:\tsubq\t$1, @%%0\n\t"
		    "movq\t@%%0, %u(@%%1)\n\taddq\t$1, @%%0\n\tje\t8f\n\t"
		    "addq\t$1, %u(@%%1)\n8:",
		    offset_text (), (unsigned) offsetof (struct cab_ctx, sample), 16 * at,
		    16 * at + 8);
}

static tree
piece (gimple_seq *seq, const char *text, const char *constraint, tree type, tree counters)
{
  tree result = make_ssa_name (type);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand (constraint, result));
  vec_safe_push (inputs, cab_asm_operand ("r", counters));
  cab_asm_add (seq, text, outputs, inputs, true);
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
  static const char aside[] = CAB_ASIDE (7, 7);
  char *reload = reload_text (at);
  char *text = xasprintf ("xorl\t@%%k0, @%%k0\n\tsubq\t$1, %u(@%%1)\n\tjc\t6f\n7:\n"
			  "%s6:\t%s\tjmp\t7b\n" CAB_ASIDE_END,
			  16 * at, aside, reload);
  tree result = piece (seq, text, "=&r", cab_word_type (), counters);
  free (text);
  free (reload);
  return result;
}

/* The address is base + slot, if that is a valid address; else the result of the gate. */
void
cab_counters_emit (gimple *anchor, struct cab_row_desc *row, tree variable)
{
  gimple_stmt_iterator gsi = gsi_for_stmt (anchor);
  gimple_seq seq = NULL, cold = NULL;
  tree base = load_count_base (&seq);
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
