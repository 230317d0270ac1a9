/* loop_table.c - see loop_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/attribute/loop_table.h"
#include "loopfb/attribute/loop_table_facts.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include <libiberty/hashtab.h>
#include "analyses/binary/elf_section.h"
#include "cabprof/info.h"
#include "loopfb/formats/hints.h"

/* An entry of the index: the loop that a key stands for. */
struct entry
{
  uint64_t key;
  uint32_t loop;
};

static hashval_t
hash_entry (const void *entry)
{
  return ((const struct entry *) entry)->key;
}

static int
same_entry (const void *a, const void *b)
{
  return ((const struct entry *) a)->key == ((const struct entry *) b)->key;
}

void
cab_loop_table_init (struct cab_loop_table *table)
{
  memset (table, 0, sizeof *table);
  cab_names_init (&table->names);
  table->index = htab_create (256, hash_entry, same_entry, NULL);
}

void
cab_loop_table_fini (struct cab_loop_table *table)
{
  if (!table->index)
    return;
  htab_delete (table->index);
  cab_names_fini (&table->names);
  free (table->loop);
  free (table->outcome);
  free (table->range);
  free (table->variable);
  free (table->callee);
  free (table->update);
  free (table->aggregate);
  free (table->function);
  free (table->own_loop);
  free (table->file);
  memset (table, 0, sizeof *table);
}

/* Return the number of the loop with the key of LOOP, which is added if it is new. */
static uint32_t
add_loop (struct cab_loop_table *table, const struct cab_loop *loop)
{
  struct entry wanted = { loop->key, table->n_loops };
  void **slot = htab_find_slot_with_hash (table->index, &wanted, hash_entry (&wanted), INSERT);
  if (*slot)
    return ((struct entry *) *slot)->loop;
  struct entry *entry = cab_names_zero (&table->names, 1, sizeof *entry);
  *entry = wanted;
  *slot = entry;
  if (!(table->n_loops & (table->n_loops - 1)))
    table->loop = xrealloc (table->loop,
			    (table->n_loops ? 2 * table->n_loops : 1) * sizeof *table->loop);
  table->loop[table->n_loops] = *loop;
  if (loop->parent != CAB_NO_LOOP)
    table->loop[loop->parent].n_children++;
  return table->n_loops++;
}

/* Read an l line into LOOP.  NUMBERS are the numbers in the table of the N loops before it. */
static bool
read_loop (const struct cab_loop_record *r, struct cab_loop *loop, const uint32_t *numbers,
	   uint32_t n)
{
  uint32_t parent = CAB_NO_LOOP;
  bool has_parent = r->length[5] != 1 || *r->field[5] != '-';
  if (!cab_loop_record_place (r, 1, &loop->file, &loop->line, &loop->column)
      || !cab_loop_record_number (r, 2, 10, &loop->ordinal)
      || !cab_loop_record_number (r, 3, 10, &loop->last_line)
      || !cab_loop_record_number (r, 4, 16, &loop->checksum)
      || !cab_loop_record_number (r, 6, 10, &loop->depth)
      || (has_parent && (!cab_loop_record_number (r, 5, 10, &parent) || parent >= n)))
    return false;
  loop->parent = has_parent ? numbers[parent] : CAB_NO_LOOP;
  loop->flags = (memchr (r->field[7], 'u', r->length[7]) ? CAB_LOOP_UNTOLD : 0)
	      | (memchr (r->field[7], 'm', r->length[7]) ? CAB_LOOP_MACRO : 0);
  loop->n_children = 0;
  loop->key = cab_loop_key (loop->function, loop->file, loop->line, loop->column, loop->ordinal);
  return true;
}

static bool
read_loops (struct cab_loop_table *table, struct cab_loop_record r)
{
  struct cab_loop loop = { .function = cab_loop_record_text (&table->names, &r, 1),
			   .name = cab_loop_record_text (&table->names, &r, 2) };
  uint32_t n_lines = 0, n = 0;
  bool good = true;
  cab_loop_record_files (&table->names, &r);
  for (struct cab_loop_record ahead = r; cab_loop_record_next (&ahead);)
    n_lines += cab_loop_record_is (&ahead, 'l', 8);
  uint32_t *numbers = XNEWVEC (uint32_t, n_lines + 1);
  for (struct cab_loop_record ahead = r; good && cab_loop_record_next (&ahead);)
    if (cab_loop_record_is (&ahead, 'l', 8) && (good = read_loop (&ahead, &loop, numbers, n)))
      numbers[n++] = add_loop (table, &loop);
  good = good && cab_loop_table_read_facts (table, r, loop.function, numbers, n);
  free (numbers);
  return good;
}

static void
add_outcome (struct cab_loop_table *table, const char *holder, uint32_t loop, const char *words)
{
  if (!(table->n_outcomes & (table->n_outcomes - 1)))
    table->outcome = xrealloc (table->outcome, (table->n_outcomes ? 2 * table->n_outcomes : 1)
						 * sizeof *table->outcome);
  table->outcome[table->n_outcomes++] = (struct cab_loop_outcome) { holder, loop, words };
}

static bool
read_outcomes (struct cab_loop_table *table, struct cab_loop_record r)
{
  const char *holder = cab_loop_record_text (&table->names, &r, 1);
  bool good = true;
  /* Of a function that trials have copied, the first copy is what it would be without them. */
  if (r.n_fields > 2 && strcmp (cab_loop_record_text (&table->names, &r, 2), "0"))
    return true;
  cab_loop_record_files (&table->names, &r);
  while (cab_loop_record_next (&r))
    if (cab_loop_record_is (&r, 'o', 5))
      {
	const char *file;
	uint32_t line, column, ordinal, loop = CAB_NO_LOOP;
	const char *origin = cab_loop_record_text (&table->names, &r, 1);
	if (cab_loop_record_place (&r, 2, &file, &line, &column)
	    && cab_loop_record_number (&r, 3, 10, &ordinal))
	  loop = cab_loop_table_find (table, cab_loop_key (origin, file, line, column, ordinal));
	if (loop == CAB_NO_LOOP)
	  good = false;
	else
	  add_outcome (table, holder, loop, cab_loop_record_text (&table->names, &r, 4));
      }
  return good;
}

/* Call READ for all records of INFO with this LETTER. */
static void
read_records (struct cab_loop_table *table, struct cab_info *info, char letter, int n_fields,
	      bool (*read) (struct cab_loop_table *, struct cab_loop_record))
{
  uint64_t offset = 0, at = 0;
  for (char kind; (kind = cab_info_next (info, &offset, &at));)
    {
      struct cab_loop_record r = { .next = info->text + at + 1 };
      if (kind != letter)
	continue;
      if (!cab_loop_record_next (&r) || r.length[0] != 2 || r.field[0][1] != CAB_INFO_VERSION
	  || r.n_fields < n_fields || !read (table, r))
	table->n_bad++;
    }
}

void
cab_loop_table_add_info (struct cab_loop_table *table, struct cab_info *info)
{
  read_records (table, info, 'L', 3, read_loops);
  read_records (table, info, 'O', 2, read_outcomes);
}

static int
compare_ranges (const void *a, const void *b)
{
  const struct cab_loop_range *x = a, *y = b;
  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/* Sort the ranges; where two overlap, the second begins at the end of the first. */
static void
settle_ranges (struct cab_loop_table *table)
{
  uint32_t n = 0;
  uint64_t end = 0;
  if (table->n_ranges)
    qsort (table->range, table->n_ranges, sizeof *table->range, compare_ranges);
  for (uint32_t i = 0; i < table->n_ranges; i++)
    {
      struct cab_loop_range range = table->range[i];
      if (range.start < end)
	range.start = end;
      if (range.start >= range.end)
	continue;
      table->range[n++] = range;
      end = range.end;
    }
  table->n_ranges = n;
}

static void
add_ranges (struct cab_loop_table *table, const char *path)
{
  struct cab_diag none;
  size_t bytes = 0;
  char *section = cab_elf_section (path, CAB_LOOPS_SECTION, &bytes, &none);
  uint32_t n = bytes / sizeof (struct cab_loop_range);
  if (!section)
    return;
  table->range = xrealloc (table->range, (table->n_ranges + (size_t) n + 1) * sizeof *table->range);
  for (uint32_t i = 0; i < n; i++)
    {
      struct cab_loop_range range;
      memcpy (&range, section + i * sizeof range, sizeof range);
      if (!range.start || range.start >= range.end)
	continue;
      if (cab_loop_table_find (table, range.key) == CAB_NO_LOOP)
	table->n_bad++;
      else
	table->range[table->n_ranges++] = range;
    }
  free (section);
  settle_ranges (table);
}

int
cab_loop_table_add_elf (struct cab_loop_table *table, const char *path, struct cab_diag *diag)
{
  struct cab_info info;
  if (cab_info_open_elf (&info, path, diag) < 0)
    return -1;
  cab_loop_table_add_info (table, &info);
  cab_info_close (&info);
  add_ranges (table, path);
  return 0;
}

uint32_t
cab_loop_table_find (const struct cab_loop_table *table, uint64_t key)
{
  struct entry wanted = { key, 0 };
  const struct entry *entry = htab_find_with_hash (table->index, &wanted, hash_entry (&wanted));
  return entry ? entry->loop : CAB_NO_LOOP;
}

uint32_t
cab_loop_table_at (const struct cab_loop_table *table, uint64_t address)
{
  uint32_t low = 0, high = table->n_ranges;
  while (low < high)
    {
      uint32_t middle = low + (high - low) / 2;
      if (table->range[middle].end <= address)
	low = middle + 1;
      else
	high = middle;
    }
  if (low == table->n_ranges || table->range[low].start > address)
    return CAB_NO_LOOP;
  return cab_loop_table_find (table, table->range[low].key);
}

/* Return true if one of the paths A and B is the end of the other, on the border of a component. */
static bool
same_file (const char *a, const char *b)
{
  return cab_hints_same_file (a, b);
}

static bool
is_on_line (const struct cab_loop *loop, const char *function, const char *file, uint32_t line)
{
  return loop->line <= line && line <= loop->last_line
      && (!function || !strcmp (loop->function, function)) && same_file (loop->file, file);
}

/* Return true if a loop inside LOOP is on the line.  Inner loops follow LOOP in the table. */
static bool
has_inner (const struct cab_loop_table *table, uint32_t loop, const char *function,
	   const char *file, uint32_t line)
{
  for (uint32_t i = loop + 1; i < table->n_loops; i++)
    {
      const struct cab_loop *inner = &table->loop[i];
      if (inner->depth <= table->loop[loop].depth
	  || strcmp (inner->function, table->loop[loop].function))
	break;
      if (is_on_line (inner, function, file, line))
	return true;
    }
  return false;
}

uint32_t
cab_loop_table_on_line (const struct cab_loop_table *table, const char *function, const char *file,
			uint32_t line, uint32_t *loop, uint32_t n)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < table->n_loops; i++)
    if (is_on_line (&table->loop[i], function, file, line)
	&& !has_inner (table, i, function, file, line))
      {
	if (found < n)
	  loop[found] = i;
	found++;
      }
  return found;
}

/* Return true if TEXT, a list separated by commas, holds the word of LENGTH bytes at WORD. */
static bool
has_word (const char *text, const char *word, size_t length)
{
  for (; *text; text += *text == ',')
    {
      size_t n = strcspn (text, ",");
      if (n == length && !memcmp (text, word, length))
	return true;
      text += n;
    }
  return false;
}

const char *
cab_loop_table_words (const struct cab_loop_table *table, uint32_t loop, char *to, size_t bytes)
{
  size_t end = 0;
  *to = 0;
  for (uint32_t i = 0; i < table->n_outcomes; i++)
    for (const char *word = table->outcome[i].loop == loop ? table->outcome[i].words : ""; *word;
	 word += *word == ',')
      {
	size_t n = strcspn (word, ",");
	if (n && end + n + 2 < bytes && !has_word (to, word, n))
	  end += sprintf (to + end, "%s%.*s", end ? "," : "", (int) n, word);
	word += n;
      }
  return to;
}
