/* regions.c - see regions.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "regions_table.h"
#include <string.h>
#include "cabprof/abi.h"
#include "cabprof/analysis.h"

#define R_FIELDS 4
#define A_FIELDS 12
#define P_FIELDS 4

/* Field I, from character FROM on, as one of WORDS words. */
static bool
word (const struct cab_record_line *l, int i, size_t from, unsigned words, uint8_t *to)
{
  uint64_t n;
  if (l->length[i] < from || !cab_line_digits (l->field[i] + from, l->length[i] - from, CAB_ACCESS_WORDS, &n) || n >= words)
    return false;
  *to = n;
  return true;
}

static bool
is_dash (const struct cab_record_line *l, int i)
{
  return l->length[i] == 1 && *l->field[i] == '-';
}

/* How many accesses the line tells. */
static uint64_t
accesses_of (struct cab_record_line *l, char what)
{
  if (what == 'P' && cab_line_split (l, P_FIELDS)->n == P_FIELDS)
    return cab_line_runs (l->field[3], l->length[3]);
  return what == 'A';
}

/* How much of everything; false: more than there can be. */
static bool
measure (struct cab_regions *sizes, const char *text, size_t n)
{
  *sizes = (struct cab_regions) { 0 };
  for (struct cab_record_line l = cab_line_begin (text, n); cab_line_next (&l);)
    {
      char what = cab_line_letter (&l);
      uint64_t more = accesses_of (&l, what);
      if (more > CAB_ROW_ACCESSES_MAX - sizes->n_accesses)
	return false;
      sizes->n_accesses += more;
      sizes->n_regions += what == 'R';
      sizes->n_allocations += what == 'M';
      sizes->n_levels += what == 'N';
    }
  return true;
}

static size_t
bytes_of (const struct cab_regions *sizes)
{
  size_t columns = (sizes->n_accesses + CAB_REGION_SLACK) * CAB_REGION_COLUMN_BYTES;
  return sizeof *sizes + sizes->n_regions * sizeof (struct cab_region) + columns
	 + sizes->n_accesses * (sizeof (struct cab_region_access) + sizeof (struct cab_span))
	 + (sizes->n_levels ? sizes->n_accesses * (sizeof (struct cab_term) + sizeof (struct cab_nest_part)) : 0)
	 + cab_regions_most_ops (sizes) * sizeof (struct cab_nest_op);
}

size_t
cab_regions_bytes (const char *text, size_t n)
{
  struct cab_regions sizes;
  return measure (&sizes, text, n) ? bytes_of (&sizes) : sizeof sizes;
}

static struct cab_region *
region_at (const struct cab_regions *regions, uint64_t i)
{
  return (struct cab_region *) cab_regions_at (regions, i);
}

struct cab_region *
cab_regions_named (struct cab_regions *to, const struct cab_record_line *l, int i)
{
  uint64_t number;
  if (l->n <= i || !cab_line_number (l, i, UINT32_MAX, &number) || number >= to->n_regions || region_at (to, number)->words == UINT8_MAX)
    return NULL;
  return region_at (to, number);
}

/* R \t region \t words \t count */
static bool
parse_region (struct cab_regions *to, const struct cab_record_line *l)
{
  uint64_t i, words;
  if (l->n < R_FIELDS || !cab_line_number (l, 1, UINT32_MAX, &i) || i >= to->n_regions || !cab_line_number (l, 2, CAB_ACCESS_WORDS, &words))
    return false;
  struct cab_region *region = region_at (to, i);
  if (region->words != UINT8_MAX)
    return false;
  region->words = words;
  region->count = CAB_NO_WORD;
  region->is_nest = cab_line_is (l, 3, "nest");
  return region->is_nest || is_dash (l, 3) || word (l, 3, 0, words, &region->count);
}

/* A \t access \t region \t place \t flags \t bytes \t word \t offset \t step \t part \t loop \t name */
static bool
parse_access (struct cab_region_access *a, const struct cab_regions *to, const struct cab_region *region, const struct cab_record_line *l)
{
  uint64_t n, part;
  *a = (struct cab_region_access) {
    .word = CAB_NO_WORD, .step_word = CAB_NO_WORD, .bytes_word = CAB_NO_WORD, .value_word = CAB_NO_WORD
  };
  if (l->n < A_FIELDS - 1 || !cab_line_number (l, 1, UINT32_MAX, &n) || n >= to->n_accesses
      || !cab_line_number (l, 9, region->is_nest ? UINT32_MAX : UINT8_MAX, &part))
    return false;
  a->number = n;
  a->part = region->is_nest ? 0 : part;
  a->form = (cab_line_has (l, 4, 'r') ? CAB_ROW_READ : 0) | (cab_line_has (l, 4, 'w') ? CAB_ROW_WRITE : 0) | (cab_line_has (l, 4, 'g') ? CAB_ROW_RANGE : 0);
  if (!(a->form & (CAB_ROW_READ | CAB_ROW_WRITE)) || !cab_line_signed (l, 7, &a->offset))
    return false;
  if (a->form & CAB_ROW_RANGE ? !word (l, 5, 0, region->words, &a->bytes_word) : !cab_line_number (l, 5, UINT64_MAX, &a->bytes))
    return false;
  if (!is_dash (l, 6) && !word (l, 6, 0, region->words, &a->word))
    return false;
  if (region->is_nest)
    return !(a->form & CAB_ROW_RANGE);
  if (l->length[8] && *l->field[8] == 'w')
    return word (l, 8, 1, region->words, &a->step_word);
  return is_dash (l, 8) || cab_line_signed (l, 8, &a->step);
}

/* V \t word \t type, of A, the access before */
static bool
parse_value (struct cab_region_access *a, struct cab_region *region, const struct cab_record_line *l)
{
  static const char letters[] = "usfdb";
  const char *letter = l->n == 3 && l->length[2] ? strchr (letters, *l->field[2]) : NULL;
  if (!a || !letter || region->is_nest || region->count != CAB_NO_WORD || !word (l, 1, 0, region->words, &a->value_word))
    return false;
  a->value_type = (letter - letters + CAB_VALUE_UNSIGNED) | (cab_line_has (l, 2, 'w') ? CAB_VALUE_PART : 0) | (cab_line_has (l, 2, 'o') ? CAB_VALUE_BEFORE : 0);
  region->has_values = 1;
  return true;
}

/* How many accesses each region has, of A and P lines; false: not all have a region. */
static bool
count_accesses (struct cab_regions *to, const char *text, size_t n)
{
  struct cab_region *region;
  for (struct cab_record_line l = cab_line_begin (text, n); cab_line_next (&l);)
    {
      char what = cab_line_letter (&l);
      if (what != 'A' && what != 'P')
	continue;
      cab_line_split (&l, what == 'A' ? 3 : P_FIELDS);
      region = cab_regions_named (to, &l, what == 'A' ? 2 : 1);
      if (!region || (what == 'P' && l.n < P_FIELDS))
	return false;
      region->shape.n += what == 'A' ? 1 : cab_line_runs (l.field[3], l.length[3]);
    }
  return true;
}

/* The accesses of each region get their place: `n' counts up again while they are filled in. */
static void
place (struct cab_regions *to)
{
  uint32_t at = 0;
  for (uint32_t i = 0; i < to->n_regions; i++)
    {
      struct cab_region *region = region_at (to, i);
      region->first = at;
      at += region->shape.n;
      region->shape.n = 0;
    }
}

/* What was read of the A, P and V lines.  Until columns are made, that of forms says by which line an access of a number was told, and that of sites
   which one of the table it is. */
struct reading
{
  struct cab_regions *to;
  struct cab_region *region;           /* of the last access, or null */
  struct cab_region_access *access;
  struct cab_region_columns by_number;
};

/* The next access of REGION has NUMBER, told by a line with LETTER; null: there is one already. */
static struct cab_region_access *
next_access (struct reading *r, struct cab_region *region, uint64_t number, char letter)
{
  uint32_t at = region->first + region->shape.n;
  if (number >= r->to->n_accesses || r->by_number.form[number])
    return NULL;
  region->shape.n++;
  r->by_number.form[number] = letter;
  r->by_number.site[number] = at;
  r->region = region;
  r->access = (struct cab_region_access *) cab_regions_accesses (r->to) + at;
  return r->access;
}

static bool
can_have (const struct cab_region *region, uint8_t word)
{
  return word == CAB_NO_WORD || word < region->words;
}

/* Access NUMBER of REGION, one of several ways that it is on, is access OF. */
static bool
copy_access (struct reading *r, struct cab_region *region, uint64_t number, uint64_t of)
{
  if (of >= r->to->n_accesses || r->by_number.form[of] != 'A')
    return false;
  const struct cab_region_access *from = cab_regions_accesses (r->to) + r->by_number.site[of];
  struct cab_region_access *a = next_access (r, region, number, 'P');
  if (!a || !can_have (region, from->word) || !can_have (region, from->step_word) || !can_have (region, from->bytes_word)
      || !can_have (region, from->value_word))
    return false;
  *a = *from;
  a->number = number;
  region->has_values |= a->value_word != CAB_NO_WORD;
  return true;
}

/* P \t region \t access \t of */
static bool
parse_path (struct reading *r, const struct cab_record_line *l)
{
  uint64_t number;
  struct cab_region *region = cab_regions_named (r->to, l, 1);
  struct cab_line_run run;
  bool good = !region->is_nest && region->count == CAB_NO_WORD && cab_line_number (l, 2, UINT32_MAX, &number);
  for (const char *p = l->field[3], *end = p + l->length[3]; good && p < end;)
    {
      good = cab_line_run (&p, end, &run);
      for (uint32_t i = 0; good && i < run.n; i++)
	good = copy_access (r, region, number++, run.first + i);
    }
  return good;
}

static bool
parse_told (struct reading *r, const struct cab_record_line *l)
{
  struct cab_region_access a;
  struct cab_region *region = cab_regions_named (r->to, l, 2);
  if (!parse_access (&a, r->to, region, l) || !next_access (r, region, a.number, 'A'))
    return false;
  *r->access = a;
  return true;
}

static int
parse_accesses (struct cab_regions *to, const char *text, size_t n)
{
  struct reading r = { .to = to, .by_number = cab_region_columns (to) };
  bool good = true;
  for (struct cab_record_line l = cab_line_begin (text, n); good && cab_line_next (&l);)
    switch (cab_line_letter (&l))
      {
      case 'A': good = parse_told (&r, cab_line_split (&l, CAB_LINE_FIELDS)); break;
      case 'P': good = parse_path (&r, cab_line_split (&l, P_FIELDS)); break;
      case 'V': good = parse_value (r.access, r.region, cab_line_split (&l, CAB_LINE_FIELDS)); break;
      }
  return good ? 0 : -1;
}

static bool
has_nests (const struct cab_regions *to)
{
  for (uint32_t i = 0; i < to->n_regions; i++)
    if (region_at (to, i)->is_nest)
      return true;
  return to->n_levels > 0;
}

int
cab_regions_parse (struct cab_regions *to, const char *text, size_t n, uint32_t first)
{
  if (!measure (to, text, n))
    return -1;
  memset (to + 1, 0, bytes_of (to) - sizeof *to);
  to->first = first;
  for (uint32_t i = 0; i < to->n_regions; i++)
    region_at (to, i)->words = UINT8_MAX;
  for (struct cab_record_line l = cab_line_begin (text, n); cab_line_next (&l);)
    if (cab_line_letter (&l) == 'R' && !parse_region (to, cab_line_split (&l, R_FIELDS)))
      return -1;
  if (!count_accesses (to, text, n))
    return -1;
  place (to);
  if (parse_accesses (to, text, n) < 0)
    return -1;
  for (uint32_t i = 0; i < to->n_regions; i++)
    cab_region_shape (to, region_at (to, i));
  return has_nests (to) ? cab_regions_nests (to, text, n) : 0;
}
