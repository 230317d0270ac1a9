/* regions.c - see regions.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/wire/regions_table.h"
#include <string.h>
#include "analyses/wire/regions_shape.h"
#include "cabprof/abi.h"
#include "cabprof/analysis.h"

#define R_FIELDS 4
#define A_FIELDS 11   /* the last of these is the loop */
#define P_FIELDS 4
#define V_FIELDS 3
#define C_FIELDS 3   /* the last of these has the flags */

/* Parse field I, from character FROM on, as the number of one of WORDS words. */
static bool
word (const struct cab_record_line *l, int i, size_t from, unsigned words, uint8_t *to)
{
  uint64_t n;
  if (l->length[i] < from
      || !cab_line_digits (l->field[i] + from, l->length[i] - from, CAB_ACCESS_WORDS, &n)
      || n >= words)
    return false;
  *to = n;
  return true;
}

static bool
is_dash (const struct cab_record_line *l, int i)
{
  return l->length[i] == 1 && *l->field[i] == '-';
}

/* Return how many accesses the line has. */
static uint64_t
accesses_of (struct cab_record_line *l, char what)
{
  if (what == 'P' && cab_line_split (l, P_FIELDS)->n == P_FIELDS)
    return cab_line_runs (l->field[3], l->length[3]);
  return what == 'A';
}

/* Count how much of everything the lines of TEXT have.  Return false if it is more than there can
   be. */
static bool
measure (struct cab_regions *sizes, const char *text, const char *end)
{
  uint32_t loops = 0;
  bool numbered = false;
  for (struct cab_record_line l = cab_line_from (text, end); cab_line_next (&l);)
    {
      char what = cab_line_letter (&l);
      uint64_t more = accesses_of (&l, what);
      if (more > CAB_ROW_ACCESSES_MAX - sizes->n_accesses)
	return false;
      sizes->n_accesses += more;
      sizes->n_regions += what == 'R';
      sizes->n_allocations += what == 'M';
      sizes->n_levels += what == 'N';
      loops += what == 'T';
      numbered |= what == 'C' && cab_line_split (&l, C_FIELDS)->n == C_FIELDS
	       && cab_line_has (&l, 2, 'n');
    }
  sizes->n_loops = numbered ? loops : 0;
  return true;
}

static size_t
bytes_of (const struct cab_regions *sizes)
{
  size_t columns = (sizes->n_accesses + CAB_REGION_SLACK) * CAB_REGION_COLUMN_BYTES;
  return sizeof *sizes
       + sizes->n_regions * (sizeof (struct cab_region_place) + sizeof (struct cab_region))
       + columns
       + sizes->n_accesses * (sizeof (struct cab_region_access) + sizeof (struct cab_span))
       + (sizes->n_levels
	    ? sizes->n_accesses * (sizeof (struct cab_term) + sizeof (struct cab_nest_part))
	    : 0)
       + cab_regions_most_ops (sizes) * sizeof (struct cab_nest_op);
}

size_t
cab_regions_measure (struct cab_regions *sizes, const char *text, size_t n)
{
  const char *end = cab_line_begin (text, n).end;
  *sizes = (struct cab_regions) { .text = text, .length = end - text };
  if (end - text < UINT32_MAX && measure (sizes, text, end))
    return bytes_of (sizes);
  *sizes = (struct cab_regions) { 0 };
  return sizeof *sizes;
}

size_t
cab_regions_bytes (const char *text, size_t n)
{
  struct cab_regions sizes;
  return cab_regions_measure (&sizes, text, n);
}

static struct cab_region_place *
place_at (const struct cab_regions *regions, uint64_t i)
{
  return (struct cab_region_place *) cab_regions_places (regions) + i;
}

/* Return the place of the region whose number is in field I, after its R line was found; null if
   there is none. */
static struct cab_region_place *
place_named (const struct cab_regions *regions, const struct cab_record_line *l, int i)
{
  uint64_t number;
  if (l->n <= i || !cab_line_number (l, i, UINT32_MAX, &number) || number >= regions->n_regions
      || !place_at (regions, number)->line)
    return NULL;
  return place_at (regions, number);
}

/* Return where L begins, as the table stores it. */
static uint32_t
line_of (const struct cab_regions *to, const struct cab_record_line *l)
{
  return l->text - to->text + 1;
}

/* Return a cursor before the line that the table stores as LINE. */
static struct cab_record_line
lines_from (const struct cab_regions *to, uint32_t line)
{
  return cab_line_from (to->text + line - 1, to->text + to->length);
}

bool
cab_regions_next (struct cab_record_line *l)
{
  return cab_line_next (l) && cab_line_letter (l) != 'R';
}

/* Parse R \t region \t words \t count into REGION.  Return false if it is wrong. */
static bool
parse_region (struct cab_region *region, const struct cab_record_line *l)
{
  uint64_t words;
  if (l->n < R_FIELDS || !cab_line_number (l, 2, CAB_ACCESS_WORDS, &words))
    return false;
  *region = (struct cab_region) { .words = words,
				  .count = CAB_NO_WORD,
				  .is_nest = cab_line_is (l, 3, "nest") };
  return region->is_nest || is_dash (l, 3) || word (l, 3, 0, words, &region->count);
}

/* Return the region of the R line of PLACE, which was found before, with what is known of its
   accesses; LINES is left after that line. */
static struct cab_region
region_of (const struct cab_regions *regions, const struct cab_region_place *place,
	   struct cab_record_line *lines)
{
  struct cab_region region;
  *lines = lines_from (regions, place->line);
  cab_line_next (lines);
  parse_region (&region, cab_line_split (lines, R_FIELDS));
  region.id = regions->first + place->before;
  return region;
}

/* Return the form that the flags of an A line stand for; 0 if they are unknown. */
static uint8_t
form_of (const struct cab_record_line *l)
{
  uint8_t form = (cab_line_has (l, 4, 'r') ? CAB_ROW_READ : 0)
	       | (cab_line_has (l, 4, 'w') ? CAB_ROW_WRITE : 0);
  if (form)
    return form | (cab_line_has (l, 4, 'g') ? CAB_ROW_RANGE : 0);
  return cab_line_is (l, 4, "i") ? CAB_ROW_ARGUMENT
       : cab_line_is (l, 4, "o") ? CAB_ROW_RETURNED
       : cab_line_is (l, 4, "n") ? CAB_ROW_NAMED
       : cab_line_is (l, 4, "b") ? CAB_ROW_BEGINS
       : cab_line_is (l, 4, "c") ? CAB_ROW_ITERATES
       : cab_line_is (l, 4, "e") ? CAB_ROW_ENDS
       : 0;
}

/* Parse A \t access \t region \t place \t flags \t bytes \t word \t offset \t step \t part \t loop
   \t name */
static bool
parse_access (struct cab_region_access *a, const struct cab_region *region,
	      const struct cab_record_line *l)
{
  uint64_t n, part, loop;
  *a = (struct cab_region_access) { .word = CAB_NO_WORD,
				    .step_word = CAB_NO_WORD,
				    .bytes_word = CAB_NO_WORD,
				    .value_word = CAB_NO_WORD };
  if (l->n < A_FIELDS || !cab_line_number (l, 1, UINT32_MAX, &n)
      || !cab_line_number (l, 9, region->is_nest ? UINT32_MAX : UINT8_MAX, &part))
    return false;
  a->number = n;
  a->part = region->is_nest ? 0 : part;
  a->form = form_of (l);
  a->loop = cab_line_number (l, 10, UINT32_MAX - 1, &loop) ? loop + 1 : 0;
  if (!a->form || (a->form & (CAB_ROW_BARE | CAB_ROW_LOOP)
		   && (region->is_nest || region->count != CAB_NO_WORD))
      || !cab_line_signed (l, 7, &a->offset))
    return false;
  if (a->form & CAB_ROW_RANGE ? !word (l, 5, 0, region->words, &a->bytes_word)
			      : !cab_line_number (l, 5, UINT64_MAX, &a->bytes))
    return false;
  if (!is_dash (l, 6) && !word (l, 6, 0, region->words, &a->word))
    return false;
  if (region->is_nest)
    return !(a->form & CAB_ROW_RANGE);
  if (l->length[8] && *l->field[8] == 'w')
    return word (l, 8, 1, region->words, &a->step_word);
  return is_dash (l, 8) || cab_line_signed (l, 8, &a->step);
}

/* Parse V \t word \t type, of A, the access before, which is of REGION. */
static bool
parse_value (struct cab_region_access *a, const struct cab_region *region,
	     const struct cab_record_line *l)
{
  static const char letters[] = "usfdb";
  const char *letter = l->n == 3 && l->length[2] ? strchr (letters, *l->field[2]) : NULL;
  if (!letter || region->is_nest || region->count != CAB_NO_WORD
      || !word (l, 1, 0, region->words, &a->value_word))
    return false;
  a->value_type = (letter - letters + CAB_VALUE_UNSIGNED)
		| (cab_line_has (l, 2, 'w') ? CAB_VALUE_PART : 0)
		| (cab_line_has (l, 2, 'o') ? CAB_VALUE_BEFORE : 0);
  return true;
}

/* Read the A line of REGION that *L is at, and was split at, into A, and the V line after it, if
   there is one, to which *L moves. */
static bool
read_access (struct cab_region_access *a, const struct cab_region *region,
	     struct cab_record_line *l)
{
  if (!parse_access (a, region, l))
    return false;
  return l->next >= l->end || *l->next != 'V' || !cab_line_next (l) || cab_line_letter (l) != 'V'
      || parse_value (a, region, cab_line_split (l, V_FIELDS + 1));
}

/* The state while the regions of a table are found, line by line. */
struct finding
{
  struct cab_regions *to;
  struct cab_region_place *place;      /* of the region whose lines these are, or null */
  struct cab_region region;            /* its words and its count */
  uint32_t *line;                      /* of the accesses, by number */
};

static bool
find_region (struct finding *f, const struct cab_record_line *l)
{
  uint64_t number;
  if (!parse_region (&f->region, l) || !cab_line_number (l, 1, UINT32_MAX, &number)
      || number >= f->to->n_regions)
    return false;
  f->place = place_at (f->to, number);
  bool again = f->place->line;
  f->place->line = line_of (f->to, l);
  return !again;
}

/* Note that access NUMBER of the region is at LINE.  Return false if it was found before. */
static bool
find_access (struct finding *f, uint64_t number, uint32_t line)
{
  if (number >= f->to->n_accesses || f->line[number])
    return false;
  f->line[number] = line;
  f->place->n++;
  return true;
}

/* Return true if field I of L names the region whose lines these are. */
static bool
is_here (const struct finding *f, const struct cab_record_line *l, int i)
{
  return f->place && place_named (f->to, l, i) == f->place;
}

static bool
find_told (struct finding *f, const struct cab_record_line *l)
{
  uint64_t number;
  return is_here (f, l, 2) && cab_line_number (l, 1, UINT32_MAX, &number)
      && find_access (f, number, line_of (f->to, l));
}

/* Find the accesses of P \t region \t access \t of */
static bool
find_path (struct finding *f, const struct cab_record_line *l)
{
  uint64_t number, n;
  if (l->n < P_FIELDS || !is_here (f, l, 1) || f->region.is_nest || f->region.count != CAB_NO_WORD
      || !cab_line_number (l, 2, UINT32_MAX, &number))
    return false;
  n = cab_line_runs (l->field[3], l->length[3]);
  for (uint64_t i = 0; i < n; i++)
    if (!find_access (f, number + i, CAB_REGION_COPY))
      return false;
  return true;
}

static bool
find_line (struct finding *f, struct cab_record_line *l)
{
  switch (cab_line_letter (l))
    {
    case 'R': return find_region (f, cab_line_split (l, R_FIELDS));
    case 'A': return find_told (f, cab_line_split (l, 3));
    case 'P': return find_path (f, cab_line_split (l, P_FIELDS));
    case 'N': return is_here (f, cab_line_split (l, 2), 1) && f->region.is_nest;
    }
  return true;
}

int
cab_regions_begin (struct cab_regions *to, const struct cab_regions *sizes, uint32_t first)
{
  *to = *sizes;
  if (!to->text)
    return -1;
  to->first = first;
  struct cab_record_line l = cab_line_from (to->text, to->text + to->length);
  struct finding f = { .to = to, .line = cab_region_columns (to).line };
  bool good = true;
  while (good && cab_line_next (&l))
    good = find_line (&f, &l);
  for (uint32_t i = 0, before = 0; good && i < to->n_regions; before += place_at (to, i++)->n)
    place_at (to, i)->before = before;
  to->n_regions = good ? to->n_regions : 0;
  return good ? 0 : -1;
}

/* A region whose lines are read. */
struct reading
{
  struct cab_regions *to;
  struct cab_region *region;
  uint32_t n, most;                    /* accesses so far; accesses that it will have */
  const struct cab_region_place *other;   /* of the region whose access was copied last, or null */
  struct cab_region from;              /* that region */
};

static bool
can_have (unsigned words, uint8_t word)
{
  return word == CAB_NO_WORD || word < words;
}

/* Add A, as number NUMBER, to the region's accesses.  Return false if it does not fit the region:
   one of its words is none of the region's. */
static bool
add_access (struct reading *r, const struct cab_region_access *a, uint32_t number)
{
  struct cab_region_access *to = (struct cab_region_access *) cab_regions_accesses (r->to)
			       + r->region->first + r->n;
  unsigned words = r->region->words;
  bool mixed = r->n && !(a->form & CAB_ROW_BARE) != !(to[-1].form & CAB_ROW_BARE);
  if (r->n == r->most || mixed || !can_have (words, a->word) || !can_have (words, a->step_word)
      || !can_have (words, a->bytes_word) || !can_have (words, a->value_word))
    return false;
  r->n++;
  *to = *a;
  to->number = number;
  r->region->has_values |= a->value_word != CAB_NO_WORD;
  return true;
}

static bool
read_told (struct reading *r, struct cab_record_line *l)
{
  struct cab_region_access a;
  cab_line_split (l, A_FIELDS);
  return read_access (&a, r->region, l) && add_access (r, &a, a.number);
}

/* Add access NUMBER of the region, a copy of access OF, whose A line is before LINE: the same
   access on another path. */
static bool
read_copy (struct reading *r, uint64_t number, uint32_t of, uint32_t line)
{
  struct cab_region_access a;
  uint32_t told = of < r->to->n_accesses ? cab_region_columns (r->to).line[of] : 0;
  if (!told || told >= line)
    return false;
  struct cab_record_line l = lines_from (r->to, told), lines;
  cab_line_next (&l);
  const struct cab_region_place *place = place_named (r->to, cab_line_split (&l, A_FIELDS), 2);
  if (place != r->other)
    r->from = region_of (r->to, place, &lines);
  r->other = place;
  return read_access (&a, &r->from, &l) && add_access (r, &a, number);
}

/* Read P \t region \t access \t of */
static bool
read_path (struct reading *r, const struct cab_record_line *l)
{
  uint64_t number;
  struct cab_line_run run;
  bool good = cab_line_number (l, 2, UINT32_MAX, &number);
  for (const char *p = l->field[3], *end = p + l->length[3]; good && p < end;)
    {
      good = cab_line_run (&p, end, &run);
      for (uint32_t i = 0; good && i < run.n; i++)
	good = read_copy (r, number++, run.first + i, line_of (r->to, l));
    }
  return good;
}

/* Read the region's LINES, and make what a decoder needs of them. */
static bool
read_lines (struct reading *r, struct cab_record_line lines)
{
  bool good = true;
  for (struct cab_record_line l = lines; good && cab_regions_next (&l);)
    switch (cab_line_letter (&l))
      {
      case 'A': good = read_told (r, &l); break;
      case 'P': good = read_path (r, cab_line_split (&l, P_FIELDS)); break;
      }
  if (!good)
    return false;
  r->region->shape.n = r->n;
  cab_region_shape (r->to, r->region);
  return !r->region->is_nest || cab_regions_nest (r->to, r->region, lines);
}

/* Make REGION one that no event is of. */
static void
make_wrong (const struct cab_regions *to, struct cab_region *region)
{
  *region = (struct cab_region) { .count = CAB_NO_WORD, .first = region->first };
  cab_region_shape (to, region);
  region->words = CAB_REGION_WRONG;
}

const struct cab_region *
cab_regions_read (const struct cab_regions *regions, uint32_t number)
{
  struct cab_regions *to = (struct cab_regions *) regions;
  struct cab_region_place *place = place_at (to, number);
  if (place->read)
    return cab_regions_at (to, number);
  struct cab_record_line lines;
  struct cab_region *region = (struct cab_region *) cab_regions_all_read (to) + to->n_read;
  struct reading r = { .to = to, .region = region, .most = place->n };
  *region = region_of (to, place, &lines);
  region->first = to->n_read_accesses;
  to->n_read_accesses += place->n;
  if (!read_lines (&r, lines))
    make_wrong (to, region);
  __atomic_store_n (&place->read, ++to->n_read, __ATOMIC_RELEASE);
  return region;
}

int
cab_regions_parse (struct cab_regions *to, const char *text, size_t n, uint32_t first)
{
  struct cab_regions sizes;
  memset (to, 0, cab_regions_measure (&sizes, text, n));
  int error = cab_regions_begin (to, &sizes, first);
  for (uint32_t i = 0; error == 0 && i < to->n_regions; i++)
    error = cab_regions_read (to, i)->words == CAB_REGION_WRONG ? -1 : 0;
  return error;
}
