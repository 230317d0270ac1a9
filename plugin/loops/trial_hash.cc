/* trial_hash.cc - a hash of a function's instructions, as they are about to become text.
   SPDX-License-Identifier: GPL-3.0-or-later

   Two functions get the same hash if their instructions differ in nothing but the names of labels
   and of constants.  Notes, places and guesses are not instructions. */
#include "plugin/loops/trial_hash.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"

struct hashing
{
  uint64_t hash;
  auto_vec<rtx> labels;   /* in the order in which they were met */
};

static void
add (struct hashing *h, uint64_t value)
{
  for (int i = 0; i < 8; i++, value >>= 8)
    h->hash = (h->hash ^ (value & 255)) * UINT64_C (1099511628211);
}

static void
add_text (struct hashing *h, const char *text)
{
  for (; text && *text; text++)
    h->hash = (h->hash ^ (unsigned char) *text) * UINT64_C (1099511628211);
  add (h, 0);
}

static void
add_label (struct hashing *h, rtx label)
{
  unsigned i = 0;
  while (i < h->labels.length () && h->labels[i] != label)
    i++;
  if (i == h->labels.length ())
    h->labels.safe_push (label);
  add (h, i);
}

static void add_rtx (struct hashing *h, rtx x);

static void
add_operand (struct hashing *h, rtx x, char kind, int i)
{
  switch (kind)
    {
    case 'e':
    case 'u':
      add_rtx (h, XEXP (x, i));
      break;
    case 'E':
    case 'V':
      add (h, XVEC (x, i) ? XVECLEN (x, i) : 0);
      for (int j = 0; XVEC (x, i) && j < XVECLEN (x, i); j++)
	add_rtx (h, XVECEXP (x, i, j));
      break;
    case 's':
    case 'S':
      add_text (h, XSTR (x, i));
      break;
    case 'i':
    case 'n':
      add (h, XINT (x, i));
      break;
    case 'w':
      add (h, XWINT (x, i));
      break;
    case 'r':
      add (h, REGNO (x));
      break;
    default:
      break;
    }
}

/* Add X.  Of a loop's place in the source, asm statements say something; it is left out. */
static void
add_rtx (struct hashing *h, rtx x)
{
  if (!x)
    {
      add (h, 0);
      return;
    }
  enum rtx_code code = GET_CODE (x);
  add (h, code << 8 | GET_MODE (x));
  if (code == LABEL_REF)
    add_label (h, label_ref_label (x));
  else if (code == CODE_LABEL)
    add_label (h, x);
  else if (code == SYMBOL_REF && CONSTANT_POOL_ADDRESS_P (x))
    add_rtx (h, get_pool_constant (x));
  else if (CONST_WIDE_INT_P (x))
    for (int i = 0; i < CONST_WIDE_INT_NUNITS (x); i++)
      add (h, CONST_WIDE_INT_ELT (x, i));
  else if (code == ASM_INPUT)
    add_text (h, XSTR (x, 0));
  else if (code == ASM_OPERANDS)
    {
      add_text (h, ASM_OPERANDS_TEMPLATE (x));
      add (h, ASM_OPERANDS_OUTPUT_IDX (x));
      for (int i = 0; i < ASM_OPERANDS_INPUT_LENGTH (x); i++)
	add_rtx (h, ASM_OPERANDS_INPUT (x, i));
      for (int i = 0; i < ASM_OPERANDS_LABEL_LENGTH (x); i++)
	add_rtx (h, ASM_OPERANDS_LABEL (x, i));
    }
  else
    for (int i = 0; i < GET_RTX_LENGTH (code); i++)
      add_operand (h, x, GET_RTX_FORMAT (code)[i], i);
}

static void
add_insn (struct hashing *h, rtx_insn *insn)
{
  if (LABEL_P (insn))
    {
      const align_flags align = label_to_alignment (insn);
      add_label (h, insn);
      for (const align_flags_tuple &level : align.levels)
	{
	  add (h, level.log);
	  add (h, level.maxskip);
	}
    }
  else if (JUMP_TABLE_DATA_P (insn) || NONDEBUG_INSN_P (insn))
    add_rtx (h, PATTERN (insn));
}

static unsigned
run_pass (void)
{
  struct cab_tried *tried;
  struct cab_copy *copy = cab_copy_of (cfun->decl, &tried);
  struct hashing h;
  h.hash = UINT64_C (14695981039346656037);
  for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
    add_insn (&h, insn);
  copy->hash = h.hash;
  return 0;
}

static const pass_data hash_data =
{
  RTL_PASS, "cabprof_hash", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class hash_pass : public rtl_opt_pass
{
public:
  hash_pass () : rtl_opt_pass (hash_data, g) {}
  bool
  gate (function *fn) final override
  {
    struct cab_tried *tried;
    return cab_copy_of (fn->decl, &tried) != NULL;
  }
  unsigned int execute (function *) final override { return run_pass (); }
};

opt_pass *
cab_trial_hash_pass (void)
{
  return new hash_pass;
}
