/* an_sharing.c - count which threads read and write which bytes of which lines of memory, by which
 * accesses, from events of accesses and allocations.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      A row is what one access in the code did, in one thread, to one line of 64 bytes: in
 *             memory that the thread had allocated itself and not yet released ("own"), or in any
 *             other.  Two threads' own memory is never the same at the same time, so own bytes that
 *             two threads have in common were released in between.  An access that ends in another
 *             line than it begins counts in the one where it ends.  In memory that is not its own,
 *             where variables lie, an access has a row for each address at which it begins, so that
 *             what it did to each variable is known, whatever lies beside it.  A state makes no
 *             more than CAB_SHARING_FIRST of these; further addresses have rows by line.
 * Costs:      64 bytes for each row, twice that in the table.
 * Threads:    Each state has the rows of its ring's threads; a merged one has those of all threads
 *             of a process, and keeps several processes apart.
 *
 * State:      a hash table of rows, and the map of live blocks.  Bytes are recorded before the
 *             count, and recording them again changes nothing; an allocation changes several words,
 *             all or none (undo.h).
 */
#include "analyses/live/blocks.h"
#include "analyses/live/an_sharing.h"

#define NAME "sharing"
#define MAGIC 0x73686133u
#define LEAST 256
#define LINES_MOST (1u << 24)   /* an access of this many lines or more is lost */

/* Flags of a row's `what', above the number of the access. */
#define USED (UINT64_C (1) << 32)
#define OWN (UINT64_C (2) << 32)
#define BY_LINE (UINT64_C (4) << 32)

struct row
{
  uint64_t what;      /* 0: the row is free; stored last */
  uint64_t address;   /* where the access begins in the line; BY_LINE: where the line begins */
  uint64_t who;       /* process << 32 | thread; process: 0, or 1 + its number */
  uint64_t read, written;
  uint64_t reads, writes;
  uint64_t allocation;   /* OWN: 1 + the number of the allocation that made the memory, the last
			    time */
};

struct state
{
  uint32_t magic, reserved;
  uint64_t lost;
  uint64_t rows;      /* table of struct row; capacity: a power of two */
  uint64_t n_rows;    /* rows in use, or a few more */
  uint64_t n_first;   /* those of them that are not BY_LINE */
  uint64_t others;    /* events that no row counts: allocations, releases, accesses of no bytes */
  struct cab_undo undo;
  struct cab_blocks blocks;   /* `site' of a block: 1 + the thread that allocated it, and, << 32, 1
				 + the number of the allocation */
};

#define UNDO offsetof (struct state, undo)
#define BLOCKS offsetof (struct state, blocks)

/* What is needed to apply a batch; rows and capacity are taken again whenever the arena may have
   moved. */
struct feeding
{
  struct cab_arena *arena;
  struct row *rows;
  uint64_t capacity;                  /* of rows */
  uint64_t who;
  struct cab_blocks_range range[2];   /* the last range found of memory that is own [1], and of
					 memory that is not [0]; empty: none */
};

static struct state *
state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct state), MAGIC) ? (struct state *) arena->base : NULL;
}

static int
sharing_open (struct cab_arena *arena, const char *arguments, struct cab_diag *diag)
{
  return cab_state_open (arena, sizeof (struct state), MAGIC, NAME, arguments, diag);
}

static inline uint64_t
hash (uint64_t what, uint64_t address, uint64_t who)
{
  return cab_space_hash (what ^ who << 20 ^ who >> 32 << 12, address >> 32, address);
}

/* Return the row among ROWS, or the free one where it belongs; null if there is neither. */
static inline struct row *
probe (struct row *rows, uint64_t capacity, uint64_t what, uint64_t address, uint64_t who)
{
  uint64_t i = hash (what, address, who);
  for (uint64_t n = 0; n < capacity; n++, i++)
    {
      struct row *row = &rows[i & (capacity - 1)];
      if (!row->what || (row->what == what && row->address == address && row->who == who))
	return row;
    }
  return NULL;
}

static struct row *
rows_of (const struct cab_arena *arena)
{
  return cab_space_elements (arena, state_of (arena)->rows);
}

static uint64_t
capacity_of (const struct cab_arena *arena)
{
  return cab_space_capacity (arena, state_of (arena)->rows);
}

static bool
double_rows (struct cab_arena *arena)
{
  uint64_t capacity = capacity_of (arena), twice = capacity ? capacity * 2 : LEAST;
  uint64_t table = cab_space_table (arena, twice, sizeof (struct row));
  if (!table)
    return false;
  const struct row *rows = rows_of (arena);
  for (uint64_t i = 0; i < capacity; i++)
    if (rows[i].what)
      *probe (cab_space_elements (arena, table), twice, rows[i].what, rows[i].address, rows[i].who)
	= rows[i];
  cab_space_order ();
  state_of (arena)->rows = table;
  return true;
}

/* Return the row, making it if need be; null if there is no room.  A new row exists once `what' is
   stored.  May move the arena. */
static struct row * __attribute__ ((noinline))
row_of (struct cab_arena *arena, uint64_t what, uint64_t address, uint64_t who)
{
  struct row *row = probe (rows_of (arena), capacity_of (arena), what, address, who);
  if (row && row->what)
    return row;
  if (state_of (arena)->n_rows >= capacity_of (arena) / 2 && !double_rows (arena))
    return NULL;
  row = probe (rows_of (arena), capacity_of (arena), what, address, who);
  if (!row)
    return NULL;
  state_of (arena)->n_rows++;
  state_of (arena)->n_first += !(what & BY_LINE);
  row->address = address;
  row->who = who;
  cab_space_order ();
  row->what = what;
  cab_space_order ();
  return row;
}

/* Take the addresses of F; called at the start and after all that may have moved the arena. */
static void
begin (struct feeding *f, struct cab_arena *arena)
{
  f->arena = arena;
  f->rows = rows_of (arena);
  f->capacity = capacity_of (arena);
}

/* Return the row of an access, by line if WHAT says so, making it if need be; null if there is no
   room. */
static inline struct row *
find_or_make (struct feeding *f, uint64_t what, uint64_t address)
{
  struct row *row = probe (f->rows, f->capacity, what, address, f->who);
  if (__builtin_expect (row && row->what, 1))
    return row;
  row = row_of (f->arena, what, address, f->who);
  begin (f, f->arena);
  return row;
}

/* Return the row of an access that begins at ADDRESS of memory that is not its own, making it if
   need be: by line if there are enough rows by address; null if there is no room. */
static inline struct row *
row_by_address (struct feeding *f, uint64_t what, uint64_t address)
{
  struct row *row = probe (f->rows, f->capacity, what, address, f->who);
  if (__builtin_expect (row && row->what, 1))
    return row;
  bool enough = state_of (f->arena)->n_first >= CAB_SHARING_FIRST;
  return find_or_make (f, what | (enough ? BY_LINE : 0),
		       enough ? address & -(uint64_t) CAB_SHARING_LINE : address);
}

/* Record in ROW the bytes of MASK, and the ALLOCATION of their memory. */
static inline void
note_bytes (struct row *row, unsigned form, uint64_t mask, uint64_t allocation)
{
  row->allocation = allocation;
  row->read |= form & CAB_ROW_READ ? mask : 0;
  row->written |= form & CAB_ROW_WRITE ? mask : 0;
}

/* Record the bytes of an access of [ADDRESS, END], which spans several lines, as note_access does.
   Lines between the first and the last have rows by line.  Return the last line's row, or null if
   there is no room. */
static struct row *__attribute__ ((noinline))
note_lines (struct feeding *f, uint64_t what, unsigned form, uint64_t address, uint64_t end,
	    uint64_t allocation)
{
  uint64_t first = address / CAB_SHARING_LINE, last = end / CAB_SHARING_LINE;
  struct row *row = NULL;
  for (uint64_t line = first; line <= last && last - first < LINES_MOST; line++)
    {
      uint64_t start = line == first && !(what & BY_LINE) ? address : line * CAB_SHARING_LINE;
      uint64_t mask = (line == first ? ~UINT64_C (0) << address % CAB_SHARING_LINE : ~UINT64_C (0))
		    & (line == last
			 ? ~UINT64_C (0) >> (CAB_SHARING_LINE - 1 - end % CAB_SHARING_LINE)
			 : ~UINT64_C (0));
      bool inside = line != first && line != last;
      row = what & BY_LINE || inside ? find_or_make (f, what | BY_LINE, start)
				     : row_by_address (f, what, start);
      if (!row)
	break;
      note_bytes (row, form, mask, allocation);
    }
  return row;
}

/* Count an access of [ADDRESS, END]: record the bytes in each line's row, then raise the count in
   the last one's.  ALLOCATION: 1 + the number of the allocation that made its memory, if that is
   own, else 0. */
static inline void
note_access (struct feeding *f, uint32_t site, unsigned form, uint64_t address, uint64_t end,
	     uint64_t allocation)
{
  bool own = allocation;
  uint64_t what = USED | site | (own ? OWN | BY_LINE : 0);
  struct row *row;
  if (__builtin_expect ((address ^ end) < CAB_SHARING_LINE, 1))
    {
      row = own ? find_or_make (f, what, address & -(uint64_t) CAB_SHARING_LINE)
		: row_by_address (f, what, address);
      if (row)
	note_bytes (row, form,
		    ((UINT64_C (2) << (end - address)) - 1) << address % CAB_SHARING_LINE,
		    allocation);
    }
  else
    row = note_lines (f, what, form, address, end, allocation);
  cab_space_count (!row ? &state_of (f->arena)->lost
		   : form & CAB_ROW_WRITE ? &row->writes
		   : &row->reads);
}

/* Return 1 + the number of the allocation by thread ME - 1 that made the memory at ADDRESS; 0 if
   that is not own memory. */
static inline uint64_t
own_allocation (struct feeding *f, uint64_t address, uint32_t me)
{
  for (int own = 0; own < 2; own++)
    if (address >= f->range[own].low && address < f->range[own].high)
      return own ? f->range[own].site >> 32 : 0;
  struct cab_blocks_range range = cab_blocks_find (f->arena, BLOCKS, address);
  bool own = range.site && (uint32_t) range.site == me;
  f->range[own] = range;
  return own ? range.site >> 32 : 0;
}

/* Apply row I of BATCH, which is an allocation, a release, or both.  Return false if there is no
   room; then nothing has been counted. */
static bool
apply_allocation (struct cab_arena *arena, const struct cab_batch *batch, uint32_t i)
{
  uint64_t others = offsetof (struct state, others);
  if (batch->form[i] != CAB_ROW_RELEASED && !cab_blocks_reserve (arena, BLOCKS))
    return false;
  struct cab_change change = cab_undo_begin (arena, UNDO);
  cab_undo_put (&change, others, cab_undo_get (&change, others) + 1);
  cab_blocks_apply (&change, BLOCKS, batch, i,
		    (batch->site[i] + UINT64_C (1)) << 32 | (uint32_t) (batch->thread + 1));
  return cab_undo_end (&change) == 0;
}

static void
sharing_feed (struct cab_arena *arena, const struct cab_batch *batch,
	      const struct cab_functions *functions)
{
  static const struct cab_blocks_range nothing = { 1, 0, 0 };
  (void) functions;
  if (batch->kind != CAB_EV_ACCESS || (!state_of (arena) && sharing_open (arena, "", NULL) < 0))
    return;
  struct feeding f = { .who = batch->thread, .range = { nothing, nothing } };
  cab_undo_settle (arena, UNDO);
  begin (&f, arena);
  for (uint32_t i = 0; i < batch->n; i++)
    {
      uint64_t address = batch->address[i], end = address + batch->bytes[i] - 1;
      if (batch->form[i] & (CAB_ROW_ALLOCATED | CAB_ROW_RELEASED))
	{
	  f.range[0] = f.range[1] = nothing;
	  if (!apply_allocation (arena, batch, i))
	    cab_space_count (&state_of (arena)->lost);
	  begin (&f, arena);
	}
      else if (!batch->bytes[i])
	cab_space_count (&state_of (arena)->others);
      else
	note_access (&f, batch->site[i], batch->form[i], address, end < address ? UINT64_MAX : end,
		     own_allocation (&f, address, batch->thread + 1));
    }
}

/* Forget the blocks that the previous thread has not released: none is THREAD's own, but a release
   of one would end those of THREAD that begin in it. */
static void
sharing_begin_thread (struct cab_arena *arena, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena))
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_empty (arena, BLOCKS);
}

/* Make the live blocks of ARENA those of FROM. */
static void
sharing_carry (struct cab_arena *arena, const struct cab_arena *from, uint32_t thread)
{
  (void) thread;
  if (!state_of (arena) || !state_of (from))
    return;
  cab_undo_settle (arena, UNDO);
  cab_blocks_carry (arena, from, BLOCKS);
}

bool
cab_sharing_next (const struct cab_arena *arena, uint64_t *cursor, struct cab_sharing_row *out)
{
  uint64_t capacity = state_of (arena) ? capacity_of (arena) : 0;
  while (*cursor < capacity)
    {
      const struct row *row = &rows_of (arena)[(*cursor)++];
      if (!row->what)
	continue;
      *out = (struct cab_sharing_row) { .address = row->address,
					.thread = row->who,
					.process = row->who >> 32,
					.site = row->what,
					.own = row->what & OWN,
					.by_line = row->what & BY_LINE,
					.allocation = row->allocation ? row->allocation - 1 : 0,
					.read = row->read,
					.written = row->written,
					.reads = row->reads,
					.writes = row->writes };
      return true;
    }
  return false;
}

/* Return `others' as it was before a change that was cut off. */
static uint64_t
others_of (const struct cab_arena *arena)
{
  uint64_t others = state_of (arena)->others;
  cab_undo_overlay (arena, UNDO, offsetof (struct state, others), &others, 1);
  return others;
}

static uint64_t
sharing_applied (const struct cab_arena *arena)
{
  struct cab_sharing_row row;
  uint64_t sum = state_of (arena) ? others_of (arena) : 0;
  for (uint64_t cursor = 0; cab_sharing_next (arena, &cursor, &row);)
    sum += row.reads + row.writes;
  return sum;
}

static uint64_t
sharing_lost (const struct cab_arena *arena)
{
  return state_of (arena) ? state_of (arena)->lost : 0;
}

/* Return true if the word at OFFSET is the one of the state itself that a change may alter. */
static bool
is_others (const struct cab_arena *arena, uint64_t offset)
{
  (void) arena;
  return offset == offsetof (struct state, others);
}

static int
sharing_check (const struct cab_arena *arena, struct cab_diag *diag)
{
  const struct state *state = state_of (arena);
  if (!state)
    return cab_state_is (arena, sizeof (struct state), 0)
	   ? 0
	   : cab_state_refuse (diag, NAME, "the state has a foreign mark");
  const struct cab_blocks_host host = { NAME, sizeof *state, UNDO, BLOCKS, is_others, NULL, 0 };
  return cab_blocks_check (arena, &host, state->rows, state->n_rows, sizeof (struct row), diag);
}

/* Return WHO with the process that MAP says, unless it has one. */
static uint64_t
mapped_who (uint64_t who, const struct cab_idmap *map)
{
  return who >> 32 || !map ? who : (uint64_t) (map->process + 1) << 32 | who;
}

static int
sharing_merge (struct cab_arena *into, const struct cab_arena *from, const struct cab_idmap *map,
	       struct cab_diag *diag)
{
  if (!state_of (into) && sharing_open (into, "", diag) < 0)
    return -1;
  cab_undo_settle (into, UNDO);
  for (uint64_t i = 0; state_of (from) && i < capacity_of (from); i++)
    {
      const struct row *row = &rows_of (from)[i];
      uint64_t site = map ? cab_space_mapped (map->access, map->n_access, row->what)
			  : (uint32_t) row->what;
      struct row *to = row->what ? row_of (into, row->what >> 32 << 32 | site, row->address,
					   mapped_who (row->who, map))
				 : NULL;
      if (to)
	{
	  uint32_t allocation = row->allocation ? row->allocation - 1 : 0;
	  allocation = map ? cab_space_mapped (map->access, map->n_access, allocation) : allocation;
	  if (allocation && to->allocation <= allocation)   /* of several allocations any one will
							       do; the greatest, so that the order
							       of merges does not matter */
	    to->allocation = allocation + UINT64_C (1);
	  to->read |= row->read;
	  to->written |= row->written;
	  to->reads += row->reads;
	  to->writes += row->writes;
	}
      else if (row->what)
	state_of (into)->lost += row->reads + row->writes;
    }
  state_of (into)->others += state_of (from) ? others_of (from) : 0;
  state_of (into)->lost += sharing_lost (from);
  return 0;
}

const struct cab_analysis cab_sharing = {
  .abi = CAB_ANALYSIS_ABI,
  .name = NAME,
  .summary = "which threads read and write which bytes of which lines of memory, by which accesses",
  .kinds = 1u << CAB_EV_ACCESS,
  .shard = CAB_SHARD_THREAD,
  .arena_bytes = 65536,
  .open = sharing_open,
  .feed = sharing_feed,
  .applied = sharing_applied,
  .lost = sharing_lost,
  .check = sharing_check,
  .merge = sharing_merge,
  .begin_thread = sharing_begin_thread,
  .carry = sharing_carry
};
