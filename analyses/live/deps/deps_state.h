/* deps_state.h - the state of the analysis `deps'; for the files of this folder.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 *
 * Model:      Time advances by one with each row of a loop, so two accesses have the same time if
 *             no loop began, iterated or ended between them.  The shadow has, for each byte of
 *             memory that was accessed, the last write and the last reads since then, each as a
 *             stamp: time << CAB_DEPS_SITE_BITS | number of the access; 0: none.
 * Shapes:     homes: a hash table from pages of 4,096 bytes to `pages', which refer to lines of 64
 *             bytes.  A line is 8, 16, 32 or 64 units of 8, 4, 2 or 1 bytes, in 1, 2, 4 or 8
 *             consecutive slots: 24 bytes for each unit.  A line begins with units of 8 bytes, or
 *             of fewer if the access says so, and is divided when an access begins or ends within
 *             one. What a unit has is thus true of each of its bytes.
 *             Consecutive lines that a loop went through have one formula together, which gives
 *             what each of their units has.
 *             A state may be a part of several: the shadow of some pages alone.  It knows all loops
 *             and live blocks, and part 0 counts the loops.  Accesses are counted where they begin.
 * Threads:    as the arena: one at a time.
 */
#ifndef CAB_DEPS_STATE_H
#define CAB_DEPS_STATE_H

#include "analyses/live/blocks.h"
#include "analyses/live/segments.h"
#include "analyses/wire/keyed.h"

#define CAB_DEPS_MAGIC 0x64657032u
#define CAB_DEPS_LEVELS 31u      /* most loops in each other whose iterations are told apart */
#define CAB_DEPS_DEEPEST 255u    /* most loops in each other whose ends are recognised */
#define CAB_DEPS_PAST 256u       /* iterations whose begin is remembered */
#define CAB_DEPS_SITE_BITS 28u
#define CAB_DEPS_SITE_MASK ((UINT64_C (1) << CAB_DEPS_SITE_BITS) - 1)
#define CAB_DEPS_TIME_MOST ((UINT64_C (1) << 36) - 1)
#define CAB_DEPS_NODE_MOST ((UINT64_C (1) << 24) - 1)
#define CAB_DEPS_LINE 64u
#define CAB_DEPS_PAGE_LINES 64u
#define CAB_DEPS_PAGE_BYTES (CAB_DEPS_PAGE_LINES * CAB_DEPS_LINE)

/* `more' of a unit and of a cell: 1 + the index of the cell with the next older read, or 0; above
   it the level up to which this read is covered (see cab_deps_row); of a unit, above that,
   the node at which its last write happened. */
#define CAB_DEPS_NEXT_MASK UINT64_C (0xffffffff)
#define CAB_DEPS_COVER_SHIFT 32u
#define CAB_DEPS_COVER_MASK (UINT64_C (0xff) << CAB_DEPS_COVER_SHIFT)
#define CAB_DEPS_NODE_SHIFT 40u

/* A unit has fewer reads than this: their positions differ.  A damaged state may have a circle. */
#define CAB_DEPS_READS (2 * CAB_DEPS_LEVELS + 2)

/* The unit of the shadow: the last write, and the last read since. */
struct cab_deps_unit
{
  uint64_t write, read, more;
};

/* An earlier read since the last write, which is at another position among the loops (struct
   cab_deps_position) than all later ones.  A free cell has the next free one in `more'. */
struct cab_deps_cell
{
  uint64_t read, more;
};

#define CAB_DEPS_SLOT_UNITS 8u
struct cab_deps_slot
{
  struct cab_deps_unit unit[CAB_DEPS_SLOT_UNITS];
};

/* References to lines: the number of the first slot, and above it how often units of 8 bytes were
   halved; or CAB_DEPS_FORMULA and the number of a formula; 0: no line. */
#define CAB_DEPS_SLOT_MASK ((1u << 28) - 1)
#define CAB_DEPS_HALVED_SHIFT 28u
#define CAB_DEPS_FORMULA (1u << 31)
struct cab_deps_page
{
  uint32_t line[CAB_DEPS_PAGE_LINES];
};

/* Stamps that grow by a constant from unit to unit: that of the unit with number u, its address by
   its bytes, is base + u * step.  Both 0: none. */
struct cab_deps_slope
{
  uint64_t base, step;
};

/* What the units of some lines have.  A free formula has no lines, and the number of the next free
   one, from 1, in `node'. */
#define CAB_DEPS_FORMULA_READS 5u
struct cab_deps_formula
{
  uint64_t lines;             /* that refer to it */
  uint64_t log2, node;        /* of the bytes of a unit; of the last write */
  struct cab_deps_slope write;
  uint64_t n_reads;           /* reads since then that units and cells would have, latest first */
  struct cab_deps_slope read[CAB_DEPS_FORMULA_READS];
  uint64_t cover[CAB_DEPS_FORMULA_READS];
};

/* An entry of the hash table of pages. */
struct cab_deps_home
{
  uint64_t key;       /* 1 + address / 4096; 0: free */
  uint64_t page;      /* index in `pages' */
};

/* A place among loops: LOOP, entered while control was at PARENT.  Node 0 is outside all loops. */
struct cab_deps_node
{
  uint64_t key;       /* parent << 32 | number of the loop */
  uint64_t executions, iterations, accesses;
};

/* A row: COUNT dependences of one kind. */
struct cab_deps_entry
{
  uint64_t sites, place;   /* as cab_deps_pack makes them; sites 0: free */
  uint64_t count;
};

/* An execution of a loop that has not ended. */
struct cab_deps_frame
{
  uint64_t node, begin, n;           /* begin: its time; n: iterations begun */
  uint64_t even;                     /* iteration i <= even began i rows of loops after BEGIN */
  uint64_t start[CAB_DEPS_PAST];     /* of the others: time of the begin of iteration i, from 1,
					at i modulo CAB_DEPS_PAST */
};

struct cab_deps_state
{
  uint32_t magic;
  uint16_t share, n_shares;          /* `part' and `n_parts' of struct cab_batch */
  uint64_t lost;
  uint64_t most_slots;               /* limit of the shadow of all parts */
  uint64_t rows, n_rows;             /* hash table of struct cab_deps_entry; rows in use, or more */
  uint64_t nodes, n_nodes;           /* table of struct cab_deps_node; those in use */
  uint64_t index;                    /* hash table of uint32_t: nodes by their key */
  uint64_t homes, n_homes;           /* hash table of struct cab_deps_home */
  uint64_t n_pages, n_slots;         /* used so far */
  uint64_t near_key, near_page;      /* the entry of `homes' that was looked up last */
  uint64_t cells_room;               /* so many cells have their segments */
  uint64_t free_slot[4];             /* first of the slots to use again, by halvings, linked by
					`write' of their first unit; 0: none */
  uint64_t n_cut;                    /* reads that were forgotten for lack of room */
  struct cab_segments pages, slots, cells, formulas;
  struct cab_undo undo;
  struct cab_blocks blocks;
  /* What changes may alter. */
  uint64_t time, part;               /* time: from 1; part: lines of the next event that are done
					already */
  uint64_t marks, others, deep;      /* events: of loops; allocations, accesses of no bytes, and
					those that another part counts.  deep: executions in more
					than CAB_DEPS_LEVELS loops */
  uint64_t n_cells, free_cell;       /* used so far; 1 + the first free one, 0: none */
  uint64_t n_formulas, free_formula;
  uint64_t stretch, done;            /* events of the stretch in progress, 0: there is none; how
					many of them are applied */
  uint64_t depth;                    /* of the stack of loops */
  uint64_t loop[CAB_DEPS_DEEPEST];   /* their numbers, outermost first */
  struct cab_deps_frame frame[CAB_DEPS_LEVELS];   /* of the outermost ones */
};

static inline struct cab_deps_state *
cab_deps_state_of (const struct cab_arena *arena)
{
  return cab_state_is (arena, sizeof (struct cab_deps_state), CAB_DEPS_MAGIC)
	 ? (struct cab_deps_state *) arena->base
	 : NULL;
}

/* Return true if the memory at ADDRESS belongs to S. */
static inline bool
cab_deps_owns (const struct cab_deps_state *s, uint64_t address)
{
  return s->n_shares < 2
      || cab_keyed_part (address / CAB_DEPS_PAGE_BYTES, s->n_shares) == s->share;
}

/* Return the limit of the shadow of S, in slots. */
static inline uint64_t
cab_deps_most_slots (const struct cab_deps_state *s)
{
  return s->n_shares < 2 ? s->most_slots : s->most_slots / s->n_shares;
}

/* The offset of a member of the state. */
#define CAB_DEPS_AT(member) offsetof (struct cab_deps_state, member)
#define CAB_DEPS_UNDO CAB_DEPS_AT (undo)
#define CAB_DEPS_BLOCKS CAB_DEPS_AT (blocks)

/* Add one to the word at OFFSET within CHANGE.  Words are changed by their offsets, since the log
   of a change may move the arena. */
static inline void
cab_deps_count (struct cab_change *change, uint64_t offset)
{
  cab_undo_put (change, offset, cab_undo_get (change, offset) + 1);
}

/* Return the offset of NODE, which exists. */
static inline uint64_t
cab_deps_node_at (const struct cab_deps_state *s, uint64_t node)
{
  return s->nodes + sizeof (struct cab_table_head) + node * sizeof (struct cab_deps_node);
}

/* Add N events to the word at OFFSET within CHANGE. */
static inline void
cab_deps_count_events (struct cab_change *change, uint64_t offset, uint64_t n)
{
  uint64_t stretch = cab_undo_get (change, CAB_DEPS_AT (stretch)),
	   done = cab_undo_get (change, CAB_DEPS_AT (done)) + n;
  cab_undo_put (change, offset, cab_undo_get (change, offset) + n);
  if (!stretch)
    return;
  cab_undo_put (change, CAB_DEPS_AT (done), done < stretch ? done : 0);
  if (done >= stretch)
    cab_undo_put (change, CAB_DEPS_AT (stretch), 0);
}

/* Return where to count an event that accesses ADDRESS at NODE: the offset of a word. */
static inline uint64_t
cab_deps_event_at (const struct cab_deps_state *s, uint64_t node, uint64_t address)
{
  return cab_deps_owns (s, address)
	 ? cab_deps_node_at (s, node) + offsetof (struct cab_deps_node, accesses)
	 : CAB_DEPS_AT (others);
}

/* Return how many of the loops in progress are told apart. */
static inline unsigned
cab_deps_levels (const struct cab_deps_state *s)
{
  return s->depth < CAB_DEPS_LEVELS ? s->depth : CAB_DEPS_LEVELS;
}

/* Return the node at which control is. */
static inline uint32_t
cab_deps_here (const struct cab_deps_state *s)
{
  unsigned levels = cab_deps_levels (s);
  uint64_t node = levels ? s->frame[levels - 1].node : 0;
  return node < s->n_nodes ? node : 0;
}

#endif
