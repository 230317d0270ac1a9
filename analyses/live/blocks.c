/* blocks.c - an ordered map of live blocks, see blocks.h.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "analyses/live/blocks.h"

#define LEAST 256
#define DEPTH 256  /* a tree of 2^32 blocks is shallower than this by a wide margin; a deeper one is
		      a damaged state */

/* The offset in the arena of FIELD of node INDEX, as cab_undo_put takes it. */
#define FIELD(index, field) \
  (node_offset (c->arena, at, index) + offsetof (struct cab_live_block, field))

static struct cab_blocks *
blocks_of (const struct cab_arena *arena, uint64_t at)
{
  return (struct cab_blocks *) (arena->base + at);
}

/* Return node INDEX, or null for 0 and for an index that is beyond the table. */
static const struct cab_live_block *
node (const struct cab_arena *arena, uint64_t at, uint64_t index)
{
  const struct cab_blocks *b = blocks_of (arena, at);
  if (!index || index >= cab_space_capacity (arena, b->nodes))
    return NULL;
  return (const struct cab_live_block *) cab_space_elements (arena, b->nodes) + index;
}

/* Return the offset in the arena of node INDEX, or one that cab_undo_put refuses if there is
   none. */
static uint64_t
node_offset (const struct cab_arena *arena, uint64_t at, uint64_t index)
{
  const struct cab_live_block *n = node (arena, at, index);
  return n ? (uint64_t) ((const unsigned char *) n - arena->base) : UINT64_MAX - 7 - sizeof *n;
}

/* Return the priority of N in the treap: a hash of its start, so that it needs no word of its
   own. */
static uint64_t
priority (const struct cab_live_block *n)
{
  return cab_space_hash (n->start, n->start >> 32, 7);
}

/* Return true if A belongs above B in the treap. */
static bool
goes_above (const struct cab_live_block *a, const struct cab_live_block *b)
{
  uint64_t x = priority (a), y = priority (b);
  return x != y ? x > y : a->start < b->start;
}

/* Return the block that begins last of those that hold ADDRESS, in the subtree INDEX; null if there
   is none.  The search takes at most two ways down; *STEPS is what is left of them. */
static const struct cab_live_block *
find (const struct cab_arena *arena, uint64_t at, uint64_t index, uint64_t address, int *steps)
{
  while (--*steps > 0)
    {
      const struct cab_live_block *n = node (arena, at, index);
      if (!n || n->top <= address)
	return NULL;
      if (n->start <= address)
	{
	  const struct cab_live_block *right = find (arena, at, n->right, address, steps);
	  if (right || n->end > address)
	    return right ? right : n;
	}
      index = n->left;
    }
  return NULL;
}

static const struct cab_live_block *
find_from_root (const struct cab_arena *arena, uint64_t at, uint64_t address)
{
  int steps = 2 * DEPTH;
  return find (arena, at, blocks_of (arena, at)->root, address, &steps);
}

/* Return the least start that is >= START, or UINT64_MAX. */
static uint64_t
next_start (const struct cab_arena *arena, uint64_t at, uint64_t start)
{
  uint64_t best = UINT64_MAX, index = blocks_of (arena, at)->root;
  for (int depth = 0; depth < DEPTH; depth++)
    {
      const struct cab_live_block *n = node (arena, at, index);
      if (!n)
	break;
      best = n->start >= start ? n->start : best;
      index = n->start >= start ? n->left : n->right;
    }
  return best;
}

struct cab_blocks_range
cab_blocks_find (const struct cab_arena *arena, uint64_t at, uint64_t address)
{
  const struct cab_live_block *n = find_from_root (arena, at, address);
  uint64_t next = next_start (arena, at, address == UINT64_MAX ? address : address + 1);
  if (!n)
    return (struct cab_blocks_range) { address, next, 0 };
  /* Other blocks may begin and end between the block's start and the address. */
  bool alone = next_start (arena, at, n->start + 1) > address;
  return (struct cab_blocks_range) { alone ? n->start : address, next < n->end ? next : n->end,
				     n->site };
}

/* Store to *FIRST the start of the first block that begins in [START, END).  Return false if there
   is none. */
static bool
first_inside (const struct cab_arena *arena, uint64_t at, uint64_t start, uint64_t end,
	      uint64_t *first)
{
  *first = next_start (arena, at, start);
  return *first < end;
}

/* Store to *OTHER the start of a block that cannot live beside one of [START, END), because it
   begins in it, or holds START and ends before END.  Return false if there is none. */
static bool
in_the_way (const struct cab_arena *arena, uint64_t at, uint64_t start, uint64_t end,
	    uint64_t *other)
{
  if (first_inside (arena, at, start, end, other))
    return true;
  const struct cab_live_block *n = find_from_root (arena, at, start);
  *other = n ? n->start : 0;
  return n && n->end < end;
}

bool
cab_blocks_reserve (struct cab_arena *arena, uint64_t at)
{
  const struct cab_blocks *b = blocks_of (arena, at);
  if (b->free || b->n_nodes + 1 < cab_space_capacity (arena, b->nodes))
    return true;
  uint64_t table = cab_space_table_for (arena, b->nodes, b->n_nodes + 1, LEAST,
					sizeof (struct cab_live_block));
  if (table)
    blocks_of (arena, at)->nodes = table;
  cab_space_order ();
  return table;
}

static uint64_t
top_of (const struct cab_arena *arena, uint64_t at, uint64_t index)
{
  const struct cab_live_block *n = node (arena, at, index);
  return n ? n->top : 0;
}

/* Compute the top of INDEX from those of its children. */
static void
fix_top (struct cab_change *c, uint64_t at, uint64_t index)
{
  const struct cab_live_block *n = node (c->arena, at, index);
  uint64_t left = n ? top_of (c->arena, at, n->left) : 0,
	   right = n ? top_of (c->arena, at, n->right) : 0;
  uint64_t top = n ? n->end : 0;
  top = left > top ? left : top;
  cab_undo_put (c, FIELD (index, top), right > top ? right : top);
}

/* Split the tree INDEX into *BELOW, with what begins before START, and *ABOVE, with the rest. */
static void
split (struct cab_change *c, uint64_t at, uint64_t index, uint64_t start, int depth,
       uint64_t *below, uint64_t *above)
{
  const struct cab_live_block *n = node (c->arena, at, index);
  *below = *above = 0;
  c->failed |= depth == DEPTH;
  if (!n || c->failed)
    return;
  uint64_t inner;
  if (n->start < start)
    {
      split (c, at, n->right, start, depth + 1, &inner, above);
      cab_undo_put (c, FIELD (index, right), inner);
      *below = index;
    }
  else
    {
      split (c, at, n->left, start, depth + 1, below, &inner);
      cab_undo_put (c, FIELD (index, left), inner);
      *above = index;
    }
  fix_top (c, at, index);
}

/* Join two trees, of which all of BELOW begins before all of ABOVE.  Return the root. */
static uint64_t
join (struct cab_change *c, uint64_t at, uint64_t below, uint64_t above, int depth)
{
  const struct cab_live_block *a = node (c->arena, at, below), *b = node (c->arena, at, above);
  c->failed |= depth == DEPTH;
  if (!a || !b || c->failed)
    return a ? below : above;
  uint64_t top = goes_above (a, b) ? below : above;
  if (top == below)
    {
      uint64_t right = join (c, at, a->right, above, depth + 1);
      cab_undo_put (c, FIELD (below, right), right);
    }
  else
    {
      uint64_t left = join (c, at, below, b->left, depth + 1);
      cab_undo_put (c, FIELD (above, left), left);
    }
  fix_top (c, at, top);
  return top;
}

/* Insert node NEW into the tree INDEX.  Return the root. */
static uint64_t
insert (struct cab_change *c, uint64_t at, uint64_t index, uint64_t new, int depth)
{
  const struct cab_live_block *n = node (c->arena, at, index), *m = node (c->arena, at, new);
  uint64_t left = 0, right = 0, top = n && m && goes_above (n, m) ? index : new;
  c->failed |= depth == DEPTH || !m;
  if (c->failed)
    return index;
  if (top == new)
    {
      split (c, at, index, m->start, depth, &left, &right);
      cab_undo_put (c, FIELD (new, left), left);
      cab_undo_put (c, FIELD (new, right), right);
    }
  else if (m->start < n->start)
    {
      left = insert (c, at, n->left, new, depth + 1);
      cab_undo_put (c, FIELD (index, left), left);
    }
  else
    {
      right = insert (c, at, n->right, new, depth + 1);
      cab_undo_put (c, FIELD (index, right), right);
    }
  fix_top (c, at, top);
  return top;
}

/* Remove the node that begins at START from the tree INDEX, and store it to *GONE.  Return the
   root. */
static uint64_t
cut (struct cab_change *c, uint64_t at, uint64_t index, uint64_t start, int depth, uint64_t *gone)
{
  const struct cab_live_block *n = node (c->arena, at, index);
  uint64_t inner;
  c->failed |= depth == DEPTH;
  if (!n || c->failed)
    return index;
  if (n->start == start)
    {
      *gone = index;
      return join (c, at, n->left, n->right, depth);
    }
  bool below = start < n->start;
  inner = cut (c, at, below ? n->left : n->right, start, depth + 1, gone);
  cab_undo_put (c, below ? FIELD (index, left) : FIELD (index, right), inner);
  fix_top (c, at, index);
  return index;
}

static void
put_root (struct cab_change *c, uint64_t at, uint64_t root)
{
  cab_undo_put (c, at + offsetof (struct cab_blocks, root), root);
}

/* Return a node that is not in the tree; 0 if the state is damaged. */
static uint64_t
take_node (struct cab_change *c, uint64_t at)
{
  const struct cab_blocks *b = blocks_of (c->arena, at);
  uint64_t index = b->free ? b->free : b->n_nodes + 1;
  const struct cab_live_block *n = node (c->arena, at, index);
  c->failed |= !n;
  if (!n)
    return 0;
  if (b->free)
    cab_undo_put (c, at + offsetof (struct cab_blocks, free), n->left);
  else
    cab_undo_put (c, at + offsetof (struct cab_blocks, n_nodes), index);
  return index;
}

void
cab_blocks_add (struct cab_change *c, uint64_t at, uint64_t start, uint64_t bytes, uint64_t site)
{
  uint64_t index = take_node (c, at);
  if (c->failed)
    return;
  cab_undo_put (c, FIELD (index, start), start);
  cab_undo_put (c, FIELD (index, end), cab_block_end (start, bytes));
  cab_undo_put (c, FIELD (index, bytes), bytes);
  cab_undo_put (c, FIELD (index, site), site);
  cab_undo_put (c, FIELD (index, left), 0);
  cab_undo_put (c, FIELD (index, right), 0);
  put_root (c, at, insert (c, at, blocks_of (c->arena, at)->root, index, 0));
}

bool
cab_blocks_remove (struct cab_change *c, uint64_t at, uint64_t start, struct cab_live_block *block)
{
  uint64_t gone = 0;
  uint64_t root = cut (c, at, blocks_of (c->arena, at)->root, start, 0, &gone);
  const struct cab_live_block *n = node (c->arena, at, gone);
  if (!n || c->failed)
    return false;
  *block = *n;
  put_root (c, at, root);
  cab_undo_put (c, FIELD (gone, left), blocks_of (c->arena, at)->free);
  cab_undo_put (c, at + offsetof (struct cab_blocks, free), gone);
  return !c->failed;
}

/* Return true if the word at OFFSET of the arena is one that changes of the map may alter. */
static bool
alters (const struct cab_arena *arena, uint64_t at, uint64_t offset)
{
  uint64_t o = offset - at;
  return o == offsetof (struct cab_blocks, n_nodes) || o == offsetof (struct cab_blocks, root)
      || o == offsetof (struct cab_blocks, free)
      || cab_space_has (arena, blocks_of (arena, at)->nodes, sizeof (struct cab_live_block),
			offset);
}

bool
cab_blocks_may_undo (const struct cab_arena *arena, const struct cab_undo *undo, uint64_t at,
		     bool (*own) (const struct cab_arena *arena, uint64_t offset))
{
  const struct cab_undo_entry *entries = cab_space_elements (arena, undo->log);
  for (uint64_t i = 0; i < undo->n; i++)
    if (entries[i].offset % 8
	|| !(alters (arena, at, entries[i].offset) || own (arena, entries[i].offset)))
      return false;
  return true;
}

bool
cab_blocks_ok (const struct cab_arena *arena, uint64_t at)
{
  const struct cab_blocks *b = blocks_of (arena, at);
  return cab_space_table_ok (arena, b->nodes, sizeof (struct cab_live_block))
      && b->n_nodes <= cab_space_capacity (arena, b->nodes);
}

int
cab_blocks_check (const struct cab_arena *arena, const struct cab_blocks_host *host, uint64_t rows,
		  uint64_t n, size_t bytes, struct cab_diag *diag)
{
  const struct cab_undo *undo = (const struct cab_undo *) (arena->base + host->undo);
  if (!cab_space_hash_ok (arena, rows, n, bytes))
    return cab_state_refuse (diag, host->name,
			     "the table of rows leaves the arena, or has an impossible size");
  if (!cab_undo_ok (arena, host->undo) || !cab_blocks_ok (arena, host->blocks))
    return cab_state_refuse (diag, host->name, "the map of blocks leaves the arena");
  struct cab_state_table tables[3 + CAB_BLOCKS_MORE] =
  {
    { rows, bytes }, { undo->log, sizeof (struct cab_undo_entry) },
    { blocks_of (arena, host->blocks)->nodes, sizeof (struct cab_live_block) }
  };
  for (unsigned i = 0; i < host->n_more; i++)
    tables[3 + i] = host->more[i];
  if (!cab_state_apart (arena, tables, 3 + host->n_more, host->bytes))
    return cab_state_refuse (diag, host->name, "its tables overlap");
  return cab_blocks_may_undo (arena, undo, host->blocks, host->own)
	 ? 0
	 : cab_state_refuse (diag, host->name, "its log of changes is of another state");
}

void
cab_blocks_empty (struct cab_arena *arena, uint64_t at)
{
  struct cab_blocks *b = blocks_of (arena, at);
  b->root = 0;
  cab_space_order ();
  b->free = 0;
  cab_space_order ();
  b->n_nodes = 0;
  cab_space_order ();
}

#define CARRIED_NODES 64u   /* compared at a time */

void
cab_blocks_carry (struct cab_arena *arena, const struct cab_arena *from, uint64_t at)
{
  const struct cab_blocks *other = blocks_of (from, at);
  const struct cab_live_block *nodes = cab_space_elements (from, other->nodes);
  uint64_t n = other->root ? other->n_nodes + 1 : 0;
  cab_blocks_empty (arena, at);
  uint64_t table = n ? cab_space_table_for (arena, blocks_of (arena, at)->nodes, n - 1, LEAST,
					    sizeof *nodes)
		     : 0;
  if (!table)
    return;
  struct cab_live_block *copy = cab_space_elements (arena, table);
  for (uint64_t i = 0, some; i < n; i += some)
    {
      /* A thread that goes to and fro between two regions finds most of the map there already. */
      some = n - i < CARRIED_NODES ? n - i : CARRIED_NODES;
      if (memcmp (copy + i, nodes + i, some * sizeof *nodes))
	memcpy (copy + i, nodes + i, some * sizeof *nodes);
    }
  struct cab_blocks *b = blocks_of (arena, at);
  b->nodes = table;
  cab_space_order ();
  b->n_nodes = other->n_nodes;
  cab_space_order ();
  b->free = other->free;
  b->root = other->root;
  cab_space_order ();
}

void
cab_blocks_clear (struct cab_change *change, uint64_t at, uint64_t start, uint64_t end, bool inside,
		  void (*gone) (struct cab_change *change, const struct cab_live_block *block))
{
  uint64_t other, most = blocks_of (change->arena, at)->n_nodes;
  struct cab_live_block block;
  while (!change->failed && (inside ? first_inside (change->arena, at, start, end, &other)
			     : in_the_way (change->arena, at, start, end, &other)))
    if (most-- == 0 || !cab_blocks_remove (change, at, other, &block))
      change->failed = true;
    else if (gone)
      gone (change, &block);
}

/* Remove the block that begins at START, and those that begin in it. */
static void
release (struct cab_change *c, uint64_t at, uint64_t start)
{
  struct cab_live_block block;
  if (cab_blocks_remove (c, at, start, &block))
    cab_blocks_clear (c, at, start, block.end, true, NULL);
}

bool
cab_blocks_apply (struct cab_change *c, uint64_t at, const struct cab_batch *batch, uint32_t i,
		  uint64_t site)
{
  uint64_t address = batch->address[i], bytes = batch->bytes[i];
  bool makes = batch->form[i] != CAB_ROW_RELEASED && address;
  if (batch->form[i] == CAB_ROW_RELEASED && address)
    release (c, at, address);
  if (batch->form[i] == CAB_ROW_MOVED && batch->other[i] && (address || !bytes))
    release (c, at, batch->other[i]);
  if (makes)
    {
      cab_blocks_clear (c, at, address, cab_block_end (address, bytes), false, NULL);
      cab_blocks_add (c, at, address, bytes, site);
    }
  return makes;
}
