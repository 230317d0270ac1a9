/* trial_text.cc - the data of trials (cabprof/trials.h), as the assembler's text.
   SPDX-License-Identifier: GPL-3.0-or-later

   It is written when all functions are done: only then is known which copies are equal.  Its names
   are local to the assembler's file. */
#include "plugin/loops/trial_text.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/outcome_words.h"
#include "cabprof/trials.h"

static const char turns_text[] =
#include "trials-text.h"
;

/* Give each copy its number in rounds, as TURNS: equal copies with a hint have that of the first
   one.  Return how many numbers there are. */
static unsigned
number_turns (const struct cab_tried *tried, vec<unsigned> *turns)
{
  unsigned n = 0;
  for (unsigned i = 0; i < tried->copies.length (); i++)
    {
      const struct cab_copy *copy = &tried->copies[i];
      unsigned turn = n;
      for (unsigned j = 0; copy->loop >= 0 && turn == n && j < i; j++)
	if (copy->hash == tried->copies[j].hash)
	  turn = (*turns)[j];
      turns->safe_push (turn);
      n += turn == n;
    }
  return n;
}

static void
put_loop (struct obstack *ob, const cab_loop_source *source)
{
  const cab_source_loop *loop = &source->loops->loops[source->index];
  char *function = cab_escaped (source->loops->function), *name = cab_escaped (source->loops->name),
       *file = cab_escaped (loop->place.file ? remap_debug_filename (loop->place.file) : "?");
  cab_record_put (ob, "l\t%s\t%s\t%d\t%d\t%u\t%08x\t%s\n", function, file, loop->place.line,
		  loop->place.column, loop->ordinal, loop->checksum, name);
  free (file);
  free (name);
  free (function);
}

static void
put_copy (struct obstack *ob, const struct cab_copy *copy, unsigned turn)
{
  char loop[16] = "-", vectorize[16] = "-";
  if (copy->loop >= 0)
    sprintf (loop, "%d", copy->loop);
  if (copy->vectorize >= 0)
    sprintf (vectorize, "%d", copy->vectorize);
  cab_record_put (ob, "v\t%s\t%u\t%s\t%u\t%u\t%u\t%016llx\t%s\n", loop, copy->unroll, vectorize,
		  copy->align, copy->prefetch, turn, (unsigned long long) copy->hash,
		  copy->counts ? "counts" : copy->words ? copy->words : "-");
}

/* Return the lines of TRIED for the file. */
static char *
lines_of (const struct cab_tried *tried, const vec<unsigned> &turns)
{
  struct obstack ob;
  gcc_obstack_init (&ob);
  char *symbol = cab_escaped (tried->symbol), *name = cab_escaped (tried->name),
       *file = cab_escaped (tried->file);
  cab_record_put (&ob, "f\t%s\t%s\t%s\t%d\t%d\n", symbol, name, file, tried->line,
		  BUILDING_GCC_MAJOR);
  for (const cab_loop_source &source : tried->loops)
    put_loop (&ob, &source);
  for (unsigned i = 0; i < tried->copies.length (); i++)
    put_copy (&ob, &tried->copies[i], turns[i]);
  obstack_1grow (&ob, 0);
  char *lines = xstrdup ((char *) obstack_base (&ob));
  obstack_free (&ob, NULL);
  free (file);
  free (name);
  free (symbol);
  return lines;
}

/* Write TRIED: struct cab_trial, what it points to, and the threads' turns. */
static void
write_trial (FILE *out, const struct cab_tried *tried)
{
  auto_vec<unsigned> turns;
  unsigned k = tried->number, n = number_turns (tried, &turns), n_loops = tried->loops.length ();
  char *lines = lines_of (tried, turns);
  fprintf (out,
	   "\t.section\t.tbss,\"awT\",@nobits\n\t.balign\t8\n.Lcab_turns_%u:\n\t.zero\t%u\n"
	   "\t.section\t.bss.cab_trials,\"aw\",@nobits\n\t.balign\t8\n.Lcab_loops_%u:\n"
	   "\t.zero\t%u\n"
	   "\t.section\t.data.rel.local.cab_trials,\"aw\",@progbits\n\t.balign\t8\n"
	   ".Lcab_trial_%u:\n\t.long\t%u, %u, 0, 0\n\t.quad\t0, 0, 0, %u, 0, 0, 0\n"
	   "\t.quad\t.Lcab_loops_%u, .Lcab_lines_%u, .Lcab_copies_%u\n.Lcab_copies_%u:\n",
	   k,
	   (unsigned) (sizeof (struct cab_turns) + n * sizeof (struct cab_trial_block)
		       + n_loops * sizeof (uint64_t) + CAB_TRIAL_COPIES),
	   k, (unsigned) (n_loops * sizeof (uint64_t)), k, n, n_loops, CAB_TRIAL_BLOCK, k, k, k, k);
  for (unsigned i = 0, next = 0; i < tried->copies.length (); i++)
    if (turns[i] == next)
      {
	if (tried->beside)
	  fprintf (out, "\t.quad\t%u\n", i);
	else
	  fprintf (out, "\t.quad\t%s\n", tried->copies[i].symbol);
	next++;
      }
  fprintf (out, "\t.section\t.rodata\n.Lcab_lines_%u:\n", k);
  cab_asm_text (out, lines);
  free (lines);
}

static_assert (offsetof (struct cab_trial, rows) == 24
	       && offsetof (struct cab_trial, iterations) == 72
	       && sizeof (struct cab_trial) == 96, "the text above lays it out");

void
cab_trials_write (FILE *out)
{
  bool intel = ix86_asm_dialect == ASM_INTEL;
  for (const struct cab_tried *tried : cab_trials_all ())
    write_trial (out, tried);
  fprintf (out, "%s\t.pushsection\t.text\n%s\t.popsection\n%s",
	   intel ? "\t.att_syntax prefix\n" : "", turns_text,
	   intel ? "\t.intel_syntax noprefix\n" : "");
  in_section = NULL;
}
