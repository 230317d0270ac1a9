/* regions.c - see regions.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "regions.h"
#include <stdbool.h>
#include <string.h>
#include "cabprof/analysis.h"
#include "cabprof/info.h"

#define MOST_FIELDS 12
#define R_FIELDS 4
#define A_FIELDS 12
#define SPANS_MOST 64   /* accesses of a region that has spans: they are sorted one by one */
#define N_FIELDS 8

/* A line of the record; its fields once it was split. */
struct line
{
  const char *text, *stop;    /* its characters end here */
  const char *next, *end;     /* where the next one begins; the record's end */
  const char *field[MOST_FIELDS];
  size_t length[MOST_FIELDS];
  int n;
};

static struct line
begin (const char *text, size_t n)
{
  const char *nul = memchr (text, 0, n);
  return (struct line) { .next = text, .end = nul ? nul : text + n };
}

/* Go to the next line; false at the end. */
static bool
next_line (struct line *l)
{
  if (l->next >= l->end)
    return false;
  const char *stop = memchr (l->next, '\n', l->end - l->next);
  l->text = l->next;
  l->stop = stop ? stop : l->end;
  l->next = l->stop + (l->stop < l->end);
  return true;
}

/* What the line tells of: its first field, if that is one letter. */
static char
letter (const struct line *l)
{
  return l->text < l->stop && (l->text + 1 == l->stop || l->text[1] == '\t') && *l->text != '\t' ? *l->text : 0;
}

/* Its fields, as many as there are room for: the last one ends at a tab, too. */
static const struct line *
split (struct line *l)
{
  const char *p = l->text;
  for (l->n = 0; l->n < MOST_FIELDS; p++)
    {
      const char *from = p;
      while (p < l->stop && *p != '\t')
	p++;
      l->field[l->n] = from;
      l->length[l->n++] = p - from;
      if (p == l->stop)
	break;
    }
  return l;
}

static bool
has (const struct line *l, int i, char c)
{
  return memchr (l->field[i], c, l->length[i]) != NULL;
}

/* The decimal number of N characters at P, up to MOST. */
static bool
digits (const char *p, size_t n, uint64_t most, uint64_t *to)
{
  uint64_t value = 0;
  for (size_t i = 0; i < n; i++)
    {
      unsigned digit = (unsigned char) p[i] - '0';
      if (digit > 9 || value > (most - digit) / 10 || digit > most)
	return false;
      value = value * 10 + digit;
    }
  *to = value;
  return n > 0;
}

static bool
number (const struct line *l, int i, uint64_t most, uint64_t *to)
{
  return digits (l->field[i], l->length[i], most, to);
}

static bool
signed_number (const struct line *l, int i, uint64_t *to)
{
  bool minus = l->length[i] && *l->field[i] == '-';
  bool good = digits (l->field[i] + minus, l->length[i] - minus, UINT64_MAX, to);
  *to = minus ? -*to : *to;
  return good;
}

/* Field I, from character FROM on, as one of WORDS words. */
static bool
word (const struct line *l, int i, size_t from, unsigned words, uint8_t *to)
{
  uint64_t n;
  if (l->length[i] < from || !digits (l->field[i] + from, l->length[i] - from, CAB_ACCESS_WORDS, &n) || n >= words)
    return false;
  *to = n;
  return true;
}

static bool
is_word (const struct line *l, int i, const char *text)
{
  return l->length[i] == strlen (text) && !memcmp (l->field[i], text, l->length[i]);
}

static bool
is_dash (const struct line *l, int i)
{
  return l->length[i] == 1 && *l->field[i] == '-';
}

static struct cab_regions
measure (const char *text, size_t n)
{
  struct cab_regions sizes = { 0 };
  for (struct line l = begin (text, n); next_line (&l);)
    {
      char what = letter (&l);
      sizes.n_regions += what == 'R';
      sizes.n_accesses += what == 'A';
      sizes.n_allocations += what == 'M';
      sizes.n_levels += what == 'N';
    }
  return sizes;
}

/* The columns of all accesses, in the order of the table. */
struct columns
{
  uint64_t *bytes, *offset;
  uint32_t *site;
  uint8_t *form, *word;
};
#define COLUMN_BYTES (2 * sizeof (uint64_t) + sizeof (uint32_t) + 2)

/* Room for as many as there are accesses. */
static struct cab_span *
spans_of (const struct cab_regions *to)
{
  return (struct cab_span *) (cab_regions_accesses (to) + to->n_accesses);
}

/* Operations that nests may have: those of the levels and their ends, and of rows. */
static size_t
most_ops (const struct cab_regions *to)
{
  return to->n_levels ? (size_t) 2 * to->n_levels + to->n_accesses : 0;
}

static struct columns
columns_of (const struct cab_regions *to)
{
  size_t n = to->n_accesses + CAB_REGION_SLACK;
  struct columns c = { .bytes = (uint64_t *) (cab_regions_parts (to) + (to->n_levels ? to->n_accesses : 0)) };
  c.offset = c.bytes + n;
  c.site = (uint32_t *) (c.offset + n);
  c.form = (uint8_t *) (c.site + n);
  c.word = c.form + n;
  return c;
}

size_t
cab_regions_bytes (const char *text, size_t n)
{
  struct cab_regions sizes = measure (text, n);
  size_t columns = (sizes.n_accesses + CAB_REGION_SLACK) * COLUMN_BYTES;
  return sizeof sizes + sizes.n_regions * sizeof (struct cab_region) + columns
	 + sizes.n_accesses * (sizeof (struct cab_region_access) + sizeof (struct cab_span))
	 + (sizes.n_levels ? sizes.n_accesses * (sizeof (struct cab_term) + sizeof (struct cab_nest_part)) : 0)
	 + most_ops (&sizes) * sizeof (struct cab_nest_op);
}

static struct cab_region *
region_at (const struct cab_regions *regions, uint64_t i)
{
  return (struct cab_region *) cab_regions_at (regions, i);
}

/* R \t region \t words \t count */
static bool
parse_region (struct cab_regions *to, const struct line *l)
{
  uint64_t i, words;
  if (l->n < R_FIELDS || !number (l, 1, UINT32_MAX, &i) || i >= to->n_regions || !number (l, 2, CAB_ACCESS_WORDS, &words))
    return false;
  struct cab_region *region = region_at (to, i);
  if (region->words != UINT8_MAX)
    return false;
  region->words = words;
  region->count = CAB_NO_WORD;
  region->is_nest = is_word (l, 3, "nest");
  return region->is_nest || is_dash (l, 3) || word (l, 3, 0, words, &region->count);
}

/* The region of an A line; null if there is none such. */
static struct cab_region *
region_of (struct cab_regions *to, const struct line *l)
{
  uint64_t i;
  if (l->n < A_FIELDS - 1 || !number (l, 2, UINT32_MAX, &i) || i >= to->n_regions || region_at (to, i)->words == UINT8_MAX)
    return NULL;
  return region_at (to, i);
}

/* A \t access \t region \t place \t flags \t bytes \t word \t offset \t step \t part \t loop \t name */
static bool
parse_access (struct cab_region_access *a, const struct cab_regions *to, const struct cab_region *region, const struct line *l)
{
  uint64_t n, part;
  *a = (struct cab_region_access) {
    .word = CAB_NO_WORD, .step_word = CAB_NO_WORD, .bytes_word = CAB_NO_WORD, .value_word = CAB_NO_WORD
  };
  if (!number (l, 1, UINT32_MAX, &n) || n >= to->n_accesses || !number (l, 9, region->is_nest ? UINT32_MAX : UINT8_MAX, &part))
    return false;
  a->number = n;
  a->part = region->is_nest ? 0 : part;
  a->form = (has (l, 4, 'r') ? CAB_ROW_READ : 0) | (has (l, 4, 'w') ? CAB_ROW_WRITE : 0) | (has (l, 4, 'g') ? CAB_ROW_RANGE : 0);
  if (!(a->form & (CAB_ROW_READ | CAB_ROW_WRITE)) || !signed_number (l, 7, &a->offset))
    return false;
  if (a->form & CAB_ROW_RANGE ? !word (l, 5, 0, region->words, &a->bytes_word) : !number (l, 5, UINT64_MAX, &a->bytes))
    return false;
  if (!is_dash (l, 6) && !word (l, 6, 0, region->words, &a->word))
    return false;
  if (region->is_nest)
    return !(a->form & CAB_ROW_RANGE);
  if (l->length[8] && *l->field[8] == 'w')
    return word (l, 8, 1, region->words, &a->step_word);
  return is_dash (l, 8) || signed_number (l, 8, &a->step);
}

/* V \t word \t type, of A, the access before */
static bool
parse_value (struct cab_region_access *a, struct cab_region *region, const struct line *l)
{
  static const char letters[] = "usfdb";
  const char *letter = l->n == 3 && l->length[2] ? strchr (letters, *l->field[2]) : NULL;
  if (!a || !letter || region->is_nest || region->count != CAB_NO_WORD || !word (l, 1, 0, region->words, &a->value_word))
    return false;
  a->value_type = (letter - letters + CAB_VALUE_UNSIGNED) | (has (l, 2, 'w') ? CAB_VALUE_PART : 0) | (has (l, 2, 'o') ? CAB_VALUE_BEFORE : 0);
  region->has_values = 1;
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

/* The bytes of an access. */
static struct cab_span
span_of (const struct cab_region_access *a)
{
  return (struct cab_span) { a->offset, a->bytes > UINT32_MAX ? UINT32_MAX : a->bytes - (a->bytes > 0), a->word };
}

/* Does A come behind B, by word and offset? */
static bool
is_behind (const struct cab_span *a, const struct cab_span *b)
{
  return a->word != b->word ? a->word > b->word : (int64_t) a->offset > (int64_t) b->offset;
}

/* Make SPAN longer, so that NEXT, which does not come before it, lies within; false: it would be too long. */
static bool
takes_in (struct cab_span *span, const struct cab_span *next)
{
  uint64_t distance = next->offset - span->offset;
  if (span->word != next->word || distance >= CAB_SPAN_BYTES || next->last >= CAB_SPAN_BYTES - distance)
    return false;
  span->last = span->last > distance + next->last ? span->last : distance + next->last;
  return true;
}

/* The spans of REGION. */
static void
span_region (const struct cab_regions *to, struct cab_region *region)
{
  struct cab_span *span = spans_of (to) + region->first;
  uint32_t n = region->shape.n, last = 0;
  region->span = span;
  if (n == 0 || n > SPANS_MOST)
    return;
  for (uint32_t k = 0; k < n; k++)
    {
      struct cab_span next = span_of (region->access + k);
      uint32_t at = k;
      for (; at > 0 && is_behind (span + at - 1, &next); at--)
	span[at] = span[at - 1];
      span[at] = next;
    }
  for (uint32_t k = 1; k < n; k++)
    if (!takes_in (span + last, span + k))
      span[++last] = span[k];
  region->n_spans = last + 1;
}

static bool
is_range (const struct cab_region_access *a)
{
  return a->form & CAB_ROW_RANGE;
}

/* Access A of REGION is row AT of the columns. */
static void
put_column (const struct cab_regions *to, const struct cab_region_access *a, uint32_t at)
{
  struct columns c = columns_of (to);
  c.bytes[at] = a->bytes;
  c.offset[at] = a->offset;
  c.site[at] = to->first + a->number;
  c.form[at] = a->form;
  c.word[at] = a->word;
}

/* The columns of REGION, ranges last; how many are none. */
static uint32_t
put_columns (const struct cab_regions *to, const struct cab_region *region)
{
  uint32_t at = region->first, n_fixed;
  for (uint32_t k = 0; k < region->shape.n; k++)
    if (!is_range (region->access + k))
      put_column (to, region->access + k, at++);
  n_fixed = at - region->first;
  for (uint32_t k = 0; k < region->shape.n; k++)
    if (is_range (region->access + k))
      put_column (to, region->access + k, at++);
  return n_fixed;
}

static bool
has_words (const struct cab_region *region)
{
  bool all = true;
  for (uint32_t k = 0; k < region->shape.n; k++)
    all &= region->access[k].word != CAB_NO_WORD;
  return all;
}

/* Its columns, and what a decoder wants to see at once; all accesses are there. */
static void
shape_region (const struct cab_regions *to, uint32_t i)
{
  struct cab_region *region = region_at (to, i);
  struct columns c = columns_of (to);
  uint32_t at = region->first, n = region->shape.n;
  uint32_t header = (uint32_t) region->words << CAB_EV_WORDS_SHIFT | CAB_ACCESS_REGION << CAB_EV_ACCESS_FORM_SHIFT | CAB_EV_ACCESS;
  region->access = cab_regions_accesses (to) + at;
  uint32_t n_fixed = put_columns (to, region);
  bool single = region->count == CAB_NO_WORD, has_shape = n && n_fixed == n && !region->is_nest;
  region->shape = (struct cab_shape) { has_shape ? to->first + at : 0, n, c.site + at, c.form + at, c.bytes + at };
  region->fixed = region->shape;
  region->fixed.id = n_fixed ? to->first + at : 0;
  region->fixed.n = n_fixed;
  region->offset = c.offset + at;
  region->word = c.word + at;
  region->told = has_shape ? header : UINT32_MAX;
  region->ranged = n_fixed < n && single && !region->is_nest ? header : UINT32_MAX;
  region->header = single && has_words (region) ? region->told : UINT32_MAX;
  span_region (to, region);
}

/* The A lines, and V lines behind them.  No number stands in two of them: the column of forms says which were there, until it gets its own. */
static int
parse_accesses (struct cab_regions *to, const char *text, size_t n)
{
  struct columns c = columns_of (to);
  struct cab_region *region = NULL;
  struct cab_region_access *access = NULL;
  for (struct line l = begin (text, n); next_line (&l);)
    if (letter (&l) == 'A')
      {
	region = region_of (to, split (&l));
	access = (struct cab_region_access *) cab_regions_accesses (to) + region->first + region->shape.n++;
	if (!parse_access (access, to, region, &l) || c.form[access->number]++)
	  return -1;
      }
    else if (letter (&l) == 'V' && !parse_value (access, region, split (&l)))
      return -1;
  return 0;
}

static struct cab_field
field (const struct line *l, int i)
{
  return (struct cab_field) { l->field[i], l->length[i] };
}

/* The lines of the nests, one after the other. */
struct nests
{
  struct cab_regions *to;
  struct cab_region *region;   /* whose lines these are, or null */
  uint32_t n_accesses, n_ops;
  struct cab_nest nest;
};

static struct cab_nest_part *
part_at (const struct nests *n, uint32_t access)
{
  return (struct cab_nest_part *) cab_regions_parts (n->to) + access;
}

/* Make PART of OP, rows or a leaf; false: it would need too many words. */
static bool
make_part (const struct nests *n, struct cab_nest_part *part, const struct cab_nest_op *op)
{
  return cab_nest_part (part, op, cab_regions_terms (n->to) + op->first, (struct cab_region_access *) cab_regions_accesses (n->to) + op->first);
}

/* The rows of OP become a part, or the nest has none. */
static void
part_rows (struct nests *n, const struct cab_nest_op *op)
{
  struct cab_nest_part *part = part_at (n, op->first);
  n->region->is_parted &= make_part (n, part, op);
  if (n->region->is_parted && !op->is_leaf)
    span_region (n->to, &part->region);
}

/* All rows of LEAF become a part, and each of its rows become one with the same words; else each rows become one by themselves. */
static void
part_leaf (struct nests *n, struct cab_nest_op *leaf)
{
  struct cab_nest_part whole;
  bool shared = make_part (n, &whole, leaf);
  for (const struct cab_nest_op *op = leaf + 1; op->what != CAB_NEST_END; op++)
    if (op->what == CAB_NEST_ROWS && shared)
      {
	struct cab_nest_part *part = part_at (n, op->first);
	*part = whole;
	part->region.shape = op->shape;
	part->region.access = cab_regions_accesses (n->to) + op->first;
	part->region.first = op->first;
      }
    else if (op->what == CAB_NEST_ROWS)
      part_rows (n, op);
  if (!shared)
    leaf->inmost = CAB_NEST_NONE;
  if (leaf->inmost != CAB_NEST_NONE)
    *part_at (n, leaf->inmost) = whole;
}

/* What operations have accesses get their shapes. */
static void
shape_ops (const struct nests *n)
{
  struct columns c = columns_of (n->to);
  for (struct cab_nest_op *op = n->nest.ops; op < n->nest.ops + n->nest.n_ops; op++)
    if (op->shape.n)
      {
	uint32_t id = op->what == CAB_NEST_ROWS ? op->first : op->inmost;
	op->shape = (struct cab_shape) {
	  id == CAB_NEST_NONE ? 0 : n->to->first + id, op->shape.n, c.site + op->first, c.form + op->first, c.bytes + op->first
	};
      }
}

static void
end_nest (struct nests *n)
{
  if (!n->region)
    return;
  n->region->is_parted = true;
  n->region->n_spans = 0;
  cab_nest_end (&n->nest);
  n->region->n_ops = n->nest.n_ops;
  n->region->n_rows = n->nest.n_rows;
  n->n_ops += n->nest.n_ops;
  shape_ops (n);
  for (struct cab_nest_op *op = n->nest.ops; op < n->nest.ops + n->nest.n_ops; op++)
    if (op->what == CAB_NEST_ROWS && !op->is_leaf)
      part_rows (n, op);
    else if (op->what == CAB_NEST_LOOP && op->is_leaf)
      part_leaf (n, op);
  n->region = NULL;
}

static void
begin_nest (struct nests *n, struct cab_region *region)
{
  end_nest (n);
  if (!region->is_nest || !n->to->n_levels)
    return;
  n->region = region;
  n->n_accesses = 0;
  region->op = n->n_ops;
  cab_nest_begin (&n->nest, (struct cab_nest_op *) cab_regions_ops (n->to) + n->n_ops, region->words);
}

/* An A line of a nest, whose access stands in the table. */
static bool
add_access (struct nests *n, const struct line *l)
{
  uint64_t level;
  struct cab_region *region = region_of (n->to, l);
  if (!region->is_nest)
    return true;
  if (region != n->region || !number (l, 9, UINT32_MAX, &level))
    return false;
  uint32_t at = region->first + n->n_accesses++;
  const struct cab_region_access *access = cab_regions_accesses (n->to) + at;
  struct cab_term *term = (struct cab_term *) cab_regions_terms (n->to) + at;
  term->word = access->word;
  term->base = access->offset;
  return cab_nest_access (&n->nest, level, at, field (l, 8), term);
}

static bool
add_level (struct nests *n, const struct line *l)
{
  uint64_t region;
  struct cab_field fields[6];
  if (!n->region || l->n < N_FIELDS || !number (l, 1, UINT32_MAX, &region) || region >= n->to->n_regions
      || region_at (n->to, region) != n->region)
    return false;
  for (int i = 0; i < 6; i++)
    fields[i] = field (l, 2 + i);
  return cab_nest_level (&n->nest, fields);
}

static int
parse_nests (struct cab_regions *to, const char *text, size_t length)
{
  struct nests n = { .to = to };
  bool good = true;
  uint64_t region;
  for (struct line l = begin (text, length); good && next_line (&l);)
    if (letter (&l) == 'R' && number (split (&l), 1, UINT32_MAX, &region))
      begin_nest (&n, region_at (to, region));
    else if (letter (&l) == 'N')
      good = add_level (&n, split (&l));
    else if (letter (&l) == 'A')
      good = add_access (&n, split (&l));
  end_nest (&n);
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
  struct cab_region *region;
  *to = measure (text, n);
  memset (to + 1, 0, cab_regions_bytes (text, n) - sizeof *to);
  to->first = first;
  for (uint32_t i = 0; i < to->n_regions; i++)
    region_at (to, i)->words = UINT8_MAX;
  for (struct line l = begin (text, n); next_line (&l);)
    if (letter (&l) == 'R' && !parse_region (to, split (&l)))
      return -1;
  for (struct line l = begin (text, n); next_line (&l);)
    if (letter (&l) == 'A')
      {
	if (!(region = region_of (to, split (&l))))
	  return -1;
	region->shape.n++;
      }
  place (to);
  if (parse_accesses (to, text, n) < 0)
    return -1;
  for (uint32_t i = 0; i < to->n_regions; i++)
    shape_region (to, i);
  return has_nests (to) ? parse_nests (to, text, n) : 0;
}
