/* deps_shadow.c - see deps_shadow.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/deps/deps_shadow.h"
#include "analyses/live/deps/deps_formula.h"

#define LEAST_HOMES 256
#define CELLS_OF_SLOT 12u        /* cells may take as much room as slots */
#define WHOLE_LOG2 3u            /* of the bytes of a unit of a line that was not divided */

static struct cab_deps_home *
homes_of (const struct cab_arena *arena)
{
  return cab_space_elements (arena, cab_deps_state_of (arena)->homes);
}

/* Return the entry of KEY among the homes of TABLE, or the free one where it belongs; null if there
   is neither. */
static struct cab_deps_home *
probe (const struct cab_arena *arena, uint64_t table, uint64_t key)
{
  struct cab_deps_home *homes = cab_space_elements (arena, table);
  uint64_t capacity = cab_space_capacity (arena, table), i = cab_space_hash (key >> 32, key, 3);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct cab_deps_home *home = &homes[i & (capacity - 1)];
      if (!home->key || home->key == key)
	return home;
    }
  return NULL;
}

/* Return the page of the memory at ADDRESS; null if it has none. */
static inline struct cab_deps_page *
find_page (const struct cab_arena *arena, uint64_t address)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t key = address / CAB_DEPS_PAGE_BYTES + 1;
  if (s->near_key != key)
    {
      const struct cab_deps_home *home = probe (arena, s->homes, key);
      if (!home || !home->key)
	return NULL;
      s->near_key = 0;
      cab_space_order ();
      s->near_page = home->page;
      cab_space_order ();
      s->near_key = key;
    }
  return s->near_page < s->n_pages
	 ? cab_segments_at (arena, &s->pages, s->near_page, sizeof (struct cab_deps_page))
	 : NULL;
}

static bool
double_homes (struct cab_arena *arena)
{
  uint64_t capacity = cab_space_capacity (arena, cab_deps_state_of (arena)->homes);
  uint64_t table = cab_space_table (arena, capacity ? 2 * capacity : LEAST_HOMES,
				    sizeof (struct cab_deps_home));
  if (!table)
    return false;
  for (uint64_t i = 0; i < capacity; i++)
    if (homes_of (arena)[i].key)
      *probe (arena, table, homes_of (arena)[i].key) = homes_of (arena)[i];
  cab_space_order ();
  cab_deps_state_of (arena)->homes = table;
  return true;
}

struct cab_deps_page *
cab_deps_page_at (const struct cab_arena *arena, uint64_t address)
{
  return find_page (arena, address);
}

struct cab_deps_page *
cab_deps_make_page (struct cab_arena *arena, uint64_t address)
{
  struct cab_deps_page *page = find_page (arena, address);
  if (page)
    return page;
  struct cab_deps_state *s = cab_deps_state_of (arena);
  if (s->n_homes >= cab_space_capacity (arena, s->homes) / 2 && !double_homes (arena))
    return NULL;
  uint64_t number = cab_deps_state_of (arena)->n_pages;
  page = number > UINT32_MAX ? NULL
			     : cab_segments_make (arena, CAB_DEPS_AT (pages), number, sizeof *page);
  if (!page)
    return NULL;
  memset (page, 0, sizeof *page);
  s = cab_deps_state_of (arena);
  s->n_pages = number + 1;
  s->n_homes++;
  struct cab_deps_home *home = probe (arena, s->homes, address / CAB_DEPS_PAGE_BYTES + 1);
  s->near_key = 0;
  cab_space_order ();
  home->page = number;
  cab_space_order ();
  home->key = address / CAB_DEPS_PAGE_BYTES + 1;
  cab_space_order ();
  return page;
}

struct cab_deps_slot *
cab_deps_slot_at (const struct cab_arena *arena, uint32_t ref)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint32_t slot = ref & CAB_DEPS_SLOT_MASK, n = 1u << (ref >> CAB_DEPS_HALVED_SHIFT & 3);
  return slot && !(ref & CAB_DEPS_FORMULA) && slot % n == 0 && slot + n <= s->n_slots
	 ? cab_segments_at (arena, &s->slots, slot, sizeof (struct cab_deps_slot))
	 : NULL;
}

uint32_t
cab_deps_take_slots (struct cab_arena *arena, unsigned halved)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  uint32_t n = 1u << halved, again = s->free_slot[halved];
  const struct cab_deps_slot *old = cab_deps_slot_at (arena, again);
  if (old && again >> CAB_DEPS_HALVED_SHIFT == halved)
    s->free_slot[halved] = old->unit[0].write;
  else
    {
      uint64_t first = s->n_slots ? (s->n_slots + n - 1) & -(uint64_t) n : CAB_DEPS_SLOT_UNITS;
      if (first + n > cab_deps_most_slots (s)
	  || !cab_segments_make (arena, CAB_DEPS_AT (slots), first, sizeof (struct cab_deps_slot)))
	return 0;
      cab_deps_state_of (arena)->n_slots = first + n;
      again = first | halved << CAB_DEPS_HALVED_SHIFT;
    }
  memset (cab_deps_slot_at (arena, again), 0, n * sizeof (struct cab_deps_slot));
  cab_space_order ();
  return again;
}

/* Use the slots of REF again. */
static void
give_slots (struct cab_arena *arena, uint32_t ref)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  unsigned halved = ref >> CAB_DEPS_HALVED_SHIFT & 3;
  cab_deps_slot_at (arena, ref)->unit[0].write = s->free_slot[halved];
  cab_space_order ();
  s->free_slot[halved] = ref;
}

struct cab_deps_cell *
cab_deps_cell_at (const struct cab_arena *arena, uint64_t index)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  return index < s->n_cells
	 ? cab_segments_at (arena, &s->cells, index, sizeof (struct cab_deps_cell))
	 : NULL;
}

bool
cab_deps_cells_for (struct cab_arena *arena, uint64_t n)
{
  const struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t end = s->n_cells + n;
  if (end <= s->cells_room)
    return true;
  if (end > cab_deps_most_slots (s) * CELLS_OF_SLOT
      || !cab_segments_make (arena, CAB_DEPS_AT (cells), end - n, sizeof (struct cab_deps_cell))
      || !cab_segments_make (arena, CAB_DEPS_AT (cells), end, sizeof (struct cab_deps_cell)))
    return false;
  cab_deps_state_of (arena)->cells_room = end;
  return true;
}

uint64_t
cab_deps_copy_cell (struct cab_arena *arena, uint64_t read, uint64_t more)
{
  if (!cab_deps_cells_for (arena, 1))
    return 0;
  struct cab_deps_state *s = cab_deps_state_of (arena);
  uint64_t index = s->n_cells;
  s->n_cells = index + 1;
  struct cab_deps_cell *cell = cab_deps_cell_at (arena, index);
  if (!cell)
    return 0;
  *cell = (struct cab_deps_cell) { read, more };
  return index + 1;
}

/* Give each of the units that ones like FROM became, but the first, reads of its own: NUMBER of REF
   gets copies of FROM's cells. */
static void
copy_cells (struct cab_arena *arena, uint32_t ref, unsigned number, uint64_t more)
{
  uint64_t last = 0;   /* 1 + index of the cell that was copied last; 0: the unit itself */
  cab_deps_slot_at (arena, ref)->unit[number].more &= ~CAB_DEPS_NEXT_MASK;
  const struct cab_deps_cell *cell;
  for (unsigned n = 0; n < CAB_DEPS_READS
		       && (cell = cab_deps_cell_at (arena, (more & CAB_DEPS_NEXT_MASK) - 1));
       n++)
    {
      more = cell->more;
      uint64_t made = cab_deps_copy_cell (arena, cell->read, cell->more & CAB_DEPS_COVER_MASK);
      if (!made)
	{
	  cab_deps_state_of (arena)->n_cut++;
	  return;
	}
      uint64_t *to = last ? &cab_deps_cell_at (arena, last - 1)->more
			  : &cab_deps_slot_at (arena, ref)->unit[number].more;
      *to |= made;
      last = made;
    }
}

/* Return a line like REF whose units were HALVED times; 0 if there is no room. */
static uint32_t
divide (struct cab_arena *arena, uint32_t ref, unsigned halved)
{
  unsigned before = ref >> CAB_DEPS_HALVED_SHIFT & 3, times = halved - before;
  uint32_t made = cab_deps_take_slots (arena, halved);
  for (unsigned i = 0; made && i < CAB_DEPS_SLOT_UNITS << halved; i++)
    {
      struct cab_deps_unit unit = cab_deps_slot_at (arena, ref)->unit[i >> times];
      cab_deps_slot_at (arena, made)->unit[i] = unit;
      if (i & ((1u << times) - 1) && unit.more & CAB_DEPS_NEXT_MASK)
	copy_cells (arena, made, i, unit.more);
    }
  return made;
}

struct cab_deps_units
cab_deps_units_at (const struct cab_arena *arena, uint64_t address, unsigned from, unsigned to)
{
  struct cab_deps_units units = { 0, 0 };
  const struct cab_deps_page *page = find_page (arena, address);
  uint32_t ref = page ? page->line[address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES] : 0;
  const struct cab_deps_slot *slot = cab_deps_slot_at (arena, ref);
  unsigned log2 = WHOLE_LOG2 - (ref >> CAB_DEPS_HALVED_SHIFT & 3);
  if (!slot || (from | to) & ((1u << log2) - 1))
    return units;
  units.log2 = log2;
  units.offset = (const unsigned char *) &slot->unit[from >> log2] - arena->base;
  return units;
}

struct cab_deps_units
cab_deps_units_of (struct cab_arena *arena, uint64_t address, unsigned from, unsigned to)
{
  struct cab_deps_units units = cab_deps_units_at (arena, address, from, to);
  if (units.offset)
    return units;
  unsigned ends = from | to, log2 = __builtin_ctz (ends | 1u << WHOLE_LOG2);
  unsigned line = address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES;
  struct cab_deps_page *page = cab_deps_make_page (arena, address);
  if (!page)
    return units;
  uint32_t ref = page->line[line];
  if (ref & CAB_DEPS_FORMULA)
    {
      if (!(ref = cab_deps_formula_to_slots (arena, address)))
	return units;
      page = find_page (arena, address);
    }
  bool known = cab_deps_slot_at (arena, ref);
  unsigned halved = known ? ref >> CAB_DEPS_HALVED_SHIFT & 3 : WHOLE_LOG2 - log2;
  if (!known || halved < WHOLE_LOG2 - log2)
    {
      halved = WHOLE_LOG2 - log2;
      uint32_t made = known ? divide (arena, ref, halved) : cab_deps_take_slots (arena, halved);
      if (!made)
	return units;
      page = find_page (arena, address);   /* the arena may have moved */
      page->line[line] = made;
      cab_space_order ();
      if (known)
	give_slots (arena, ref);
      ref = made;
    }
  units.log2 = WHOLE_LOG2 - halved;
  struct cab_deps_unit *unit = cab_deps_slot_at (arena, ref)->unit + (from >> units.log2);
  units.offset = (unsigned char *) unit - arena->base;
  return units;
}

void
cab_deps_free_cells (struct cab_arena *arena, uint64_t more)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  struct cab_deps_cell *cell;
  for (unsigned n = 0; n < CAB_DEPS_READS
		       && (cell = cab_deps_cell_at (arena, (more & CAB_DEPS_NEXT_MASK) - 1));
       n++)
    {
      uint64_t next = cell->more, mine = more & CAB_DEPS_NEXT_MASK;
      cell->more = s->free_cell;
      cab_space_order ();
      s->free_cell = mine;
      more = next;
    }
}

void
cab_deps_give_slots (struct cab_arena *arena, uint32_t ref)
{
  const struct cab_deps_slot *slot = cab_deps_slot_at (arena, ref);
  if (!slot)
    return;
  for (unsigned i = 0; i < CAB_DEPS_SLOT_UNITS << (ref >> CAB_DEPS_HALVED_SHIFT & 3); i++)
    cab_deps_free_cells (arena, slot->unit[i].more);
  give_slots (arena, ref);
}

/* Forget bytes [FROM, TO) of the line at ADDRESS. */
static void
clear_line (struct cab_arena *arena, uint64_t address, unsigned from, unsigned to)
{
  struct cab_deps_page *page = find_page (arena, address);
  uint32_t *line = page ? &page->line[address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES] : NULL;
  if (!line || !*line)
    return;
  struct cab_deps_units units = cab_deps_units_of (arena, address, from, to);
  if (!units.offset)
    {
      cab_deps_state_of (arena)->n_cut++;   /* what stays may be taken for a dependence */
      return;
    }
  struct cab_deps_unit *unit = (struct cab_deps_unit *) (arena->base + units.offset);
  for (unsigned i = 0; i < (to - from) >> units.log2; i++)
    {
      uint64_t more = unit[i].more;
      unit[i] = (struct cab_deps_unit) { 0, 0, 0 };
      cab_space_order ();
      cab_deps_free_cells (arena, more);
    }
  if (to - from < CAB_DEPS_LINE)
    return;
  page = find_page (arena, address);
  line = &page->line[address / CAB_DEPS_LINE % CAB_DEPS_PAGE_LINES];
  uint32_t ref = *line;
  *line = 0;
  cab_space_order ();
  give_slots (arena, ref);
}

/* Forget [START, END), which lies in one page of memory. */
static void
clear_page (struct cab_arena *arena, uint64_t start, uint64_t end)
{
  for (uint64_t line = start & -(uint64_t) CAB_DEPS_LINE; line < end && find_page (arena, start);
       line += CAB_DEPS_LINE)
    clear_line (arena, line, line < start ? start - line : 0,
		end - line < CAB_DEPS_LINE ? end - line : CAB_DEPS_LINE);
}

void
cab_deps_clear (struct cab_arena *arena, uint64_t start, uint64_t end)
{
  uint64_t first = start / CAB_DEPS_PAGE_BYTES, last = (end - 1) / CAB_DEPS_PAGE_BYTES,
	   capacity = cab_space_capacity (arena, cab_deps_state_of (arena)->homes),
	   n = last - first < capacity ? last - first + 1 : capacity;
  for (uint64_t i = 0; start < end && i < n; i++)
    {
      uint64_t page = n == capacity ? homes_of (arena)[i].key - 1 : first + i;
      if (page >= first && page <= last
	  && cab_deps_owns (cab_deps_state_of (arena), page * CAB_DEPS_PAGE_BYTES))
	clear_page (arena, page == first ? start : page * CAB_DEPS_PAGE_BYTES,
		    page == last ? end : (page + 1) * CAB_DEPS_PAGE_BYTES);
    }
}

void
cab_deps_forget (struct cab_arena *arena)
{
  struct cab_deps_state *s = cab_deps_state_of (arena);
  cab_space_clear ((unsigned char *) homes_of (arena),
		   cab_space_capacity (arena, s->homes) * sizeof (struct cab_deps_home));
  memset (s->free_slot, 0, sizeof s->free_slot);
  s->near_key = 0;
  s->n_homes = s->n_pages = s->n_slots = s->n_cells = s->free_cell = 0;
  s->n_formulas = s->free_formula = 0;
  cab_space_order ();
}
