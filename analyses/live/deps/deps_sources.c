/* deps_sources.c - see deps_sources.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * First everything is looked up that the access depends on, and rows and room for cells are made.
 * Then one change counts, and stores the new stamps.
 */
#include "analyses/live/deps/deps_sources.h"
#include "analyses/live/deps/deps_loops.h"

#define LEAST_ROWS 256
#define MOST_SOURCES 256     /* of one access to a line; one with more is lost */

/* Fields of an entry. */
#define USED (UINT64_C (1) << 63)
#define KIND_SHIFT 56u
#define CARRIED (UINT64_C (1) << 58)
#define COVERED (UINT64_C (1) << 59)
#define SITE_MASK ((UINT64_C (1) << CAB_DEPS_SITE_BITS) - 1)
#define LEVEL_SHIFT 48u
#define DISTANCE_SHIFT 54u

/* What the bytes of an access depend on: the access that STAMP says, at NODE.  COVER: of a read, up
   to which level of the loops it had read what was written in the same iteration. */
struct source
{
  uint64_t stamp;
  uint32_t node, cover;
  enum cab_deps_kind kind;
  uint64_t row;               /* offset of the entry that counts it */
};

struct sources
{
  struct cab_arena *arena;
  const struct cab_deps_access *access;
  struct cab_deps_units units;
  unsigned n_units, n;
  bool many;
  struct source of[MOST_SOURCES];
};

void
cab_deps_pack (const struct cab_deps_row *row, uint64_t *sites, uint64_t *place)
{
  *sites = USED | row->to | (uint64_t) row->from << CAB_DEPS_SITE_BITS
	 | (uint64_t) row->kind << KIND_SHIFT | (row->carried ? CARRIED : 0)
	 | (row->covered ? COVERED : 0);
  *place = row->node | (uint64_t) row->from_node << 24 | (uint64_t) row->level << LEVEL_SHIFT
	 | (uint64_t) row->distance << DISTANCE_SHIFT;
}

void
cab_deps_unpack (uint64_t sites, uint64_t place, struct cab_deps_row *row)
{
  *row = (struct cab_deps_row) { .kind = sites >> KIND_SHIFT & 3,
				 .from = sites >> CAB_DEPS_SITE_BITS & SITE_MASK,
				 .to = sites & SITE_MASK,
				 .node = place & CAB_DEPS_NODE_MOST,
				 .from_node = place >> 24 & CAB_DEPS_NODE_MOST,
				 .level = place >> LEVEL_SHIFT & 63,
				 .carried = sites & CARRIED,
				 .distance = place >> DISTANCE_SHIFT & 511,
				 .covered = sites & COVERED };
}

/* Return the entry among ROWS, or the free one where it belongs; null if there is neither. */
static inline struct cab_deps_entry *
probe (const struct cab_arena *arena, uint64_t table, uint64_t sites, uint64_t place)
{
  struct cab_deps_entry *rows = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table);
  uint64_t i = cab_space_hash (sites ^ sites >> 32, place >> 32, place);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_deps_entry *row = &rows[i & (capacity - 1)];
      if (!row->sites || (row->sites == sites && row->place == place))
	return row;
    }
  return NULL;
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t old = cab_deps_state_of (arena)->rows, capacity = cab_space_capacity (arena, old);
  uint64_t table = cab_space_table (arena, capacity ? 2 * capacity : LEAST_ROWS,
				    sizeof (struct cab_deps_entry));
  if (!table)
    return false;
  const struct cab_deps_entry *rows = cab_space_elements (arena, old);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].sites)
      *probe (arena, table, rows[i].sites, rows[i].place) = rows[i];
  cab_space_order ();
  cab_deps_state_of (arena)->rows = table;
  return true;
}

struct cab_deps_entry *
cab_deps_entry_of (struct cab_arena *arena, uint64_t sites, uint64_t place)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_entry *row = probe (arena, s->rows, sites, place);
  if (row && row->sites)
    return row;
  if (s->n_rows >= cab_space_capacity (arena, s->rows) / 2 && !double_rows (arena))
    return NULL;
  s = cab_deps_state_of (arena);
  row = probe (arena, s->rows, sites, place);
  if (!row)
    return NULL;
  s->n_rows++;
  row->place = place;
  cab_space_order ();
  row->sites = sites;
  cab_space_order ();
  return row;
}

/* Add what STAMP says, unless it is there. */
static void
add (struct sources *s, enum cab_deps_kind kind, uint64_t stamp, uint32_t node, uint32_t cover)
{
  for (unsigned i = s->n; i-- > 0;)
    if (s->of[i].stamp == stamp && s->of[i].kind == kind && s->of[i].node == node)
      {
	s->of[i].cover = cover < s->of[i].cover ? cover : s->of[i].cover;
	return;
      }
  if (s->n == MOST_SOURCES)
    s->many = true;
  else
    s->of[s->n++] = (struct source) { stamp, node, cover, kind, 0 };
}

static inline uint32_t
cover_of (uint64_t more)
{
  return (more & CAB_DEPS_COVER_MASK) >> CAB_DEPS_COVER_SHIFT;
}

/* Return true if the accesses with the stamps A and B are at the same position. */
static bool
same_position (const struct cab_arena *arena, uint64_t a, uint64_t b)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_position p = cab_deps_position_of (s, a >> CAB_DEPS_SITE_BITS),
			   q = cab_deps_position_of (s, b >> CAB_DEPS_SITE_BITS);
  return p.level == q.level && p.carried == q.carried;
}

/* Add what UNIT says. */
static void
look_at (struct sources *s, const struct cab_deps_unit *unit)
{
  uint64_t read = unit->read, more = unit->more;
  uint32_t node = unit->more >> CAB_DEPS_NODE_SHIFT;
  if (!s->access->writes)
    {
      add (s, CAB_DEPS_RAW, unit->write, node, 0);
      return;
    }
  if (unit->write)
    add (s, CAB_DEPS_WAW, unit->write, node, 0);
  uint64_t later = 0;
  for (unsigned n = 0; read && n < CAB_DEPS_READS; n++)
    {
      if (!later || !same_position (s->arena, later, read))
	add (s, CAB_DEPS_WAR, read, 0, cover_of (more));
      later = read;
      const struct cab_deps_cell *cell = cab_deps_cell_at (s->arena,
							   (more & CAB_DEPS_NEXT_MASK) - 1);
      read = cell ? cell->read : 0;
      more = cell ? cell->more : 0;
    }
}

/* Make the row that counts SOURCE.  Return false if there is no room. */
static bool
make_row (struct sources *s, struct source *source)
{
  const struct cab_deps_state *state = cab_deps_state_of (s->arena);
  uint64_t time = source->stamp >> CAB_DEPS_SITE_BITS, sites, place;
  struct cab_deps_position p = cab_deps_position_of (state, time);
  struct cab_deps_row row = { .kind = source->kind,
			      .from = source->stamp & SITE_MASK,
			      .to = s->access->site & SITE_MASK,
			      .node = cab_deps_here (state),
			      .from_node = source->node,
			      .level = p.level,
			      .carried = p.carried };
  if (p.carried)
    row.distance = cab_deps_distance (state, p.level, time);
  row.covered = p.carried && source->kind == CAB_DEPS_WAR && source->cover >= p.level;
  cab_deps_pack (&row, &sites, &place);
  const struct cab_deps_entry *entry = cab_deps_entry_of (s->arena, sites, place);
  source->row = entry ? (const unsigned char *) entry - s->arena->base : 0;
  return entry;
}

/* Find what S depends on, and make its rows.  Return false if there is no room. */
static bool
find (struct sources *s)
{
  const struct cab_deps_unit *unit
    = (const struct cab_deps_unit *) (s->arena->base + s->units.offset);
  for (unsigned i = 0; i < s->n_units; i++)
    look_at (s, unit + i);
  uint64_t rows = 0;
  for (unsigned i = 0; !s->many && i < s->n; i++)
    if (!make_row (s, &s->of[i]))
      return false;
    else if (rows != cab_deps_state_of (s->arena)->rows)
      {
	/* The table was made larger: those before are at another place. */
	rows = cab_deps_state_of (s->arena)->rows;
	for (unsigned k = 0; k < i; k++)
	  make_row (s, &s->of[k]);
      }
  return !s->many;
}

#define UNIT(member) offsetof (struct cab_deps_unit, member)

/* Return up to which level a read that happens now is covered by the last write, whose stamp is
   WRITE. */
static uint64_t
cover_by (const struct cab_arena *arena, uint64_t write)
{
  struct cab_deps_position p = cab_deps_position_of (cab_deps_state_of (arena),
						     write >> CAB_DEPS_SITE_BITS);
  return p.level - p.carried;
}

/* Drop within CHANGE the reads after the cell at AT that are at the same position as a later one:
   from now on they always will be. */
static void
prune (struct cab_change *c, uint64_t at)
{
  for (unsigned n = 0; n < CAB_DEPS_READS && !c->failed; n++)
    {
      uint64_t more = cab_undo_get (c, at + offsetof (struct cab_deps_cell, more));
      const struct cab_deps_cell *next = cab_deps_cell_at (c->arena,
							   (more & CAB_DEPS_NEXT_MASK) - 1);
      if (!next)
	return;
      uint64_t next_at = (const unsigned char *) next - c->arena->base, next_more = next->more;
      if (!same_position (c->arena, cab_undo_get (c, at), next->read))
	{
	  at = next_at;
	  continue;
	}
      cab_undo_put (c, at + offsetof (struct cab_deps_cell, more),
		    (more & ~CAB_DEPS_NEXT_MASK) | (next_more & CAB_DEPS_NEXT_MASK));
      cab_undo_put (c, next_at + offsetof (struct cab_deps_cell, more),
		    cab_undo_get (c, CAB_DEPS_AT (free_cell)));
      cab_undo_put (c, CAB_DEPS_AT (free_cell), more & CAB_DEPS_NEXT_MASK);
    }
}

/* Take a free cell within CHANGE.  Return 1 + its index; 0 if there is none. */
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
  mine = cab_undo_get (c, CAB_DEPS_AT (n_cells)) + 1;
  cab_undo_put (c, CAB_DEPS_AT (n_cells), mine);
  return cab_deps_cell_at (c->arena, mine - 1) ? mine : 0;
}

/* Store the read STAMP in the unit at AT within CHANGE. */
static void
store_read (struct cab_change *c, uint64_t at, uint64_t stamp)
{
  uint64_t before = cab_undo_get (c, at + UNIT (read)), more = cab_undo_get (c, at + UNIT (more)),
	   cover = cover_by (c->arena, cab_undo_get (c, at + UNIT (write)))
		   << CAB_DEPS_COVER_SHIFT;
  if (before == stamp)
    return;
  cab_undo_put (c, at + UNIT (read), stamp);
  if (before && !same_position (c->arena, before, stamp))
    {
      uint64_t mine = take_cell (c);
      const struct cab_deps_cell *cell = cab_deps_cell_at (c->arena, mine - 1);
      if (!cell)
	{
	  c->failed = true;
	  return;
	}
      uint64_t cell_at = (const unsigned char *) cell - c->arena->base;
      cab_undo_put (c, cell_at, before);
      cab_undo_put (c, cell_at + offsetof (struct cab_deps_cell, more),
		    more & (CAB_DEPS_NEXT_MASK | CAB_DEPS_COVER_MASK));
      prune (c, cell_at);
      more = (more & ~CAB_DEPS_NEXT_MASK) | mine;
    }
  cab_undo_put (c, at + UNIT (more), (more & ~CAB_DEPS_COVER_MASK) | cover);
}

/* Store the write STAMP at NODE in the unit at AT within CHANGE, and free the reads before it. */
static void
store_write (struct cab_change *c, uint64_t at, uint64_t stamp, uint64_t node)
{
  uint64_t more = cab_undo_get (c, at + UNIT (more));
  cab_undo_put (c, at + UNIT (write), stamp);
  cab_undo_put (c, at + UNIT (read), 0);
  cab_undo_put (c, at + UNIT (more), node << CAB_DEPS_NODE_SHIFT);
  const struct cab_deps_cell *cell;
  for (unsigned n = 0; n < CAB_DEPS_READS
		       && (cell = cab_deps_cell_at (c->arena, (more & CAB_DEPS_NEXT_MASK) - 1));
       n++)
    {
      uint64_t mine = more & CAB_DEPS_NEXT_MASK,
	       cell_at = (const unsigned char *) cell - c->arena->base;
      more = cell->more;
      cab_undo_put (c, cell_at + offsetof (struct cab_deps_cell, more),
		    cab_undo_get (c, CAB_DEPS_AT (free_cell)));
      cab_undo_put (c, CAB_DEPS_AT (free_cell), mine);
    }
}

/* Count the event, which is over, within CHANGE. */
static void
count_event (struct cab_change *c, uint32_t node)
{
  cab_deps_count (c, cab_deps_state_of (c->arena)->nodes + sizeof (struct cab_table_head)
		       + node * sizeof (struct cab_deps_node)
		       + offsetof (struct cab_deps_node, accesses));
}

bool
cab_deps_apply (struct cab_arena *arena, const struct cab_deps_access *a, uint64_t part, bool ends)
{
  struct sources s;
  s.arena = arena;
  s.access = a;
  s.n = 0;
  s.many = false;
  s.units = cab_deps_units_of (arena, a->address, a->from, a->to);
  s.n_units = (a->to - a->from) >> s.units.log2;
  if (!s.units.offset || (!a->writes && !cab_deps_cells_for (arena, s.n_units)) || !find (&s))
    return false;
  uint32_t node = cab_deps_here (cab_deps_state_of (arena));
  uint64_t stamp = cab_deps_state_of (arena)->time << CAB_DEPS_SITE_BITS | a->site;
  struct cab_change change = cab_undo_begin (arena, CAB_DEPS_UNDO);
  for (unsigned i = 0; i < s.n; i++)
    cab_deps_count (&change, s.of[i].row + offsetof (struct cab_deps_entry, count));
  for (unsigned i = 0; i < s.n_units; i++)
    {
      uint64_t at = s.units.offset + i * sizeof (struct cab_deps_unit);
      if (a->writes)
	store_write (&change, at, stamp, node);
      else
	store_read (&change, at, stamp);
    }
  cab_undo_put (&change, CAB_DEPS_AT (part), part);
  if (ends)
    count_event (&change, node);
  return cab_undo_end (&change) == 0;
}
