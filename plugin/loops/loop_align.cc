/* loop_align.cc - see loop_align.h.
   SPDX-License-Identifier: GPL-3.0-or-later

   Blocks are known up to the pass "*free_cfg".  The directive for the assembler stands in front of
   the head's label, so in no block, and is put there once nobody looks at blocks any more.  It has
   to precede "shorten", which computes the length of each instruction.  "final" writes the place of
   assembly into its text, and BUILTINS_LOCATION is a place without a line. */
#include "plugin/loops/loop_align.h"
#include "plugin/loops/loops_find.h"
#include "plugin/loops/outcome_words.h"
#include "plugin/loops/trials.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"

struct head
{
  rtx_insn *label;
  unsigned bytes;
};

static vec<struct head> heads;   /* of the function that is compiled */

/* Add the head that begins with LABEL.  One of several loops is aligned as the strictest asks. */
static void
add_head (rtx_insn *label, unsigned bytes)
{
  for (struct head &head : heads)
    if (head.label == label)
      {
	head.bytes = MAX (head.bytes, bytes);
	return;
      }
  heads.safe_push ({ label, bytes });
}

/* Return the first block of LOOP in memory, of those that are not cold. */
static basic_block
first_block (class loop *loop)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    if (BB_PARTITION (bb) != BB_COLD_PARTITION && flow_bb_inside_loop_p (loop, bb))
      return bb;
  return NULL;
}

/* Find the head of LOOP, if a hint asks to align it. */
static void
find_head (class loop *loop)
{
  cab_loop_source source = cab_loops_identify (loop);
  unsigned bytes = source.loops ? cab_trial_align (&source) : 0;
  basic_block bb = bytes && optimize_loop_for_speed_p (loop) ? first_block (loop) : NULL;
  if (!bb || !LABEL_P (BB_HEAD (bb)))
    return;
  add_head (BB_HEAD (bb), bytes);
  cab_became_of (&source)->aligned = bytes;
}

void
cab_align_find (void)
{
  heads.truncate (0);
  if (!cab_became_marked (CAB_SOURCE_ALIGNED | CAB_SOURCE_TRIAL))
    return;
  loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  CAB_EACH_LOOP (loop)
    find_head (loop);
  loop_optimizer_finalize ();
  free_dominance_info (CDI_DOMINATORS);
}

static unsigned
align (void)
{
  char text[32];
  for (const struct head &head : heads)
    if (!head.label->deleted ())
      {
	sprintf (text, ".balign %u", head.bytes);
	rtx body = gen_rtx_ASM_INPUT_loc (VOIDmode, ggc_strdup (text), BUILTINS_LOCATION);
	emit_insn_before_noloc (body, head.label, NULL);
      }
  heads.truncate (0);
  return 0;
}

static const pass_data align_data =
{
  RTL_PASS, "cabprof_align", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0
};

class align_pass : public rtl_opt_pass
{
public:
  align_pass () : rtl_opt_pass (align_data, g) {}
  bool gate (function *) final override { return !heads.is_empty (); }
  unsigned int execute (function *) final override { return align (); }
};

void
cab_align_begin (const char *plugin)
{
  cab_add_pass (plugin, new align_pass, "mach", PASS_POS_INSERT_AFTER);
}
