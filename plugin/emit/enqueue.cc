/* enqueue.cc - code that stores events of one word in the ring.
   SPDX-License-Identifier: GPL-3.0-or-later

   An enqueue is one piece of inline assembly: the order of its loads and stores is what makes it
   safe against signal handlers and readable after a kill, and its cold part costs the function no
   register, as the gates preserve all of them. */
#include "plugin/emit/enqueue.h"
#include "plugin/emit/ctx.h"
#include "plugin/emit/options.h"

#define GATE(label, name, operand) \
  #label ":\taddq\t$-128, %%rsp" CAB_MOVED (128) "xchgq\t@%" #operand ", %%rax\n\t" \
  "call\t__cab_gate_" name "\n\t" \
  "xchgq\t@%" #operand ", %%rax\n\tsubq\t$-128, %%rsp" CAB_MOVED (-128) "jmp\t9b\n"

const char *
cab_cursor_text (void)
{
  return cab_ctx_by_offset () ? "movq\t__cab_off(%%rip), @%0\n\ttestq\t@%0, @%0\n\tje\t9f\n\t"
				"movq\t%%fs:8(@%0), @%0\n\ttestq\t@%0, @%0\n\tje\t2f\n"
			      : "movq\t%%fs:__cab_ctx@tpoff+8, @%0\n\t"
				"testq\t@%0, @%0\n\tje\t2f\n";
}

/* The assembly that stores an event in the ring whose cursor is at operand 0, up to label 9; and
   the slow part that it jumps to.  Its operands are N registers that it needs, then the event. */
struct ring_text
{
  unsigned n;
  const char *quick, *slow;
};

static const struct ring_text chunk_text = {
  2,
  CAB_RESERVE
  "movq\t@%2, (@%1)\n\t"
  "addq\t$8, @%1\n\t"
  "movq\t@%1, (@%0)\n"
  "9:\n\t",
  CAB_RESERVE_AGAIN GATE (2, "event", 2)
};

static const struct ring_text cab_text = {
  3,
  "movq\t(@%0), @%1\n\t"
  "testq\t@%1, @%1\n\tjle\t2f\n\t"
  "movq\t64(@%0), @%2\n\t"
  "cmpq\t@%2, (@%1)\n\tja\t2f\n\t"
  "movq\t@%3, (@%1)\n\t"
  "addq\t$8, @%1\n\t"
  "movq\t@%1, (@%0)\n"
  "9:\n\t",
  GATE (2, "cab", 3)
};

/* That of the chunk ring, without the mark. */
static const struct ring_text pipa_text = {
  2,
  "movq\t(@%0), @%1\n\t"
  "cmpq\t8(@%0), @%1\n\tjae\t2f\n\t"
  "movq\t@%2, (@%1)\n\t"
  "addq\t$8, @%1\n\t"
  "movq\t@%1, (@%0)\n"
  "9:\n\t",
  GATE (2, "event", 2)
};

static const struct ring_text *
ring_text (void)
{
  return cab_ring_mode_is_cab (cab_opts.ring)	 ? &cab_text
       : cab_opts.ring == CAB_RING_MODE_PIPA ? &pipa_text
					     : &chunk_text;
}

static_assert (CAB_EV_ACCESS > CAB_EV_PATH, "an event of accesses is the path slot and something");
static_assert (offsetof (struct cab_ctx, cursor) == 8 && offsetof (struct cab_cursor, next) == 0
	       && offsetof (struct cab_cursor, limit) == 8 && CAB_CURSOR_MOST == 64
	       && CAB_CURSOR_BUSY == (uint64_t) CAB_CURSOR_BUSY_BYTE << 56
	       && CAB_CURSOR_BUSY_BYTE == 0x80,
	       "the assembly knows these");

/* Append the store of EVENT.  What comes before it in the assembly is FRONT. */
static void
enqueue (gimple_seq *seq, const char *front, tree event, tree condition)
{
  const struct ring_text *ring = ring_text ();
  char *text = concat (front, cab_cursor_text (),
		       ring->quick, CAB_ASIDE (9, 6), ring->slow, CAB_ASIDE_END, NULL);
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  for (unsigned i = 0; i < ring->n; i++)
    vec_safe_push (outputs, cab_asm_operand ("=&r", make_ssa_name (cab_word_type ())));
  vec_safe_push (inputs, cab_asm_operand ("r", event));
  if (condition)
    vec_safe_push (inputs, cab_asm_operand ("r", condition));
  cab_asm_add (seq, text, outputs, inputs, true);
  free (text);
}

/* The ring's protocol is described in abi.h. */
void
cab_enqueue (gimple_seq *seq, tree event)
{
  enqueue (seq, "", event, NULL_TREE);
}

void
cab_enqueue_loop (gimple_seq *seq, tree event)
{
  enqueue (seq, CAB_QUIET_MARK, event, NULL_TREE);
}

bool
cab_is_quiet_probe (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  return text && strstr (gimple_asm_string (text), CAB_QUIET_MARK);
}

bool
cab_is_enqueue (gimple *stmt)
{
  gasm *text = dyn_cast<gasm *> (stmt);
  if (!text)
    return false;
  bool timed = cab_opts.events & CAB_EVENTS_TIME && gimple_asm_ninputs (text) == 2
	     && strstr (gimple_asm_string (text), "__cab_gate_words\n");
  return timed
      || (gimple_asm_ninputs (text) == 1
	  && strstr (gimple_asm_string (text), "__cab_gate_event\n"));
}

void
cab_enqueue_if (gimple_seq *seq, tree event, tree condition)
{
  enqueue (seq, ring_text ()->n == 2 ? "testq\t@%3, @%3\n\tje\t9f\n\t"
				    : "testq\t@%4, @%4\n\tje\t9f\n\t",
	   event, condition);
}

/* Append PART to OB with %rcx, %rdx and %rsi in place of its first N operands, and %rax in place of
   the next one. */
static void
put_fixed (struct obstack *ob, const char *part, unsigned n)
{
  const char *registers[] = { "%%rcx", "%%rdx", "%%rsi", "%%rax" };
  const char *halves[] = { "%%ecx", "%%edx", "%%esi", "%%eax" };
  registers[n] = "%%rax", halves[n] = "%%eax";
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

/* The hot path is a test; all else is aside, and saves the registers it needs there.  Operand 0 is
   the numbers, 2 the slot. */
tree
cab_enqueue_pack (gimple_seq *seq, tree numbers, tree slot, unsigned rest,
		  unsigned HOST_WIDE_INT empty, bool full)
{
  unsigned n = ring_text ()->n;
  bool needs_rsi = n > 2;
  char text[600];
  struct obstack ob;
  gcc_obstack_init (&ob);
  static const char aside[] = CAB_ASIDE (8, 7);
  auto put = [&] () { obstack_grow (&ob, text, strlen (text)); };
  if (full)
    strcpy (text, "testl\t@%k0, @%k0\n\tjs\t5f\n8:\n\t");
  else
    sprintf (text, "cmpl\t$%u, @%%k0\n\tjne\t5f\n8:\n\t", (unsigned) empty);
  put ();
  obstack_grow (&ob, aside, strlen (aside));
  sprintf (text, "5:\tshlq\t$%u, @%%0\n\tleaq\t%u(@%%0,@%%2), @%%0\n\t"
	   "leaq\t-128(%%%%rsp), %%%%rsp" CAB_MOVED (128) "xchgq\t@%%0, %%%%rax\n\t"
	   "pushq\t%%%%rcx" CAB_MOVED (8) "pushq\t%%%%rdx" CAB_MOVED (8) "%s",
	   CAB_EV_PACK_SHIFT, rest, needs_rsi ? "pushq\t%%rsi" CAB_MOVED (8) : "");
  put ();
  put_fixed (&ob, cab_cursor_text (), n);
  put_fixed (&ob, ring_text ()->quick, n);
  sprintf (text, "%spopq\t%%%%rdx" CAB_MOVED (-8) "popq\t%%%%rcx" CAB_MOVED (-8)
	   "xchgq\t@%%0, %%%%rax\n\tleaq\t128(%%%%rsp), %%%%rsp" CAB_MOVED (-128)
	   "movl\t$%u, @%%k0\n\tjmp\t8b\n\t.cfi_adjust_cfa_offset %d\n\t",
	   needs_rsi ? "popq\t%%rsi" CAB_MOVED (-8) : "", (unsigned) empty,
	   needs_rsi ? 152 : 144);
  put ();
  put_fixed (&ob, ring_text ()->slow, n);
  obstack_grow0 (&ob, CAB_ASIDE_END, strlen (CAB_ASIDE_END));
  vec<tree, va_gc> *outputs = NULL, *inputs = NULL;
  tree left = make_ssa_name (cab_word_type ());
  vec_safe_push (outputs, cab_asm_operand ("=r", left));
  vec_safe_push (inputs, cab_asm_operand ("0", numbers));
  vec_safe_push (inputs, cab_asm_operand ("r", slot));
  cab_asm_add (seq, (char *) obstack_base (&ob), outputs, inputs, true);
  obstack_free (&ob, NULL);
  return left;
}
