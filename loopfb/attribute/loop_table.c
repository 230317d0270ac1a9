/* loop_table.c - see loop_table.h.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "loopfb/attribute/loop_table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/libiberty.h>
#include <libiberty/hashtab.h>
#include "analyses/binary/elf_section.h"
#include "cabprof/info.h"
#include "loopfb/formats/hints.h"

#define MOST_FIELDS 8

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
  memset (table, 0, sizeof *table);
}

/* A record that is being read, line by line. */
struct record
{
  const char *next;                 /* the line after the present one */
  const char *field[MOST_FIELDS];   /* of the present line */
  size_t length[MOST_FIELDS];
  int n_fields;
  const char **files;
  uint32_t n_files;
};

static bool
next_line (struct record *r)
{
  const char *p = r->next;
  if (!*p)
    return false;
  for (r->n_fields = 0; r->n_fields < MOST_FIELDS; p++)
    {
      size_t n = strcspn (p, "\t\n");
      r->field[r->n_fields] = p;
      r->length[r->n_fields++] = n;
      p += n;
      if (*p != '\t')
	break;
    }
  p += strcspn (p, "\n");
  r->next = *p ? p + 1 : p;
  return true;
}

static bool
is_line (const struct record *r, char letter, int n_fields)
{
  return r->length[0] == 1 && r->field[0][0] == letter && r->n_fields >= n_fields;
}

static const char *
text (struct cab_loop_table *table, const struct record *r, int i)
{
  return cab_names_unescape (&table->names, r->field[i], r->length[i]);
}

/* Read field I, which must be a number in base BASE and nothing else, into *TO. */
static bool
number (const struct record *r, int i, int base, uint32_t *to)
{
  uint64_t n = 0;
  size_t k = 0;
  for (; k < r->length[i] && n <= UINT32_MAX; k++)
    {
      char c = r->field[i][k];
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
      if (digit >= base)
	return false;
      n = n * base + digit;
    }
  *to = n;
  return k && k == r->length[i] && n <= UINT32_MAX;
}

/* Read field I, which is "file:line:column", where file is the number of a file. */
static bool
place (const struct record *r, int i, const char **file, uint32_t *line, uint32_t *column)
{
  unsigned f, l, c;
  char copy[64];
  int n = 0;
  if (r->length[i] >= sizeof copy)
    return false;
  memcpy (copy, r->field[i], r->length[i]);
  copy[r->length[i]] = 0;
  if (strspn (copy, "0123456789:") != r->length[i]
      || sscanf (copy, "%9u:%9u:%9u%n", &f, &l, &c, &n) != 3 || copy[n] || f >= r->n_files)
    return false;
  *file = r->files[f];
  *line = l;
  *column = c;
  return true;
}

/* Read the record's f lines, which come first. */
static void
read_files (struct cab_loop_table *table, struct record *r)
{
  struct record ahead = *r;
  while (next_line (&ahead))
    r->n_files += is_line (&ahead, 'f', 2);
  r->files = cab_names_zero (&table->names, r->n_files + 1, sizeof *r->files);
  uint32_t n = 0;
  for (ahead = *r; next_line (&ahead);)
    if (is_line (&ahead, 'f', 2))
      r->files[n++] = text (table, &ahead, 1);
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
read_loop (const struct record *r, struct cab_loop *loop, const uint32_t *numbers, uint32_t n)
{
  uint32_t parent = CAB_NO_LOOP;
  bool has_parent = r->length[5] != 1 || *r->field[5] != '-';
  if (!place (r, 1, &loop->file, &loop->line, &loop->column) || !number (r, 2, 10, &loop->ordinal)
      || !number (r, 3, 10, &loop->last_line) || !number (r, 4, 16, &loop->checksum)
      || !number (r, 6, 10, &loop->depth)
      || (has_parent && (!number (r, 5, 10, &parent) || parent >= n)))
    return false;
  loop->parent = has_parent ? numbers[parent] : CAB_NO_LOOP;
  loop->flags = (memchr (r->field[7], 'u', r->length[7]) ? CAB_LOOP_UNTOLD : 0)
	      | (memchr (r->field[7], 'm', r->length[7]) ? CAB_LOOP_MACRO : 0);
  loop->n_children = 0;
  loop->key = cab_loop_key (loop->function, loop->file, loop->line, loop->column, loop->ordinal);
  return true;
}

static bool
read_loops (struct cab_loop_table *table, struct record r)
{
  struct cab_loop loop = { .function = text (table, &r, 1), .name = text (table, &r, 2) };
  uint32_t n_lines = 0, n = 0;
  bool good = true;
  read_files (table, &r);
  for (struct record ahead = r; next_line (&ahead);)
    n_lines += is_line (&ahead, 'l', 8);
  uint32_t *numbers = XNEWVEC (uint32_t, n_lines + 1);
  while (good && next_line (&r))
    if (is_line (&r, 'l', 8) && (good = read_loop (&r, &loop, numbers, n)))
      numbers[n++] = add_loop (table, &loop);
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
read_outcomes (struct cab_loop_table *table, struct record r)
{
  const char *holder = text (table, &r, 1);
  bool good = true;
  read_files (table, &r);
  while (next_line (&r))
    if (is_line (&r, 'o', 5))
      {
	const char *file;
	uint32_t line, column, ordinal, loop = CAB_NO_LOOP;
	if (place (&r, 2, &file, &line, &column) && number (&r, 3, 10, &ordinal))
	  loop = cab_loop_table_find (
	    table, cab_loop_key (text (table, &r, 1), file, line, column, ordinal));
	if (loop == CAB_NO_LOOP)
	  good = false;
	else
	  add_outcome (table, holder, loop, text (table, &r, 4));
      }
  return good;
}

/* Call READ for all records of INFO with this LETTER. */
static void
read_records (struct cab_loop_table *table, struct cab_info *info, char letter, int n_fields,
	      bool (*read) (struct cab_loop_table *, struct record))
{
  uint64_t offset = 0, at = 0;
  for (char kind; (kind = cab_info_next (info, &offset, &at));)
    {
      struct record r = { .next = info->text + at + 1 };
      if (kind != letter)
	continue;
      if (!next_line (&r) || r.length[0] != 2 || r.field[0][1] != CAB_INFO_VERSION
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
