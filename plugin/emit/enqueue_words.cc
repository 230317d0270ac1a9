/* enqueue_words.cc - code that stores events with raw words after a header, those of accesses, in
   the ring.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/build.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/enqueue_words.h"
#include "plugin/emit/options.h"
#include "plugin/emit/row.h"
#include "plugin/emit/record_text.h"

/* Return FIRST, the contents of TEXT, and LAST as one string, malloc'ed.  TEXT is freed. */
static char *
finished (const char *first, struct obstack *text, const char *last)
{
  obstack_1grow (text, 0);
  char *result = concat (first, (char *) obstack_base (text), last, NULL);
  obstack_free (text, NULL);
  return result;
}

/* Append stores of the header and N raw words, which are operands from FIRST on, to the address in
   operand AT. */
static void
put_stores (struct obstack *text, unsigned n, unsigned first, unsigned at)
{
  for (unsigned i = 0; i <= n; i++)
    cab_record_put (text, "movq\t@%%%u, %u(@%%%u)\n\t", first + i, 8 * i, at);
}

/* With fewer words than these the code aside takes at most 64 bytes: 38, and 2 for each word.  With
   any number of words it takes less than 128. */
#define FEW_WORDS 9

/* Append the end of an enqueue: advance operand AT past the event, and store it in the cursor,
   operand CURSOR.  The code after it is aside, and begins with AGAIN. */
static void
put_end (struct obstack *text, unsigned n, unsigned at, unsigned cursor, bool is_few,
	 const char *again)
{
  static const char few[] = "9:\n" CAB_ASIDE (9, 6), many[] = "9:\n" CAB_ASIDE (9, 7);
  const char *aside = is_few ? few : many;
  cab_record_put (text, "addq\t$%u, @%%%u\n\tmovq\t@%%%u, (@%%%u)\n", 8 * (n + 1), at, at, cursor);
  obstack_grow (text, aside, strlen (aside));
  obstack_grow (text, again, strlen (again));
}

/* Append the call of the gate with the header and N raw words, operands from FIRST on, which are
   copied to the stack, below the red zone. */
static void
put_gate (struct obstack *text, unsigned n, unsigned first)
{
  cab_record_put (text, "2:\taddq\t$-128, %%%%rsp" CAB_MOVED (128) "pushq\t%%%%rax" CAB_MOVED (8));
  for (unsigned i = n + 1; i-- > 0;)
    cab_record_put (text, "pushq\t@%%%u" CAB_MOVED (8), first + i);
  cab_record_put (text, "movq\t%%%%rsp, %%%%rax\n\tcall\t__cab_gate_words\n\t"
		  "addq\t$%u, %%%%rsp" CAB_MOVED (-%u) "popq\t%%%%rax" CAB_MOVED (-8)
		  "subq\t$-128, %%%%rsp" CAB_MOVED (-128), 8 * (n + 1), 8 * (n + 1));
}

/* Append HEADER and WORDS to INPUTS as operands.  They are in registers other than %rsp, which
   put_gate moves before it reads them: GCC 15 replaces the address of a variable by %rsp itself. */
static void
push_event (vec<tree, va_gc> **inputs, tree header, const vec<tree> &words)
{
  vec_safe_push (*inputs, cab_asm_operand ("l", header));
  for (tree word : words)
    vec_safe_push (*inputs, cab_asm_operand ("l", word));
}

/* CAB_RESERVE with the operands of what stays in registers: 0 is where the event goes, 1 the
   cursor. */
#define TRY_HELD \
  "4:\tcmpq\t8(@%1), @%0\n\tjae\t2f\n\tmovb\t$0x80, 7(@%1)\n\t" \
  "cmpl\t@%k0, (@%1)\n\tjne\t3f\n\tprefetchw\t1792(@%0)\n\t"
#define TRY_HELD_AGAIN "3:\tmovb\t$0, 7(@%1)\n\tmovq\t(@%1), @%0\n\tjmp\t4b\n"

/* Where there is no ring, words of the context that are always 0 stand in for a cursor. */
#define NO_CURSOR "movq\t%%fs:0, @%1\n\taddq\t$__cab_ctx@tpoff+96, @%1\n\t"
static_assert (offsetof (struct cab_ctx, zero) == 96, "the assembly knows this");

static const char load_cursor_text[] =
  "movq\t%%fs:__cab_ctx@tpoff+8, @%1\n\ttestq\t@%1, @%1\n\tje\t1f\n2:\tmovq\t(@%1), @%0\n"
  CAB_ASIDE (2, 5) "1:\t" NO_CURSOR "jmp\t2b\n" CAB_ASIDE_END;

bool
cab_cursor_lasts (void)
{
  return !cab_ctx_by_offset ();
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
  vec_safe_push (outputs, cab_asm_operand ("=r", set_register (&behind, next)));
  vec_safe_push (outputs, cab_asm_operand ("=&r", set_register (&behind, cursor)));
  cab_asm_add (seq, load_cursor_text, outputs, NULL, true);
  gimple_seq_add_seq (seq, behind);
}

/* Return the enqueue of a header, operand 4, and N raw words.  Operands 2 and 3 are the incoming
   values of 0 and 1.  The gate may have changed all, so both are loaded again after it. */
static char *
held_text (unsigned n)
{
  static const char found[] =
    "movq\t%%fs:__cab_ctx@tpoff+8, @%1\n\ttestq\t@%1, @%1\n\tjne\t1f\n\t" NO_CURSOR
    "1:\tmovq\t(@%1), @%0\n\tjmp\t9b\n" CAB_ASIDE_END;
  struct obstack text;
  gcc_obstack_init (&text);
  put_stores (&text, n, 4, 0);
  put_end (&text, n, 0, 1, false, TRY_HELD_AGAIN);
  put_gate (&text, n, 4);
  return finished (TRY_HELD, &text, found);
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
  vec_safe_push (outputs, cab_asm_operand ("=&r", set_register (&behind, next)));
  vec_safe_push (outputs, cab_asm_operand ("=&r", set_register (&behind, cursor)));
  vec_safe_push (inputs, cab_asm_operand ("0", at));
  vec_safe_push (inputs, cab_asm_operand ("1", ring));
  push_event (&inputs, header, words);
  cab_asm_add (seq, text, outputs, inputs, true);
  gimple_seq_add_seq (seq, behind);
  free (text);
}

/* Counts all general registers except those that the user reserves, a frame pointer and an argument
   pointer of a realigned stack; less the header and two of the text's own. */
unsigned
cab_most_words (void)
{
  unsigned n = 0;
  for (unsigned i = 0; i < FIRST_PSEUDO_REGISTER; i++)
    n += TEST_HARD_REG_BIT (reg_class_contents[GENERAL_REGS], i) && !fixed_regs[i];
  return MAX (n, 2 + 3) - 2 - 3;
}

/* This also prefetches, for writing, what lies 1,792 bytes ahead. */
#define RESERVE_WORDS CAB_RESERVE "prefetchw\t1792(@%1)\n\t"

/* Return the enqueue of a header, operand 2, and N raw words, the first of which is operand 3. */
static char *
words_text (unsigned n)
{
  struct obstack text;
  gcc_obstack_init (&text);
  obstack_grow (&text, RESERVE_WORDS, strlen (RESERVE_WORDS));
  put_stores (&text, n, 2, 1);
  put_end (&text, n, 1, 0, n < FEW_WORDS, CAB_RESERVE_AGAIN);
  put_gate (&text, n, 2);
  return finished (cab_cursor_text (), &text, "jmp\t9b\n" CAB_ASIDE_END);
}

/* Return the enqueue of a header and N raw words that are in an array; operand 3 is its address,
   operand 2 a scratch register. */
static char *
array_text (unsigned n)
{
  struct obstack text;
  gcc_obstack_init (&text);
  obstack_grow (&text, RESERVE_WORDS, strlen (RESERVE_WORDS));
  for (unsigned i = 0; i <= n; i++)
    cab_record_put (&text, "movq\t%u(@%%3), @%%2\n\tmovq\t@%%2, %u(@%%1)\n\t", 8 * i, 8 * i);
  put_end (&text, n, 1, 0, true, CAB_RESERVE_AGAIN);
  cab_record_put (&text, "2:\taddq\t$-128, %%%%rsp" CAB_MOVED (128)
		  "pushq\t%%%%rax" CAB_MOVED (8) "movq\t@%%3, %%%%rax\n\tcall\t__cab_gate_words\n\t"
		  "popq\t%%%%rax" CAB_MOVED (-8) "subq\t$-128, %%%%rsp" CAB_MOVED (-128));
  return finished (cab_cursor_text (), &text, "jmp\t9b\n" CAB_ASIDE_END);
}

void
cab_enqueue_words (gimple_seq *seq, tree header, const vec<tree> &words)
{
  gcc_assert (words.length () <= CAB_ACCESS_WORDS && cab_opts.ring == CAB_RING_MODE_CHUNK);
  char *text = words_text (words.length ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  vec_safe_push (outputs, cab_asm_operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (outputs, cab_asm_operand ("=&r", make_ssa_name (cab_word_type ())));
  push_event (&inputs, header, words);
  cab_asm_add (seq, text, outputs, inputs, true);
  free (text);
}

void
cab_enqueue_timed (gimple_seq *seq, tree event)
{
  auto_vec<tree> words;
  words.safe_push (event);
  tree clock = cab_build_op (seq, LSHIFT_EXPR, cab_clock (seq),
			     build_int_cst (integer_type_node, CAB_EV_TIME_SHIFT));
  cab_enqueue_words (seq, cab_build_op (seq, PLUS_EXPR, clock, cab_u64 (CAB_EV_TIME)), words);
}

void
cab_enqueue_array (gimple_seq *seq, tree header, const vec<tree> &words)
{
  gcc_assert (words.length () <= CAB_ACCESS_WORDS && cab_opts.ring == CAB_RING_MODE_CHUNK);
  tree type = build_array_type_nelts (cab_word_type (), words.length () + 1);
  tree array = create_tmp_var (type, "__cab_words");
  TREE_ADDRESSABLE (array) = 1;
  for (unsigned i = 0; i <= words.length (); i++)
    {
      tree element = build4 (ARRAY_REF, cab_word_type (), array, size_int (i), NULL_TREE,
			     NULL_TREE);
      gimple_seq_add_stmt (seq, gimple_build_assign (element, i ? words[i - 1] : header));
    }
  char *text = array_text (words.length ());
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  for (int i = 0; i < 3; i++)
    vec_safe_push (outputs, cab_asm_operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, cab_asm_operand ("l", build_fold_addr_expr (array)));
  vec_safe_push (inputs, cab_asm_operand ("m", array));
  cab_asm_add (seq, text, outputs, inputs, true);
  free (text);
}

tree
cab_access_header (gimple_seq *seq, struct cab_row_desc *row, unsigned region,
		   enum cab_access_form form, unsigned n_words)
{
  tree slot = cab_build_load (seq, cab_row_slot (row, offsetof (struct cab_row, path_slot)));
  uint64_t rest = (uint64_t) region << CAB_EV_REGION_SHIFT
		| (unsigned) form << CAB_EV_ACCESS_FORM_SHIFT | n_words << CAB_EV_WORDS_SHIFT
		  | (CAB_EV_ACCESS - CAB_EV_PATH);
  return cab_build_op (seq, PLUS_EXPR, slot, cab_u64 (rest));
}
