/* loop_ranges.cc - where the code of source loops is: section .debug.cabprof_loops
   (cabprof/loops.h).
   SPDX-License-Identifier: GPL-3.0-or-later

   A note NOTE_INSN_DELETED_LABEL becomes a label in the assembler's text and the later
   passes ignore it: it does not change code. */
#include "plugin/loops/loops.h"
#include "plugin/loops/loop_ranges.h"
#include "plugin/loops/outcome_words.h"
#include "plugin/loops/loops_find.h"
#include "rtl.h"
#include "memmodel.h"
#include "emit-rtl.h"
#include "cfgrtl.h"
#include "cabprof/loops.h"

struct range
{
  int start, end;   /* numbers of labels */
  uint64_t key;
};

static vec<struct range> ranges;

/* Place a label before BEFORE or, if that is null, after AFTER, and return its number.  It is a
   note of the kind that the compiler leaves in place of a deleted label. */
static int
place_label (rtx_insn *before, rtx_insn *after)
{
  rtx_code_label *label = gen_label_rtx ();
  int number = CODE_LABEL_NUMBER (label);
  if (before)
    {
      emit_label_before (label, before);
      set_block_for_insn (label, NULL);   /* BEFORE is the head of its block */
    }
  else
    emit_label_after (label, after);
  PUT_CODE (label, NOTE);
  NOTE_KIND (label) = NOTE_INSN_DELETED_LABEL;
  NOTE_DELETED_LABEL_NAME (label) = NULL;
  return number;
}

/* Fill KEYS with the key of each loop's source loop, by the loop's number; 0 if none is known.  An
   unknown loop gets the key of the loop around it. */
static void
find_keys (vec<uint64_t> *keys)
{
  keys->safe_grow_cleared (number_of_loops (cfun));
  CAB_EACH_LOOP (loop)
    for (class loop *outer = loop; loop_depth (outer) && !(*keys)[loop->num];
	 outer = loop_outer (outer))
      {
	cab_loop_source source = cab_loops_identify (outer);
	if (!source.loops)
	  continue;
	(*keys)[loop->num] = cab_source_key (source.loops, &source.loops->loops[source.index]);
	cab_became_of (&source)->how |= CAB_BECAME_PRESENT;
      }
}

/* Return the key of BB, given the KEYS of loops; 0 if it belongs to no source loop.  Jump threading
   may give a loop a second entry; GCC then no longer knows it as a loop, but as an irreducible
   region. */
static uint64_t
key_of_block (basic_block bb, const vec<uint64_t> &keys)
{
  if (!(bb->flags & BB_IRREDUCIBLE_LOOP))
    return keys[bb->loop_father->num];
  cab_loop_source source = cab_loops_of_block (bb);
  if (!source.loops)
    return 0;
  cab_became_of (&source)->how |= CAB_BECAME_PRESENT;
  return cab_source_key (source.loops, &source.loops->loops[source.index]);
}

/* End the open range, if there is one, at LABEL. */
static void
close_range (int label)
{
  if (!ranges.is_empty () && !ranges.last ().end)
    ranges.last ().end = label;
}

static void
mark_blocks (const vec<uint64_t> &keys)
{
  basic_block bb, before = NULL;
  uint64_t open = 0;
  FOR_EACH_BB_FN (bb, cfun)
    {
      uint64_t key = key_of_block (bb, keys);
      /* The linker may put the cold part elsewhere, so no range spans both parts. */
      if (before && open && BB_PARTITION (bb) != BB_PARTITION (before))
	{
	  close_range (place_label (BB_HEAD (bb), NULL));
	  open = 0;
	}
      if (key != open)
	{
	  int label = place_label (NULL, bb_note (bb));
	  close_range (label);
	  if (key)
	    ranges.safe_push ({ label, 0, key });
	  open = key;
	}
      before = bb;
    }
  if (open)
    close_range (place_label (NULL, get_last_insn ()));
}

void
cab_ranges_mark (void)
{
  auto_vec<uint64_t> keys;
  loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  mark_irreducible_loops ();
  find_keys (&keys);
  if (TARGET_64BIT && !TARGET_X32)
    mark_blocks (keys);
  loop_optimizer_finalize ();
  free_dominance_info (CDI_DOMINATORS);
}

void
cab_ranges_write (FILE *out)
{
  if (!ranges.is_empty ())
    fprintf (out, "\t.section\t" CAB_LOOPS_SECTION ",\"\",@progbits\n");
  for (const struct range &r : ranges)
    fprintf (out, "\t.quad\t.L%d, .L%d, 0x%016llx\n", r.start, r.end, (unsigned long long) r.key);
  ranges.release ();
}
