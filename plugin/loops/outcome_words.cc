/* outcome_words.cc - writes what became of source loops as O1 records (info.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "plugin/emit/plugin.h"
#include "plugin/emit/record_text.h"
#include "plugin/emit/row.h"
#include "plugin/loops/loops.h"
#include "plugin/loops/outcome_words.h"
#include "plugin/loops/trials.h"
#include "cabprof/info.h"

static vec<struct cab_became> outcomes;   /* of the function that is watched */
static vec<char *> records;               /* of the functions that are done */

void
cab_became_begin (void)
{
  outcomes.truncate (0);
}

struct cab_became *
cab_became_of (const cab_loop_source *source)
{
  for (struct cab_became &known : outcomes)
    if (known.source.loops == source->loops && known.source.index == source->index)
      return &known;
  struct cab_became fresh = {};
  fresh.source = *source;
  outcomes.safe_push (fresh);
  return &outcomes.last ();
}

bool
cab_became_marked (unsigned flags)
{
  for (const struct cab_became &known : outcomes)
    if (known.source.loops->loops[known.source.index].flags & flags)
      return true;
  return false;
}

void
cab_became_all (unsigned how)
{
  for (struct cab_became &known : outcomes)
    known.how |= how;
}

static void
add_word (char *words, const char *word)
{
  if (*words)
    strcat (words, ",");
  strcat (words, word);
}

/* Add what became of the prefetches that a hint asks for to WORDS. */
static void
put_prefetches (const struct cab_became *b, char *words)
{
  char word[40];
  if (b->prefetched)
    sprintf (word, "prefetched:%u", b->prefetched), add_word (words, word);
  else if (cab_trial_prefetch (&b->source))
    sprintf (word, "noprefetch:%s", b->no_prefetch ? b->no_prefetch : "absent"),
      add_word (words, word);
}

/* Write the words for B into WORDS, which has room for all of them. */
static void
put_words (const struct cab_became *b, char *words)
{
  static const struct { unsigned bit; const char *word;
  } names[] = { { CAB_BECAME_PEELED, "peeled" },
		{ CAB_BECAME_VERSIONED, "versioned" },
		{ CAB_BECAME_SPLIT, "split" },
		{ CAB_BECAME_DISTRIBUTED, "distributed" },
		{ CAB_BECAME_INTERCHANGED, "interchanged" },
		{ CAB_BECAME_MEMSET, "memset" },
		{ CAB_BECAME_MEMCPY, "memcpy" },
		{ CAB_BECAME_MEMMOVE, "memmove" } };
  char number[40];
  *words = 0;
  if (b->unrolled)
    sprintf (number, "unrolled:%u", b->unrolled), add_word (words, number);
  if (b->vector_bytes)
    sprintf (number, "vector:%u", b->vector_bytes), add_word (words, number);
  for (const auto &name : names)
    if (b->how & name.bit)
      add_word (words, name.word);
  if (!*words)
    add_word (words, b->how & CAB_BECAME_PRESENT ? "scalar" : "gone");
  if (b->how & CAB_BECAME_REGISTERS && strcmp (words, "gone"))
    add_word (words, "registers");
  if (b->aligned)
    sprintf (number, "aligned:%u", b->aligned), add_word (words, number);
  put_prefetches (b, words);
  if (cab_untried (&b->source))
    add_word (words, "untried:"), strcat (words, cab_untried (&b->source));
  if (b->hinted)
    sprintf (number, "hinted:%u", b->hinted), add_word (words, number);
  if (b->why && !b->unrolled)
    sprintf (number, "why:%s", b->why), add_word (words, number);
  if (b->no_vector && !b->vector_bytes && b->how & CAB_BECAME_PRESENT)
    add_word (words, "novector:"), strcat (words, b->no_vector);
}

static void
put_outcome (struct obstack *ob, const struct cab_became *b, unsigned file)
{
  const cab_source_loop *loop = &b->source.loops->loops[b->source.index];
  char *origin = cab_escaped (b->source.loops->function);
  char words[320];
  put_words (b, words);
  cab_record_put (ob, "o\t%s\t%u:%d:%d\t%u\t%s\n", origin, file, loop->place.line,
		  loop->place.column, loop->ordinal, words);
  free (origin);
}

/* Keep what became of the loop that COPY has a hint for, and write the field that says which copy
   cfun is into FIELD. */
static void
end_copy (struct cab_copy *copy, const struct cab_tried *tried, char *field)
{
  char words[320];
  sprintf (field, "\t%d", (int) (copy - tried->copies.address ()));
  for (const struct cab_became &b : outcomes)
    if (copy->loop >= 0 && b.source.loops == tried->loops[copy->loop].loops
	&& b.source.index == tried->loops[copy->loop].index)
      {
	put_words (&b, words);
	copy->words = xstrdup (words);
      }
}

void
cab_became_end (void)
{
  struct obstack ob;
  auto_vec<const char *> files;
  auto_vec<unsigned> file_of;
  struct cab_tried *tried;
  char copy_field[16] = "";
  if (outcomes.is_empty () || cab_is_dispatcher (cfun->decl))
    return;
  struct cab_copy *copy = cab_copy_of (cfun->decl, &tried);
  if (copy)
    end_copy (copy, tried, copy_field);
  gcc_obstack_init (&ob);
  for (const struct cab_became &b : outcomes)
    file_of.safe_push (cab_record_file (&files, b.source.loops->loops[b.source.index].place.file));
  char *holder = cab_escaped (
    copy ? tried->symbol
	 : targetm.strip_name_encoding (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (cfun->decl))));
  cab_record_put (&ob, "%cO%c\t%s%s\n", CAB_INFO_MARK, CAB_INFO_VERSION, holder, copy_field);
  for (const char *file : files)
    {
      char *path = cab_source_name (file);
      cab_record_put (&ob, "f\t%s\n", path);
      free (path);
    }
  for (unsigned i = 0; i < outcomes.length (); i++)
    put_outcome (&ob, &outcomes[i], file_of[i]);
  obstack_1grow (&ob, 0);
  records.safe_push (xstrdup ((char *) obstack_base (&ob)));
  outcomes.truncate (0);
  obstack_free (&ob, NULL);
  free (holder);
}

void
cab_asm_text (FILE *out, const char *text)
{
  fputs ("\t.asciz\t\"", out);
  for (; *text; text++)
    if (ISALNUM (*text) || strchr (" _.,:;/()<>=+-*&[]~", *text))
      fputc (*text, out);
    else
      fprintf (out, "\\%03o", (unsigned char) *text);
  fputs ("\"\n", out);
}

void
cab_became_write (FILE *out)
{
  if (!records.is_empty ())
    fprintf (out, "\t.section\t" CAB_INFO_SECTION ",\"MS\",@progbits,1\n");
  for (char *text : records)
    {
      cab_asm_text (out, text);
      free (text);
    }
  records.release ();
}
