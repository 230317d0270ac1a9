/* deps_sources.c - see deps_sources.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * First everything is looked up that the access depends on, and is counted; then the new stamps are
 * stored.
 */
#include "analyses/live/deps/deps_sources.h"

#define MOST_SOURCES 256     /* of one access to a line; one with more is lost */

/* What the bytes of an access depend on: the access that STAMP says, at NODE.  COVER: of a read, up
   to which level of the loops it had read what was written in the same iteration. */
struct source
{
  uint64_t stamp;
  uint32_t node, cover;
  enum cab_deps_kind kind;
};

struct sources
{
  const struct cab_deps_touch *touch;
  unsigned n;
  struct source of[MOST_SOURCES];
};

void
cab_deps_count_row (const struct cab_deps_touch *t, enum cab_deps_kind kind, uint64_t stamp,
		    uint32_t node, uint32_t cover, uint64_t n)
{
  struct cab_arena *arena = t->change->arena;
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t time = stamp >> CAB_DEPS_SITE_BITS, sites, place;
  struct cab_deps_position p = cab_deps_position_of (s, &t->now, time);
  struct cab_deps_row row = { .kind = kind,
			      .from = stamp & CAB_DEPS_SITE_MASK,
			      .to = t->site,
			      .node = t->node,
			      .from_node = node,
			      .level = p.level,
			      .carried = p.carried };
  if (p.carried)
    row.distance = cab_deps_distance (s, &t->now, p.level, time);
  row.covered = p.carried && kind == CAB_DEPS_WAR && cover >= p.level;
  cab_deps_pack (&row, &sites, &place);
  struct cab_deps_entry *entry = cab_deps_row_of (arena, sites, place);
  if (!entry)
    {
      t->change->failed = true;
      return;
    }
  cab_undo_put (t->change, (unsigned char *) &entry->count - arena->base, entry->count + n);
}

/* Add what STAMP says, unless it is there. */
static inline void
add (struct sources *s, enum cab_deps_kind kind, uint64_t stamp, uint32_t node, uint32_t cover)
{
  for (unsigned i = s->n; i-- > 0;)
    if (s->of[i].stamp == stamp && s->of[i].kind == kind && s->of[i].node == node)
      {
	s->of[i].cover = cover < s->of[i].cover ? cover : s->of[i].cover;
	return;
      }
  if (s->n == MOST_SOURCES)
    s->touch->change->failed = true;
  else
    s->of[s->n++] = (struct source) { stamp, node, cover, kind };
}

static inline uint32_t
cover_of (uint64_t more)
{
  return (more & CAB_DEPS_COVER_MASK) >> CAB_DEPS_COVER_SHIFT;
}

/* Return true if the accesses with the stamps A and B are at the same position. */
static inline bool
same_position (const struct cab_deps_touch *t, uint64_t a, uint64_t b)
{
  const struct cab_deps_state *s = cab_deps_state_of (t->change->arena);
  struct cab_deps_position p = cab_deps_position_of (s, &t->now, a >> CAB_DEPS_SITE_BITS),
			   q = cab_deps_position_of (s, &t->now, b >> CAB_DEPS_SITE_BITS);
  return p.level == q.level && p.carried == q.carried;
}

/* Add what UNIT says. */
static inline void
look_at (struct sources *s, const struct cab_deps_unit *unit)
{
  uint64_t read = unit->read, more = unit->more;
  uint32_t node = unit->more >> CAB_DEPS_NODE_SHIFT;
  if (!s->touch->writes)
    {
      add (s, CAB_DEPS_RAW, unit->write, node, 0);
      return;
    }
  if (unit->write)
    add (s, CAB_DEPS_WAW, unit->write, node, 0);
  uint64_t later = 0;
  for (unsigned n = 0; read && n < CAB_DEPS_READS; n++)
    {
      if (!later || !same_position (s->touch, later, read))
	add (s, CAB_DEPS_WAR, read, 0, cover_of (more));
      later = read;
      const struct cab_deps_cell *cell = cab_deps_cell_at (s->touch->change->arena,
							   (more & CAB_DEPS_NEXT_MASK) - 1);
      read = cell ? cell->read : 0;
      more = cell ? cell->more : 0;
    }
}

#define UNIT(member) offsetof (struct cab_deps_unit, member)
#define CELL(member) offsetof (struct cab_deps_cell, member)

static inline uint64_t
offset_of (const struct cab_change *c, const void *at)
{
  return (const unsigned char *) at - c->arena->base;
}

/* Free within CHANGE the cell whose number is MINE, 1 + its index. */
static void
free_cell (struct cab_change *c, uint64_t mine)
{
  const struct cab_deps_cell *cell = cab_deps_cell_at (c->arena, mine - 1);
  cab_undo_put (c, offset_of (c, cell) + CELL (more), cab_undo_get (c, CAB_DEPS_AT (free_cell)));
  cab_undo_put (c, CAB_DEPS_AT (free_cell), mine);
}

/* Take a free cell within CHANGE.  Return its number; 0 if there is none. */
static uint64_t
take_cell (struct cab_change *c)
{
  uint64_t mine = cab_undo_get (c, CAB_DEPS_AT (free_cell));
  const struct cab_deps_cell *cell = cab_deps_cell_at (c->arena, mine - 1);
  if (cell)
    {
      cab_undo_put (c, CAB_DEPS_AT (free_cell), cell->more & CAB_DEPS_NEXT_MASK);
      return mine;
    }
  if (!cab_deps_cells_for (c->arena, 1))
    return 0;
  mine = cab_undo_get (c, CAB_DEPS_AT (n_cells)) + 1;
  cab_undo_put (c, CAB_DEPS_AT (n_cells), mine);
  return mine;
}

/* Keep the read BEFORE, and its COVER, in a cell before those from number NEXT on.  Drop the first
   of these that are at the same position: from now on they always will be, and no others can have
   come to the same position since the last read.  Return the number of the cell; 0 if there is
   none. */
static uint64_t
push_read (const struct cab_deps_touch *t, uint64_t before, uint64_t cover, uint64_t next)
{
  struct cab_change *c = t->change;
  const struct cab_deps_cell *cell;
  uint64_t mine = 0;
  for (unsigned n = 0; n < CAB_DEPS_READS && (cell = cab_deps_cell_at (c->arena, next - 1))
		       && same_position (t, before, cell->read);
       n++)
    {
      uint64_t same = next;
      next = cell->more & CAB_DEPS_NEXT_MASK;
      if (mine)
	free_cell (c, same);
      else
	mine = same;
    }
  mine = mine ? mine : take_cell (c);
  cell = cab_deps_cell_at (c->arena, mine - 1);
  if (!cell)
    {
      c->failed = true;
      return 0;
    }
  uint64_t at = offset_of (c, cell);
  cab_undo_put (c, at + CELL (read), before);
  cab_undo_put (c, at + CELL (more), cover | next);
  return mine;
}

/* Store the read T in the unit at AT. */
static inline void
store_read (const struct cab_deps_touch *t, uint64_t at)
{
  struct cab_change *c = t->change;
  const struct cab_deps_unit *unit = (const struct cab_deps_unit *) (c->arena->base + at);
  uint64_t before = unit->read, more = unit->more, stamp = cab_deps_stamp (t),
	   next = more & CAB_DEPS_NEXT_MASK,
	   cover = cab_deps_cover_by (cab_deps_state_of (c->arena), &t->now, unit->write);
  if (before == stamp)
    return;
  if (before && !cab_deps_is_now (&t->now, before >> CAB_DEPS_SITE_BITS))
    next = push_read (t, before, more & CAB_DEPS_COVER_MASK, next);
  const uint64_t words[] = { stamp, (more & ~(CAB_DEPS_NEXT_MASK | CAB_DEPS_COVER_MASK)) | next
				      | cover << CAB_DEPS_COVER_SHIFT };
  cab_undo_put_words (c, at + UNIT (read), words, 2);
}

/* Store the write T in the unit at AT, and free the reads before it. */
static inline void
store_write (const struct cab_deps_touch *t, uint64_t at)
{
  struct cab_change *c = t->change;
  uint64_t mine = cab_undo_get (c, at + UNIT (more)) & CAB_DEPS_NEXT_MASK;
  const uint64_t words[] = { cab_deps_stamp (t), 0, (uint64_t) t->node << CAB_DEPS_NODE_SHIFT };
  cab_undo_put_words (c, at, words, 3);
  const struct cab_deps_cell *cell;
  for (unsigned n = 0; n < CAB_DEPS_READS && (cell = cab_deps_cell_at (c->arena, mine - 1)); n++)
    {
      uint64_t next = cell->more & CAB_DEPS_NEXT_MASK;
      free_cell (c, mine);
      mine = next;
    }
}

/* Return true if the N units at UNIT have the same, and no cells. */
static inline bool
are_alike (const struct cab_deps_unit *unit, unsigned n)
{
  bool alike = !(unit->more & CAB_DEPS_NEXT_MASK);
  for (unsigned i = 1; alike && i < n; i++)
    alike = unit[i].write == unit->write && unit[i].read == unit->read
	 && unit[i].more == unit->more;
  return alike;
}

void
cab_deps_touch (const struct cab_deps_touch *t, uint64_t at, unsigned n)
{
  struct sources s;
  const struct cab_deps_unit *unit
    = (const struct cab_deps_unit *) (t->change->arena->base + at);
  unsigned different = are_alike (unit, n) ? 1 : n;
  s.touch = t;
  s.n = 0;
  for (unsigned i = 0; i < different; i++)
    look_at (&s, unit + i);
  for (unsigned i = 0; i < s.n && !t->change->failed; i++)
    cab_deps_count_row (t, s.of[i].kind, s.of[i].stamp, s.of[i].node, s.of[i].cover,
			t->times);
  for (unsigned i = 0; i < n && !t->change->failed; i++, at += sizeof (struct cab_deps_unit))
    if (t->writes)
      store_write (t, at);
    else
      store_read (t, at);
}

bool
cab_deps_apply (struct cab_arena *arena, const struct cab_deps_access *a, uint64_t part,
		uint64_t ends)
{
  struct cab_deps_units units = cab_deps_units_of (arena, a->address, a->from, a->to);
  if (!units.offset || !cab_deps_rows_for (arena))
    return false;
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  struct cab_deps_touch touch = { .change = &change,
				  .now = cab_deps_now (s),
				  .site = a->site & CAB_DEPS_SITE_MASK,
				  .node = cab_deps_here (s),
				  .writes = a->writes,
				  .times = 1 };
  cab_deps_touch (&touch, units.offset, (a->to - a->from) >> units.log2);
  cab_undo_put (&change, CAB_DEPS_AT (part), part);
  if (ends)
    cab_deps_count_events (&change, ends, 1);
  return cab_undo_end (&change) == 0;
}
