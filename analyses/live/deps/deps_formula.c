/* deps_formula.c - see deps_formula.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/deps/deps_formula.h"

#define FORMULA(member) offsetof (struct cab_deps_formula, member)
#define NUMBER_MASK (CAB_DEPS_FORMULA - 1)

struct cab_deps_formula *
cab_deps_formula_at (const struct cab_arena *arena, uint32_t ref)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint32_t number = ref & NUMBER_MASK;
  return ref & CAB_DEPS_FORMULA && number < s->n_formulas
	 ? cab_segments_at (arena, &s->formulas, number, sizeof (struct cab_deps_formula))
	 : NULL;
}

static inline bool
is_some (const struct cab_deps_slope *slope)
{
  return slope->base || slope->step;
}

/* Return the stamp that SLOPE gives to UNIT. */
static inline uint64_t
stamp_of (const struct cab_deps_slope *slope, uint64_t unit)
{
  return slope->base + unit * slope->step;
}

static inline uint64_t
offset_of (const struct cab_arena *arena, const void *at)
{
  return (const unsigned char *) at - arena->base;
}

/* Store REF as the reference of LINE of PAGE. */
static void
put_ref (struct cab_change *change, uint64_t page, unsigned line, uint32_t ref)
{
  uint64_t at = page + (line & ~1u) * sizeof ref, both = cab_undo_get (change, at);
  unsigned shift = line % 2 * 32;
  cab_undo_put (change, at, (both & ~((uint64_t) UINT32_MAX << shift)) | (uint64_t) ref << shift);
}

/* Note that N lines fewer refer to REF, which may be no formula. */
static void
drop (struct cab_change *change, uint32_t ref, uint64_t n)
{
  const struct cab_deps_formula *f = cab_deps_formula_at (change->arena, ref);
  if (!f)
    return;
  uint64_t at = offset_of (change->arena, f), lines = f->lines > n ? f->lines - n : 0;
  cab_undo_put (change, at + FORMULA (lines), lines);
  if (lines)
    return;
  cab_undo_put (change, at + FORMULA (node), cab_undo_get (change, CAB_DEPS_AT (free_formula)));
  cab_undo_put (change, CAB_DEPS_AT (free_formula), (ref & NUMBER_MASK) + 1);
}

/* Take a free formula.  Return a reference to it; 0 if there is no room. */
static uint32_t
take (struct cab_change *change)
{
  struct cab_arena *arena = change->arena;
  uint64_t number = cab_undo_get (change, CAB_DEPS_AT (free_formula));
  const struct cab_deps_formula *f
    = number ? cab_deps_formula_at (arena, CAB_DEPS_FORMULA | (number - 1)) : NULL;
  if (f)
    {
      cab_undo_put (change, CAB_DEPS_AT (free_formula), f->node);
      return CAB_DEPS_FORMULA | (number - 1);
    }
  number = cab_undo_get (change, CAB_DEPS_AT (n_formulas));
  if (number >= cab_deps_most_slots (cab_deps_state_of (arena))
      || !cab_segments_make (arena, CAB_DEPS_AT (formulas), number, sizeof *f))
    return 0;
  cab_undo_put (change, CAB_DEPS_AT (n_formulas), number + 1);
  return CAB_DEPS_FORMULA | number;
}

/* Store VALUE to the formula REF. */
static void
store (struct cab_change *change, uint32_t ref, const struct cab_deps_formula *value)
{
  const struct cab_deps_formula *f = cab_deps_formula_at (change->arena, ref);
  uint64_t at = f ? offset_of (change->arena, f) : 0;
  const uint64_t *word = (const uint64_t *) value;
  if (!f)
    change->failed = true;
  for (size_t i = 0; f && i < sizeof *value / sizeof *word; i++)
    cab_undo_put (change, at + i * sizeof *word, word[i]);
}

/* A look at a stretch through lines from both ends. */
struct look
{
  const struct cab_deps_touch *t, *at_end;
  const struct cab_deps_state *s;
  uint64_t first, last;       /* units */
};

/* What an access depends on; see cab_deps_count_row. */
struct source
{
  enum cab_deps_kind kind;
  const struct cab_deps_slope *slope;
  uint32_t node, cover;
};

/* Store the position of SLOPE to P.  Return false if it is not the same in all units. */
static bool
find_position (const struct look *l, const struct cab_deps_slope *slope,
	       struct cab_deps_position *p)
{
  uint64_t a = stamp_of (slope, l->first) >> CAB_DEPS_SITE_BITS,
	   b = stamp_of (slope, l->last) >> CAB_DEPS_SITE_BITS;
  *p = cab_deps_position_of (l->s, &l->t->now, a);
  struct cab_deps_position q = cab_deps_position_of (l->s, &l->at_end->now, b);
  return p->level == q.level && p->carried == q.carried;
}

/* Return true if SLOPE, whose position P is the same in all units, is equally far away in all. */
static bool
is_steady (const struct look *l, const struct cab_deps_slope *slope,
	   const struct cab_deps_position *p)
{
  uint64_t a = stamp_of (slope, l->first) >> CAB_DEPS_SITE_BITS,
	   b = stamp_of (slope, l->last) >> CAB_DEPS_SITE_BITS;
  return !p->carried
      || cab_deps_distance (l->s, &l->t->now, p->level, a)
	   == cab_deps_distance (l->s, &l->at_end->now, p->level, b);
}

static bool
same (const struct cab_deps_position *p, const struct cab_deps_position *q)
{
  return p->level == q->level && p->carried == q->carried;
}

/* Find what a write to units of F depends on.  Return how many; negative if that differs from unit
   to unit. */
static int
sources_of_write (const struct look *l, const struct cab_deps_formula *f, struct source *source)
{
  struct cab_deps_position p, before = { 0, false };
  int n = 0;
  if (is_some (&f->write))
    {
      if (!find_position (l, &f->write, &p) || !is_steady (l, &f->write, &p))
	return -1;
      source[n++] = (struct source) { CAB_DEPS_WAW, &f->write, f->node, 0 };
    }
  for (unsigned i = 0; i < f->n_reads; i++)
    {
      if (!find_position (l, &f->read[i], &p) || !is_steady (l, &f->read[i], &p))
	return -1;
      if (!i || !same (&before, &p))
	source[n++] = (struct source) { CAB_DEPS_WAR, &f->read[i], 0, f->cover[i] };
      before = p;
    }
  return n;
}

/* Return the slope of the stamps of the stretch. */
static struct cab_deps_slope
slope_of (const struct look *l)
{
  uint64_t first = cab_deps_stamp (l->t), last = cab_deps_stamp (l->at_end),
	   step = last > first ? UINT64_C (1) << CAB_DEPS_SITE_BITS
			       : -(UINT64_C (1) << CAB_DEPS_SITE_BITS);
  return (struct cab_deps_slope) { first - l->first * step, step };
}

/* Put a read before those of F, which are covered up to COVER, and drop those that are at the same
   position as a later one.  Return false if F has no room, or that differs from unit to unit. */
static bool
add_read (const struct look *l, struct cab_deps_formula *f, uint64_t cover)
{
  struct cab_deps_position p, q;
  unsigned keep = 0, drop = 0;   /* the latest read; those after it, or that one alone */
  if (f->n_reads)
    {
      bool is_now = cab_deps_is_now (&l->t->now, stamp_of (&f->read[0], l->first)
						   >> CAB_DEPS_SITE_BITS);
      if (is_now != cab_deps_is_now (&l->at_end->now, stamp_of (&f->read[0], l->last)
							>> CAB_DEPS_SITE_BITS))
	return false;
      keep = !is_now;
      drop = is_now;
    }
  if (keep && !find_position (l, &f->read[0], &p))
    return false;
  for (unsigned i = 1; keep && i < f->n_reads; i++, drop++)
    {
      if (!find_position (l, &f->read[i], &q))
	return false;
      if (!same (&p, &q))
	break;
    }
  unsigned rest = f->n_reads - keep - drop;
  if (1 + keep + rest > CAB_DEPS_FORMULA_READS)
    return false;
  memmove (f->read + 1 + keep, f->read + keep + drop, rest * sizeof *f->read);
  memmove (f->cover + 1 + keep, f->cover + keep + drop, rest * sizeof *f->cover);
  if (keep)
    {
      f->read[1] = f->read[0];
      f->cover[1] = f->cover[0];
    }
  f->read[0] = slope_of (l);
  f->cover[0] = cover;
  f->n_reads = 1 + keep + rest;
  return true;
}

/* Find what the stretch through units of F depends on, and change F into what they have from then
   on.  Return how many sources there are; negative if it is not possible.  The sources refer to
   BEFORE, which is like F. */
static int
look_at (const struct look *l, const struct cab_deps_formula *before, struct cab_deps_formula *f,
	 struct source *source)
{
  struct cab_deps_position p;
  if (l->t->writes)
    {
      f->write = slope_of (l);
      f->node = l->t->node;
      f->n_reads = 0;
      return sources_of_write (l, before, source);
    }
  if (!find_position (l, &before->write, &p) || !is_steady (l, &before->write, &p)
      || !add_read (l, f, p.level - p.carried))
    return -1;
  source[0] = (struct source) { CAB_DEPS_RAW, &before->write, before->node, 0 };
  return 1;
}

/* Give LINES the formula VALUE: change theirs, if they are all that have it, use that of the line
   before if it is the same, or take another one. */
static void
put_formula (struct cab_change *change, const struct cab_deps_lines *lines,
	     struct cab_deps_formula *value)
{
  const struct cab_deps_page *page
    = (const struct cab_deps_page *) (change->arena->base + lines->page);
  unsigned n = lines->end - lines->first;
  uint32_t ref = lines->first ? page->line[lines->first - 1] : 0;
  const struct cab_deps_formula *old = cab_deps_formula_at (change->arena, lines->ref),
				*near = cab_deps_formula_at (change->arena, ref);
  value->lines = near ? near->lines : 0;
  if (near && !memcmp (near, value, sizeof *value))
    cab_undo_put (change, offset_of (change->arena, near) + FORMULA (lines), value->lines + n);
  else
    {
      value->lines = n;
      if (old && old->lines == n)
	{
	  store (change, lines->ref, value);
	  return;
	}
      ref = take (change);
      store (change, ref, value);
    }
  drop (change, lines->ref, n);
  for (unsigned line = lines->first; line < lines->end; line++)
    put_ref (change, lines->page, line, ref);
}

bool
cab_deps_formula_touch (const struct cab_deps_lines *lines, const struct cab_deps_touch *t,
			const struct cab_deps_touch *at_end)
{
  struct cab_change *change = t->change;
  unsigned n_lines = lines->end - lines->first, n_units = n_lines * (CAB_DEPS_LINE >> lines->log2);
  const struct look l = { t, at_end, cab_deps_state_of (change->arena), lines->unit,
			  lines->unit + n_units - 1 };
  const struct cab_deps_formula *old = cab_deps_formula_at (change->arena, lines->ref);
  struct cab_deps_formula before = { .log2 = lines->log2 };
  if (lines->ref
      && (!old || old->log2 != lines->log2 || old->n_reads > CAB_DEPS_FORMULA_READS))
    return false;
  if (old)
    before = *old;
  struct cab_deps_formula after = before;
  struct source source[1 + CAB_DEPS_FORMULA_READS];
  int n = look_at (&l, &before, &after, source);
  if (n < 0)
    return false;
  for (int i = 0; i < n; i++)
    cab_deps_count_row (t, source[i].kind, stamp_of (source[i].slope, l.first), source[i].node,
			source[i].cover, n_units);
  put_formula (change, lines, &after);
  return true;
}

/* Make new slots of F for the line at ADDRESS.  Return a reference to them; 0 if there is no
   room. */
static uint32_t
make_slots (struct cab_arena *arena, const struct cab_deps_formula *f, uint64_t address)
{
  unsigned halved = 3 - (f->log2 & 3);
  uint32_t made = cab_deps_take_slots (arena, halved);
  for (unsigned i = 0; made && i < CAB_DEPS_SLOT_UNITS << halved; i++)
    {
      uint64_t unit = (address >> f->log2) + i, next = 0;
      for (unsigned k = f->n_reads; k-- > 1;)
	{
	  next = cab_deps_copy_cell (arena, stamp_of (&f->read[k], unit),
				     next | f->cover[k] << CAB_DEPS_COVER_SHIFT);
	  if (!next)
	    return 0;
	}
      cab_deps_slot_at (arena, made)->unit[i] = (struct cab_deps_unit) {
	.write = stamp_of (&f->write, unit),
	.read = f->n_reads ? stamp_of (&f->read[0], unit) : 0,
	.more = next | f->node << CAB_DEPS_NODE_SHIFT
	      | (f->n_reads ? f->cover[0] << CAB_DEPS_COVER_SHIFT : 0)
      };
    }
  cab_space_order ();
  return made;
}

void
cab_deps_formula_expand (struct cab_change *change, uint64_t page, unsigned line, uint64_t address)
{
  const struct cab_deps_page *lines
    = (const struct cab_deps_page *) (change->arena->base + page);
  uint32_t ref = lines->line[line];
  const struct cab_deps_formula *f = cab_deps_formula_at (change->arena, ref);
  struct cab_deps_formula copy = { .log2 = 3 };
  if (f)
    copy = *f;
  uint32_t made = copy.n_reads > CAB_DEPS_FORMULA_READS || copy.log2 > 3
		  ? 0
		  : make_slots (change->arena, &copy, address);
  if (!made)
    {
      change->failed = true;
      return;
    }
  put_ref (change, page, line, made);
  drop (change, ref, 1);
}

uint32_t
cab_deps_formula_to_slots (struct cab_arena *arena, uint64_t address)
{
  const struct cab_deps_page *page = cab_deps_page_at (arena, address);
  unsigned line = address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES;
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  cab_deps_formula_expand (&change, offset_of (arena, page), line, address);
  return cab_undo_end (&change) == 0 ? cab_deps_page_at (arena, address)->line[line] : 0;
}

/* Store to F what unit NUMBER of SLOT has, with steps of 0.  Return false if it has too much. */
static bool
read_unit (const struct cab_arena *arena, const struct cab_deps_unit *unit,
	   struct cab_deps_formula *f)
{
  uint64_t read = unit->read, more = unit->more;
  f->write.base = unit->write;
  f->node = unit->more >> CAB_DEPS_NODE_SHIFT;
  for (f->n_reads = 0; read; f->n_reads++)
    {
      if (f->n_reads == CAB_DEPS_FORMULA_READS)
	return false;
      f->read[f->n_reads].base = read;
      f->cover[f->n_reads] = (more & CAB_DEPS_COVER_MASK) >> CAB_DEPS_COVER_SHIFT;
      const struct cab_deps_cell *cell = cab_deps_cell_at (arena,
							   (more & CAB_DEPS_NEXT_MASK) - 1);
      read = cell ? cell->read : 0;
      more = cell ? cell->more : 0;
    }
  return true;
}

/* Return true if UNIT, read from unit NUMBER, is what F gives. */
static bool
is_of (const struct cab_deps_formula *f, const struct cab_deps_formula *unit, uint64_t number)
{
  bool good = f->node == unit->node && f->n_reads == unit->n_reads
	   && stamp_of (&f->write, number) == unit->write.base;
  for (unsigned i = 0; good && i < f->n_reads; i++)
    good = f->cover[i] == unit->cover[i]
	&& stamp_of (&f->read[i], number) == unit->read[i].base;
  return good;
}

/* Store to SLOPE that which goes through A in unit NUMBER, and through B in the next one.  Return
   false if one of them has none, or the sites differ. */
static bool
find_slope (struct cab_deps_slope *slope, uint64_t a, uint64_t b, uint64_t number)
{
  slope->step = b - a;
  slope->base = a - number * slope->step;
  return !a == !b && !(slope->step & CAB_DEPS_SITE_MASK);
}

/* Find the formula F of the N units at UNIT, the first of which has number NUMBER.  Return false if
   there is none. */
static bool
find_formula (const struct cab_arena *arena, const struct cab_deps_unit *unit, unsigned n,
	      uint64_t number, struct cab_deps_formula *f)
{
  struct cab_deps_formula a, b;
  if (!read_unit (arena, unit, &a) || !read_unit (arena, unit + 1, &b) || a.n_reads != b.n_reads)
    return false;
  f->node = a.node;
  f->n_reads = a.n_reads;
  bool good = find_slope (&f->write, a.write.base, b.write.base, number);
  for (unsigned i = 0; good && i < f->n_reads; i++)
    {
      f->cover[i] = a.cover[i];
      good = find_slope (&f->read[i], a.read[i].base, b.read[i].base, number);
    }
  for (unsigned i = 0; good && i < n; i++)
    good = read_unit (arena, unit + i, &a) && is_of (f, &a, number + i);
  return good;
}

void
cab_deps_formula_find (struct cab_arena *arena, uint64_t address, unsigned log2)
{
  const struct cab_deps_page *page = cab_deps_page_at (arena, address);
  unsigned line = address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES;
  uint32_t ref = page ? page->line[line] : 0;
  const struct cab_deps_slot *slot = cab_deps_slot_at (arena, ref);
  unsigned halved = ref >> CAB_DEPS_HALVED_SHIFT & 3;
  struct cab_deps_formula f = { .log2 = 3 - halved };
  if (!slot || f.log2 != log2
      || !find_formula (arena, slot->unit, CAB_DEPS_SLOT_UNITS << halved, address >> f.log2, &f))
    return;
  const struct cab_deps_lines lines = { offset_of (arena, page), line, line + 1, f.log2, ref, 0 };
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  put_formula (&change, &lines, &f);
  if (cab_undo_end (&change) == 0)
    cab_deps_give_slots (arena, ref);
}
